//! Who makes more moves in Domineering, by counting.

use std::ops::ControlFlow;

use gb_board::{BitGrid, Frame, Word};
use gb_rules::{COUNTS, Player};

/// How many moves a player can still make (after Bullock, Domineering: Solving Large Combinatorial Search Spaces, 2002, and
/// Uiterwijk, Perfectly Solving Domineering Boards, 2014). The counts of the parts of a sum add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Race {
    /// Dominoes side by side on cells that the opponent can never use.
    pub(super) safe: i64,
    /// What can be had of the cells that the opponent might use.
    pub(super) contested: Contested,
    /// At most this many dominoes, even if the opponent never moves.
    pub(super) possible: i64,
    /// Cells that the player may ever cover, with every move of the opponent's [`Contested`] dominoes taking two of them.
    pub(super) usable: i64,
}

/// Dominoes side by side on cells that the opponent might use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Contested {
    /// Squares of two dominoes beside a wall: placing the inner one makes the outer one safe.
    pairs: i64,
    /// Such squares that the opponent cannot hit together with anything else.
    apart: i64,
    /// Three dominoes between two walls: placing the middle one makes both others safe.
    triples: i64,
    /// Further dominoes, of which one of the opponent's hits at most two.
    exposed: i64,
    /// Further dominoes, of which one of the opponent's hits at most one, and none of the others.
    lone: i64,
}

impl Contested {
    #[inline]
    pub(super) fn plus(&self, other: &Contested) -> Contested {
        Contested {
            pairs: self.pairs + other.pairs,
            apart: self.apart + other.apart,
            triples: self.triples + other.triples,
            exposed: self.exposed + other.exposed,
            lone: self.lone + other.lone,
        }
    }

    /// At least this many of these dominoes are placed, whatever the opponent does: first the triples, of which one that is hit leaves a
    /// lone domino, then the squares apart, then the pairs, then the exposed dominoes, then the others.
    #[inline]
    pub(super) fn sure(&self, moves_first: bool) -> i64 {
        let &Contested { pairs, apart, triples, exposed, .. } = self;
        let begins = i64::from(moves_first);
        let lone = self.lone + (triples + 1 - begins) / 2;
        let begins_then = begins ^ (triples & 1);
        let taken = 3 * ((triples + begins) / 2) + 2 * ((apart + begins_then) / 2);
        let odd = lone % 2;
        let second = lone / 2 + (exposed + 2 * odd) / 3;
        let first = (lone + 1) / 2 + (exposed + 2 - odd) / 3;
        let rest = match (pairs, begins_then ^ (apart & 1) == 1) {
            (0, false) => second,
            (0, true) => first,
            (pairs, false) => first + pairs - 1,
            (1, true) => second + 2,
            (pairs, true) => first + pairs,
        };
        taken + rest
    }
}

impl Race {
    #[inline]
    pub(super) fn counts(self) -> [i64; COUNTS] {
        let Race { safe, contested: Contested { pairs, apart, triples, exposed, lone }, possible, usable } =
            self;
        [(safe, pairs), (apart, triples), (exposed, lone), (possible, usable)]
            .map(|(low, high)| low | high << 32)
    }

    #[inline]
    pub(super) fn from_counts(counts: [i64; COUNTS]) -> Race {
        let [(safe, pairs), (apart, triples), (exposed, lone), (possible, usable)] =
            counts.map(|word| (word & i64::from(u32::MAX), word >> 32));
        Race { safe, contested: Contested { pairs, apart, triples, exposed, lone }, possible, usable }
    }

    /// The races of both players.
    #[inline]
    pub(super) fn both<W: Word>(at: &BitGrid<W>) -> [Race; 2] {
        let (frame, empty) = (at.frame(), at.planes[0]);
        let upright = Line { frame: &frame, upright: true };
        let lying = Line { frame: &frame, upright: false };
        let rooms = [Room::along(&upright, empty), Room::along(&lying, empty)];
        let (left, lefts) = contested(&upright, empty, rooms[0].own);
        let (right, rights) = contested(&lying, empty, rooms[1].own);
        let usable = [upright.usable(empty, rights), lying.usable(empty, lefts)];
        let race = |i: usize, contested| {
            let Room { safe, possible, .. } = rooms[i];
            Race { safe, contested, possible, usable: usable[i] }
        };
        [race(0, left), race(1, right)]
    }

