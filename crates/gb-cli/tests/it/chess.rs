use crate::gamebench;

const SVEDA: &str = "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1";

#[test]
fn a_report_with_reasons() {
    let ran = gamebench(&["analyze", "chess", SVEDA, "--check=1s"], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for part in [
        "Pawns bound to the kings (found): e4, f4.",
        "mutual zugzwang",
        "after h3-h4 the h-file is v, the queenside ^, together 0: Black is in zugzwang",
        "Main line of the values: 1.h3-h4",
        "proved",
        "Fifty moves without a capture",
        "The decomposition is heuristic",
    ] {
        assert!(ran.out.contains(part), "`{part}` is missing in\n{}", ran.out);
    }
    // FEN without quotes is the same; without a proof the report does not depend on time.
    let ran = gamebench(&["analyze", "chess", SVEDA, "--check=0s"], "");
    let words: Vec<&str> = ["analyze", "--check=0s", "chess"].into_iter().chain(SVEDA.split(' ')).collect();
    assert_eq!(gamebench(&words, "").out, ran.out);
}

#[test]
fn json_and_many_inputs() {
    let ran = gamebench(
        &["analyze", "--json", "--check=0s", "-"],
        &format!("chess {SVEDA}\nchess 8/8/8/8/8/8/8/8 w - - 0 1\n"),
    );
    let lines: Vec<serde_json::Value> = ran.out.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    assert_eq!((lines.len(), ran.code), (2, Some(1)));
    assert_eq!((&lines[0]["sum"], &lines[0]["outcome"]), (&"v*".into(), &"N".into()));
    assert_eq!(lines[0]["winning"][0][0]["text"], "h3-h4");
    assert_eq!(lines[1]["error"], "White has no king: expected one king each");
}

#[test]
fn experts_and_checks() {
    let bound = gamebench(&["analyze", "chess", SVEDA, "--bound", "e4,f4"], "");
    assert!(bound.out.contains("Pawns bound to the kings (named): e4, f4."), "{}", bound.out);
    let wrong = gamebench(&["analyze", "chess", SVEDA, "--bound", "e5"], "");
    assert_eq!(wrong.code, Some(1));
    assert_eq!(wrong.err, "error: there is no pawn on e5 that could be bound to the kings\n");
    assert_eq!(gamebench(&["analyze", "nim 3,4", "--check"], "").code, Some(2));
    // The verdict of the whole board comes first.
    let won = gamebench(&["analyze", "chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "--check"], "");
    assert!(won.out.contains("Proved, with White to move: White wins."), "{}", won.out);
    let drawn = gamebench(&["analyze", "chess", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"], "");
    assert!(drawn.out.contains("Proved, with White to move: a draw."), "{}", drawn.out);
    let json = gamebench(&["analyze", "chess", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["proof"]["ending"], "draw");
}

/// The kings' complex of Bronstein - Rajna is found, and where it is no zugzwang the conclusion says so.
#[test]
fn the_kings_complex_and_its_proviso() {
    let ran =
        gamebench(&["analyze", "chess", "8/5p1p/p3kp2/2p5/2p1PKP1/8/PP5P/8 b - - 0 1", "--check=0s"], "");
    assert!(ran.out.contains("Pawns bound to the kings (found): e4, f7."), "{}", ran.out);
    assert!(ran.out.contains("With Black to move White wins the battle of tempi"), "{}", ran.out);
    let ran =
        gamebench(&["analyze", "chess", "8/6pp/1p1k1p2/2p2P1P/P7/3K4/1P4P1/8 b - - 0 1", "--check=0s"], "");
    assert!(ran.out.contains("This is NOT a mutual zugzwang"), "{}", ran.out);
    assert!(ran.out.contains("the kings are not held by mutual zugzwang"), "{}", ran.out);
}

#[test]
fn bad_boards_get_a_sentence() {
    for (fen, sentence) in [
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "no pawn on the first or on the last rank"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("4k3/8/8/3n4/8/8/8/4K3 w - - 0 1", "a black knight cannot be handled"),
        ("8/8/8 w - - 0 1", "8 ranks"),
    ] {
        let ran = gamebench(&["analyze", "chess", fen], "");
        assert_eq!(ran.code, Some(1), "{fen}");
        assert!(ran.err.contains(sentence), "{fen}: {}", ran.err);
    }
    let both = ["analyze", "chess", "8/8/P7/3k4/3Pp3/4K2p/8/8 w - - 0 1", "--bound", "d4,e4"];
    assert!(gamebench(&both, "").out.contains("on + off = dud"));
}

/// Fox and Geese, the other game with global threats: values with loops are shown, and ordinary ones where play repeats.
#[test]
fn values_with_loops_are_shown() {
    let ran = gamebench(&["analyze", "fox-and-geese", "x.x.|....|....|.o.."], "");
    assert!(ran.out.contains("Left wins, whoever begins."), "{}{}", ran.out, ran.err);
    assert!(ran.out.lines().any(|line| line.starts_with('A') && line.contains("over")), "{}", ran.out);
    let value = |position: &str| gamebench(&["value", "fox-and-geese", position], "").out;
    assert!(value("x.x.|....|....|.o..").contains("value        over\n  outcome      L"));
    // CGSuite 2.1 says the same.
    assert!(value(".x.x.x.x|........|........|o.......").contains("{4*|7/2}"));
}

/// Sums of a board with loops, a board without and values with and without loops.
#[test]
fn sums_with_loops_are_decided() {
    let analyze = |sum: &str| gamebench(&["analyze", sum], "").out;
    let out = analyze("fox-and-geese x.x.|....|....|.o.. + -1/2");
    assert!(out.contains("-1/2+over") && out.contains("Right wins, whoever begins."), "{out}");
    let out = analyze("fox-and-geese x.x.|....|....|.o.. + domineering ... + domineering .|.|.");
    assert!(out.contains("over") && out.contains("Left wins, whoever begins."), "{out}");
    // over + under is a draw for whoever would lose otherwise: its sides are over and under.
    let out = analyze("fox-and-geese x.x.|....|....|.o.. + under");
    assert!(out.contains("over & under") && out.contains("It is a draw, whoever begins."), "{out}");
    let json = gamebench(&["analyze", "fox-and-geese x.x.|....|....|.o.. + under", "--json"], "").out;
    assert!(json.contains(r#""winner":{"left_first":"Draw","right_first":"Draw"}"#), "{json}");
}

/// Outcomes of games that repeat, by retrograde analysis: mutual zugzwang, the trebuchet, and its mirror image; a lone pawn that
/// cannot be stopped; kings alone, who go round for ever.
#[test]
fn outcomes_where_play_repeats() {
    let outcome = |game: &str, position: &str| {
        let ran = gamebench(&["outcome", game, position, "--json"], "");
        let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let text = |key: &str| found[key].as_str().unwrap_or("?").to_owned();
        [text("outcome"), text("left_first"), text("right_first")].join(" ")
    };
    assert_eq!(outcome("chess", "8/8/8/3pK3/2kP4/8/8/8 w - - 0 1"), "P Right Left");
    assert_eq!(outcome("chess", "8/8/8/3Kp3/4Pk2/8/8/8 w - - 0 1"), "P Right Left");
    assert_eq!(outcome("chess", "7k/8/8/P7/8/8/8/7K w - - 0 1"), "L Left Left");
    assert_eq!(outcome("chess", "8/8/8/3k4/8/8/8/3K4 w - - 0 1"), "D Draw Draw");
    let of_fox = outcome("fox-and-geese", "x.o|.x.|x..");
    assert!(!of_fox.contains('?'), "{of_fox}");
    let ran = gamebench(&["outcome", "chess", "8/8/8/3k4/8/8/8/3K4 w - - 0 1"], "");
    assert!(ran.out.contains("D: it is a draw, whoever begins"), "{}", ran.out);
}
