//! Who makes more moves in Domineering, by counting.

use gb_board::{BitGrid, Frame, Word};
use gb_rules::{COUNTS, Player};

/// How many moves a player can still make (after Bullock, Domineering: Solving Large Combinatorial Search Spaces, 2002).
/// The counts of the parts of a sum add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Race {
    /// Dominoes side by side on cells that the opponent can never use.
    pub(super) safe: i64,
    /// Squares of two dominoes beside a wall: placing the inner one makes the outer one safe.
    pairs: i64,
    /// Further dominoes, of which one of the opponent's hits at most two.
    exposed: i64,
    /// Further dominoes, of which one of the opponent's hits at most one, and none of the others.
    lone: i64,
    /// At most this many dominoes, even if the opponent never moves.
    pub(super) possible: i64,
    /// Cells that the player may ever cover.
    usable: i64,
}

impl Race {
    #[inline]
    pub(super) fn counts(self) -> [i32; COUNTS] {
        let Race { safe, pairs, exposed, lone, possible, usable } = self;
        [safe, pairs, exposed, lone, possible, usable].map(|count| count as i32)
    }

    #[inline]
    pub(super) fn from_counts(counts: [i32; COUNTS]) -> Race {
        let [safe, pairs, exposed, lone, possible, usable] = counts.map(i64::from);
        Race { safe, pairs, exposed, lone, possible, usable }
    }

    #[inline]
    pub(super) fn of<W: Word>(at: &BitGrid<W>, who: Player) -> Race {
        let (frame, empty) = (at.frame(), at.planes[0]);
        // Compiled for either player, since this is most of what a move costs in the search for a winner.
        match who {
            Player::Left => Self::along(&Line { frame: &frame, upright: true }, empty),
            Player::Right => Self::along(&Line { frame: &frame, upright: false }, empty),
        }
    }

    /// With the player's dominoes along these lines.
    #[inline(always)]
    fn along<W: Word>(line: &Line<'_, W>, empty: W) -> Race {
        let beside = |set: W| line.aside(set, false) | line.aside(set, true);
        let own = empty & !beside(empty);
        let mut rest = empty & !own;
        let mut squares = W::ZERO;
        let mut pairs = 0;
        for side in [false, true] {
            let walled = rest & !line.aside(empty, side);
            let heads = line.pack(walled & line.aside(rest, !side));
            let outer = heads | line.forth(heads);
            let square = outer | line.aside(outer, side);
            pairs += heads.len();
            squares |= square;
            rest &= !square;
        }
        let heads = line.pack(rest);
        let dominoes = heads | line.forth(heads);
        let touching = dominoes & beside(dominoes | squares);
        let lone = heads & !(touching | line.back(touching));
        let playable = empty & (line.forth(empty) | line.back(empty));
        Race {
            safe: line.pack(own).len().into(),
            pairs: pairs.into(),
            exposed: (heads & !lone).len().into(),
            lone: lone.len().into(),
            possible: line.pack(empty).len().into(),
            usable: playable.len().into(),
        }
    }

    /// At least this many moves on cells that the opponent might have used, whatever the opponent does: first the
    /// pairs, then the exposed dominoes, then the others.
    #[inline]
    fn sure(&self, moves_first: bool) -> i64 {
        let odd = self.lone % 2;
        let second = self.lone / 2 + (self.exposed + 2 * odd) / 3;
        let first = (self.lone + 1) / 2 + (self.exposed + 2 - odd) / 3;
        match (self.pairs, moves_first) {
            (0, false) => second,
            (0, true) => first,
            (pairs, false) => first + pairs - 1,
            (1, true) => second + 2,
            (pairs, true) => first + pairs,
        }
    }

    /// How many moves more than the opponent the player makes at least.
    #[inline]
    pub(super) fn lead(&self, opponent: &Race, moves_first: bool) -> i64 {
        let sure = self.sure(moves_first);
        // Each of these moves takes two cells from the opponent.
        let most = opponent.possible.min((opponent.usable - 2 * sure).div_euclid(2));
        self.safe + sure - most
    }
}

/// The lines along which a player's dominoes lie.
struct Line<'a, W> {
    frame: &'a Frame<W>,
    upright: bool,
}

