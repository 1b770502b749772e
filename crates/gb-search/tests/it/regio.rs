//! Regio: known values, per depth and exact.

use std::ops::ControlFlow;
use std::sync::Mutex;

use gb_board::{BitGrid, Graph, Random, Wide};
use gb_games::games::regio::Regio;
use gb_rules::{AnyGame, Coding, Direct, Game, Player, Rules, Scoring, Variant, direct, interned};
use gb_search::heuristic::{HeuristicSearch, deepen, value_at_depth};
use gb_search::pool::Pool;
use gb_search::{ScoreError, SearchContext, Table, reduced_value};
use gb_value::{Budget, Dyadic, Kernel, Store, Value};

use crate::tree::minimax;

type Small = Regio<BitGrid<u64, 2>>;
type Large = Regio<BitGrid<Wide, 2>>;
type OnGraph = Regio<Graph<2>>;

fn small() -> Game<3> {
    direct(Small::default())
}

fn large() -> Game<9> {
    direct(Large::default())
}

fn on_graph() -> Game<2> {
    interned(OnGraph::default())
}

fn check_reduced<const N: usize>(game: &Game<N>, fact: &[String]) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let at = game.read(&fact[1]).unwrap();
    let value = reduced_value(&**game, &at, &Table::new(), &SearchContext::new(&store, &budget)).unwrap();
    let kernel = store.kernel(&budget);
    assert_eq!(value, kernel.read(&fact[2]).unwrap(), "{}", fact[1]);
    check_numbers(&kernel, value, &fact[3..7]);
}

/// Mean, temperature and stops.
fn check_numbers(kernel: &gb_value::Kernel<'_>, value: gb_value::Value, expected: &[String]) {
    let graph = kernel.thermograph(value).unwrap();
    let found = [graph.mean().clone(), graph.temperature(), graph.left_stop(), graph.right_stop()];
    assert_eq!(found.map(|x| x.to_string()), expected, "mean, temperature, stops");
}

#[test]
fn reduced_canonical_forms() {
    let facts = gb_board::testing::facts("games/regio_reduced.tsv");
    assert!(facts.len() > 40);
    for fact in facts {
        if fact[1].contains(';') {
            check_reduced(&on_graph(), &fact);
        } else {
            check_reduced(&small(), &fact);
            check_reduced(&large(), &fact);
        }
    }
}

fn check_depth(game: &AnyGame, fact: &[String]) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let at = game.read(&fact[1]).unwrap();
    let depth: u32 = fact[2].parse().unwrap();
    let context = SearchContext::new(&store, &budget).with_threads(2);
    let found = value_at_depth(&at, depth, &context).unwrap();
    let kernel = store.kernel(&budget);
    assert_eq!(found.value, kernel.read(&fact[3]).unwrap(), "{} at depth {depth}", fact[1]);
    check_numbers(&kernel, found.value, &fact[4..8]);
    let parts = deepen(&at, depth, &context, &|_, _, _| {}).unwrap();
    if let [part] = parts.as_slice() {
        assert_eq!(part.last(), Some(found));
        assert!(found.exact || part.by_depth.len() == depth as usize);
    }
}

#[test]
fn values_per_depth() {
    let facts = gb_board::testing::facts("games/regio_heuristic.tsv");
    assert!(facts.len() > 150);
    for fact in facts {
        if fact[1].contains(';') {
            check_depth(&AnyGame::interned(Variant::Plain, OnGraph::default()), &fact);
        } else {
            check_depth(&AnyGame::direct(Variant::Plain, Small::default()), &fact);
        }
    }
}

/// F. Maeser, thesis 2001, section 8.4.4.
#[test]
fn the_rectangle_of_the_thesis() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let at = AnyGame::direct(Variant::Plain, Small::default()).read("....|....").unwrap();
    let told = Mutex::new(vec![]);
    let found = deepen(&at, 9, &SearchContext::new(&store, &budget), &|part, depth, judged| {
        told.lock().unwrap().push((part, depth, judged));
    })
    .unwrap();
    let kernel = store.kernel(&budget);
    let expected = ["4|-4", "7|1||-1|-7", "8|6||2|0|||0|-2||-6|-8", "8|6||2|0|||0|-2||-6|-8"];
    let values: Vec<_> = found[0].by_depth.iter().map(|judged| judged.value).collect();
    assert_eq!(values, expected.map(|text| kernel.read(text).unwrap()));
    assert_eq!(values[3], kernel.read("{4|-4}+{3|-3}+{1|-1}").unwrap());
    let exact: Vec<bool> = found[0].by_depth.iter().map(|judged| judged.exact).collect();
    assert_eq!(exact, [false, false, false, true], "the search ends when nothing is left to find");
    let told = told.into_inner().unwrap();
    assert_eq!(told.iter().map(|&(_, depth, _)| depth).collect::<Vec<_>>(), [1, 2, 3, 4]);
    // All moves of the graph of figure 8.4 that colour most are worse than the one between.
    let rules = OnGraph::default();
    let at = rules.read("7;0-1,1-2,1-3,3-4,4-5,4-6").unwrap();
    assert_eq!(minimax(&rules, &at, Player::Left), 3);
}

