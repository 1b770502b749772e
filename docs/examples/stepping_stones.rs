//! Stepping Stones: on a row of cells, Left's stones step to the right and Right's stones to the left.

use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Scene, Spot, Word};
use gb_rules::{Arguments, Info, NameError, Player, Rules, Sign};

#[derive(Clone, Debug, Default)]
pub struct SteppingStones;

/// The game by its name, which takes no parameters.
pub fn stepping_stones(arguments: &Arguments) -> Result<SteppingStones, NameError> {
    arguments.none().map(|()| SteppingStones)
}

/// The letters of a board. Their places are the codes of the cells; code 0 is what lies around the board.
const LETTERS: Alphabet =
    Alphabet(&[('#', "hole"), ('x', "Left's stone"), ('o', "Right's stone"), ('.', "empty")]);
const EMPTY: usize = 3;

fn stone(who: Player) -> usize {
    match who {
        Player::Left => 1,
        Player::Right => 2,
    }
}

/// Where a stone in this column steps to; a step off the left end wraps around to far outside.
fn step(who: Player, column: u32) -> u32 {
    match who {
        Player::Left => column + 1,
        Player::Right => column.wrapping_sub(1),
    }
}

impl Rules for SteppingStones {
    type Board = BitGrid<u64, 2>;
    /// The column of the stone that steps.
    type Move = u32;
    fn info(&self) -> Info {
        Info {
            name: "stepping-stones".into(),
            title: "Stepping Stones",
            rules: "Left moves a stone one cell to the right, Right one cell to the left. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "x..o.x.o",
            impartial: false,
            loopy: false,
        }
    }
    fn read(&self, text: &str) -> Result<Self::Board, BoardError> {
        match BitGrid::read(text, &LETTERS)? {
            row if row.rows == 1 => Ok(row),
            _ => Err(BoardError::Invalid("Stepping Stones is played on a single row".into())),
        }
    }
    fn show(&self, at: &Self::Board) -> String {
        at.show(&LETTERS)
    }
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for column in 0..u32::from(at.cols) {
            let to = step(who, column);
            if at.code(0, column) == stone(who) && to < u32::from(at.cols) && at.code(0, to) == EMPTY {
                emit(column)?;
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u32) {
        at.set(0, *mv, EMPTY);
        at.set(0, step(who, *mv), stone(who));
    }
    fn gesture(&self, at: &Self::Board, who: Player, mv: &u32) -> Vec<Spot> {
        vec![at.spot(*mv), at.spot(step(who, *mv))]
    }
    fn scene(&self, at: &Self::Board) -> Scene {
        at.scene(&LETTERS)
    }

    // From here on: optional, for speed.
    /// Stones keep their order, so one of Right's and one of Left's after it only walk away from each other.
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        let (mut start, mut last) = (0, 0);
        for column in 0..u32::from(at.cols) {
            let code = at.code(0, column);
            if code == stone(Player::Left) && last == stone(Player::Right) {
                emit(at.cut(u64::low(column) & !u64::low(start)));
                start = column;
            }
            last = if code == EMPTY { last } else { code };
        }
        emit(at.cut(u64::low(at.cols.into()) & !u64::low(start)));
    }
    /// Seen from the other side of the row, the players have changed places.
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        let [a, b] = at.planes;
        let both = a & b;
        let swapped = BitGrid { planes: [b | both, a | both], ..at }.turn();
        if swapped < at { (swapped, Sign::Minus) } else { (at, Sign::Plus) }
    }
}
