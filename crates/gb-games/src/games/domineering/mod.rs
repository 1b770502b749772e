//! Domineering: the players place dominoes on empty cells, Left upright, Right lying. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let square = gb_games::game("domineering").unwrap().read("..|..").unwrap();
//! assert_eq!(square.options(Left), ["#.|#.", ".#|.#"]);
//! assert_eq!(square.options(Right), ["##|..", "..|##"]);
//! ```

use gb_board::Frame;
use gb_rules::grid::prelude::*;

mod bands;
mod ends;
mod heuristics;
mod needless;
mod race;
mod sight;
mod theorems;

/// The rules of Domineering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Domineering<W>(PhantomData<W>);

impl<W: Word> GridRules for Domineering<W> {
    type Board = BitGrid<W>;
    /// The upper or left cell.
    type Move = u32;
    const NAME: &'static str = "domineering";
    const TITLE: &'static str = "Domineering";
    const RULES: &'static str =
        "Left places a domino upright on two empty cells, Right places one lying. Who cannot move loses.";
    const EXAMPLE: &'static str = "....|....|....|....";
    const LETTERS: Alphabet = Alphabet(&[('#', "not part of the board"), ('.', "empty")]);
    const SYMMETRY: Symmetry = Symmetry::TransposeNegates;
    const WEIGHTS: Option<&'static [u8]> = Some(&[0, 1]);

    fn start(&self, size: Size) -> Result<BitGrid<W>, BoardError> {
        BitGrid::fill(size, |_, _| 1)
    }
    #[inline]
    fn moves(&self, at: &BitGrid<W>, who: Player, emit: &mut impl Emit<u32>) -> ControlFlow<()> {
        places(at, who).cells().try_for_each(emit)
    }
    #[inline]
    fn play(&self, at: &mut BitGrid<W>, who: Player, mv: &u32) {
        at.planes[0] &= !domino(&at.frame(), who, *mv);
    }
    /// Connected cells, and what is cut off from dead ends.
    #[inline]
    fn split(&self, at: &BitGrid<W>, emit: &mut impl FnMut(W)) {
        ends::split(&at.frame(), at.planes[0], emit);
    }
    /// Corridors of width 1 are integers; they are emitted as one corridor for all of them together.
    fn parts(&self, at: &BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>)) {
        ends::parts(at, emit);
    }
    fn tabulated(&self) -> Option<Tabulated> {
        Some(Tabulated::Filling(Filling { moves: [vec![vec![(0, 0), (1, 0)]], vec![vec![(0, 0), (0, 1)]]] }))
    }
    gb_rules::has!(theorems, heuristics, sampling, own_impartial_form);
}

/// The upper or left cells of the dominoes that a player can place.
#[inline]
pub(super) fn places<W: Word>(at: &BitGrid<W>, who: Player) -> W {
    let (frame, empty) = (at.frame(), at.planes[0]);
    match who {
        Player::Left => empty & frame.north(empty),
        Player::Right => empty & frame.west(empty),
    }
}

/// The domino whose upper or left cell is `cell`.
#[inline]
pub(super) fn domino<W: Word>(frame: &Frame<W>, who: Player, cell: u32) -> W {
    let other = match who {
        Player::Left => cell + frame.stride,
        Player::Right => cell + 1,
    };
    W::bit(cell) | W::bit(other)
}
