//! Operations on values against their definitions on trees, and the laws they obey.

use gb_value::{Budget, Dyadic, Kernel, Outcome, PlayStop, Player, Store, Value, ValueError};
use proptest::prelude::*;

use Player::{Left, Right};

use crate::laws::trees;
use crate::naive::Tree;
use crate::read;

/// Trees in which both players can move or none.
fn all_small(depth: u32) -> impl Strategy<Value = Tree> {
    Just(Tree::default()).prop_recursive(depth, 30, 3, |inner| {
        (prop::collection::vec(inner.clone(), 1..3), prop::collection::vec(inner, 1..3))
            .prop_map(|(l, r)| Tree::new(l, r))
    })
}

fn stop(kernel: &Kernel<'_>, value: Value, player: Player) -> Dyadic {
    match kernel.play_stop(value, player).unwrap() {
        PlayStop::Number(x) => x,
        other => panic!("{other} in a short game"),
    }
}

/// The options of a canonical form, each put through `change`.
fn rebuilt(kernel: &Kernel<'_>, value: Value, change: &mut dyn FnMut(Value, Player) -> Vec<Value>) -> Value {
    let mut side = |p| -> Vec<Value> { kernel.options(value, p).flat_map(|v| change(v, p)).collect() };
    let (lefts, rights) = (side(Left), side(Right));
    kernel.from_options(&lefts, &rights).unwrap()
}

fn overheat_by_definition(kernel: &Kernel<'_>, g: Value, s: Value, t: Value) -> Value {
    if let Some(n) = kernel.as_number(g).filter(Dyadic::is_integer) {
        return kernel.times(n.to_i64().unwrap(), s).unwrap();
    }
    rebuilt(kernel, g, &mut |option, player| {
        let inner = overheat_by_definition(kernel, option, s, t);
        vec![if player == Left { kernel.add(inner, t).unwrap() } else { kernel.sub(inner, t).unwrap() }]
    })
}

fn norton_by_definition(kernel: &Kernel<'_>, g: Value, u: Value) -> Value {
    if let Some(n) = kernel.as_number(g).filter(Dyadic::is_integer) {
        return kernel.times(n.to_i64().unwrap(), u).unwrap();
    }
    let add = |a, b| kernel.add(a, b).unwrap();
    let sub = |a, b| kernel.sub(a, b).unwrap();
    let mut incentives: Vec<Value> = kernel.options(u, Left).map(|l| sub(l, u)).collect();
    incentives.extend(kernel.options(u, Right).map(|r| sub(u, r)));
    rebuilt(kernel, g, &mut |option, player| {
        let inner = norton_by_definition(kernel, option, u);
        incentives
            .iter()
            .map(|&i| if player == Left { add(inner, add(u, i)) } else { sub(inner, add(u, i)) })
            .collect()
    })
}

fn conway_by_definition(g: &Tree, h: &Tree) -> Tree {
    let mut sides = [vec![], vec![]];
    for (xs, mine) in [(&g.lefts, 0), (&g.rights, 1)] {
        for (ys, theirs) in [(&h.lefts, 0), (&h.rights, 1)] {
            for x in xs {
                for y in ys {
                    let (x_h, g_y) = (conway_by_definition(x, h), conway_by_definition(g, y));
                    sides[mine ^ theirs].push(x_h.add(&g_y).add(&conway_by_definition(x, y).neg()));
                }
            }
        }
    }
    let [lefts, rights] = sides;
    Tree::new(lefts, rights)
}

fn ordinal_by_definition(g: &Tree, h: &Tree) -> Tree {
    let side = |base: &[Tree], top: &[Tree]| {
        base.iter().cloned().chain(top.iter().map(|t| ordinal_by_definition(g, t))).collect()
    };
    Tree::new(side(&g.lefts, &h.lefts), side(&g.rights, &h.rights))
}

