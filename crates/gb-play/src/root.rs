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
        let mut root = Root { who, state, moves, keys };
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
        let kept: Vec<usize> = (0..self.keys.len()).filter(|&i| wanted.contains(&self.keys[i])).collect();
        if !kept.is_empty() && wanted.iter().all(|key| self.keys.contains(key)) {
            self.moves = kept.iter().map(|&i| self.moves[i].clone()).collect();
            self.keys = kept.iter().map(|&i| self.keys[i]).collect();
        }
    }

    /// Who wins after each move, as far as a search of the sum finds out within a share of the time: until one wins.
    pub(crate) fn solve(&self, world: &mut World<'_, R>, clock: &Clock, share: f32) -> Vec<Option<Player>> {
        let mut winners = vec![None; self.moves.len()];
        if !world.knowledge().endgame || share <= 0.0 || self.moves.len() < 2 {
            return winners;
        }
        if world.open_moves(&self.state) > MOST_OPEN_MOVES {
            return winners;
        }
        let end = clock.left().map(|left| left.mul_f64(1.0 - f64::from(share)));
        let mut nodes = clock.max_nodes().map_or(u64::MAX, |n| n.saturating_mul(NODES_PER_PLAYOUT));
        let opponent = self.who.opponent();
        // Cheap questions first: a move that wins at once is found before a hard one takes all the time.
        let mut effort = 64;
        let mut open: Vec<usize> = (0..self.moves.len()).collect();
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
                        winners[i] = Some(if result > 0 { Player::Left } else { Player::Right });
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
    pub(crate) fn resist(&self, world: &mut World<'_, R>, clock: &Clock) -> Option<usize> {
        if !world.knowledge().solved || self.moves.len() < 2 {
            return None;
        }
        let opponent = self.who.opponent();
        let mut steps = vec![];
        let mut lines: Vec<Line<R::Board>> = vec![];
        for (_, state) in &self.moves {
            if clock.left().is_some_and(|left| left.is_zero()) || clock.cancel().is_cancelled() {
                return None;
            }
            world.moves(state, opponent, &mut steps);
            let mut line = Line { replies: steps.len(), mistakes: 0, open: vec![] };
            for step in &steps {
                let mut after = state.clone();
                world.play(&mut after, opponent, step);
                match world.verdict(&after, self.who) {
                    Some(result) => line.mistakes += usize::from(result == won_by(self.who)),
                    None => line.open.push(after),
                }
            }
            lines.push(line);
        }
        let mut nodes = clock.max_nodes().map_or(u64::MAX, |n| n.saturating_mul(NODES_PER_PLAYOUT));
        let mut effort = 32;
        'rounds: while lines.iter().any(|line| !line.open.is_empty()) {
            for line in &mut lines {
                for after in std::mem::take(&mut line.open) {
                    let out_of_time = clock.left().is_some_and(|left| left.is_zero());
                    if out_of_time || nodes < effort || clock.cancel().is_cancelled() {
                        line.open.push(after);
                        break 'rounds;
                    }
                    nodes -= effort;
                    match world.search(&after, self.who, effort) {
                        Some(result) => line.mistakes += usize::from(result == won_by(self.who)),
                        None => line.open.push(after),
                    }
                }
            }
            effort = effort.saturating_mul(4);
        }
        // What is not known is taken for half a mistake: long searches are hard for the opponent, too.
        let score = |line: &Line<R::Board>| {
            (line.mistakes as f64 + 0.5 * line.open.len() as f64) / line.replies.max(1) as f64
        };
        (0..lines.len()).max_by(|&a, &b| score(&lines[a]).total_cmp(&score(&lines[b])))
    }
}

/// A move in a lost position, and the replies to it.
struct Line<B> {
    replies: usize,
    /// Replies after which the opponent no longer wins.
    mistakes: usize,
    /// Replies of which that is not known.
    open: Vec<State<B>>,
}
