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
    pub(super) fn counts(self) -> [i32; COUNTS] {
        let Race { safe, pairs, exposed, lone, possible, usable } = self;
        [safe, pairs, exposed, lone, possible, usable].map(|count| count as i32)
    }

    pub(super) fn from_counts(counts: [i32; COUNTS]) -> Race {
        let [safe, pairs, exposed, lone, possible, usable] = counts.map(i64::from);
        Race { safe, pairs, exposed, lone, possible, usable }
    }

    #[inline]
    pub(super) fn of<W: Word>(at: &BitGrid<W>, who: Player) -> Race {
        let frame = at.frame();
        let empty = at.planes[0];
        // Along the player's dominoes, and to either side of them.
        let (forth, sides) = match who {
            Player::Left => (4, [2, 6]),
            Player::Right => (2, [4, 0]),
        };
        let back = forth ^ 4;
        let beside = |set: W| frame.step(set, sides[0]) | frame.step(set, sides[1]);
        let own = empty & !beside(empty);
        let mut rest = empty & !own;
        let mut squares = W::ZERO;
        let mut pairs = 0;
        for side in sides {
            let walled = rest & !frame.step(empty, side);
            let heads = pack(&frame, walled & frame.step(rest, side ^ 4), forth);
            let outer = heads | frame.step(heads, forth);
            let square = outer | frame.step(outer, side);
            pairs += heads.len();
            squares |= square;
            rest &= !square;
        }
        let heads = pack(&frame, rest, forth);
        let dominoes = heads | frame.step(heads, forth);
        let touching = dominoes & beside(dominoes | squares);
        let lone = heads & !(touching | frame.step(touching, back));
        let playable = empty & (frame.step(empty, forth) | frame.step(empty, back));
        Race {
            safe: pack(&frame, own, forth).len().into(),
            pairs: pairs.into(),
            exposed: (heads & !lone).len().into(),
            lone: lone.len().into(),
            possible: pack(&frame, empty, forth).len().into(),
            usable: playable.len().into(),
        }
    }

    /// At least this many moves on cells that the opponent might have used, whatever the opponent does: first the
    /// pairs, then the exposed dominoes, then the others.
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
    pub(super) fn lead(&self, opponent: &Race, moves_first: bool) -> i64 {
        let sure = self.sure(moves_first);
        // Each of these moves takes two cells from the opponent.
        let most = opponent.possible.min((opponent.usable - 2 * sure).div_euclid(2));
        self.safe + sure - most
    }
}

/// The first cells of dominoes side by side in a set of cells, as many as there is room for: in every line half of its
/// length.
#[inline]
fn pack<W: Word>(frame: &Frame<W>, set: W, forth: usize) -> W {
    let back = forth ^ 4;
    let (mut left, mut all) = (set, W::ZERO);
    loop {
        let heads = left & !frame.step(left, forth) & frame.step(left, back);
        if heads.is_empty() {
            return all;
        }
        all |= heads;
        left &= !(heads | frame.step(heads, forth));
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
}
