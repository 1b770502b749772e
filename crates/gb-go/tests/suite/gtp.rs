//! The Go Text Protocol, as GoGui, Sabaki and gogui-twogtp use it.

use gb_go::gtp::Session;
use gb_go::{Board, Game, KoRule, Settings};
use gb_value::{Budget, Player};

use crate::facts::{folder, load};

fn session() -> Session {
    Session::new(Settings::default(), KoRule::Simple, Budget::unlimited)
}

fn say(session: &mut Session, line: &str) -> String {
    session.answer(line).expect("a command")
}

#[track_caller]
fn talk(session: &mut Session, lines: &[(&str, &str)]) {
    for (line, answer) in lines {
        assert_eq!(say(session, line), format!("{answer}\n\n"), "{line}");
    }
}

#[test]
fn the_usual_conversation() {
    let mut s = session();
    talk(
        &mut s,
        &[
            ("1 protocol_version", "=1 2"),
            ("2\tname", "=2 Game Bench"),
            ("boardsize 5", "= "),
            ("play b C3", "= "),
            ("17 play white c3", "?17 illegal move: there is a stone already"),
            ("undo", "= "),
            ("undo", "? cannot undo"),
            ("komi 6.5", "= "),
            ("play b PASS", "= "),
            ("play w resign", "= "),
        ],
    );
    for silent in ["  # a comment", "", "   ", "\r"] {
        assert_eq!(s.answer(silent), None);
    }
    assert_eq!(say(&mut s, "quit\r"), "= \n\n");
    assert!(s.is_over());
}

#[test]
fn every_listed_command_is_known_and_answered() {
    let list = say(&mut session(), "list_commands");
    let commands: Vec<&str> = list.trim_start_matches("= ").split_whitespace().collect();
    assert!(commands.len() > 25 && commands.is_sorted(), "{commands:?}");
    for command in commands {
        let mut s = session();
        assert_eq!(say(&mut s, &format!("known_command {command}")), "= true\n\n");
        let answer = say(&mut s, command);
        assert!(!answer.contains("unknown command"), "{command}: {answer}");
        assert!(answer.starts_with(['=', '?']) && answer.ends_with("\n\n"), "{command}: {answer}");
        // An empty line ends an answer, so there is none inside.
        assert!(!answer.trim_end().contains("\n\n"), "{command}: {answer}");
    }
}

#[test]
fn wrong_commands_are_answered() {
    let mut s = session();
    talk(
        &mut s,
        &[
            ("boardsize 20", "? unacceptable size"),
            ("boardsize 1", "? unacceptable size"),
            ("boardsize x", "? boardsize not an integer"),
            ("boardsize", "? syntax error: an argument is missing"),
            ("komi nan", "? komi not a float"),
            ("play", "? syntax error: an argument is missing"),
            ("play b", "? syntax error: an argument is missing"),
            ("play green A1", "? invalid color `green`: expected black (Left) or white (Right)"),
            ("genmove", "? syntax error: an argument is missing"),
            ("time_settings 1 2", "? syntax error: an argument is missing"),
            ("time_settings a b c", "? syntax error: expected a number"),
            ("final_status_list asleep", "? invalid status: expected dead, alive or seki"),
            ("gogui-setup b", "? syntax error: an argument is missing"),
            ("gamebench-why", "? no move was generated yet"),
            ("set_free_handicap A1", "? bad vertex list"),
            ("set_free_handicap A1 A1", "? bad vertex list"),
            ("fixed_handicap 1", "? invalid number of stones"),
            ("fixed_handicap 10", "? invalid number of stones"),
            ("dance", "? unknown command"),
            ("known_command dance", "= false"),
        ],
    );
    assert!(say(&mut s, "play b Z99").starts_with("? invalid coordinate"));
    assert!(say(&mut s, "loadsgf /no/such/file").starts_with("? cannot load file"));
    // Suicide and kos.
    talk(
        &mut s,
        &[
            ("boardsize 4", "= "),
            ("gogui-setup b B4 b A3", "= "),
            ("play w A4", "? illegal move: suicide: the stone would have no liberty, and captures nothing"),
            ("gogui-setup b B4 b A3 b B2 b C3 w C4 w D3 w C2", "= "),
            ("play w B3", "= "),
            ("play b C3", "? illegal move: ko: the single stone may not be taken back at once"),
        ],
    );
    assert!(say(&mut s, "gogui-setup w A1 b A2 b B1").contains("A1 has no liberty"));
}

