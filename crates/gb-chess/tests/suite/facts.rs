//! Whole boards of testdata/facts/chess/endgames.tsv.

use std::collections::BTreeSet;

use gb_board::Random;
use gb_board::testing::facts;
use gb_chess::{Analysis, Request, analyse};
use gb_games::games::chess::square_name;
use gb_rules::Player;
use gb_value::{Budget, Kernel, Store, Value};

use crate::boards::{Sort, board};

pub(crate) fn analysis(fen: &str) -> Analysis {
    analyse(&Request::new(fen).unwrap(), &Budget::unlimited()).unwrap()
}

fn read(text: &str, kernel: &Kernel<'_>) -> Value {
    kernel.read(&text.replace("tiny", "{0|{0|off}}")).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What the facts say about the sum: the column `value`, or a remark.
fn expected(row: &[String]) -> Option<String> {
    let remark = "sum of the pawn chunks = ";
    match (row[5].as_str(), row[7].find(remark)) {
        ("-", Some(at)) => row[7][at + remark.len()..].split(" (outcome").next().map(str::to_string),
        (value, _) => Some(value.to_string()).filter(|value| value != "-"),
    }
}

#[test]
fn values_of_whole_boards() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let mut count = 0;
    for row in facts("chess/endgames.tsv") {
        let (id, fen) = (&row[0], &row[2]);
        if row[4] != "whole" {
            continue;
        }
        let value = expected(&row).unwrap_or_else(|| panic!("{id}"));
        let found = analysis(fen);
        let sum = match value.strip_suffix(" (kingside)") {
            None => read(&found.sum, &kernel),
            Some(_) => {
                let chunk = found.chunks.iter().find(|chunk| chunk.name == "kingside").unwrap();
                read(&chunk.value, &kernel)
            }
        };
        let value = value.strip_suffix(" (kingside)").unwrap_or(&value);
        assert_eq!(sum, read(value, &kernel), "{id}: found {}, expected {value}", found.sum);
        count += 1;
    }
    assert_eq!(count, 13);
}

#[test]
fn kings_in_mutual_zugzwang_are_found() {
    for (fen, bound, zugzwang) in [
        ("8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1", "e4 f4", true),
        ("8/1pp4p/3p4/Pp1P1k2/3PpP2/1P2K3/7P/8 w - - 0 1", "e4 f4", true),
        ("8/p4p2/2k2p1p/2Pp4/3K4/P7/5PPP/8 b - - 0 1", "c5 d5", true),
        ("8/5p1p/p3kp2/2p5/2p1PKP1/8/PP5P/8 b - - 0 1", "e4 f7", true),
        ("8/6pp/1p1k1p2/2p2P1P/P7/3K4/1P4P1/8 b - - 0 1", "b2 a4 c5 b6", false),
        // A king that only looks on is not bound to anything.
        ("8/p6k/8/8/8/8/P6K/8 w - - 0 1", "", false),
    ] {
        let complex = analysis(fen).complex;
        assert_eq!((complex.bound.join(" ").as_str(), complex.zugzwang), (bound, zugzwang), "{fen}");
    }
}

/// Chunks that a king touches are bound, unless both kings are needed in a mutual zugzwang: then the report names them.
#[test]
fn chunks_that_kings_touch_are_not_independent() {
    let mut random = Random::new(0x70c4, 0);
    let (mut bound, mut told) = (0, 0);
    for round in 0..400 {
        let sort = if round % 2 == 0 { Sort::Natural } else { Sort::Locked };
        let Ok(request) = Request::new(&board(sort, 3 + round % 4, &mut random)) else { continue };
        let Ok(found) = analyse(&request, &Budget::unlimited().with_nodes(200_000)) else { continue };
        let near = |square: &String| {
            let at = |text: &str| (text.as_bytes()[0] as i32, text.as_bytes()[1] as i32);
            let kings = Player::BOTH.map(|who| at(&square_name(request.board.king(who))));
            let (file, rank) = at(square);
            kings.iter().any(|king| (king.0 - file).abs() <= 1 && (king.1 - rank).abs() <= 1)
        };
        bound += usize::from(found.complex.bound.iter().any(near));
        for chunk in &found.chunks {
            let beside: Vec<&String> = chunk.pawns.iter().filter(|pawn| near(pawn)).collect();
            assert!(beside.iter().all(|pawn| chunk.touched.contains(pawn)), "{}: {chunk:?}", found.fen);
            if !chunk.touched.is_empty() {
                assert!(found.complex.zugzwang, "{}: {chunk:?}", found.fen);
                let text = found.text(None);
                assert!(text.contains("not independent of the kings"), "{text}");
                assert!(text.contains("or takes part on the"), "{text}");
                told += 1;
            }
        }
    }
    assert!(bound > 50 && told > 10, "{bound} {told}");
}

/// The same board in a mirror, from left to right.
pub(crate) fn mirrored(fen: &str) -> String {
    let (pieces, rest) = fen.split_once(' ').unwrap();
    let rows: Vec<String> = pieces.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{} {rest}", rows.join("/"))
}

/// The same board with the players exchanged.
pub(crate) fn exchanged(fen: &str) -> String {
    let (pieces, rest) = fen.split_once(' ').unwrap();
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let rows: Vec<String> = pieces.split('/').rev().map(|row| row.chars().map(swap).collect()).collect();
    format!("{} {}", rows.join("/"), if rest.starts_with('w') { "b - - 0 1" } else { "w - - 0 1" })
}

/// Which pawns are bound follows from how they stand, and not from the order in which they are looked at.
#[test]
fn bound_pawns_are_the_same_in_mirrors() {
    let mut seen = 0;
    for row in facts("chess/endgames.tsv").iter().filter(|row| row[4] == "whole") {
        let set = |fen: &str| {
            let complex = analysis(fen).complex;
            (complex.bound.into_iter().collect::<BTreeSet<String>>(), complex.zugzwang)
        };
        let (bound, zugzwang) = set(&row[2]);
        let image = |file: fn(u8) -> u8, rank: fn(u8) -> u8| {
            let move_square = |square: &String| {
                let bytes = square.as_bytes();
                [file(bytes[0]), rank(bytes[1])].map(char::from).iter().collect::<String>()
            };
            (bound.iter().map(move_square).collect::<BTreeSet<String>>(), zugzwang)
        };
        assert_eq!(set(&mirrored(&row[2])), image(|file| b'a' + b'h' - file, |rank| rank), "{}", row[0]);
        assert_eq!(set(&exchanged(&row[2])), image(|file| file, |rank| b'1' + b'8' - rank), "{}", row[0]);
        seen += 1;
    }
    assert_eq!(seen, 13);
}
