//! Sets of cells taken apart into what hangs together.

use std::iter;

use crate::{Frame, Word};

impl<W: Word> Frame<W> {
    /// The sets of cells that rook's steps join, by their first cells.
    #[inline]
    pub fn components4(self, cells: W) -> impl Iterator<Item = W> {
        taken_apart(cells, move |seed, left| self.flood4(seed, left))
    }

    /// The sets of cells that king's steps join, by their first cells.
    #[inline]
    pub fn components8(self, cells: W) -> impl Iterator<Item = W> {
        taken_apart(cells, move |seed, left| self.flood8(seed, left))
    }

    /// The runs of cells side by side in the rows.
    #[inline]
    pub fn runs(self, cells: W) -> impl Iterator<Item = W> {
        taken_apart(cells, move |seed, left| {
            let mut run = seed;
            loop {
                let next = run | (self.east(run) & left);
                if next == run {
                    return run;
                }
                run = next;
            }
        })
    }
}

/// Takes away what `flood` finds from the first cell that is left, until nothing is.
#[inline]
fn taken_apart<W: Word>(cells: W, flood: impl Fn(W, W) -> W) -> impl Iterator<Item = W> {
    let mut left = cells;
    iter::from_fn(move || {
        if left.is_empty() {
            return None;
        }
        let part = flood(W::bit(left.first()), left);
        left &= !part;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use crate::{Alphabet, BitGrid};

    const LETTERS: Alphabet = Alphabet(&[('#', "hole"), ('.', "cell")]);

    #[test]
    fn cells_hang_together_as_said() {
        let board = BitGrid::<u64>::read("..#.|##..|.#.#", &LETTERS).unwrap();
        let shown = |parts: &mut dyn Iterator<Item = u64>| {
            parts.map(|part| board.cut(part).show(&LETTERS)).collect::<Vec<_>>()
        };
        let (frame, cells) = (board.frame(), board.planes[0]);
        assert_eq!(shown(&mut frame.components4(cells)), ["..", "#.|..|.#", "."]);
        assert_eq!(shown(&mut frame.components8(cells)), ["..#.|##..|##.#", "."]);
        assert_eq!(shown(&mut frame.runs(cells)), ["..", ".", "..", ".", "."]);
    }
}
