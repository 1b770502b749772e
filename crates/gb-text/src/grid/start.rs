//! Starting positions.

use gb_board::{BitGrid, BoardError, Size, Word};

use super::compile::GridProgram;
use crate::tree::{Ground, Start};

/// The usual starting position of a size.
pub(super) fn start<W: Word, const N: usize>(
    program: &GridProgram,
    size: Size,
) -> Result<BitGrid<W, N>, BoardError> {
    let Some(Start { ground, middle }) = &program.start else {
        return Err(BoardError::Invalid(format!(
            "{} has no line `start` in its text: give a position such as `{}`",
            program.info.title, program.info.example
        )));
    };
    let (rows, cols) = size.grid();
    let (bottom, right) = (rows.saturating_sub(1), cols.saturating_sub(1));
    // A pair lies in the upper one of two middle rows, a single letter in the lower one, and both at the middle of the row or to the right.
    let row_of_middle = if middle.len() % 2 == 1 { rows / 2 } else { bottom / 2 };
    let first = cols.saturating_add(1).saturating_sub(middle.len()) / 2;
    BitGrid::fill(size, |row, col| {
        if row == row_of_middle && (first..first + middle.len()).contains(&col) {
            return middle[col - first];
        }
        match ground {
            Ground::Fill(letter) => *letter,
            Ground::Checker(one, other) => [*one, *other][(row + col) % 2],
            Ground::Thirds([first, between, last]) => match col {
                _ if col < cols / 3 => *first,
                _ if col >= cols - cols / 3 => *last,
                _ => *between,
            },
            Ground::Corners([one, other, rest]) => match (row, col) {
                cell if cell == (0, 0) || cell == (bottom, right) => *one,
                cell if cell == (0, right) || cell == (bottom, 0) => *other,
                _ => *rest,
            },
            Ground::Rows([top, between, lowest]) => {
                let line = match row {
                    0 => top,
                    _ if row == bottom => lowest,
                    _ => between,
                };
                line[col % line.len()]
            }
        }
    })
}
