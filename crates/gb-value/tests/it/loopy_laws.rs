//! Random small games with loops against the definitions, computed naively.

use crate::naive::{Naive, Tree};
use gb_value::loopy::{Builder, Ending, LoopyError, LoopyGame, NodeId, Work};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeSet;

pub(crate) fn working<T>(f: impl FnOnce(&mut Work) -> Result<T, LoopyError>) -> T {
    f(&mut Work::new(50_000_000, &mut || true)).expect("within the allowance")
}

/// A graph as lists of Left's and Right's options; node 0 is the root.
type Lists = Vec<(Vec<usize>, Vec<usize>)>;

fn game(lists: &Lists) -> LoopyGame {
    let mut b = Builder::new(100);
    let ids: Vec<NodeId> = lists.iter().map(|_| b.declare().unwrap()).collect();
    for (i, (l, r)) in lists.iter().enumerate() {
        let pick = |options: &[usize]| options.iter().map(|&o| ids[o]).collect::<Vec<_>>();
        b.set(ids[i], &pick(l), &pick(r)).unwrap();
    }
    b.build(ids[0]).unwrap()
}

fn lists(nodes: usize) -> impl Strategy<Value = Lists> {
    let options = move || prop::collection::vec(0..nodes, 0..3);
    prop::collection::vec((options(), options()), nodes)
}

/// Moves lead to later nodes only, so all play ends.
fn short_lists(nodes: usize) -> impl Strategy<Value = Lists> {
    lists(nodes).prop_map(move |mut lists| {
        for (i, (l, r)) in lists.iter_mut().enumerate() {
            for options in [l, r] {
                options.retain(|&o| o > i);
            }
        }
        lists
    })
}

pub(crate) fn any_game() -> impl Strategy<Value = LoopyGame> {
    (1usize..6).prop_flat_map(lists).prop_map(|l| game(&l))
}

pub(crate) fn stopper() -> impl Strategy<Value = LoopyGame> {
    // Short games with some passes and moves back added keep many loops and often stop.
    let loopy = (2usize..7).prop_flat_map(|n| {
        (short_lists(n), prop::collection::vec((0..n, 0..n, any::<bool>()), 0..4)).prop_map(
            |(mut lists, extra)| {
                for (from, to, left) in extra {
                    let side = &mut lists[from];
                    if left { side.0.push(to) } else { side.1.push(to) }
                }
                game(&lists)
            },
        )
    });
    loopy.prop_filter("stoppers", |g| g.is_stopper())
}

fn survives_second(g: &LoopyGame) -> bool {
    g.outcome().right_starts >= Ending::Draw
}

fn survives_first(g: &LoopyGame) -> bool {
    g.outcome().left_starts >= Ending::Draw
}

/// G >= H by its definition: the whole of G - H is built and solved.
pub(crate) fn naive_ge(g: &LoopyGame, h: &LoopyGame) -> bool {
    survives_second(&working(|w| g.plus(&h.negate(), w)))
}

fn options(g: &LoopyGame, v: usize, left: bool) -> Vec<usize> {
    let node = |i: usize| all_nodes(g)[i];
    match left {
        true => g.left(node(v)).map(NodeId::index).collect(),
        false => g.right(node(v)).map(NodeId::index).collect(),
    }
}

/// The nodes in order of their numbers.
fn all_nodes(g: &LoopyGame) -> Vec<NodeId> {
    let mut found = BTreeSet::from([g.root()]);
    let mut todo = vec![g.root()];
    while let Some(v) = todo.pop() {
        for w in g.left(v).chain(g.right(v)) {
            if found.insert(w) {
                todo.push(w);
            }
        }
    }
    let found: Vec<NodeId> = found.into_iter().collect();
    assert_eq!(found.len(), g.node_count());
    found
}

