//! What is said about texts that are no games, and texts that mean harm.

use std::time::{Duration, Instant};

use gb_text::{TextError, TextGame};

fn error(text: &str) -> String {
    TextGame::read(text, &[]).unwrap_err().to_string()
}

/// A text with these lines after the usual ones.
fn grid(lines: &str) -> String {
    format!("game g\nboard grid\ncells . empty, x Left, o Right\n{lines}")
}

#[test]
fn errors_say_where_what_and_what_instead() {
    let rows: &[(&str, &str)] = &[
        ("", "the text has no line `game`: expected `game` and a name"),
        ("board grid", "line 1, column 1: found `board`, expected the first line, such as `game clobber`"),
        (
            "game Clobber",
            "line 1, column 6: found `Clobber`, expected a name of at most 40 small letters, digits and dashes, such as `toads-and-frogs`",
        ),
        (
            "game g\nboard",
            "line 2, column 6: found the end of the line, expected `grid`, `strip`, `hex`, `heap`, `graph` or `edges`",
        ),
        (
            "game g\nboard grid",
            "the text has no line `cells`: expected the letters and their meanings, as in `cells . empty, x Left, o Right`",
        ),
        ("game g\nboard grid\ncells . empty, . again", "line 3, column 16: the letter `.` is there twice"),
        (
            "game g\nboard grid\ncells . empty, x Left",
            "the text has no line `both:`: expected the moves of `left:`, `right:` or `both:`",
        ),
        (&grid("left x -> o"), "line 4, column 6: found `x`, expected `:`"),
        (
            &grid("left: xq -> .x"),
            "line 4, column 8: found `q`, expected a letter of the board: `.`, `x` or `o`",
        ),
        (
            &grid("left: xo ->"),
            "line 4, column 12: found the end of the line, expected what the pattern becomes, of a letter of the board: `.`, `x` or `o`",
        ),
        (
            &grid("left: xo -> .x."),
            "line 4, column 13: the pattern has 2 cells, but what it becomes has 3: expected as many",
        ),
        (
            &grid("left: x -> x"),
            "line 4, column 7: the move changes nothing: expected another letter after `->`",
        ),
        (
            &grid("left: xo -> .x along rowz"),
            "line 4, column 22: found `rowz`, expected `rows`, `columns`, `orthogonal`, `diagonal`, `queen`, `forward`, `north`, `northeast`, `east`, `southeast`, `south`, `southwest`, `west` or `northwest`",
        ),
        (
            &grid("left: xo -> .x allong rows"),
            "line 4, column 16: found `allong`, expected `along`, `slide`, `repeat`, `pushing`, `if`, `unless`, `neighbours`, `scores`, `then`, `;` or the end of the line",
        ),
        (
            &grid("left: xo -> .x along rows along columns"),
            "line 4, column 27: `along` says again what was said of this move: expected it once (several directions are joined by `and`)",
        ),
        (
            &grid("left: xo -> .x along rows, columns"),
            "line 4, column 26: found `,`, expected directions joined by `and`, letters of a choice in brackets such as `[xo]`, conditions one after the other, each with its `if` or `unless`",
        ),
        (
            "game g\nboard heap\nboth: n -> n-1 if n > 3",
            "line 3, column 16: found `if`, expected `where` and what must hold, `;` or the end of the line",
        ),
        (
            &grid("left: xo. -> .xo repeat"),
            "line 4, column 7: `repeat` goes on from the last cell: expected that it becomes what the first one was, as in `xo. -> ..x repeat`",
        ),
        (
            &grid("both: . -> x\nlegal: every group of y touches ."),
            "line 5, column 23: found `y`, expected a letter of the board: `.`, `x` or `o`",
        ),
        (
            &grid("both: . -> x\nsize 4"),
            "line 5, column 1: found `size`, expected a line that begins with `game`, `title`, `rules`, `board`, `cells`, `left`, `right`, `both`, `legal`, `start`, `example`, `claim`, `play` or `look`",
        ),
        (
            "game h\nboard heap\nboth: n -> n-k",
            "line 3, column 14: found `k`, expected a number, or one of `n` (other names are chosen with `where k in 1..n`)",
        ),
        (
            "game h\nboard heap\nboth: n -> n+1",
            "line 3, column 7: a move of the heap `0` leaves `1`, so that play might not end: expected that the first number that changes gets less",
        ),
        (
            "game h\nboard heap\nboth: octal 0.8",
            "line 3, column 13: found `0`, expected a code of octal digits that begins with `0.` or `4.`, or a parameter that is one",
        ),
        (
            "game h(k)\nboard heap\nboth: n -> n-k",
            "line 1, column 9: found `)`, expected `=` and what the parameter is if nothing is given, as in `game take(k = 3)`",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(error(text), *expected, "{text}");
    }
}

#[test]
fn places_are_there_for_editors() {
    let found = TextGame::read(&grid("left: xq -> .x"), &[]).unwrap_err();
    let place = found.place().unwrap();
    assert_eq!((place.line, place.column), (4, 8));
    assert!(matches!(found, TextError::Syntax { .. }));
}

#[test]
fn parameters_are_counted() {
    let text = "game take(k = 3)\nboard heap\nboth: n -> n-k";
    let given = |list: &[&str]| TextGame::read(text, &list.iter().map(|p| p.to_string()).collect::<Vec<_>>());
    assert!(given(&["5"]).is_ok());
    assert_eq!(
        given(&["5", "6"]).unwrap_err().to_string(),
        "take takes 1 parameters, but 2 were given, for example `take(3)`"
    );
    assert_eq!(
        given(&["-1"]).unwrap_err().to_string(),
        "take takes numbers, not `-1`, for example `take(3)`"
    );
    // What was given is blamed, and not the text.
    assert_eq!(
        given(&["x"]).unwrap_err().to_string(),
        "take takes a number for `k`, not `x`, for example `take(3)`"
    );
    assert_eq!(
        given(&["0"]).unwrap_err().to_string(),
        "take is no game with `0` (line 3, column 7: a move of the heap `0` leaves `0`, so that play might not end: expected that the first number that changes gets less), for example `take(3)`"
    );
    let list = "game pick(s... = 1 2)\nboard heap\nboth: n -> n-k where k in s";
    assert_eq!(
        TextGame::read(list, &["2".into(), "x".into()]).unwrap_err().to_string(),
        "pick takes numbers for `s`, not `x`, for example `pick(1,2)`"
    );
}

#[test]
fn examples_are_positions() {
    assert_eq!(
        error(&grid("left: xo -> .x\nexample xoq")),
        "line 5, column 9: the example `xoq` is no position: row 1, column 3: found `q`, expected `.` (empty), `x` (Left) or `o` (Right)"
    );
    assert!(error("game g\nboard heap\nboth: n -> n-1\nexample 5x").starts_with("line 4, column 9: "));
    assert!(error(&grid("left: xo -> .x\nexample 3x3")).starts_with("line 5, column 9: "));
    assert!(TextGame::read(&grid("left: xo -> .x\nstart fill x\nexample 3x3"), &[]).is_ok());
}

#[test]
fn what_is_never_used_is_told() {
    let warnings = |text: &str| -> Vec<String> {
        TextGame::read(text, &[]).unwrap().warnings().iter().map(|warning| warning.to_string()).collect()
    };
    let unused = warnings("game take(k = 3, m... = 1 2)\nboard heap\nboth: n -> n-k");
    assert_eq!(unused, ["line 1, column 18: no move uses the parameter `m`"]);
    // Nothing ever becomes a `#`, and the text says what games begin with.
    let slide =
        "game g\nboard strip\ncells . empty, x piece, # stone\nboth: x. -> .x ; x# -> .x\nexample x...";
    let never = warnings(&format!("{slide}\nstart fill x"));
    let [never] = &never[..] else { panic!("{never:?}") };
    assert!(
        never.starts_with("line 4, column 18: this move is possible in none of the 11 positions"),
        "{never}"
    );
    // Without that, boards with a `#` can be set up; nothing is told of moves that need one of them.
    assert_eq!(warnings(slide), [""; 0]);
    let nudge = "game n\nboard strip\ncells x Left, o Right, . empty\nleft: x. -> .x\nleft: x -> . if east edge\nright: .o -> o.";
    assert_eq!(warnings(nudge), [""; 0]);
    // What contradicts itself.
    let never = warnings(&grid("both: x -> . if beside o unless beside o ; x -> .\nstart checker x o"));
    assert!(never.len() == 1 && never[0].starts_with("line 4, column 7: "), "{never:?}");
    assert!(warnings("game h\nboard heap\nboth: n -> n-20 ; n -> n-1")[0].starts_with("line 3, column 7: "));
}

/// Claims that are false are answered with a board.
#[test]
fn false_claims_have_a_counterexample() {
    let upright = |claim: &str| {
        format!("game g\nboard grid\ncells # filled, . empty\nleft: .. -> ## along columns\nclaim {claim}")
    };
    let found = error(&upright("transpose"));
    assert!(
        found.starts_with("line 5, column 7: the text claims `transpose`, but that is false: of the board `"),
        "{found}"
    );
    let circle = error("game g\nboard strip\ncells x piece, . empty\nleft: x. -> .x along rows\nclaim ends");
    assert!(circle.contains("play can come back to it"), "{circle}");
    let parts = error("game g\nboard strip\ncells x piece, . empty\nleft: x. -> .x\nclaim parts x");
    assert!(parts.contains("it is not the sum of its parts"), "{parts}");
    // Of several claims the false one is named, whichever is written first.
    let both = "game g\nboard grid\ncells . empty, x Left, o Right\nleft: xo -> .x\nright: ox -> .o\nclaim ends\nclaim swap x o\nclaim mirrors";
    let found = error(both);
    assert!(found.starts_with("line 8, column 7: the text claims `mirrors`"), "{found}");
    assert!(found.contains("does not have the same value"), "{found}");
    // And a true one is used: walking away from each other.
    assert!(
        TextGame::read("game g\nboard strip\ncells x piece, . empty\nleft: x. -> .x\nclaim ends", &[])
            .is_ok()
    );
}

#[test]
fn misere_play_has_neither_points_nor_claims_of_values() {
    let found = error(&grid("both: . -> x scores 2\nplay misere"));
    assert!(
        found.starts_with("line 5, column 6: in misère play") && found.contains("no `scores`"),
        "{found}"
    );
    let found = error(&grid("both: . -> x\nclaim mirrors\nplay misere"));
    assert!(found.starts_with("line 5, column 7: this is claimed of values"), "{found}");
    assert!(TextGame::read(&grid("both: . -> x\nclaim ends\nplay misere"), &[]).is_ok());
    let found = error(&grid("both: . -> x\nplay misery"));
    assert!(found.contains("expected `normal`, `misere` or `score`"), "{found}");
}

#[test]
fn letters_that_turn_and_pairs_are_checked() {
    let found = error(&grid("both: [.xo] -> !"));
    assert!(found.contains("expected letters before the arrow, for `!` two"), "{found}");
    let found = error(&grid("both: x[.o] -> .! slide"));
    assert!(found.contains("`+` and `!` are for patterns of cells without"), "{found}");
    let found = error(&grid("both: x[.o]. -> .+x repeat"));
    assert!(found.contains("expected a move for each letter"), "{found}");
    let found = error("game g\nboard graph\ncells . free, x taken\nboth: . -> x if beside edge");
    assert!(found.contains("a graph has no edge of the board"), "{found}");
    let found = error(&grid(&format!("both: x{} -> .{}", "[.xo]".repeat(8), "+".repeat(8))));
    assert!(found.contains("can be laid in more than 1000 ways"), "{found}");
    let found = error(&grid("both: . -> x\nlegal: every xo along southeast touches ."));
    assert!(found.contains("found `southeast`, expected `north`, `east`, `south` or `west`"), "{found}");
    let found = error(&grid("both: . -> x unless below o"));
    assert!(found.contains("found `below`, expected `beside`, `around`, `north`"), "{found}");
}

#[test]
fn hostile_texts_are_answered_soon() {
    let long_line = format!("left: {} -> .", "x".repeat(15_000));
    let deep = format!("game h\nboard heap\nboth: n -> {}n{}", "(".repeat(5_000), ")".repeat(5_000));
    let letters: String =
        ('!'..='~').filter(|c| !"[]{}()/;,*?~|:\"'<>".contains(*c)).map(|c| format!("{c} l, ")).collect();
    let many: String = "left: xo -> .x along queen\n".repeat(300);
    let big = "left: x{16} -> .{16} along queen ; x{16} -> o{16} along queen\n".repeat(40);
    let images = "left: x?.o/?.??/o?x?/..?x -> .?~~/?~??/~?~?/~~?~ along images\n".repeat(20);
    let then = "left: x. -> .x slide along queen then x. -> xo slide along queen\n".repeat(30);
    let pairs =
        "game h\nboard heap\nboth: n -> a and b where a in 0..1000000*n, b in 0..1000000*n, a + b < n"
            .to_string();
    let unicode = "game g\nboard grid\ncells \u{1f600} face, é e\nboth: é -> \u{1f600}".to_string();
    let texts = [
        grid(&long_line),
        deep,
        format!("game g\nboard grid\ncells {letters}z last\nboth: z -> !"),
        grid(&many),
        grid(&big),
        grid(&images),
        grid(&then),
        pairs,
        unicode,
        "x".repeat(100_000),
        "\n".repeat(19_000),
        grid(
            "both: . -> x\nclaim mirrors\nclaim transpose\nclaim swap x o\nclaim parts . diagonal\nclaim ends",
        ),
        grid("left: x{999999999999} -> ."),
        grid("left: [ -> ."),
        grid("left: x* -> .*"),
        grid("left: ? -> ?"),
    ];
    for text in texts {
        let start = Instant::now();
        // What it is does not matter, but that there is an answer.
        let _ = TextGame::read(&text, &[]).map(|game| {
            let info = game.info();
            let _ = game.open(gb_rules::Variant::Plain, info.example).read(info.example);
        });
        assert!(start.elapsed() < Duration::from_secs(30), "{}", &text[..text.len().min(200)]);
    }
}
