//! Building the table of all connected parts up to a number of cells, of any shape.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use gb_board::Codes;
use gb_rules::Sign;
use gb_value::Budget;

use crate::dense::{Packer, bits_for};
use crate::error::StoreError;
use crate::fact::Fact;
use crate::file::{Fields, Writer};
use crate::game::TabulatedGame;
use crate::work::{Target, Worker};

/// The largest parts: those of 22 cells no longer all fit into the boards of 128 cells.
const MAX_CELLS: usize = 21;

/// Rows and columns of the frame with the most cells among those of connected parts of so many cells. A part that spans `r`
/// rows and `c` columns has at least `r + c - 1` cells.
pub(crate) fn largest_frame(cells: usize) -> (usize, usize) {
    (cells.div_ceil(2), cells + 1 - cells.div_ceil(2))
}

/// A part in normal form as rows, columns and the number of the board in the base of the alphabet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    pub(crate) rows: u8,
    pub(crate) cols: u8,
    pub(crate) number: u128,
}

impl Key {
    /// The key of a board, unless that is too large for one.
    pub(crate) fn of(board: &Codes, letters: usize) -> Option<Key> {
        let mut number = 0u128;
        for &code in board.cells.iter().rev() {
            number = number.checked_mul(letters as u128)?.checked_add(u128::from(code))?;
        }
        Some(Key { rows: board.rows.try_into().ok()?, cols: board.cols.try_into().ok()?, number })
    }

    /// How many cells of the board are other than the first letter of the alphabet.
    pub(crate) fn filled(&self, letters: usize) -> usize {
        if letters == 2 {
            return self.number.count_ones() as usize;
        }
        self.board(letters).cells.iter().filter(|&&code| code != 0).count()
    }

    /// The board.
    pub(crate) fn board(&self, letters: usize) -> Codes {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        let mut rest = self.number;
        let digit = |_| {
            let digit = (rest % letters as u128) as u8;
            rest /= letters as u128;
            digit
        };
        Codes { rows, cols, cells: (0..rows * cols).map(digit).collect() }
    }
}

/// All connected parts, in layers of equally many cells.
pub(crate) struct Parts {
    name: String,
    letters: usize,
    cells: usize,
    layers: Vec<Vec<Key>>,
    numbers: Vec<Vec<AtomicU32>>,
}

impl Parts {
    /// All parts, enumerated. This takes memory and time of the budget.
    pub(crate) fn new(game: &TabulatedGame, cells: usize, budget: &Budget) -> Result<Parts, StoreError> {
        check_cells(game, cells)?;
        let letters = game.letters();
        let mut layers: Vec<Vec<Key>> = vec![vec![]; cells + 1];
        let (mut count, mut shapes) = (0u64, 0u64);
        fixed_polyominoes(cells, &mut |shape| {
            shapes += 1;
            if shapes.is_multiple_of(SHAPES_AT_ONCE) {
                budget.spend(0, count * BYTES_A_PART)?;
            }
            for_each_normal(game, shape, letters, &mut |cells, key| {
                count += 1;
                layers[cells].push(key);
            })
        })?;
        budget.spend(0, count * BYTES_A_PART)?;
        for layer in &mut layers {
            layer.shrink_to_fit();
            layer.sort_unstable();
        }
        let numbers =
            layers.iter().map(|layer| layer.iter().map(|_| AtomicU32::new(u32::MAX)).collect()).collect();
        Ok(Parts { name: game.name(), letters, cells, layers, numbers })
    }
}

/// Whether parts of so many cells of a game can be numbered.
pub(crate) fn check_cells(game: &TabulatedGame, cells: usize) -> Result<(), StoreError> {
    if cells == 0 || cells > MAX_CELLS {
        return Err(StoreError::Invalid(format!(
            "parts of {cells} cells: expected a number from 1 to {MAX_CELLS}"
        )));
    }
    let letters = game.letters();
    let (rows, cols) = largest_frame(cells);
    game.check(&Codes::blank(rows, cols))?;
    let greatest = Codes { rows, cols, cells: vec![letters as u8 - 1; rows * cols] };
    if Key::of(&greatest, letters).is_none() {
        return Err(StoreError::Invalid(format!(
            "parts of {cells} cells of {}: those of {rows} rows and {cols} columns are too large to be numbered",
            game.name()
        )));
    }
    Ok(())
}

