//! Games played out at random, on boards and on sums of parts.

use gb_rules::{Key, MoveKey, Player, Walk, WalkLimits};
use gb_value::Kernel;
use smallvec::smallvec;

use crate::facts::{EVAL_OF_A_MOVE, move_counts};
use crate::knowledge::Simplify;
use crate::search_state::{Component, Result, SearchState, State, Step, WHOLE, share, won_by};

/// How long a playout may be in a game that may go on for ever.
const LONGEST_PLAYOUT: u32 = 1_000;
/// How many points of [`SearchState::static_eval`] make a winning chance of three to one out of an even one.
const EVAL_OF_AN_ADVANTAGE: f32 = 16.0;

impl<const N: usize> SearchState<'_, N> {
    /// Left's share of a game that is played on at random, until it ends or everything is known; or, if there is a
    /// `cutoff`, until so many moves are made: then the static evaluation of the board counts.
    pub fn playout(&mut self, state: &State<N>, who: Player, cutoff: Option<u32>) -> u32 {
        if self.apart && cutoff.is_none() {
            let mut room = std::mem::take(&mut self.room);
            let [copy, spare] = &mut room;
            copy.parts.clear();
            copy.parts.extend(state.parts.iter().cloned());
            copy.points = state.points;
            let result = self.playout_of_parts(copy, spare, who, false);
            self.room = room;
            return share(result);
        }
        let [part] = state.parts.as_slice() else { return chance(self.static_eval(state, Player::Left)) };
        let (mut board, mut walk) = (part.board, Walk { points: state.points, who, moves: 0 });
        if cutoff.is_none() && self.knowledge.takes_apart() {
            // Now and then, to learn when that pays.
            self.since_apart = (self.since_apart + 1) % self.between_lessons;
            if self.since_apart == 0 {
                return share(self.lesson(board, walk.points, who));
            }
        }
        let most = cutoff.unwrap_or(LONGEST_PLAYOUT);
        let few = if cutoff.is_some() { u32::MAX } else { 0 };
        if let Some(result) = self.plain(&mut board, &mut walk, most, few) {
            return share(result);
        }
        let eval = self.game.static_eval(&board).saturating_mul(EVAL_OF_A_MOVE);
        chance(eval.saturating_add(walk.points.clamp(-1000, 1000) as i32 * EVAL_OF_A_MOVE))
    }

    /// Random moves on one board, until so many are made and there are only few to choose from. The result if the game
    /// ends before that.
    fn plain(&mut self, board: &mut Key<N>, walk: &mut Walk, most: u32, few: u32) -> Option<Result> {
        let kernel = &self.kernel;
        let mut limits = WalkLimits {
            most,
            few,
            longest: LONGEST_PLAYOUT,
            is_late: &mut |choices| kernel.work(1 + choices / 64).is_err(),
        };
        self.game.random_walk(board, walk, &mut self.random, &mut limits)
    }

    /// A random game on the parts. As long as there are many moves, parts are played in as they are; then they are taken
    /// apart, and from there on a move changes one part, and only that one is taken apart again. What is in `spare` is lost.
    fn playout_of_parts(
        &mut self,
        state: &mut State<N>,
        spare: &mut State<N>,
        mut who: Player,
        is_whole: bool,
    ) -> Result {
        let few = self.memory.threshold.moves();
        let mut moves = 0;
        let goes_on = state.choices(who) > few;
        let has_to_split = goes_on || is_whole;
        if goes_on && let Some(result) = self.play_down_to(few, state, &mut who, &mut moves) {
            return result;
        }
        if has_to_split || self.knowledge.simplify == Simplify::Sometimes {
            let simplify = self.knowledge.simplify != Simplify::Never;
            spare.parts.clear();
            spare.points = state.points;
            for part in state.parts.drain(..) {
                if part.is_settled() {
                    self.insert(part, simplify, spare);
                } else {
                    self.split(&part.board, simplify, false, spare);
                }
            }
            std::mem::swap(state, spare);
        }
        if has_to_split {
            let is_settled = state.parts.iter().all(Component::is_settled);
            self.memory.threshold.learn(is_settled);
        }
        let always = self.knowledge.simplify == Simplify::Always;
        while moves < LONGEST_PLAYOUT {
            if let Some(result) = self.known(state, who) {
                return result;
            }
            // Random moves in parts whose values are known could only spoil what is known.
            let unsettled = if self.knowledge.solved { state.unsettled_choices(who) } else { 0 };
            let choices = if unsettled > 0 { unsettled } else { state.choices(who) };
            if is_late(&self.kernel, choices) {
                return 0;
            }
            if choices == 0 {
                let step = i64::from(won_by(who));
                if state.points * step <= 0 {
                    return won_by(who.opponent());
                }
                state.points -= step;
            } else {
                let Some((at, mv)) = self.random_move(state, who, choices, unsettled > 0) else {
                    return 0;
                };
                self.make(state, who, &Step::In(at as u16, mv), always, false);
            }
            who = who.opponent();
            moves += 1;
        }
        0
    }

    /// Random moves without a look at what they leave, until there are only few to choose from. The result if the game
    /// ends before that.
    fn play_down_to(
        &mut self,
        few: u32,
        state: &mut State<N>,
        who: &mut Player,
        moves: &mut u32,
    ) -> Option<Result> {
        if let [part] = state.parts.as_mut_slice() {
            part.fact = None;
            let mut walk = Walk { points: state.points, who: *who, moves: *moves };
            let mut board = part.board;
            let result = self.plain(&mut board, &mut walk, 0, few);
            part.board = board;
            (state.points, *who, *moves) = (walk.points, walk.who, walk.moves);
            return result;
        }
        while *moves < LONGEST_PLAYOUT {
            let choices = state.choices(*who);
            if choices <= few {
                break;
            }
            if is_late(&self.kernel, choices) {
                return Some(0);
            }
            let Some((at, mv)) = self.random_move(state, *who, choices, false) else { return Some(0) };
            let part = &mut state.parts[at];
            let (board, points) = self.game.play(&part.board, *who, mv);
            state.points += points;
            *part = Component { board, fact: Some(move_counts(&**self.game, &board)) };
            *who = who.opponent();
            *moves += 1;
        }
        None
    }

    /// One of all moves in the parts, or in those that are `unsettled`, each as likely as any other.
    #[inline]
    fn random_move(
        &mut self,
        state: &State<N>,
        who: Player,
        all: u32,
        unsettled: bool,
    ) -> Option<(usize, MoveKey)> {
        let mut n = self.random.index(all);
        for (at, part) in state.parts.iter().enumerate().filter(|(_, part)| !(unsettled && part.is_settled()))
        {
            let count = part.choices(who);
            if n < count {
                let random = &mut self.random;
                let mv = self.game.random_move(&part.board, who, &mut |bound| random.index(bound))?;
                return Some((at, mv));
            }
            n -= count;
        }
        None
    }

    /// A playout of a board that is taken apart to learn when that pays.
    pub(crate) fn lesson(&mut self, board: Key<N>, points: i64, who: Player) -> Result {
        let fact = Some(move_counts(&**self.game, &board));
        let mut state = State { parts: smallvec![Component { board, fact }], points };
        self.playout_of_parts(&mut state, &mut State::default(), who, true)
    }
}

/// From so many moves on a single playout may take longer than there is time.
const MANY_CHOICES: u32 = 1_000;

/// Whether a playout among many moves has to end because time is up. Others are short, and need not ask.
#[inline]
fn is_late(kernel: &Kernel<'_>, choices: u32) -> bool {
    (MANY_CHOICES..u32::MAX).contains(&choices) && kernel.work(1 + choices / 64).is_err()
}

/// Left's share if Left stands so much better.
#[inline]
fn chance(eval: i32) -> u32 {
    let odds = (-eval as f32 * (3f32.ln() / EVAL_OF_AN_ADVANTAGE)).exp();
    (WHOLE as f32 / (1.0 + odds)).round() as u32
}
