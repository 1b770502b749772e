//! Known outcomes, from testdata/facts.

use std::fs;
use std::path::Path;

use gb_board::testing::table;
use gb_games::games::{clobber::Clobber, domineering::Domineering};
use gb_rules::{Game, Player, direct};
use gb_search::question::outcome::{Memory, Settings, Sum, winner, winners};
use gb_search::{SearchContext, Table};
use gb_value::{Budget, Store};

use crate::positions::open;

/// The outcome, found with a fresh memory.
fn outcome(name: &str, position: &str) -> String {
    let (game, board) = open(name, position);
    let (store, budget, values) = (Store::new(), Budget::unlimited(), Table::new());
    let context = SearchContext::new(&store, &budget);
    let sum = Sum::of(board);
    let found = winners(&*game, &sum, &Settings::default(), &values, &mut Memory::new(1 << 24), &context);
    found.outcome().unwrap().to_string()
}

#[test]
fn outcomes_of_valued_positions() {
    let mut count = 0;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/games");
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name == "regio_heuristic.tsv" {
            // Estimates at a limited depth say nothing about the outcome.
            continue;
        }
        let rows = table(&format!("games/{name}"));
        let Some(column) = rows[0].iter().position(|title| title == "outcome") else { continue };
        for row in &rows[1..] {
            if !gb_games::NAMES.contains(&row[0].split('(').next().unwrap()) {
                continue;
            }
            assert_eq!(outcome(&row[0], &row[1]), row[column], "{} {}", row[0], row[1]);
            count += 1;
        }
    }
    assert!(count > 700, "only {count} facts were found");
}

#[test]
fn published_outcomes() {
    for n in 2..=7 {
        let expected = if n % 3 == 0 { "P" } else { "N" };
        assert_eq!(outcome("clobber", &format!("2x{n}")), expected, "2x{n}");
    }
    for (size, expected) in [("3x3", "N"), ("3x4", "P"), ("3x5", "N"), ("4x4", "N")] {
        assert_eq!(outcome("clobber", size), expected, "{size}");
    }
    for n in 1..=8 {
        let expected = if n == 3 { "P" } else { "N" };
        assert_eq!(outcome("clobber", &"xo".repeat(n)), expected, "(xo)^{n}");
        assert_eq!(outcome("clobber", &"xxo".repeat(n)), "L", "(xxo)^{n}");
    }
    for n in 1..=12 {
        let expected = if n == 1 || n == 4 { "P" } else { "N" };
        assert_eq!(outcome("nogo", &format!("1x{n}")), expected, "1x{n}");
    }
    for (n, expected) in (2..).zip(["N", "P", "P", "N", "N"]) {
        assert_eq!(outcome("nogo", &format!("2x{n}")), expected, "2x{n}");
    }
    assert_eq!(outcome("nogo", "3x3"), "N");
    assert_eq!(outcome("nogo", "3x4"), "P");
    for (rows, cols) in [(2, 4), (4, 4), (2, 6)] {
        assert_eq!(outcome("cram", &format!("{rows}x{cols}")), "P", "{rows}x{cols}");
    }
}

#[test]
fn domineering_as_obsequi_has_it() {
    let mut count = 0;
    for row in &table("outcomes/domineering.tsv")[1..] {
        let (rows, cols): (usize, usize) = (row[1].parse().unwrap(), row[2].parse().unwrap());
        if rows * cols > 42 {
            continue;
        }
        let game: Game<2> = direct(Domineering::<u64>::default());
        let board = game.start(gb_board::Size::Grid(rows, cols)).unwrap();
        let (store, budget, values) = (Store::new(), Budget::unlimited(), Table::new());
        let context = SearchContext::new(&store, &budget);
        let mut memory = Memory::new(1 << 24);
        for (first, column) in [(Player::Left, 4), (Player::Right, 7)] {
            let sum = Sum::of(board);
            let (found, _) =
                winner(&*game, &sum, first, &Settings::default(), &values, &mut memory, &context);
            let expected = if row[column] == "V" { Player::Left } else { Player::Right };
            assert_eq!(found, Ok(expected), "{rows}x{cols}, {first} begins");
        }
        count += 1;
    }
    assert!(count > 15, "only {count} boards were found");
}

#[test]
fn clobber_4x5_in_a_small_memory() {
    let game: Game<3> = direct(Clobber::<u64>::default());
    let board = game.start(gb_board::Size::Grid(4, 5)).unwrap();
    let (store, budget, values) = (Store::new(), Budget::unlimited(), Table::new());
    let context = SearchContext::new(&store, &budget);
    let mut memory = Memory::new(1 << 19);
    let found = winners(&*game, &Sum::of(board), &Settings::default(), &values, &mut memory, &context);
    assert_eq!(found.outcome().unwrap().to_string(), "N");
    assert!(memory.bytes() <= 1 << 19);
}