/// Calls `emit` with the number of cells and the key of the parts of a shape that are in normal form.
pub(crate) fn for_each_normal(
    game: &TabulatedGame,
    shape: &Codes,
    letters: usize,
    emit: &mut dyn FnMut(usize, Key),
) -> Result<(), StoreError> {
    let cells = shape.cells.iter().filter(|&&c| c != 0).count();
    for_each_colouring(shape, letters, &mut |board| {
        let (normal, sign) = game.normal_form(board)?;
        if sign == Sign::Plus && normal == *board {
            let too_large = || StoreError::Invalid("a part is too large to be numbered".into());
            emit(cells, Key::of(board, letters).ok_or_else(too_large)?);
        }
        Ok(())
    })
}

/// The budget is asked after so many shapes.
const SHAPES_AT_ONCE: u64 = 1 << 10;
/// What a part takes: its key, which is moved once while the lists grow, and the number of its fact.
const BYTES_A_PART: u64 = 2 * size_of::<Key>() as u64 + size_of::<AtomicU32>() as u64;

impl Target for Parts {
    fn title(&self) -> String {
        format!("{} parts {}", self.name, self.cells)
    }
    fn layers(&self) -> usize {
        self.layers.len()
    }
    fn span(&self, layer: usize) -> u64 {
        self.layers[layer].len() as u64
    }
    fn boards(&self, layer: usize) -> u64 {
        self.layers[layer].len() as u64
    }
    fn bytes(&self) -> u64 {
        self.layers.iter().map(|layer| layer.len() as u64 * BYTES_A_PART).sum()
    }

    /// By search, which finds the parts of earlier layers in its memory.
    fn find(&self, worker: &mut Worker<'_>, layer: usize, range: Range<u64>) -> Result<Vec<u32>, StoreError> {
        let keys = &self.layers[layer][range.start as usize..range.end as usize];
        keys.iter()
            .map(|key| {
                let board = key.board(self.letters);
                let value = worker.game.search(&board, &worker.context)?;
                Ok(worker.facts.number(&Fact::Exact(value), &worker.kernel))
            })
            .collect()
    }

    fn add(
        &self,
        worker: &mut Worker<'_>,
        layer: usize,
        range: Range<u64>,
        numbers: &[u32],
    ) -> Result<(), StoreError> {
        let wrong = || StoreError::Foreign("its range does not fit".into());
        let range = range.start as usize..range.end as usize;
        let keys = self.layers.get(layer).and_then(|keys| keys.get(range.clone())).ok_or_else(wrong)?;
        if keys.len() != numbers.len() {
            return Err(wrong());
        }
        for ((key, place), &number) in keys.iter().zip(&self.numbers[layer][range]).zip(numbers) {
            place.store(number, Relaxed);
            if let Some(value) = worker.facts.get(number).value() {
                worker.game.remember(&key.board(self.letters), value)?;
            }
        }
        Ok(())
    }

    fn fields(&self) -> Fields {
        let boards: usize = self.layers.iter().map(Vec::len).sum();
        let fields = [
            ("kind", "parts".to_string()),
            ("cells", self.cells.to_string()),
            ("letters", self.letters.to_string()),
            ("boards", boards.to_string()),
            ("key-bytes", self.key_bytes().to_string()),
        ];
        fields.map(|(key, value)| (key.into(), value)).into()
    }

