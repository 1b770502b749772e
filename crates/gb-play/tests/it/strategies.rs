//! Strategies: their guarantees, and the examples where greedy play fails.

use gb_board::BitGrid;
use gb_games::games::clobber::Clobber;
use gb_games::games::regio::Regio;
use gb_play::matches::sums::{Setup, play, run};
use gb_play::matches::{BoardStarts, HotSums, Pairing, StartError, Starts, Summary, cut_grid};
use gb_play::strategy::{Plan, STRATEGIES, Strategy, StrategyContext, Sure, choose};
use gb_play::sum::Sum;
use gb_rules::{AnyGame, Coding, Direct, Game, Player, Rules, Variant, direct};
use gb_search::pool::Pool;
use gb_value::{Budget, Cancel, Dyadic, Kernel, Player::Left, Player::Right, Store, Value};

type SmallRegio = Regio<BitGrid<u64, 2>>;

fn plan(text: &str) -> Plan {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// A sum of values as text, for a match.
struct Given(Vec<&'static str>);

impl Starts for Given {
    fn start<'s>(&self, _: u64, store: &'s Store, budget: &'s Budget) -> Result<(Pool<'s>, Sum), StartError> {
        let kernel = store.kernel(budget);
        let values: Vec<Value> = self.0.iter().map(|text| kernel.read(text).unwrap()).collect();
        let (pool, components, score) = Pool::of_values(kernel, &values);
        Ok((pool, Sum::new(components, score)))
    }
}

/// What a strategy gets as Left against optimal play.
fn result(strategy: &str, sum: &[&'static str], first: Player) -> Dyadic {
    let setup = Setup::new(plan(strategy), plan("optimal"));
    let pairing = Pairing { start: 0, left: 0, first };
    play(&setup, &Given(sum.to_vec()), pairing, &Cancel::default()).unwrap().score
}

/// M. Mueller, lecture notes of CMPUT 657, "Why greedy play can be bad".
#[test]
fn greedy_play_fails_where_temperature_succeeds() {
    let sum = ["{4|0}", "{{10|-3}|-5}"];
    assert_eq!(result("greedy", &sum, Left), Dyadic::integer(-1));
    for good in ["optimal", "hotstrat", "thermostrat", "sentestrat", "alpha-beta", "thermal-alpha-beta"] {
        assert_eq!(result(good, &sum, Left), Dyadic::ONE, "{good}");
    }
}

/// Sentestrat and hotstrat mostly make the same moves: where all others are colder than a threat, both answer it. They
/// differ in how: by the ambient temperature, or by that of the threat.
#[test]
fn sentestrat_answers_a_threat_by_the_ambient_temperature() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    for (name, answer) in [("sentestrat", 0), ("hotstrat", 5)] {
        let values = ["{3|-3}", "{{20|0,{5|-8}}|-2}"].map(|text| kernel.read(text).unwrap());
        let (mut pool, components, score) = Pool::of_values(store.kernel(&budget), &values);
        let mut sum = Sum::new(components, score);
        let mut strategy = plan(name).begin(1 << 10);
        let mut choose = |sum: &Sum, pool: &mut Pool<'_>| {
            let mut context = StrategyContext { pool, kernel: &kernel };
            choose(&mut *strategy, sum, Right, &mut context).unwrap().at
        };
        // Right takes the hottest, Left threatens, Right answers, and Left takes what is left of the threat.
        let at = choose(&sum, &mut pool);
        sum.play(at, Right, &mut pool);
        let threat = sum.moves(Left, &mut pool)[0];
        sum.play(threat, Left, &mut pool);
        let at = choose(&sum, &mut pool);
        sum.play(at, Right, &mut pool);
        if let Some(&rest) = sum.moves(Left, &mut pool).first() {
            sum.play(rest, Left, &mut pool);
        }
        assert_eq!(sum.score, Dyadic::integer(answer - 3), "{name}");
    }
}

