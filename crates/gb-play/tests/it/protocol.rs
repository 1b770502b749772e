//! The text protocol, bad input included.

use gb_games::games::clobber::Clobber;
use gb_play::Limits;
use gb_play::gtp::Session;
use gb_rules::direct;

use crate::Home;

fn draw(position: &gb_rules::Position) -> String {
    position.show().replace('|', "\n")
}

#[test]
fn a_game_over_the_protocol() {
    let home = Home::new(direct::<3, _>(Clobber::<u64>::default()));
    let limits = Limits::nodes(100);
    let mut session =
        Session::new(&home, "clobber", "4x4", "mcts+all".parse().unwrap(), limits, draw).unwrap();
    let mut say = |line: &str| session.answer(line).unwrap();
    assert_eq!(say("1 protocol_version"), "=1 2\n\n");
    assert!(say("name").contains("Clobber (mcts+all)"));
    assert!(say("list_commands").contains("time_settings"));
    assert_eq!(say("known_command genmove"), "= true\n\n");
    assert_eq!(say("known_command sing"), "= false\n\n");
    assert_eq!(say("sing"), "? unknown command\n\n");
    assert_eq!(say("boardsize 2 3"), "= \n\n");
    assert_eq!(say("showboard"), "= xox\noxo\n\n");
    assert!(say("boardsize 40").starts_with("? unacceptable size: a board of 40x40 cells is too large"));
    assert!(say("boardsize").starts_with("? boardsize needs a size"));
    assert!(say("boardsize zwei").starts_with("? unacceptable size"));
    assert_eq!(say("showboard"), "= xox\noxo\n\n", "the game goes on");
    assert_eq!(say("play black a1-b1"), "= \n\n");
    assert!(say("play white a1-b1").starts_with("? illegal move: Right has no move `a1-b1` here"));
    assert!(say("play green a1-b1").starts_with("? invalid color `green`"));
    assert!(say("play black pass").contains("nobody may pass in Clobber"));
    assert!(say("play black").starts_with("? syntax error"));
    assert!(say("genmove white").starts_with("= "));
    assert_eq!(say("undo"), "= \n\n");
    assert_eq!(say("undo"), "= \n\n");
    assert_eq!(say("undo"), "? cannot undo: no move was made\n\n");
    assert!(say("time_settings 0 0 0").starts_with("? a time limit of zero"));
    assert_eq!(say("time_settings 0 10 5"), "= \n\n");
    assert!(say("time_settings soon 0 0").starts_with("? `soon` is no number"));
    assert_eq!(say("time_left black 0 0"), "= \n\n");
    assert_eq!(say("gamebench-position xx.|..x"), "= \n\n");
    assert_eq!(say("genmove black"), "= resign\n\n");
    assert!(say("gamebench-position xq").contains("found `q`"));
    assert_eq!(say("clear_board"), "= \n\n");
    assert_eq!(session.answer("# only a comment"), None);
    session.answer("quit");
    assert!(session.is_over());
}

/// Whoever starts the program says how long a move may take at most; an hour that the other program gives is not used.
#[test]
fn no_move_takes_longer_than_the_limit() {
    let home = Home::new(direct::<3, _>(Clobber::<u64>::default()));
    let limits = Limits::time(std::time::Duration::from_millis(50));
    let mut session = Session::new(&home, "clobber", "8x8", "mcts".parse().unwrap(), limits, draw).unwrap();
    for line in ["time_settings 0 65535 1", "genmove black", "time_left white 3600 1", "genmove white"] {
        assert!(session.answer(line).unwrap().starts_with("= "), "{line}");
    }
}
