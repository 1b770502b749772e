//! Toppling Dominoes: a player chooses a domino of the own colour, or a green one, and topples it to the left or to the
//! right; it falls with all dominoes on that side of its row. Who cannot move loses.
//!
//! Fink, Nowakowski, Siegel and Wolfe, Toppling Conjectures, 2015. Rows are played side by side.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("toppling-dominoes").unwrap().read("xo").unwrap();
//! assert_eq!(row.options(Left), ["#o", "##"]);
//! assert_eq!(row.options(Right), ["##", "x#"]);
//! ```

use gb_board::Look;
use gb_rules::grid::prelude::*;

/// The rules of Toppling Dominoes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TopplingDominoes<W>(PhantomData<W>);

impl<W: Word> GridRules for TopplingDominoes<W> {
    type Board = BitGrid<W, 2>;
    /// The domino, and whether it falls to the right.
    type Move = (u8, bool);
    const NAME: &'static str = "toppling-dominoes";
    const TITLE: &'static str = "Toppling Dominoes";
    const RULES: &'static str = "A player topples a domino of the own colour, or a green one, to the left or to the right; all \
        dominoes on that side of its row fall too. Who cannot move loses.";
    const EXAMPLE: &'static str = "xxogo|oxx";
    const LETTERS: Alphabet = Alphabet(&[
        ('#', "(fallen)"),
        ('x', "Left's domino"),
        ('o', "Right's domino"),
        ('g', "green, either player's"),
    ]);
    const RAGGED: bool = true;
    const LOOK: Look = Look::Tiles;
    const SYMMETRY: Symmetry = Symmetry::RowAndColours;

    /// With the dominoes that have fallen.
    fn show(&self, at: &Self::Board) -> String {
        at.show(&Self::LETTERS)
    }
    /// Alternating colours.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        BitGrid::fill(size, |row, col| 1 + (row + col) % 2)
    }
    #[inline]
    fn moves(&self, at: &Self::Board, who: Player, emit: &mut impl Emit<(u8, bool)>) -> ControlFlow<()> {
        let (frame, standing) = (at.frame(), at.planes[0] | at.planes[1]);
        for cell in at.planes[who as usize].cells() {
            emit((cell as u8, false))?;
            // Alone in its row it falls the same way to both sides.
            if (frame.east(W::bit(cell)) | frame.west(W::bit(cell))).meets(standing) {
                emit((cell as u8, true))?;
            }
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, _who: Player, mv: &(u8, bool)) {
        at.remove(falling(at, mv));
    }
    /// The domino and the last one that falls.
    fn gesture(&self, at: &Self::Board, _who: Player, mv: &(u8, bool)) -> Vec<Spot> {
        let falling = falling(at, mv);
        vec![at.spot(mv.0.into()), at.spot(if mv.1 { falling.last() } else { falling.first() })]
    }
    /// Rows.
    #[inline]
    fn split(&self, at: &Self::Board, emit: &mut impl FnMut(W)) {
        at.frame().runs(at.planes[0] | at.planes[1]).for_each(emit);
    }
    gb_rules::has!(same_when_impartial);
}

/// The dominoes of the row of `cell` to its left or to its right, itself included.
#[inline]
fn falling<W: Word>(at: &BitGrid<W, 2>, &(cell, to_the_right): &(u8, bool)) -> W {
    let (frame, standing) = (at.frame(), at.planes[0] | at.planes[1]);
    let row = frame.runs(standing).find(|row| row.has(cell.into())).unwrap_or_default();
    let before = W::low(cell.into());
    row & if to_the_right { !before } else { before | W::bit(cell.into()) }
}
