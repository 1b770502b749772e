//! Boards that do not fit into the representation of a game are errors, and parts of all frames are stored rightly.

use std::ops::ControlFlow;

use gb_board::{BitGrid, BoardError, Codes};
use gb_db::{Scope, Settings, StoreError, Table, TabulatedGame};
use gb_games::games::domineering::Domineering;
use gb_rules::{AnyGame, GridTraits, Info, Player, Rules, Sign, Tabulation, Variant};
use gb_search::SearchContext;
use gb_value::{Budget, Store, Value};

use crate::{build, game, verified, wide};

/// A diagonal part of 16 cells, in a frame of 72.
const DIAGONAL: &str = "..#######|#..######|##..#####|###..####|####..###|#####..##|######..#|#######..";

#[test]
fn a_board_that_does_not_fit_is_an_error_everywhere() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let context = SearchContext::new(&store, &budget);
    for name in ["amazons", "clobber", "col", "cram", "domineering", "konane", "nogo", "snort"] {
        let (narrow, wide) = (game(name), wide(name));
        let board = Codes::blank(8, 9);
        assert!(wide.check(&board).is_ok(), "{name}");
        let too_large = |error: BoardError| matches!(error, BoardError::TooLarge { .. });
        assert!(too_large(narrow.check(&board).unwrap_err()), "{name}");
        assert!(too_large(narrow.parts(&board, &mut |_| {}).unwrap_err()), "{name}");
        assert!(too_large(narrow.normal_form(&board).unwrap_err()), "{name}");
        assert!(too_large(narrow.remember(&board, Value::ZERO).unwrap_err()), "{name}");
        for who in Player::BOTH {
            assert!(too_large(narrow.options(&board, who, &mut |_| {}).unwrap_err()), "{name}");
        }
        let searched = narrow.search(&board, &context).unwrap_err();
        assert!(matches!(searched, StoreError::Board(BoardError::TooLarge { .. })), "{name}: {searched}");
    }
}

#[test]
fn the_diagonal_part_is_not_zero() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let domineering = wide("domineering");
    let board = domineering.read(DIAGONAL).unwrap();
    let value = domineering.search(&board, &context).unwrap();
    assert_eq!(kernel.outcome(value).unwrap().to_string(), "N");
    assert_eq!(kernel.mean(value).unwrap().to_string(), "-15/16");
}

/// The smallest size that names a representation must hold the largest frame of the parts.
#[test]
fn samples_hold_all_frames() {
    for cells in 1..=21 {
        let sample = Scope::Parts(cells).sample();
        let (rows, cols) = sample.split_once('x').unwrap();
        let area = rows.parse::<usize>().unwrap() * cols.parse::<usize>().unwrap();
        let largest = (1..=cells).map(|rows| rows * (cells + 1 - rows)).max().unwrap();
        assert!(area >= largest && area <= 128, "{cells}: {sample}");
    }
}

#[test]
fn parts_for_which_the_boards_are_too_small_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let build = |game, scope| {
        gb_db::build(game, scope, folder.path(), Budget::unlimited(), &Settings::default(), &|_| {})
    };
    let error = build(game("domineering"), Scope::Parts(16)).unwrap_err();
    assert!(matches!(error, StoreError::Board(BoardError::TooLarge { .. })), "{error}");
    assert!(error.to_string().contains("a board of 8x9 cells is too large"), "{error}");
    let error = build(wide("domineering"), Scope::Parts(22)).unwrap_err();
    assert!(error.to_string().contains("expected a number from 1 to 21"), "{error}");
    let error = build(wide("clobber"), Scope::Parts(17)).unwrap_err();
    assert!(error.to_string().contains("too large to be numbered"), "{error}");
    // Also where the game says so only when it is asked about a board.
    let error = build(faulty(Fault::Refused), Scope::Parts(6)).unwrap_err();
    assert!(matches!(error, StoreError::Board(BoardError::Invalid(_))), "{error}");
}

/// Narrow and wide boards make the same table.
#[test]
fn the_representation_makes_no_difference() {
    for (name, cells) in [("domineering", 9), ("clobber", 5), ("cram", 8), ("snort", 4)] {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let narrow = build(name, Scope::Parts(cells), folders[0].path());
        let built = gb_db::build(
            wide(name),
            Scope::Parts(cells),
            folders[1].path(),
            Budget::unlimited(),
            &Settings::default(),
            &|_| {},
        );
        let table = Table::open(&narrow).unwrap();
        assert!(verified(name, &table, 300, 5).wrong.is_empty());
        assert!(std::fs::read(narrow).unwrap() == std::fs::read(built.unwrap().path).unwrap(), "{name}");
    }
}

