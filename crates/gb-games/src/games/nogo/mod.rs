//! NoGo: players place stones as in Go, but nothing is ever taken: a move after which any group, own or enemy, has no
//! liberty is illegal. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("nogo").unwrap().read("x..").unwrap();
//! assert_eq!(row.options(Left), ["xx.", "x.x"]);
//! assert_eq!(row.options(Right), ["x.o"]);
//! ```

use gb_rules::grid::prelude::*;

mod liberties;
mod theorems;

use liberties::{legal, split};

/// The rules of NoGo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoGo<W>(PhantomData<W>);

impl<W: Word> GridRules for NoGo<W> {
    /// Planes: not Right's stone, not Left's stone (both: empty), lasting. A cell that neither player will ever be allowed to
    /// fill lasts as a liberty, and then the stones beside it are safe for good.
    type Board = BitGrid<W, 3>;
    /// The cell.
    type Move = u32;
    const NAME: &'static str = "nogo";
    const TITLE: &'static str = "NoGo";
    const RULES: &'static str = "A player places a stone on an empty cell such that all groups, own and enemy, keep a liberty \
        (an empty cell beside, above or below). Who cannot move loses.";
    const EXAMPLE: &'static str = "...|...|...";
    const LETTERS: Alphabet = Alphabet(&[
        ('#', "not part of the board"),
        ('x', "Left's stone"),
        ('o', "Right's stone"),
        ('.', "empty"),
        ('+', "(empty for good)"),
        ('X', "(Left's stone, safe)"),
        ('O', "(Right's stone, safe)"),
    ]);
    const SYMMETRY: Symmetry = Symmetry::ImagesAndColours;
    const WEIGHTS: Option<&'static [u8]> = Some(&[0, 0, 0, 1, 0, 0, 0]);

    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        BitGrid::fill(size, |_, _| 3)
    }
    #[inline]
    fn moves(&self, at: &Self::Board, who: Player, emit: &mut impl Emit<u32>) -> ControlFlow<()> {
        legal(at, who).cells().try_for_each(emit)
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u32) {
        at.planes[who.opponent() as usize] &= !W::bit(*mv);
    }
    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        split(at, &mut |board, set, _| emit(board.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        split(at, &mut |board, set, own| emit(board.cut(set), board.spots(own)));
    }
    fn tabulated(&self) -> Option<Tabulated> {
        Some(Tabulated::Coming(Coming { letters: [3, 1, 2], rule: ComingRule::GroupsBreathe }))
    }
    gb_rules::has!(theorems, heuristics, sampling, same_when_impartial);
}
