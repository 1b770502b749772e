//! Games that can repeat: outcomes against a search that only follows moves, values against the plain graph of all positions.
//!
//! Earlier tests took `Halt::Repetition` for an answer: they checked what was found against the plain graph and let pass what was
//! not. So here every board must have an outcome and a value.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use gb_board::{BitGrid, BoardError, Random, Size};
use gb_games::games::fox_and_geese::FoxAndGeese;
use gb_rules::{Coding, Direct, Game, Info, Player, Rules, Sign, interned};
use gb_search::question::outcome::Sum;
use gb_search::repeat::{LoopSolver, endings};
use gb_search::{SearchContext, loopy_game};
use gb_value::loopy::{Ending, LoopyError, Work};
use gb_value::text::Style;
use gb_value::{Budget, Halt, OutcomeClass, Store, Value};

use crate::fox::{fox, mover_wins};

type Fox = FoxAndGeese<u64>;

/// All placements of one fox and one to `geese` geese.
fn boards(rows: usize, cols: usize, geese: u32) -> Vec<BitGrid<u64, 2>> {
    let cells = rows * cols;
    let mut all = vec![];
    for set in (1u32..1 << cells).filter(|set| set.count_ones() <= geese) {
        for fox in (0..cells).filter(|fox| set >> fox & 1 == 0) {
            let letter = |cell: usize| match cell {
                _ if cell == fox => 'o',
                _ if set >> cell & 1 == 1 => 'x',
                _ => '.',
            };
            let text: Vec<String> =
                (0..rows).map(|row| (0..cols).map(|col| letter(row * cols + col)).collect()).collect();
            all.push(Fox::default().read(&text.join("|")).unwrap());
        }
    }
    all
}

#[test]
fn outcomes_of_all_small_boards() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let context = SearchContext::new(&store, &budget);
    let rules = Fox::default();
    let mut seen = 0;
    for at in boards(3, 3, 4).into_iter().chain(boards(3, 4, 3)).chain(boards(4, 3, 2)) {
        let found = endings(&*fox(), &Sum::of(Direct.key(&at)), &context);
        for (first, ending) in [(Player::Left, found.left_first), (Player::Right, found.right_first)] {
            let winner = if mover_wins(&at, first) { first } else { first.opponent() };
            assert_eq!(ending, Ok(Ending::won_by(winner)), "{}, {first} first", rules.show(&at));
        }
        seen += 1;
    }
    assert!(seen > 3000, "{seen}");
}

#[test]
fn values_of_all_small_boards() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let (rules, game) = (Fox::default(), fox());
    let mut solver = LoopSolver::new(&*game, &kernel);
    let mut loopy = 0;
    for at in boards(3, 3, 3).into_iter().chain(boards(3, 4, 2)) {
        let value = solver.value(&Direct.key(&at)).unwrap();
        let stopper = value.as_stopper().expect("geese only go down");
        loopy += usize::from(value.as_value().is_none());
        let mut go_on = || true;
        let mut work = Work::new(50_000_000, &mut go_on);
        let plain = loopy_game(&*game, &Direct.key(&at), &context, 100_000).unwrap();
        let canonical = plain.canonical(&mut work).unwrap();
        let found = solver.games().export_graph(stopper, 100_000).unwrap().canonical(&mut work).unwrap();
        assert_eq!(found, canonical, "{}", rules.show(&at));
        // By the definition: the second player survives the difference both ways.
        let difference = plain.plus(&found.game().negate(), &mut work).unwrap().outcome();
        assert!(difference.left_starts <= Ending::Draw && difference.right_starts >= Ending::Draw);
    }
    assert!(loopy > 30, "{loopy}");
}

fn value_text(text: &str) -> (String, usize, usize) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let game = fox();
    let at = game.read(text).or_else(|_| game.start(Size::read(text).unwrap())).unwrap();
    let mut solver = LoopSolver::new(&*game, &kernel);
    let value = solver.value(&at).unwrap();
    let shown = solver.games().export(value).unwrap().show(&kernel, &Style::default()).text;
    (shown, solver.positions(), solver.games().loops())
}

/// The usual board is worth exactly 2 + over (Berlekamp, Conway and Guy, Winning Ways, second edition 2003, chapter 20); {4*|7/2} is what
/// CGSuite says.
#[test]
fn larger_boards() {
    assert_eq!(value_text(".x.x.x.x|........|........|o.......").0, "{4*|7/2}");
    assert_eq!(value_text("4x4").0, "over");
    let (value, positions, loops) = value_text("8x8");
    assert_eq!(value, "2+over");
    assert_eq!((positions, loops), (813_811, 1_944));
}

/// Limits end the work while positions are made as well as while they are solved.
#[test]
fn limits_are_kept() {
    let game = fox();
    let at = game.start(Size::Grid(8, 8)).unwrap();
    for (budget, stop) in [
        (Budget::unlimited().with_nodes(1000), Halt::Nodes),
        (Budget::unlimited().with_nodes(600_000), Halt::Nodes),
        (Budget::unlimited().with_bytes(12 << 20), Halt::Bytes),
        (Budget::unlimited().with_time(Duration::from_millis(50)), Halt::Time),
    ] {
        let store = Store::new();
        let kernel = store.kernel(&budget);
        let mut solver = LoopSolver::new(&*game, &kernel);
        assert_eq!(solver.value(&at).unwrap_err(), LoopyError::Halt(stop));
        let found = endings(&*game, &Sum::of(at), &SearchContext::new(&store, &budget));
        assert!(found.left_first.is_err() || found.nodes < 1_000_000);
    }
}

/// Any graph of positions as a game.
#[derive(Clone, Debug)]
struct AnyGraph(Arc<Vec<[Vec<u8>; 2]>>);

