//! Domineering taken apart at bridges, against the search that never does so.

use gb_board::Random;
use gb_games::games::domineering::Domineering;
use gb_rules::{DynGame, Game, Key, Player, direct};
use gb_search::question::ExactValue;
use gb_search::{Question, SearchContext, Table, search};
use gb_value::{Budget, Halt, Kernel, Store, Value};

/// The exact value, without bridges.
struct ByOptions;

impl Question for ByOptions {
    type Fact = Value;
    const PLAYERS: &'static [Player] = ExactValue::PLAYERS;

    fn known<const N: usize>(
        &self,
        game: &dyn DynGame<N>,
        part: &Key<N>,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Value>, Halt> {
        ExactValue.known(game, part, kernel)
    }
    fn negate(&self, fact: Value, kernel: &Kernel<'_>) -> Result<Value, Halt> {
        ExactValue.negate(fact, kernel)
    }
    fn sum(&self, points: i64, facts: &[Value], kernel: &Kernel<'_>) -> Result<Value, Halt> {
        ExactValue.sum(points, facts, kernel)
    }
    fn compose(&self, lefts: &[Value], rights: &[Value], kernel: &Kernel<'_>) -> Result<Value, Halt> {
        ExactValue.compose(lefts, rights, kernel)
    }
}

#[test]
fn bridges_change_no_value() {
    let game: Game<2> = direct(Domineering::<u64>::default());
    let (store, budget) = (Store::new(), Budget::unlimited());
    let context = SearchContext::new(&store, &budget);
    let (with, without) = (Table::new(), Table::new());
    let mut bridges = 0;
    let mut same = |rows: usize, cols: usize, cells: u64| {
        let letter = |i: usize| if cells >> i & 1 == 1 { '.' } else { '#' };
        let text: Vec<String> =
            (0..rows).map(|row| (0..cols).map(|col| letter(row * cols + col)).collect()).collect();
        let board = game.read(&text.join("|")).unwrap();
        let (mut parts, mut found) = (vec![], vec![]);
        game.parts(&board, &mut parts);
        parts.iter().for_each(|part| game.bridges(part, &mut found));
        bridges += found.len();
        assert_eq!(
            search(&*game, &ExactValue, &with, &board, &context),
            search(&*game, &ByOptions, &without, &board, &context),
            "{}",
            text.join("|")
        );
    };
    for cells in 0..1 << 15 {
        same(3, 5, cells);
    }
    let mut random = Random::new(1, 0);
    for _ in 0..40 {
        let random = random.next();
        // Three cells of four are left.
        same(5, 6, (random | random >> 32) & 0x3fff_ffff);
    }
    assert!(bridges > 10_000, "{bridges}");
}