fn join_by_definition(g: &Tree, h: &Tree, selective: bool) -> Tree {
    let side = |xs: &[Tree], ys: &[Tree]| {
        let mut options = vec![];
        for x in xs {
            options.extend(ys.iter().map(|y| join_by_definition(x, y, selective)));
        }
        if selective {
            options.extend(xs.iter().map(|x| join_by_definition(x, h, true)));
            options.extend(ys.iter().map(|y| join_by_definition(g, y, true)));
        }
        options
    };
    Tree::new(side(&g.lefts, &h.lefts), side(&g.rights, &h.rights))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn walls_are_the_stops_of_the_cooled_game(g in trees(4)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let g = g.value(&kernel);
        let graph = kernel.thermograph(g).unwrap();
        prop_assert_eq!(stop(&kernel, g, Left), graph.left_stop());
        prop_assert_eq!(stop(&kernel, g, Right), graph.right_stop());
        for t in 0..8 {
            let t = Dyadic::new(t, 2);
            let cooled = kernel.cool(g, &t).unwrap();
            prop_assert_eq!(stop(&kernel, cooled, Left), graph.left_at(&t));
            prop_assert_eq!(stop(&kernel, cooled, Right), graph.right_at(&t));
        }
        let frozen = kernel.freeze(g).unwrap();
        let rest = kernel.sub(frozen, kernel.number(graph.mean())).unwrap();
        prop_assert!(kernel.is_infinitesimal(rest));
    }

    #[test]
    fn cooling_and_means_add(g in trees(3), h in trees(3)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let (g, h) = (g.value(&kernel), h.value(&kernel));
        let sum = kernel.add(g, h).unwrap();
        prop_assert_eq!(kernel.mean(sum).unwrap(), kernel.mean(g).unwrap() + kernel.mean(h).unwrap());
        prop_assert!(
            kernel.temperature(sum).unwrap() <= kernel.temperature(g).unwrap().max(kernel.temperature(h).unwrap())
        );
        for t in [Dyadic::new(-3, 2), Dyadic::new(-1, 1), Dyadic::new(1, 2), Dyadic::new(1, 1), Dyadic::ONE] {
            let cool = |v| kernel.cool(v, &t).unwrap();
            prop_assert_eq!(cool(sum), kernel.add(cool(g), cool(h)).unwrap(), "cooled by {}", t);
        }
    }

    #[test]
    fn heat_and_products_are_the_defined_ones(g in trees(3), h in trees(3)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let (g, h) = (g.value(&kernel), h.value(&kernel));
        let one_star = read(&kernel, "1*");
        prop_assert_eq!(kernel.warm(g), Ok(overheat_by_definition(&kernel, g, one_star, Value::ONE)));
        prop_assert_eq!(kernel.overheat(g, h, Value::UP), Ok(overheat_by_definition(&kernel, g, h, Value::UP)));
        for unit in ["1", "^", "1*", "{2|1}", "tiny(1)"] {
            let unit = read(&kernel, unit);
            let norton = |v| kernel.norton(v, unit).unwrap();
            prop_assert_eq!(norton(g), norton_by_definition(&kernel, g, unit));
            prop_assert_eq!(norton(kernel.add(g, h).unwrap()), kernel.add(norton(g), norton(h)).unwrap());
            prop_assert_eq!(kernel.le(g, h).unwrap(), kernel.le(norton(g), norton(h)).unwrap());
        }
    }

    #[test]
    fn other_sums_are_the_defined_ones(g in trees(3), h in trees(2)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let (x, y) = (g.value(&kernel), h.value(&kernel));
        let (g, h) = (Tree::of(&kernel, x), Tree::of(&kernel, y));
        prop_assert_eq!(kernel.ordinal_sum(x, y), Ok(ordinal_by_definition(&g, &h).value(&kernel)));
        prop_assert_eq!(kernel.ordinal_sum(y, x), Ok(ordinal_by_definition(&h, &g).value(&kernel)));
        prop_assert_eq!(kernel.conjunctive_sum(x, y), Ok(join_by_definition(&g, &h, false).value(&kernel)));
        prop_assert_eq!(kernel.selective_sum(x, y), Ok(join_by_definition(&g, &h, true).value(&kernel)));
    }

    #[test]
    fn conway_products_are_the_defined_ones(g in trees(2), h in trees(2)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let (x, y) = (g.value(&kernel), h.value(&kernel));
        let product = conway_by_definition(&Tree::of(&kernel, x), &Tree::of(&kernel, y));
        prop_assert_eq!(kernel.conway(x, y), Ok(product.value(&kernel)));
    }

    #[test]
    fn incentives_are_the_defined_ones(g in trees(4)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let g = g.value(&kernel);
        let mut all: Vec<Value> = kernel.options(g, Left).map(|l| kernel.sub(l, g).unwrap()).collect();
        all.extend(kernel.options(g, Right).map(|r| kernel.sub(g, r).unwrap()));
        let greatest = kernel.all_incentives(g).unwrap();
        for &i in &all {
            prop_assert!(greatest.iter().any(|&j| kernel.le(i, j).unwrap()));
        }
        for &j in &greatest {
            prop_assert!(all.contains(&j));
            prop_assert!(!greatest.iter().any(|&k| k != j && kernel.le(j, k).unwrap()));
        }
    }

    #[test]
    fn reduced_canonical_forms(g in trees(4), h in trees(4), eps in all_small(4)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let (g, h, eps) = (g.value(&kernel), h.value(&kernel), eps.value(&kernel));
        let difference = kernel.sub(h, g).unwrap();
        prop_assert_eq!(kernel.le_close(g, h).unwrap(), stop(&kernel, difference, Right).signum() >= 0);
        prop_assert_eq!(kernel.le_close(h, g).unwrap(), stop(&kernel, difference, Left).signum() <= 0);
        let reduced = kernel.reduced(g).unwrap();
        prop_assert!(kernel.is_infinitesimal(kernel.sub(g, reduced).unwrap()));
        prop_assert_eq!(kernel.reduced(reduced), Ok(reduced));
        prop_assert_eq!(kernel.reduced(kernel.add(g, eps).unwrap()), Ok(reduced));
        prop_assert_eq!(kernel.is_close(g, h).unwrap(), kernel.reduced(h) == Ok(reduced));
        prop_assert_eq!(Tree::of(&kernel, reduced).value(&kernel), reduced, "the form is canonical");
        prop_assert!(kernel.birthday(reduced).unwrap() <= kernel.birthday(g).unwrap());
        assert_nothing_to_reduce(&kernel, reduced);
        let side = |p| kernel.options(g, p).map(|v| kernel.reduced(v).unwrap()).collect::<Vec<_>>();
        if stop(&kernel, g, Left) > stop(&kernel, g, Right) {
            prop_assert_eq!(kernel.reduced_from_options(&side(Left), &side(Right)), Ok(reduced));
        }
        let raw = kernel.from_options(&side(Left), &side(Right)).unwrap();
        prop_assert_eq!(kernel.reduced_from_options(&side(Left), &side(Right)), kernel.reduced(raw).map_err(|_| unreachable!()));
    }

    #[test]
    fn atomic_weights(g in all_small(4), h in all_small(4)) {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let (g, h) = (g.value(&kernel), h.value(&kernel));
        let weight = |v| kernel.atomic_weight(v).unwrap();
        let sum = kernel.add(g, h).unwrap();
        prop_assert_eq!(weight(sum), kernel.add(weight(g), weight(h)).unwrap());
        if kernel.le(kernel.integer(2), weight(g)).unwrap() {
            prop_assert_eq!(kernel.outcome(g).unwrap(), Outcome::L);
        }
        // The atomic weight is the only game G with  v + far star <= g - G.^ <= ^ + far star.
        let far = kernel.nimber(64);
        let rest = kernel.sub(g, kernel.norton(weight(g), Value::UP).unwrap()).unwrap();
        prop_assert!(kernel.le(rest, kernel.add(Value::UP, far).unwrap()).unwrap());
        prop_assert!(kernel.le(kernel.sub(far, Value::UP).unwrap(), rest).unwrap());
        let companion = kernel.companion(g).unwrap();
        prop_assert_eq!(kernel.companion(companion), Ok(g), "the companion's companion");
        let followers = kernel.followers(g, usize::MAX).unwrap().values;
        let least = (0..).find(|&n| !followers.contains(&kernel.nimber(n))).unwrap();
        prop_assert_eq!(kernel.remote_star(g), Ok(least));
        for n in [least, least + 1, least + 2] {
            let star = kernel.nimber(n);
            prop_assert_eq!(kernel.compare(g, star).unwrap(), kernel.compare(g, far).unwrap());
        }
    }

    #[test]
    fn structure_is_that_of_the_tree(g in trees(4)) {
        fn positions(tree: &Tree, found: &mut std::collections::BTreeSet<Tree>) -> (usize, usize) {
            let (mut depth, mut nodes) = (0, 1);
            for option in tree.lefts.iter().chain(&tree.rights) {
                let (d, n) = positions(option, found);
                (depth, nodes) = (depth.max(d + 1), nodes + n);
            }
            found.insert(tree.clone());
            (depth, nodes)
        }
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let g = g.value(&kernel);
        for g in [g, kernel.add(g, read(&kernel, "5/4^3*6")).unwrap(), kernel.add(g, read(&kernel, "-3vv*")).unwrap()] {
            let mut found = Default::default();
            let (depth, nodes) = positions(&Tree::of(&kernel, g), &mut found);
            prop_assert_eq!(kernel.birthday(g).unwrap(), depth.into());
            prop_assert_eq!(kernel.tree_nodes(g).unwrap(), nodes.into());
            prop_assert_eq!(kernel.subpositions(g).unwrap(), found.len().into());
        let followers = kernel.followers(g, usize::MAX).unwrap();
            prop_assert!(followers.complete);
            prop_assert_eq!(followers.values.len(), found.len());
            let some = kernel.followers(g, found.len() - 1).unwrap();
            prop_assert_eq!((some.values.len(), some.complete), (found.len() - 1, false));
        }
    }
}

