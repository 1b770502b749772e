//! Positions as searches walk through them: one board, or the sum of its parts.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use gb_board::{Random, sort_by_key};
use gb_rules::{Game, Key, MoveKey, Player, Sign};
use gb_search::question::outcome;
use gb_search::{GameTables, SearchContext};
use gb_value::{Kernel, Store, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::facts::{
    EVAL_OF_A_MOVE, Fact, PartFacts, Sights, SumFacts, VALUED_SIZE, examine, hash_of, move_counts,
};
use crate::knowledge::{Knowledge, Simplify};
use crate::value_time::{FIRST_LESSONS, LESSONS_SHARE, Threshold, TimeShare, VALUES_SHARE};

/// Parts with more moves than this are nothing for tables, except in the tree.
const MANY_MOVES: u32 = 16;
/// Parts of at most this size are valued by the search for the winner: more than when it is asked once, because a player
/// asks again and again about the same parts.
const SEARCH_VALUED_SIZE: usize = 16;
/// But never at length: in games whose values are large, nothing else would be done.
const SEARCH_VALUED_NODES: u64 = 500;
/// Nodes for the values after all moves in a part, and for how many parts the best moves are kept.
const BEST_MOVES_NODES: u64 = 1_000;
const BEST_MOVES_PARTS: usize = 1 << 15;
/// Of more moves than this in a part, which a heap of many tokens has, none is compared with every other.
const MOST_COMPARED_MOVES: usize = 256;
/// Bytes for sums whose winner was searched for.
const ENDGAME_BYTES: u64 = 96 << 20;

/// A part of a sum.
#[derive(Clone, Debug)]
pub(crate) struct Component<const N: usize> {
    pub(crate) board: Key<N>,
    /// What is known. `None` for a whole board that is not taken apart.
    pub(crate) fact: Option<Fact>,
}

/// A position: parts, or a single board that is not taken apart, and points.
#[derive(Clone, Debug)]
pub struct State<const N: usize> {
    pub(crate) parts: SmallVec<[Component<N>; 2]>,
    /// Left's points less Right's.
    pub(crate) points: i64,
}

impl<const N: usize> Default for State<N> {
    fn default() -> Self {
        State { parts: SmallVec::new(), points: 0 }
    }
}

impl<const N: usize> Component<N> {
    /// The same for parts of the same value, as far as that is known.
    #[inline]
    fn name(&self) -> u64 {
        self.fact.map(|fact| fact.name).filter(|&name| name > 0).unwrap_or_else(|| hash_of(&self.board))
    }
}

impl<const N: usize> Component<N> {
    /// How many moves a player has in a part that was looked at.
    #[inline]
    pub(crate) fn choices(&self, who: Player) -> u32 {
        self.fact.map_or(0, |fact| u32::from(fact.counts[who as usize]))
    }

    /// Whether the value is known.
    #[inline]
    pub(crate) fn is_settled(&self) -> bool {
        self.fact.is_some_and(|fact| fact.value.is_some())
    }
}

impl<const N: usize> State<N> {
    /// How many moves a player has in parts that were looked at.
    #[inline]
    pub(crate) fn choices(&self, who: Player) -> u32 {
        self.parts.iter().map(|part| part.choices(who)).sum()
    }

    /// As [`choices`](State::choices), in parts whose values are not known.
    #[inline]
    pub(crate) fn unsettled_choices(&self, who: Player) -> u32 {
        self.parts.iter().filter(|part| !part.is_settled()).map(|part| part.choices(who)).sum()
    }
}

/// A move in a state.
#[derive(Clone, Debug)]
pub enum Step {
    /// In a part.
    In(u16, MoveKey),
    /// Uses up a point, in games where points are moves to spare.
    Spare,
    /// A move on the real board: by its number among those at the root.
    Real(u16),
}

/// The moves of Left, or else of Right, in parts with known values that are not dominated.
type BestMoves<const N: usize> = FxHashMap<(Key<N>, bool), Box<[MoveKey]>>;

/// What a thread keeps from one move to the next.
pub struct Memory<const N: usize> {
    parts: PartFacts<N>,
    sights: Sights,
    sums: SumFacts,
    best_moves: BestMoves<N>,
    /// Who wins which sums, by search.
    endgame: Option<outcome::Memory>,
    /// See [`Threshold`].
    pub(crate) threshold: Threshold,
}

impl<const N: usize> Default for Memory<N> {
    fn default() -> Self {
        Memory {
            parts: PartFacts::new(),
            sights: Sights::new(),
            sums: SumFacts::new(),
            best_moves: FxHashMap::default(),
            endgame: None,
            threshold: Threshold::default(),
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
pub struct SearchState<'a, const N: usize> {
    /// The game.
    pub game: &'a Game<N>,
    pub(crate) knowledge: Knowledge,
    pub(crate) apart: bool,
    pub(crate) scores: bool,
    pub(crate) global_wins: bool,
    pub(crate) tables: &'a GameTables<N>,
    pub(crate) kernel: Kernel<'a>,
    pub(crate) memory: &'a mut Memory<N>,
    purse: Option<TimeShare>,
    /// Playouts since one was taken apart to learn from it.
    pub(crate) since_apart: u32,
    pub(crate) between_lessons: u32,
    pub(crate) random: Random,
    /// Room for two positions of a playout, so that not every playout asks for memory.
    pub(crate) room: [State<N>; 2],
    /// Room for the parts of a board.
    parts: Vec<Key<N>>,
}

impl<'a, const N: usize> SearchState<'a, N> {
    /// A view for one thread. Where points decide, or where a player can win everywhere, sums of values say nothing, and
    /// there is no knowledge.
    pub fn new(
        game: &'a Game<N>,
        knowledge: Knowledge,
        tables: &'a GameTables<N>,
        kernel: Kernel<'a>,
        memory: &'a mut Memory<N>,
        seed: u64,
    ) -> Self {
        let (scores, global_wins) = (game.ends_in_score(), game.has_global_wins());
        let knowledge = if scores || global_wins { Knowledge::NONE } else { knowledge };
        SearchState {
            game,
            knowledge,
            apart: knowledge.takes_apart(),
            scores,
            global_wins,
            tables,
            // Where time is not limited, it does not count, and the same seed gives the same game.
            purse: kernel.budget().deadline().map(|_| TimeShare::new()),
            since_apart: 0,
            between_lessons: 1,
            kernel,
            memory,
            random: Random::new(seed, 0),
            room: Default::default(),
            parts: vec![],
        }
    }

    /// Where values live.
    pub(crate) fn store(&self) -> &'a Store {
        self.kernel.store()
    }

    /// What is known.
    pub fn knowledge(&self) -> Knowledge {
        self.knowledge
    }

    /// Decides whether positions are taken apart in a search from this board: not as long as there is so much of it that
    /// hardly any part would be known (section 7.3).
    pub fn settle_down(&mut self, board: &Key<N>, points: i64, who: Player) {
        self.apart = false;
        if !self.knowledge.takes_apart() {
            return;
        }
        if self.memory.threshold.is_fresh() {
            // A playout that ends before its board is taken apart teaches nothing, so there is no waiting for so many.
            for _ in 0..FIRST_LESSONS {
                self.lesson(*board, points, who);
            }
        }
        let open: u32 = Player::BOTH.iter().map(|&who| self.game.count_moves(board, who)).sum();
        self.apart = self.memory.threshold.is_near(open);
        self.between_lessons = self.memory.threshold.between_lessons(open);
    }

    /// The state of a board.
    pub fn enter(&mut self, board: &Key<N>, points: i64) -> State<N> {
        let mut state = State { parts: SmallVec::new(), points };
        if self.apart {
            self.split(board, self.knowledge.simplify != Simplify::Never, true, &mut state);
        } else {
            state.parts.push(Component { board: *board, fact: None });
        }
        state
    }

    /// Adds the parts of a board.
    pub(crate) fn split(&mut self, board: &Key<N>, simplify: bool, in_tree: bool, state: &mut State<N>) {
        let mut parts = std::mem::take(&mut self.parts);
        self.game.parts(board, &mut parts);
        for part in parts.drain(..) {
            let fact = self.fact(&part, in_tree);
            self.insert(Component { board: part, fact: Some(fact) }, simplify, state);
        }
        self.parts = parts;
    }

    #[inline]
    pub(crate) fn insert(&self, part: Component<N>, simplify: bool, state: &mut State<N>) {
        if simplify && let Some(value) = part.fact.and_then(|fact| fact.value) {
            if value == Value::ZERO {
                return;
            }
            if let Ok(negative) = self.kernel.neg(value) {
                let is_inverse =
                    |other: &Component<N>| other.fact.is_some_and(|fact| fact.value == Some(negative));
                if let Some(inverse) = state.parts.iter().position(is_inverse) {
                    state.parts.swap_remove(inverse);
                    return;
                }
            }
        }
        state.parts.push(part);
    }

    #[inline]
    fn fact(&mut self, board: &Key<N>, in_tree: bool) -> Fact {
        let hash = hash_of(board);
        if let Some(fact) = self.memory.parts.get(board, hash)
            && !(fact.pending && self.purse.as_ref().is_none_or(|purse| purse.open(self.share()).is_some()))
        {
            return fact;
        }
        let fact = move_counts(&**self.game, board);
        // Parts that are too large for a search may be known all the same, but a part that is seen once is not worth asking.
        let moves = u32::from(fact.counts[0]) + u32::from(fact.counts[1]);
        if !in_tree
            && (moves > MANY_MOVES || self.game.size(board) > VALUED_SIZE && !self.memory.sights.again(hash))
        {
            return fact;
        }
        self.examined(board, hash, fact)
    }

    /// The share of the time for values.
    fn share(&self) -> f32 {
        if self.apart { VALUES_SHARE } else { LESSONS_SHARE }
    }

    /// A fact that costs time to find, if there is any to spend; otherwise what has been found before.
    #[cold]
    fn examined(&mut self, board: &Key<N>, hash: u64, fact: Fact) -> Fact {
        let begun = self.purse.as_ref().map(|purse| purse.open(self.share()));
        let searches = begun != Some(None);
        let fact = examine(&**self.game, &self.knowledge, self.tables, &self.kernel, board, fact, searches);
        if searches || fact.value.is_some() {
            self.memory.parts.set(*board, hash, fact);
        } else {
            self.memory.parts.set_pending(board, hash, fact);
        }
        if let (Some(purse), Some(Some(begun))) = (&mut self.purse, begun) {
            purse.spent += begun.elapsed();
        }
        fact
    }

    /// The same for states that are sums of the same boards, or, as far as that is known, of parts with the same values.
    pub fn key(&self, state: &State<N>, who: Player) -> u64 {
        let seed = if who == Player::Left { 0x9e37_79b9_7f4a_7c15 } else { 0xc2b2_ae3d_27d4_eb4f };
        let seed = if state.points == 0 { seed } else { hash_of(&(seed, state.points)) };
        state.parts.iter().fold(seed, |key, part| key.wrapping_add(part.name()))
    }

    /// The moves to choose from, those in hotter parts first if that is known.
    pub fn moves(&mut self, state: &State<N>, who: Player, steps: &mut Vec<Step>) {
        steps.clear();
        let mut order: SmallVec<[usize; 16]> = (0..state.parts.len()).collect();
        if self.knowledge.temperature {
            sort_by_key(&mut order, |&i| Reverse(state.parts[i].fact.map_or(0, |fact| fact.heat)));
        }
        for i in order {
            let part = &state.parts[i];
            // Equal parts have equal moves.
            if state.parts[..i].iter().any(|other| other.name() == part.name()) {
                continue;
            }
            if self.knowledge.dominated && part.is_settled() {
                self.list_best_moves(&part.board, who, i as u16, steps);
                continue;
            }
            let _ = self.game.moves(&part.board, who, &mut |mv| {
                steps.push(Step::In(i as u16, mv));
                ControlFlow::Continue(())
            });
        }
        if self.has_spare(state, who) {
            steps.push(Step::Spare);
        }
    }

    /// Adds the moves in a part that are not dominated, as far as the values after them are known.
    fn list_best_moves(&mut self, part: &Key<N>, who: Player, at: u16, steps: &mut Vec<Step>) {
        let key = (*part, who == Player::Left);
        if let Some(moves) = self.memory.best_moves.get(&key) {
            steps.extend(moves.iter().map(|mv| Step::In(at, *mv)));
            return;
        }
        let game = self.game;
        let mut options: SmallVec<[(MoveKey, Option<Value>); 8]> = SmallVec::new();
        let _ = game.moves(part, who, &mut |mv| {
            options.push((mv, None));
            ControlFlow::Continue(())
        });
        if options.len() > MOST_COMPARED_MOVES {
            steps.extend(options.into_iter().map(|(mv, _)| Step::In(at, mv)));
            return;
        }
        let budget = self.kernel.budget().part(BEST_MOVES_NODES);
        let brief = self.kernel.store().kernel(&budget);
        for (mv, value) in &mut options {
            let (mut sum, mut pieces) = (Some(Value::ZERO), vec![]);
            let points = game.parts_after(part, who, *mv, &mut pieces);
            for piece in &pieces {
                let fact = self.fact(piece, true);
                sum = sum.zip(fact.value).and_then(|(sum, value)| brief.add(sum, value).ok());
            }
            *value = sum.and_then(|sum| brief.add(sum, brief.integer(points)).ok());
        }
        let at_least = |a: Value, b: Value| match who {
            Player::Left => brief.le(b, a).unwrap_or(false),
            Player::Right => brief.le(a, b).unwrap_or(false),
        };
        let is_dominated = |i: usize| {
            let Some(value) = options[i].1 else { return false };
            options.iter().enumerate().any(|(j, (_, other))| {
                j != i
                    && other.is_some_and(|other| at_least(other, value) && (j < i || !at_least(value, other)))
            })
        };
        let best: Box<[MoveKey]> =
            (0..options.len()).filter(|&i| !is_dominated(i)).map(|i| options[i].0).collect();
        steps.extend(best.iter().map(|mv| Step::In(at, *mv)));
        if self.memory.best_moves.len() >= BEST_MOVES_PARTS {
            self.memory.best_moves.clear();
        }
        self.memory.best_moves.insert(key, best);
    }

    /// How promising a move looks, for the order in which moves are tried.
    pub fn order_score(&self, state: &State<N>, who: Player, step: &Step) -> i32 {
        match step {
            Step::In(i, mv) => {
                let part = &state.parts[usize::from(*i)];
                let heat = if self.knowledge.temperature { part.fact.map_or(0, |fact| fact.heat) } else { 0 };
                self.game.order_score(&part.board, who, *mv).saturating_add(64 * i32::from(heat))
            }
            Step::Spare | Step::Real(_) => i32::MIN,
        }
    }

    /// How likely a strong player makes a move, if something is known of that; see [`Heuristics::move_prior`].
    pub(crate) fn move_prior(&self, state: &State<N>, who: Player, step: &Step) -> Option<i32> {
        match step {
            Step::In(i, mv) => self.game.move_prior(&state.parts[usize::from(*i)].board, who, *mv),
            Step::Spare | Step::Real(_) => None,
        }
    }

    fn has_spare(&self, state: &State<N>, who: Player) -> bool {
        !self.scores && if who == Player::Left { state.points > 0 } else { state.points < 0 }
    }

    /// Makes a move. Parts that cancel are taken off only if the player's knowledge says so.
    pub fn play(&mut self, state: &mut State<N>, who: Player, step: &Step) {
        self.make(state, who, step, self.knowledge.simplify == Simplify::Always, true);
    }

    /// Makes a move, and takes off what cancels.
    pub(crate) fn play_and_simplify(&mut self, state: &mut State<N>, who: Player, step: &Step) {
        let mut after = State { parts: SmallVec::new(), points: state.points };
        self.make(state, who, step, true, true);
        after.points = state.points;
        for part in state.parts.drain(..) {
            self.insert(part, true, &mut after);
        }
        *state = after;
    }

    pub(crate) fn make(
        &mut self,
        state: &mut State<N>,
        who: Player,
        step: &Step,
        simplify: bool,
        in_tree: bool,
    ) {
        match step {
            Step::In(i, mv) => {
                let i = usize::from(*i);
                let (board, points) = self.game.play(&state.parts[i].board, who, *mv);
                state.points += points;
                if state.parts[i].fact.is_some() {
                    state.parts.swap_remove(i);
                    self.split(&board, simplify, in_tree, state);
                } else {
                    state.parts[i].board = board;
                }
            }
            Step::Spare => state.points -= if who == Player::Left { 1 } else { -1 },
            Step::Real(_) => {}
        }
    }

    /// Left's result if the game is over, or known without search.
    pub fn verdict(&mut self, state: &State<N>, who: Player) -> Option<Result> {
        if self.global_wins
            && let Some(winner) = state.parts.iter().find_map(|part| self.game.global_win(&part.board))
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
    pub fn can_move(&self, state: &State<N>, who: Player) -> bool {
        let has_moves = |part: &Component<N>| match part.fact {
            Some(fact) => fact.counts[who as usize] > 0,
            None => self.game.moves(&part.board, who, &mut |_| ControlFlow::Break(())).is_break(),
        };
        state.parts.iter().any(has_moves) || self.has_spare(state, who)
    }

    /// The result of a sum of which everything is known (Algorithm 4).
    #[inline]
    pub(crate) fn known(&mut self, state: &State<N>, who: Player) -> Option<Result> {
        if !self.knowledge.solved {
            return None;
        }
        if !state.parts.iter().all(Component::is_settled) {
            // Of a single part it is enough that a database says who wins.
            let [part] = state.parts.as_slice() else { return None };
            let wins = (state.points == 0).then(|| self.tables.values.wins(&part.board, who))??;
            return Some(won_by(if wins { who } else { who.opponent() }));
        }
        let facts = state.parts.iter().filter_map(|part| part.fact);
        let wins = self.memory.sums.wins(facts, state.points, who, self.knowledge.atomic, &self.kernel)?;
        Some(won_by(if wins { who } else { who.opponent() }))
    }

    /// Left's result by a search for the winner of the sum that may take so many nodes.
    pub fn search(&mut self, state: &State<N>, who: Player, nodes: u64) -> Option<Result> {
        let budget = self.kernel.budget().part(nodes);
        let context = SearchContext::new(self.kernel.store(), &budget);
        let sum = outcome::Sum {
            boards: state.parts.iter().map(|part| (part.board, Sign::Plus)).collect(),
            value: self.kernel.integer(state.points),
            subtrahend: Value::ZERO,
        };
        let settings = outcome::Settings {
            valued_size: SEARCH_VALUED_SIZE,
            valued_nodes: SEARCH_VALUED_NODES,
            ..outcome::Settings::default()
        };
        let memory = self.memory.endgame.get_or_insert_with(|| outcome::Memory::new(ENDGAME_BYTES));
        self.tables.winner(&**self.game, &sum, who, &settings, memory, &context).ok().map(won_by)
    }

    /// How many moves both players have together, up to a limit.
    pub fn open_moves(&self, state: &State<N>) -> u32 {
        let count = |part: &Component<N>| match part.fact {
            Some(fact) => u32::from(fact.counts[0]) + u32::from(fact.counts[1]),
            None => Player::BOTH.iter().map(|&who| self.game.count_moves(&part.board, who)).sum(),
        };
        state.parts.iter().map(count).sum()
    }

    /// A name for a move, for tables of moves.
    pub fn step_key(&self, state: &State<N>, step: &Step) -> u64 {
        match step {
            Step::In(i, mv) => match &state.parts[usize::from(*i)] {
                Component { board, fact: Some(_) } => hash_of(&(board, mv)),
                Component { fact: None, .. } => hash_of(mv),
            },
            Step::Spare => 1,
            Step::Real(number) => u64::from(*number),
        }
    }

    /// How much better the mover stands, by static evaluation.
    pub fn static_eval(&self, state: &State<N>, who: Player) -> i32 {
        let parts = state.parts.iter().map(|part| match part.fact {
            Some(Fact { value: Some(_), eval, .. }) => eval,
            _ => self.game.static_eval(&part.board).saturating_mul(EVAL_OF_A_MOVE),
        });
        let points = state.points.clamp(-1_000, 1_000) as i32 * EVAL_OF_A_MOVE;
        let eval = parts.fold(points, i32::saturating_add).clamp(-100_000, 100_000);
        if who == Player::Left { eval } else { -eval }
    }
}
