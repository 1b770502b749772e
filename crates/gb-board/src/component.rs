//! Connected parts: by neighbourhood (see [`Frame`]) and by the lines of three along which pieces may ever jump.

use crate::{Frame, Word};

/// For each of the four directions (south, east, north, west) the cells where a line of three begins that a move may
/// ever use. Games of jumping pieces split into the classes of cells that such lines join: a move looks at the cells of
/// one line and changes no others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Triples<W>([W; 4]);

/// A move along a line of three: which kinds of things it needs there, and which it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineMove {
    /// The direction, as in [`Triples`].
    pub direction: usize,
    /// What lies on the three cells before the move.
    pub before: [usize; 3],
    /// What lies there after it.
    pub after: [usize; 3],
}

impl LineMove {
    /// The same move in each of the four directions.
    pub const fn all_ways(before: [usize; 3], after: [usize; 3]) -> [LineMove; 4] {
        let [south, east, north, west] = [0, 1, 2, 3];
        [
            LineMove { direction: south, before, after },
            LineMove { direction: east, before, after },
            LineMove { direction: north, before, after },
            LineMove { direction: west, before, after },
        ]
    }
}

/// The directions of [`Triples`] in terms of [`Frame::step`].
const DIRECTIONS: [usize; 4] = [4, 2, 0, 6];

impl<W: Word> Triples<W> {
    /// No lines.
    pub fn none() -> Triples<W> {
        Triples([W::ZERO; 4])
    }
    /// The cells two steps behind, in direction `d`, those of `third`, and so on: the starts of lines whose first,
    /// second and third cells are in these sets.
    #[inline]
    pub fn starts(frame: &Frame<W>, d: usize, first: W, second: W, third: W) -> W {
        let back = DIRECTIONS[d] ^ 4;
        first & frame.step(second & frame.step(third, back), back)
    }
    /// The second and third cells of the lines in direction `d` that start in `starts`.
    #[inline]
    pub fn rest(frame: &Frame<W>, d: usize, starts: W) -> (W, W) {
        let second = frame.step(starts, DIRECTIONS[d]);
        (second, frame.step(second, DIRECTIONS[d]))
    }
    /// Adds lines in direction `d`; says whether any was new.
    #[inline]
    pub fn add(&mut self, d: usize, starts: W) -> bool {
        let old = self.0[d];
        self.0[d] |= starts;
        self.0[d] != old
    }
    /// The lines that moves may ever use. `may` has a set of cells for each kind of thing: those that may hold one. What a
    /// cell may hold only grows, with the moves that become possible, until nothing new comes up.
    #[inline]
    pub fn ever<const KINDS: usize>(frame: &Frame<W>, mut may: [W; KINDS], moves: &[LineMove]) -> Triples<W> {
        let mut lines = Triples::none();
        loop {
            let known = may;
            for &LineMove { direction, before: [a, b, c], after } in moves {
                let first = Self::starts(frame, direction, may[a], may[b], may[c]);
                let (second, third) = Self::rest(frame, direction, first);
                lines.add(direction, first);
                for (kind, cells) in after.into_iter().zip([first, second, third]) {
                    may[kind] |= cells;
                }
            }
            if may == known {
                return lines;
            }
        }
    }
    /// All cells on lines.
    pub fn cells(&self, frame: &Frame<W>) -> W {
        let mut all = W::ZERO;
        for (d, &starts) in self.0.iter().enumerate() {
            let (second, third) = Self::rest(frame, d, starts);
            all |= starts | second | third;
        }
        all
    }
    /// Calls `emit` with each class of cells that lines join.
    pub fn classes(&self, frame: &Frame<W>, emit: &mut impl FnMut(W)) {
        let mut left = self.cells(frame);
        while !left.is_empty() {
            let mut class = W::bit(left.first());
            loop {
                let mut next = class;
                for (d, &starts) in self.0.iter().enumerate() {
                    let back = DIRECTIONS[d] ^ 4;
                    let touched = starts & (next | frame.step(next | frame.step(next, back), back));
                    let (second, third) = Self::rest(frame, d, touched);
                    next |= touched | second | third;
                }
                if next == class {
                    break;
                }
                class = next;
            }
            emit(class);
            left &= !class;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_become_possible_count() {
        // Pegs on 1, 2 and 4 of six holes: hops reach 3 and 0, and from 3 and 4 hole 5, but nothing needs holes 6 and 7.
        let frame = Frame::<u64>::new(1, 8);
        let pegs = 0b1_0110;
        let hops = LineMove::all_ways([0, 0, 1], [1, 1, 0]);
        let lines = Triples::ever(&frame, [pegs, 0b11_1111 & !pegs], &hops);
        assert_eq!(lines.cells(&frame), 0b11_1111);
    }

    #[test]
    fn lines_join_cells() {
        let frame = Frame::<u64>::new(1, 8);
        let mut triples = Triples::none();
        let all = frame.full;
        // Lines 0-1-2 and 2-3-4 to the east, 7-6-5 to the west: two classes.
        triples.add(1, 0b101 & Triples::starts(&frame, 1, all, all, all));
        triples.add(3, 0b1000_0000 & Triples::starts(&frame, 3, all, all, all));
        let mut classes = vec![];
        triples.classes(&frame, &mut |class| classes.push(class));
        assert_eq!(classes, [0b1_1111, 0b1110_0000]);
    }
}