    /// Sections: `sizes` (rows, columns, where the parts of this size end, as three u64), `keys` (sorted for each size),
    /// `numbers`.
    fn write(&self, out: &mut Writer, count: usize, renumber: &[u32]) -> Result<(), StoreError> {
        let mut all: Vec<(Key, u32)> = vec![];
        for (keys, numbers) in self.layers.iter().zip(&self.numbers) {
            for (key, number) in keys.iter().zip(numbers) {
                let Some(&number) = renumber.get(number.load(Relaxed) as usize) else {
                    return Err(StoreError::Foreign("a part was left out".into()));
                };
                all.push((*key, number));
            }
        }
        all.sort_unstable();
        out.section("sizes")?;
        let mut end = 0u64;
        for size in all.chunk_by(|(a, _), (b, _)| (a.rows, a.cols) == (b.rows, b.cols)) {
            end += size.len() as u64;
            for n in [u64::from(size[0].0.rows), u64::from(size[0].0.cols), end] {
                out.write(&n.to_le_bytes())?;
            }
        }
        out.end_section("sizes")?;
        out.section("keys")?;
        let width = self.key_bytes();
        for (key, _) in &all {
            out.write(&key.number.to_le_bytes()[..width])?;
        }
        out.end_section("keys")?;
        out.section("numbers")?;
        let mut packer = Packer::new(bits_for(count));
        all.iter().for_each(|&(_, number)| packer.push(u64::from(number)));
        out.write(&packer.finish())?;
        out.end_section("numbers")
    }
}

impl Parts {
    fn key_bytes(&self) -> usize {
        let greatest = self.layers.iter().flatten().map(|key| key.number).max().unwrap_or(0);
        (128 - greatest.leading_zeros() as usize).div_ceil(8).max(1)
    }
}

/// Calls `emit` with a shape whose cells have code 1, in all ways to give them the codes from 1 on.
fn for_each_colouring(
    shape: &Codes,
    letters: usize,
    emit: &mut dyn FnMut(&Codes) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut board = shape.clone();
    let cells: Vec<usize> = (0..shape.cells.len()).filter(|&i| shape.cells[i] != 0).collect();
    loop {
        emit(&board)?;
        // Count up.
        let last = letters as u8 - 1;
        let Some(&next) = cells.iter().find(|&&i| board.cells[i] < last) else { return Ok(()) };
        cells.iter().take_while(|&&i| i != next).for_each(|&i| board.cells[i] = 1);
        board.cells[next] += 1;
    }
}

/// Calls `emit` with every connected set of at most `cells` cells on the grid, once for each up to translation (Redelmeier,
/// Counting polyominoes: yet another attack, 1981): cells are taken or refused in the order in which they were reached
/// from the first one, and nothing lies above it or to the left of it in its row.
fn fixed_polyominoes(
    cells: usize,
    emit: &mut dyn FnMut(&Codes) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    polyominoes_after(cells, cells, &|_| true, emit)
}

/// The same for some beginnings of the walk: those of `prefix` cells are numbered as they come, and the walk goes on from those that are
/// `chosen`. Sets of fewer cells belong to beginning 0. So every set has one beginning.
pub(crate) fn polyominoes_after(
    cells: usize,
    prefix: usize,
    chosen: &dyn Fn(u64) -> bool,
    emit: &mut dyn FnMut(&Codes) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let width = 2 * cells + 1;
    let reached = vec![false; width * (cells + 1)];
    let mut walk = Walk { cells, width, reached, taken: vec![], prefix, beginnings: 0, chosen, emit };
    // The first cell is in row 0, in the middle; row 0 to its left is out of bounds.
    let start = cells;
    walk.reached[..=start].fill(true);
    walk.extend(&mut vec![start])
}

struct Walk<'e> {
    cells: usize,
    width: usize,
    reached: Vec<bool>,
    taken: Vec<usize>,
    prefix: usize,
    /// Beginnings that were met.
    beginnings: u64,
    chosen: &'e dyn Fn(u64) -> bool,
    emit: &'e mut dyn FnMut(&Codes) -> Result<(), StoreError>,
}

