//! Games with loops over a store against the same games as plain graphs, whose parts are checked against the definitions in
//! `loopy_laws.rs`.

use std::cmp::Ordering;

use gb_value::loopy::{LoopyError, LoopyGame, NAMES, Sides, Stopper};
use gb_value::stoppers::{Equations, LoopyValue, Opt, SidedId, StopperId, Stoppers};
use gb_value::text::Style;
use gb_value::{Budget, Halt, Kernel, Store, Value};
use proptest::prelude::*;

use crate::loopy_laws::{any_game, naive_ge, stopper, working};

/// A stopper written out and made canonical by the plain way.
fn plain(games: &Stoppers<'_, '_>, id: StopperId) -> Stopper {
    let graph = games.export_graph(id, 100_000).expect("small");
    working(|w| graph.canonical(w))
}

fn same(games: &Stoppers<'_, '_>, found: SidedId, expected: &Sides) -> bool {
    plain(games, found.onside) == *expected.onside() && plain(games, found.offside) == *expected.offside()
}

fn with<T>(f: impl FnOnce(&Kernel<'_>, &mut Stoppers<'_, '_>) -> T) -> T {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    f(&kernel, &mut Stoppers::new(&kernel))
}

fn text(kernel: &Kernel<'_>, games: &Stoppers<'_, '_>, id: SidedId) -> String {
    games.export(id).expect("no limits").show(kernel, &Style::default()).text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn canonical_forms_are_those_of_plain_graphs(g in stopper(), h in stopper()) {
        with(|_, games| {
            let (a, b) = (games.import_graph(&g).unwrap(), games.import_graph(&h).unwrap());
            let sides = working(|w| Ok(g.canonical(w)?.into()));
            prop_assert!(same(games, a, &sides));
            // Names are equal exactly if the games are, and the order is that of the definition.
            prop_assert_eq!(a == b, naive_ge(&g, &h) && naive_ge(&h, &g));
            let (x, y) = (a.as_stopper().unwrap(), b.as_stopper().unwrap());
            prop_assert_eq!(games.ge(x, y).unwrap(), naive_ge(&g, &h));
            prop_assert_eq!(games.outcome(a).unwrap(), g.outcome().class());
            // There and back again, also for others over the same store.
            let form = games.export(a).unwrap();
            prop_assert_eq!(games.import(&form).unwrap(), a);
            let mut others = Stoppers::new(games.kernel());
            let other = others.import(&form).unwrap();
            prop_assert!(same(&others, other, &sides));
            let minus = games.neg_sides(a).unwrap();
            prop_assert_eq!(games.import_graph(&g.negate()).unwrap(), minus);
            Ok(())
        })?;
    }

    #[test]
    fn sums_are_those_of_plain_graphs(g in stopper(), h in stopper()) {
        with(|_, games| {
            let (a, b) = (games.import_graph(&g).unwrap(), games.import_graph(&h).unwrap());
            let graph = working(|w| g.plus(&h, w));
            let expected = working(|w| match graph.sides(w) {
                Err(LoopyError::NoSides { .. }) => Ok(None),
                sides => sides.map(Some),
            });
            match (games.plus(a, b), expected) {
                (Ok(sum), Some(expected)) => {
                    prop_assert!(same(games, sum, &expected));
                    prop_assert_eq!(games.outcome(sum).unwrap(), graph.outcome().class());
                }
                (Err(LoopyError::NoSides { .. }), _) | (Ok(_), None) => {}
                (Err(other), _) => prop_assert!(false, "{other}"),
            }
            Ok(())
        })?;
    }

    /// Sides of games that are no stoppers, and who wins them.
    #[test]
    fn sides_are_those_of_plain_graphs(g in any_game()) {
        with(|_, games| {
            let expected = working(|w| match g.sides(w) {
                Err(LoopyError::NoSides { .. }) => Ok(None),
                sides => sides.map(Some),
            });
            match (games.import_graph(&g), expected) {
                (Ok(found), Some(expected)) => {
                    prop_assert!(same(games, found, &expected));
                    prop_assert_eq!(games.outcome(found).unwrap(), g.outcome().class());
                }
                (Ok(_), None) | (Err(LoopyError::NoSides { .. }), None) => {}
                (Err(LoopyError::NoSides { .. }), Some(expected)) => {
                    prop_assert!(false, "no sides, but there are: {expected:?}");
                }
                (Err(other), _) => prop_assert!(false, "{other}"),
            }
            Ok(())
        })?;
    }

    /// Adding a number at the leaves is adding it.
    #[test]
    fn numbers_are_added_at_the_leaves(g in stopper(), eighths in -20i64..20) {
        with(|kernel, games| {
            let a = games.import_graph(&g).unwrap();
            let number = kernel.number(&gb_value::Dyadic::from(eighths).checked_shift(-3).unwrap());
            let sum = games.plus(a, number.into()).unwrap();
            let x = kernel.to_loopy(number, 1000).unwrap();
            let expected = working(|w| g.plus(&x, w)?.canonical(w));
            prop_assert!(same(games, sum, &expected.into()));
            Ok(())
        })?;
    }
}

#[test]
fn named_games() {
    with(|kernel, games| {
        for name in NAMES {
            let graph = LoopyGame::named(name).unwrap();
            let id = games.import_graph(&graph).unwrap();
            assert!(same(games, id, &working(|w| graph.sides(w))), "{name}");
        }
        let mut show = |name: &str| {
            let id = games.import_graph(&LoopyGame::named(name).unwrap()).unwrap();
            text(kernel, games, id)
        };
        for name in ["on", "off", "dud", "over", "under", "upon", "upon*"] {
            assert_eq!(show(name), name);
        }
        assert_eq!(show("tis"), "1 & 0");
        assert_eq!(show("hi"), "{on|0}");
    });
}

/// A number, however large, costs nothing beside a loop.
#[test]
fn large_numbers_are_not_played_through() {
    let (store, budget) = (Store::new(), Budget::unlimited().with_nodes(1000));
    let kernel = store.kernel(&budget);
    let mut games = Stoppers::new(&kernel);
    let over = games.import_graph(&LoopyGame::over()).unwrap();
    let large = kernel.integer(1 << 40);
    let sum = games.plus(over, large.into()).unwrap();
    assert_eq!(text(&kernel, &games, sum), "1099511627776+over");
    assert_eq!(games.compare(sum, large.into()).unwrap(), Some(Ordering::Greater));
    let more =
        kernel.add(large, kernel.number(&gb_value::Dyadic::from(1).checked_shift(-30).unwrap())).unwrap();
    assert_eq!(games.compare(sum, more.into()).unwrap(), Some(Ordering::Less));
    let tis = games.import_graph(&LoopyGame::tis()).unwrap();
    let sum = games.plus(tis, kernel.nimber(60_000).into()).unwrap();
    assert_eq!(text(&kernel, &games, sum), "1*60000 & *60000");
}

/// Work on loops asks the budget: a limit ends it, and the games stay as sound as before.
#[test]
fn budgets_are_obeyed() {
    let store = Store::new();
    let all = Budget::unlimited();
    let kernel = store.kernel(&all);
    let ups = kernel.ups(400);
    let budget = Budget::unlimited().with_bytes(store.bytes() + (1 << 16));
    let kernel = store.kernel(&budget);
    let mut games = Stoppers::new(&kernel);
    // A graph of a hundred thousand positions in a ring, which Right goes round.
    let mut graph = Equations::default();
    for i in 0..100_000 {
        graph.push(&[Opt::of(Value::ZERO)], &[Opt::Node((i + 1) % 100_000)]);
    }
    assert_eq!(games.solve(&graph).unwrap_err(), LoopyError::Halt(Halt::Bytes));
    let cancel = gb_value::Cancel::default();
    let budget = Budget::unlimited().with_cancel(cancel.clone());
    let kernel = store.kernel(&budget);
    let mut games = Stoppers::new(&kernel);
    let upon: LoopyValue =
        games.import_graph(&LoopyGame::upon()).and_then(|upon| games.export(upon)).unwrap();
    cancel.cancel();
    let upon = games.import(&upon).unwrap();
    assert_eq!(games.plus(upon, ups.into()).unwrap_err(), LoopyError::Halt(Halt::Cancelled));
}

/// `over` and a number, with any infinitesimal, is the same without it.
#[test]
fn over_and_under_absorb_infinitesimals() {
    with(|kernel, games| {
        let mut graph = Equations::default();
        graph.push(&[Opt::of(Value::ZERO)], &[Opt::Node(0)]);
        let over = games.solve(&graph).unwrap()[0];
        let under = games.neg_sides(over).unwrap();
        let read = |text: &str| kernel.read(text).unwrap();
        let mut small: Vec<Value> =
            ["Tiny(2)", "Miny(1)", "{0||0|-2}", "^[2]", "^<2>", "{^|v*}", "{0||||0|||0|-1||-2}"]
                .map(read)
                .into();
        for ups in -3..=3 {
            for star in 0..4 {
                small.push(kernel.add(kernel.ups(ups), kernel.nimber(star)).unwrap());
            }
        }
        for number in ["0", "1/2", "-3"].map(read) {
            for game in [over, under] {
                let beside = games.plus(game, number.into()).unwrap();
                let plain = games.export_graph(beside.as_stopper().unwrap(), 1_000).unwrap();
                for &small in &small {
                    let sum = games.plus(beside, small.into()).unwrap();
                    assert_eq!(sum, beside);
                    // The same, played through move by move.
                    let small = games.export_graph(small.into(), 1_000).unwrap();
                    let sides = working(|w| plain.plus(&small, w)?.sides(w));
                    assert!(same(games, sum, &sides));
                }
                // With what is hot, or has no end, nothing is absorbed.
                let hot = games.plus(beside, read("{1|-1}").into()).unwrap();
                let hot_graph = games.export_graph(read("{1|-1}").into(), 1_000).unwrap();
                let sides = working(|w| plain.plus(&hot_graph, w)?.sides(w));
                assert!(same(games, hot, &sides));
            }
        }
        let huge = kernel.nimber(1_000_000_000);
        assert_eq!(games.plus(over, huge.into()).unwrap(), over);
        let ups = games.plus(read("^1000000000").into(), under).unwrap();
        assert_eq!(ups, under);
    });
}
