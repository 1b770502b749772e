//! Who makes more moves in Domineering, by counting.

use std::ops::ControlFlow;

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
        match who {
            Player::Left => Self::along(&Line { frame: &frame, upright: true }, empty),
            Player::Right => Self::along(&Line { frame: &frame, upright: false }, empty),
        }
    }

    /// With the player's dominoes along these lines.
    #[inline(always)]
    fn along<W: Word>(line: &Line<'_, W>, empty: W) -> Race {
        let Room { own, safe, possible, usable } = Room::along(line, empty);
        let (pairs, exposed, lone) = contested(line, empty, own);
        Race { safe, pairs, exposed, lone, possible, usable }
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
        lead(self.safe, self.sure(moves_first), opponent.possible, opponent.usable)
    }
}

/// How many moves more than the opponent a player makes at least, with so many on safe cells and so many sure ones elsewhere.
#[inline]
fn lead(safe: i64, sure: i64, opponents_possible: i64, opponents_usable: i64) -> i64 {
    // Each of the sure moves takes two cells from the opponent.
    let most = opponents_possible.min((opponents_usable - 2 * sure).div_euclid(2));
    safe + sure - most
}

/// What of a [`Race`] is counted quickly.
#[derive(Clone, Copy)]
struct Room<W> {
    /// The cells that the opponent can never use.
    own: W,
    safe: i64,
    possible: i64,
    usable: i64,
}

impl<W: Word> Room<W> {
    #[inline(always)]
    fn along(line: &Line<'_, W>, empty: W) -> Room<W> {
        let own = empty & !line.beside(empty);
        let playable = empty & (line.forth(empty) | line.back(empty));
        Room {
            own,
            safe: line.pack(own).len().into(),
            possible: line.pack(empty).len().into(),
            usable: playable.len().into(),
        }
    }
}

/// The rest of a [`Race`]: pairs, exposed and lone dominoes on cells that the opponent might use.
#[inline(always)]
fn contested<W: Word>(line: &Line<'_, W>, empty: W, own: W) -> (i64, i64, i64) {
    let mut rest = empty & !own;
    let (mut squares, mut pairs) = (W::ZERO, W::ZERO);
    for side in [false, true] {
        let walled = rest & !line.aside(empty, side);
        let heads = line.pack(walled & line.aside(rest, !side));
        let outer = heads | line.forth(heads);
        let square = outer | line.aside(outer, side);
        pairs |= heads;
        squares |= square;
        rest &= !square;
    }
    let heads = line.pack(rest);
    let dominoes = heads | line.forth(heads);
    let touching = dominoes & line.beside(dominoes | squares);
    let lone = heads & !(touching | line.back(touching));
    (pairs.len().into(), (heads & !lone).len().into(), lone.len().into())
}

/// At most so many sure moves more than before come from a board with room for so many dominoes that are not safe: a pair takes two of them.
#[inline]
fn most_sure(dominoes: i64) -> i64 {
    (dominoes + 2) / 2
}

/// Who wins by counting, or by how many possible and safe moves together Left is ahead, twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Count {
    Winner(Player),
    Ahead(i64),
}

/// The races on all boards of a sum but one, and the integers around the rest of it.
pub(super) struct Others {
    pub(super) races: [Race; 2],
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) first: Player,
}

impl Others {
    /// What all counts say.
    #[inline]
    pub(super) fn count_all(&self) -> Count {
        let [left, right] = &self.races;
        let leads =
            [left.lead(right, self.first == Player::Left), right.lead(left, self.first == Player::Right)];
        for who in Player::BOTH {
            if self.is_enough(who, leads[who as usize]) {
                return Count::Winner(who);
            }
        }
        self.ahead(left.possible + left.safe, right.possible + right.safe)
    }

    /// Whether a player wins who makes so many moves more than the opponent on the boards.
    #[inline]
    fn is_enough(&self, who: Player, lead: i64) -> bool {
        let rest = if who == Player::Left { self.low } else { self.high.saturating_neg() };
        rest.saturating_add(lead) >= i64::from(self.first == who)
    }

