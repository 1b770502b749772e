//! Positions as searches walk through them: one board, or the sum of its parts.

use std::ops::ControlFlow;

use gb_game::{Player, Rules, Sign};
use gb_local::question::outcome;
use gb_local::{Bench, GameTables};
use gb_sum::arena::Random;
use gb_value::{Kernel, Value};
use smallvec::SmallVec;

use crate::facts::{Fact, LEAN_OF_A_MOVE, PartFacts, SumFacts, examine, glance, hash_of};
use crate::knowledge::{Knowledge, Simplify};

/// How long a playout may be in a game that may go on for ever.
const LONGEST_PLAYOUT: u32 = 1_000;
/// How many moves of a playout are made before it is looked whether the board has fallen apart.
const MOVES_BETWEEN_SPLITS: u32 = 4;
/// Playouts take boards apart when the mover has at most this many moves: before that hardly anything is known.
const FEW_MOVES: u32 = 20;
/// Parts with more moves than this are nothing for tables, except in the tree.
const MANY_MOVES: u32 = 16;
/// How many points of [`World::lean`] make a winning chance of three to one out of an even one.
const LEAN_OF_AN_ADVANTAGE: f32 = 16.0;
/// Where both players together have more moves than this, a board is not taken apart at all.
const APART_MOVES: u32 = 90;
/// Parts of at most this size are valued by the search for the winner: more than when it is asked once, because a player
/// asks again and again about the same parts.
const SEARCH_VALUED_SIZE: usize = 16;
/// But never at length: in games whose values are large, nothing else would be done.
const SEARCH_VALUED_NODES: u64 = 500;
/// Bytes for sums whose winner was searched for.
const ENDGAME_BYTES: u64 = 96 << 20;

/// A part of a sum.
#[derive(Clone, Debug)]
struct Part<B> {
    board: B,
    /// What is known, where parts are looked at at all.
    fact: Option<Fact>,
}

/// A position: parts, or a single board that is not taken apart, and points.
#[derive(Clone, Debug)]
pub struct State<B> {
    parts: SmallVec<[Part<B>; 2]>,
    /// Left's points less Right's.
    points: i64,
}

/// A move in a state.
#[derive(Clone, Debug)]
pub enum Step<M> {
    /// In a part.
    In(u16, M),
    /// Uses up a point, in games where points are moves to spare.
    Spare,
    /// A move on the real board: by its number among those at the root.
    Real(u16),
}

/// What a thread keeps from one move to the next.
pub struct Memory<R: Rules> {
    parts: PartFacts<R::Board>,
    sums: SumFacts,
    /// Who wins which sums, by search.
    endgame: outcome::Memory,
}

impl<R: Rules> Default for Memory<R> {
    fn default() -> Self {
        Memory {
            parts: PartFacts::new(),
            sums: SumFacts::new(),
            endgame: outcome::Memory::new(ENDGAME_BYTES),
        }
    }
}

/// Left's result of a game: 1, 0 or -1.
pub type Result = i8;

/// Left's share of a game, from 0 to this.
pub const WHOLE: u32 = 256;

/// The share of a result.
#[inline]
pub(crate) fn share(result: Result) -> u32 {
    ((i32::from(result) + 1) as u32) * (WHOLE / 2)
}

/// The result if this player wins.
pub fn won_by(winner: Player) -> Result {
    if winner == Player::Left { 1 } else { -1 }
}

/// One thread's view of the positions of a game: rules, knowledge, and what it remembers.
pub struct World<'a, R: Rules> {
    /// The game.
    pub rules: &'a R,
    knowledge: Knowledge,
    apart: bool,
    scores: bool,
    global_wins: bool,
    tables: &'a GameTables<R>,
    kernel: Kernel<'a>,
    memory: &'a mut Memory<R>,
    random: Random,
}

