//! Which moves and positions of Clobber look good, and a fast way to random moves.

use gb_board::{BitGrid, Word};
use gb_rules::{Heuristics, Player, Rules, Sampling};

use super::priors::prior;
use super::{Clobber, movable};

impl<W: Word> Heuristics<BitGrid<W, 2>, (u8, u8)> for Clobber<W> {
    /// Moves that leave few moves and few stones that can meet, to stones of one's own, and away from enemies, who then have fewer to hit.
    /// The last two halve the nodes of 3x5, 4x4 and 4x5. What strong players like halves those of 4x6, 5x5 and 2x14 once more, but takes
    /// five times as many on a row of 50.
    #[inline]
    fn order_score(&self, at: &BitGrid<W, 2>, who: Player, mv: &(u8, u8)) -> i32 {
        let mut after = *at;
        self.play(&mut after, who, mv);
        let frame = after.frame();
        let [x, o] = after.planes;
        let (own, enemy) = if who == Player::Left { (x, o) } else { (o, x) };
        let beside = |cell: u8, stones: W| (frame.around4(W::bit(cell.into())) & stones).len() as i32;
        let in_contact = (x & frame.around4(o)).len() + (o & frame.around4(x)).len();
        let moves: u32 = movable(&after, who).iter().map(|set| set.len()).sum();
        let likely = if at.rows > 1 { prior(at, who, mv) } else { 0 };
        likely + beside(mv.1, own) + beside(mv.0, enemy) - 2 * in_contact as i32 - 8 * moves as i32
    }
    #[inline]
    fn move_prior(&self, at: &BitGrid<W, 2>, who: Player, mv: &(u8, u8)) -> Option<i32> {
        Some(prior(at, who, mv))
    }
    /// Both have the same number of moves, but not of stones that may still meet an enemy: who has more of them in a part is
    /// ahead there, as in `xxo`, which is worth an up; and stones are worth more next to others of their colour. Both agree with
    /// the winning chances that long searches of random games find, the second more so near the end.
    #[inline]
    fn static_eval(&self, at: &BitGrid<W, 2>) -> Option<i32> {
        let frame = at.frame();
        let [x, o] = at.planes;
        let in_contact = (x & frame.around4(o)) | (o & frame.around4(x));
        let live = frame.flood4(in_contact, x | o);
        let worth = |stones: W| {
            let pairs = (stones & frame.east(stones)).len() + (stones & frame.south(stones)).len();
            (2 * stones.len() + pairs) as i32
        };
        Some((worth(x & live) - worth(o & live)) / 2)
    }
}

impl<W: Word> Sampling<BitGrid<W, 2>, (u8, u8)> for Clobber<W> {
    #[inline(always)]
    fn count_moves(&self, at: &BitGrid<W, 2>, who: Player) -> u32 {
        movable(at, who).iter().map(|set| set.len()).sum()
    }
    // Playouts are one loop around this.
    #[inline(always)]
    fn random_move(
        &self,
        at: &BitGrid<W, 2>,
        who: Player,
        below: &mut dyn FnMut(u32) -> u32,
    ) -> Option<(u8, u8)> {
        let starts = movable(at, who);
        let counts = starts.map(|set| set.len());
        let all = counts.iter().sum();
        if all == 0 {
            return None;
        }
        // Without branches, which nobody could foresee.
        let n = below(all);
        let before = [0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]];
        let direction: usize = before[1..].iter().map(|&first| usize::from(n >= first)).sum();
        let from = starts[direction].nth(n - before[direction]) as u8;
        let step = if direction < 2 { 1 } else { at.frame().stride as u8 };
        Some((from, if direction.is_multiple_of(2) { from + step } else { from - step }))
    }
}
