//! `analyze go` and `gtp`.

use std::path::Path;

use crate::{Ran, gamebench};

fn fact(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/go").join(name).display().to_string()
}

fn json(ran: &Ran) -> serde_json::Value {
    serde_json::from_str(ran.out.trim()).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err))
}

#[test]
fn the_report_of_a_solved_board() {
    let ran = gamebench(&["analyze", "go", &fact("c9_equiv_9x9.sgf")], "");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    for part in [
        "  4 O . . . X . . . X      - E E E + D D D + ",
        "White to play, territory scoring; 61 points settled, 20 points open in 6 areas.",
        "D     4     3||2|0                 2^       2       1      White's sente, Black's reverse sente",
        "Score with best play: Black by 6 if Black begins, Black by 5 if White begins.",
        "White: G5 B1 J6 B4 C6 E6\n  loses 1: J8",
        "Best play, 9 moves\n1.W G5(D)  2.B G4(D)",
    ] {
        assert!(ran.out.contains(part), "`{part}` is missing in\n{}", ran.out);
    }
    // A text board is the same position, with Black to play.
    let rows = gamebench(&["analyze", "go", &fact("c9_equiv_9x9.txt"), "--to-play", "white"], "");
    let without_time = |ran: &Ran| ran.out.lines().filter(|l| !l.contains("nodes in")).collect::<String>();
    assert_eq!(without_time(&rows), without_time(&ran));
    let text = std::fs::read_to_string(fact("c9_equiv_9x9.sgf")).unwrap();
    assert_eq!(without_time(&gamebench(&["analyze", "go", "-"], &text)), without_time(&ran));
}

#[test]
fn json_of_a_solved_board() {
    let report = json(&gamebench(&["analyze", "go", &fact("c11_equiv_19x19.sgf"), "--json"], ""));
    assert_eq!(report["areas"].as_array().map(Vec::len), Some(29));
    assert_eq!((&report["score_black_first"], &report["score_white_first"]), (&"-5".into(), &"-7".into()));
    assert_eq!(report["areas"][0]["value"], "{{0|-8}|-9}");
    assert_eq!(report["areas"][0]["kind"], "Black's sente, White's reverse sente");
    assert_eq!((&report["to_play"], &report["scoring"]), (&"white".into(), &"territory".into()));
    assert_eq!(report["moves"]["white"][0]["loss"], "0");
    assert!(report["line"].as_str().is_some_and(|line| line.starts_with("1.W ")));
    // Many boards, one a line; a bad one does not stop the others.
    let lines = format!("go {}\ngo /no/such/file\ngo {}\n", fact("unit_corr2.sgf"), fact("unit_corr3.sgf"));
    let many = gamebench(&["analyze", "--json", "-"], &lines);
    let many_lines: Vec<&str> = many.out.lines().collect();
    assert_eq!((many_lines.len(), many.code), (3, Some(1)), "{}", many.out);
    assert!(many_lines[1].contains("error") && many_lines[2].contains("5/4"), "{}", many.out);
}

#[test]
fn options_for_rules() {
    let area =
        json(&gamebench(&["analyze", "go", &fact("unit_corr3.sgf"), "--scoring", "area", "--json"], ""));
    assert_eq!(area["areas"][0]["value"], "{3|{1|{-1|-3}}}");
    assert_eq!(area["areas"][0]["chilled"], "{2|{1|*}}");
    let zero = gamebench(&["analyze", "go", &fact("unit_corr3.sgf"), "--scoring", "dame-zero", "--json"], "");
    assert_eq!(json(&zero)["areas"][0]["value"], "{2|{1|0}}");
    // A record that takes a ko back after two passes.
    let ko = "(;SZ[4]AB[ba][ab][bc][cb]AW[ca][db][cc];W[bb];B[];W[];B[cb])";
    assert_eq!(gamebench(&["analyze", "go", "-"], ko).code, Some(0));
    let ran = gamebench(&["analyze", "go", "-", "--superko"], ko);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("black on C3 is illegal: superko: the position was on the board before"),
        "{}",
        ran.err
    );
    let before = gamebench(&["analyze", "go", "-", "--superko", "--before-move", "4"], ko);
    assert!(before.out.contains("Black to play"), "{}{}", before.out, before.err);
    let wrong = gamebench(&["analyze", "clobber", "xo", "--superko"], "");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("are for boards of go"), "{}", wrong.err);
}

