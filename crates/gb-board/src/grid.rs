//! What rules for grids ask of a board, whatever its word and the number of its planes.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Alphabet, BitGrid, BoardError, Codes, Scene, Spot, Word};

/// A [`BitGrid`], for those who do not ask of how many planes.
pub trait Grid: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Sets of cells.
    type Set: Word;

    /// Reads rows of letters separated by `|`. If they are `ragged`, they may have different lengths.
    fn read(text: &str, alphabet: &Alphabet, ragged: bool) -> Result<Self, BoardError>;
    /// Writes what [`read`](Grid::read) reads.
    fn show(&self, alphabet: &Alphabet, ragged: bool) -> String;
    /// A square for every cell.
    fn scene(&self, alphabet: &Alphabet) -> Scene;
    /// All cells of the rectangle.
    fn all(&self) -> Self::Set;
    /// The cells whose codes are different on another board of the same size.
    fn changes(&self, other: &Self) -> Self::Set;
    /// The board of the cells of `set` alone, on the smallest grid that holds them.
    fn cut(&self, set: Self::Set) -> Self;
    /// The spots of a set of cells.
    fn spots(&self, set: Self::Set) -> Vec<Spot>;
    /// The codes of the cells.
    fn codes(&self) -> Codes;
    /// The board with these codes.
    fn of_codes(codes: &Codes) -> Result<Self, BoardError>;
    /// Turned by half a circle.
    fn turn(self) -> Self;
    /// With the first two planes exchanged.
    fn exchange(self) -> Self;
    /// As [`BitGrid::least_wide`].
    fn least_wide(self) -> (Self, bool);
    /// As [`least_wide`](Grid::least_wide) among the images of this board and of the one with its first two planes exchanged,
    /// and whether they had to be exchanged.
    fn least_wide_of_either(self) -> (Self, bool);
}

impl<W: Word, const N: usize> Grid for BitGrid<W, N> {
    type Set = W;

    fn read(text: &str, alphabet: &Alphabet, ragged: bool) -> Result<Self, BoardError> {
        if ragged { BitGrid::read_ragged(text, alphabet) } else { BitGrid::read(text, alphabet) }
    }
    fn show(&self, alphabet: &Alphabet, ragged: bool) -> String {
        if ragged { self.show_ragged(alphabet) } else { self.show(alphabet) }
    }
    fn scene(&self, alphabet: &Alphabet) -> Scene {
        self.scene(alphabet)
    }
    #[inline]
    fn all(&self) -> W {
        self.frame().full
    }
    fn changes(&self, other: &Self) -> W {
        self.planes.iter().zip(&other.planes).fold(W::ZERO, |set, (&a, &b)| set | (a ^ b))
    }
    #[inline]
    fn cut(&self, set: W) -> Self {
        self.cut(set)
    }
    fn spots(&self, set: W) -> Vec<Spot> {
        self.spots(set)
    }
    #[inline]
    fn codes(&self) -> Codes {
        self.codes()
    }
    #[inline]
    fn of_codes(codes: &Codes) -> Result<Self, BoardError> {
        BitGrid::of_codes(codes)
    }
    #[inline]
    fn turn(self) -> Self {
        self.turn()
    }
    #[inline]
    fn exchange(mut self) -> Self {
        self.planes.swap(0, 1);
        self
    }
    #[inline]
    fn least_wide(self) -> (Self, bool) {
        self.least_wide()
    }
    #[inline]
    fn least_wide_of_either(self) -> (Self, bool) {
        if N == 2 {
            // With two planes there is a faster way.
            let two = BitGrid { planes: [self.planes[0], self.planes[1]], rows: self.rows, cols: self.cols };
            let (least, exchanged) = two.least_wide_of_either();
            let planes = std::array::from_fn(|plane| least.planes[plane]);
            return (BitGrid { planes, rows: least.rows, cols: least.cols }, exchanged);
        }
        let (kept, exchanged) = (self.least_wide().0, self.exchange().least_wide().0);
        if exchanged < kept { (exchanged, true) } else { (kept, false) }
    }
}
