//! The geometry of a grid in a word: which bit is which cell, and who is whose neighbour.

use crate::Word;

/// The size of a grid and its layout in a word. Row `r`, column `c` is the bit `r * stride + c`; the stride is 8 for
/// `u64` boards of at most 8x8 cells (rows are bytes) and the number of columns otherwise (no gaps).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<W> {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub cols: u32,
    /// Distance of vertical neighbours.
    pub stride: u32,
    /// All cells.
    pub full: W,
    /// All bits that do not begin a row.
    not_first: W,
}

impl<W: Word> Frame<W> {
    /// The stride of a grid of this size.
    #[inline]
    pub fn stride(rows: u32, cols: u32) -> u32 {
        if W::BYTE_ROWS && rows <= 8 && cols <= 8 { 8 } else { cols }
    }

    /// Whether a grid of this size fits into the word. Grids keep rows and columns in a byte each.
    pub fn fits(rows: usize, cols: usize) -> bool {
        let longest = usize::from(u8::MAX);
        rows <= longest && cols <= longest && rows * cols <= W::BITS as usize
    }

    /// The frame of a grid of this size, which must fit.
    #[inline]
    pub fn new(rows: u32, cols: u32) -> Frame<W> {
        let stride = Self::stride(rows, cols);
        if W::BYTE_ROWS && stride == 8 && rows <= 8 {
            let row = (1u64 << cols) - 1;
            let full = (row * 0x0101_0101_0101_0101) & u64::low(8 * rows);
            return Frame {
                rows,
                cols,
                stride,
                full: W::from64(full),
                not_first: W::from64(!0x0101_0101_0101_0101),
            };
        }
        // Twice as many rows with each step: frames are made at every move.
        let (full, mut first, mut count) = (W::low(rows * cols), W::bit(0), 1);
        while count < rows {
            first |= first.up(count * stride);
            count *= 2;
        }
        Frame { rows, cols, stride, full, not_first: !(first & full) }
    }

    /// The bit of a cell.
    #[inline]
    pub fn index(&self, row: u32, col: u32) -> u32 {
        row * self.stride + col
    }
    /// Row and column of a bit.
    #[inline]
    pub fn place(&self, index: u32) -> (u32, u32) {
        // Division is slow, and most boards are in bytes.
        if self.stride == 8 { (index >> 3, index & 7) } else { (index / self.stride, index % self.stride) }
    }
    /// The cells to the right of those of the set.
    #[inline]
    pub fn east(&self, set: W) -> W {
        set.up(1) & self.not_first & self.full
    }
    /// The cells to the left.
    #[inline]
    pub fn west(&self, set: W) -> W {
        (set & self.not_first).down(1)
    }
    /// The cells below.
    #[inline]
    pub fn south(&self, set: W) -> W {
        set.up(self.stride) & self.full
    }
    /// The cells above.
    #[inline]
    pub fn north(&self, set: W) -> W {
        set.down(self.stride)
    }
    /// One step in one of the eight directions, clockwise from north.
    #[inline]
    pub fn step(&self, set: W, direction: usize) -> W {
        match direction {
            0 => self.north(set),
            1 => self.north(self.east(set)),
            2 => self.east(set),
            3 => self.south(self.east(set)),
            4 => self.south(set),
            5 => self.south(self.west(set)),
            6 => self.west(set),
            _ => self.north(self.west(set)),
        }
    }
    /// The cells beside, above or below those of the set (some may be in the set themselves).
    #[inline]
    pub fn around4(&self, set: W) -> W {
        self.east(set) | self.west(set) | self.south(set) | self.north(set)
    }
    /// The cells with at least two of the set beside, above or below them.
    #[inline]
    pub fn between4(&self, set: W) -> W {
        let (east, west, south, north) = (self.east(set), self.west(set), self.south(set), self.north(set));
        (east & west) | (south & north) | ((east | west) & (south | north))
    }
    /// As [`around4`](Frame::around4), with diagonal neighbours.
    #[inline]
    pub fn around8(&self, set: W) -> W {
        let row = set | self.east(set) | self.west(set);
        (row ^ set) | self.south(row) | self.north(row)
    }
    /// The cells of `within` that a rook's path through `within` joins to `seed`.
    #[inline]
    pub fn flood4(&self, seed: W, within: W) -> W {
        let mut set = seed;
        loop {
            let next = set | (self.around4(set) & within);
            if next == set {
                return set;
            }
            set = next;
        }
    }
    /// The cells of `within` that a king's path through `within` joins to `seed`.
    #[inline]
    pub fn flood8(&self, seed: W, within: W) -> W {
        let mut set = seed;
        loop {
            let next = set | (self.around8(set) & within);
            if next == set {
                return set;
            }
            set = next;
        }
    }
    /// The rows and columns that a set of cells spans: top, left, height, width.
    #[inline]
    pub fn bounding_box(&self, set: W) -> (u32, u32, u32, u32) {
        if set.is_empty() {
            return (0, 0, 0, 0);
        }
        // Division is slow, and most boards are in bytes.
        let row = |cell: u32| if self.stride == 8 { cell >> 3 } else { cell / self.stride };
        let (top, bottom) = (row(set.first()), row(set.last()));
        let columns = if W::BYTE_ROWS && self.stride == 8 {
            let mut fold = set.low64();
            fold |= fold >> 32;
            fold |= fold >> 16;
            fold |= fold >> 8;
            W::from64(fold & 0xff)
        } else {
            let mut fold = W::ZERO;
            for row in top..=bottom {
                fold |= set.down(row * self.stride) & W::low(self.cols);
            }
            fold
        };
        (top, columns.first(), bottom - top + 1, columns.last() - columns.first() + 1)
    }
}
