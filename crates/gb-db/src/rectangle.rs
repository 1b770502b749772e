//! All boards of a rectangle by number: the board in base 3, 2, ... as the alphabet has letters, the first cell in the
//! lowest digit (Claessen, Combinatorial Game Theory in Clobber, 2011, section 4.1).
//!
//! Because code 0 is blank, shifting a board by rows and columns is multiplying its number by a power of the base, and
//! the smaller rectangles in the upper left corner are part of the table.

use gb_board::Codes;
use gb_rules::{GridTraits, Sign};

use crate::error::StoreError;
use crate::game::TabulatedGame;

/// At most this many boards: their facts have 32-bit numbers in memory while a table is built.
const MAX_BOARDS: u64 = 1 << 32;

/// The numbers of the boards of a rectangle, and their images under the symmetries of the game.
pub(crate) struct Rectangle {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    letters: u64,
    powers: Vec<u64>,
    /// Boards whose number is below this have only the first half of the cells filled.
    half: u64,
    images: Vec<Image>,
    weights: Halves<u16>,
    filled: Halves<u64>,
    row_masks: Vec<u64>,
    col_masks: Vec<u64>,
    max_weight: usize,
}

/// Something that is a sum over the cells: the part of either half of the cells, looked up.
struct Halves<T> {
    low: Vec<T>,
    high: Vec<T>,
}

/// A symmetry.
struct Image {
    numbers: Halves<u64>,
    transpose: bool,
    flip: bool,
    mirror: bool,
    negative: bool,
}

/// How much of a board is blank at its edges, and how large the rest is.
#[derive(Clone, Copy)]
struct Margins {
    bottom: usize,
    right: usize,
}

impl Rectangle {
    pub(crate) fn new(game: &TabulatedGame, rows: usize, cols: usize) -> Result<Rectangle, StoreError> {
        let letters = game.letters() as u64;
        let cells = rows * cols;
        Self::count(game, rows, cols)?;
        game.check(&Codes::blank(rows, cols))?;
        let powers: Vec<u64> = (0..=cells as u32).map(|n| letters.pow(n)).collect();
        let traits = game.traits();
        let half_cells = cells.div_ceil(2);
        let halves = |of: &dyn Fn(usize, u64) -> u64| {
            let table = |first: usize, count: usize| {
                let mut sums = vec![0];
                for cell in first..first + count {
                    sums = (0..letters)
                        .flat_map(|code| sums.iter().map(move |sum| (sum, code)))
                        .map(|(sum, code)| sum + of(cell, code))
                        .collect();
                }
                sums
            };
            Halves { low: table(0, half_cells), high: table(half_cells, cells - half_cells) }
        };
        let weight = |_: usize, code: u64| u64::from(traits.weights[code as usize]);
        let weights = halves(&weight);
        let weights = Halves {
            low: weights.low.iter().map(|&w| w as u16).collect(),
            high: weights.high.iter().map(|&w| w as u16).collect(),
        };
        let filled = halves(&|cell, code| u64::from(code != 0) << cell);
        let mask = |of: &dyn Fn(usize) -> bool| {
            (0..cells).filter(|&c| of(c)).map(|c| 1u64 << c).fold(0, |a, b| a | b)
        };
        let images = symmetries(&traits, rows == cols)
            .into_iter()
            .map(|(transpose, flip, mirror, swap, negative)| {
                let place = |cell: usize| {
                    let (mut r, mut c) = (cell / cols, cell % cols);
                    if transpose {
                        (r, c) = (c, r);
                    }
                    if flip {
                        r = rows - 1 - r;
                    }
                    if mirror {
                        c = cols - 1 - c;
                    }
                    r * cols + c
                };
                let code = |code: u64| match (swap, traits.swap) {
                    (true, Some(swap)) => u64::from(swap[code as usize]),
                    _ => code,
                };
                let numbers = halves(&|cell, c| code(c) * powers[place(cell)]);
                Image { numbers, transpose, flip, mirror, negative }
            })
            .collect();
        let heaviest = traits.weights.iter().copied().max().unwrap_or(0);
        Ok(Rectangle {
            rows,
            cols,
            letters,
            half: powers[half_cells],
            images,
            weights,
            filled,
            row_masks: (0..rows).map(|r| mask(&|cell| cell / cols == r)).collect(),
            col_masks: (0..cols).map(|c| mask(&|cell| cell % cols == c)).collect(),
            max_weight: cells * usize::from(heaviest),
            powers,
        })
    }

    /// How many boards of a game a rectangle has.
    ///
    /// # Errors
    /// If they are too many to be tabulated.
    pub(crate) fn count(game: &TabulatedGame, rows: usize, cols: usize) -> Result<u64, StoreError> {
        let boards = rows.checked_mul(cols).filter(|&cells| cells <= 64).and_then(|cells| {
            (game.letters() as u64).checked_pow(cells as u32).filter(|&n| cells > 0 && n <= MAX_BOARDS)
        });
        boards.ok_or_else(|| {
            StoreError::Invalid(format!(
                "{rows}x{cols} has too many boards of {}: at most {MAX_BOARDS} can be tabulated",
                game.name()
            ))
        })
    }