impl<'a, R: Rules> World<'a, R> {
    /// A view for one thread. Where points decide, or where a player can win everywhere, sums of values say nothing, and
    /// there is no knowledge.
    pub fn new(
        rules: &'a R,
        knowledge: Knowledge,
        tables: &'a GameTables<R>,
        kernel: Kernel<'a>,
        memory: &'a mut Memory<R>,
        seed: u64,
    ) -> Self {
        let (scores, global_wins) = (rules.ends_in_score(), rules.has_global_wins());
        let knowledge = if scores || global_wins { Knowledge::NONE } else { knowledge };
        World {
            rules,
            knowledge,
            apart: knowledge.takes_apart(),
            scores,
            global_wins,
            tables,
            kernel,
            memory,
            random: Random::new(seed, 0),
        }
    }

    /// What is known.
    pub fn knowledge(&self) -> Knowledge {
        self.knowledge
    }

    /// Decides whether positions are taken apart in a search from this board: not as long as there is so much of it that
    /// hardly any part would be known (section 7.3).
    pub fn settle_down(&mut self, board: &R::Board) {
        let open: u32 = Player::BOTH.iter().map(|&who| self.rules.count_moves(board, who)).sum();
        self.apart = self.knowledge.takes_apart() && open <= APART_MOVES;
    }

    /// The state of a board.
    pub fn enter(&mut self, board: &R::Board, points: i64) -> State<R::Board> {
        let mut state = State { parts: SmallVec::new(), points };
        if self.apart {
            self.split(board, self.knowledge.simplify != Simplify::Never, true, &mut state);
        } else {
            state.parts.push(Part { board: board.clone(), fact: None });
        }
        state
    }

    /// Adds the parts of a board.
    fn split(&mut self, board: &R::Board, simplify: bool, in_tree: bool, state: &mut State<R::Board>) {
        let rules = self.rules;
        rules.parts(board, &mut |part| {
            let fact = self.fact(&part, in_tree);
            self.insert(Part { board: part, fact: Some(fact) }, simplify, state);
        });
    }

    #[inline]
    fn insert(&self, part: Part<R::Board>, simplify: bool, state: &mut State<R::Board>) {
        if simplify && let Some(value) = part.fact.and_then(|fact| fact.value) {
            if value == Value::ZERO {
                return;
            }
            if let Ok(negative) = self.kernel.neg(value) {
                let is_inverse =
                    |other: &Part<R::Board>| other.fact.is_some_and(|fact| fact.value == Some(negative));
                if let Some(inverse) = state.parts.iter().position(is_inverse) {
                    state.parts.swap_remove(inverse);
                    return;
                }
            }
        }
        state.parts.push(part);
    }

    #[inline]
    fn fact(&mut self, board: &R::Board, in_tree: bool) -> Fact {
        let hash = hash_of(board);
        if let Some(fact) = self.memory.parts.get(board, hash) {
            return fact;
        }
        let fact = glance(self.rules, board);
        if !in_tree && u32::from(fact.counts[0]) + u32::from(fact.counts[1]) > MANY_MOVES {
            return fact;
        }
        let fact = examine(self.rules, self.tables, &self.kernel, board, fact);
        self.memory.parts.set(board.clone(), hash, fact);
        fact
    }

    /// The same for states that are sums of the same boards.
    pub fn key(&self, state: &State<R::Board>, who: Player) -> u64 {
        let seed = if who == Player::Left { 0x9e37_79b9_7f4a_7c15 } else { 0xc2b2_ae3d_27d4_eb4f };
        let seed = if state.points == 0 { seed } else { hash_of(&(seed, state.points)) };
        state.parts.iter().fold(seed, |key, part| key.wrapping_add(hash_of(&part.board)))
    }