#[test]
fn best_play_is_written_with_labels_and_comments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("line.sgf").display().to_string();
    let ran = gamebench(&["analyze", "go", &fact("c9_equiv_9x9.sgf"), "--sgf", &path], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = std::fs::read_to_string(&path).unwrap();
    for part in [
        "LB[ib:A]",
        "[gi:F]",
        "TB[hh][ii]",
        "TW[bb][fb]",
        "C[Score with best play",
        ";W[ge]C[D: 3||2|0 -> 2|0]",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
    // Read again, the game is over, and the score is the predicted one.
    let end = json(&gamebench(&["analyze", "go", &path, "--json"], ""));
    assert_eq!((end["areas"].as_array().map(Vec::len), &end["score_white_first"]), (Some(0), &"5".into()));
}

#[test]
fn kos_are_reported_with_bounds() {
    let board = "XXXOOOO|X.XOO.O|XXXOOOO|XX.XOOO|XXXOOOO|X.XOO.O|XXXOOOO";
    let ran = gamebench(&["analyze", "go", board], "");
    assert!(ran.out.contains("A: a ko decides: between 0|-1 and Tiny(1)"), "{}", ran.out);
    assert!(ran.out.contains("between White by 1 and even if White begins"), "{}", ran.out);
    let report = json(&gamebench(&["analyze", "go", board, "--json"], ""));
    assert_eq!(report["areas"][0]["bounds"][0], "{0|-1}");
    assert_eq!(report["bounds_white_first"], serde_json::json!(["-1", "0"]));
    assert_eq!(report["komasters"]["white"]["score_white_first"], "-1");
    assert_eq!(report["komasters"]["black"]["score_white_first"], "0");
    assert_eq!(report["score_white_first"], serde_json::Value::Null);
}

#[test]
fn bad_boards_get_a_sentence() {
    for (input, sentence) in [
        ("(;SZ[9]", "found the end of the text, expected `;`, `(` or `)`"),
        ("(;SZ[9];B[aa];W[aa])", "white on A9 is illegal: there is a stone already"),
        ("(;SZ[3]AB[ba][ab];W[aa])", "white on A3 is illegal: suicide"),
        ("(;SZ[52])", "the size is `52`, expected 2 to 19"),
        ("(;GM[6])", "GM is 6"),
        ("X.\n.", "row 2 has 1 points, but there are 2 rows: a board is a square"),
        ("XXX|XXX|XXX", "the black stone on A3 has no liberty: such a position cannot come up"),
        ("", "the board has 0 rows, expected 2 to 19"),
    ] {
        let ran = gamebench(&["analyze", "go", "-"], input);
        assert_eq!(ran.code, Some(1), "{input}");
        assert!(ran.err.starts_with("error: standard input"), "{input}: {}", ran.err);
        assert!(ran.err.contains(sentence), "{input}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
    assert_eq!(gamebench(&["analyze", "go"], "").code, Some(2));
    // Without safe walls, what could be settled is said.
    let open = gamebench(&["analyze", "go", "-"], "(;SZ[19])");
    assert_eq!(open.code, Some(0));
    for part in [
        "A: one area of 361 points, too large",
        "0 points settled, 361 points open in 1 area",
        "Settled so far: even.",
    ] {
        assert!(open.out.contains(part), "{}", open.out);
    }
}

#[test]
fn a_conversation_over_gtp() {
    let commands = format!(
        "1 protocol_version\nloadsgf {}\n3 genmove w\nfinal_score\nboardsize 50\ndance\n# nothing\n\nclear_board\ngenmove b\nquit\nname\n",
        fact("c9_equiv_9x9.sgf")
    );
    let ran = gamebench(&["gtp"], &commands);
    let begins = "=1 2\n\n= white\n\n=3 G5\n\n= B+5\n\n? unacceptable size\n\n? unknown command\n\n= \n\n= ";
    let rest = ran.out.strip_prefix(begins).unwrap_or_else(|| panic!("{}", ran.out));
    // On an empty board there is much to play for.
    assert!(!rest.starts_with("pass") && rest.ends_with("\n\n= \n\n"), "{rest}");
    assert_eq!(ran.code, Some(0));
    let remarks: Vec<&str> = ran.err.lines().collect();
    assert_eq!(remarks.len(), 2, "{}", ran.err);
    assert!(
        remarks[0].starts_with("G5: optimal in the sum of all areas. All of the 6 open areas"),
        "{}",
        ran.err
    );
    assert!(
        remarks[1].contains("Not decided: area A at A9: one area of 81 points, too large"),
        "{}",
        ran.err
    );
    assert_eq!(gamebench(&["gtp", "--quiet"], &commands).err, "");
    let area = gamebench(
        &["gtp", "--scoring", "area"],
        &format!("loadsgf {}\nfinal_score\n", fact("c9_equiv_9x9.sgf")),
    );
    assert!(area.out.starts_with("= white\n\n= "), "{}", area.out);
}

/// A record is followed move by move.
#[test]
fn a_record_is_followed() {
    let file = format!("{}/../../testdata/games/go/09-015-level10.sgf", env!("CARGO_MANIFEST_DIR"));
    let ran = gamebench(&["analyze", "go", &file, "--from-move", "53"], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("Of 3 moves 3 could be rated"), "{}", ran.out);
    let report = json(&gamebench(&["analyze", "go", &file, "--from-move", "55", "--json"], ""));
    assert_eq!(report["moves"][0]["point"], "pass");
    assert_eq!(report["moves"][0]["score"], "6");
}

/// Results are kept in the folder of databases, and used again; a damaged file is named, and left alone.
#[test]
fn results_are_kept_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("db").display().to_string();
    let ask = || gamebench(&["analyze", "go", &fact("c9_equiv_9x9.sgf"), "--db", &db, "--json"], "");
    let (first, second) = (json(&ask()), json(&ask()));
    assert!(first["nodes"].as_u64().is_some_and(|nodes| nodes > 10), "{first}");
    assert_eq!(second["nodes"], 0);
    for part in ["areas", "moves", "score_black_first", "score_white_first", "line"] {
        let without_nodes = |report: &serde_json::Value| {
            let mut report = report[part].clone();
            for area in report.as_array_mut().into_iter().flatten() {
                area.as_object_mut().map(|area| area.remove("nodes"));
            }
            report
        };
        assert_eq!(without_nodes(&first), without_nodes(&second), "{part}");
    }
    // A game uses them, too.
    let played =
        gamebench(&["gtp", "--db", &db], &format!("loadsgf {}\ngenmove w\nquit\n", fact("c9_equiv_9x9.sgf")));
    assert!(played.out.contains("= G5"), "{}{}", played.out, played.err);
    let path = Path::new(&db).join("go-results.txt");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&path, &bytes).unwrap();
    let damaged = ask();
    // Areas that are alike share no results then.
    assert!(json(&damaged)["nodes"].as_u64() > first["nodes"].as_u64(), "{}", damaged.out);
    assert_eq!(json(&damaged)["score_white_first"], first["score_white_first"]);
    assert!(
        damaged.err.contains("go-results.txt is damaged: its checksum is wrong; it is not used"),
        "{}",
        damaged.err
    );
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "a damaged file is left as it is");
}
