//! Who is seen to win a position of Domineering by one move, without counting everything after every move.

use std::ops::ControlFlow;

use gb_board::{Frame, Word};
use gb_rules::Player;

use super::race::{Count, Line, Others, Room, contested, lead as lead_of};

/// A move hardly ever brings more than this to who makes it, beyond what counting sees before it: of two million moves that win on 8x8 by
/// what is counted after them, 98 in a hundred bring no more.
const MOST_BY_A_MOVE: i64 = 1;

/// What counting says of the player whose turn it is.
#[derive(Clone, Copy)]
pub(super) enum Outlook<W> {
    Wins,
    /// By one of the moves with these first cells.
    MayWin(W),
    Unlikely,
}

impl Others {
    /// What counting says if it is the turn of the player who does not move next, with these moves. Those are left out that are not likely to win, more of
    /// them with less `slack`: with 1, one in fifty is missed of those that win, with 0, one in ten on 7x8.
    #[inline(always)]
    pub(super) fn outlook<W: Word>(
        &self,
        frame: &Frame<W>,
        (empty, heads): (W, W),
        upright: bool,
        slack: i64,
    ) -> Outlook<W> {
        let who = self.first.opponent();
        let [along, across] = [upright, !upright].map(|upright| Line { frame, upright });
        let (own, other) = (&self.races[who as usize], &self.races[self.first as usize]);
        let (room, opponent) = (Room::along(&along, empty), Room::along(&across, empty));
        let (counts, cells) = contested(&along, empty, room.own);
        let counts = own.contested.plus(&counts);
        let (safe, possible) = (own.safe + room.safe, other.possible + opponent.possible);
        let usable = other.usable + across.usable(empty, cells);
        let lead = lead_of(safe, counts.sure(true), possible, usable);
        if self.is_enough(who, lead.saturating_sub(1)) {
            return Outlook::Wins;
        }
        if !self.is_enough(who, lead + MOST_BY_A_MOVE) {
            return Outlook::Unlikely;
        }
        let sure = counts.sure(false);
        // The opponent covers no more cells than two for each domino that is possible; and hardly ever fewer than is counted before the move.
        let most = (safe + sure - (possible - sure)).min(lead_of(safe, sure, possible, usable) + slack);
        let missing = (0..=6).find(|&by| self.is_enough(who, most + by));
        match missing {
            Some(missing) => {
                let promising = heads & along.gains(&across, empty, room.own).at_least(missing);
                if promising.is_empty() { Outlook::Unlikely } else { Outlook::MayWin(promising) }
            }
            None => Outlook::Unlikely,
        }
    }

