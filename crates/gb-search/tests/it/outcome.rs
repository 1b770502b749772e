//! The search for outcomes against exact values, with every rule of it on and off.

use std::time::Duration;

use gb_board::Random;
use gb_rules::{Key, Sign};
use gb_search::question::ExactValue;
use gb_search::question::outcome::{Memory, Settings, Sum, winners};
use gb_search::{SearchContext, Table, search};
use gb_value::{Budget, Cancel, Halt, Store, Value};

use crate::positions::{open, open_all, played};

/// Positions to play from, large enough for several large parts after a few moves.
const STARTS: &[(&str, &str)] = &[
    ("amazons", "x..o|....|.#.."),
    ("clobber", "xoxo|oxox|xoxo"),
    ("col", "....|....|...."),
    ("cram", "....|...."),
    ("cutcake", "4x5"),
    ("domineering", ".....|.....|....."),
    ("fission", "x...|.x..|...x"),
    ("hackenbush", "0-1B,1-2R,2-3B,0-3R,1-4G,4-5B,0-6R,6-7B"),
    ("kayles", "9"),
    ("konane", "xoxo|ox.x|xoxo"),
    ("nogo", "...|...|..."),
    ("snort", "...|...|..."),
    ("toads-and-frogs", "tt..ff"),
    ("toppling-dominoes", "xoxxo"),
    ("impartial(clobber)", "xoxo|oxox"),
    ("negative(domineering)", "....|...."),
];

/// Settings with one rule of the search switched off, and with all switched off.
fn all_settings() -> Vec<Settings> {
    let all = Settings { valued_size: 4, ..Settings::default() };
    vec![
        Settings::default(),
        all.clone(),
        Settings { static_results: false, ..all.clone() },
        Settings { summands: false, ..all.clone() },
        Settings { witnesses: false, ..all.clone() },
        Settings { bands: false, ..all.clone() },
        Settings { valued_nodes: 1, ..Settings::default() },
        Settings { tried_nodes: 0, side_by_side: false, ..all.clone() },
        Settings { tried_nodes: 5_000, valued_size: 0, ..Settings::default() },
        Settings { valued_size: 0, static_results: false, summands: false, ..all },
    ]
}

#[test]
fn outcomes_are_signs_of_values() {
    let mut random = Random::new(0x5eed, 0);
    for (name, text) in STARTS {
        let (game, start) = open(name, text);
        let (store, budget) = (Store::new(), Budget::unlimited());
        let context = SearchContext::new(&store, &budget);
        let kernel = store.kernel(&budget);
        let exact = Table::new();
        // One memory for all positions, and one that forgets nearly everything.
        let mut kept: Vec<_> =
            all_settings().into_iter().map(|s| (s, Table::new(), Memory::new(1 << 22))).collect();
        kept.push((Settings::default(), Table::new(), Memory::new(0)));
        kept.push((Settings { tried_nodes: 0, ..Settings::default() }, Table::new(), Memory::new(0)));
        for round in 0..40 {
            let board = played(&*game, &start, round % 8, &mut random);
            let other = played(&*game, &start, 6, &mut random);
            let plain = Sum::of(board);
            let plus = Sum { value: kernel.ups(1 - (round % 3) as i64), ..Sum::of(board) };
            let mut two = Sum::of(board);
            two.boards.push((other, Sign::Minus));
            two.value = kernel.integer(random.below(3) as i64 - 1);
            let subtrahend = search(&*game, &ExactValue, &exact, &other, &context).unwrap();
            let versus = Sum { subtrahend, ..plus.clone() };
            for sum in [plain, plus, two, versus] {
                let mut value = kernel.sub(sum.value, sum.subtrahend).unwrap();
                for (board, sign) in &sum.boards {
                    let part = search(&*game, &ExactValue, &exact, board, &context).unwrap();
                    let part = if *sign == Sign::Plus { part } else { kernel.neg(part).unwrap() };
                    value = kernel.add(value, part).unwrap();
                }
                let expected = kernel.outcome(value).unwrap();
                for (settings, values, memory) in &mut kept {
                    let found = winners(&*game, &sum, settings, values, memory, &context);
                    assert_eq!(found.outcome(), Ok(expected.into()), "{name} {sum:?} with {settings:?}");
                }
            }
        }
    }
}

