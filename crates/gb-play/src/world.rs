//! Positions as searches walk through them: one board, or the sum of its parts.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use gb_game::{Player, Rules, Sign};
use gb_local::question::outcome;
use gb_local::{Bench, GameTables};
use gb_sum::arena::Random;
use gb_value::{Kernel, Value};
use smallvec::{SmallVec, smallvec};

use crate::facts::{Fact, LEAN_OF_A_MOVE, PartFacts, SumFacts, examine, glance, hash_of};
use crate::knowledge::{Knowledge, Simplify};

/// How long a playout may be in a game that may go on for ever.
const LONGEST_PLAYOUT: u32 = 1_000;
/// Playouts take boards apart when the mover has at most this many moves (see [`Threshold`]): where learning begins, and
/// how far it may go.
const FEW_MOVES_AT_FIRST: f32 = 8.0;
const MOST_FEW_MOVES: f32 = 40.0;
/// How much the threshold rises when taking the board apart settled the game, and falls when not.
const HIT: f32 = 0.1;
const MISS: f32 = 0.02;
/// So many lessons come before the first search, and count so many times as much.
const FIRST_LESSONS: u32 = 64;
const HURRY: f32 = 5.0;
/// Where games are settled so late, it does not pay to take positions apart in the tree; for every move of the threshold
/// above that, the players together may have so many moves.
const TOO_FEW_MOVES: f32 = 5.0;
const REACH: f32 = 20.0;
/// Where positions are not taken apart, every so-manieth playout is, to learn the threshold.
const PLAYOUTS_BETWEEN_LESSONS: u32 = 16;
/// The share of the time that may go into the values of parts where positions are taken apart, and where they are not; and
/// what may be spent at once.
const VALUES_SHARE: f32 = 0.3;
const LESSONS_SHARE: f32 = 0.04;
const GRACE: Duration = Duration::from_micros(500);
/// Parts with more moves than this are nothing for tables, except in the tree.
const MANY_MOVES: u32 = 16;
/// How many points of [`World::lean`] make a winning chance of three to one out of an even one.
const LEAN_OF_AN_ADVANTAGE: f32 = 16.0;
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
    /// What is known. `None` for a whole board that is not taken apart.
    fact: Option<Fact>,
}

/// A position: parts, or a single board that is not taken apart, and points.
#[derive(Clone, Debug)]
pub struct State<B> {
    parts: SmallVec<[Part<B>; 2]>,
    /// Left's points less Right's.
    points: i64,
}

impl<B> Part<B> {
    /// How many moves a player has in a part that was looked at.
    #[inline]
    fn choices(&self, who: Player) -> u32 {
        self.fact.map_or(0, |fact| u32::from(fact.counts[who as usize]))
    }
}

impl<B> State<B> {
    /// How many moves a player has in parts that were looked at.
    #[inline]
    fn choices(&self, who: Player) -> u32 {
        self.parts.iter().map(|part| part.choices(who)).sum()
    }
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
    /// See [`Threshold`].
    threshold: Threshold,
}

impl<R: Rules> Default for Memory<R> {
    fn default() -> Self {
        Memory {
            parts: PartFacts::new(),
            sums: SumFacts::new(),
            endgame: outcome::Memory::new(ENDGAME_BYTES),
            threshold: Threshold::default(),
        }
    }
}

/// With how many moves to choose from a playout takes the board apart: learned from whether that settled the game at once.
/// A game whose parts are seldom known is so played out at nearly full speed.
#[derive(Clone, Copy, Debug)]
struct Threshold {
    moves: f32,
    lessons: u32,
}

impl Default for Threshold {
    fn default() -> Self {
        Threshold { moves: FEW_MOVES_AT_FIRST, lessons: 0 }
    }
}

impl Threshold {
    fn moves(self) -> u32 {
        self.moves as u32
    }

    fn is_fresh(self) -> bool {
        self.lessons < FIRST_LESSONS
    }

    /// Whether it pays to take everything apart where both players have so many moves: from there, games reach the threshold
    /// soon enough.
    fn is_near(self, open: u32) -> bool {
        open as f32 <= REACH * (self.moves - TOO_FEW_MOVES)
    }

    /// In the long run the board is taken apart where a share of `MISS / (HIT + MISS)` is settled at once.
    fn learn(&mut self, settled: bool) {
        let step = if settled { HIT } else { -MISS };
        let step = if self.is_fresh() { HURRY * step } else { step };
        self.moves = (self.moves + step).clamp(1.0, MOST_FEW_MOVES);
        self.lessons = self.lessons.saturating_add(1);
    }
}

