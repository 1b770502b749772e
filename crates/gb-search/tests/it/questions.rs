//! Every question agrees with every other on the same positions.

use std::fs;

use gb_rules::conformance::boards_below;
use gb_rules::{Game, with_game};
use gb_search::question::outcome::{Memory, Settings, Sum, winners};
use gb_search::question::{ExactValue, thermograph};
use gb_search::{AnySolved, GameTables, SearchContext, Table, search};
use gb_value::{Budget, Store};

/// How long the canonical form of a position may be for it to be asked here.
const LONGEST_VALUE: usize = 400;

struct AskAll<'a>(&'a str);

impl AskAll<'_> {
    fn visit<const N: usize>(self, rules: Game<N>) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let (tables, plain) = (GameTables::default(), Table::new());
        let at = rules.read(self.0).unwrap();
        let alone = SearchContext::new(&store, &budget);
        let two = SearchContext::new(&store, &budget).with_threads(2);
        let value = tables.value(&*rules, &at, &alone).unwrap();
        let name = format!("{} {}", rules.info().name, self.0);
        assert_eq!(search(&*rules, &ExactValue, &plain, &at, &two), Ok(value), "two threads: {name}");
        let kernel = store.kernel(&budget);
        let graph = thermograph(&*rules, &at, &alone).unwrap();
        assert_eq!(graph, kernel.thermograph(value).unwrap(), "thermograph: {name}");
        let mut memory = Memory::new(1 << 20);
        let found = winners(&*rules, &Sum::of(at), &Settings::default(), &plain, &mut memory, &alone);
        assert_eq!(found.outcome().unwrap(), kernel.outcome(value).unwrap().into(), "outcome: {name}");
        if let (Some(low), Some(high)) = rules.bounds(&rules.read(self.0).unwrap()) {
            assert!(kernel.le(kernel.integer(low), value).unwrap(), "lower bound: {name}");
            assert!(kernel.le(value, kernel.integer(high)).unwrap(), "upper bound: {name}");
        }
    }
}

/// What is known is right, before and after a search, and after it everything asked for is known.
#[test]
fn known_values_are_those_of_a_search() {
    let mut known_before = 0;
    for (name, start) in [
        ("domineering", "....|....|...."),
        ("clobber", "xoxo|oxox"),
        ("snort", "...|..."),
        ("nogo", "...|..."),
    ] {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let context = SearchContext::new(&store, &budget);
        let solved = AnySolved::from(gb_games::open(name, start).unwrap());
        let fresh = || AnySolved::from(gb_games::open(name, start).unwrap());
        let boards: Vec<String> = with_game!(gb_games::open(name, start).unwrap(), game => {
            let boards = boards_below(&*game, &[game.read(start).unwrap()], 300);
            boards.iter().map(|board| game.show(board)).collect()
        });
        for text in boards {
            let key = *solved.game().read(&text).unwrap().key();
            let value = fresh().value(&key, &context).unwrap();
            if let Some(known) = solved.known_value(&key, &context).unwrap() {
                assert_eq!(known, value, "before: {name} {text}");
                known_before += 1;
            }
            assert_eq!(solved.value(&key, &context), Ok(value), "{name} {text}");
            assert_eq!(solved.known_value(&key, &context), Ok(Some(value)), "after: {name} {text}");
        }
    }
    assert!(known_before > 100, "{known_before}");
}

#[test]
fn questions_agree_on_all_known_positions() {
    let folder = format!("{}/../../testdata/facts/games", env!("CARGO_MANIFEST_DIR"));
    let mut asked = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if stem == "winning_moves" || stem.starts_with("regio") {
            continue;
        }
        for (line, row) in fs::read_to_string(&path).unwrap().lines().skip(1).enumerate() {
            let cells: Vec<&str> = row.split('\t').collect();
            // A third of the rows, and no giants: the facts themselves are tested elsewhere.
            if line % 3 == 0 && cells[2].len() <= LONGEST_VALUE {
                with_game!(gb_games::open(cells[0], cells[1]).unwrap(), game => AskAll(cells[1]).visit(game));
                asked += 1;
            }
        }
    }
    assert!(asked > 200, "{asked}");
}
