//! Fission: a stone splits into two. Left replaces a stone by stones above and below it, Right by stones beside it, on
//! empty cells. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let board = gb_games::game("fission").unwrap().read("...|.x.|.#.").unwrap();
//! assert!(board.options(Left).is_empty());
//! assert_eq!(board.options(Right), ["...|x.x|.#."]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Frame, Size, Spot, Triples, Word};
use gb_rules::{Info, Player, Rules, Sign};

use crate::shared::letters::grid_of_letters;

/// The rules of Fission.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fission<W>(PhantomData<W>);

const LETTERS: Alphabet = Alphabet(&[('#', "not part of the board"), ('x', "stone"), ('.', "empty")]);

/// The direction of [`Triples`] in which a player splits: south, east.
#[inline]
fn direction(who: Player) -> usize {
    match who {
        Player::Left => 0,
        Player::Right => 1,
    }
}

/// The upper or left cells of the lines where a stone stands between empty cells.
#[inline]
fn starts<W: Word>(frame: &Frame<W>, who: Player, [stones, empty]: [W; 2]) -> W {
    Triples::starts(frame, direction(who), empty, stones, empty)
}

impl<W: Word> Rules for Fission<W> {
    type Board = BitGrid<W, 2>;
    /// The upper or left one of the cells that get a stone.
    type Move = u8;

    fn info(&self) -> Info {
        Info {
            name: "fission".into(),
            title: "Fission",
            rules: "Left replaces a stone by two stones on the empty cells above and below it, Right by two stones on the \
                    empty cells beside it. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "....|..x.|....|....",
            impartial: false,
            loopy: false,
        }
    }
    grid_of_letters!(LETTERS);
    /// One stone in the middle.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (rows, cols) = size.grid();
        BitGrid::fill(size, |r, c| if (r, c) == (rows / 2, cols / 2) { 1 } else { 2 })
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut(u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for start in starts(&at.frame(), who, at.planes).cells() {
            emit(start as u8)?;
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u8) {
        let start = W::bit(u32::from(*mv));
        let (stone, end) = Triples::rest(&at.frame(), direction(who), start);
        at.planes[0] ^= start | stone | end;
        at.planes[1] ^= start | stone | end;
    }
    /// The stone and one of the cells it goes to.
    fn gesture(&self, at: &Self::Board, who: Player, mv: &u8) -> Vec<Spot> {
        let start = W::bit(u32::from(*mv));
        let (stone, _) = Triples::rest(&at.frame(), direction(who), start);
        vec![at.spot(stone.first()), at.spot(start.first())]
    }

    /// The classes of cells that moves which may ever come up could join.
    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        lines(at).classes(&at.frame(), &mut |set| emit(at.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        lines(at).classes(&at.frame(), &mut |set| emit(at.cut(set), at.spots(set)));
    }
    /// The least of the eight images; transposing swaps the players.
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        let (least, transposed) = at.least_wide();
        (least, if transposed { Sign::Minus } else { Sign::Plus })
    }
    gb_rules::has!(same_when_impartial);
}

/// Where stones may ever split.
fn lines<W: Word>(at: &BitGrid<W, 2>) -> Triples<W> {
    let frame = at.frame();
    let mut may = at.planes;
    let mut lines = Triples::none();
    loop {
        let mut grown = false;
        for who in Player::BOTH {
            let starts = starts(&frame, who, may);
            let (stone, end) = Triples::rest(&frame, direction(who), starts);
            grown |= lines.add(direction(who), starts);
            may[0] |= starts | end;
            may[1] |= stone;
        }
        if !grown {
            return lines;
        }
    }
}