#[test]
fn handicaps_are_placed_as_the_protocol_says() {
    let mut s = session();
    talk(
        &mut s,
        &[
            ("fixed_handicap 2", "= D4 Q16"),
            ("fixed_handicap 2", "? board not empty"),
            ("clear_board", "= "),
            ("fixed_handicap 5", "= D4 Q16 D16 Q4 K10"),
            ("clear_board", "= "),
            ("fixed_handicap 9", "= D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
            ("boardsize 9", "= "),
            ("place_free_handicap 4", "= C3 G7 C7 G3"),
            ("boardsize 8", "= "),
            ("fixed_handicap 5", "? invalid number of stones"),
            ("set_free_handicap A1 H8", "= "),
        ],
    );
    assert_eq!(s.game().to_play, Player::Right);
}

/// Sabaki sends a position that was set up as a free handicap and moves of White.
#[test]
fn positions_arrive_as_sabaki_sends_them() {
    let board = load("c9_equiv_9x9").board;
    let stones = |player| board.points().filter(|&p| board.at(p) == Some(player)).collect::<Vec<_>>();
    let mut s = session();
    for line in
        ["name", "version", "protocol_version", "list_commands", "boardsize 9", "komi 0", "clear_board"]
    {
        assert!(say(&mut s, line).starts_with("= "), "{line}");
    }
    talk(&mut s, &[(&format!("set_free_handicap {}", board.names(&stones(Player::Left))), "= ")]);
    for point in stones(Player::Right) {
        talk(&mut s, &[(&format!("play W {}", board.name(point)), "= ")]);
    }
    assert_eq!(s.game().board, board);
    talk(&mut s, &[("genmove W", "= G5"), ("undo", "= "), ("genmove W", "= G5"), ("play B G4", "= ")]);
}

const CORRIDOR: &str = "OOOOOOO|O.OOO.O|OOOOOOO|XXX.XXX|XXX.XXX|X.X.X.X|XXXXXXX";

#[test]
fn it_plays_a_corridor_out_says_why_and_passes() {
    let mut s = session();
    s.set_game(Game::new(Board::read(CORRIDOR).unwrap(), Player::Right, KoRule::Simple));
    talk(&mut s, &[("final_score", "= B+1"), ("reg_genmove w", "= D4"), ("genmove w", "= D4")]);
    let remark = s.take_remark().map(str::to_owned);
    let expected = "D4: optimal in the sum of all areas. All of the 1 open area has its value: Black by 1 with best play.";
    assert_eq!(remark.as_deref(), Some(expected));
    assert_eq!(s.take_remark(), None);
    talk(
        &mut s,
        &[
            ("genmove b", "= D3"),
            ("kgs-genmove_cleanup w", "= pass"),
            ("final_score", "= B+1"),
            ("komi 1", "= "),
            ("final_score", "= 0"),
            ("komi 6.5", "= "),
            ("final_score", "= W+5.5"),
            ("time_settings 0 10 1", "= "),
            ("time_left b 10 0", "= "),
            ("kgs-time_settings byoyomi 10 30 5", "= "),
            ("gogui-interrupt", "= "),
        ],
    );
    assert_eq!(
        say(&mut s, "gamebench-why"),
        "= pass: nothing is left to gain. All of the 0 open areas have their values: Black by 1 with best play.\n\n"
    );
    assert!(say(&mut s, "showboard").contains("4 X X X O X X X 4"));
}

#[test]
fn areas_are_drawn_and_dead_stones_listed() {
    let mut s = session();
    s.set_game(Game::new(Board::read(CORRIDOR).unwrap(), Player::Right, KoRule::Simple));
    let areas = say(&mut s, "gamebench-areas");
    for part in
        ["BLACK B2 F2", "WHITE B6 F6", "LABEL D4 A", "LABEL D2 A", "TEXT 46 points settled, 3 points open"]
    {
        assert!(areas.contains(part), "{areas}");
    }
    assert!(say(&mut s, "gogui-analyze_commands").contains("gfx/Game Bench Areas/gamebench-areas"));
    assert_eq!(say(&mut s, "final_status_list dead"), "= \n\n");
    s.set_game(Game::new(Board::read(".XO.|XXXX|.X.X|XXXX").unwrap(), Player::Right, KoRule::Simple));
    assert_eq!(say(&mut s, "final_status_list dead"), "= C4\n\n");
    assert!(say(&mut s, "final_status_list alive").starts_with("= B4 A3 B3"));
}

#[test]
fn what_is_not_decided_is_said() {
    let mut s = session();
    assert!(say(&mut s, "gamebench-analyze").contains("one area of 361 points, too large"));
    say(&mut s, "boardsize 9");
    assert!(say(&mut s, "gamebench-analyze").contains("one area of 81 points, too large"));
    assert_ne!(say(&mut s, "genmove b"), "= pass\n\n", "there is much to play for");
    let remark = s.take_remark().expect("a remark");
    assert!(
        remark.contains("a guess: games played at random go best after it. Not decided: area A at A9"),
        "{remark}"
    );
    assert!(say(&mut s, "final_score").starts_with("? cannot score"));
}

/// A corridor and a ko: the corridor is played, and the ko is spoken of.
#[test]
fn known_parts_are_played_beside_a_ko() {
    let board = "XXXXOOOOO|X.XXOOO.O|XXXXOOOOO|XXX.XOOOO|XXXXOOOOO|X...OOOOO|XXXXOOOOO|X.XXOOO.O|XXXXOOOOO";
    let mut s = session();
    s.set_game(Game::new(Board::read(board).unwrap(), Player::Right, KoRule::Simple));
    assert_eq!(say(&mut s, "genmove w"), "= D4\n\n");
    assert_eq!(
        s.take_remark(),
        Some(
            "D4: best in the areas with known values. Not decided: area A at D6: a ko decides: between 0|-1 and Tiny(1); \
             the score is between even and Black by 1."
        )
    );
}

#[test]
fn records_are_loaded_up_to_a_move() {
    let file = folder().join("c9_equiv_9x9.sgf");
    let mut s = session();
    assert_eq!(say(&mut s, &format!("loadsgf {}", file.display())), "= white\n\n");
    assert_eq!(say(&mut s, "final_score"), "= B+5\n\n");
    let printed = say(&mut s, "printsgf");
    assert!(printed.contains("SZ[9]") && printed.contains("PL[W]"), "{printed}");
    let path = std::env::temp_dir().join(format!("gamebench gtp {}.sgf", std::process::id()));
    std::fs::write(&path, "(;SZ[5];B[aa];W[bb];B[cc])").unwrap();
    assert_eq!(say(&mut s, &format!("loadsgf {} 2", path.display())), "= white\n\n");
    assert_eq!(s.game().board, Board::read("X....|.....|.....|.....|.....").unwrap());
    assert_eq!(say(&mut s, &format!("printsgf {}", path.display())), "= \n\n");
    assert_eq!(say(&mut s, &format!("loadsgf {}", path.display())), "= white\n\n");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn lines_that_were_answered_wrongly() {
    let mut s = session();
    assert_eq!(say(&mut s, "42"), "?42 unknown command\n\n");
    assert_eq!(s.answer(""), None);
    assert_eq!(say(&mut s, "play b a1 x"), "? syntax error: `x` is too much\n\n");
    assert!(say(&mut s, "showboard").contains("1 . ."));
}

#[test]
fn records_keep_moves_as_moves() {
    let mut s = session();
    say(&mut s, "boardsize 9");
    for line in ["play b c3", "play w g7", "play b pass"] {
        assert_eq!(say(&mut s, line), "= \n\n");
    }
    let text = say(&mut s, "printsgf");
    assert!(text.contains(";B[cg]") && text.contains(";W[gc]") && text.contains(";B[]"), "{text}");
    assert!(!text.contains("AB["), "{text}");
    say(&mut s, "undo");
    assert!(!say(&mut s, "printsgf").contains(";B[]"));
}
