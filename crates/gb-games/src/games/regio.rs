//! Regio: a player chooses a free cell and colours it and all its free neighbours. When all cells are coloured, who has
//! coloured more has won.
//!
//! Played on grids with holes and on graphs (M. Mueller; F. Maeser, thesis 2001, section 8.4). A coloured cell is counted
//! when it is coloured and means nothing afterwards, so the value of a position is that of its free cells.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("regio").unwrap().read("....").unwrap();
//! assert_eq!(row.options(Left), ["xx..", "xxx.", ".xxx", "..xx"]);
//! assert_eq!(row.moves(Right, 9)[1].points, -3);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BoardError, Field, Scene, Size, Spot, Word};
use gb_rules::{Heuristics, Info, Player, Rules, Scoring, Sign};
use gb_value::Dyadic;

/// The rules of Regio, on grids or graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Regio<F>(PhantomData<F>);

impl<F> Default for Regio<F> {
    fn default() -> Self {
        Regio(PhantomData)
    }
}

const LETTERS: Alphabet = Alphabet(&[
    ('#', "not part of the board"),
    ('.', "free"),
    ('x', "Left's colour"),
    ('o', "Right's colour"),
]);
const FREE: usize = 1;

#[inline]
fn free<F: Field<2>>(at: &F) -> F::Set {
    let [low, high] = *at.planes();
    low & !high
}

/// The cells that a move to `cell` colours.
#[inline]
fn taken<F: Field<2>>(at: &F, cell: u8) -> F::Set {
    let cell = F::Set::bit(cell.into());
    (cell | at.around(cell)) & free(at)
}

#[inline]
fn split<F: Field<2>>(at: &F, emit: &mut impl FnMut(F::Set)) {
    let free = free(at);
    let mut rest = free;
    while !rest.is_empty() {
        let mut part = F::Set::bit(rest.first());
        loop {
            let reached = at.around(part) & free & !part;
            if reached.is_empty() {
                break;
            }
            part |= reached;
        }
        rest &= !part;
        emit(part);
    }
}

impl<F: Field<2>> Rules for Regio<F> {
    type Board = F;
    /// The cell.
    type Move = u8;

    fn info(&self) -> Info {
        Info {
            name: "regio".into(),
            title: "Regio",
            rules: "A player chooses a free cell and colours it and all free cells beside it. In the end the coloured \
                    cells are counted.",
            alphabet: LETTERS.0,
            example: "....|....",
            impartial: false,
            loopy: false,
        }
    }
    fn read(&self, text: &str) -> Result<F, BoardError> {
        F::read(text, &LETTERS, FREE)
    }
    fn show(&self, at: &F) -> String {
        at.show(&LETTERS, FREE)
    }
    fn start(&self, size: Size) -> Result<F, BoardError> {
        F::filled(size, FREE)
    }
    #[inline]
    fn moves(&self, at: &F, _who: Player, emit: &mut impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        for cell in free(at).cells() {
            emit(cell as u8)?;
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut F, who: Player, mv: &u8) {
        let taken = taken(at, *mv);
        let [low, high] = at.planes_mut();
        *high |= taken;
        if who == Player::Left {
            *low &= !taken;
        }
    }
    fn gesture(&self, at: &F, _who: Player, mv: &u8) -> Vec<Spot> {
        vec![at.spot(u32::from(*mv))]
    }
    fn scene(&self, at: &F) -> Scene {
        at.scene(&LETTERS)
    }

    #[inline]
    fn parts(&self, at: &F, emit: &mut impl FnMut(F)) {
        split(at, &mut |part| emit(at.cut(part)));
    }
    fn regions(&self, at: &F, emit: &mut impl FnMut(F, Vec<Spot>)) {
        split(at, &mut |part| emit(at.cut(part), part.cells().map(|cell| at.spot(cell)).collect()));
    }
    /// The least image. The negative has the same moves, so it needs no sign.
    #[inline]
    fn normalise(&self, at: F) -> (F, Sign) {
        (at.least(), Sign::Plus)
    }
    gb_rules::has!(scoring, heuristics, same_when_impartial);
}

impl<F: Field<2>> Scoring<F, u8> for Regio<F> {
    #[inline]
    fn points(&self, at: &F, who: Player, mv: &u8) -> i64 {
        let cells = i64::from(taken(at, *mv).len());
        if who == Player::Left { cells } else { -cells }
    }
    fn ends_in_score(&self) -> bool {
        true
    }
    /// The players have the same moves, so the mean of whatever is left is 0 (section 8.4.4).
    fn estimate(&self, _at: &F) -> Option<Dyadic> {
        Some(Dyadic::ZERO)
    }
}

impl<F: Field<2>> Heuristics<F, u8> for Regio<F> {
    /// Most cells first.
    fn order_score(&self, at: &F, _who: Player, mv: &u8) -> i32 {
        taken(at, *mv).len() as i32
    }
}