    /// As [`count_moves`](Others::count_moves) for the player who does not move next in this count, for who tries moves to win: a winner is
    /// named if that is this player and seen quickly. Whether the other player wins is asked of the moves that are tried, with [`sees_win`](Others::sees_win).
    #[inline(always)]
    pub(super) fn weigh_moves<W: Word>(
        &self,
        frame: &Frame<W>,
        (empty, heads): (W, W),
        upright: bool,
        emit: &mut impl FnMut(u32, W, Count) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let who = self.first.opponent();
        let promising = match self.outlook(frame, (empty, heads), upright, 0) {
            Outlook::Wins => heads,
            Outlook::MayWin(promising) => promising,
            Outlook::Unlikely => W::ZERO,
        };
        let [along, across] = [upright, !upright].map(|upright| Line { frame, upright });
        let (own, other) = (&self.races[who as usize], &self.races[self.first as usize]);
        let (room, opponent) = (Room::along(&along, empty), Room::along(&across, empty));
        let (gains, costs) = (along.gains(&across, empty, room.own), along.costs(&across, empty, room.own));
        let before = own.possible + own.safe + room.possible + room.safe
            - (other.possible + other.safe + opponent.possible + opponent.safe);
        let step = if upright { frame.stride } else { 1 };
        for cell in heads.cells() {
            let left = empty & !(W::bit(cell) | W::bit(cell + step));
            let count = if promising.has(cell) && self.wins_second(&along, &across, left) {
                Count::Winner(who)
            } else {
                let after = before - 1 + gains.of(cell) - costs.of(cell);
                if who == Player::Left { self.ahead(after, 0) } else { self.ahead(0, after) }
            };
            emit(cell, left, count)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether the player who does not move next, along these lines, wins with this board by counting.
    #[inline(always)]
    fn wins_second<W: Word>(&self, along: &Line<'_, W>, across: &Line<'_, W>, empty: W) -> bool {
        let who = self.first.opponent();
        let (own, other) = (&self.races[who as usize], &self.races[self.first as usize]);
        let (room, opponent) = (Room::along(along, empty), Room::along(across, empty));
        let (counts, cells) = contested(along, empty, room.own);
        let sure = own.contested.plus(&counts).sure(false);
        let (possible, usable) =
            (other.possible + opponent.possible, other.usable + across.usable(empty, cells));
        self.is_enough(who, lead_of(own.safe + room.safe, sure, possible, usable))
    }

    /// Whether the player who does not move next in this count wins by one of the moves of `heads`, as counted after it, or by some move as
    /// counted before. The `hint` is the first cell of a move that won on a similar board, or nothing (0): one more than the cell.
    #[inline(always)]
    pub(super) fn sees_win<W: Word>(
        &self,
        frame: &Frame<W>,
        (empty, heads): (W, W),
        upright: bool,
        hint: &mut u64,
    ) -> bool {
        let heads = match self.outlook(frame, (empty, heads), upright, 1) {
            Outlook::Wins => return true,
            Outlook::Unlikely => return false,
            Outlook::MayWin(promising) => promising,
        };
        let [along, across] = [upright, !upright].map(|upright| Line { frame, upright });
        let step = if upright { frame.stride } else { 1 };
        let hinted = match hint {
            0 => W::ZERO,
            _ => heads & W::bit(*hint as u32 - 1),
        };
        for cell in hinted.cells().chain((heads & !hinted).cells()) {
            let left = empty & !(W::bit(cell) | W::bit(cell + step));
            if self.wins_second(&along, &across, left) {
                *hint = u64::from(cell) + 1;
                return true;
            }
        }
        false
    }
}

impl<W: Word> Line<'_, W> {
    /// Every second cell of every run, from its last one back.
    #[inline(always)]
    fn every_second_back(&self, set: W) -> W {
        let (step, length) = self.step_and_length();
        let linked = set & self.back(set);
        let mut cells = set & !linked;
        let mut reach = linked & linked.down(step);
        let mut by = 2;
        while by < length {
            cells |= reach & cells.down(by * step);
            reach &= reach.down(by * step);
            by *= 2;
        }
        cells
    }

    /// What dominoes along these lines bring, all of them at once.
    #[inline(always)]
    pub(super) fn gains(&self, across: &Line<'_, W>, empty: W, own: W) -> Gains<W> {
        // Without a cell there is room for one domino less, but for every second cell of an odd run.
        let taken = empty & !(across.every_second(empty) & across.every_second_back(empty));
        let (odd_before, odd_after) = self.beside_odd_runs(own);
        let mut bits = [taken, self.back(taken), W::ZERO, W::ZERO, W::ZERO, W::ZERO];
        for (side, bits) in [false, true].into_iter().zip(bits[2..].chunks_exact_mut(2)) {
            // Cells that the opponent can use only together with one to this side, seen from that one.
            let freed = empty & !own & !self.aside(empty, side);
            let [freed, before, after] =
                [freed, freed & odd_before, freed & odd_after].map(|set| self.aside(set, side));
            let (next, single) = (self.back(freed), before | after);
            bits[0] = (freed & next) | (single & !next) | (self.back(single) & !freed);
            bits[1] = before & self.back(after);
        }
        // As many as bits are set: sums of three and three.
        let sum = |[a, b, c]: [W; 3]| (a ^ b ^ c, a & b | (a ^ b) & c);
        let [a, b, c, d, e, f] = bits;
        let ((low_a, high_a), (low_b, high_b)) = (sum([a, b, c]), sum([d, e, f]));
        let (low, carry) = (low_a ^ low_b, low_a & low_b);
        let (middle, high) = sum([high_a, high_b, carry]);
        Gains { low, middle, high }
    }

    /// The cells after and before runs of odd length: with one of these cells more there is room for one domino more.
    #[inline(always)]
    fn beside_odd_runs(&self, set: W) -> (W, W) {
        let (first, last) = (set & !self.forth(set), set & !self.back(set));
        (self.forth(self.every_second(set) & last), self.back(self.every_second_back(set) & first))
    }

    /// What dominoes along these lines cost who places them, beyond the room they take, all of them at once.
    #[inline(always)]
    pub(super) fn costs(&self, across: &Line<'_, W>, empty: W, own: W) -> Costs<W> {
        // A domino in an even run after an odd number of cells leaves two odd runs.
        let splits = |set: W| !self.every_second(set) & !self.back(self.every_second_back(set));
        let (upper, lower) = (own, self.back(own));
        let both = upper & lower;
        let of_one = upper & !lower & !self.every_second(own);
        let of_other = lower & !upper & !self.back(self.every_second_back(own));
        // Cells that only the domino keeps the player from using alone, and the opponent has a use for.
        let opponents = empty & !(self.forth(empty) | self.back(empty));
        let (before, after) = across.beside_odd_runs(opponents);
        let single = empty & (before | after);
        let (first, last) = (single & !self.forth(empty), single & !self.back(empty));
        Costs([
            splits(empty),
            both | of_one | of_other,
            both & splits(own),
            self.forth(first),
            self.back(self.back(last)),
        ])
    }
}

/// For every domino, at its first cell: the dominoes on own cells that there is room for more, and the opponent's that there is room for less, without what it takes of
/// its own cells; as a number of three bits.
#[derive(Clone, Copy)]
pub(super) struct Gains<W> {
    low: W,
    middle: W,
    high: W,
}

impl<W: Word> Gains<W> {
    /// The first cells of dominoes that bring at least so much.
    #[inline(always)]
    fn at_least(&self, gain: i64) -> W {
        let &Gains { low, middle, high } = self;
        match gain {
            ..=0 => !W::ZERO,
            1 => low | middle | high,
            2 => middle | high,
            3 => high | middle & low,
            4 => high,
            5 => high & (middle | low),
            6 => high & middle,
            _ => W::ZERO,
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, cell: u32) -> i64 {
        let bit = |set: W| i64::from(set.has(cell));
        bit(self.low) + 2 * bit(self.middle) + 4 * bit(self.high)
    }
}

/// For every domino, at its first cell: the dominoes that there is room for less than before, beside itself, on all cells and on own cells, and the opponent's on cells of their own that
/// there is room for more; as a sum of bits.
#[derive(Clone, Copy)]
pub(super) struct Costs<W>([W; 5]);

impl<W: Word> Costs<W> {
    #[inline(always)]
    pub(super) fn of(&self, cell: u32) -> i64 {
        self.0.iter().map(|set| i64::from(set.has(cell))).sum()
    }
}

#[cfg(test)]
mod tests {
    use gb_board::{BitGrid, Random};

