//! What is known about Amazons without search, and which moves look good.

use std::ops::ControlFlow;

use gb_board::{BitGrid, Word};
use gb_rules::{Heuristics, Player, Rules, Theorems};
use gb_value::{Halt, Kernel, Value};

use super::{Amazons, rays};

/// How many positions and moves [`alone`] looks at before it leaves a region to the search.
const ALONE: u32 = 40_000;

impl<W: Word> Theorems<BitGrid<W, 2>, [u8; 3]> for Amazons<W> {
    /// A region with amazons of one player is worth as many moves as that player can make there.
    fn known(&self, at: &BitGrid<W, 2>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        for who in Player::BOTH {
            if at.pieces()[who.opponent() as usize].is_empty() {
                let mut budget = ALONE;
                let count = alone(self, at, who, &mut budget).map(i64::from);
                // On a large board this takes longer than a node of a search.
                kernel.work((ALONE - budget) / 64)?;
                let sign = if who == Player::Left { 1 } else { -1 };
                return Ok(count.map(|count| kernel.integer(sign * count)));
            }
        }
        Ok(None)
    }
    /// Every move burns an empty cell.
    fn bounds(&self, at: &BitGrid<W, 2>) -> (Option<i64>, Option<i64>) {
        let empty = i64::from(at.empty().len());
        let most = |who| if at.pieces()[who as usize].is_empty() { 0 } else { empty };
        (Some(-most(Player::Right)), Some(most(Player::Left)))
    }
}

impl<W: Word> Heuristics<BitGrid<W, 2>, [u8; 3]> for Amazons<W> {
    /// Mobility after the move: neighbouring cells, and most of all how many moves the opponent has. (Without the latter the search for the winner
    /// takes 7 times as many positions on 4x4 with two amazons each, and 100 times as many on 4x5 with one each.)
    #[inline]
    fn order_score(&self, at: &BitGrid<W, 2>, who: Player, mv: &[u8; 3]) -> i32 {
        let mut after = *at;
        self.play(&mut after, who, mv);
        let frame = after.frame();
        let steps = |who| (frame.around8(after.pieces()[who as usize]) & after.empty()).len() as i32;
        steps(who) - steps(who.opponent()) - 2 * count_moves(&after, who.opponent()) as i32
    }
}

/// How many moves a player has: the arrows of all places of an amazon are counted at once.
#[inline]
fn count_moves<W: Word>(at: &BitGrid<W, 2>, who: Player) -> u32 {
    let (frame, empty) = (at.frame(), at.empty());
    let mut count = 0;
    for from in at.pieces()[who as usize].cells().map(W::bit) {
        let mut places = W::ZERO;
        let _ = rays(&frame, empty, from, &mut |to| {
            places |= to;
            ControlFlow::Continue(())
        });
        for direction in 0..8 {
            let mut arrows = frame.step(places, direction) & (empty | from);
            while !arrows.is_empty() {
                count += arrows.len();
                arrows = frame.step(arrows, direction) & (empty | from);
            }
        }
    }
    count
}

/// The greatest number of moves of a player who is alone in a region, unless finding it takes too long.
fn alone<W: Word>(rules: &Amazons<W>, at: &BitGrid<W, 2>, who: Player, budget: &mut u32) -> Option<u32> {
    *budget = budget.checked_sub(1)?;
    let mut total = 0;
    let mut within_budget = true;
    rules.parts(at, &mut |region| {
        let most = region.empty().len();
        let mut best = 0;
        let _ = rules.moves(&region, who, &mut |mv| {
            let mut after = region;
            rules.play(&mut after, who, &mv);
            *budget = budget.saturating_sub(1);
            match alone(rules, &after, who, budget) {
                None => within_budget = false,
                Some(more) => best = best.max(1 + more),
            }
            if within_budget && best < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        total += best;
    });
    within_budget.then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_counted_as_they_are_made() {
        let (rules, mut random) = (Amazons::<u64>::default(), gb_board::Random::new(1, 0));
        for (rows, cols) in [(1, 6), (3, 4), (5, 5), (8, 8)] {
            for _ in 0..50 {
                let mut board = BitGrid::<u64, 2>::blank(rows, cols).unwrap();
                for i in 0..rows * cols {
                    board.set((i / cols) as u32, (i % cols) as u32, [3, 3, 3, 0, 1, 2][random.below(6)]);
                }
                for who in Player::BOTH {
                    let mut count = 0;
                    let _ = rules.moves(&board, who, &mut |_| {
                        count += 1;
                        ControlFlow::Continue(())
                    });
                    assert_eq!(count_moves(&board, who), count, "{} {who:?}", rules.show(&board));
                }
            }
        }
    }
}
