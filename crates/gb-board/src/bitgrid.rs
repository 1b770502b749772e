//! Grids as bit planes, the representation searches run on.

use std::hash::{Hash, Hasher};

use crate::alphabet::MOST_LETTERS;
use crate::{Alphabet, BoardError, Frame, Item, Scene, Size, Spot, Word};

/// The largest grid of the games that have only the narrower words: what is said when a board does not fit into one.
const USUAL_CELLS: u32 = 128;

/// A grid of cells, each with an `N`-bit code spread over `N` planes. A small plain value: 16 bytes for one `u64` plane.
///
/// Code 0 is what lies around the board, so that cutting a part out leaves nothing to clean up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BitGrid<W, const N: usize = 1> {
    /// The planes: bit `i` of the code of a cell is in plane `i`, at the place that [`Frame::index`] says.
    pub planes: [W; N],
    /// Number of rows.
    pub rows: u8,
    /// Number of columns.
    pub cols: u8,
}

impl<W: Word, const N: usize> Hash for BitGrid<W, N> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Not derived: no lengths of arrays, and one write for the size, since hashing is hot.
        for plane in &self.planes {
            plane.hash(state);
        }
        state.write_u16(u16::from(self.rows) << 8 | u16::from(self.cols));
    }
}

impl<W: Word, const N: usize> BitGrid<W, N> {
    /// A grid of this size with code 0 everywhere.
    pub fn blank(rows: usize, cols: usize) -> Result<Self, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::Empty { expected: "at least one row and one column".into() });
        }
        if !Frame::<W>::fits(rows, cols) {
            let cells = W::BITS.max(USUAL_CELLS);
            let limit = match rows.checked_mul(cols) {
                Some(count) if count <= cells as usize => format!("at most {} rows and columns", u8::MAX),
                _ => format!("at most {cells} cells"),
            };
            return Err(BoardError::TooLarge { found: format!("a board of {rows}x{cols} cells"), limit });
        }
        Ok(BitGrid { planes: [W::ZERO; N], rows: rows as u8, cols: cols as u8 })
    }

    /// A grid of this size with the codes that `code` gives for row and column.
    pub fn fill(size: Size, code: impl Fn(usize, usize) -> usize) -> Result<Self, BoardError> {
        let (rows, cols) = size.grid();
        let mut board = Self::blank(rows, cols)?;
        for row in 0..rows {
            for col in 0..cols {
                board.set(row as u32, col as u32, code(row, col));
            }
        }
        Ok(board)
    }

    /// Reads rows separated by `|`, one letter a cell.
    pub fn read(text: &str, alphabet: &Alphabet) -> Result<Self, BoardError> {
        Self::read_rows(text, alphabet, false)
    }

    /// As [`read`](BitGrid::read), where rows may have different lengths: short ones end in code 0.
    pub fn read_ragged(text: &str, alphabet: &Alphabet) -> Result<Self, BoardError> {
        Self::read_rows(text, alphabet, true)
    }

    fn read_rows(text: &str, alphabet: &Alphabet, ragged: bool) -> Result<Self, BoardError> {
        if let Some(board) = Self::read_plain(text, alphabet) {
            return Ok(board);
        }
        let text = text.trim();
        let lines: Vec<&str> = text.split(['|', '\n']).map(str::trim).collect();
        let length = |line: &str| line.chars().count();
        let cols = lines.iter().map(|line| length(line)).max().unwrap_or(0);
        if cols == 0 {
            return Err(BoardError::Empty {
                expected: format!("rows separated by `|`, of {}", alphabet.expected()),
            });
        }
        for (row, line) in lines.iter().enumerate() {
            for (column, found) in line.chars().enumerate() {
                if alphabet.code(found).is_none() {
                    let (row, column) = (row + 1, column + 1);
                    return Err(BoardError::Letter { row, column, found, expected: alphabet.expected() });
                }
            }
            if !ragged && length(line) != length(lines[0]) {
                let (found, expected) = (length(line), length(lines[0]));
                return Err(BoardError::Ragged { row: row + 1, found, expected });
            }
        }
        let mut board = Self::blank(lines.len(), cols)?;
        for (row, line) in lines.iter().enumerate() {
            for (col, letter) in line.chars().enumerate() {
                board.set(row as u32, col as u32, alphabet.code(letter).unwrap_or(0));
            }
        }
        Ok(board)
    }

    /// Reads what [`show`](BitGrid::show) writes, if it is of that form: programs read boards by the million.
    fn read_plain(text: &str, alphabet: &Alphabet) -> Option<Self> {
        let text = text.as_bytes();
        let cols = text.iter().position(|byte| *byte == b'|').unwrap_or(text.len());
        let rows = text.len() / (cols + 1) + 1;
        if rows * (cols + 1) != text.len() + 1 {
            return None;
        }
        let mut board = Self::blank(rows, cols).ok()?;
        let stride = Frame::<W>::stride(rows as u32, cols as u32);
        let mut letters = [0; MOST_LETTERS];
        if !alphabet.bytes(&mut letters) {
            return None;
        }
        let letters = &letters[..alphabet.0.len()];
        for (row, line) in text.chunks(cols + 1).enumerate() {
            if *line.get(cols).unwrap_or(&b'|') != b'|' {
                return None;
            }
            for (col, letter) in line[..cols].iter().enumerate() {
                let code = letters.iter().position(|known| known == letter)?;
                if code != 0 {
                    let bit = W::bit(row as u32 * stride + col as u32);
                    for (plane, word) in board.planes.iter_mut().enumerate() {
                        if code >> plane & 1 == 1 {
                            *word |= bit;
                        }
                    }
                }
            }
        }
        Some(board)
    }

    /// Writes the board as [`read`](BitGrid::read) reads it.
    pub fn show(&self, alphabet: &Alphabet) -> String {
        let (rows, cols) = (u32::from(self.rows), u32::from(self.cols));
        let stride = Frame::<W>::stride(rows, cols);
        // Programs write boards by the million, and nearly all alphabets are letters of one byte.
        let mut letters = [0; MOST_LETTERS];
        if alphabet.bytes(&mut letters) {
            let letters = &letters[..alphabet.0.len()];
            let mut text = Vec::with_capacity((rows * (cols + 1)) as usize);
            for row in 0..rows {
                if row > 0 {
                    text.push(b'|');
                }
                for cell in row * stride..row * stride + cols {
                    text.push(letters[self.code_at(cell)]);
                }
            }
            return String::from_utf8(text).unwrap_or_default();
        }
        let mut text = String::new();
        for row in 0..rows {
            if row > 0 {
                text.push('|');
            }
            for cell in row * stride..row * stride + cols {
                text.push(alphabet.letter(self.code_at(cell)));
            }
        }
        text
    }

    /// The code of the cell with a number.
    #[inline]
    fn code_at(&self, cell: u32) -> usize {
        let mut code = 0;
        for plane in 0..N {
            code |= usize::from(self.planes[plane].has(cell)) << plane;
        }
        code
    }

    /// Writes the board as [`read_ragged`](BitGrid::read_ragged) reads it.
    pub fn show_ragged(&self, alphabet: &Alphabet) -> String {
        let blank = alphabet.letter(0);
        let text = self.show(alphabet);
        let mut lines: Vec<&str> = text.split('|').map(|line| line.trim_end_matches(blank)).collect();
        while lines.len() > 1 && lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        // A board of nothing but code 0 would read as no board at all.
        if lines.iter().all(|line| line.is_empty()) { blank.to_string() } else { lines.join("|") }
    }

    /// The geometry of the board.
    #[inline]
    pub fn frame(&self) -> Frame<W> {
        Frame::new(u32::from(self.rows), u32::from(self.cols))
    }

    #[inline]
    fn bit(&self, row: u32, col: u32) -> W {
        W::bit(row * Frame::<W>::stride(u32::from(self.rows), u32::from(self.cols)) + col)
    }

    /// The code of a cell.
    pub fn code(&self, row: u32, col: u32) -> usize {
        let bit = self.bit(row, col);
        (0..N).map(|plane| usize::from(self.planes[plane].meets(bit)) << plane).sum()
    }

    /// Changes the code of a cell.
    pub fn set(&mut self, row: u32, col: u32, code: usize) {
        let bit = self.bit(row, col);
        for (i, plane) in self.planes.iter_mut().enumerate() {
            *plane &= !bit;
            if code >> i & 1 == 1 {
                *plane |= bit;
            }
        }
    }

    /// The board of the cells of `set` alone, on the smallest grid that holds them.
    #[inline]
    pub fn cut(&self, set: W) -> Self {
        let frame = self.frame();
        let (top, left, rows, cols) = frame.bounding_box(set);
        let by = top * frame.stride + left;
        let stride = Frame::<W>::stride(rows, cols);
        let planes = self.planes.map(|plane| {
            let plane = (plane & set).down(by);
            if stride == frame.stride {
                return plane;
            }
            let mut moved = W::ZERO;
            for row in 0..rows {
                moved |= (plane.down(row * frame.stride) & W::low(cols)).up(row * stride);
            }
            moved
        });
        BitGrid { planes, rows: rows as u8, cols: cols as u8 }
    }

    /// The spot of a bit, for gestures.
    pub fn spot(&self, index: u32) -> Spot {
        let (row, col) = self.frame().place(index);
        Spot::Cell { row, col }
    }

    /// The spots of a set of bits.
    pub fn spots(&self, set: W) -> Vec<Spot> {
        set.cells().map(|index| self.spot(index)).collect()
    }

    /// A square for every cell.
    pub fn scene(&self, alphabet: &Alphabet) -> Scene {
        let mut items = vec![];
        for row in 0..u32::from(self.rows) {
            for col in 0..u32::from(self.cols) {
                let letter = alphabet.letter(self.code(row, col));
                items.push(Item::square(Spot::Cell { row, col }, col as i32, row as i32, letter));
            }
        }
        Scene::new(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: Alphabet = Alphabet(&[('.', "empty"), ('x', "Left's stone"), ('o', "Right's stone")]);

    fn read(text: &str) -> Result<BitGrid<u64, 2>, BoardError> {
        BitGrid::read(text, &LETTERS)
    }

    #[test]
    fn small() {
        assert_eq!(size_of::<BitGrid<u64>>(), 16);
        assert_eq!(size_of::<BitGrid<u64, 2>>(), 24);
    }

    #[test]
    fn bad_boards_get_a_sentence() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        let letters = "`.` (empty), `x` (Left's stone) or `o` (Right's stone)";
        assert_eq!(error("xo|x"), "row 2 has 1 cells, but row 1 has 2: all rows must be equally long");
        assert_eq!(error("xo|xq"), format!("row 2, column 2: found `q`, expected {letters}"));
        assert_eq!(error(""), format!("the board is empty: expected rows separated by `|`, of {letters}"));
        assert_eq!(
            error(&vec![".".repeat(40); 40].join("|")),
            "a board of 40x40 cells is too large: at most 128 cells"
        );
        assert_eq!(error("xo||xo"), "row 2 has 0 cells, but row 1 has 2: all rows must be equally long");
    }

    /// What is read without looking for mistakes is what is read with spaces around it, which is not.
    #[test]
    fn plain_texts_are_read_as_others_are() {
        for text in
            ["x", "xo|.x", "xox", "x|o|.", "..|xo|ox", "xo|x", "xo|", "|xo", "x||o", "xoxo.|xo", "x\u{e9}|xo"]
        {
            assert_eq!(read(text).ok(), read(&format!(" {text} ")).ok(), "{text}");
            if let Ok(board) = read(text) {
                assert_eq!(board.show(&LETTERS), text);
            }
        }
    }

    /// 256 cells fit into a wide word, but 256 does not fit into the byte for rows or columns.
    #[test]
    fn long_boards_are_refused_and_not_taken_for_empty_ones() {
        type Wide2 = BitGrid<crate::Wide, 2>;
        for (rows, cols) in [(1, 256), (256, 1)] {
            let error = Wide2::blank(rows, cols).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("a board of {rows}x{cols} cells is too large: at most 255 rows and columns")
            );
        }
        for (rows, cols) in [(1, 255), (255, 1), (16, 16), (2, 128)] {
            let board = Wide2::blank(rows, cols).unwrap();
            assert_eq!((usize::from(board.rows), usize::from(board.cols)), (rows, cols));
            assert_eq!(board.frame().full.len() as usize, rows * cols);
        }
        assert!(Wide2::blank(usize::MAX, 2).is_err() && BitGrid::<u64>::blank(1, 1 << 20).is_err());
    }

    #[test]
    fn cutting_keeps_the_cells_of_the_part() {
        for text in ["..xo.|...x.|.....", "..xo......|...x......|.........."] {
            let board = read(text).unwrap();
            let frame = board.frame();
            let stones = board.planes[0] | board.planes[1];
            let part = frame.flood4(W64::bit(stones.first()), stones);
            assert_eq!(board.cut(part).show(&LETTERS), "xo|.x");
        }
        type W64 = u64;
    }

    #[test]
    fn floods_and_neighbours_agree_with_coordinates() {
        for (rows, cols) in [(1, 64), (64, 1), (8, 8), (5, 7), (4, 16), (9, 7), (3, 3)] {
            let frame = Frame::<u64>::new(rows, cols);
            assert_eq!(frame.full.len(), rows * cols);
            for index in frame.full.cells() {
                let (row, col) = frame.place(index);
                let near = |diagonal: bool| -> u64 {
                    let mut set = 0;
                    for r in 0..rows {
                        for c in 0..cols {
                            let (dr, dc) = (r.abs_diff(row), c.abs_diff(col));
                            if dr + dc == 1 || diagonal && dr == 1 && dc == 1 {
                                set |= 1 << frame.index(r, c);
                            }
                        }
                    }
                    set
                };
                assert_eq!(frame.around4(1 << index), near(false), "{rows}x{cols} {row},{col}");
                assert_eq!(frame.around8(1 << index), near(true), "{rows}x{cols} {row},{col}");
                let some = frame.full & 0x9d3a_57c6_e14b_28f3u64.rotate_left(index);
                let between = frame.between4(some) >> index & 1 == 1;
                assert_eq!(between, (near(false) & some).len() >= 2, "{rows}x{cols} {row},{col}");
            }
            assert_eq!(frame.flood4(1, frame.full), frame.full);
        }
    }

    #[test]
    fn ragged_rows_round_trip() {
        const TF: Alphabet = Alphabet(&[('#', "(gone)"), ('t', "toad"), ('f', "frog"), ('.', "empty")]);
        for text in ["..f|tft.", "tf.", "t|tf|t", "#", "#|t"] {
            assert_eq!(
                BitGrid::<u64, 2>::read_ragged(text, &TF).unwrap().show_ragged(&TF),
                text.replace("#|", "|")
            );
        }
    }
}