/// Sums of hot rows, whose values stay side by side, and the same with every value added at once.
#[test]
fn values_side_by_side_are_those_added() {
    let mut random = Random::new(0x5eed, 1);
    for (name, letters, length) in [
        ("toppling-dominoes", "xog", 9),
        ("elephants-and-rhinos", "x.o.", 10),
        ("toads-and-frogs", "t.f.", 8),
    ] {
        let letters: Vec<char> = letters.chars().collect();
        for _ in 0..30 {
            let row = |random: &mut Random| -> String {
                (0..length).map(|_| letters[random.below(letters.len())]).collect()
            };
            let rows: Vec<String> = (0..3).map(|_| row(&mut random)).collect();
            let (game, board) = open(name, &rows.join("|"));
            let (store, budget) = (Store::new(), Budget::unlimited());
            let context = SearchContext::new(&store, &budget);
            let outcome = |settings: Settings| {
                let (values, mut memory) = (Table::new(), Memory::new(1 << 20));
                winners(&*game, &Sum::of(board), &settings, &values, &mut memory, &context).outcome()
            };
            let plain = Settings { tried_nodes: 0, side_by_side: false, ..Settings::default() };
            let expected = outcome(plain.clone());
            assert_eq!(outcome(Settings::default()), expected, "{name} {rows:?}");
            assert_eq!(
                outcome(Settings { valued_size: 100, ..Settings::default() }),
                expected,
                "{name} {rows:?}"
            );
            let all_added = Settings { valued_size: 100, first_valued_nodes: 20_000, ..plain };
            assert_eq!(outcome(all_added), expected, "{name} {rows:?}");
        }
    }
}

/// Sums that are large enough for the value of the whole to be tried, by one thread and by two, for both who begin, and beside a value that they are
/// compared with: what adding the values of their rows says.
#[test]
fn sums_that_are_valued_after_all() {
    let mut random = Random::new(0x5eed, 3);
    let mut large = 0;
    for (name, letters, length, rows) in
        [("toppling-dominoes", "xxoog", 13, 4), ("elephants-and-rhinos", "x.o.", 20, 3)]
    {
        let letters: Vec<char> = letters.chars().collect();
        for _ in 0..12 {
            let row = |_| (0..length).map(|_| letters[random.below(letters.len())]).collect();
            let rows: Vec<String> = (0..rows).map(row).collect();
            let (game, board) = open(name, &rows.join("|"));
            let (store, budget) = (Store::new(), Budget::unlimited());
            let context = SearchContext::new(&store, &budget);
            let kernel = store.kernel(&budget);
            let mut total = Value::ZERO;
            for row in &rows {
                let row = game.read(&format!("{name} {row}")).unwrap();
                let value = search(&*game, &ExactValue, &Table::new(), &row, &context).unwrap();
                total = kernel.add(total, value).unwrap();
            }
            let mean = kernel.number(&kernel.mean(total).unwrap());
            for subtrahend in [Value::ZERO, total, mean] {
                let difference = kernel.sub(total, subtrahend).unwrap();
                let expected = kernel.outcome(difference).unwrap().to_string();
                for threads in [1, 2] {
                    let context = SearchContext::new(&store, &budget).with_threads(threads);
                    let sum = Sum { subtrahend, ..Sum::of(board) };
                    let (values, mut memory) = (Table::new(), Memory::new(1 << 24));
                    for _ in 0..2 {
                        let found =
                            winners(&*game, &sum, &Settings::default(), &values, &mut memory, &context);
                        assert_eq!(found.outcome().unwrap().to_string(), expected, "{name} {rows:?}");
                        large += usize::from(found.nodes > 2_000);
                    }
                }
            }
        }
    }
    assert!(large > 20, "{large}");
}

/// Several threads, with tables that remember all or nearly nothing, find what one does.
#[test]
fn threads_agree() {
    let positions = [
        ("clobber", "xoxoxo|oxoxox|xoxoxo"),
        ("domineering", "6x7"),
        ("nogo", "3x5"),
        ("amazons", "x..o|....|...."),
        ("col", "4x5"),
        ("toads-and-frogs", "ttt..ff.|t.t..ffft|tt.f.t.f"),
        ("fission", "..x...|......|....#.|....x."),
    ];
    let mut random = Random::new(0x5eed, 2);
    for (name, text) in positions {
        let (game, start) = open(name, text);
        for round in 0..3 {
            let board = played(&*game, &start, round % 3, &mut random);
            let (store, budget) = (Store::new(), Budget::unlimited());
            let outcome = |threads, bytes| {
                let context = SearchContext::new(&store, &budget).with_threads(threads);
                let (values, mut memory) = (Table::new(), Memory::new(bytes));
                winners(&*game, &Sum::of(board), &Settings::default(), &values, &mut memory, &context)
            };
            let one = outcome(1, 1 << 26).outcome();
            for (threads, bytes) in [(2, 1 << 26), (3, 1 << 26), (2, 1 << 18)] {
                assert_eq!(outcome(threads, bytes).outcome(), one, "{name} {}", game.show(&board));
            }
        }
    }
}