    use super::*;

    /// What single dominoes bring, against counting before and after each of them.
    fn check<W: Word>(rows: usize, cols: usize, random: &mut Random) {
        let mut board = BitGrid::<W>::blank(rows, cols).unwrap();
        for i in 0..rows * cols {
            board.set((i / cols) as u32, (i % cols) as u32, usize::from(random.below(4) > 0));
        }
        let (frame, empty) = (board.frame(), board.planes[0]);
        for upright in [true, false] {
            let [along, across] = [upright, !upright].map(|upright| Line { frame: &frame, upright });
            let before = (Room::along(&along, empty), Room::along(&across, empty));
            let own = before.0.own;
            let (gains, costs) = (along.gains(&across, empty, own), along.costs(&across, empty, own));
            for cell in (empty & along.back(empty)).cells() {
                let domino = W::bit(cell) | along.forth(W::bit(cell));
                let left = empty & !domino;
                let after = (Room::along(&along, left), Room::along(&across, left));
                let gain = after.0.safe - before.0.safe + before.1.possible - after.1.possible;
                let said = (1..=7).take_while(|&gain| gains.at_least(gain).has(cell)).count() as i64;
                assert_eq!(said, gains.of(cell));
                assert!(gain <= said, "{board:?} {upright} {cell}: {gain} {said}");
                if !domino.meets(own) {
                    assert_eq!(gain, said, "{board:?} {upright} {cell}");
                }
                let total = gain + after.0.possible - before.0.possible + before.1.safe - after.1.safe;
                assert_eq!(total, said - 1 - costs.of(cell), "{board:?} {upright} {cell}");
            }
        }
    }

    #[test]
    fn what_dominoes_bring_is_what_counting_says() {
        let mut random = Random::new(7, 0);
        for _ in 0..300 {
            for (rows, cols) in [(1, 9), (4, 4), (5, 5), (7, 8), (8, 8), (4, 16), (9, 7)] {
                check::<u64>(rows, cols, &mut random);
            }
            for (rows, cols) in [(8, 9), (9, 9), (10, 10), (3, 40)] {
                check::<u128>(rows, cols, &mut random);
            }
        }
    }
}
