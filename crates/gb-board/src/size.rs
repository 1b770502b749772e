//! Sizes of boards as text: `8x8`, `12`.

use crate::BoardError;

/// The size that a starting position is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// A grid, `8x8`: rows and columns.
    Grid(usize, usize),
    /// A strip, a heap, a number of pieces: `12`.
    Length(usize),
}

impl Size {
    /// Reads `8x8` or `12`.
    pub fn read(text: &str) -> Result<Size, BoardError> {
        let number = |part: &str, at: usize| {
            part.trim()
                .parse::<usize>()
                .ok()
                .filter(|&n| n > 0)
                .ok_or_else(|| BoardError::syntax(text, at, "a size such as `8x8` or `12`"))
        };
        match text.split_once(['x', 'X']) {
            Some((rows, cols)) => Ok(Size::Grid(number(rows, 0)?, number(cols, rows.len() + 1)?)),
            None => Ok(Size::Length(number(text, 0)?)),
        }
    }

    /// Rows and columns; a length is a single row.
    pub fn grid(self) -> (usize, usize) {
        match self {
            Size::Grid(rows, cols) => (rows, cols),
            Size::Length(length) => (1, length),
        }
    }

    /// The length; a grid must have a single row.
    pub fn length(self) -> Result<usize, BoardError> {
        match self {
            Size::Grid(1, length) | Size::Length(length) => Ok(length),
            Size::Grid(rows, cols) => Err(BoardError::Invalid(format!(
                "this game is not played on a grid of {rows}x{cols}: expected a single number such as `12`"
            ))),
        }
    }
}
