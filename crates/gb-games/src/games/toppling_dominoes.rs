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

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Frame, Look, Scene, Size, Spot, Word};
use gb_rules::{Info, Player, Rules, Sign};

/// The rules of Toppling Dominoes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TopplingDominoes<W>(PhantomData<W>);

const LETTERS: Alphabet = Alphabet(&[
    ('#', "(fallen)"),
    ('x', "Left's domino"),
    ('o', "Right's domino"),
    ('g', "green, either player's"),
]);

/// The dominoes of the row of `cell` to its left or to its right, itself included.
#[inline]
fn side<W: Word>(frame: &Frame<W>, standing: W, cell: u32, to_the_right: bool) -> W {
    let mut falling = W::bit(cell);
    loop {
        let next = if to_the_right { frame.east(falling) } else { frame.west(falling) };
        if (next & standing & !falling).is_empty() {
            return falling;
        }
        falling |= next & standing;
    }
}

impl<W: Word> Rules for TopplingDominoes<W> {
    type Board = BitGrid<W, 2>;
    /// The domino, and whether it falls to the right.
    type Move = (u8, bool);

    fn info(&self) -> Info {
        Info {
            name: "toppling-dominoes".into(),
            title: "Toppling Dominoes",
            rules: "A player topples a domino of the own colour, or a green one, to the left or to the right; all dominoes \
                    on that side of its row fall too. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "xxogo|oxx",
            impartial: false,
            loopy: false,
        }
    }
    fn read(&self, text: &str) -> Result<Self::Board, BoardError> {
        BitGrid::read_ragged(text, &LETTERS)
    }
    fn show(&self, at: &Self::Board) -> String {
        at.show(&LETTERS)
    }
    /// Alternating colours.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        BitGrid::fill(size, |row, col| 1 + (row + col) % 2)
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut((u8, bool)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let frame = at.frame();
        let [left, right] = at.planes;
        let standing = left | right;
        for cell in (if who == Player::Left { left } else { right }).cells() {
            emit((cell as u8, false))?;
            // Alone in its row it falls the same way to both sides.
            if (frame.east(W::bit(cell)) | frame.west(W::bit(cell))).meets(standing) {
                emit((cell as u8, true))?;
            }
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, _who: Player, &(cell, to_the_right): &(u8, bool)) {
        let standing = at.planes[0] | at.planes[1];
        let fallen = side(&at.frame(), standing, cell.into(), to_the_right);
        for plane in &mut at.planes {
            *plane &= !fallen;
        }
    }
    /// The domino and the last one that falls.
    fn gesture(&self, at: &Self::Board, _who: Player, &(cell, to_the_right): &(u8, bool)) -> Vec<Spot> {
        let fallen = side(&at.frame(), at.planes[0] | at.planes[1], cell.into(), to_the_right);
        let end = if to_the_right { fallen.last() } else { fallen.first() };
        vec![at.spot(cell.into()), at.spot(end)]
    }
    fn scene(&self, at: &Self::Board) -> Scene {
        Scene { look: Look::Tiles, ..at.scene(&LETTERS) }
    }

    /// Rows.
    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        split(at, &mut |set| emit(at.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        split(at, &mut |set| emit(at.cut(set), at.spots(set)));
    }
    /// The row from either end, with either player as Left.
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        let swapped = BitGrid { planes: [at.planes[1], at.planes[0]], ..at };
        let (kept, swapped) = (at.min(at.turn()), swapped.min(swapped.turn()));
        if swapped < kept { (swapped, Sign::Minus) } else { (kept, Sign::Plus) }
    }
    gb_rules::has!(same_when_impartial);
}

#[inline]
fn split<W: Word>(at: &BitGrid<W, 2>, emit: &mut impl FnMut(W)) {
    let frame = at.frame();
    let standing = at.planes[0] | at.planes[1];
    let mut left = standing;
    while !left.is_empty() {
        let part = side(&frame, standing, left.first(), true);
        left &= !part;
        emit(part);
    }
}