impl<W: Word> Line<'_, W> {
    #[inline(always)]
    fn forth(&self, set: W) -> W {
        if self.upright { self.frame.south(set) } else { self.frame.east(set) }
    }

    #[inline(always)]
    fn back(&self, set: W) -> W {
        if self.upright { self.frame.north(set) } else { self.frame.west(set) }
    }

    /// To either side of the lines.
    #[inline(always)]
    fn aside(&self, set: W, back: bool) -> W {
        match (self.upright, back) {
            (true, false) => self.frame.east(set),
            (true, true) => self.frame.west(set),
            (false, false) => self.frame.south(set),
            (false, true) => self.frame.north(set),
        }
    }

    /// The first cells of dominoes side by side in a set of cells, as many as there is room for: in every line half of its
    /// length.
    #[inline(always)]
    fn pack(&self, set: W) -> W {
        // Every second cell of a run, from its first one on. Twice as far with each step, and never across a gap.
        let (step, length) =
            if self.upright { (self.frame.stride, self.frame.rows) } else { (1, self.frame.cols) };
        let linked = set & self.forth(set);
        let mut heads = set & !linked;
        let mut reach = linked & linked.up(step);
        let mut by = 2;
        while by < length {
            heads |= reach & heads.up(by * step);
            reach &= reach.up(by * step);
            by *= 2;
        }
        heads & self.back(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`Race::sure`] by playing it out.
    fn sure(pairs: i64, exposed: i64, lone: i64, moves_first: bool) -> i64 {
        let after =
            |p: i64, e: i64, l: i64, mine: bool| (p >= 0 && e >= 0 && l >= 0).then(|| sure(p, e, l, mine));
        let (p, e, l) = (pairs, exposed, lone);
        if moves_first {
            let own = [
                after(p - 1, e, l, false).map(|n| n + 2),
                after(p, e - 1, l, false).map(|n| n + 1),
                after(p, e, l - 1, false).map(|n| n + 1),
            ];
            return own.into_iter().flatten().max().unwrap_or(0);
        }
        let hits = [
            Some(sure(p, e, l, true)),
            after(p - 1, e, l, true),
            // One cell of a square is hit, and with it something beside the square.
            after(p - 1, e - 1, l + 1, true).filter(|_| p > 0),
            after(p - 2, e, l + 2, true),
            after(p, e - 1, l, true),
            after(p, e - 2, l, true),
            after(p, e, l - 1, true),
        ];
        hits.into_iter().flatten().min().unwrap_or(0)
    }

    #[test]
    fn sure_moves_are_those_of_the_game_of_hitting() {
        for (pairs, exposed, lone) in
            (0..4).flat_map(|p| (0..4).flat_map(move |e| (0..3).map(move |l| (p, e, l))))
        {
            if pairs + exposed + lone > 6 {
                continue;
            }
            let race = Race { pairs, exposed, lone, ..Race::default() };
            for first in [false, true] {
                assert_eq!(race.sure(first), sure(pairs, exposed, lone, first), "{race:?} {first}");
            }
        }
    }

    /// Dominoes from the beginning of every run, one after the other.
    fn pack_plainly<W: Word>(line: &Line<'_, W>, set: W) -> W {
        let (mut left, mut all) = (set, W::ZERO);
        loop {
            let heads = left & !line.forth(left) & line.back(left);
            if heads.is_empty() {
                return all;
            }
            all |= heads;
            left &= !(heads | line.forth(heads));
        }
    }

    #[test]
    fn dominoes_are_packed_from_the_beginning_of_runs() {
        fn check<W: Word>(rows: u32, cols: u32, random: &mut gb_board::Random) {
            let frame = Frame::<W>::new(rows, cols);
            for round in 0..200 {
                let mut set = W::ZERO;
                for cell in frame.full.cells() {
                    if random.below(8) < 1 + round % 8 {
                        set |= W::bit(cell);
                    }
                }
                for upright in [false, true] {
                    let line = Line { frame: &frame, upright };
                    assert_eq!(line.pack(set), pack_plainly(&line, set), "{rows}x{cols} {upright} {set:?}");
                }
            }
        }
        let mut random = gb_board::Random::new(3, 0);
        for (rows, cols) in
            [(8, 8), (1, 8), (8, 1), (5, 7), (1, 1), (3, 2), (1, 64), (64, 1), (4, 16), (9, 7)]
        {
            check::<u64>(rows, cols, &mut random);
            check::<u128>(rows, cols, &mut random);
        }
        for (rows, cols) in [(8, 9), (9, 8), (1, 128), (128, 1), (11, 11)] {
            check::<u128>(rows, cols, &mut random);
        }
    }
}
