//! What is known about Clobber without search.

use gb_board::{BitGrid, Word};
use gb_rules::{Player, Rules, Theorems};

use super::Clobber;
use crate::shared::ring::{Hole, stays_whole};

impl<W: Word> Theorems<BitGrid<W, 2>, (u8, u8)> for Clobber<W> {
    /// Clobber is all-small, so its values lie between all negative and all positive numbers.
    fn bounds(&self, _at: &BitGrid<W, 2>) -> (Option<i64>, Option<i64>) {
        (Some(-1), Some(1))
    }
    /// Most moves leave a part whole, which is seen from the cells around the one that was left.
    #[inline]
    fn parts_after(
        &self,
        part: &BitGrid<W, 2>,
        who: Player,
        mv: &(u8, u8),
        emit: &mut dyn FnMut(BitGrid<W, 2>),
    ) -> Option<i64> {
        let mut after = *part;
        self.play(&mut after, who, mv);
        let [x, o] = after.planes;
        if !stays_whole(&after.frame(), x | o, mv.0.into(), Hole::Single) {
            self.parts(&after, &mut |part| emit(part));
        } else if !x.is_empty() && !o.is_empty() {
            emit(after.cut(x | o));
        }
        Some(0)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    #[test]
    fn what_a_move_leaves_is_what_the_board_falls_into() {
        let rules = Clobber::<u64>::default();
        let mut random = gb_board::Random::new(1, 0);
        for (rows, cols) in [(2, 3), (3, 3), (4, 4), (3, 6), (7, 7), (8, 8), (2, 9)] {
            for _ in 0..500 {
                let mut board = BitGrid::<u64, 2>::blank(rows, cols).unwrap();
                for i in 0..rows * cols {
                    board.set((i / cols) as u32, (i % cols) as u32, random.below(5).div_ceil(2));
                }
                rules.parts(&board, &mut |part| {
                    for who in Player::BOTH {
                        let _ = rules.moves(&part, who, &mut |mv| {
                            let (mut fast, mut plain) = (vec![], vec![]);
                            assert_eq!(
                                rules.parts_after(&part, who, &mv, &mut |part| fast.push(part)),
                                Some(0)
                            );
                            let mut next = part;
                            rules.play(&mut next, who, &mv);
                            rules.parts(&next, &mut |part| plain.push(part));
                            assert_eq!(fast, plain, "{} {who:?} {mv:?}", rules.show(&part));
                            ControlFlow::Continue(())
                        });
                    }
                });
            }
        }
    }
}
