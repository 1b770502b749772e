//! What is known about values of Domineering without search.

use gb_board::{BitGrid, Spot, Word};
use gb_rules::grid::Symmetry;
use gb_rules::{BoundFeatures, Bridge, OwnImpartialForm, Player, StaticResult, Theorems};
use gb_value::{Halt, Kernel, Value};

use super::ends::{emit_or_count, has_thin_three, thin, without_corridors};
use super::race::Race;
use super::{Domineering, domino};
use crate::shared::ring::{Hole, stays_whole};

/// Ends beyond bridges are tried up to this size: they are soon known all, so that the trial costs little.
const LARGEST_END: u32 = 7;

impl<W: Word> Theorems<BitGrid<W>, u32> for Domineering<W> {
    fn known(&self, at: &BitGrid<W>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        Ok(match (at.rows, at.cols) {
            (1, length) if at.planes[0].len() == u32::from(length) => {
                Some(kernel.integer(-i64::from(length / 2)))
            }
            (length, 1) if at.planes[0].len() == u32::from(length) => {
                Some(kernel.integer(i64::from(length / 2)))
            }
            _ => None,
        })
    }
    fn bounds(&self, at: &BitGrid<W>) -> (Option<i64>, Option<i64>) {
        let [left, right] = Player::BOTH.map(|who| Race::of(at, who));
        (Some(left.lead(&right, false)), Some(-right.lead(&left, false)))
    }
    fn features(&self, at: &BitGrid<W>) -> BoundFeatures {
        BoundFeatures(Player::BOTH.map(|who| Race::of(at, who).counts()))
    }
    fn static_result(
        &self,
        features: &BoundFeatures,
        (low, high): (i64, i64),
        first: Player,
    ) -> StaticResult {
        let races = features.0.map(Race::from_counts);
        let [left, right] = &races;
        if low.saturating_add(left.lead(right, first == Player::Left)) >= i64::from(first == Player::Left) {
            return StaticResult::Winner(Player::Left);
        }
        if high.saturating_sub(right.lead(left, first == Player::Right)) <= -i64::from(first == Player::Right)
        {
            return StaticResult::Winner(Player::Right);
        }
        // Bullock's order of moves.
        let good = |race: &Race| race.possible + race.safe;
        let eval = 2 * (good(left) - good(right)) + low.clamp(-1000, 1000) + high.clamp(-1000, 1000);
        StaticResult::Eval(eval as i32)
    }
    /// Most moves leave a part whole, which is seen from the cells around the domino.
    #[inline]
    fn parts_after(
        &self,
        part: &BitGrid<W>,
        who: Player,
        mv: &u32,
        emit: &mut dyn FnMut(BitGrid<W>),
    ) -> Option<i64> {
        let frame = part.frame();
        let left = part.planes[0] & !domino(&frame, who, *mv);
        let after = BitGrid { planes: [left], ..*part };
        let hole = if who == Player::Left { Hole::Upright } else { Hole::Lying };
        if !stays_whole(&frame, left, *mv, hole) || has_thin_three(&frame, left) {
            return Some(without_corridors(&after, &mut |part| emit(part)));
        }
        Some(if left.is_empty() { 0 } else { emit_or_count(after.cut(left), &mut |part| emit(part)) })
    }
    /// Bridge splitting (Uiterwijk and Barton, New results for Domineering from combinatorial game theory endgame
    /// databases, 2015): let a cell `c` without upright neighbours join `G` and `H` in a row. If adding `c` to `G` does
    /// not change the value of `G`, then the whole is `G` plus `H` with `c`.
    ///
    /// It is not more than that for Left, since it only adds a place for Right. And it is not less: Left, moving second,
    /// plays `G` with `c` against `-G` as if `H` were not there, and `H` with `c` against its negative by symmetry; if
    /// Right covers `c` together with a cell of `G`, then `H` has lost a cell that only Right could use.
    fn bridges(&self, part: &BitGrid<W>, emit: &mut dyn FnMut(Bridge<BitGrid<W>>)) {
        let (frame, cells) = (part.frame(), part.planes[0]);
        let (lying, upright) = thin(&frame, cells);
        let lying = lying & frame.east(cells) & frame.west(cells);
        let upright = upright & frame.north(cells) & frame.south(cells);
        for cell in (lying | upright).cells() {
            let bridge = W::bit(cell);
            let others = cells & !bridge;
            let neighbours = frame.around4(bridge) & others;
            let side = frame.flood4(W::bit(neighbours.first()), others);
            if side & neighbours == neighbours {
                continue;
            }
            for end in [side, others & !side] {
                if end.len() <= LARGEST_END {
                    let [end, longer_end, rest] = [end, end | bridge, cells & !end].map(|set| part.cut(set));
                    emit(Bridge { end, longer_end, rest });
                }
            }
        }
    }
}

impl<W: Word> OwnImpartialForm<BitGrid<W>> for Domineering<W> {
    /// As in Cram, connected cells and no more: dead ends and corridors are integers only where each belongs to one player.
    fn regions(&self, at: &BitGrid<W>, emit: &mut dyn FnMut(BitGrid<W>, Vec<Spot>)) {
        let parts = at.frame().components4(at.planes[0]).filter(|part| part.len() > 1);
        parts.for_each(|part| emit(at.cut(part), at.spots(part)));
    }
    fn normalise(&self, at: BitGrid<W>) -> BitGrid<W> {
        Symmetry::Images.normalise(at).0
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use gb_rules::Rules;

    use super::*;

    /// The parts of `parts_after`, against making the move and taking the board apart.
    fn check_moves<W: Word>(rules: Domineering<W>, at: &BitGrid<W>) {
        for who in Player::BOTH {
            let _ = rules.moves(at, who, &mut |mv| {
                let (mut fast, mut plain) = (vec![], vec![]);
                let mut number = rules.parts_after(at, who, &mv, &mut |part| fast.push(part)).unwrap();
                let mut next = *at;
                rules.play(&mut next, who, &mv);
                rules.parts(&next, &mut |part| match (part.rows, part.cols) {
                    (rows, 1) => number -= i64::from(rows / 2),
                    (1, cols) => number += i64::from(cols / 2),
                    _ => plain.push(part),
                });
                assert_eq!((fast, number), (plain, 0), "{} {who:?} {mv}", rules.show(at));
                ControlFlow::Continue(())
            });
        }
    }

    #[test]
    fn what_a_move_leaves_is_what_the_board_falls_into() {
        let small = Domineering::<u64>::default();
        for (rows, cols) in [(3, 4), (4, 3), (2, 7), (4, 4)] {
            for cells in 0..1u64 << (rows * cols) {
                let mut board = BitGrid::<u64>::blank(rows, cols).unwrap();
                for i in 0..rows * cols {
                    board.set((i / cols) as u32, (i % cols) as u32, (cells >> i & 1) as usize);
                }
                small.parts(&board, &mut |part| check_moves(small, &part));
            }
        }
        let mut random = gb_board::Random::new(1, 0);
        for (rows, cols) in [(7, 7), (8, 8), (7, 8), (8, 5), (6, 7), (3, 20)] {
            for _ in 0..300 {
                let mut board = BitGrid::<u64>::blank(rows, cols).unwrap();
                for i in 0..rows * cols {
                    board.set((i / cols) as u32, (i % cols) as u32, usize::from(random.below(4) > 0));
                }
                small.parts(&board, &mut |part| check_moves(small, &part));
            }
        }
        let rules = Domineering::<u128>::default();
        rules
            .parts(&rules.read(&["..#......."; 9].join("|")).unwrap(), &mut |part| check_moves(rules, &part));
    }
}
