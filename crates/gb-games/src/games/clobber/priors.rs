//! How likely strong players make a move of Clobber.

use gb_board::{BitGrid, Word};
use gb_rules::Player;

/// What players like, for each of the [`aspects`] of a move; see [`prior`]. Learned from 11,801 positions of games
/// between players who know everything, by `cargo run --release -p gb-play --example priors -- 500 30`; these players had priors
/// that were learned from games before, so that another run goes on from here. For example, a stone without neighbours but the one it hits moves gladly to where there are enemies (the
/// first row), and nobody leaves friends for a place without neighbours.
#[rustfmt::skip]
const PRIORS: [i8; ASPECTS] = [
    // A row for each number of friends and enemies beside the stone that moves, a column for each beside the stone it hits.
    -26, 36, 38, 26, 8, 18, 13, 26, 7, 21,
    -40, -3, 6, -2, -20, -3, -12, 0, -10, 5,
    -30, -9, 13, -5, -15, 3, -12, 3, -8, 2,
    -11, -10, 14, 1, -11, 5, -9, 6, -3, 11,
    -25, -2, 6, -2, -8, -2, -16, 12, -6, 9,
    -22, 4, 16, 10, -11, 3, -4, 2, -9, 2,
    -24, -17, 7, -2, -18, 0, -8, 3, -8, 5,
    -24, -2, 18, -3, -10, 4, -11, 8, -13, -9,
    -26, -8, 9, -5, -16, -4, -11, 3, -8, 0,
    -9, -4, -4, 2, -4, 2, -7, 3, -5, -3,
    // For each friend beside the stone that moves, each enemy there, each friend beside the stone that is hit, each enemy there:
    // how many friends and enemies are around it.
    0, 0, 0, 0, 0, 1, -22, 0, -4, -22, 1, -6, -7, -9, -3,
    0, 0, 0, 0, 0, 12, 26, -3, -10, 17, -8, -5, -6, -5, -7,
    0, -5, 7, -2, 0, 0, 9, 3, 1, 0, 12, 6, 0, 8, 0,
    0, 6, 3, 11, 13, 0, -4, 4, 0, 0, -7, -3, 0, -7, 0,
];

/// How many [`aspects`] there are.
pub const ASPECTS: usize = 160;

/// What matters of the surroundings of a move: how many friends and enemies are beside the stone that moves and beside the one it
/// hits, not counting each other, and what is around each of those.
#[inline]
pub fn aspects<W: Word>(
    at: &BitGrid<W, 2>,
    who: Player,
    &(from, to): &(u8, u8),
    emit: &mut impl FnMut(usize),
) {
    let frame = at.frame();
    let [x, o] = at.planes;
    let (own, enemy) = if who == Player::Left { (x, o) } else { (o, x) };
    // Numbers of friends and enemies, at most `most` together, as one number.
    let kind = |around: W, most: usize| {
        let [own, enemy] = [own, enemy].map(|stones| (around & stones).len() as usize);
        own * (2 * most + 3 - own) / 2 + enemy
    };
    let (from, to) = (W::bit(from.into()), W::bit(to.into()));
    let [here, there] = [frame.around4(from) & !to, frame.around4(to) & !from];
    emit(10 * kind(here, 3) + kind(there, 3));
    for (first, stones) in [(100, here & own), (115, here & enemy), (130, there & own), (145, there & enemy)]
    {
        for stone in stones.cells() {
            emit(first + kind(frame.around4(W::bit(stone)), 4));
        }
    }
}

/// How likely a strong player makes a move; see [`Heuristics::move_prior`](gb_rules::Heuristics::move_prior).
#[inline]
pub(super) fn prior<W: Word>(at: &BitGrid<W, 2>, who: Player, mv: &(u8, u8)) -> i32 {
    let mut prior = 0;
    aspects(at, who, mv, &mut |aspect| prior += i32::from(PRIORS[aspect]));
    prior
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use gb_board::Size;
    use gb_rules::{Heuristics, Rules, Sampling};

    use super::super::Clobber;
    use super::*;

    /// The priors of all moves, in order.
    fn priors(board: &BitGrid<u64, 2>, who: Player) -> Vec<i32> {
        let rules = Clobber::<u64>::default();
        let mut priors = vec![];
        let _ = rules.moves(board, who, &mut |mv| {
            priors.push(prior(board, who, &mv));
            ControlFlow::Continue(())
        });
        priors.sort_unstable();
        priors
    }

    #[test]
    fn priors_do_not_depend_on_how_the_board_lies_and_on_colours() {
        let rules = Clobber::<u64>::default();
        let mut board = rules.start(Size::read("8x8").unwrap()).unwrap();
        let mut random = gb_board::Random::new(1, 0);
        let (mut who, mut positions) = (Player::Left, 0);
        loop {
            // Rows as columns, and the colours exchanged.
            let mut turned = BitGrid::<u64, 2>::blank(8, 8).unwrap();
            for (row, col) in (0..8).flat_map(|row| (0..8).map(move |col| (row, col))) {
                turned.set(col, row, [0, 2, 1][board.code(row, col)]);
            }
            positions += 1;
            assert_eq!(priors(&board, who), priors(&turned, who.opponent()), "{}", rules.show(&board));
            let mv = rules.random_move(&board, who, &mut |bound| random.index(bound));
            let Some(mv) = mv else { break };
            assert_eq!(rules.move_prior(&board, who, &mv), Some(prior(&board, who, &mv)));
            rules.play(&mut board, who, &mv);
            who = who.opponent();
        }
        assert!(positions > 30, "{positions}");
    }
}