/// The time that may go into the values of parts: a share of all time, so that knowledge that does not come cheaply does
/// not take the time that playouts need.
#[derive(Debug)]
struct Purse {
    start: Instant,
    spent: Duration,
}

impl Purse {
    /// The time now, if there is something left to spend.
    #[inline]
    fn open(&self, share: f32) -> Option<Instant> {
        let now = Instant::now();
        (self.spent <= GRACE + (now - self.start).mul_f32(share)).then_some(now)
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
    purse: Option<Purse>,
    /// Playouts since one was taken apart to learn from it.
    since_apart: u32,
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
            // Where time is not limited, it does not count, and the same seed gives the same game.
            purse: kernel.budget().deadline().map(|_| Purse { start: Instant::now(), spent: Duration::ZERO }),
            since_apart: 0,
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
    pub fn settle_down(&mut self, board: &R::Board, points: i64, who: Player) {
        self.apart = false;
        if !self.knowledge.takes_apart() {
            return;
        }
        if self.memory.threshold.is_fresh() {
            // A playout that ends before its board is taken apart teaches nothing, so there is no waiting for so many.
            for _ in 0..FIRST_LESSONS {
                self.lesson(board.clone(), points, who);
            }
        }
        let open: u32 = Player::BOTH.iter().map(|&who| self.rules.count_moves(board, who)).sum();
        self.apart = self.memory.threshold.is_near(open);
    }

    /// A playout of a board that is taken apart to learn when that pays.
    fn lesson(&mut self, board: R::Board, points: i64, who: Player) -> Result {
        let fact = Some(glance(self.rules, &board));
        self.playout_of_parts(State { parts: smallvec![Part { board, fact }], points }, who, true)
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
        self.examined(board, hash, fact)
    }

    /// A fact that costs time, if there is any to spend.
    #[cold]
    fn examined(&mut self, board: &R::Board, hash: u64, fact: Fact) -> Fact {
        let share = if self.apart { VALUES_SHARE } else { LESSONS_SHARE };
        let begun = self.purse.as_ref().map(|purse| purse.open(share));
        if begun == Some(None) {
            return fact;
        }
        let fact = examine(self.rules, &self.knowledge, self.tables, &self.kernel, board, fact);
        self.memory.parts.set(board.clone(), hash, fact);
        if let (Some(purse), Some(Some(begun))) = (&mut self.purse, begun) {
            purse.spent += begun.elapsed();
        }
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
            if state.parts[..i].iter().any(|other| other.board == part.board) {
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
                if state.parts[i].fact.is_some() {
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
            Step::In(i, mv) => match &state.parts[usize::from(*i)] {
                Part { board, fact: Some(_) } => hash_of(&(board, mv)),
                Part { fact: None, .. } => hash_of(mv),
            },
            Step::Spare => 1,
            Step::Real(number) => u64::from(*number),
        }
    }

    /// How much better the mover stands, at a glance.
    pub fn lean(&self, state: &State<R::Board>, who: Player) -> i32 {
        let parts = state.parts.iter().map(|part| match part.fact {
            Some(Fact { value: Some(_), lean, .. }) => lean,
            _ => self.rules.lean(&part.board).saturating_mul(LEAN_OF_A_MOVE),
        });
        let points = state.points.clamp(-1_000, 1_000) as i32 * LEAN_OF_A_MOVE;
        let lean = parts.fold(points, i32::saturating_add).clamp(-100_000, 100_000);
        if who == Player::Left { lean } else { -lean }
    }

    /// Left's share of a game that is played on at random, until it ends or everything is known; or, if there is a
    /// `cutoff`, until so many moves are made: then the glance at the board counts.
    pub fn playout(&mut self, state: &State<R::Board>, who: Player, cutoff: Option<u32>) -> u32 {
        if self.apart && cutoff.is_none() {
            return share(self.playout_of_parts(state.clone(), who, false));
        }
        let [part] = state.parts.as_slice() else { return chance(self.lean(state, Player::Left)) };
        let (mut board, mut points, mut who, mut moves) = (part.board.clone(), state.points, who, 0);
        if cutoff.is_none() && self.knowledge.takes_apart() {
            // Now and then, to learn when that pays.
            self.since_apart = (self.since_apart + 1) % PLAYOUTS_BETWEEN_LESSONS;
            if self.since_apart == 0 {
                return share(self.lesson(board, points, who));
            }
        }
        let most = cutoff.unwrap_or(LONGEST_PLAYOUT);
        let few = if cutoff.is_some() { u32::MAX } else { 0 };
        if let Some(result) = self.plain(&mut board, &mut points, &mut who, &mut moves, most, few) {
            return share(result);
        }
        let lean = self.rules.lean(&board).saturating_mul(LEAN_OF_A_MOVE);
        chance(lean.saturating_add(points.clamp(-1000, 1000) as i32 * LEAN_OF_A_MOVE))
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

    /// A random game on the parts. As long as there are many moves, parts are played in as they are; then they are taken
    /// apart, and from there on a move changes one part, and only that one is taken apart again.
    fn playout_of_parts(&mut self, mut state: State<R::Board>, mut who: Player, is_whole: bool) -> Result {
        let few = self.memory.threshold.moves();
        let mut moves = 0;
        let goes_on = state.choices(who) > few;
        let has_to_split = goes_on || is_whole;
        if goes_on && let Some(result) = self.play_down_to(few, &mut state, &mut who, &mut moves) {
            return result;
        }
        if has_to_split || self.knowledge.simplify == Simplify::Sometimes {
            let simplify = self.knowledge.simplify != Simplify::Never;
            let mut apart = State { parts: SmallVec::new(), points: state.points };
            for part in state.parts.drain(..) {
                if part.fact.is_some_and(|fact| fact.value.is_some()) {
                    self.insert(part, simplify, &mut apart);
                } else {
                    self.split(&part.board, simplify, false, &mut apart);
                }
            }
            state = apart;
        }
        if has_to_split {
            let is_settled = state.parts.iter().all(|part| part.fact.is_some_and(|f| f.value.is_some()));
            self.memory.threshold.learn(is_settled);
        }
        let always = self.knowledge.simplify == Simplify::Always;
        while moves < LONGEST_PLAYOUT {
            if let Some(result) = self.known(&state, who) {
                return result;
            }
            let choices = state.choices(who);
            if choices == 0 {
                let step = i64::from(won_by(who));
                if state.points * step <= 0 {
                    return won_by(who.opponent());
                }
                state.points -= step;
            } else {
                let Some((at, mv)) = self.random_move(&state, who, choices) else { return 0 };
                self.make(&mut state, who, &Step::In(at as u16, mv), always, false);
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
        state: &mut State<R::Board>,
        who: &mut Player,
        moves: &mut u32,
    ) -> Option<Result> {
        if let [part] = state.parts.as_mut_slice() {
            part.fact = None;
            return self.plain(&mut part.board, &mut state.points, who, moves, 0, few);
        }
        while *moves < LONGEST_PLAYOUT {
            let choices = state.choices(*who);
            if choices <= few {
                break;
            }
            let Some((at, mv)) = self.random_move(state, *who, choices) else { return Some(0) };
            let part = &mut state.parts[at];
            state.points += self.rules.points(&part.board, *who, &mv);
            self.rules.play(&mut part.board, *who, &mv);
            part.fact = Some(glance(self.rules, &part.board));
            *who = who.opponent();
            *moves += 1;
        }
        None
    }

    /// One of all moves in the parts, each as likely as any other.
    #[inline]
    fn random_move(&mut self, state: &State<R::Board>, who: Player, all: u32) -> Option<(usize, R::Move)> {
        let mut n = self.random.index(all);
        for (at, part) in state.parts.iter().enumerate() {
            let count = part.choices(who);
            if n < count {
                let random = &mut self.random;
                let mv = self.rules.random_move(&part.board, who, &mut |bound| random.index(bound))?;
                return Some((at, mv));
            }
            n -= count;
        }
        None
    }
}

/// Left's share if Left stands so much better.
#[inline]
fn chance(lean: i32) -> u32 {
    let odds = (-lean as f32 * (3f32.ln() / LEAN_OF_AN_ADVANTAGE)).exp();
    (WHOLE as f32 / (1.0 + odds)).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_goes_where_boards_are_settled_now_and_then() {
        // Settled where there are at most ten moves: the threshold stays around that.
        let mut threshold = Threshold::default();
        for _ in 0..5_000 {
            threshold.learn(threshold.moves() <= 10);
        }
        assert!((9..=11).contains(&threshold.moves()), "{threshold:?}");
        assert!(threshold.is_near(60) && !threshold.is_near(200));
        // Never settled: boards stay in one piece.
        for _ in 0..5_000 {
            threshold.learn(false);
        }
        assert!(threshold.moves() == 1 && !threshold.is_near(1));
    }
}
