//! Laws that hold for all games, tried on all small games and on random ones.

use std::collections::BTreeSet;

use gb_value::{Budget, Kernel, Store, Value};
use proptest::prelude::*;

use crate::naive::{Naive, Tree};

/// All values born by the next day: every pair of sets of values, of which antichains are enough.
fn next_day(kernel: &Kernel<'_>, day: &[Value]) -> Vec<Value> {
    let mut antichains: Vec<Vec<Value>> = vec![vec![]];
    for &value in day {
        let mut more = vec![];
        for chain in &antichains {
            if chain.iter().all(|&other| kernel.compare(value, other).unwrap().is_none()) {
                more.push(chain.iter().copied().chain([value]).collect());
            }
        }
        antichains.extend(more);
    }
    let mut values = BTreeSet::new();
    for lefts in &antichains {
        for rights in &antichains {
            values.insert(kernel.from_options(lefts, rights).unwrap());
        }
    }
    values.into_iter().collect()
}

#[test]
fn one_four_twentytwo_and_1474_values_are_born_by_days_0_to_3() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let mut day = vec![Value::ZERO];
    for expected in [4, 22, 1474] {
        day = next_day(&kernel, &day);
        assert_eq!(day.len(), expected);
    }
    for &value in &day {
        assert_eq!(
            Tree::of(&kernel, value).value(&kernel),
            value,
            "the canonical form is its own canonical form"
        );
        assert_eq!(kernel.neg(kernel.neg(value).unwrap()).unwrap(), value);
    }
}

#[test]
fn canonical_forms_of_day_two_are_the_naive_ones() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let day1 = next_day(&kernel, &[Value::ZERO]);
    let trees: Vec<Tree> = day1.iter().map(|&v| Tree::of(&kernel, v)).collect();
    let mut naive = Naive::default();
    let subset = |bits: usize| -> Vec<Tree> {
        trees.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, t)| t.clone()).collect()
    };
    for lefts in 0..16 {
        for rights in 0..16 {
            let game = Tree::new(subset(lefts), subset(rights));
            let value = game.value(&kernel);
            assert_eq!(Tree::of(&kernel, value), naive.canonical(&game), "{game:?}");
        }
    }
}

pub fn trees(depth: u32) -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree::default());
    leaf.prop_recursive(depth, 40, 3, |inner| {
        (prop::collection::vec(inner.clone(), 0..3), prop::collection::vec(inner, 0..3))
            .prop_map(|(l, r)| Tree::new(l, r))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn canonical_form_and_order_are_the_naive_ones(g in trees(4), h in trees(4)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let mut naive = Naive::default();
        let (x, y) = (g.value(&kernel), h.value(&kernel));
        prop_assert_eq!(Tree::of(&kernel, x), naive.canonical(&g));
        prop_assert_eq!(kernel.le(x, y).unwrap(), naive.le(&g, &h));
        prop_assert_eq!(kernel.le(y, x).unwrap(), naive.le(&h, &g));
        prop_assert_eq!(kernel.neg(x).unwrap(), g.neg().value(&kernel));
    }

    #[test]
    fn sums_are_the_naive_ones(g in trees(3), h in trees(3)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let (x, y) = (g.value(&kernel), h.value(&kernel));
        prop_assert_eq!(kernel.add(x, y).unwrap(), g.add(&h).value(&kernel));
        prop_assert_eq!(kernel.sub(x, y).unwrap(), g.add(&h.neg()).value(&kernel));
    }

    #[test]
    fn groups_and_orders(a in trees(4), b in trees(4), c in trees(4)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let [a, b, c] = [a, b, c].map(|t| t.value(&kernel));
        let add = |x, y| kernel.add(x, y).unwrap();
        prop_assert_eq!(add(a, kernel.neg(a).unwrap()), Value::ZERO);
        prop_assert_eq!(add(add(a, b), c), add(a, add(b, c)));
        prop_assert_eq!(add(a, b), add(b, a));
        prop_assert_eq!(kernel.sum(&[a, b, c]).unwrap(), add(add(a, b), c));
        prop_assert_eq!(kernel.times(3, a).unwrap(), add(a, add(a, a)));
        let le = |x, y| kernel.le(x, y).unwrap();
        prop_assert!(le(a, a));
        prop_assert!(!(le(a, b) && le(b, c)) || le(a, c));
        prop_assert_eq!(le(a, b), le(add(a, c), add(b, c)));
        prop_assert_eq!(le(a, b), le(kernel.neg(b).unwrap(), kernel.neg(a).unwrap()));
        prop_assert_eq!(le(a, b), le(Value::ZERO, kernel.sub(b, a).unwrap()));
    }
}