    /// All moves, those in hotter parts first if that is known.
    pub fn moves(&self, state: &State<R::Board>, who: Player, steps: &mut Vec<Step<R::Move>>) {
        steps.clear();
        let mut order: SmallVec<[usize; 16]> = (0..state.parts.len()).collect();
        if self.knowledge.temperature {
            order.sort_by_key(|&i| std::cmp::Reverse(state.parts[i].fact.map_or(0, |fact| fact.heat)));
        }
        for i in order {
            let part = &state.parts[i];
            // Equal boards have equal moves.
            if self.apart && state.parts[..i].iter().any(|other| other.board == part.board) {
                continue;
            }
            let _ = self.rules.moves(&part.board, who, &mut |mv| {
                steps.push(Step::In(i as u16, mv));
                ControlFlow::Continue(())
            });
        }
        if self.has_spare(state, who) {
            steps.push(Step::Spare);
        }
    }

    /// How promising a move looks, for the order in which moves are tried.
    pub fn promise(&self, state: &State<R::Board>, who: Player, step: &Step<R::Move>) -> i32 {
        match step {
            Step::In(i, mv) => {
                let part = &state.parts[usize::from(*i)];
                let heat = if self.knowledge.temperature { part.fact.map_or(0, |fact| fact.heat) } else { 0 };
                self.rules.promise(&part.board, who, mv).saturating_add(64 * i32::from(heat))
            }
            Step::Spare | Step::Real(_) => i32::MIN,
        }
    }

    fn has_spare(&self, state: &State<R::Board>, who: Player) -> bool {
        !self.scores && if who == Player::Left { state.points > 0 } else { state.points < 0 }
    }

    /// Makes a move. Parts that cancel are taken off only if the player's knowledge says so.
    pub fn play(&mut self, state: &mut State<R::Board>, who: Player, step: &Step<R::Move>) {
        self.make(state, who, step, self.knowledge.simplify == Simplify::Always, true);
    }

    /// Makes a move, and takes off what cancels.
    pub(crate) fn play_and_simplify(
        &mut self,
        state: &mut State<R::Board>,
        who: Player,
        step: &Step<R::Move>,
    ) {
        let mut after = State { parts: SmallVec::new(), points: state.points };
        self.make(state, who, step, true, true);
        after.points = state.points;
        for part in state.parts.drain(..) {
            self.insert(part, true, &mut after);
        }
        *state = after;
    }

    fn make(
        &mut self,
        state: &mut State<R::Board>,
        who: Player,
        step: &Step<R::Move>,
        simplify: bool,
        in_tree: bool,
    ) {
        match step {
            Step::In(i, mv) => {
                let i = usize::from(*i);
                state.points += self.rules.points(&state.parts[i].board, who, mv);
                if self.apart {
                    let mut board = state.parts.swap_remove(i).board;
                    self.rules.play(&mut board, who, mv);
                    self.split(&board, simplify, in_tree, state);
                } else {
                    self.rules.play(&mut state.parts[i].board, who, mv);
                }
            }
            Step::Spare => state.points -= if who == Player::Left { 1 } else { -1 },
            Step::Real(_) => {}
        }
    }

    /// Left's result if the game is over, or known without search.
    pub fn verdict(&mut self, state: &State<R::Board>, who: Player) -> Option<Result> {
        if self.global_wins
            && let Some(winner) = state.parts.iter().find_map(|part| self.rules.global_win(&part.board))
        {
            return Some(won_by(winner));
        }
        if let Some(result) = self.known(state, who) {
            return Some(result);
        }
        if self.can_move(state, who) {
            return None;
        }
        if !self.scores {
            return Some(won_by(who.opponent()));
        }
        (!self.can_move(state, who.opponent())).then(|| state.points.signum() as Result)
    }

    /// Whether there is a move; points count if they are moves to spare.
    pub fn can_move(&self, state: &State<R::Board>, who: Player) -> bool {
        let has_moves = |part: &Part<R::Board>| match part.fact {
            Some(fact) => fact.counts[who as usize] > 0,
            None => self.rules.moves(&part.board, who, &mut |_| ControlFlow::Break(())).is_break(),
        };
        state.parts.iter().any(has_moves) || self.has_spare(state, who)
    }

