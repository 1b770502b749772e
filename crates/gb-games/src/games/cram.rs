//! Cram: Domineering in which both players place dominoes either way. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::Left;
//! let square = gb_games::game("cram").unwrap().read("..|..").unwrap();
//! assert_eq!(square.options(Left), ["#.|#.", ".#|.#", "##|..", "..|##"]);
//! ```

use gb_rules::Theorems;
use gb_rules::grid::prelude::*;
use gb_value::{Halt, Kernel, Value};

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
    fn tabulated(&self) -> Option<Tabulated> {
        let either = vec![vec![(0, 0), (1, 0)], vec![(0, 0), (0, 1)]];
        Some(Tabulated::Filling(Filling { moves: [either.clone(), either] }))
    }
    gb_rules::has!(theorems, same_when_impartial);
}

impl<W: Word> Theorems<BitGrid<W>, (Player, u8)> for Cram<W> {
    /// Who moves second answers every domino by its image under half a turn, and wins, if the board is its own image and no domino meets
    /// its own: after both the board is its own image again, with fewer cells.
    fn known(&self, at: &BitGrid<W>, _kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        let turned = at.turn();
        // A domino meets its image only in the middle: on the cell there, or on two cells that are each other's images.
        let (rows, cols) = (u32::from(at.rows), u32::from(at.cols));
        let frame = at.frame();
        let empty = |row: u32, col: u32| at.planes[0].has(frame.index(row, col));
        let meets = match (rows % 2, cols % 2) {
            (0, 0) => false,
            (1, 1) => empty(rows / 2, cols / 2),
            (0, _) => empty(rows / 2, cols / 2) && empty(rows / 2 - 1, cols / 2),
            _ => empty(rows / 2, cols / 2) && empty(rows / 2, cols / 2 - 1),
        };
        Ok((turned == *at && !meets).then_some(Value::ZERO))
    }
}