impl Rules for AnyGraph {
    type Board = u8;
    type Move = u8;

    fn info(&self) -> Info {
        Info {
            name: "any-graph".into(),
            title: "Any graph",
            rules: "Moves lead along edges.",
            alphabet: &[],
            example: "0",
            impartial: false,
            loopy: true,
        }
    }
    fn read(&self, text: &str) -> Result<u8, BoardError> {
        text.parse().map_err(|_| BoardError::Invalid("expected a number".into()))
    }
    fn show(&self, at: &u8) -> String {
        at.to_string()
    }
    fn moves(&self, at: &u8, who: Player, emit: &mut impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        self.0[*at as usize][who as usize].iter().try_for_each(|&to| emit(to))
    }
    fn play(&self, at: &mut u8, _who: Player, &to: &u8) {
        *at = to;
    }
}

/// How play of a + b + n ends, by trying all lines of more and more moves: whoever wins at all wins within as many moves as there are
/// states.
fn naive_ending(graph: &AnyGraph, a: u8, b: u8, n: i8, first: Player) -> Ending {
    let nodes = graph.0.len();
    let numbers = 2 * usize::from(n.unsigned_abs()) + 1;
    let at = |a: usize, b: usize, n: i8, left: bool| {
        ((a * nodes + b) * numbers + (n + numbers as i8 / 2) as usize) * 2 + usize::from(left)
    };
    let mut endings = vec![Ending::Draw; nodes * nodes * numbers * 2];
    loop {
        let before = endings.clone();
        for (a, b) in (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))) {
            for n in -(numbers as i8 / 2)..=numbers as i8 / 2 {
                for who in Player::BOTH {
                    let left = who == Player::Left;
                    let mut nexts: Vec<usize> = vec![];
                    nexts.extend(graph.0[a][who as usize].iter().map(|&a| at(a as usize, b, n, !left)));
                    // The second board is turned round.
                    let turned = who.opponent() as usize;
                    nexts.extend(graph.0[b][turned].iter().map(|&b| at(a, b as usize, n, !left)));
                    match who {
                        Player::Left if n > 0 => nexts.push(at(a, b, n - 1, !left)),
                        Player::Right if n < 0 => nexts.push(at(a, b, n + 1, !left)),
                        _ => {}
                    }
                    let (best, worst) = (Ending::won_by(who), Ending::won_by(who.opponent()));
                    endings[at(a, b, n, left)] = if nexts.iter().any(|&next| before[next] == best) {
                        best
                    } else if nexts.iter().all(|&next| before[next] == worst) {
                        worst
                    } else {
                        Ending::Draw
                    };
                }
            }
        }
        if endings == before {
            return endings[at(a as usize, b as usize, n, first == Player::Left)];
        }
    }
}

/// Outcomes of sums of random graphs, draws and all; and values of the graphs against the plain way, and what they say of the sum.
#[test]
fn random_graphs() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let mut random = Random::new(0x005e_ed0f_9a3e, 0);
    let mut classes = std::collections::BTreeSet::new();
    for round in 0..600 {
        let nodes = 2 + random.below(4);
        let mut options = || (0..random.below(3)).map(|_| random.below(nodes) as u8).collect::<Vec<u8>>();
        let graph = AnyGraph(Arc::new((0..nodes).map(|_| [options(), options()]).collect()));
        let n = random.below(5) as i8 - 2;
        let (a, b) = (0, 1);
        let value = kernel.integer(n.into());
        let game: Game<2> = interned(graph.clone());
        let [at_a, at_b] = [a, b].map(|node: u8| game.read(&node.to_string()).unwrap());
        let boards = vec![(at_a, Sign::Plus), (at_b, Sign::Minus)];
        let sum = Sum { boards, value, subtrahend: Value::ZERO };
        let found = endings(&*game, &sum, &context);
        let expected = Player::BOTH.map(|first| naive_ending(&graph, a, b, n, first));
        assert_eq!([found.left_first, found.right_first], expected.map(Ok), "{round}: {graph:?} {n}");
        let class = OutcomeClass::of(expected[0], expected[1]);
        classes.insert(class.to_string());
        let subtrahend = Sum { value: Value::ZERO, subtrahend: kernel.integer((-n).into()), ..sum };
        let turned = endings(&*game, &subtrahend, &context);
        assert_eq!([turned.left_first, turned.right_first], expected.map(Ok), "{round}: {graph:?} {n}");

        let mut solver = LoopSolver::new(&*game, &kernel);
        let (x, y) = match (solver.value(&at_a), solver.value(&at_b)) {
            (Ok(x), Ok(y)) => (x, y),
            (Err(LoopyError::NoSides { .. }), _) | (_, Err(LoopyError::NoSides { .. })) => continue,
            other => panic!("{other:?}"),
        };
        let plain = loopy_game(&*game, &at_a, &context, 1000).unwrap();
        let mut go_on = || true;
        if let Ok(sides) = plain.sides(&mut Work::new(10_000_000, &mut go_on)) {
            let games = solver.games();
            for (side, expected) in [(x.onside, sides.onside()), (x.offside, sides.offside())] {
                let mut work = Work::new(10_000_000, &mut go_on);
                let side = games.export_graph(side, 10_000).unwrap().canonical(&mut work).unwrap();
                assert_eq!(side, *expected, "{round}: {graph:?}");
            }
        }
        let games = solver.games();
        let minus = games.neg_sides(y).unwrap();
        let difference = games.plus(x, minus).and_then(|d| games.plus(d, value.into()));
        if let Ok(total) = difference {
            assert_eq!(games.outcome(total).unwrap(), class, "{round}: {graph:?} {n}");
        }
    }
    assert_eq!(classes.len(), 9, "{classes:?}");
}
