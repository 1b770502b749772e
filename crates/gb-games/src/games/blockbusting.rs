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

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Scene, Size, Spot, Word};
use gb_rules::{Info, Player, Rules, Scoring, Sign};

/// The rules of Blockbusting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Blockbusting<W>(PhantomData<W>);

const LETTERS: Alphabet = Alphabet(&[
    ('#', "(not part of the board)"),
    ('x', "Left's parcel"),
    ('o', "Right's parcel"),
    ('.', "unclaimed"),
]);

impl<W: Word> Rules for Blockbusting<W> {
    type Board = BitGrid<W, 2>;
    /// The parcel.
    type Move = u8;

    fn info(&self) -> Info {
        Info {
            name: "blockbusting".into(),
            title: "Blockbusting",
            rules: "A player claims a parcel of the street. For each pair of neighbouring parcels that are both Left's, Left \
                    scores a point; pairs that are on the board already have been counted.",
            alphabet: LETTERS.0,
            example: ".......",
            impartial: false,
            loopy: false,
        }
    }
    fn read(&self, text: &str) -> Result<Self::Board, BoardError> {
        BitGrid::read_ragged(text, &LETTERS)
    }
    fn show(&self, at: &Self::Board) -> String {
        at.show_ragged(&LETTERS)
    }
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        BitGrid::fill(size, |_, _| 3)
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        _who: Player,
        emit: &mut impl FnMut(u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for cell in (at.planes[0] & at.planes[1]).cells() {
            emit(cell as u8)?;
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u8) {
        let other = if who == Player::Left { 1 } else { 0 };
        at.planes[other] &= !W::bit(u32::from(*mv));
    }
    fn gesture(&self, at: &Self::Board, _who: Player, mv: &u8) -> Vec<Spot> {
        vec![at.spot(u32::from(*mv))]
    }
    fn scene(&self, at: &Self::Board) -> Scene {
        at.scene(&LETTERS)
    }

    /// Stretches of unclaimed parcels, with the parcels of Left at their ends.
    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        split(at, &mut |_, set| emit(at.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        split(at, &mut |own, set| emit(at.cut(set), at.spots(own)));
    }
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        (at.min(at.turn()), Sign::Plus)
    }
    gb_rules::has!(scoring, same_when_impartial);
}

impl<W: Word> Scoring<BitGrid<W, 2>, u8> for Blockbusting<W> {
    #[inline]
    fn points(&self, at: &BitGrid<W, 2>, who: Player, mv: &u8) -> i64 {
        let (frame, cell) = (at.frame(), W::bit(u32::from(*mv)));
        let own = at.planes[0] & !at.planes[1];
        if who == Player::Left { ((frame.east(cell) | frame.west(cell)) & own).len().into() } else { 0 }
    }
}

#[inline]
fn split<W: Word>(at: &BitGrid<W, 2>, emit: &mut impl FnMut(W, W)) {
    let frame = at.frame();
    let [x, o] = at.planes;
    let (free, lefts) = (x & o, x & !o);
    let mut left = free;
    while !left.is_empty() {
        let mut part = W::bit(left.first());
        loop {
            let next = part | (frame.east(part) & free);
            if next == part {
                break;
            }
            part = next;
        }
        left &= !part;
        emit(part, part | ((frame.east(part) | frame.west(part)) & lefts));
    }
}
