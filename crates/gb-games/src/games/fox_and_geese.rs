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

use gb_rules::GlobalWins;
use gb_rules::grid::prelude::*;

/// The rules of Fox and Geese.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FoxAndGeese<W>(PhantomData<W>);

/// Down to the right and to the left; then up.
const DIAGONALS: [usize; 4] = [3, 5, 1, 7];

impl<W: Word> GridRules for FoxAndGeese<W> {
    type Board = BitGrid<W, 2>;
    /// From, to.
    type Move = (u8, u8);
    const NAME: &'static str = "fox-and-geese";
    const TITLE: &'static str = "Fox and Geese";
    const RULES: &'static str = "Left moves a goose one cell diagonally down, Right moves the fox one cell diagonally in any \
        direction; a fox above all geese has escaped and wins everywhere. Who cannot move loses.";
    const EXAMPLE: &'static str = "x.x.|....|....|.o..";
    const LETTERS: Alphabet = Alphabet(&[
        ('#', "not part of the board"),
        ('x', "Left's goose"),
        ('o', "Right's fox"),
        ('.', "empty"),
    ]);
    const LOOPY: bool = true;

    fn check(&self, at: &Self::Board) -> Result<(), BoardError> {
        let foxes = at.pieces()[1].len();
        let expected = format!("there are {foxes} foxes `o` on the board: expected one");
        if foxes == 1 { Ok(()) } else { Err(BoardError::Invalid(expected)) }
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
        let Some(fox) = fox else {
            return Err(BoardError::Invalid(
                "the fox needs a second column, on whose colour the geese stand".into(),
            ));
        };
        BitGrid::fill(size, |row, col| match row {
            0 if col % 2 == 0 => 1,
            _ if row == rows - 1 && col == fox => 2,
            _ => 3,
        })
    }
    fn moves(&self, at: &Self::Board, who: Player, emit: &mut impl Emit<(u8, u8)>) -> ControlFlow<()> {
        if self.global_win(at).is_some() {
            return ControlFlow::Continue(());
        }
        let ways = if who == Player::Left { &DIAGONALS[..2] } else { &DIAGONALS[..] };
        for from in at.pieces()[who as usize].cells() {
            let landings = ways.iter().map(|&way| at.frame().step(W::bit(from), way) & at.empty());
            landings.filter(|to| !to.is_empty()).try_for_each(|to| emit((from as u8, to.first() as u8)))?;
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Self::Board, who: Player, &(from, to): &(u8, u8)) {
        at.clear(W::bit(from.into()));
        at.put(who as usize, W::bit(to.into()));
    }
    fn gesture(&self, at: &Self::Board, _who: Player, &(from, to): &(u8, u8)) -> Vec<Spot> {
        vec![at.spot(from.into()), at.spot(to.into())]
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        emit(*at, vec![]);
    }
    gb_rules::has!(global_wins);
}

impl<W: Word> GlobalWins<BitGrid<W, 2>> for FoxAndGeese<W> {
    fn global_win(&self, at: &BitGrid<W, 2>) -> Option<Player> {
        let [geese, fox] = at.pieces();
        let row = |cell: u32| at.frame().place(cell).0;
        geese.cells().all(|goose| row(goose) > row(fox.first())).then_some(Player::Right)
    }
}