    /// The result of a sum of which everything is known (Algorithm 4).
    #[inline]
    fn known(&mut self, state: &State<R::Board>, who: Player) -> Option<Result> {
        if !self.knowledge.solved
            || state.parts.iter().any(|part| part.fact.is_none_or(|f| f.value.is_none()))
        {
            return None;
        }
        let facts = state.parts.iter().filter_map(|part| part.fact);
        let wins = self.memory.sums.wins(facts, state.points, who, self.knowledge.atomic, &self.kernel)?;
        Some(won_by(if wins { who } else { who.opponent() }))
    }

    /// Left's result by a search for the winner of the sum that may take so many nodes.
    pub fn search(&mut self, state: &State<R::Board>, who: Player, nodes: u64) -> Option<Result> {
        if !self.knowledge.endgame {
            return None;
        }
        let budget = self.kernel.budget().part(nodes);
        let bench = Bench::new(self.kernel.store(), &budget);
        let sum = outcome::Sum {
            boards: state.parts.iter().map(|part| (part.board.clone(), Sign::Plus)).collect(),
            value: self.kernel.integer(state.points),
        };
        let settings = outcome::Settings {
            valued_size: SEARCH_VALUED_SIZE,
            valued_nodes: SEARCH_VALUED_NODES,
            ..outcome::Settings::default()
        };
        let values = &self.tables.values;
        let (winner, _) =
            outcome::winner(self.rules, &sum, who, &settings, values, &mut self.memory.endgame, &bench);
        winner.ok().map(won_by)
    }

    /// How many moves both players have together, up to a limit.
    pub fn open_moves(&self, state: &State<R::Board>) -> u32 {
        let count = |part: &Part<R::Board>| match part.fact {
            Some(fact) => u32::from(fact.counts[0]) + u32::from(fact.counts[1]),
            None => Player::BOTH.iter().map(|&who| self.rules.count_moves(&part.board, who)).sum(),
        };
        state.parts.iter().map(count).sum()
    }

    /// A name for a move, for tables of moves.
    pub fn step_key(&self, state: &State<R::Board>, step: &Step<R::Move>) -> u64 {
        match step {
            Step::In(i, mv) if self.apart => hash_of(&(&state.parts[usize::from(*i)].board, mv)),
            Step::In(_, mv) => hash_of(mv),
            Step::Spare => 1,
            Step::Real(number) => u64::from(*number),
        }
    }

    /// How much better the mover stands, at a glance.
    pub fn lean(&self, state: &State<R::Board>, who: Player) -> i32 {
        let parts = state.parts.iter().map(|part| match part.fact {
            Some(fact) => fact.lean,
            None => self.rules.lean(&part.board).saturating_mul(LEAN_OF_A_MOVE),
        });
        let points = state.points.clamp(-1_000, 1_000) as i32 * LEAN_OF_A_MOVE;
        let lean = parts.fold(points, i32::saturating_add).clamp(-100_000, 100_000);
        if who == Player::Left { lean } else { -lean }
    }

    /// Left's share of a game that is played on at random, until it ends or everything is known; or, if there is a
    /// `cutoff`, until so many moves are made: then the glance at the board counts.
    pub fn playout(&mut self, state: &State<R::Board>, who: Player, cutoff: Option<u32>) -> u32 {
        let mut moves = 0;
        if (!self.apart || cutoff.is_some())
            && let [part] = state.parts.as_slice()
        {
            let (mut board, mut points, mut who) = (part.board.clone(), state.points, who);
            let most = cutoff.unwrap_or(LONGEST_PLAYOUT);
            let few = if cutoff.is_some() { u32::MAX } else { 0 };
            if let Some(result) = self.plain(&mut board, &mut points, &mut who, &mut moves, most, few) {
                return share(result);
            }
            let lean = self.rules.lean(&board).saturating_mul(LEAN_OF_A_MOVE);
            return chance(lean.saturating_add(points.clamp(-1000, 1000) as i32 * LEAN_OF_A_MOVE));
        }
        if cutoff.is_some() {
            return chance(self.lean(state, Player::Left));
        }
        share(self.playout_of_parts(state, who))
    }

