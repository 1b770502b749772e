//! Statistics of tables: as somebody counts them who has all values in memory.

use std::collections::{BTreeMap, BTreeSet};

use gb_db::{Count, Less, Looked, Scope, Settings, Stats, Table, stats};
use gb_value::text::Style;
use gb_value::{Budget, Dyadic, Kernel, Kind, Outcome, Store};

use crate::{build, build_with, game};

/// How many boards, how many distinct facts, and the place of the first board.
type Tally = (u64, u64, u64);

fn add<K: Ord>(tallies: &mut BTreeMap<K, Tally>, key: K, (boards, distinct, place): Tally) {
    let tally = tallies.entry(key).or_insert((0, 0, place));
    *tally = (tally.0 + boards, tally.1 + distinct, tally.2.min(place));
}

/// The same by the definitions: every value in one store, and its kind and its thermograph from its canonical form.
fn naive(table: &Table, name: &str, kernel: &Kernel<'_>) -> Stats {
    let game = game(name);
    let mut facts: BTreeMap<u64, Tally> = BTreeMap::new();
    let mut cells: BTreeMap<usize, Tally> = BTreeMap::new();
    for place in 0..table.boards() {
        add(&mut facts, table.number(place).unwrap(), (1, 0, place));
        if !matches!(table.scope(), Scope::Boards(..)) {
            let filled = table.board(place).unwrap().cells.iter().filter(|&&code| code != 0).count();
            add(&mut cells, filled, (1, 1, place));
        }
    }
    let mut outcomes: BTreeMap<&str, Tally> = BTreeMap::new();
    let (mut kinds, mut small): (BTreeMap<String, Tally>, BTreeMap<&str, Tally>) = Default::default();
    let (mut named, mut temperatures) =
        (BTreeMap::<(usize, String), Tally>::new(), BTreeMap::<Dyadic, Tally>::new());
    let mut exact = (0, 0);
    let mut frequent = vec![];
    for (&number, &(boards, _, place)) in &facts {
        let (fact, tally) = (table.fact(number, kernel).unwrap(), (boards, 1, place));
        let outcome = match fact.outcome(kernel).unwrap() {
            Outcome::L => "Left wins",
            Outcome::R => "Right wins",
            Outcome::N => "the first player wins",
            Outcome::P => "the second player wins",
        };
        add(&mut outcomes, outcome, tally);
        add(&mut temperatures, fact.thermograph(kernel).unwrap().temperature(), tally);
        let Some(value) = fact.value() else {
            frequent.push(("(value not known)".into(), tally));
            continue;
        };
        exact = (exact.0 + boards, exact.1 + 1);
        let (kind, text) = (kernel.kind(value).unwrap(), kernel.show(value, &Style::default()).unwrap().text);
        add(&mut kinds, kind.to_string(), tally);
        if kernel.is_all_small(value) {
            add(&mut small, "all-small", tally);
        }
        if kernel.is_infinitesimal(value) {
            add(&mut small, "infinitesimal", tally);
        }
        let kinds = [Kind::Nimber, Kind::UpStar, Kind::Tiny, Kind::Miny];
        if let Some(section) = kinds.iter().position(|&other| other == kind) {
            add(&mut named, (section, text.clone()), tally);
        }
        frequent.push((text, tally));
    }
    frequent.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.0));
    let count = |name: String, (boards, distinct, place): Tally| {
        let example = game.show(&table.board(place).unwrap());
        Count { name, boards, distinct, example }
    };
    let mut kinds: Vec<Count> = kinds.into_iter().map(|(name, tally)| count(name, tally)).collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.boards));
    Stats {
        boards: table.boards(),
        exact: exact.0,
        distinct: exact.1,
        outcomes: outcomes.into_iter().map(|(name, tally)| count(name.into(), tally)).collect(),
        kinds,
        small: small.into_iter().map(|(name, tally)| count(name.into(), tally)).collect(),
        named: named.into_iter().map(|((_, name), tally)| count(name, tally)).collect(),
        temperatures: temperatures
            .into_iter()
            .rev()
            .take(20)
            .map(|(temperature, tally)| count(temperature.to_string(), tally))
            .collect(),
        frequent: frequent.into_iter().take(20).map(|(name, tally)| count(name, tally)).collect(),
        cells: cells.into_iter().map(|(size, tally)| count(size.to_string(), tally)).collect(),
    }
}

/// Tables of all kinds, of games with hot values, uptimals, tinies and hardly anything but numbers; with memory for all boards at once and for some.
#[test]
fn statistics_are_those_of_values_in_memory() {
    let less = |max_values| Settings { max_values, ..Settings::default() };
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    for (name, scope, settings) in [
        ("clobber", Scope::Within(3, 4), Settings::default()),
        ("clobber", Scope::Within(2, 6), Settings::default()),
        ("clobber", Scope::Less(3, 3, Less::AtomicWeight), Settings::default()),
        ("clobber", Scope::Boards(3, 3), less(100)),
        ("clobber", Scope::Boards(1, 12), Settings::default()),
        ("domineering", Scope::Parts(11), Settings::default()),
        ("domineering", Scope::Boards(3, 4), Settings::default()),
        ("domineering", Scope::Parts(8), less(30)),
        ("amazons", Scope::Boards(2, 3), Settings::default()),
        ("snort", Scope::Boards(2, 3), Settings::default()),
        ("col", Scope::Boards(2, 3), Settings::default()),
        ("nogo", Scope::Boards(2, 3), Settings::default()),
        ("cram", Scope::Boards(3, 4), Settings::default()),
        ("konane", Scope::Boards(2, 5), Settings::default()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = build_with(name, scope, folder.path(), &settings).unwrap().path;
        let (table, store, budget) = (Table::open(&path).unwrap(), Store::new(), Budget::unlimited());
        let expected = naive(&table, name, &store.kernel(&budget));
        kinds.extend(expected.kinds.iter().map(|kind| kind.name.clone()));
        // Nothing is known from before.
        let (table, store) = (Table::open(&path).unwrap(), Store::new());
        let found = stats(&table, &game(name), &store.kernel(&budget), &|_| {}).unwrap();
        assert_eq!(found, expected, "{name} {scope}");
    }
    for kind in ["uptimal", "tiny", "miny", "all-small", "switch", "hot", "number plus infinitesimal"] {
        assert!(kinds.contains(kind), "{kind} is not among {kinds:?}");
    }
}

#[test]
fn it_is_said_how_far_the_work_is_and_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let path = build("clobber", Scope::Boards(3, 4), folder.path());
    let (store, budget) = (Store::new(), Budget::unlimited());
    let reports = std::cell::RefCell::new(vec![]);
    let report = |looked: Looked| reports.borrow_mut().push(looked);
    let table = Table::open(&path).unwrap();
    stats(&table, &game("clobber"), &store.kernel(&budget), &report).unwrap();
    let reports = reports.into_inner();
    let total = table.boards() + table.facts() as u64;
    assert!(reports.len() > 5 && reports.iter().all(|looked| looked.total == total && looked.done <= total));
    assert!(reports.is_sorted_by_key(|looked| looked.done));

    let little = Budget::unlimited().with_bytes(1000);
    let error = stats(&table, &game("clobber"), &store.kernel(&little), &|_| {}).unwrap_err();
    assert!(error.to_string().contains("--memory allows 1 kB"), "{error}");
    let cancelled = Budget::unlimited();
    cancelled.cancel().cancel();
    let error = stats(&table, &game("clobber"), &store.kernel(&cancelled), &|_| {}).unwrap_err();
    assert!(error.is_limit(), "{error}");
}
