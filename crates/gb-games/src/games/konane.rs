//! Konane: a stone jumps over an enemy stone beside, above or below it to the empty cell behind, and removes it; it may
//! go on jumping in the same direction. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("konane").unwrap().read("xo.o.").unwrap();
//! assert_eq!(row.options(Left), ["..xo.", "....x"]);
//! assert!(row.options(Right).is_empty());
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Size, Spot, Triples, Word};
use gb_rules::{GridTraits, Info, Player, Rules, Sign, Tabulation};

use crate::shared::letters::{codes_of_grids, grid_of_letters};

/// The rules of Konane.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Konane<W>(PhantomData<W>);

const LETTERS: Alphabet = Alphabet(&[
    ('#', "not part of the board"),
    ('x', "Left's stone"),
    ('o', "Right's stone"),
    ('.', "empty"),
]);

impl<W: Word> Rules for Konane<W> {
    type Board = BitGrid<W, 2>;
    /// From, to.
    type Move = (u8, u8);

    fn info(&self) -> Info {
        Info {
            name: "konane".into(),
            title: "Konane",
            rules: "A stone jumps over an enemy stone beside, above or below it to the empty cell behind and removes it; it \
                    may go on jumping in the same direction. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "xoxo|o..x|xoxo|oxox",
            impartial: false,
            loopy: false,
        }
    }
    grid_of_letters!(LETTERS);
    /// The checkerboard after the two opening moves, which take two neighbouring stones from the middle.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (rows, cols) = size.grid();
        let (row, col) = (rows.saturating_sub(1) / 2, cols.saturating_sub(1) / 2);
        BitGrid::fill(size, |r, c| if r == row && (c == col || c == col + 1) { 3 } else { 1 + (r + c) % 2 })
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut((u8, u8)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let frame = at.frame();
        let [x, o] = at.planes;
        let (empty, x, o) = (x & o, x & !o, o & !x);
        let (own, enemy) = if who == Player::Left { (x, o) } else { (o, x) };
        for d in 0..4 {
            for from in Triples::starts(&frame, d, own, enemy, empty).cells() {
                let mut here = W::bit(from);
                loop {
                    let (over, land) = Triples::rest(&frame, d, here);
                    if !over.meets(enemy) || !land.meets(empty) {
                        break;
                    }
                    emit((from as u8, land.first() as u8))?;
                    here = land;
                }
            }
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, &(from, to): &(u8, u8)) {
        let stride = at.frame().stride as u8;
        let step = if from / stride == to / stride { 1 } else { stride };
        let mut cell = from.min(to);
        let mut emptied = W::bit(from.into());
        while cell < from.max(to) {
            emptied |= W::bit((cell + step).into());
            cell += 2 * step;
        }
        for plane in &mut at.planes {
            *plane |= emptied;
        }
        let other = if who == Player::Left { 1 } else { 0 };
        at.planes[other] &= !W::bit(to.into());
    }
    fn gesture(&self, at: &Self::Board, _who: Player, &(from, to): &(u8, u8)) -> Vec<Spot> {
        vec![at.spot(from.into()), at.spot(to.into())]
    }

    /// The classes of cells that jumps which may ever come up could join.
    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        lines(at).classes(&at.frame(), &mut |set| emit(at.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        lines(at).classes(&at.frame(), &mut |set| emit(at.cut(set), at.spots(set)));
    }
    /// The least of the eight images, with either player as Left.
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        let (least, exchanged) = at.least_wide_of_either();
        (least, if exchanged { Sign::Minus } else { Sign::Plus })
    }
    gb_rules::has!(tabulation, same_when_impartial);
}

impl<W: Word> Tabulation<BitGrid<W, 2>> for Konane<W> {
    fn grid(&self) -> GridTraits {
        GridTraits {
            weights: &[0, 1, 1, 0],
            mirrors: true,
            transpose: Some(Sign::Plus),
            swap: Some(&[0, 2, 1, 3]),
        }
    }
    codes_of_grids!();
}

/// Where jumps may ever take place: what a cell may hold only grows until nothing new comes up.
fn lines<W: Word>(at: &BitGrid<W, 2>) -> Triples<W> {
    let frame = at.frame();
    let [x, o] = at.planes;
    let mut may = [x & !o, o & !x, x & o];
    let mut lines = Triples::none();
    loop {
        let before = may;
        for d in 0..4 {
            for own in 0..2 {
                let starts = Triples::starts(&frame, d, may[own], may[1 - own], may[2]);
                let (over, land) = Triples::rest(&frame, d, starts);
                lines.add(d, starts);
                may[own] |= land;
                may[2] |= starts | over;
            }
        }
        if may == before {
            return lines;
        }
    }
}
