//! The eight images of a grid.

use crate::{BitGrid, Frame, Word};

/// Swaps rows and columns of an 8x8 board (Warren, Hacker's Delight, section 7-3).
#[inline]
fn transpose8(mut x: u64) -> u64 {
    let t = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
    x = x ^ t ^ (t << 7);
    let t = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
    x = x ^ t ^ (t << 14);
    let t = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
    x ^ t ^ (t << 28)
}

impl<W: Word, const N: usize> BitGrid<W, N> {
    #[inline]
    fn map(self, rows: u32, cols: u32, change: impl Fn(W) -> W) -> Self {
        BitGrid { planes: self.planes.map(change), rows: rows as u8, cols: cols as u8 }
    }

    #[inline]
    fn in_bytes(&self) -> bool {
        W::BYTE_ROWS && self.rows <= 8 && self.cols <= 8
    }

    /// Upside down.
    #[inline]
    pub fn flip(self) -> Self {
        let (rows, cols) = (u32::from(self.rows), u32::from(self.cols));
        if self.in_bytes() {
            return self.map(rows, cols, |plane| W::from64(plane.low64().swap_bytes().down(8 * (8 - rows))));
        }
        let stride = Frame::<W>::stride(rows, cols);
        self.map(rows, cols, |plane| {
            let mut image = W::ZERO;
            for row in 0..rows {
                image |= (plane.down(row * stride) & W::low(cols)).up((rows - 1 - row) * stride);
            }
            image
        })
    }

    /// Turned by half a circle.
    #[inline]
    pub fn turn(self) -> Self {
        let (rows, cols) = (u32::from(self.rows), u32::from(self.cols));
        let stride = Frame::<W>::stride(rows, cols);
        if rows == 0 {
            return self;
        }
        let unused = W::BITS - ((rows - 1) * stride + cols);
        self.map(rows, cols, |plane| plane.reversed().down(unused))
    }

    /// Rows become columns.
    #[inline]
    pub fn transpose(self) -> Self {
        let (rows, cols) = (u32::from(self.rows), u32::from(self.cols));
        if self.in_bytes() {
            return self.map(cols, rows, |plane| W::from64(transpose8(plane.low64())));
        }
        let (from, to) = (Frame::<W>::stride(rows, cols), Frame::<W>::stride(cols, rows));
        self.map(cols, rows, |plane| {
            let mut image = W::ZERO;
            for cell in plane.cells() {
                image |= W::bit((cell % from) * to + cell / from);
            }
            image
        })
    }

    /// The least of the four images that keep rows rows.
    #[inline]
    pub fn least4(self) -> Self {
        let (flip, turn) = (self.flip(), self.turn());
        // All have the same size, so that only the planes need comparing.
        let mut planes = self.planes;
        for image in [flip, turn, turn.flip()] {
            if image.planes < planes {
                planes = image.planes;
            }
        }
        BitGrid { planes, ..self }
    }

    /// The least of the four images that keep rows rows, of the board laid on its broad side, and whether it had to be
    /// transposed for that. On square boards the transposed images take part.
    #[inline]
    pub fn least_wide(self) -> (Self, bool) {
        if self.rows < self.cols {
            return (self.least4(), false);
        }
        let transposed = self.transpose().least4();
        if self.rows > self.cols {
            return (transposed, true);
        }
        let kept = self.least4();
        if transposed < kept { (transposed, true) } else { (kept, false) }
    }
}

impl<W: Word> BitGrid<W, 2> {
    /// As [`least_wide`](BitGrid::least_wide) among the images of this board and of the one with its planes exchanged, and
    /// whether they had to be exchanged: not, where the two are alike, so that all images of a board are told the same.
    #[inline]
    pub fn least_wide_of_either(self) -> (Self, bool) {
        let wide = if self.rows > self.cols { self.transpose() } else { self };
        let (mut least, mut exchanged) = (wide.planes, false);
        let mut look_at = |board: Self| {
            let turn = board.turn();
            for [a, b] in [board, board.flip(), turn, turn.flip()].map(|image| image.planes) {
                let planes = if b < a { [b, a] } else { [a, b] };
                if (planes, b < a) < (least, exchanged) {
                    (least, exchanged) = (planes, b < a);
                }
            }
        };
        look_at(wide);
        if wide.rows == wide.cols {
            look_at(wide.transpose());
        }
        (BitGrid { planes: least, ..wide }, exchanged)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Alphabet, BitGrid, Wide, Word};

    const LETTERS: Alphabet = Alphabet(&[('#', "hole"), ('.', "cell")]);

    /// Images of the text itself, the plain way.
    fn flip(text: &str) -> String {
        text.split('|').rev().collect::<Vec<_>>().join("|")
    }
    fn transpose(text: &str) -> String {
        let rows: Vec<&[u8]> = text.split('|').map(str::as_bytes).collect();
        (0..rows[0].len())
            .map(|c| rows.iter().map(|row| char::from(row[c])).collect::<String>())
            .collect::<Vec<_>>()
            .join("|")
    }

    fn check<W: Word>(text: &str) {
        let board = BitGrid::<W>::read(text, &LETTERS).unwrap();
        let show = |board: BitGrid<W>| board.show(&LETTERS);
        assert_eq!(show(board), text);
        assert_eq!(show(board.flip()), flip(text));
        assert_eq!(show(board.turn()), text.chars().rev().collect::<String>());
        assert_eq!(show(board.transpose()), transpose(text));
        let least = board.least_wide().0;
        for image in [board, board.flip(), board.turn(), board.transpose(), board.transpose().turn()] {
            assert_eq!(image.least_wide().0, least, "{text}");
        }
    }

    #[test]
    fn either_of_two_colours_can_be_the_first() {
        const STONES: Alphabet = Alphabet(&[('.', "empty"), ('x', "black"), ('o', "white")]);
        for text in
            ["xo.|..o", "xoo|oxo|x.x", "x|o|o", "xxoo|x..o", "xo|ox", "xo|xo", "xo......|ox...x..|xxxx...o"]
        {
            fn check<W: Word>(text: &str) {
                let board = BitGrid::<W, 2>::read(text, &STONES).unwrap();
                let swapped = BitGrid { planes: [board.planes[1], board.planes[0]], ..board };
                let (kept, other) = (board.least_wide().0, swapped.least_wide().0);
                let (least, exchanged) = board.least_wide_of_either();
                assert_eq!(least, kept.min(other), "{text}");
                assert_eq!(least, if exchanged { other } else { kept }, "{text}");
                assert_eq!(swapped.least_wide_of_either().0, least, "{text}");
                for image in [board.flip(), board.turn(), board.transpose()] {
                    assert_eq!(image.least_wide_of_either(), (least, exchanged), "{text}");
                }
            }
            check::<u64>(text);
            check::<u128>(text);
        }
    }

    #[test]
    fn images_of_boards_are_images_of_their_texts() {
        let boards = [
            ".",
            "..#",
            ".#.|..#",
            "#.#.|....|.##.",
            "..#.#.#.#..",
            ".#.#.#.#|########|.......#|#.#.##..|...#####|#.......|..##..##|.#.##.#.",
            "#.#.##.#.|.........|##.##.##.|.#.#.#...",
            "#.|..|.#|##|..|.#|#.|..|..|.#",
        ];
        for text in boards {
            check::<u64>(text);
            check::<u128>(text);
            check::<Wide>(text);
        }
        check::<Wide>(&[".#.#..##.#.###."; 15].join("|"));
        check::<u128>(&[".#.#..##.#"; 10].join("|"));
    }
}