impl Walk<'_> {
    fn extend(&mut self, untried: &mut Vec<usize>) -> Result<(), StoreError> {
        let count = untried.len();
        while let Some(cell) = untried.pop() {
            self.taken.push(cell);
            if self.taken.len() == self.prefix {
                self.beginnings += 1;
                if !(self.chosen)(self.beginnings - 1) {
                    self.taken.pop();
                    continue;
                }
            }
            if self.taken.len() >= self.prefix || (self.chosen)(0) {
                self.emit()?;
            }
            if self.taken.len() < self.cells {
                let mut new = vec![];
                let (row, col) = (cell / self.width, cell % self.width);
                let near = [
                    (row > 0).then(|| cell - self.width),
                    (row + 1 < self.cells).then(|| cell + self.width),
                    (col > 0).then(|| cell - 1),
                    (col + 1 < self.width).then(|| cell + 1),
                ];
                for next in near.into_iter().flatten() {
                    if !self.reached[next] {
                        self.reached[next] = true;
                        new.push(next);
                    }
                }
                let mut rest = untried.clone();
                rest.extend(&new);
                self.extend(&mut rest)?;
                new.iter().for_each(|&next| self.reached[next] = false);
            }
            self.taken.pop();
        }
        debug_assert!(untried.len() <= count);
        Ok(())
    }

    fn emit(&mut self) -> Result<(), StoreError> {
        let place = |&cell: &usize| (cell / self.width, cell % self.width);
        let rows = self.taken.iter().map(|cell| place(cell).0).max().unwrap_or(0) + 1;
        let left = self.taken.iter().map(|cell| place(cell).1).min().unwrap_or(0);
        let right = self.taken.iter().map(|cell| place(cell).1).max().unwrap_or(0);
        let mut shape = Codes::blank(rows, right - left + 1);
        for cell in &self.taken {
            let (row, col) = place(cell);
            let cols = shape.cols;
            shape.cells[row * cols + col - left] = 1;
        }
        (self.emit)(&shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_polyominoes_as_there_should_be() {
        let mut counts = [0; 11];
        let mut widest = (0, 0);
        fixed_polyominoes(10, &mut |shape| {
            counts[shape.cells.iter().filter(|&&c| c == 1).count()] += 1;
            let frame = (shape.rows.min(shape.cols), shape.rows.max(shape.cols));
            widest = if frame.0 * frame.1 > widest.0 * widest.1 { frame } else { widest };
            Ok(())
        })
        .unwrap();
        // Sequence A001168 of the OEIS.
        assert_eq!(counts, [0, 1, 2, 6, 19, 63, 216, 760, 2725, 9910, 36446]);
        assert_eq!(widest, largest_frame(10));
    }

    /// Every set has one beginning, wherever the walk is cut.
    #[test]
    fn walks_are_cut_anywhere() {
        let all = |prefix: usize, walks: u64| {
            let mut found = vec![];
            for walk in 0..walks {
                let chosen = |beginning: u64| beginning % walks == walk;
                polyominoes_after(7, prefix, &chosen, &mut |shape| {
                    found.push((shape.rows, shape.cols, shape.cells.clone()));
                    Ok(())
                })
                .unwrap();
            }
            found.sort();
            found
        };
        let expected = all(7, 1);
        assert_eq!(expected.len(), 1 + 2 + 6 + 19 + 63 + 216 + 760);
        for (prefix, walks) in [(1, 3), (3, 4), (4, 30), (6, 7), (7, 5)] {
            assert!(all(prefix, walks) == expected, "{walks} walks after {prefix} cells");
        }
    }

    #[test]
    fn keys_round_trip() {
        for (rows, cols, cells) in [(1, 1, vec![2]), (2, 3, vec![0, 1, 2, 2, 1, 0]), (3, 1, vec![0, 0, 1])] {
            let board = Codes { rows, cols, cells };
            assert_eq!(Key::of(&board, 3).unwrap().board(3), board);
        }
    }
}
