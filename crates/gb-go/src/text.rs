//! Boards and points as text.

use std::fmt;

use gb_value::Player::{Left, Right};

use crate::board::{Board, MAX_SIZE, MIN_SIZE, Point};

/// Columns as people write them: `I` is left out, because it looks like `1` and `J`.
const COLUMNS: &[u8] = b"ABCDEFGHJKLMNOPQRST";

/// Why a text is no board or no point.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TextError {
    /// A character that stands for nothing.
    #[error("row {row}, column {column}: found `{found}`, expected `X` (black), `O` (white) or `.` (empty)")]
    Letter {
        /// The row, from 1.
        row: usize,
        /// The column, from 1.
        column: usize,
        /// The character.
        found: char,
    },
    /// Not a square.
    #[error("row {row} has {found} points, but there are {rows} rows: a board is a square")]
    NotSquare {
        /// The row, from 1.
        row: usize,
        /// Its length.
        found: usize,
        /// The number of rows.
        rows: usize,
    },
    /// Too small or too large.
    #[error("the board has {0} rows, expected {MIN_SIZE} to {MAX_SIZE}")]
    Size(usize),
    /// A block without liberties.
    #[error("the {colour} stone on {point} has no liberty: such a position cannot come up")]
    NoLiberty {
        /// Where.
        point: String,
        /// Its colour.
        colour: &'static str,
    },
    /// No point of this board.
    #[error(
        "`{text}` is no point of a board with {size} lines: expected a column from A to {last} (without I) and a row from 1 to {size}"
    )]
    Point {
        /// What was read.
        text: String,
        /// The size of the board.
        size: usize,
        /// The last column.
        last: char,
    },
}

impl Board {
    /// Reads rows from top to bottom, each on a line of its own or divided by `|`; `X` is Black, `O` is White, `.` is
    /// empty, spaces are ignored, and so are lines that begin with `#`.
    pub fn read(text: &str) -> Result<Board, TextError> {
        let rows: Vec<Vec<char>> = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'))
            .flat_map(|line| line.split('|'))
            .map(|row| row.chars().filter(|c| !c.is_whitespace()).collect())
            .filter(|row: &Vec<char>| !row.is_empty())
            .collect();
        if !(MIN_SIZE..=MAX_SIZE).contains(&rows.len()) {
            return Err(TextError::Size(rows.len()));
        }
        let mut board = Board::new(rows.len());
        for (y, row) in rows.iter().enumerate() {
            if row.len() != rows.len() {
                return Err(TextError::NotSquare { row: y + 1, found: row.len(), rows: rows.len() });
            }
            for (x, &found) in row.iter().enumerate() {
                let stone = match found {
                    'X' | 'x' => Some(Left),
                    'O' | 'o' => Some(Right),
                    '.' => None,
                    _ => return Err(TextError::Letter { row: y + 1, column: x + 1, found }),
                };
                board.set(board.point(x, y), stone);
            }
        }
        match board.without_liberty() {
            Some(point) => Err(TextError::NoLiberty {
                point: board.name(point),
                colour: if board.at(point) == Some(Left) { "black" } else { "white" },
            }),
            None => Ok(board),
        }
    }

    /// The name of a point: `C7` is the third column from the left and the seventh row from the bottom.
    pub fn name(&self, point: Point) -> String {
        let (x, y) = self.place(point);
        format!("{}{}", COLUMNS[x] as char, self.size() - y)
    }

    /// The names of points, divided by spaces.
    pub fn names(&self, points: &[Point]) -> String {
        points.iter().map(|&p| self.name(p)).collect::<Vec<_>>().join(" ")
    }

    /// The point of a name.
    pub fn point_of(&self, name: &str) -> Result<Point, TextError> {
        let error = || TextError::Point {
            text: name.chars().take(20).collect(),
            size: self.size(),
            last: COLUMNS[self.size() - 1] as char,
        };
        let mut letters = name.chars();
        let letter = letters.next().ok_or_else(error)?.to_ascii_uppercase();
        let x = COLUMNS.iter().position(|&c| c as char == letter).ok_or_else(error)?;
        let digits = letters.as_str();
        let row: usize = if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
            .ok_or_else(error)?;
        if x >= self.size() || !(1..=self.size()).contains(&row) {
            return Err(error());
        }
        Ok(self.point(x, self.size() - row))
    }

    /// The letters under which columns are printed.
    pub fn columns(&self) -> impl Iterator<Item = char> + use<> {
        COLUMNS[..self.size()].iter().map(|&c| c as char)
    }
}

impl fmt::Display for Board {
    /// The rows from top to bottom, as [`Board::read`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..self.size() {
            let row = (0..self.size()).map(|x| match self.at(self.point(x, y)) {
                Some(Left) => 'X',
                Some(Right) => 'O',
                None => '.',
            });
            writeln!(f, "{}", row.collect::<String>())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_points() {
        let board = Board::new(19);
        assert_eq!(board.name(0), "A19");
        assert_eq!(board.name(board.point(8, 18)), "J1");
        assert!(board.points().all(|p| board.point_of(&board.name(p).to_lowercase()) == Ok(p)));
        for wrong in ["", "I5", "A0", "A20", "5", "A", "A+3", "Z1", "AA1", "ä1"] {
            assert!(board.point_of(wrong).is_err(), "{wrong}");
        }
        let message = Board::new(9).point_of("K3").unwrap_err().to_string();
        assert!(message.contains("A to J") && message.contains("1 to 9"), "{message}");
    }

    #[test]
    fn boards_round_trip_and_errors_say_where() {
        let board = Board::read("# a comment\nXO.\n.X.\nOO.\n").unwrap();
        assert_eq!(Board::read(&board.to_string()).unwrap(), board);
        assert_eq!(Board::read("X.|.?"), Err(TextError::Letter { row: 2, column: 2, found: '?' }));
        assert_eq!(Board::read("X.|..."), Err(TextError::NotSquare { row: 2, found: 3, rows: 2 }));
        assert_eq!(Board::read(""), Err(TextError::Size(0)));
        let message = Board::read("XXX|XXX|XXX").unwrap_err().to_string();
        assert_eq!(message, "the black stone on A3 has no liberty: such a position cannot come up");
    }
}
