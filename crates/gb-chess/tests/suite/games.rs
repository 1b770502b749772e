//! The moves that F. Maeser's thesis (2001, section 7.3.5) marks with `!`, and those it calls the only ones.

use gb_chess::Analysis;

use crate::facts::analysis;

fn winning(found: &Analysis, white: bool) -> Vec<&str> {
    found.winning[!white as usize].iter().map(|winning| winning.text.as_str()).collect()
}

/// Kings in the mutual zugzwang of Sveda - Sika, for structures whose kings are not known.
fn with_kings(pawns: &str) -> String {
    let rows: Vec<&str> = pawns.split('/').collect();
    let put = |row: &str, file: usize, piece: char| -> String {
        let mut cells: Vec<char> = vec![];
        for c in row.chars() {
            match c.to_digit(10) {
                Some(n) => cells.extend(std::iter::repeat_n('1', n as usize)),
                None => cells.push(c),
            }
        }
        cells[file] = piece;
        cells.into_iter().collect()
    };
    // White Kc3 and b4 against Black Kb5 and c4.
    let row5 = put(rows[3], 1, 'k');
    let row4 = put(&put(rows[4], 1, 'P'), 2, 'p');
    let row3 = put(rows[5], 2, 'K');
    let mut all: Vec<String> = rows.iter().map(|row| row.to_string()).collect();
    (all[3], all[4], all[5]) = (row5, row4, row3);
    all.join("/")
}

/// A position, whose move it is, the moves marked, and whether the text says that there is no other.
const MARKED: &[(&str, bool, &[&str], bool)] = &[
    // Sveda - Sika: 1.h3-h4! and 1...a6-a5!, then 2.h4-h5! 3.h5-h6!
    ("8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8", true, &["h3-h4"], true),
    ("8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8", false, &["a6-a5"], false),
    ("8/1p5p/8/p3k3/4Pp1P/5K2/PP6/8", true, &["h4-h5"], false),
    ("8/1p5p/8/4k2P/p3Pp2/5K2/PP6/8", true, &["h5-h6"], false),
    // The breakthrough.
    ("8/ppp5/8/PPP2k2/5Pp1/6K1/8/8", true, &["b5-b6"], true),
    // Popov - Dankov: White has only one move on the kingside.
    ("8/pp4p1/7p/3k4/PP1Pp3/4K1P1/6P1/8", true, &["g3-g4"], true),
    ("8/pp4p1/7p/3k4/PP1Pp3/4K1P1/6P1/8", false, &["h6-h5"], false),
    // 1 Velimirovic - Smejkal.
    ("8/1pp4p/3p4/Pp1P1k2/3PpP2/1P2K3/7P/8", true, &["b3-b4"], false),
    ("8/1pp5/3p4/Pp1P1k1p/1P1PpP2/4K3/7P/8", true, &["h2-h4"], false),
    // 4 Paoli - Michel.
    ("8/pp6/6pp/3k4/3Pp1P1/P3K3/1P5P/8", true, &["a3-a4"], false),
    ("8/8/1p4pp/p2k4/PP1Pp1PP/4K3/8/8", true, &["b4-b5"], false),
    // 6 Thomas - Maroczy, once the kings are in zugzwang.
    ("8/6pp/1pk2p2/2p2P1P/P1K5/1P6/6P1/8", true, &["g2-g3"], false),
    ("8/6p1/1pk2p1p/2p2P1P/P1K5/1P4P1/8/8", true, &["g3-g4"], false),
    // 8 Ranits - Wirius, with the tougher defence.
    ("8/6pp/p4p2/2k5/P1Pp4/3K3P/5PP1/8", true, &["a4-a5"], false),
    ("8/6pp/p7/P1k2p2/2Pp4/3K3P/5PP1/8", true, &["h3-h4"], false),
    ("8/7p/p5p1/P1k2p2/2Pp3P/3K4/5PP1/8", true, &["g2-g3"], false),
    ("8/8/p5pp/P1k2p2/2Pp3P/3K2P1/5P2/8", true, &["f2-f3"], false),
    // 9 Nehlert - Precour.
    ("8/1pp5/p4P2/6k1/P1P2pP1/1P3K2/8/8", true, &["b3-b4"], false),
    ("8/1pp5/5P2/p5k1/PPP2pP1/5K2/8/8", true, &["b4xa5"], false),
    ("8/1p6/5P2/P1p3k1/P1P2pP1/5K2/8/8", true, &["a5-a6"], false),
    // 10 Jacek - Miler: the only winning moves, and the line of the game.
    ("8/5p1p/p1k3p1/2Pp4/3K1P2/P5P1/7P/8", true, &["g3-g4"], true),
    ("8/5p1p/p1k3p1/2Pp4/3K1P2/P5P1/7P/8", false, &["h7-h5"], true),
    ("8/5p2/p1k3p1/2Pp3p/P2K1P2/6P1/7P/8", false, &["a6-a5"], false),
    ("8/5p2/2k3p1/p1Pp1P1p/P2K4/6P1/7P/8", false, &["g6xf5"], false),
    // 11 Schuessler - King.
    ("8/p7/5pp1/2k4p/P1Pp1P2/3K2PP/8/8", false, &["a7-a5"], false),
    ("8/8/5pp1/p1k4p/P1Pp1PP1/3K3P/8/8", false, &["h5-h4"], false),
    ("8/8/5pp1/p1k2P2/P1Pp2Pp/3K3P/8/8", false, &["g6-g5"], false),
];

