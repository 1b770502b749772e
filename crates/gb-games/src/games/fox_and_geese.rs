//! Fox and Geese: Left moves a goose one cell diagonally down, Right moves the fox one cell diagonally in any direction,
//! onto empty cells. A fox that stands above all geese has escaped and wins everywhere at once; who cannot move loses
//! (Berlekamp, Conway and Guy, Winning Ways, chapter 20).
//!
//! The fox can go to and fro while the geese wait, so that positions repeat.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let board = gb_games::game("fox-and-geese").unwrap().read("x.x.|....|.o..").unwrap();
//! assert_eq!(board.options(Left), ["..x.|.x..|.o..", "x...|...x|.o..", "x...|.x..|.o.."]);
//! assert_eq!(board.options(Right), ["x.x.|..o.|....", "x.x.|o...|...."]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Scene, Size, Spot, Word};
use gb_rules::{GlobalWins, Info, Player, Rules};

/// The rules of Fox and Geese.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FoxAndGeese<W>(PhantomData<W>);

const LETTERS: Alphabet =
    Alphabet(&[('#', "not part of the board"), ('x', "Left's goose"), ('o', "Right's fox"), ('.', "empty")]);
/// Down to the right and to the left; then up.
const DIAGONALS: [usize; 4] = [3, 5, 1, 7];

/// Geese, fox, empty cells.
fn sets<W: Word>(at: &BitGrid<W, 2>) -> (W, W, W) {
    let [x, o] = at.planes;
    (x & !o, o & !x, x & o)
}

impl<W: Word> Rules for FoxAndGeese<W> {
    type Board = BitGrid<W, 2>;
    /// From, to.
    type Move = (u8, u8);

    fn info(&self) -> Info {
        Info {
            name: "fox-and-geese".into(),
            title: "Fox and Geese",
            rules: "Left moves a goose one cell diagonally down, Right moves the fox one cell diagonally in any direction; a fox \
                    above all geese has escaped and wins everywhere. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "x.x.|....|....|.o..",
            impartial: false,
            loopy: true,
        }
    }
    fn read(&self, text: &str) -> Result<Self::Board, BoardError> {
        let board: BitGrid<W, 2> = BitGrid::read(text, &LETTERS)?;
        match sets(&board).1.len() {
            1 => Ok(board),
            foxes => {
                Err(BoardError::Invalid(format!("there are {foxes} foxes `o` on the board: expected one")))
            }
        }
    }
    fn show(&self, at: &Self::Board) -> String {
        at.show(&LETTERS)
    }
    /// Geese on every other cell of the first row, the fox in the middle of the last.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (rows, cols) = size.grid();
        if rows < 2 {
            return Err(BoardError::Invalid("geese and fox need at least two rows".into()));
        }
        // The fox stands on cells of the same colour as the geese.
        let middle = cols / 2;
        let near = [middle, middle.wrapping_sub(1), middle + 1];
        let fox = near.into_iter().find(|&col| col < cols && col % 2 == (rows - 1) % 2);
        BitGrid::fill(size, |row, col| match row {
            0 if col % 2 == 0 => 1,
            _ if row == rows - 1 && Some(col) == fox => 2,
            _ => 3,
        })
    }
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut((u8, u8)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.global_win(at).is_some() {
            return ControlFlow::Continue(());
        }
        let frame = at.frame();
        let (geese, fox, empty) = sets(at);
        let (pieces, ways) =
            if who == Player::Left { (geese, &DIAGONALS[..2]) } else { (fox, &DIAGONALS[..]) };
        for from in pieces.cells() {
            for &way in ways {
                let to = frame.step(W::bit(from), way) & empty;
                if !to.is_empty() {
                    emit((from as u8, to.first() as u8))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Self::Board, who: Player, &(from, to): &(u8, u8)) {
        for plane in &mut at.planes {
            *plane |= W::bit(from.into());
        }
        at.planes[who.opponent() as usize] &= !W::bit(to.into());
    }
    fn gesture(&self, at: &Self::Board, _who: Player, &(from, to): &(u8, u8)) -> Vec<Spot> {
        vec![at.spot(from.into()), at.spot(to.into())]
    }
    fn scene(&self, at: &Self::Board) -> Scene {
        at.scene(&LETTERS)
    }
    gb_rules::has!(global_wins);
}

impl<W: Word> GlobalWins<BitGrid<W, 2>> for FoxAndGeese<W> {
    fn global_win(&self, at: &BitGrid<W, 2>) -> Option<Player> {
        let frame = at.frame();
        let (geese, fox, _) = sets(at);
        let row = |cell: u32| frame.place(cell).0;
        let fox = row(fox.first());
        geese.cells().all(|goose| row(goose) > fox).then_some(Player::Right)
    }
}