/// The same notes, "Why even locally greedy play can be bad": cash at low temperatures, the better mean at high ones.
#[test]
fn the_best_local_move_depends_on_the_temperature() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let [cash, invasion] = ["0", "1||-2|-4"].map(|text| kernel.read(text).unwrap());
    assert_eq!(kernel.mean(invasion).unwrap(), Dyadic::integer(-1));
    assert_eq!(kernel.stop(invasion, Left).unwrap(), Some(Dyadic::ONE));
    let game = kernel.read("{2|0,{1|{-2|-4}}}").unwrap();
    assert_eq!(kernel.stop(game, Right).unwrap(), Some(Dyadic::ZERO));
    let [cash, invasion] = [cash, invasion].map(|option| kernel.thermograph(option).unwrap());
    let at = |t: i64| [&cash, &invasion].map(|graph| graph.left_at(&Dyadic::integer(t)));
    assert_eq!(at(0), [Dyadic::ZERO, Dyadic::ONE], "alone, cash is better for Right");
    assert_eq!(at(2), [Dyadic::ZERO, Dyadic::integer(-1)], "among hotter games, the invasion is");
}

fn sum_of(kernel: &Kernel<'_>, values: &[Value]) -> (Dyadic, Dyadic, Dyadic, Dyadic) {
    let sum = kernel.sum(values).unwrap();
    let stop = |first| kernel.stop(sum, first).unwrap().unwrap();
    let hottest = values.iter().map(|&v| kernel.temperature(v).unwrap()).max().unwrap().max(Dyadic::ZERO);
    (stop(Left), stop(Right), kernel.mean(sum).unwrap(), hottest)
}

/// The worst result for Left, who plays a strategy, over everything that Right can do. Lines are played again from the
/// start, because a strategy may remember.
fn worst(name: &str, starts: &HotSums, number: u64, first: Player) -> Dyadic {
    let mut script: Vec<usize> = vec![];
    let mut worst: Option<Dyadic> = None;
    loop {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let (mut pool, mut sum) = starts.start(number, &store, &budget).unwrap();
        let kernel = store.kernel(&budget);
        let mut strategy = plan(name).begin(1 << 12);
        let (mut who, mut ply, mut widths) = (first, 0, vec![]);
        loop {
            let moves = sum.moves(who, &mut pool);
            if moves.is_empty() {
                break;
            }
            let at = if who == Left {
                let mut context = StrategyContext { pool: &mut pool, kernel: &kernel };
                choose(&mut *strategy, &sum, who, &mut context).unwrap().at
            } else {
                if script.len() == ply {
                    script.push(0);
                }
                ply += 1;
                widths.push(moves.len());
                moves[script[ply - 1]]
            };
            sum.play(at, who, &mut pool);
            who = who.opponent();
        }
        if worst.as_ref().is_none_or(|w| sum.score < *w) {
            worst = Some(sum.score);
        }
        // The next line: as an odometer.
        script.truncate(ply);
        while let Some(last) = script.last_mut() {
            *last += 1;
            if *last < widths[script.len() - 1] {
                break;
            }
            script.pop();
        }
        if script.is_empty() {
            return worst.unwrap();
        }
    }
}

#[test]
fn guarantees() {
    for parts in [1, 2, 3] {
        let starts = HotSums { parts, spread: 12, seed: u64::from(parts) };
        for number in 0..60 {
            let (store, budget) = (Store::new(), Budget::unlimited());
            let kernel = store.kernel(&budget);
            let values = starts.values(number, &kernel).unwrap();
            let (left_stop, right_stop, mean, hottest) = sum_of(&kernel, &values);
            for (first, stop) in [(Left, &left_stop), (Right, &right_stop)] {
                for best in ["optimal", "alpha-beta", "thermal-alpha-beta"] {
                    let got = worst(best, &starts, number, first);
                    assert_eq!(got, *stop, "{best} in sum {number} of {parts}, {first} begins");
                }
                let heuristic = worst("greedy-hotstrat", &starts, number, first);
                assert!(heuristic <= *stop, "nobody gets more than optimal play");
                for bounded in ["thermostrat", "sentestrat"] {
                    let got = worst(bounded, &starts, number, first);
                    let least = if first == Left { mean.clone() } else { &mean - &hottest };
                    assert!(
                        got >= least,
                        "{bounded} in sum {number} of {parts}, {first} begins: {got} < {least}"
                    );
                    assert!(got >= stop - &hottest);
                }
            }
        }
    }
}

