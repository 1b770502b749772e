//! Peg duotaire: peg solitaire for two. A peg hops over a peg beside, above or below it to the empty hole behind, and the
//! peg it jumped over is removed. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::Left;
//! let row = gb_games::game("peg-duotaire").unwrap().read(".xx.").unwrap();
//! assert_eq!(row.options(Left), ["...x", "x..."]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Size, Spot, Triples, Word};
use gb_rules::{Info, Player, Rules, Sign};

use crate::shared::letters::grid_of_letters;

/// The rules of peg duotaire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PegDuotaire<W>(PhantomData<W>);

const LETTERS: Alphabet = Alphabet(&[('#', "not part of the board"), ('x', "peg"), ('.', "empty hole")]);

impl<W: Word> Rules for PegDuotaire<W> {
    type Board = BitGrid<W, 2>;
    /// The peg and its direction, as in [`Triples`].
    type Move = (u8, u8);

    fn info(&self) -> Info {
        Info {
            name: "peg-duotaire".into(),
            title: "Peg duotaire",
            rules: "A player hops with a peg over a peg beside, above or below it to the empty hole behind and removes the \
                    peg jumped over. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "xxx|x.x|xxx|.x.",
            impartial: true,
            loopy: false,
        }
    }
    grid_of_letters!(LETTERS);
    /// Pegs everywhere but in the middle.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (rows, cols) = size.grid();
        BitGrid::fill(size, |r, c| if (r, c) == (rows / 2, cols / 2) { 2 } else { 1 })
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        _who: Player,
        emit: &mut impl FnMut((u8, u8)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [pegs, empty] = at.planes;
        for d in 0..4 {
            for from in Triples::starts(&at.frame(), d, pegs, pegs, empty).cells() {
                emit((from as u8, d as u8))?;
            }
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, _who: Player, &(from, d): &(u8, u8)) {
        let from = W::bit(from.into());
        let (over, land) = Triples::rest(&at.frame(), d.into(), from);
        at.planes[0] ^= from | over | land;
        at.planes[1] ^= from | over | land;
    }
    fn gesture(&self, at: &Self::Board, _who: Player, &(from, d): &(u8, u8)) -> Vec<Spot> {
        let (_, land) = Triples::rest(&at.frame(), d.into(), W::bit(from.into()));
        vec![at.spot(from.into()), at.spot(land.first())]
    }

    /// The classes of holes that hops which may ever come up could join.
    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        lines(at).classes(&at.frame(), &mut |set| emit(at.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        lines(at).classes(&at.frame(), &mut |set| emit(at.cut(set), at.spots(set)));
    }
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        (at.least_wide().0, Sign::Plus)
    }
    gb_rules::has!(same_when_impartial);
}

/// Where hops may ever take place.
fn lines<W: Word>(at: &BitGrid<W, 2>) -> Triples<W> {
    let frame = at.frame();
    let [mut pegs, mut empty] = at.planes;
    let mut lines = Triples::none();
    loop {
        let mut grown = false;
        for d in 0..4 {
            let starts = Triples::starts(&frame, d, pegs, pegs, empty);
            let (over, land) = Triples::rest(&frame, d, starts);
            grown |= lines.add(d, starts);
            pegs |= land;
            empty |= starts | over;
        }
        if !grown {
            return lines;
        }
    }
}
