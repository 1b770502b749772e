//! Fox and Geese: threats where positions repeat.

use std::ops::ControlFlow;

use gb_board::{BitGrid, Random, Size};
use gb_games::games::fox_and_geese::FoxAndGeese;
use gb_rules::{Coding, Direct, Game, GlobalWins, Player, Rules, direct};
use gb_search::question::{ThreatTable, threats};
use gb_search::{SearchContext, loopy_game};
use gb_value::loopy::{Ending, LoopyGame, Work};
use gb_value::{Budget, Halt, Store, Value};
use rustc_hash::FxHashMap;

use crate::threats::graph_of;

type Fox = FoxAndGeese<u64>;

pub(crate) fn fox() -> Game<3> {
    direct(Fox::default())
}

fn graph(at: &BitGrid<u64, 2>) -> LoopyGame {
    let (store, budget) = (Store::new(), Budget::unlimited());
    loopy_game(&*fox(), &Direct.key(at), &SearchContext::new(&store, &budget), 100_000).unwrap()
}

fn canonical_text(text: &str) -> String {
    let mut go_on = || true;
    let mut work = Work::new(50_000_000, &mut go_on);
    let game = graph(&Fox::default().read(text).unwrap());
    game.canonical(&mut work).unwrap().game().show(&|_, _| None, &gb_value::text::Style::default()).text
}

/// Whether the player to move wins when moves alternate: that ends, since the geese only go down.
pub(crate) fn mover_wins(at: &BitGrid<u64, 2>, who: Player) -> bool {
    let rules = Fox::default();
    if let Some(winner) = rules.global_win(at) {
        return winner == who;
    }
    let mut wins = false;
    let _ = rules.moves(at, who, &mut |mv| {
        let mut next = *at;
        rules.play(&mut next, who, &mv);
        wins = !mover_wins(&next, who.opponent());
        if wins { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    wins
}

#[test]
fn graphs_threats_and_play_agree() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let rules = Fox::default();
    let table = ThreatTable::new();
    let mut random = Random::new(0x0dd_ba11_5eed, 0);
    let (mut finite, mut loopy) = (0, 0);
    for _ in 0..400 {
        let (rows, cols) = (3 + random.below(2), 3 + random.below(2));
        let mut cells = vec!['.'; rows * cols];
        for _ in 0..1 + random.below(3) {
            cells[random.below(rows * cols)] = 'x';
        }
        cells[random.below(rows * cols)] = 'o';
        let rows: Vec<String> = cells.chunks(cols).map(|row| row.iter().collect()).collect();
        let text = rows.join("|");
        let at = rules.read(&text).unwrap();
        let game = graph(&at);
        assert!(game.is_stopper(), "{text}");
        let outcome = game.outcome();
        let win_of = |left| if left { Ending::Win } else { Ending::Loss };
        assert_eq!(outcome.left_starts, win_of(mover_wins(&at, Player::Left)), "{text}");
        assert_eq!(outcome.right_starts, win_of(!mover_wins(&at, Player::Right)), "{text}");
        match threats(&*fox(), &table, &Direct.key(&at), &context) {
            Ok(found) => {
                let mut go_on = || true;
                let mut work = Work::new(50_000_000, &mut go_on);
                let value = graph_of(found.value, &kernel).canonical(&mut work).unwrap();
                assert_eq!(game.canonical(&mut work).unwrap(), value, "{text}");
                finite += 1;
            }
            Err(stop) => {
                assert_eq!(stop, Halt::Repetition);
                assert!(game.has_loops(), "{text}");
                loopy += 1;
            }
        }
    }
    assert!(finite > 50 && loopy > 50, "{finite} {loopy}");
}

#[test]
fn small_positions() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let (game, table) = (fox(), ThreatTable::new());
    let find =
        |text: &str| threats(&*game, &table, &game.read(text).unwrap(), &context).map(|found| found.value);
    assert_eq!(find("o..|x.x|..."), Ok(Value::OFF), "escaped");
    assert_eq!(canonical_text("o..|x.x|..."), "off");
    // Caught, but every move of a goose lets the fox go; then one goose has two moves to spare.
    assert_eq!(canonical_text("x..|.x.|o.."), "0");
    let mut go_on = || true;
    let mut work = Work::new(50_000_000, &mut go_on);
    let spare = graph(&Fox::default().read("x..x|.x..|o...").unwrap()).canonical(&mut work).unwrap();
    assert_eq!(spare, graph_of(kernel.integer(2), &kernel).canonical(&mut work).unwrap());
    assert_eq!(find("x.x.|....|....|.o.."), Err(Halt::Repetition), "the fox walks about");
}

/// Play alternates between a board and a number: Right's moves to spare, and a small fraction beside them.
struct WithNumber {
    seen: FxHashMap<(BitGrid<u64, 2>, Player, u8, u8), bool>,
}

impl WithNumber {
    /// Whether `who`, to move, wins the board minus `whole` minus 1/2^`halvings` (nothing if that is 0). It ends: geese only go
    /// down, and so do numbers.
    fn wins(&mut self, at: &BitGrid<u64, 2>, who: Player, whole: u8, halvings: u8) -> bool {
        let rules = Fox::default();
        if let Some(winner) = rules.global_win(at) {
            return winner == who;
        }
        let key = (*at, who, whole, halvings);
        if let Some(&known) = self.seen.get(&key) {
            return known;
        }
        let other = who.opponent();
        let numbers = match (who, halvings) {
            // -1/2^n = {-1/2^(n-1)|0}, and -1 = {|0}.
            (Player::Left, 0) => vec![],
            (Player::Left, 1) => vec![(whole + 1, 0)],
            (Player::Left, n) => vec![(whole, n - 1)],
            (Player::Right, 0) if whole > 0 => vec![(whole - 1, 0)],
            (Player::Right, 0) => vec![],
            (Player::Right, n) if whole > 0 => vec![(whole - 1, n), (whole, 0)],
            (Player::Right, _) => vec![(whole, 0)],
        };
        let mut wins = numbers.into_iter().any(|(whole, n)| !self.wins(at, other, whole, n));
        let _ = rules.moves(at, who, &mut |mv| {
            if wins {
                return ControlFlow::Break(());
            }
            let mut next = *at;
            rules.play(&mut next, who, &mv);
            wins = !self.wins(&next, other, whole, halvings);
            ControlFlow::Continue(())
        });
        self.seen.insert(key, wins);
        wins
    }
}

/// On the usual board the game is worth 2 + over, over being positive and smaller than all positive numbers (Berlekamp, Conway
/// and Guy, Winning Ways, second edition 2003, chapter 20, who thank J. Welton for it).
#[test]
fn the_usual_board_is_worth_a_little_more_than_two() {
    let rules = Fox::default();
    let start = rules.start(Size::Grid(8, 8)).unwrap();
    let mut play = WithNumber { seen: FxHashMap::default() };
    // More than 2: Left wins the difference, whoever begins.
    assert!(play.wins(&start, Player::Left, 2, 0) && !play.wins(&start, Player::Right, 2, 0));
    // Less than 2 1/8: Right does.
    assert!(!play.wins(&start, Player::Left, 2, 3) && play.wins(&start, Player::Right, 2, 3));
}

/// Four columns and four rows are worth exactly over: the fox can wait for ever, and the geese have him in the end.
#[test]
fn the_smallest_board_with_two_geese_is_over() {
    assert_eq!(canonical_text("x.x.|....|....|.o.."), "over");
}
