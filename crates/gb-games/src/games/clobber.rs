//! Clobber: a stone moves onto an enemy stone beside, above or below it, which is removed. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("clobber").unwrap().read("xxo").unwrap();
//! assert_eq!(row.options(Left), ["x.x"]);
//! assert_eq!(row.options(Right), ["xo."]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Size, Spot, Word};
use gb_rules::{GridTraits, Heuristics, Info, Player, Rules, Sampling, Sign, Tabulation, Theorems};

use crate::shared::letters::{codes_of_grids, grid_of_letters};
use crate::shared::ring::{Hole, stays_whole};

/// The rules of Clobber.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clobber<W>(PhantomData<W>);

const LETTERS: Alphabet = Alphabet(&[('.', "empty"), ('x', "Left's stone"), ('o', "Right's stone")]);

impl<W: Word> Rules for Clobber<W> {
    type Board = BitGrid<W, 2>;
    /// From, to.
    type Move = (u8, u8);

    fn info(&self) -> Info {
        Info {
            name: "clobber".into(),
            title: "Clobber",
            rules: "A player moves a stone onto an enemy stone beside, above or below it and removes that. Who cannot \
                    move loses.",
            alphabet: LETTERS.0,
            example: "xoxo|oxox|xoxo|oxox",
            impartial: false,
            loopy: false,
        }
    }
    grid_of_letters!(LETTERS);
    /// The checkerboard.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        BitGrid::fill(size, |row, col| 1 + (row + col) % 2)
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut((u8, u8)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [east, west, south, north] = directions(at, who);
        let (next, below) = (1, at.frame().stride);
        for from in east.cells() {
            emit((from as u8, (from + next) as u8))?;
        }
        for from in west.cells() {
            emit((from as u8, (from - next) as u8))?;
        }
        for from in south.cells() {
            emit((from as u8, (from + below) as u8))?;
        }
        for from in north.cells() {
            emit((from as u8, (from - below) as u8))?;
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, &(from, to): &(u8, u8)) {
        let (from, to) = (W::bit(from.into()), W::bit(to.into()));
        let (own, enemy) = if who == Player::Left { (0, 1) } else { (1, 0) };
        at.planes[own] ^= from | to;
        at.planes[enemy] ^= to;
    }
    fn gesture(&self, at: &Self::Board, _who: Player, &(from, to): &(u8, u8)) -> Vec<Spot> {
        vec![at.spot(from.into()), at.spot(to.into())]
    }

    /// Connected stones of both colours.
    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        split(at, &mut |set| emit(at.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        split(at, &mut |set| emit(at.cut(set), at.spots(set)));
    }
    /// The least of the eight images, with either player as Left.
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        let (least, exchanged) = at.least_wide_of_either();
        (least, if exchanged { Sign::Minus } else { Sign::Plus })
    }
    gb_rules::has!(theorems, tabulation, heuristics, sampling, same_when_impartial);
}

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
            split(&after, &mut |set| emit(after.cut(set)));
        } else if !x.is_empty() && !o.is_empty() {
            emit(after.cut(x | o));
        }
        Some(0)
    }
}

impl<W: Word> Tabulation<BitGrid<W, 2>> for Clobber<W> {
    fn grid(&self) -> GridTraits {
        GridTraits { weights: &[0, 1, 1], mirrors: true, transpose: Some(Sign::Plus), swap: Some(&[0, 2, 1]) }
    }
    codes_of_grids!();
}