    /// How many boards there are.
    pub(crate) fn boards(&self) -> u64 {
        self.powers[self.rows * self.cols]
    }

    /// The greatest weight of a board.
    pub(crate) fn max_weight(&self) -> usize {
        self.max_weight
    }

    /// What the letters of a board weigh together.
    #[inline]
    pub(crate) fn weight(&self, number: u64) -> usize {
        let (high, low) = (number / self.half, number % self.half);
        usize::from(self.weights.low[low as usize]) + usize::from(self.weights.high[high as usize])
    }

    /// The board with this number.
    pub(crate) fn board(&self, number: u64, board: &mut Codes) {
        board.rows = self.rows;
        board.cols = self.cols;
        board.cells.clear();
        let mut rest = number;
        for _ in 0..self.rows * self.cols {
            board.cells.push((rest % self.letters) as u8);
            rest /= self.letters;
        }
    }

    /// The number of a board in the upper left corner, or `None` if it does not fit.
    #[inline]
    pub(crate) fn number(&self, board: &Codes) -> Option<u64> {
        number_in(board, (self.rows, self.cols), &self.powers)
    }

    /// Whether this board stands for all its images: it is the one with the least number among those in the corner.
    #[inline]
    pub(crate) fn is_representative(&self, number: u64) -> bool {
        let filled = self.filled(number);
        let in_corner = filled & self.row_masks[0] != 0 && filled & self.col_masks[0] != 0;
        if !in_corner {
            return number == 0;
        }
        let margins = self.margins(filled);
        self.images.iter().all(|image| self.image(number, image, margins) >= number)
    }

    /// Calls `emit` with every image of a board in the corner, wherever it lies on the rectangle, and with its sign.
    pub(crate) fn images(&self, number: u64, emit: &mut dyn FnMut(u64, bool)) {
        if number == 0 {
            emit(0, false);
            return;
        }
        let margins = self.margins(self.filled(number));
        for image in &self.images {
            let corner = self.image(number, image, margins);
            let (down, right) = if image.transpose {
                (margins.right, margins.bottom)
            } else {
                (margins.bottom, margins.right)
            };
            for r in 0..=down {
                for c in 0..=right {
                    emit(corner * self.powers[r * self.cols + c], image.negative);
                }
            }
        }
    }

    #[inline]
    fn filled(&self, number: u64) -> u64 {
        let (high, low) = (number / self.half, number % self.half);
        self.filled.low[low as usize] | self.filled.high[high as usize]
    }

    /// The margins of a board that is not blank.
    #[inline]
    fn margins(&self, filled: u64) -> Margins {
        let blank = |masks: &[u64]| masks.iter().rev().take_while(|&&mask| filled & mask == 0).count();
        Margins { bottom: blank(&self.row_masks), right: blank(&self.col_masks) }
    }

    /// The number of the image of a board in the corner, shifted into the corner.
    #[inline]
    fn image(&self, number: u64, image: &Image, margins: Margins) -> u64 {
        let (high, low) = (number / self.half, number % self.half);
        let moved = image.numbers.low[low as usize] + image.numbers.high[high as usize];
        let (bottom, right) =
            if image.transpose { (margins.right, margins.bottom) } else { (margins.bottom, margins.right) };
        let (up, left) = (if image.flip { bottom } else { 0 }, if image.mirror { right } else { 0 });
        moved / self.powers[up * self.cols + left]
    }
}

/// The number of a board in the upper left corner of a rectangle.
#[inline]
pub(crate) fn number_in(board: &Codes, (rows, cols): (usize, usize), powers: &[u64]) -> Option<u64> {
    if board.rows > rows || board.cols > cols {
        return None;
    }
    let mut number = 0;
    for (r, row) in board.cells.chunks(board.cols.max(1)).enumerate() {
        for (c, &code) in row.iter().enumerate() {
            number += u64::from(code) * powers[r * cols + c];
        }
    }
    Some(number)
}

/// (transpose, upside down, left to right, players swapped, value negated) for every symmetry.
fn symmetries(traits: &GridTraits, square: bool) -> Vec<(bool, bool, bool, bool, bool)> {
    let mut found = vec![];
    for transpose in [false, true] {
        let turned = match (transpose, traits.transpose) {
            (false, _) => false,
            (true, Some(sign)) if square => sign == Sign::Minus,
            _ => continue,
        };
        for (flip, mirror) in [(false, false), (false, true), (true, false), (true, true)] {
            if (flip || mirror) && !traits.mirrors {
                continue;
            }
            for swap in [false, true] {
                if !swap || traits.swap.is_some() {
                    found.push((transpose, flip, mirror, swap, turned != swap));
                }
            }
        }
    }
    found
}
