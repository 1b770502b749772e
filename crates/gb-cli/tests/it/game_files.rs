//! Games that are texts: by file, from a folder, in sums, databases, matches and over GTP.

use std::fs;
use std::path::Path;

use crate::gamebench;

fn gallery() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").to_str().unwrap().to_owned()
}

fn file(name: &str) -> String {
    format!("{}/{name}.game", gallery())
}

#[test]
fn a_file_is_the_name_of_a_game() {
    let run = gamebench(&["value", &file("shove"), ".x.oxo"], "");
    assert!(run.out.contains("-17/4"), "{}{}", run.out, run.err);
    let run = gamebench(&["value", &format!("{}(2,5)", file("subtraction")), "7"], "");
    assert_eq!((run.code, run.out.contains("subtraction~")), (Some(0), true), "{}{}", run.out, run.err);
    let run = gamebench(&["outcome", &format!("impartial({})", file("clobber")), "xox"], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = gamebench(&["thermograph", &file("domineering"), "2x3"], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
}

#[test]
fn misere_play_has_outcomes_and_no_values() {
    let run = gamebench(&["outcome", "misere(nim)", "1,1,1"], "");
    assert!(run.out.contains("P: whoever begins loses"), "{}{}", run.out, run.err);
    let run = gamebench(&["analyze", "misere(nim) 1,1,2"], "");
    assert!(run.out.contains("Left first wins with c2."), "{}{}", run.out, run.err);
    let run = gamebench(&["analyze", "--json", "misere(clobber) xox"], "");
    assert_eq!(
        (run.code, run.out.contains("\"left_first\":\"Right\"")),
        (Some(0), true),
        "{}{}",
        run.out,
        run.err
    );
    let run = gamebench(&["value", "impartial(misere(clobber))", "xox"], "");
    assert!(
        run.out.contains("misere(impartial(clobber)) xox") && run.out.contains("no value"),
        "{}",
        run.out
    );
    for (args, sentence) in [
        (vec!["outcome", "misere(regio)", "2x2"], "there is no `misere(regio)`: points are counted"),
        (vec!["outcome", "misere(chess)", "2x2"], "it can be won before a player is stuck"),
        (vec!["analyze", "misere(nim) 1 + ^"], "is played misère"),
        (vec!["outcome", "misere(nim)", "1 + nim 2"], "is played misère"),
        (vec!["thermograph", "misere(clobber)", "xo"], "no value: who cannot move wins"),
        (vec!["prove", "misere(clobber) xo", "--out", "/dev/null"], "misere(clobber)"),
        (vec!["db", "build", "misere(clobber)", "2x2", "--db", "/tmp/none"], "misere(clobber)"),
    ] {
        let run = gamebench(&args, "");
        assert_ne!(run.code, Some(0), "{args:?} {}", run.out);
        assert!(run.err.contains(sentence), "{args:?}: {}{}", run.out, run.err);
    }
    let players = ["match", "ab", "random", "--game", "misere(clobber)", "--from", "2x3", "--nodes", "200"];
    let run = gamebench(&players, "");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}

#[test]
fn a_folder_has_games_by_their_names() {
    let run = gamebench(&["--games", &gallery(), "analyze", "shove .x.o + clobber xxo + ^*"], "");
    assert!(run.out.contains("shove~") && run.out.contains("clobber xxo"), "{}{}", run.out, run.err);
    let run = gamebench(&["--games", &gallery(), "games"], "");
    assert!(run.out.contains("shove: Shove") && run.out.contains("clobber: Clobber"), "{}", run.out);
    let run = gamebench(&["games", "shove"], "");
    assert_eq!((run.code, run.err.contains("there is no game `shove`")), (Some(1), true), "{}", run.err);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.game");
    fs::write(&bad, "game bad\nboard grid\ncells . empty, x stone\nboth: . -> y\n").unwrap();
    let run = gamebench(&["analyze", bad.to_str().unwrap(), "3x3"], "");
    let expected = "line 4, column 12: found `y`, expected a letter of the board: `.` or `x`";
    assert_eq!((run.code, run.err.contains(expected)), (Some(1), true), "{}", run.err);
    let run = gamebench(&["analyze", "./nowhere.game", "3x3"], "");
    assert_eq!((run.code, run.err.contains("the file cannot be read")), (Some(1), true), "{}", run.err);
}

#[test]
fn databases_belong_to_one_text() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text = fs::read_to_string(file("clobber")).unwrap();
    fs::write(at("mine.game"), text.replace("game clobber", "game mine")).unwrap();
    let (games, db) = (folder.path().to_str().unwrap(), at("db"));
    let run = gamebench(&["--games", games, "db", "build", "mine", "2x3", "--db", &db], "");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let run = gamebench(&["--games", games, "db", "verify", "--db", &db], "");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    // Other rules, other name: the table is not used.
    let changed = text.replace("game clobber", "game mine").replace("orthogonal", "queen");
    fs::write(at("mine.game"), changed).unwrap();
    let run = gamebench(&["--games", games, "db", "query", "mine", "xo.|.ox", "--db", &db], "");
    assert!(run.code != Some(0) || !run.out.contains("table"), "{}{}", run.out, run.err);
}

#[test]
fn players_play_them() {
    let run = gamebench(&["play", &file("clobber"), "2x3", "--left", "random", "--right", "random"], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run =
        gamebench(&["gtp", "--game", &file("clobber"), "--from", "2x3"], "showboard\ngenmove b\nquit\n");
    assert_eq!(run.code, Some(0), "{}", run.err);
}
