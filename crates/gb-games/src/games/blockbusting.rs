//! Blockbusting: players claim parcels of a street, one a turn. Left scores a point for each pair of neighbouring
//! parcels that are both Left's; Right wants to prevent that (Berlekamp, Blockbusting and Domineering, 1988).
//!
//! The value of a position is the score still to come: pairs on the board have been counted. Rows are streets side by
//! side.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let street = gb_games::game("blockbusting").unwrap().read("x.").unwrap();
//! assert_eq!(street.options(Left), ["xx"]);
//! assert_eq!(street.moves(Left, 1)[0].points, 1);
//! assert_eq!(street.options(Right), ["xo"]);
//! ```

use gb_rules::Scoring;
use gb_rules::grid::prelude::*;

/// The rules of Blockbusting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Blockbusting<W>(PhantomData<W>);

impl<W: Word> GridRules for Blockbusting<W> {
    type Board = BitGrid<W, 2>;
    /// The parcel.
    type Move = u32;
    const NAME: &'static str = "blockbusting";
    const TITLE: &'static str = "Blockbusting";
    const RULES: &'static str = "A player claims a parcel of the street. For each pair of neighbouring parcels that are both \
        Left's, Left scores a point; pairs that are on the board already have been counted.";
    const EXAMPLE: &'static str = ".......";
    const LETTERS: Alphabet = Alphabet(&[
        ('#', "(not part of the board)"),
        ('x', "Left's parcel"),
        ('o', "Right's parcel"),
        ('.', "unclaimed"),
    ]);
    const RAGGED: bool = true;
    const SYMMETRY: Symmetry = Symmetry::Row;

    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        BitGrid::fill(size, |_, _| 3)
    }
    #[inline]
    fn moves(&self, at: &Self::Board, _who: Player, emit: &mut impl Emit<u32>) -> ControlFlow<()> {
        at.empty().cells().try_for_each(emit)
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u32) {
        at.put(who as usize, W::bit(*mv));
    }
    /// Stretches of unclaimed parcels.
    #[inline]
    fn split(&self, at: &Self::Board, emit: &mut impl FnMut(W)) {
        at.frame().runs(at.empty()).for_each(emit);
    }
    /// These with the parcels of Left at their ends.
    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        self.split(at, &mut |part| emit(at.cut(part | lefts_beside(at, part))));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        self.split(at, &mut |part| emit(at.cut(part | lefts_beside(at, part)), at.spots(part)));
    }
    gb_rules::has!(scoring, same_when_impartial);
}

/// Left's parcels at the ends of parcels.
#[inline]
fn lefts_beside<W: Word>(at: &BitGrid<W, 2>, parcels: W) -> W {
    (at.frame().east(parcels) | at.frame().west(parcels)) & at.pieces()[0]
}

impl<W: Word> Scoring<BitGrid<W, 2>, u32> for Blockbusting<W> {
    #[inline]
    fn points(&self, at: &BitGrid<W, 2>, who: Player, mv: &u32) -> i64 {
        if who == Player::Left { lefts_beside(at, W::bit(*mv)).len().into() } else { 0 }
    }
}
