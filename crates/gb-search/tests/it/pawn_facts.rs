//! Known-right values of pawn structures, from testdata/facts/chess.

use gb_board::testing::facts;
use gb_rules::{Coding, Direct, Player, Rules};

use gb_games::games::pawns::{PawnBoard, Pawns};
use gb_search::SearchContext;
use gb_search::question::{ThreatTable, threats};
use gb_value::{Budget, Kernel, Store, Value};

use crate::threats::pawns;

/// The facts write `3.^` for three ups and `tiny` for {0|{0|off}}.
fn read_value(text: &str, kernel: &Kernel<'_>) -> Value {
    let mut plain = text.replace("tiny", "{0|{0|off}}");
    for (letter, from) in [('^', ".^"), ('v', ".v")] {
        while let Some(dot) = plain.find(from) {
            let start = plain[..dot].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |i| i + 1);
            let count = plain[start..dot].to_string();
            plain.replace_range(start..dot + from.len(), &format!("{letter}{count}"));
        }
    }
    kernel.read(&plain).unwrap_or_else(|error| panic!("{text} as {plain}: {error}"))
}

/// A file with a white and a black pawn: `gap s=3, white double step (formula 7.1)`.
fn one_file(structure: &str) -> PawnBoard {
    let gap: usize = structure.strip_prefix("gap s=").unwrap().split(',').next().unwrap().parse().unwrap();
    let (white_home, black_home) = match structure.split(", ").nth(1).unwrap() {
        "no double step" => (false, false),
        "white double step (formula 7.1)" => (true, false),
        "black double step" => (false, true),
        "both double step" => (true, true),
        other => panic!("{other}"),
    };
    let below = if white_home { 1 } else { 2 };
    let above = if black_home { 2 } else { 3 };
    let ranks = below + 1 + gap + above;
    let mut board = PawnBoard::empty(1, ranks).unwrap();
    board.put(Player::Left, 0, below);
    board.put(Player::Right, 0, below + 1 + gap);
    board
}

#[test]
fn values_of_pawn_structures() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let table = ThreatTable::new();
    let mut count = 0;
    for row in facts("chess/pawn_structures.tsv") {
        let [kind, structure, fen, outcome, value] = &row[..5] else { panic!("{row:?}") };
        let board = if kind == "onefile-unbounded" { one_file(structure) } else { Pawns.read(fen).unwrap() };
        let found = threats(&*pawns(), &table, &Direct.key(&board), &context).unwrap().value;
        assert_eq!(found, read_value(value, &kernel), "{row:?}");
        assert_eq!(kernel.outcome(found).unwrap().to_string(), *outcome, "{row:?}");
        count += 1;
    }
    assert!(count > 300, "{count}");
}

/// F. Maeser's formula 7.1, for all gaps that the board has room for.
#[test]
fn formula_of_one_file() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let table = ThreatTable::new();
    for gap in 0i64..=12 {
        let value = |what: &str| {
            let board = one_file(&format!("gap s={gap}, {what}"));
            threats(&*pawns(), &table, &Direct.key(&board), &context).unwrap().value
        };
        let ups = kernel.ups(if gap > 1 { gap - 1 } else { 0 });
        let parity = kernel.nimber((gap % 2) as u32);
        assert_eq!(value("white double step (formula 7.1)"), kernel.add(ups, parity).unwrap(), "{gap}");
        let both = kernel.nimber(if gap <= 2 { gap as u32 } else { 0 });
        assert_eq!(value("both double step"), both, "{gap}");
        assert_eq!(value("no double step"), parity, "{gap}");
    }
}

#[test]
fn values_of_published_chunks() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let table = ThreatTable::new();
    let mut count = 0;
    for row in facts("chess/endgames.tsv") {
        let [id, _, fen, _, part, value, certainty] = &row[..7] else { panic!("{row:?}") };
        if part == "whole" || certainty == "unresolved" {
            continue;
        }
        let found = threats(&*pawns(), &table, &pawns().read(fen).unwrap(), &context).unwrap().value;
        assert_eq!(found, read_value(value, &kernel), "{id}");
        count += 1;
    }
    assert!(count > 30, "{count}");
}
