//! Which moves of Domineering look good, and a fast way to random ones.

use gb_board::{BitGrid, Word};
use gb_rules::{Heuristics, Player, Sampling};

use super::{Domineering, places};

impl<W: Word> Heuristics<BitGrid<W>, u32> for Domineering<W> {
    /// What looks equally good is tried from the edges to the middle: that takes 511 thousand nodes instead of 1.23 million
    /// on 7x8.
    #[inline]
    fn order_score(&self, at: &BitGrid<W>, _who: Player, mv: &u32) -> i32 {
        let (row, col) = at.frame().place(*mv);
        let from_middle = |place: u32, length: u8| (2 * place as i32 + 1 - i32::from(length)).abs();
        from_middle(row, at.rows) + from_middle(col, at.cols)
    }
    fn size(&self, at: &BitGrid<W>) -> Option<usize> {
        Some(at.planes[0].len() as usize)
    }
}

impl<W: Word> Sampling<BitGrid<W>, u32> for Domineering<W> {
    #[inline]
    fn count_moves(&self, at: &BitGrid<W>, who: Player) -> u32 {
        places(at, who).len()
    }
    #[inline]
    fn random_move(&self, at: &BitGrid<W>, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<u32> {
        let cells = places(at, who);
        (!cells.is_empty()).then(|| cells.nth(below(cells.len())))
    }
}
