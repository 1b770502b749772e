//! Boards with pieces of two players.

use crate::{BitGrid, Word};

/// Boards whose codes are 0 no cell, 1 Left's piece, 2 Right's piece, 3 an empty cell: their alphabets begin with these four.
/// Sides are 0 for Left and 1 for Right.
impl<W: Word> BitGrid<W, 2> {
    /// Left's and Right's pieces.
    #[inline]
    pub fn pieces(&self) -> [W; 2] {
        let [x, o] = self.planes;
        [x & !o, o & !x]
    }

    /// The empty cells.
    #[inline]
    pub fn empty(&self) -> W {
        self.planes[0] & self.planes[1]
    }

    /// Puts pieces of one side on cells.
    #[inline]
    pub fn put(&mut self, side: usize, cells: W) {
        self.planes[side] |= cells;
        self.planes[1 - side] &= !cells;
    }

    /// Makes cells empty.
    #[inline]
    pub fn clear(&mut self, cells: W) {
        self.planes[0] |= cells;
        self.planes[1] |= cells;
    }

    /// Makes cells no cells.
    #[inline]
    pub fn remove(&mut self, cells: W) {
        self.planes[0] &= !cells;
        self.planes[1] &= !cells;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Alphabet, BitGrid};

    #[test]
    fn pieces_come_and_go() {
        const LETTERS: Alphabet = Alphabet(&[('#', "hole"), ('x', "Left"), ('o', "Right"), ('.', "empty")]);
        let mut board = BitGrid::<u64, 2>::read("x.o#", &LETTERS).unwrap();
        assert_eq!((board.pieces(), board.empty()), ([0b1, 0b100], 0b10));
        board.put(1, 0b1);
        board.put(0, 0b10);
        board.clear(0b100);
        assert_eq!(board.show(&LETTERS), "ox.#");
        board.remove(0b11);
        assert_eq!(board.show(&LETTERS), "##.#");
    }
}
