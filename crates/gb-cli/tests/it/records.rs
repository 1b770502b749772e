//! One record format: every front end opens what every other wrote, for every game.

use std::fs;
use std::sync::Arc;

use gb_go::gtp::Session as GoGtp;
use gb_go::{KoRule, Settings, sgf};
use gb_record::GameRecord;
use gb_record::session::{Catalog, Command, Session};
use gb_rules::Player;
use gb_value::Budget;
use gb_web::catalog::{AllGames, all};

use crate::gamebench;

/// Text that means something to SGF, JSON, HTML or a terminal.
const HOSTILE: &str =
    "a] b\\] \\ [;B[zz]) <script>alert('x')</script> \"quoted\" :colon: é\u{202e}\nnew line\u{1b}[31m";

fn open(text: &str) -> Session {
    Session::from_record(Arc::<AllGames>::default(), text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What every node of a session shows: label, position, whose turn, what is said.
fn contents(session: &mut Session) -> Vec<(String, String, Player, String)> {
    let nodes = session.tree().walk();
    let mut seen = vec![];
    for id in nodes {
        session.apply(Command::Go { node: id.0 }).unwrap();
        let view = session.view();
        let label = view.tree.iter().find(|node| node.id == id.0).unwrap().label.clone();
        seen.push((label, view.position, view.to_play, view.comment));
    }
    seen
}

/// A session with a line, a variation, comments and marks.
fn played(game: &str, position: &str) -> Session {
    let mut session = Session::open(Arc::<AllGames>::default(), game, position).unwrap();
    session.apply(Command::Comment { text: HOSTILE.into() }).unwrap();
    for (steps, pick) in [(6, 3), (3, 5)] {
        for step in 0..steps {
            let moves = session.view().moves;
            let Some(choice) = moves.get((step * pick) % moves.len().max(1)) else { break };
            let text = choice.text.clone();
            session.play(&text).unwrap();
            if step == 1 {
                session.apply(Command::Comment { text: format!("{text} {HOSTILE}") }).unwrap();
                session.apply(Command::Note { value: "{1|]-1}".into() }).unwrap();
            }
        }
        session.apply(Command::First {}).unwrap();
    }
    session
}

/// The position at the end of the main line: where whoever opens the record comes by going on.
fn end_of(session: &Session) -> String {
    let mut fresh = open(&session.record());
    fresh.apply(Command::Last {}).unwrap();
    fresh.view().position
}

#[test]
fn sessions_and_records_of_all_games_open_each_other() {
    let mut games = 0;
    for info in all() {
        let mut session = played(&info.name, info.example);
        let text = session.record();
        let mut again = open(&text);
        assert_eq!(contents(&mut again), contents(&mut session), "{text}");
        assert_eq!(again.record(), text, "writing is the same every time");
        games += 1;
        if info.name == gb_go::bench::NAME {
            continue;
        }
        // The terminal opens what the page wrote.
        let reader = |game: &str, position: &str| {
            let opened = AllGames::default().open(game, position)?;
            Ok(opened.read(position)?)
        };
        let game = GameRecord::from_sgf(&text, &reader).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(game.position().show(), end_of(&session), "{text}");
        // And the page what the terminal wrote.
        let written = game.to_sgf([HOSTILE, "mcts"]);
        let page = open(&written);
        assert_eq!(end_of(&page), game.position().show(), "{written}");
        let back = GameRecord::from_sgf(&page.record(), &reader).unwrap();
        assert_eq!(back.moves().collect::<Vec<_>>(), game.moves().collect::<Vec<_>>());
        assert_eq!((back.status(), back.len()), (game.status(), game.len()));
        assert!(page.record().contains("PB["), "what the page does not understand it keeps");
    }
    assert!(games > 25);
}

/// What `play --save` wrote before that. Colons were not escaped in all of them.
#[test]
fn records_of_the_first_format_are_opened_by_the_page() {
    for colon in [":", "\\:"] {
        let text = format!(
            "(;FF[4]CA[UTF-8]AP[gamebench{colon}0.1.0]GN[nim]PB[]PW[]PL[W]C[start{colon} 3,5]\n;W[a1]\n;B[b1])\n"
        );
        let mut session = open(&text);
        session.apply(Command::Last {}).unwrap();
        assert_eq!((session.view().position, session.view().to_play), ("0,0".into(), Player::Right));
    }
}

#[test]
fn records_of_go_are_opened_by_all_who_know_go() {
    let session = played("go", "...X.|.XXO.|..XO.|.XO..|.XO..");
    let text = session.record();
    let game = sgf::read(&text, KoRule::Simple, None).unwrap();
    let rows = |position: &str| position.split_whitespace().next().unwrap().to_owned();
    let board = |game: &gb_go::Game| rows(&gb_go::bench::show(game));
    assert_eq!(board(&game), rows(&end_of(&session)), "{text}");
    // The protocol prints what the page opens, and loads what the page wrote.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("with some spaces.sgf");
    fs::write(&file, &text).unwrap();
    let mut gtp = GoGtp::new(Settings::default(), KoRule::Simple, Budget::unlimited);
    assert!(gtp.answer(&format!("loadsgf {}", file.display())).unwrap().starts_with("= "));
    let printed = gtp.answer("printsgf").unwrap();
    let page = open(printed.trim_start_matches("= "));
    assert_eq!(rows(&end_of(&page)), board(&game), "{printed}");
    let other = folder.path().join("other.sgf");
    assert!(gtp.answer(&format!("printsgf {}", other.display())).unwrap().starts_with('='));
    let printed = fs::read_to_string(&other).unwrap();
    assert_eq!(rows(&end_of(&open(&printed))), board(&game));
    // And so does the command line, whose own record of best play the page opens.
    let best = folder.path().join("best.sgf");
    let ran = gamebench(
        &["analyze", "go", file.to_str().unwrap(), "--sgf", best.to_str().unwrap(), "--nodes", "2000"],
        "",
    );
    assert!(matches!(ran.code, Some(0 | 3)), "{}", ran.err);
    let best = fs::read_to_string(&best).unwrap();
    let page = open(&best);
    assert_eq!(rows(&page.view().position), board(&game), "{best}");
}

/// What SGF has no words for comes back as well: a ko that may not be taken back now, prisoners, and whose turn it is after
/// stones were set.
#[test]
fn kos_prisoners_and_turns_of_go_come_back() {
    for position in [
        ".XO.|X.XO|.XO.|.... white ko B3",
        ".X.|...|..O prisoners 2-1",
        ".X.|...|..O white",
        ".XO.|X.XO|.XO.|.... white ko B3 prisoners 0-7",
    ] {
        let mut session = Session::open(Arc::<AllGames>::default(), "go", position).unwrap();
        let other = session.view().position.replace('X', ".");
        session.apply(Command::Setup { position: other }).unwrap();
        let mut again = open(&session.record());
        assert_eq!(contents(&mut again), contents(&mut session), "{}", session.record());
        let start = Session::open(Arc::<AllGames>::default(), "go", position).unwrap();
        let game = sgf::read(&start.record(), KoRule::Simple, None).unwrap();
        assert_eq!(gb_go::bench::show(&game), start.view().position);
        let report = gb_go::sgf::Record {
            game: &game,
            komi: "0",
            labels: &[],
            territory: &[],
            comment: HOSTILE,
            moves: &[],
        };
        assert_eq!(open(&sgf::write(&report)).view().position, start.view().position);
    }
}

#[test]
fn the_terminal_goes_on_with_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    let path = file.to_str().unwrap();
    let ran = gamebench(&["play", "clobber", "3x4", "--right", "random", "--save", path], "a1-b1\nquit\n");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let first = open(&fs::read_to_string(&file).unwrap()).record();
    assert!(first.contains(";B[a1-b1]"), "{first}");
    let ran = gamebench(&["play", "--open", path, "--right", "random", "--save", path], "quit\n");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(open(&fs::read_to_string(&file).unwrap()).record(), first, "nothing was played");
    let protocol = format!("loadsgf {path}\nprintsgf {path}\nprintsgf\nquit\n");
    let ran = gamebench(&["gtp", "--game", "domineering"], &protocol);
    assert!(!ran.out.contains('?') && ran.out.contains(";B[a1-b1]"), "{}", ran.out);
    open(&fs::read_to_string(&file).unwrap());
    // Errors say where.
    fs::write(&file, "(;FF[4]GAME[clobber]POS[xo]\n;B[a1-z9])").unwrap();
    let ran = gamebench(&["play", "--open", path], "");
    assert!(ran.code == Some(1) && ran.err.contains("line 2, column 4: Left has no move"), "{}", ran.err);
    fs::write(&file, "(;GM[1]SZ[9])").unwrap();
    let ran = gamebench(&["play", "--open", path], "");
    assert!(ran.code == Some(1) && ran.err.contains("a record of Go"), "{}", ran.err);
    assert_eq!(gamebench(&["play", "clobber", "--open", path], "").code, Some(2));
    assert_eq!(gamebench(&["play"], "").code, Some(2));
}