impl<W: Word> Heuristics<BitGrid<W, 2>, (u8, u8)> for Clobber<W> {
    /// Moves that leave few moves to both, to stones of one's own, and away from enemies, who then have fewer to hit. The last
    /// two halve the nodes of 3x5, 4x4 and 4x5.
    #[inline]
    fn order_score(&self, at: &BitGrid<W, 2>, who: Player, mv: &(u8, u8)) -> i32 {
        let mut after = *at;
        self.play(&mut after, who, mv);
        let frame = after.frame();
        let [x, o] = after.planes;
        let (own, enemy) = if who == Player::Left { (x, o) } else { (o, x) };
        let beside = |cell: u8, stones: W| (frame.around4(W::bit(cell.into())) & stones).len() as i32;
        let in_contact = (x & frame.around4(o)).len() + (o & frame.around4(x)).len();
        beside(mv.1, own) + beside(mv.0, enemy) - 2 * in_contact as i32
    }
    #[inline]
    fn move_prior(&self, at: &BitGrid<W, 2>, who: Player, mv: &(u8, u8)) -> Option<i32> {
        let mut prior = 0;
        aspects(at, who, mv, &mut |aspect| prior += i32::from(PRIORS[aspect]));
        Some(prior)
    }
    /// Both have the same number of moves, but not of stones that may still meet an enemy: who has more of them in a part is
    /// ahead there, as in `xxo`, which is worth an up; and stones are worth more next to others of their colour. Both agree with
    /// the winning features that long searches of random games find, the second more so near the end.
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
    #[inline]
    fn count_moves(&self, at: &BitGrid<W, 2>, who: Player) -> u32 {
        directions(at, who).iter().map(|set| set.len()).sum()
    }
    #[inline]
    fn random_move(
        &self,
        at: &BitGrid<W, 2>,
        who: Player,
        below: &mut dyn FnMut(u32) -> u32,
    ) -> Option<(u8, u8)> {
        let starts = directions(at, who);
        let counts = starts.map(|set| set.len());
        let all = counts.iter().sum();
        if all == 0 {
            return None;
        }
        let mut n = below(all);
        let mut direction = 0;
        while n >= counts[direction] {
            n -= counts[direction];
            direction += 1;
        }
        let from = starts[direction].nth(n) as u8;
        let step = if direction < 2 { 1 } else { at.frame().stride as u8 };
        Some((from, if direction % 2 == 0 { from + step } else { from - step }))
    }
}

/// What players like, for each of the [`aspects`] of a move; see [`Heuristics::move_prior`]. Learned from 11,801 positions of games
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

/// The stones of a player that can move to the right, to the left, down and up.
#[inline]
fn directions<W: Word>(at: &BitGrid<W, 2>, who: Player) -> [W; 4] {
    let frame = at.frame();
    let [x, o] = at.planes;
    let (own, enemy) = if who == Player::Left { (x, o) } else { (o, x) };
    [frame.west(enemy), frame.east(enemy), frame.north(enemy), frame.south(enemy)].map(|beside| own & beside)
}

#[inline]
fn split<W: Word>(at: &BitGrid<W, 2>, emit: &mut impl FnMut(W)) {
    let frame = at.frame();
    let [x, o] = at.planes;
    let mut left = x | o;
    while !left.is_empty() {
        let part = frame.flood4(W::bit(left.first()), left);
        left &= !part;
        if part.meets(x) && part.meets(o) {
            emit(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The priors of all moves, in order.
    fn priors(board: &BitGrid<u64, 2>, who: Player) -> Vec<i32> {
        let rules = Clobber::<u64>::default();
        let mut priors = vec![];
        let _ = rules.moves(board, who, &mut |mv| {
            priors.extend(rules.move_prior(board, who, &mv));
            ControlFlow::Continue(())
        });
        priors.sort_unstable();
        priors
    }

    #[test]
    fn priors_do_not_depend_on_how_the_board_lies_and_on_colours() {
        let rules = Clobber::<u64>::default();
        let mut board = rules.start(Size::read("8x8").unwrap()).unwrap();
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        let (mut who, mut positions) = (Player::Left, 0);
        loop {
            // Rows as columns, and the colours exchanged.
            let mut turned = BitGrid::<u64, 2>::blank(8, 8).unwrap();
            for (row, col) in (0..8).flat_map(|row| (0..8).map(move |col| (row, col))) {
                turned.set(col, row, [0, 2, 1][board.code(row, col)]);
            }
            positions += 1;
            assert_eq!(priors(&board, who), priors(&turned, who.opponent()), "{}", rules.show(&board));
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mv = rules.random_move(&board, who, &mut |bound| (random >> 33) as u32 % bound);
            let Some(mv) = mv else { break };
            assert!(rules.move_prior(&board, who, &mv).is_some());
            rules.play(&mut board, who, &mv);
            who = who.opponent();
        }
        assert!(positions > 30, "{positions}");
    }

    #[test]
    fn what_a_move_leaves_is_what_the_board_falls_into() {
        let rules = Clobber::<u64>::default();
        let mut random = 0x2545_F491_4F6C_DD1D_u64;
        for (rows, cols) in [(2, 3), (3, 3), (4, 4), (3, 6), (7, 7), (8, 8), (2, 9)] {
            for _ in 0..500 {
                let mut board = BitGrid::<u64, 2>::blank(rows, cols).unwrap();
                for i in 0..rows * cols {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    board.set((i / cols) as u32, (i % cols) as u32, (random % 5).div_ceil(2) as usize);
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