/// A table whose parts were taken for parts without moves does not pass: neither their values nor their places are right.
#[test]
fn verification_sees_through_a_wrong_representation() {
    let folder = tempfile::tempdir().unwrap();
    let blind = faulty(Fault::Blind);
    let built = gb_db::build(
        blind,
        Scope::Parts(7),
        folder.path(),
        Budget::unlimited(),
        &Settings::default(),
        &|_| {},
    );
    let table = Table::open(&built.unwrap().path).unwrap();
    let found = verified("domineering", &table, 40, 1);
    assert!(!found.wrong.is_empty());
    // Every frame is looked at, the largest first, however small the sample is.
    assert!(verified("domineering", &table, 1, 1).wrong.len() == 1);
}

/// All parts of Domineering up to 16 cells: as many as there are free polyominoes of 1 to 16 cells (A000105 of the OEIS). Takes
/// minutes and gigabytes: with `GB_LONG_TESTS=1`, best in the release profile.
#[test]
fn sixteen_cells() {
    const FREE: [u64; 16] =
        [1, 1, 2, 5, 12, 35, 108, 369, 1285, 4655, 17_073, 63_600, 238_591, 901_971, 3_426_576, 13_079_255];
    let cells = crate::times(9, 16);
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { threads: 2, ..Settings::default() };
    let scope = Scope::Parts(cells);
    let (budget, domineering) = (Budget::unlimited(), wide("domineering"));
    let path = gb_db::build(domineering, scope, folder.path(), budget, &settings, &|_| {}).unwrap().path;
    let table = Table::open(&path).unwrap();
    assert_eq!(table.boards(), FREE[..cells].iter().sum::<u64>());
    let found = verified("domineering", &table, crate::times(200, 5000) as u64, 1);
    assert!(found.wrong.is_empty(), "{:?}", found.wrong);
    if cells == 16 {
        assert_eq!(table.boards(), 17_733_539);
        let (library, reports) = crate::library(folder.path());
        let (store, budget, game) = (Store::new(), Budget::unlimited(), wide("domineering"));
        let kernel = store.kernel(&budget);
        let known = library.known(&game, &game.read(DIAGONAL).unwrap(), &kernel).unwrap().unwrap();
        assert_eq!(kernel.mean(known.value().unwrap()).unwrap().to_string(), "-15/16");
        assert!(reports.lock().unwrap().is_empty());
    }
}

/// What is wrong with boards of more than nine cells.
#[derive(Clone, Copy)]
enum Fault {
    /// They have no codes, although they are read from codes.
    Refused,
    /// They have no moves, in whatever form they are.
    Blind,
}

/// Domineering with a fault.
#[derive(Clone, Copy)]
struct Faulty(Fault);

fn faulty(fault: Fault) -> TabulatedGame {
    TabulatedGame::new(AnyGame::direct(Variant::Plain, Faulty(fault))).unwrap()
}

type Board = BitGrid<u64>;

fn sound() -> Domineering<u64> {
    Domineering::default()
}

fn is_large(at: &Board) -> bool {
    usize::from(at.rows) * usize::from(at.cols) > 9
}

impl Rules for Faulty {
    type Board = Board;
    type Move = u32;

    fn info(&self) -> Info {
        sound().info()
    }
    fn read(&self, text: &str) -> Result<Board, BoardError> {
        sound().read(text)
    }
    fn show(&self, at: &Board) -> String {
        match self.0 {
            Fault::Refused if is_large(at) => String::new(),
            _ => sound().show(at),
        }
    }
    fn moves(
        &self,
        at: &Board,
        who: Player,
        emit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.0 {
            Fault::Blind if is_large(at) => ControlFlow::Continue(()),
            _ => sound().moves(at, who, emit),
        }
    }
    fn play(&self, at: &mut Board, who: Player, mv: &u32) {
        sound().play(at, who, mv);
    }
    fn parts(&self, at: &Board, emit: &mut impl FnMut(Board)) {
        match self.0 {
            Fault::Blind if is_large(at) => emit(*at),
            _ => sound().parts(at, emit),
        }
    }
    fn normalise(&self, at: Board) -> (Board, Sign) {
        match self.0 {
            Fault::Blind if is_large(&at) => (at, Sign::Plus),
            _ => sound().normalise(at),
        }
    }
    gb_rules::has!(tabulation);
}

impl Tabulation<Board> for Faulty {
    fn grid(&self) -> GridTraits {
        sound().grid()
    }
}
