//! Integer bounds against exact values.

use std::time::Duration;

use gb_board::Random;
use gb_search::question::outcome::{Memory, Settings};
use gb_search::question::{ExactValue, bounds};
use gb_search::{SearchContext, Table, search};
use gb_value::{Budget, Store};

use crate::positions::{open, played};

#[test]
fn the_best_bounds_are_found() {
    let mut random = Random::new(0xb0d, 0);
    for (name, text) in [
        ("domineering", ".....|.....|....."),
        ("amazons", "x..o|....|..#."),
        ("clobber", "xoxo|oxox"),
        ("snort", "....|...."),
        ("hackenbush", "0-1B,1-2B,2-3B,0-3B,1-4G,4-5B,0-6R,6-7B"),
    ] {
        let (game, start) = open(name, text);
        let (store, budget) = (Store::new(), Budget::unlimited());
        let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
        let (exact, values) = (Table::new(), Table::new());
        let mut memory = Memory::new(1 << 22);
        let settings = Settings { valued_size: 4, ..Settings::default() };
        for round in 0..15 {
            let board = played(&*game, &start, round % 6, &mut random);
            let value = search(&*game, &ExactValue, &exact, &board, &context).unwrap();
            let found = bounds(&*game, &board, &settings, &values, &mut memory, &context);
            let (low, high) = (found.low.unwrap(), found.high.unwrap());
            let le = |a, b| kernel.le(a, b).unwrap();
            assert!(found.best, "{name} {board:?}: {found:?}");
            assert!(
                le(kernel.integer(low), value) && le(value, kernel.integer(high)),
                "{name} {board:?}: {found:?}"
            );
            assert!(!le(kernel.integer(low + 1), value), "{name} {board:?}: {found:?}");
            assert!(!le(value, kernel.integer(high - 1)), "{name} {board:?}: {found:?}");
        }
    }
}

#[test]
fn bounds_within_a_budget() {
    let (game, board) = open("domineering", "8x8");
    let (store, budget) = (Store::new(), Budget::unlimited().with_time(Duration::from_millis(200)));
    let (context, values) = (SearchContext::new(&store, &budget), Table::new());
    let found = bounds(&*game, &board, &Settings::default(), &values, &mut Memory::new(1 << 24), &context);
    let (low, high) = (found.low.unwrap(), found.high.unwrap());
    assert!(low <= 0 && 0 <= high && !found.best, "{found:?}");
}
