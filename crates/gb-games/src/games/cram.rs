//! Cram: Domineering in which both players place dominoes either way. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::Left;
//! let square = gb_games::game("cram").unwrap().read("..|..").unwrap();
//! assert_eq!(square.options(Left), ["#.|#.", ".#|.#", "##|..", "..|##"]);
//! ```

use gb_rules::grid::prelude::*;

use super::domineering::{Domineering, domino, places};

/// The rules of Cram.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cram<W>(PhantomData<W>);

impl<W: Word> GridRules for Cram<W> {
    type Board = BitGrid<W>;
    /// As whose domino (upright or lying), and its upper or left cell.
    type Move = (Player, u8);
    const NAME: &'static str = "cram";
    const TITLE: &'static str = "Cram";
    const RULES: &'static str =
        "A player places a domino, upright or lying, on two empty cells. Who cannot move loses.";
    const EXAMPLE: &'static str = Domineering::<W>::EXAMPLE;
    const LETTERS: Alphabet = Domineering::<W>::LETTERS;
    const IMPARTIAL: bool = true;
    const SYMMETRY: Symmetry = Symmetry::Images;
    const WEIGHTS: Option<&'static [u8]> = Some(&[0, 1]);

    fn start(&self, size: Size) -> Result<BitGrid<W>, BoardError> {
        BitGrid::fill(size, |_, _| 1)
    }
    #[inline]
    fn moves(&self, at: &BitGrid<W>, _who: Player, emit: &mut impl Emit<(Player, u8)>) -> ControlFlow<()> {
        for way in Player::BOTH {
            places(at, way).cells().try_for_each(|cell| emit((way, cell as u8)))?;
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut BitGrid<W>, _who: Player, &(way, cell): &(Player, u8)) {
        at.planes[0] &= !domino(&at.frame(), way, cell.into());
    }
    /// Connected cells, at least two.
    #[inline]
    fn split(&self, at: &BitGrid<W>, emit: &mut impl FnMut(W)) {
        at.frame().components4(at.planes[0]).filter(|part| part.len() > 1).for_each(emit);
    }
    gb_rules::has!(same_when_impartial);
}
