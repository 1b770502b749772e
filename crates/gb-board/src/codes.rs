//! A grid as plain codes, for those who number boards.

use crate::{Alphabet, BitGrid, BoardError, Word};

/// The codes of the cells of a grid, row by row. Code 0 is what lies around the board.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Codes {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// The codes: `rows * cols` of them.
    pub cells: Vec<u8>,
}

impl Codes {
    /// A grid of code 0.
    pub fn blank(rows: usize, cols: usize) -> Codes {
        Codes { rows, cols, cells: vec![0; rows * cols] }
    }

    /// Rows become columns.
    #[must_use]
    pub fn transpose(&self) -> Codes {
        let cell = |i: usize| self.cells[i % self.rows * self.cols + i / self.rows];
        Codes { rows: self.cols, cols: self.rows, cells: (0..self.cells.len()).map(cell).collect() }
    }

    /// The text of the board: a letter for each code.
    ///
    /// # Panics
    /// If a code has no letter.
    pub fn show(&self, alphabet: &Alphabet) -> String {
        let line = |row: &[u8]| row.iter().map(|&code| alphabet.letter(usize::from(code))).collect();
        self.cells.chunks(self.cols.max(1)).map(line).collect::<Vec<String>>().join("|")
    }

    /// The codes of a text with equally long rows of known letters; `None` for others.
    pub fn read(text: &str, alphabet: &Alphabet) -> Option<Codes> {
        let mut cells = vec![];
        let lines: Vec<&str> = text.split('|').collect();
        for line in &lines {
            for letter in line.chars() {
                cells.push(u8::try_from(alphabet.code(letter)?).ok()?);
            }
        }
        let (rows, cols) = (lines.len(), lines[0].chars().count());
        let even = lines.iter().all(|line| line.chars().count() == cols);
        (even && cols > 0).then_some(Codes { rows, cols, cells })
    }
}

impl<W: Word, const N: usize> BitGrid<W, N> {
    /// The codes of the cells.
    #[inline]
    pub fn codes(&self) -> Codes {
        let (rows, cols) = (u32::from(self.rows), u32::from(self.cols));
        let mut cells = Vec::with_capacity((rows * cols) as usize);
        for row in 0..rows {
            for col in 0..cols {
                cells.push(self.code(row, col) as u8);
            }
        }
        Codes { rows: rows as usize, cols: cols as usize, cells }
    }

    /// The grid with these codes.
    ///
    /// # Errors
    /// If it is too large or empty.
    #[inline]
    pub fn of_codes(codes: &Codes) -> Result<Self, BoardError> {
        let mut board = Self::blank(codes.rows, codes.cols)?;
        for (i, &code) in codes.cells.iter().enumerate() {
            if code != 0 {
                board.set((i / codes.cols) as u32, (i % codes.cols) as u32, usize::from(code));
            }
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: Alphabet = Alphabet(&[('.', "empty"), ('x', "Left's stone"), ('o', "Right's stone")]);

    #[test]
    fn codes_and_boards_and_texts_are_the_same() {
        for text in ["x", "xo.|.ox", "x.|oo|.x", "..........xo"] {
            let codes = Codes::read(text, &LETTERS).unwrap();
            assert_eq!(codes.show(&LETTERS), text);
            let board = BitGrid::<u64, 2>::of_codes(&codes).unwrap();
            assert_eq!(board.show(&LETTERS), text);
            assert_eq!(board.codes(), codes);
            assert_eq!(codes.transpose().show(&LETTERS), board.transpose().show(&LETTERS));
        }
        assert_eq!(Codes::read("xo|x", &LETTERS), None);
        assert_eq!(Codes::read("xq", &LETTERS), None);
    }
}