fn assert_nothing_to_reduce(kernel: &Kernel<'_>, value: Value) {
    if kernel.is_number(value) {
        return;
    }
    assert!(stop(kernel, value, Left) > stop(kernel, value, Right));
    for player in Player::BOTH {
        let better =
            |a, b| if player == Left { kernel.le_close(b, a) } else { kernel.le_close(a, b) }.unwrap();
        let options: Vec<Value> = kernel.options(value, player).collect();
        for &option in &options {
            assert!(!options.iter().any(|&other| other != option && better(other, option)), "dominated");
            assert!(!kernel.options(option, player.opponent()).any(|r| better(value, r)), "reversible");
            assert_nothing_to_reduce(kernel, option);
        }
    }
}

#[test]
fn a_game_with_huge_integers_costs_nothing() {
    let (store, budget) = (Store::new(), Budget::unlimited().with_nodes(1000));
    let kernel = store.kernel(&budget);
    let g = read(&kernel, "100002|4||0|-100000");
    assert_eq!(kernel.birthday(g).unwrap(), 100_004u32.into());
    assert_eq!(kernel.subpositions(g).unwrap(), 200_006u32.into());
    assert_eq!(kernel.tree_nodes(g).unwrap(), 200_013u32.into());
    assert_eq!(kernel.mean(g), Ok(Dyadic::new(3, 1)));
    assert_eq!(kernel.reduced(g), Ok(g));
    assert_eq!(kernel.followers(g, 10).unwrap().values.len(), 10);
    assert_eq!(kernel.freeze(g), Ok(read(&kernel, "3/2*")));
}

