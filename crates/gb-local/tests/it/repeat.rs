//! Games that can repeat: outcomes against a search that only follows moves, values against the plain graph of all positions.

use gb_board::{BitGrid, Size};
use gb_game::{Player, Rules};
use gb_games::games::fox_and_geese::FoxAndGeese;
use gb_local::question::outcome::Sum;
use gb_local::repeat::{LoopSolver, endings};
use gb_local::{Bench, loopy_game};
use gb_value::loopy::{Ending, Work};
use gb_value::text::Style;
use gb_value::{Budget, Store};

use crate::fox::mover_wins;

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
    let bench = Bench::new(&store, &budget);
    let rules = Fox::default();
    let mut seen = 0;
    for at in boards(3, 3, 4).into_iter().chain(boards(3, 4, 3)).chain(boards(4, 3, 2)) {
        let found = endings(&rules, &Sum::of(at), &bench);
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
    let (bench, kernel) = (Bench::new(&store, &budget), store.kernel(&budget));
    let rules = Fox::default();
    let mut solver = LoopSolver::new(&rules, &kernel);
    let mut loopy = 0;
    for at in boards(3, 3, 3).into_iter().chain(boards(3, 4, 2)) {
        let value = solver.value(&at).unwrap();
        let stopper = value.as_stopper().expect("geese only go down");
        loopy += usize::from(value.as_value().is_none());
        let mut go_on = || true;
        let mut work = Work::new(50_000_000, &mut go_on);
        let plain = loopy_game(&rules, &at, &bench, 100_000).unwrap();
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
    let rules = Fox::default();
    let at = rules.read(text).or_else(|_| rules.start(Size::read(text).unwrap())).unwrap();
    let mut solver = LoopSolver::new(&rules, &kernel);
    let value = solver.value(&at).unwrap();
    let shown = solver.games().export(value).unwrap().show(&kernel, &Style::default()).text;
    (shown, solver.positions(), solver.games().loops())
}

#[test]
fn one_position() {
    if let Ok(text) = std::env::var("FOX") {
        println!("{:?}", value_text(&text));
    }
}
