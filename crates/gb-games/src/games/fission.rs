//! Fission: a stone splits into two. Left replaces a stone by stones above and below it, Right by stones beside it, on
//! empty cells. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let board = gb_games::game("fission").unwrap().read("...|.x.|.#.").unwrap();
//! assert!(board.options(Left).is_empty());
//! assert_eq!(board.options(Right), ["...|x.x|.#."]);
//! ```

use gb_board::{LineMove, Triples};
use gb_rules::grid::prelude::*;

/// The rules of Fission.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fission<W>(PhantomData<W>);

/// Left splits to the north and south, Right to the east and west: a stone (0) between empty cells (1).
const SPLITS: [LineMove; 2] = [
    LineMove { direction: 0, before: [1, 0, 1], after: [0, 1, 0] },
    LineMove { direction: 1, before: [1, 0, 1], after: [0, 1, 0] },
];

impl<W: Word> GridRules for Fission<W> {
    type Board = BitGrid<W, 2>;
    /// The upper or left one of the cells that get a stone.
    type Move = u32;
    const NAME: &'static str = "fission";
    const TITLE: &'static str = "Fission";
    const RULES: &'static str = "Left replaces a stone by two stones on the empty cells above and below it, Right by two \
        stones on the empty cells beside it. Who cannot move loses.";
    const EXAMPLE: &'static str = "....|..x.|....|....";
    const LETTERS: Alphabet = Alphabet(&[('#', "not part of the board"), ('x', "stone"), ('.', "empty")]);
    const SYMMETRY: Symmetry = Symmetry::TransposeNegates;

    /// One stone in the middle.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (rows, cols) = size.grid();
        BitGrid::fill(size, |r, c| if (r, c) == (rows / 2, cols / 2) { 1 } else { 2 })
    }
    #[inline]
    fn moves(&self, at: &Self::Board, who: Player, emit: &mut impl Emit<u32>) -> ControlFlow<()> {
        let [stones, empty] = at.planes;
        Triples::starts(&at.frame(), who as usize, empty, stones, empty).cells().try_for_each(emit)
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u32) {
        let (stone, end) = Triples::rest(&at.frame(), who as usize, W::bit(*mv));
        at.planes = at.planes.map(|plane| plane ^ (W::bit(*mv) | stone | end));
    }
    /// The stone and one of the cells it goes to.
    fn gesture(&self, at: &Self::Board, who: Player, mv: &u32) -> Vec<Spot> {
        let (stone, _) = Triples::rest(&at.frame(), who as usize, W::bit(*mv));
        vec![at.spot(stone.first()), at.spot(*mv)]
    }
    /// The classes of cells that moves which may ever come up could join.
    #[inline]
    fn split(&self, at: &Self::Board, emit: &mut impl FnMut(W)) {
        Triples::ever(&at.frame(), at.planes, &SPLITS).classes(&at.frame(), emit);
    }
    gb_rules::has!(same_when_impartial);
}