#[test]
fn sums_of_different_games() {
    let (game, keys) = open_all(&[("domineering", "..|.."), ("clobber", "xoxo"), ("amazons", "x..o")]);
    let (domineering, clobber, amazons) = (keys[0], keys[1], keys[2]);
    let (store, budget, values) = (Store::new(), Budget::unlimited(), Table::new());
    let context = SearchContext::new(&store, &budget);
    let mut memory = Memory::default();
    let settings = Settings { valued_size: 0, ..Settings::default() };
    let mut outcome = |boards: &[(Key<2>, Sign)], value: Value| {
        let sum = Sum { boards: boards.to_vec(), value, subtrahend: Value::ZERO };
        winners(&*game, &sum, &settings, &values, &mut memory, &context).outcome().unwrap().to_string()
    };
    let (plus, minus) = (Sign::Plus, Sign::Minus);
    let star = Value::STAR;
    // {1|-1} + {*,^|*,v} and the like: whatever is negated cancels.
    let all = [domineering, clobber, amazons].map(|board| (board, plus));
    let mut nothing = all.to_vec();
    nothing.extend(all.map(|(board, _)| (board, minus)));
    assert_eq!(outcome(&nothing, Value::ZERO), "P");
    assert_eq!(outcome(&nothing, star), "N");
    assert_eq!(outcome(&nothing, Value::UP), "L");
    assert_eq!(outcome(&[(domineering, plus)], Value::ONE), "N");
    assert_eq!(outcome(&[(clobber, plus)], Value::ONE), "L");
    assert_eq!(outcome(&[(amazons, plus)], Value::ZERO), "N");
    assert_eq!(game.show(&game.read("clobber xo").unwrap()), "clobber xo");
    assert!(game.read("chess e4").unwrap_err().to_string().contains("`chess` is none of the games"));
}

#[test]
fn running_out_is_an_ordinary_answer() {
    let (game, board) = open("domineering", "8x8");
    let store = Store::new();
    for threads in [1, 2] {
        let run = |budget: Budget| {
            let values = Table::new();
            let context = SearchContext::new(&store, &budget).with_threads(threads);
            let sum = Sum::of(board);
            winners(&*game, &sum, &Settings::default(), &values, &mut Memory::new(1 << 24), &context)
        };
        assert_eq!(run(Budget::unlimited().with_nodes(100)).outcome(), Err(Halt::Nodes));
        assert_eq!(run(Budget::unlimited().with_nodes(10_000)).outcome(), Err(Halt::Nodes));
        assert_eq!(run(Budget::unlimited().with_time(Duration::from_millis(20))).outcome(), Err(Halt::Time));
        assert_eq!(run(Budget::unlimited().with_bytes(1 << 10)).outcome(), Err(Halt::Bytes));
        let cancel = Cancel::default();
        cancel.cancel();
        assert_eq!(run(Budget::unlimited().with_cancel(cancel)).outcome(), Err(Halt::Cancelled));
    }
}

/// Neither the table nor values make a search give up that has too little memory to keep all it finds.
#[test]
fn little_memory_is_enough() {
    // Other tests, which run at the same time, hold memory of their own.
    let _entered = gb_memory::Account::open().enter();
    // The value of the rows together is dear, and tried all the same.
    let rows = "goxxxxxxxxooxg|xxxooxooxxoxoo|ggxgoxoooooxoo|xxoxooxgooogxo";
    for (name, text, expected) in [
        ("clobber", "4x5", "N"),
        ("domineering", "6x7", "L"),
        ("nogo", "4x4", "P"),
        ("toppling-dominoes", rows, "N"),
    ] {
        let (game, board) = open(name, text);
        for threads in [1, 2] {
            let (store, values) = (Store::new(), Table::new());
            let budget = Budget::unlimited().with_bytes(6 << 20);
            let context = SearchContext::new(&store, &budget).with_threads(threads);
            let mut memory = gb_search::memory_for(&budget);
            let found =
                winners(&*game, &Sum::of(board), &Settings::default(), &values, &mut memory, &context);
            assert_eq!(found.outcome().map(|o| o.to_string()), Ok(expected.into()), "{name} {threads}");
            assert!(memory.bytes() + store.bytes() + values.bytes() <= 6 << 20);
        }
    }
}

#[test]
fn what_was_found_stays_known() {
    let (game, board) = open("clobber", "3x4");
    let (store, budget, values) = (Store::new(), Budget::unlimited(), Table::new());
    let context = SearchContext::new(&store, &budget);
    let mut memory = Memory::default();
    let mut run = || winners(&*game, &Sum::of(board), &Settings::default(), &values, &mut memory, &context);
    let first = run();
    let again = run();
    assert!(first.nodes > 10 && again.nodes == 0, "{} {}", first.nodes, again.nodes);
    assert_eq!(first.outcome().unwrap().to_string(), "P");
    assert_eq!(first.outcome(), again.outcome());
}