#[test]
fn marked_moves_win() {
    for &(pieces, white, marked, only) in MARKED {
        let fen = format!("{pieces} {} - - 0 1", if white { 'w' } else { 'b' });
        let found = analysis(&fen);
        let moves = winning(&found, white);
        assert!(marked.iter().all(|mv| moves.contains(mv)), "{fen}: {moves:?}");
        assert!(!only || moves.len() == marked.len(), "{fen}: {moves:?}");
    }
}

#[test]
fn games_whose_kings_are_not_known() {
    // 2 Turov - Jagupov: 1.h2-h3. 3 Spraggett - Eslon: 1.h3-h4!, and 1...h5-h4 alone.
    let turov = analysis(&with_kings("8/8/6pp/8/6P1/6P1/7P/8"));
    assert_eq!((turov.sum.as_str(), winning(&turov, true).contains(&"h2-h3")), ("2", true));
    let eslon = analysis(&with_kings("8/8/8/5p1p/8/6PP/8/8"));
    assert_eq!(eslon.sum, "{0|off}");
    assert!(winning(&eslon, true).contains(&"h3-h4"));
    assert_eq!(winning(&eslon, false), ["h5-h4"]);
}

/// Games 7 and 8: moves that win, and others that win by more.
#[test]
fn stronger_moves_leave_more() {
    for (fen, values) in [
        ("8/p4p2/2k4p/2Pp1p2/3K4/P7/5PPP/8 w - - 0 1", [("f2-f4", "1"), ("g2-g3", "1^3")]),
        ("8/6p1/p4p2/P1k4p/2Pp4/3K3P/5PP1/8 w - - 0 1", [("f2-f4", "0"), ("g2-g3", "1/4")]),
    ] {
        let found = analysis(fen);
        for (text, value) in values {
            let winning = found.winning[0].iter().find(|winning| winning.text == text);
            assert_eq!(winning.map(|winning| winning.to.as_str()), Some(value), "{fen} {text}");
        }
    }
}

#[test]
fn lines_end_where_the_values_say() {
    for &(pieces, white, ..) in MARKED {
        let found = analysis(&format!("{pieces} {} - - 0 1", if white { 'w' } else { 'b' }));
        let mover = if white { "White" } else { "Black" };
        let winner = found.winners[!white as usize];
        let loser = if winner == "White" { "Black" } else { "White" };
        assert!(
            found.ending.starts_with(&format!("{winner} has promoted"))
                || found.ending.starts_with(&format!("{loser} has no pawn move")),
            "{pieces}, {mover} to move: {} but {:?} {}",
            winner,
            found.main_line,
            found.ending
        );
    }
}