    /// How many moves more than the opponent the player makes at least.
    #[inline]
    pub(super) fn lead(&self, opponent: &Race, moves_first: bool) -> i64 {
        lead(self.safe, self.contested.sure(moves_first), opponent.possible, opponent.usable)
    }
}

/// How many moves more than the opponent a player makes at least, with so many on safe cells and so many sure ones elsewhere.
#[inline]
pub(super) fn lead(safe: i64, sure: i64, opponents_possible: i64, opponents_usable: i64) -> i64 {
    // Each of the sure moves takes two cells from the opponent.
    let most = opponents_possible.min((opponents_usable - 2 * sure).div_euclid(2));
    safe + sure - most
}

/// What of a [`Race`] is counted quickly.
#[derive(Clone, Copy)]
pub(super) struct Room<W> {
    /// The cells that the opponent can never use.
    pub(super) own: W,
    pub(super) safe: i64,
    pub(super) possible: i64,
}

impl<W: Word> Room<W> {
    #[inline(always)]
    pub(super) fn along(line: &Line<'_, W>, empty: W) -> Room<W> {
        let own = empty & !line.beside(empty);
        Room { own, safe: line.pack(own).len().into(), possible: line.pack(empty).len().into() }
    }
}

/// The rest of a [`Race`]: dominoes on cells that the opponent might use, and the cells of all of them.
#[inline(always)]
pub(super) fn contested<W: Word>(line: &Line<'_, W>, empty: W, own: W) -> (Contested, W) {
    let mut rest = empty & !own;
    // The middle ones of three cells between walls.
    let middle = line.aside(rest & !line.aside(empty, false), false) & rest;
    let middle = middle & line.aside(rest & !line.aside(empty, true), true);
    let triples = line.pack(middle);
    let inner = triples | line.forth(triples);
    let mut squares = inner | line.beside(inner);
    rest &= !squares;
    let mut sides = [(W::ZERO, W::ZERO); 2];
    for (side, heads_and_outer) in [false, true].into_iter().zip(&mut sides) {
        let walled = rest & !line.aside(empty, side);
        let heads = line.pack(walled & line.aside(rest, !side));
        let outer = heads | line.forth(heads);
        let square = outer | line.aside(outer, side);
        *heads_and_outer = (heads, outer);
        squares |= square;
        rest &= !square;
    }
    let heads = line.pack(rest);
    let dominoes = heads | line.forth(heads);
    let cells = dominoes | squares;
    let touching = dominoes & line.beside(cells);
    let lone = heads & !(touching | line.back(touching));
    let (mut pairs, mut apart) = (W::ZERO, W::ZERO);
    for (side, (heads, outer)) in [false, true].into_iter().zip(sides) {
        // What is beside the inner cells is hit together with them.
        let touching = outer & line.aside(line.aside(cells, !side), !side);
        let touching = heads & (touching | line.back(touching));
        pairs |= touching;
        apart |= heads & !touching;
    }
    let counts = Contested {
        pairs: pairs.len().into(),
        apart: apart.len().into(),
        triples: triples.len().into(),
        exposed: (heads & !lone).len().into(),
        lone: lone.len().into(),
    };
    (counts, cells)
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
    pub(super) fn is_enough(&self, who: Player, lead: i64) -> bool {
        let rest = if who == Player::Left { self.low } else { self.high.saturating_neg() };
        rest.saturating_add(lead) >= i64::from(self.first == who)
    }

    /// Bullock's order of moves.
    #[inline]
    pub(super) fn ahead(&self, left: i64, right: i64) -> Count {
        Count::Ahead(2 * (left - right) + self.low.clamp(-1000, 1000) + self.high.clamp(-1000, 1000))
    }

    /// The same with one more board, on which Left's dominoes stand upright, or lie if it is the negative that stands in the sum. What
    /// takes long is counted only where it may decide, if the players have no more than so many sure moves: Left and Right.
    #[inline(always)]
    fn count<W: Word>(&self, frame: &Frame<W>, empty: W, negative: bool, most_sure: [i64; 2]) -> Count {
        let lines = [true, false].map(|upright| Line { frame, upright });
        let rooms = [Room::along(&lines[0], empty), Room::along(&lines[1], empty)];
        let [left, right] = &self.races;
        let of = |who: Player| rooms[usize::from((who == Player::Right) != negative)];
        for (who, own, other) in [(Player::Left, left, right), (Player::Right, right, left)] {
            let (room, opponent) = (of(who), of(who.opponent()));
            let lead_with = |sure: i64, opponents_usable: i64| {
                lead(
                    own.safe + room.safe,
                    sure,
                    other.possible + opponent.possible,
                    other.usable + opponents_usable,
                )
            };
            if !self.is_enough(who, lead_with(most_sure[who as usize], 2 * opponent.possible)) {
                continue;
            }
            let first = self.first == who;
            let [along, across] = if (who == Player::Right) != negative {
                [&lines[1], &lines[0]]
            } else {
                [&lines[0], &lines[1]]
            };
            let (counts, cells) = contested(along, empty, room.own);
            let sure = own.contested.plus(&counts).sure(first);
            if self.is_enough(who, lead_with(sure, across.usable(empty, cells))) {
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
    ///
    /// A move hardly ever brings more sure moves than there were before it, on cells that are not safe: with this as a limit, two thirds of
    /// the counts are saved for less than one in a hundred that would have decided.
    #[inline(always)]
    pub(super) fn count_moves<W: Word>(
        &self,
        frame: &Frame<W>,
        (empty, heads): (W, W),
        upright: bool,
        negative: bool,
        emit: &mut impl FnMut(u32, W, Count) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let most_sure = Player::BOTH.map(|who| {
            let line = Line { frame, upright: (who == Player::Left) != negative };
            let own = empty & !line.beside(empty);
            let (counts, _) = contested(&line, empty, own);
            self.races[who as usize].contested.plus(&counts).sure(self.first == who)
        });
        let step = if upright { frame.stride } else { 1 };
        for cell in heads.cells() {
            let left = empty & !(W::bit(cell) | W::bit(cell + step));
            emit(cell, left, self.count(frame, left, negative, most_sure))?;
        }
        ControlFlow::Continue(())
    }
}

/// The lines along which a player's dominoes lie.
pub(super) struct Line<'a, W> {
    pub(super) frame: &'a Frame<W>,
    pub(super) upright: bool,
}

impl<W: Word> Line<'_, W> {
    #[inline(always)]
    pub(super) fn forth(&self, set: W) -> W {
        if self.upright { self.frame.south(set) } else { self.frame.east(set) }
    }

    #[inline(always)]
    pub(super) fn back(&self, set: W) -> W {
        if self.upright { self.frame.north(set) } else { self.frame.west(set) }
    }

    /// To either side of the lines.
    #[inline(always)]
    pub(super) fn aside(&self, set: W, back: bool) -> W {
        match (self.upright, back) {
            (true, false) => self.frame.east(set),
            (true, true) => self.frame.west(set),
            (false, false) => self.frame.south(set),
            (false, true) => self.frame.north(set),
        }
    }

    /// To both sides.
    #[inline(always)]
    pub(super) fn beside(&self, set: W) -> W {
        self.aside(set, false) | self.aside(set, true)
    }

    /// How far it is from a cell to the next, and how many cells lines have at most.
    #[inline(always)]
    pub(super) fn step_and_length(&self) -> (u32, u32) {
        // What is longer than the line does no harm, and on boards in bytes the compiler knows the length.
        match (self.upright, W::BYTE_ROWS && self.frame.stride == 8) {
            (true, true) => (8, 8),
            (false, true) => (1, 8),
            (true, false) => (self.frame.stride, self.frame.rows),
            (false, false) => (1, self.frame.cols),
        }
    }

    /// Every second cell of every run, from its first one on.
    #[inline(always)]
    pub(super) fn every_second(&self, set: W) -> W {
        // Twice as far with each step, and never across a gap.
        let (step, length) = self.step_and_length();
        let linked = set & self.forth(set);
        let mut cells = set & !linked;
        let mut reach = linked & linked.up(step);
        let mut by = 2;
        while by < length {
            cells |= reach & cells.up(by * step);
            reach &= reach.up(by * step);
            by *= 2;
        }
        cells
    }

    /// The first cells of dominoes side by side in a set of cells, as many as there is room for: in every line half of its
    /// length.
    #[inline(always)]
    fn pack(&self, set: W) -> W {
        self.every_second(set) & self.back(set)
    }

    /// Twice as many dominoes as there is room for, if the opponent takes two of the `taken` cells for each domino less: all cells that
    /// have a neighbour along the line, but for one of every odd run in which every taken cell has an odd number of cells before it and
    /// after it. Such a run has one cell of no use, and room for one domino less with every cell that is taken.
    #[inline(always)]
    pub(super) fn usable(&self, empty: W, taken: W) -> i64 {
        let (step, length) = self.step_and_length();
        let even = self.every_second(empty);
        let (before, after) = (self.forth(empty), self.back(empty));
        let mut reach = empty & before;
        let last_of_odd = even & reach & !after;
        let mut spoilt = even & taken;
        let mut by = 1;
        while by < length {
            spoilt |= reach & spoilt.up(by * step);
            reach &= reach.up(by * step);
            by *= 2;
        }
        (empty & (before | after) & !(last_of_odd & !spoilt)).len().into()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// [`Contested::sure`] by playing it out.
    fn sure(all: [i64; 5], moves_first: bool, known: &mut HashMap<([i64; 5], bool), i64>) -> i64 {
        if let Some(&sure) = known.get(&(all, moves_first)) {
            return sure;
        }
        let after = |change: [i64; 5]| {
            let after: [i64; 5] = std::array::from_fn(|i| all[i] + change[i]);
            after.iter().all(|&count| count >= 0).then_some(after)
        };
        // Pairs, apart, triples, exposed, lone.
        let most = if moves_first {
            let own = [
                ([-1, 0, 0, 0, 0], 2),
                ([0, -1, 0, 0, 0], 2),
                ([0, 0, -1, 0, 0], 3),
                ([0, 0, 0, -1, 0], 1),
                ([0, 0, 0, 0, -1], 1),
            ];
            let own = own.map(|(change, got)| after(change).map(|next| got + sure(next, false, known)));
            own.into_iter().flatten().max().unwrap_or(0)
        } else {
            let hits = [
                [0, 0, 0, 0, 0],
                [-1, 0, 0, 0, 0],
                // One cell of a square is hit, and with it something beside the square.
                [-1, 0, 0, -1, 1],
                [-2, 0, 0, 0, 2],
                [0, -1, 0, 0, 0],
                [0, 0, -1, 0, 1],
                [0, 0, 0, -1, 0],
                [0, 0, 0, -2, 0],
                [0, 0, 0, 0, -1],
            ];
            let hits = hits.map(|change| after(change).map(|next| sure(next, true, known)));
            hits.into_iter().flatten().min().unwrap_or(0)
        };
        known.insert((all, moves_first), most);
        most
    }

    fn contested_of([pairs, apart, triples, exposed, lone]: [i64; 5]) -> Contested {
        Contested { pairs, apart, triples, exposed, lone }
    }

    /// All counts below these.
    fn all_below(below: [i64; 5]) -> Vec<[i64; 5]> {
        below.into_iter().enumerate().fold(vec![[0; 5]], |found, (i, below)| {
            let each = |counts: [i64; 5]| {
                (0..below).map(move |count| {
                    let mut counts = counts;
                    counts[i] = count;
                    counts
                })
            };
            found.into_iter().flat_map(each).collect()
        })
    }

    #[test]
    fn sure_moves_are_those_of_the_game_of_hitting() {
        let mut known = HashMap::new();
        for all in all_below([4, 4, 4, 5, 4]) {
            for first in [false, true] {
                let (claimed, true_count) = (contested_of(all).sure(first), sure(all, first, &mut known));
                assert!(claimed <= true_count, "{all:?} {first}");
                // Of squares of both kinds, one might be better than is claimed.
                let mixed = all[0] > 0 && all[1] > 0;
                assert!(claimed == true_count || mixed && claimed + 1 == true_count, "{all:?} {first}");
            }
        }
    }

    /// Whatever of some cells is taken, in a run or in several.
    #[test]
    fn usable_cells_bound_the_room() {
        let mut random = gb_board::Random::new(4, 0);
        for length in 1..=9u32 {
            let frame = Frame::<u64>::new(1, length);
            let line = Line { frame: &frame, upright: false };
            for taken in 0..1u64 << length {
                let empty =
                    if random.below(2) == 0 { frame.full } else { frame.full & !(1 << random.below(9)) };
                let (taken, usable) = (taken & empty, line.usable(empty, taken & empty));
                assert!(usable >= 2 * i64::from(line.pack(empty).len()));
                let mut some = taken;
                loop {
                    let room = 2 * i64::from(line.pack(empty & !some).len());
                    assert!(room <= usable - i64::from(some.count_ones()) + single(&line, empty, some));
                    if some == 0 {
                        break;
                    }
                    some = (some - 1) & taken;
                }
            }
        }
    }

    /// How many of the taken cells stand alone in a line, where nobody could lie anyway.
    fn single(line: &Line<'_, u64>, empty: u64, taken: u64) -> i64 {
        (taken & !(line.forth(empty) | line.back(empty))).count_ones().into()
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
