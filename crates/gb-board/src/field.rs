//! What colouring games need of a board, be it a grid or a graph.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Alphabet, BitGrid, BoardError, Graph, Scene, Size, Spot, Word};

/// Cells with neighbours and with `N`-bit codes: a grid or a graph.
pub trait Field<const N: usize>: Clone + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Sets of cells.
    type Set: Word;

    /// Reads a field; graphs without states have the code `plain` everywhere.
    fn read(text: &str, alphabet: &Alphabet, plain: usize) -> Result<Self, BoardError>;
    /// Writes what [`read`](Field::read) reads.
    fn show(&self, alphabet: &Alphabet, plain: usize) -> String;
    /// A field of this size with the same code everywhere.
    fn filled(size: Size, code: usize) -> Result<Self, BoardError>;
    /// The planes of the codes.
    fn planes(&self) -> &[Self::Set; N];
    /// The planes of the codes, to change them.
    fn planes_mut(&mut self) -> &mut [Self::Set; N];
    /// The neighbours of a set of cells.
    fn around(&self, set: Self::Set) -> Self::Set;
    /// The field of the cells of `set` alone.
    fn cut(&self, set: Self::Set) -> Self;
    /// The least of the images of the field under its symmetries, as far as that is cheap to find.
    fn least(self) -> Self;
    /// The spot of a cell.
    fn spot(&self, cell: u32) -> Spot;
    /// What to draw.
    fn scene(&self, alphabet: &Alphabet) -> Scene;
}

impl<W: Word, const N: usize> Field<N> for BitGrid<W, N> {
    type Set = W;

    fn read(text: &str, alphabet: &Alphabet, _plain: usize) -> Result<Self, BoardError> {
        BitGrid::read(text, alphabet)
    }
    fn show(&self, alphabet: &Alphabet, _plain: usize) -> String {
        BitGrid::show(self, alphabet)
    }
    fn filled(size: Size, code: usize) -> Result<Self, BoardError> {
        BitGrid::fill(size, |_, _| code)
    }
    #[inline]
    fn planes(&self) -> &[W; N] {
        &self.planes
    }
    #[inline]
    fn planes_mut(&mut self) -> &mut [W; N] {
        &mut self.planes
    }
    #[inline]
    fn around(&self, set: W) -> W {
        self.frame().around4(set)
    }
    #[inline]
    fn cut(&self, set: W) -> Self {
        BitGrid::cut(self, set)
    }
    #[inline]
    fn least(self) -> Self {
        self.least_wide().0
    }
    fn spot(&self, cell: u32) -> Spot {
        BitGrid::spot(self, cell)
    }
    fn scene(&self, alphabet: &Alphabet) -> Scene {
        BitGrid::scene(self, alphabet)
    }
}

impl<const N: usize> Field<N> for Graph<N> {
    type Set = u64;

    fn read(text: &str, alphabet: &Alphabet, plain: usize) -> Result<Self, BoardError> {
        Graph::read(text, alphabet, plain)
    }
    fn show(&self, alphabet: &Alphabet, plain: usize) -> String {
        Graph::show(self, alphabet, plain)
    }
    fn filled(size: Size, _code: usize) -> Result<Self, BoardError> {
        Err(BoardError::Invalid(format!("a size such as {size:?} says nothing about a graph")))
    }
    fn planes(&self) -> &[u64; N] {
        &self.planes
    }
    fn planes_mut(&mut self) -> &mut [u64; N] {
        &mut self.planes
    }
    fn around(&self, set: u64) -> u64 {
        Graph::around(self, set)
    }
    fn cut(&self, set: u64) -> Self {
        Graph::cut(self, set)
    }
    fn least(self) -> Self {
        self
    }
    fn spot(&self, cell: u32) -> Spot {
        Spot::Node(cell)
    }
    fn scene(&self, alphabet: &Alphabet) -> Scene {
        Graph::scene(self, alphabet)
    }
}
