//! The position on the real board, from which a player chooses a move.

use std::ops::ControlFlow;

use gb_rules::{Key, MoveKey, Player};
use rustc_hash::FxHashSet;

use crate::knowledge::Simplify;
use crate::limits::Clock;
use crate::search_state::{SearchState, State};

/// Where both players together have more moves than this, nobody looks for the winner of the whole position.
const MOST_OPEN_MOVES: u32 = 60;
/// How many moves are looked at between looks at the clock.
pub(crate) const MOVES_BETWEEN_LOOKS: usize = 64;
/// Nodes of the search for the winner of the position itself for every playout, where playouts are limited and not time.
pub(crate) const NODES_PER_PLAYOUT: u64 = 4;

/// The position on the real board.
pub(crate) struct Root<const N: usize> {
    pub(crate) board: Key<N>,
    pub(crate) points: i64,
    pub(crate) who: Player,
    pub(crate) state: State<N>,
    /// The moves on the real board with the states they lead to. Of moves to equal sums there is one.
    pub(crate) moves: Vec<(MoveKey, State<N>)>,
    /// The keys of those states.
    pub(crate) keys: Vec<u64>,
    /// Moves that are left out because others are as good; where all lose, they may be the better ones after all.
    pub(crate) left_out: Vec<(MoveKey, State<N>)>,
}

impl<const N: usize> Root<N> {
    pub(crate) fn new(
        board: &Key<N>,
        points: i64,
        who: Player,
        search_state: &mut SearchState<'_, N>,
        clock: &Clock,
    ) -> Self {
        let game = search_state.game;
        search_state.settle_down(board, points, who);
        let mut real = vec![];
        let _ = game.moves(board, who, &mut |mv| {
            real.push(mv);
            ControlFlow::Continue(())
        });
        let (mut moves, mut keys, mut seen) = (vec![], vec![], FxHashSet::default());
        for (number, mv) in real.into_iter().enumerate() {
            // Where there are more moves than time to look at them, the first have to do.
            if number % MOVES_BETWEEN_LOOKS == MOVES_BETWEEN_LOOKS - 1 && clock.expired(0).is_some() {
                break;
            }
            let (after, more) = game.play(board, who, mv);
            let state = search_state.enter(&after, points + more);
            let key = search_state.key(&state, who.opponent());
            if seen.insert(key) {
                keys.push(key);
                moves.push((mv, state));
            }
        }
        let state = search_state.enter(board, points);
        let mut root = Root { board: *board, points, who, state, moves, keys, left_out: vec![] };
        if search_state.knowledge().simplify != Simplify::Never {
            root.keep_moves_of_simplified_board(search_state, clock);
        }
        root
    }

    /// Leaves out moves in parts that cancel: if there is a move that wins, there is one in the rest. Where the board is
    /// written as another sum after a move, so that not all moves in the rest are found on it, all moves stay; so they do where
    /// there is no time to find out.
    fn keep_moves_of_simplified_board(&mut self, search_state: &mut SearchState<'_, N>, clock: &Clock) {
        let mut steps = vec![];
        search_state.moves(&self.state, self.who, &mut steps);
        let mut wanted = FxHashSet::default();
        for (number, step) in steps.iter().enumerate() {
            if number % MOVES_BETWEEN_LOOKS == 0 && clock.expired(0).is_some() {
                return;
            }
            let mut after = self.state.clone();
            search_state.play_and_simplify(&mut after, self.who, step);
            wanted.insert(search_state.key(&after, self.who.opponent()));
        }
        let known: FxHashSet<u64> = self.keys.iter().copied().collect();
        if wanted.is_empty() || !wanted.is_subset(&known) {
            return;
        }
        let all = std::mem::take(&mut self.keys).into_iter().zip(std::mem::take(&mut self.moves));
        for (key, mv) in all {
            if wanted.contains(&key) {
                self.keys.push(key);
                self.moves.push(mv);
            } else {
                self.left_out.push(mv);
            }
        }
    }

    /// Who wins after each move, as far as that is known, or a search of the sum finds out within a share of the time: until
    /// one wins.
    pub(crate) fn solve(
        &self,
        search_state: &mut SearchState<'_, N>,
        clock: &Clock,
        share: f32,
    ) -> Vec<Option<Player>> {
        let opponent = self.who.opponent();
        let winner = |result| if result > 0 { Player::Left } else { Player::Right };
        let mut is_late = false;
        let known = |(number, (_, state)): (usize, &(MoveKey, State<N>))| {
            is_late |= number % MOVES_BETWEEN_LOOKS == MOVES_BETWEEN_LOOKS - 1 && clock.expired(0).is_some();
            if is_late {
                return None;
            }
            search_state.verdict(state, opponent).filter(|&result| result != 0).map(winner)
        };
        let mut winners: Vec<_> = self.moves.iter().enumerate().map(known).collect();
        if !search_state.knowledge().endgame
            || share <= 0.0
            || self.moves.len() < 2
            || winners.contains(&Some(self.who))
        {
            return winners;
        }
        if search_state.open_moves(&self.state) > MOST_OPEN_MOVES {
            return winners;
        }
        let end = clock.left().map(|left| left.mul_f64(1.0 - f64::from(share)));
        let mut nodes = clock.max_nodes().map_or(u64::MAX, |n| n.saturating_mul(NODES_PER_PLAYOUT));
        // Cheap questions first: a move that wins at once is found before a hard one takes all the time.
        let mut effort = 64;
        let mut open: Vec<usize> = (0..self.moves.len()).filter(|&i| winners[i].is_none()).collect();
        while !open.is_empty() {
            let mut still_open = vec![];
            for i in open {
                let out_of_time = end.zip(clock.left()).is_some_and(|(end, left)| left <= end);
                if out_of_time || nodes < effort || clock.cancel().is_cancelled() {
                    return winners;
                }
                nodes -= effort;
                match search_state.search(&self.moves[i].1, opponent, effort) {
                    Some(result) => {
                        winners[i] = Some(winner(result));
                        if winners[i] == Some(self.who) {
                            return winners;
                        }
                    }
                    None => still_open.push(i),
                }
            }
            open = still_open;
            effort = effort.saturating_mul(4);
        }
        winners
    }
}