/// Heuristic search that settles small parts, word for word: boards instead of numbers, nothing remembered.
fn settle_naively(
    rules: &Small,
    parts: &[BitGrid<u64, 2>],
    depth: u32,
    kernel: &Kernel<'_>,
) -> (Value, bool) {
    if parts.is_empty() {
        return (Value::ZERO, true);
    }
    if parts.len() > 1 && depth > 0 {
        let (mut settled, mut rest) = (Value::ZERO, vec![]);
        for part in parts {
            match settle_naively(rules, &[*part], depth, kernel) {
                (value, true) => settled = kernel.add(settled, value).unwrap(),
                _ => rest.push(*part),
            }
        }
        if rest.len() < parts.len() {
            let (value, exact) = settle_naively(rules, &rest, depth, kernel);
            return (kernel.reduced(kernel.add(settled, value).unwrap()).unwrap(), exact);
        }
    }
    if depth == 0 {
        let guess = parts.iter().fold(Dyadic::ZERO, |sum, part| &sum + &rules.estimate(part).unwrap());
        return (kernel.number(&guess), false);
    }
    let mut sides = [vec![], vec![]];
    let mut all_exact = true;
    for (i, part) in parts.iter().enumerate() {
        for who in Player::BOTH {
            let _ = rules.moves(part, who, &mut |mv| {
                let mut next = *part;
                rules.play(&mut next, who, &mv);
                let mut after: Vec<_> =
                    parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, p)| *p).collect();
                rules.parts(&next, &mut |part| after.push(part));
                let (value, exact) = settle_naively(rules, &after, depth - 1, kernel);
                all_exact &= exact;
                let points = kernel.integer(rules.points(part, who, &mv));
                sides[who as usize].push(kernel.add(value, points).unwrap());
                ControlFlow::Continue(())
            });
        }
    }
    (kernel.reduced_from_options(&sides[0], &sides[1]).unwrap(), all_exact)
}

#[test]
fn settling_small_parts() {
    let mut random = Random::new(11, 0);
    let rules = Small::default();
    let any = AnyGame::direct(Variant::Plain, rules);
    let (store, budget, table) = (Store::new(), Budget::unlimited(), Table::new());
    let kernel = store.kernel(&budget);
    let (mut guessed, mut settled) = (0, 0);
    for _ in 0..250 {
        let at = rules.read(&random_board(&mut random)).unwrap();
        let mut parts = vec![];
        rules.parts(&at, &mut |part| parts.push(part));
        for depth in 1..=3 {
            let (mut pool, components) = Pool::of_board(&any.read(&rules.show(&at)).unwrap());
            let mut search = HeuristicSearch::new(1 << 16).settling_small_parts();
            let found = search.together(&components, depth, &mut pool, &kernel).unwrap();
            let naive = settle_naively(&rules, &parts, depth, &kernel);
            assert_eq!((found.value, found.exact), naive, "{} at depth {depth}", rules.show(&at));
            // The same with a memo that is always full.
            let mut forgetful = HeuristicSearch::new(1).settling_small_parts();
            assert_eq!(forgetful.together(&components, depth, &mut pool, &kernel).unwrap(), found);
            if found.exact {
                let value =
                    reduced_value(&*small(), &Direct.key(&at), &table, &SearchContext::new(&store, &budget))
                        .unwrap();
                assert_eq!(found.value, value, "{}", rules.show(&at));
            }
            let plain =
                HeuristicSearch::new(1 << 16).together(&components, depth, &mut pool, &kernel).unwrap();
            guessed += usize::from(!found.exact);
            settled += usize::from(found.exact && !plain.exact);
        }
    }
    assert!(guessed > 100 && settled > 20, "{guessed} {settled}");
}

fn random_board(random: &mut Random) -> String {
    let (rows, cols) = (1 + random.below(3), 2 + random.below(3));
    let row = |random: &mut Random| (0..cols).map(|_| ['.', '.', '#'][random.below(3)]).collect::<String>();
    (0..rows).map(|_| row(random)).collect::<Vec<_>>().join("|")
}

#[test]
fn scores_are_stops() {
    let mut random = Random::new(5, 0);
    let rules = Small::default();
    let (store, budget, table) = (Store::new(), Budget::unlimited(), Table::new());
    let kernel = store.kernel(&budget);
    for _ in 0..2000 {
        let at = rules.read(&random_board(&mut random)).unwrap();
        let value =
            reduced_value(&*small(), &Direct.key(&at), &table, &SearchContext::new(&store, &budget)).unwrap();
        assert_eq!(kernel.neg(value).unwrap(), value, "its own negative");
        for first in Player::BOTH {
            let stop = kernel.stop(value, first).unwrap().unwrap();
            assert_eq!(stop, Dyadic::integer(minimax(&rules, &at, first)), "{}", rules.show(&at));
        }
    }
}

#[test]
fn running_out_keeps_the_last_finished_depth() {
    let game = AnyGame::direct(Variant::Plain, Large::default());
    let row = ".".repeat(15);
    let hole = "#".repeat(15);
    // One large part and two small ones.
    let text = format!("{}|{hole}|..#....########", vec![row; 12].join("|"));
    let at = game.read(&text).unwrap();
    let store = Store::new();
    let budget = Budget::unlimited().with_nodes(300_000);
    let found = deepen(&at, 6, &SearchContext::new(&store, &budget).with_threads(2), &|_, _, _| {}).unwrap();
    assert_eq!(found.len(), 3);
    assert_eq!(found[0].stopped, Some(ScoreError::Halt(gb_value::Halt::Nodes)));
    assert!(!found[0].by_depth.is_empty() && found[0].by_depth.len() < 6);
    for small in &found[1..] {
        assert!(small.last().unwrap().exact && small.stopped.is_none(), "{small:?}");
    }
}