    /// Random moves on one board, until so many are made and there are only few to choose from. The result if the game
    /// ends before that.
    #[inline]
    fn plain(
        &mut self,
        board: &mut R::Board,
        points: &mut i64,
        who: &mut Player,
        moves: &mut u32,
        most: u32,
        few: u32,
    ) -> Option<Result> {
        let rules = self.rules;
        let random = &mut self.random;
        let mut passed = false;
        let mut choices = u32::MAX;
        while *moves < most || choices > few {
            if *moves > LONGEST_PLAYOUT {
                return Some(0);
            }
            let mv = rules.random_move(board, *who, &mut |bound| {
                choices = bound;
                random.index(bound)
            });
            match mv {
                Some(mv) => {
                    *points += rules.points(board, *who, &mv);
                    rules.play(board, *who, &mv);
                    passed = false;
                    if self.global_wins
                        && let Some(winner) = rules.global_win(board)
                    {
                        return Some(won_by(winner));
                    }
                }
                None if self.scores => {
                    if passed {
                        return Some(points.signum() as Result);
                    }
                    passed = true;
                }
                None => {
                    let step = i64::from(won_by(*who));
                    if *points * step <= 0 {
                        return Some(won_by(who.opponent()));
                    }
                    *points -= step;
                }
            }
            *who = who.opponent();
            *moves += 1;
        }
        None
    }

    /// A random game on the parts: a move changes one of them, and only that one is taken apart again.
    fn playout_of_parts(&mut self, start: &State<R::Board>, mut who: Player) -> Result {
        let always = self.knowledge.simplify == Simplify::Always;
        let mut state;
        if self.knowledge.simplify == Simplify::Sometimes {
            state = State { parts: SmallVec::new(), points: start.points };
            for part in &start.parts {
                self.insert(part.clone(), true, &mut state);
            }
        } else {
            state = start.clone();
        }
        let mut moves = 0;
        while moves < LONGEST_PLAYOUT {
            if let Some(result) = self.known(&state, who) {
                return result;
            }
            // Large boards in one piece: not worth taking apart after every move.
            if let [Part { board, fact: Some(Fact { value: None, .. }) }] = state.parts.as_slice() {
                let (mut board, mut points) = (board.clone(), state.points);
                let most = moves + MOVES_BETWEEN_SPLITS;
                if let Some(result) =
                    self.plain(&mut board, &mut points, &mut who, &mut moves, most, FEW_MOVES)
                {
                    return result;
                }
                state = State { parts: SmallVec::new(), points };
                self.split(&board, always, false, &mut state);
                continue;
            }
            let count =
                |part: &Part<R::Board>| part.fact.map_or(0, |fact| u32::from(fact.counts[who as usize]));
            let all: u32 = state.parts.iter().map(count).sum();
            if all == 0 {
                let step = i64::from(won_by(who));
                if state.points * step <= 0 {
                    return won_by(who.opponent());
                }
                state.points -= step;
            } else {
                let mut n = self.random.index(all);
                let mut at = 0;
                while n >= count(&state.parts[at]) {
                    n -= count(&state.parts[at]);
                    at += 1;
                }
                let random = &mut self.random;
                let mv =
                    self.rules.random_move(&state.parts[at].board, who, &mut |bound| random.index(bound));
                let Some(mv) = mv else { return 0 };
                self.make(&mut state, who, &Step::In(at as u16, mv), always, false);
            }
            who = who.opponent();
            moves += 1;
        }
        0
    }
}

/// Left's share if Left stands so much better.
#[inline]
fn chance(lean: i32) -> u32 {
    let odds = (-lean as f32 * (3f32.ln() / LEAN_OF_AN_ADVANTAGE)).exp();
    (WHOLE as f32 / (1.0 + odds)).round() as u32
}