/// The best score of a sum of boards, by trying everything.
fn minimax(sum: &Sum, who: Player, pool: &mut Pool<'_>) -> Dyadic {
    let mut scores = vec![];
    for at in sum.moves(who, pool) {
        let mut next = sum.clone();
        next.play(at, who, pool);
        scores.push(minimax(&next, who.opponent(), pool));
    }
    let best = if who == Left { scores.into_iter().max() } else { scores.into_iter().min() };
    best.unwrap_or_else(|| sum.score.clone())
}

#[test]
fn exact_strategies_play_scores_as_minimax_does() {
    let rules = SmallRegio::default();
    let any = AnyGame::direct(Variant::Plain, rules);
    let texts = (0..25).map(|number| cut_grid(3, 5, 2, 9, number)).filter(|text| {
        // What minimax can do.
        text.matches('.').count() < 11
    });
    let mut checked = 0;
    for text in texts {
        let (mut pool, components) = Pool::of_board(&any.read(&text).unwrap());
        let sum = Sum::new(components, Dyadic::ZERO);
        for first in Player::BOTH {
            let expected = minimax(&sum, first, &mut pool);
            for name in ["optimal", "alpha-beta", "thermal-alpha-beta"] {
                let starts = BoardStarts { game: any.clone(), text: |_| text.clone() };
                let setup = Setup::new(plan(name), plan("alpha-beta"));
                let pairing = Pairing { start: 0, left: 0, first };
                let record = play(&setup, &starts, pairing, &Cancel::default()).unwrap();
                assert_eq!(record.score, expected, "{name} on {text}, {first} begins");
            }
        }
        checked += 1;
    }
    assert!(checked > 5);
}

#[test]
fn the_last_mover_wins_where_there_is_no_score() {
    let rules = Clobber::<u64>::default();
    let game: Game<3> = direct(rules);
    let any = AnyGame::direct(Variant::Plain, rules);
    for text in ["xoxo.xo", "xox|oxo", "xxo.oox", "xo.|.ox", "xoxoxo"] {
        let at = rules.read(text).unwrap();
        let mut naive = gb_rules::conformance::Naive::new(&*game, 100_000);
        for first in Player::BOTH {
            let winner = naive.winner(&[(Direct.key(&at), gb_rules::Sign::Plus)], 0, first).unwrap();
            for name in ["optimal", "alpha-beta"] {
                let starts = BoardStarts { game: any.clone(), text: |_| text.to_string() };
                let setup = Setup::new(plan(name), plan("optimal"));
                let left = usize::from(winner == Right);
                let record = play(&setup, &starts, Pairing { start: 0, left, first }, &Cancel::default());
                let score = record.unwrap().score;
                assert_eq!(score, Dyadic::integer(if winner == Left { 1 } else { -1 }), "{name} {text}");
            }
        }
    }
    let starts = BoardStarts { game: any.clone(), text: |_| "xo".to_string() };
    let setup = Setup::new(plan("thermal-alpha-beta:3"), plan("optimal"));
    let pairing = Pairing { start: 0, left: 0, first: Left };
    assert_eq!(
        play(&setup, &starts, pairing, &Cancel::default()).unwrap_err().to_string(),
        "thermal-alpha-beta:3: thermal-alpha-beta does not fit clobber: it plays for points, but here who cannot move \
         loses; alpha-beta or optimal would do"
    );
}

