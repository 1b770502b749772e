//! Toads and Frogs: Left moves a toad one cell to the right, or over one frog to the empty cell behind; Right
//! moves a frog to the left likewise. Nothing is removed.
//! Rows are played side by side. Who cannot move loses.
//!
//! ```
//! use gb_game::Player::{Left, Right};
//! let row = gb_games::game("toads-and-frogs").unwrap().read("tf.").unwrap();
//! assert_eq!(row.options(Left), [".ft"]);
//! assert_eq!(row.options(Right), Vec::<String>::new());
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Scene, Size, Spot, Word};
use gb_game::{Info, Player, Rules, Sign};

use crate::shared::strip;

/// The rules of Toads and Frogs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ToadsAndFrogs<W>(PhantomData<W>);

const LETTERS: Alphabet = Alphabet(&[
    ('#', "(not part of the board)"),
    ('t', "toad, moves right"),
    ('f', "frog, moves left"),
    ('.', "empty"),
]);
const JUMPS: strip::Jumps = true;

impl<W: Word> Rules for ToadsAndFrogs<W> {
    type Board = BitGrid<W, 2>;
    /// The piece that moves.
    type Move = u8;

    fn info(&self) -> Info {
        Info {
            name: "toads-and-frogs".into(),
            title: "Toads and Frogs",
            rules: "Left moves a toad one cell to the right, or over one frog to the empty cell behind it; Right moves a frog to the left \
                    likewise. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "ttt..fff",
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
    /// A third of the row for each side's pieces.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (_, cols) = size.grid();
        BitGrid::fill(size, |_, c| match c {
            c if c < cols / 3 => 1,
            c if c >= cols - cols / 3 => 2,
            _ => 3,
        })
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut(u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        strip::moves(at, who, JUMPS, emit)
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u8) {
        strip::play(at, who, *mv);
    }
    fn gesture(&self, at: &Self::Board, who: Player, mv: &u8) -> Vec<Spot> {
        vec![at.spot(u32::from(*mv)), at.spot(strip::target(at, who, *mv))]
    }
    fn scene(&self, at: &Self::Board) -> Scene {
        at.scene(&LETTERS)
    }

    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        strip::split(at, JUMPS, &mut |set| emit(at.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        strip::split(at, JUMPS, &mut |set| emit(at.cut(set), at.spots(set)));
    }
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        strip::normalise(at)
    }
}