#[test]
fn what_is_not_defined_is_an_error() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let hot = read(&kernel, "{1|-1}");
    let with_on = kernel.from_options(&[Value::ON], &[Value::ZERO]).unwrap();
    assert!(matches!(kernel.mean(with_on), Err(ValueError::NotShort(_))));
    assert!(matches!(kernel.heat(hot, Value::OFF), Err(ValueError::NotShort(_))));
    assert!(matches!(kernel.atomic_weight(hot), Err(ValueError::NotAllSmall(_))));
    assert_eq!(kernel.cool(hot, &Dyadic::integer(-1)), Err(ValueError::ColdBelowMinusOne));
    assert_eq!(kernel.norton(hot, Value::STAR), Err(ValueError::UnitNotPositive));
    assert_eq!(kernel.play_stop(with_on, Left).unwrap(), PlayStop::On);
}

#[test]
fn long_closed_forms_are_refused_instead_of_played_through() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    for huge in [kernel.ups(1 << 40), kernel.nimber(1 << 30)] {
        assert!(kernel.heat(huge, Value::ONE).is_err());
        assert!(kernel.subpositions(huge).is_err());
        assert!(kernel.conway(huge, read(&kernel, "{1|-1}")).is_err());
        assert!(kernel.birthday(huge).is_ok());
        assert!(kernel.thermograph(huge).is_ok());
    }
}

#[test]
fn the_published_sum_of_ten_hot_games() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let games: Vec<Value> = crate::store::HOT_GAMES.iter().map(|g| read(&kernel, g)).collect();
    let sum = kernel.sum(&games).unwrap();
    assert_eq!(kernel.tree_nodes(sum).unwrap(), 359_706u32.into());
    let means = games.iter().fold(Dyadic::ZERO, |total, &g| total + kernel.mean(g).unwrap());
    assert_eq!(kernel.mean(sum), Ok(means));
    let reduced = kernel.reduced(sum).unwrap();
    assert!(kernel.is_close(sum, reduced).unwrap());
}

#[test]
fn a_large_all_small_game_has_an_atomic_weight() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    // Games with random older games as options.
    let mut pool = vec![Value::ZERO];
    let mut random = 1u64;
    let mut pick = |pool: &[Value]| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        pool[(random >> 33) as usize % pool.len()]
    };
    for _ in 0..300 {
        let [a, b, c, d] = [(); 4].map(|()| pick(&pool));
        pool.push(kernel.from_options(&[a, b], &[c, d]).unwrap());
    }
    let parts = &pool[256..260];
    let sum = kernel.sum(parts).unwrap();
    assert!(kernel.subpositions(sum).unwrap() > 1000u32.into());
    let weights: Vec<Value> = parts.iter().map(|&g| kernel.atomic_weight(g).unwrap()).collect();
    assert_eq!(kernel.atomic_weight(sum), Ok(kernel.sum(&weights).unwrap()));
}