#[test]
fn strategies_say_how_sure_they_are() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let values: Vec<Value> =
        ["{9|-5}", "{4|{-2|-8}}"].map(|text| store.kernel(&budget).read(text).unwrap()).to_vec();
    let (mut pool, components, score) = Pool::of_values(store.kernel(&budget), &values);
    let sum = Sum::new(components, score);
    let mut sure = |name: &str, nodes: Option<u64>| {
        let budget = nodes.map_or(Budget::unlimited(), |nodes| Budget::unlimited().with_nodes(nodes));
        let kernel = store.kernel(&budget);
        let mut strategy: Box<dyn Strategy> = plan(name).begin(1 << 10);
        choose(&mut *strategy, &sum, Left, &mut StrategyContext { pool: &mut pool, kernel: &kernel })
            .unwrap()
            .sure
    };
    assert_eq!(sure("optimal", None), Sure::Best);
    assert_eq!(sure("alpha-beta", None), Sure::Best);
    assert_eq!(sure("alpha-beta:1", None), Sure::Depth(1));
    assert_eq!(sure("thermostrat", None), Sure::Within(Dyadic::integer(7)));
    assert_eq!(sure("sentestrat", None), Sure::Within(Dyadic::integer(7)));
    assert_eq!(sure("hotstrat", None), Sure::Guess);
    assert_eq!(sure("greedy", None), Sure::Guess);
    assert_eq!(sure("alpha-beta", Some(1)), Sure::RanOut);
}

#[test]
fn a_match_can_be_stopped_and_gone_on_with() {
    let starts = BoardStarts {
        game: AnyGame::direct(Variant::Plain, SmallRegio::default()),
        text: |number| cut_grid(6, 6, 4, 3, number),
    };
    let mut setup = Setup::new(plan("greedy-hotstrat:3"), plan("alpha-beta:3"));
    let pairings = Pairing::all(4, true);
    assert_eq!(pairings.len(), 16);
    let cancel = Cancel::default();
    let play_all = |pairings: &[Pairing], threads| {
        let mut records = run(&setup, &starts, pairings, threads, &cancel, &|_| {}).unwrap();
        for record in &mut records {
            record.micros = [0; 2];
        }
        records
    };
    let whole = play_all(&pairings, 2);
    let mut halves = play_all(&pairings[..7], 1);
    halves.extend(play_all(&pairings[7..], 1));
    halves.sort_by_key(|record| (record.pairing.start, record.pairing.first, record.pairing.left));
    assert_eq!(whole, halves);
    assert_eq!(Summary::of(&whole).tally.count(), 16);
    let cancelled = Cancel::default();
    cancelled.cancel();
    assert!(run(&setup, &starts, &pairings, 2, &cancelled, &|_| {}).is_err());
    // With next to nothing to spend all strategies still play to the end.
    setup.nodes_per_move = Some(2);
    for (name, _) in STRATEGIES {
        setup.plans = [plan(name), plan("greedy-hotstrat:2")];
        let record = play(&setup, &starts, pairings[0], &cancel).unwrap();
        assert!(record.moves > 4, "{name}");
    }
}

#[test]
fn bad_names_get_a_sentence() {
    let error = |text: &str| text.parse::<Plan>().unwrap_err().to_string();
    assert_eq!(error("hotstart"), "there is no strategy `hotstart`; did you mean `hotstrat`?");
    assert!(error("xyzzy").starts_with("there is no strategy `xyzzy`; the strategies are optimal, hotstrat"));
    assert_eq!(
        error("alpha-beta:0"),
        "`0` is no depth for alpha-beta: expected a number of at least 1, as in `alpha-beta:4`"
    );
    assert!(error("hotstrat:deep").starts_with("`deep` is no depth for hotstrat"));
    assert_eq!(error("optimal:4"), "optimal takes no depth, but `4` was given: it searches to the end");
    for (name, _) in STRATEGIES {
        assert_eq!(plan(name).name(), *name);
    }
    assert_eq!(plan("alpha-beta:4").name(), "alpha-beta:4");
}