/// Whether Left, moving second, survives S - G when infinite play in G alone is lost for her: S >= G for the
/// stopper S and G with infinite play a win for Left. A Büchi game, solved by its nested fixed point.
pub(crate) fn ge_onside(s: &LoopyGame, g: &LoopyGame) -> bool {
    let (ns, ng) = (s.node_count(), g.node_count());
    let at = |x: usize, y: usize, left_moves: bool| (x * ng + y) * 2 + usize::from(left_moves);
    let mut moves: Vec<Vec<(usize, bool)>> = vec![Vec::new(); ns * ng * 2];
    for x in 0..ns {
        for y in 0..ng {
            for left in [false, true] {
                let here = at(x, y, left);
                moves[here].extend(options(s, x, left).into_iter().map(|x| (at(x, y, !left), true)));
                moves[here].extend(options(g, y, !left).into_iter().map(|y| (at(x, y, !left), false)));
            }
        }
    }
    let mut alive = vec![true; moves.len()];
    loop {
        let mut reach = vec![false; moves.len()];
        loop {
            let mut changed = false;
            for here in 0..moves.len() {
                let good = |&(to, in_s): &(usize, bool)| reach[to] || (in_s && alive[to]);
                let left = here % 2 == 1;
                let now = if left { moves[here].iter().any(good) } else { moves[here].iter().all(good) };
                if now && !reach[here] {
                    reach[here] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        if reach == alive {
            return alive[at(s.root().index(), g.root().index(), false)];
        }
        alive = reach;
    }
}

/// A short game written out.
fn tree(g: &LoopyGame, v: NodeId) -> Tree {
    Tree::new(g.left(v).map(|l| tree(g, l)).collect(), g.right(v).map(|r| tree(g, r)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn order_is_the_definition(g in stopper(), h in stopper()) {
        let found = working(|w| g.compare(&h, w));
        let expected = match (naive_ge(&g, &h), naive_ge(&h, &g)) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            (false, false) => None,
        };
        prop_assert_eq!(found, expected);
        prop_assert_eq!(working(|w| g.ge(&h, w)), naive_ge(&g, &h));
    }

    #[test]
    fn order_is_transitive(g in stopper(), h in stopper(), k in stopper()) {
        let ge = |a: &LoopyGame, b: &LoopyGame| working(|w| a.ge(b, w));
        prop_assert!(ge(&g, &g));
        if ge(&g, &h) && ge(&h, &k) {
            prop_assert!(ge(&g, &k));
        }
    }

    #[test]
    fn simplest_form_is_equal_and_unique(g in stopper(), h in stopper()) {
        let (cg, ch) = (working(|w| g.canonical(w)), working(|w| h.canonical(w)));
        prop_assert!(cg.game().is_stopper());
        prop_assert!(naive_ge(&cg.game(), &g) && naive_ge(&g, &cg.game()));
        prop_assert_eq!(&working(|w| cg.game().canonical(w)), &cg);
        prop_assert_eq!(cg == ch, naive_ge(&g, &h) && naive_ge(&h, &g));
        prop_assert_eq!(working(|w| cg.negate(w)), working(|w| g.negate().canonical(w)));
        prop_assert!(cg.node_count() <= g.node_count());
    }

    /// Adding and taking away a short game changes the graph a lot and the value not at all.
    #[test]
    fn detours_lead_to_the_same_form(g in stopper(), x in (1usize..4).prop_flat_map(short_lists)) {
        let x = game(&x);
        let around = working(|w| g.plus(&x, w)?.plus(&x.negate(), w));
        prop_assert_eq!(working(|w| around.sides(w)), working(|w| g.canonical(w)).into());
    }

    #[test]
    fn the_second_player_survives_the_difference(g in any_game()) {
        let outcome = working(|w| g.plus(&g.negate(), w)).outcome();
        prop_assert!(outcome.right_starts >= Ending::Draw);
        prop_assert!(outcome.left_starts <= Ending::Draw);
    }

    #[test]
    fn negation_exchanges_the_players(g in any_game()) {
        let (plus, minus) = (g.outcome(), g.negate().outcome());
        let opposite = |e| match e {
            Ending::Win => Ending::Loss,
            Ending::Draw => Ending::Draw,
            Ending::Loss => Ending::Win,
        };
        prop_assert_eq!(plus.left_starts, opposite(minus.right_starts));
        prop_assert_eq!(plus.right_starts, opposite(minus.left_starts));
    }

    #[test]
    fn sides_are_what_survival_says(g in any_game(), x in any_game()) {
        let sides = match g.sides(&mut Work::new(3_000_000, &mut || true)) {
            Ok(sides) => sides,
            Err(LoopyError::NoSides { .. } | LoopyError::TooLarge { .. }) => return Err(TestCaseError::reject("no sides")),
            Err(e) => return Err(TestCaseError::fail(e.to_string())),
        };
        let (on, off) = (sides.onside().game(), sides.offside().game());
        prop_assert!(naive_ge(&on, &off));
        // Onside = G with infinite play won by Left; where G is right of the minus sign it is lost for her.
        prop_assert!(naive_ge(&g, &on));
        prop_assert!(ge_onside(&on, &g));
        prop_assert!(naive_ge(&g.negate(), &off.negate()));
        prop_assert!(ge_onside(&off.negate(), &g.negate()));
        // In every company Left survives with G exactly if she does with the onside; Right, the offside.
        let with = |a: &LoopyGame| working(|w| a.plus(&x, w));
        prop_assert_eq!(survives_second(&with(&g)), survives_second(&with(&on)));
        prop_assert_eq!(survives_first(&with(&g)), survives_first(&with(&on)));
        let (o, p) = (with(&g).outcome(), with(&off).outcome());
        prop_assert_eq!(o.left_starts == Ending::Win, p.left_starts == Ending::Win);
        prop_assert_eq!(o.right_starts == Ending::Win, p.right_starts == Ending::Win);
    }

    #[test]
    fn sums_of_sides_are_sides_of_sums(g in stopper(), h in stopper()) {
        let work = || 3_000_000;
        let whole = working(|w| g.plus(&h, w)).sides(&mut Work::new(work(), &mut || true));
        let parts = working(|w| Ok((g.sides(w)?, h.sides(w)?)));
        let parts = parts.0.plus(&parts.1, &mut Work::new(work(), &mut || true));
        if let (Ok(whole), Ok(parts)) = (whole, parts) {
            prop_assert_eq!(whole, parts);
        }
    }

    #[test]
    fn short_games_agree_with_the_textbook(l in (1usize..7).prop_flat_map(short_lists)) {
        let g = game(&l);
        prop_assert!(!g.has_loops() && g.is_stopper());
        let form = working(|w| g.canonical(w)).game();
        prop_assert!(!form.has_loops());
        let mut naive = Naive::default();
        let (g, zero, outcome) = (tree(&g, g.root()), Tree::default(), g.outcome());
        prop_assert_eq!(tree(&form, form.root()), naive.canonical(&g));
        prop_assert_eq!(outcome.right_starts == Ending::Win, naive.le(&zero, &g));
        prop_assert_eq!(outcome.left_starts == Ending::Loss, naive.le(&g, &zero));
        prop_assert!(outcome.left_starts != Ending::Draw && outcome.right_starts != Ending::Draw);
    }
}
