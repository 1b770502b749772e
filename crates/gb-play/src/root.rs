//! The position on the real board, from which a player chooses a move.

use std::ops::ControlFlow;

use gb_game::{Player, Rules};

use crate::knowledge::Simplify;
use crate::limits::Clock;
use crate::world::{State, World, won_by};

/// Where both players together have more moves than this, nobody looks for the winner of the whole position.
const MOST_OPEN_MOVES: u32 = 60;
/// Nodes of the search for the winner of the position itself for every playout, where playouts are limited and not time.
const NODES_PER_PLAYOUT: u64 = 4;

/// The position on the real board.
pub(crate) struct Root<R: Rules> {
    pub(crate) who: Player,
    pub(crate) state: State<R::Board>,
    /// The moves on the real board with the states they lead to. Of moves to equal sums there is one.
    pub(crate) moves: Vec<(R::Move, State<R::Board>)>,
    /// The keys of those states.
    pub(crate) keys: Vec<u64>,
    /// Moves that are left out because others are as good; where all lose, they may be the better ones after all.
    left_out: Vec<(R::Move, State<R::Board>)>,
}

impl<R: Rules> Root<R> {
    pub(crate) fn new(board: &R::Board, points: i64, who: Player, world: &mut World<'_, R>) -> Self {
        let rules = world.rules;
        world.settle_down(board, points, who);
        let mut real = vec![];
        let _ = rules.moves(board, who, &mut |mv| {
            real.push(mv);
            ControlFlow::Continue(())
        });
        let (mut moves, mut keys) = (vec![], vec![]);
        for mv in real {
            let mut after = board.clone();
            rules.play(&mut after, who, &mv);
            let state = world.enter(&after, points + rules.points(board, who, &mv));
            let key = world.key(&state, who.opponent());
            if !keys.contains(&key) {
                keys.push(key);
                moves.push((mv, state));
            }
        }
        let state = world.enter(board, points);
        let mut root = Root { who, state, moves, keys, left_out: vec![] };
        if world.knowledge().simplify != Simplify::Never {
            root.keep_moves_of_simplified_board(world);
        }
        root
    }

    /// Leaves out moves in parts that cancel: if there is a move that wins, there is one in the rest. Where the board is
    /// written as another sum after a move, so that not all moves in the rest are found on it, all moves stay.
    fn keep_moves_of_simplified_board(&mut self, world: &mut World<'_, R>) {
        let mut steps = vec![];
        world.moves(&self.state, self.who, &mut steps);
        let mut wanted = vec![];
        for step in &steps {
            let mut after = self.state.clone();
            world.play_and_simplify(&mut after, self.who, step);
            wanted.push(world.key(&after, self.who.opponent()));
        }
        if wanted.is_empty() || !wanted.iter().all(|key| self.keys.contains(key)) {
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
    pub(crate) fn solve(&self, world: &mut World<'_, R>, clock: &Clock, share: f32) -> Vec<Option<Player>> {
        let opponent = self.who.opponent();
        let winner = |result| if result > 0 { Player::Left } else { Player::Right };
        let known = |(_, state): &(R::Move, State<R::Board>)| {
            world.verdict(state, opponent).filter(|&result| result != 0).map(winner)
        };
        let mut winners: Vec<_> = self.moves.iter().map(known).collect();
        if !world.knowledge().endgame
            || share <= 0.0
            || self.moves.len() < 2
            || winners.contains(&Some(self.who))
        {
            return winners;
        }
        if world.open_moves(&self.state) > MOST_OPEN_MOVES {
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
                match world.search(&self.moves[i].1, opponent, effort) {
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

    /// In a position that is lost: the move after which the opponent has to find the rarest replies. The share of replies
    /// that would give the win away is found by what is known of them, and by searches for the winner as far as time goes.
    pub(crate) fn resist(&self, world: &mut World<'_, R>, clock: &Clock) -> Option<R::Move> {
        let moves: Vec<_> = self.moves.iter().chain(&self.left_out).collect();
        if !world.knowledge().solved || moves.len() < 2 {
            return None;
        }
        let is_over = || clock.left().is_some_and(|left| left.is_zero()) || clock.cancel().is_cancelled();
        let opponent = self.who.opponent();
        let mut steps = vec![];
        let mut lines: Vec<Vec<Reply<R::Board>>> = vec![];
        for (_, state) in &moves {
            if is_over() {
                return None;
            }
            world.all_moves(state, opponent, &mut steps);
            let mut replies = vec![];
            for step in &steps {
                let mut after = state.clone();
                world.play(&mut after, opponent, step);
                let is_mistake = world.verdict(&after, self.who).map(|result| result == won_by(self.who));
                replies.push(Reply { after, is_mistake });
            }
            lines.push(replies);
        }
        let mut nodes = clock.max_nodes().map_or(u64::MAX, |n| n.saturating_mul(NODES_PER_PLAYOUT));
        let mut effort = 32;
        'rounds: while lines.iter().flatten().any(|reply| reply.is_mistake.is_none()) {
            for reply in lines.iter_mut().flatten().filter(|reply| reply.is_mistake.is_none()) {
                if is_over() || nodes < effort {
                    break 'rounds;
                }
                nodes -= effort;
                let result = world.search(&reply.after, self.who, effort);
                reply.is_mistake = result.map(|result| result == won_by(self.who));
            }
            effort = effort.saturating_mul(4);
        }
        // What is not known is taken for half a mistake: long searches are hard for the opponent, too.
        let score = |line: &Vec<Reply<R::Board>>| {
            let mistakes =
                line.iter().map(|reply| reply.is_mistake.map_or(0.5, |yes| f32::from(u8::from(yes))));
            mistakes.sum::<f32>() / line.len().max(1) as f32
        };
        let hardest = (0..lines.len()).max_by(|&a, &b| score(&lines[a]).total_cmp(&score(&lines[b])))?;
        Some(moves[hardest].0.clone())
    }
}

/// A reply to a move in a lost position.
struct Reply<B> {
    after: State<B>,
    /// Whether the opponent no longer wins after it, if that is known.
    is_mistake: Option<bool>,
}