    /// Bullock's order of moves.
    #[inline]
    fn ahead(&self, left: i64, right: i64) -> Count {
        Count::Ahead(2 * (left - right) + self.low.clamp(-1000, 1000) + self.high.clamp(-1000, 1000))
    }

    /// The same with one more board, on which Left's dominoes stand upright, or lie if it is the negative that stands in the sum. What
    /// takes long is counted only where it may decide.
    #[inline(always)]
    fn count<W: Word>(&self, frame: &Frame<W>, empty: W, negative: bool) -> Count {
        let lines = [true, false].map(|upright| Line { frame, upright });
        let rooms = [Room::along(&lines[0], empty), Room::along(&lines[1], empty)];
        let [left, right] = &self.races;
        let of = |who: Player| rooms[usize::from((who == Player::Right) != negative)];
        for (who, own, other) in [(Player::Left, left, right), (Player::Right, right, left)] {
            let (room, opponent) = (of(who), of(who.opponent()));
            let lead_with = |sure: i64| {
                lead(
                    own.safe + room.safe,
                    sure,
                    other.possible + opponent.possible,
                    other.usable + opponent.usable,
                )
            };
            let first = self.first == who;
            if !self.is_enough(who, lead_with(own.sure(first) + most_sure(room.possible - room.safe))) {
                continue;
            }
            let (pairs, exposed, lone) = if (who == Player::Right) != negative {
                contested(&lines[1], empty, room.own)
            } else {
                contested(&lines[0], empty, room.own)
            };
            let all = Race {
                pairs: own.pairs + pairs,
                exposed: own.exposed + exposed,
                lone: own.lone + lone,
                ..Race::default()
            };
            if self.is_enough(who, lead_with(all.sure(first))) {
                return Count::Winner(who);
            }
        }
        let [left, right] = [(Player::Left, left), (Player::Right, right)].map(|(who, race)| {
            let room = of(who);
            race.possible + race.safe + room.possible + room.safe
        });
        self.ahead(left, right)
    }

    /// The same for every move of a player on a board: calls `emit` with its first cell and what is left empty.
    #[inline(always)]
    pub(super) fn count_moves<W: Word>(
        &self,
        frame: &Frame<W>,
        (empty, heads): (W, W),
        upright: bool,
        negative: bool,
        emit: &mut impl FnMut(u32, W, Count) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let step = if upright { frame.stride } else { 1 };
        for cell in heads.cells() {
            let left = empty & !(W::bit(cell) | W::bit(cell + step));
            emit(cell, left, self.count(frame, left, negative))?;
        }
        ControlFlow::Continue(())
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

    /// To both sides.
    #[inline(always)]
    fn beside(&self, set: W) -> W {
        self.aside(set, false) | self.aside(set, true)
    }

    /// The first cells of dominoes side by side in a set of cells, as many as there is room for: in every line half of its
    /// length.
    #[inline(always)]
    fn pack(&self, set: W) -> W {
        // Every second cell of a run, from its first one on. Twice as far with each step, and never across a gap.
        // What is longer than the line does no harm, and on boards in bytes the compiler knows the length.
        let (step, length) = match (self.upright, W::BYTE_ROWS && self.frame.stride == 8) {
            (true, true) => (8, 8),
            (false, true) => (1, 8),
            (true, false) => (self.frame.stride, self.frame.rows),
            (false, false) => (1, self.frame.cols),
        };
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

    #[test]
    fn no_more_sure_moves_than_most() {
        let races: Vec<Race> = (0..4)
            .flat_map(|p| (0..7).flat_map(move |e| (0..5).map(move |l| (p, e, l))))
            .map(|(pairs, exposed, lone)| Race { pairs, exposed, lone, ..Race::default() })
            .collect();
        for (a, b) in races.iter().flat_map(|a| races.iter().map(move |b| (a, b))) {
            let both = Race {
                pairs: a.pairs + b.pairs,
                exposed: a.exposed + b.exposed,
                lone: a.lone + b.lone,
                ..Race::default()
            };
            for first in [false, true] {
                let most = a.sure(first) + most_sure(2 * b.pairs + b.exposed + b.lone);
                assert!(both.sure(first) <= most, "{a:?} {b:?} {first}");
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
