//! The shorter ways to a value, each alone, against the search of everything.

use std::time::Duration;

use gb_rules::{Game, direct};
use gb_value::{Cancel, Store};

use super::*;
use crate::table::Table;

#[path = "../../../tests/it/positions.rs"]
mod positions;

const STARTS: &[(&str, &str)] = &[
    ("amazons", "x..o|....|.#.."),
    ("blockbusting", "......"),
    ("clobber", "xoxo|oxox|xoxo"),
    ("col", "....|....|...."),
    ("domineering", ".....|.....|.....|....."),
    ("domineering", ".....|.##..|.....|...#."),
    ("fission", "x...|.x..|...x"),
    ("hackenbush", "0-1B,1-2R,2-3B,0-3R,1-4G,4-5B,0-6R,6-7B"),
    ("konane", "xoxo|ox.x|xoxo"),
    ("nogo", "...|...|..."),
    ("snort", "...|...|..."),
    ("toads-and-frogs", "tt..ff"),
    ("toppling-dominoes", "xoxxoxo"),
    ("negative(domineering)", "....|...."),
];

/// What one way did on some positions.
#[derive(Default)]
struct Tally {
    comparisons: u64,
    successes: u64,
    guessed: u64,
    not_guessed: u64,
}

impl Tally {
    fn count(&mut self, name: &str, text: &str) {
        let mut random = gb_board::Random::new(0x5eed, 0);
        let (game, start) = positions::open(name, text);
        let game = &*game;
        let (store, budget) = (Store::new(), Budget::unlimited());
        let plain = Table::new();
        let [shared, pruned] = [(); 2].map(|()| Table::new());
        for i in 0..12 {
            let board = &positions::played(game, &start, i / 4, &mut random);
            let context = SearchContext::new(&store, &budget).with_threads(1 + i % 2);
            let name = game.show(board);
            let expected = search(game, &ExactValue, &plain, board, &context).unwrap();
            assert_eq!(exact_value(game, &shared, board, &context), Ok(expected), "{name}");
            let mut pieces = vec![];
            game.pieces(board, &mut pieces);
            for Piece { key: part, .. } in pieces {
                let expected = search(game, &ExactValue, &plain, &part, &context).unwrap();
                let pruning = DominancePruning::new(game, &pruned, 2 * (i % 4), &context);
                assert_eq!(pruning.part(&part, &context), Ok(expected), "pruning: {name}");
                let (comparisons, successes) = pruning.counts();
                self.comparisons += comparisons;
                self.successes += successes;
                let comparer = Comparer::new(game, &shared, 6, &context);
                match guess(game, &comparer, &part, &context).unwrap() {
                    Some(value) => {
                        assert_eq!(value, expected, "guess: {name}");
                        self.guessed += 1;
                    }
                    None => {
                        // Zero and small integers are always found.
                        let kernel = store.kernel(&budget);
                        assert!(!kernel.is_number(expected), "not guessed: {name}");
                        self.not_guessed += 1;
                    }
                }
            }
        }
    }
}

#[test]
fn every_way_finds_the_value() {
    let mut tally = Tally::default();
    for (game, text) in STARTS {
        tally.count(game, text);
    }
    let Tally { comparisons, successes, guessed, not_guessed } = tally;
    assert!(successes > 500 && comparisons - successes > 100, "{comparisons} {successes}");
    assert!(guessed > 30 && not_guessed > 30, "{guessed} {not_guessed}");
}

/// Who is interrupted again and again gets there all the same.
#[test]
fn interrupted_searches_go_on() {
    let game: Game<2> = direct(gb_games::games::domineering::Domineering::<u64>::default());
    let at = game.start(gb_board::Size::Grid(4, 5)).unwrap();
    let (store, values, whole) = (Store::new(), Table::new(), Budget::unlimited());
    let pruning = DominancePruning::new(&*game, &values, 6, &SearchContext::new(&store, &whole));
    let (part, sign) = game.normalise(&at);
    let mut interruptions = 0;
    let value = loop {
        let budget = whole.part(300 + 50 * interruptions);
        match pruning.part(&part, &SearchContext::new(&store, &budget)) {
            Err(Halt::Nodes) => interruptions += 1,
            found => break found.unwrap(),
        }
    };
    assert!(interruptions > 1);
    let kernel = store.kernel(&whole);
    let value = if sign == Sign::Plus { value } else { kernel.neg(value).unwrap() };
    assert_eq!(value, kernel.integer(1));
    // Without anything that was known before.
    let cancel = Cancel::default();
    cancel.cancel();
    for (budget, stop) in [
        (Budget::unlimited().with_nodes(4_000), Halt::Nodes),
        (Budget::unlimited().with_time(Duration::ZERO), Halt::Time),
        (Budget::unlimited().with_bytes(1_000), Halt::Bytes),
        (Budget::unlimited().with_cancel(cancel), Halt::Cancelled),
    ] {
        let (store, values) = (Store::new(), Table::new());
        let large = game.start(gb_board::Size::Grid(7, 8)).unwrap();
        let context = SearchContext::new(&store, &budget).with_threads(2);
        assert_eq!(exact_value(&*game, &values, &large, &context), Err(stop));
    }
}
