//! Alpha-beta on the positions of any game: iterative deepening, a transposition table, killer and history moves, late
//! move reductions, enhanced transposition cutoffs (Plaat and others 1996).
//!
//! The search of [`strategy`](crate::strategy) knows local games and exact scores; this one knows boards, guesses at their
//! leaves, and asks who wins. A score beyond `PROVEN` is no guess: it is only ever made of positions that are won or lost.

use gb_board::sort_by_key;
use gb_rules::{Game, Key, MoveKey, Player};
use gb_search::GameTables;
use gb_search::alphabeta::{Best, Bound, Growth, ReplacingTable, best_of};
use gb_value::Store;
use std::cmp::Reverse;

use crate::facts::EVAL_OF_A_MOVE;
use crate::knowledge::Knowledge;
use crate::limits::{Clock, HaltReason, Limits};
use crate::root::Root;
use crate::search_state::{Memory, SearchState, State, Step, won_by};
use crate::swindle;

/// A win at once; later ones are worth less.
const WIN: i32 = 1_000_000;
/// Greater scores are proven wins.
const PROVEN: i32 = 900_000;
/// No search goes deeper.
const DEEPEST: u32 = 200;
/// How many nodes are searched and moves listed between looks at the clock: a heap of many tokens has tens of thousands of moves.
const WORK_BETWEEN_LOOKS: u64 = 16 * 512;
/// What a node counts for, where a move that is listed counts for one.
const WORK_OF_A_NODE: u64 = 16;
/// From this depth on, children are looked up in the table before any is searched.
const CUTOFF_DEPTH: u32 = 3;
/// Moves that are searched before others are searched less deeply.
const FULL_MOVES: usize = 4;
/// How often history may count before all of it is halved.
const HISTORY_BITS: u32 = 12;
/// What the share of time for the winner of the sum is, as in Monte-Carlo tree search.
const ROOT_SHARE: f32 = 0.5;
/// What it is worth to be on the move, so that positions at odd and at even depths can be compared: late moves are
/// searched less deeply.
const TEMPO: i32 = 2 * EVAL_OF_A_MOVE;
/// Nodes and moves for the winner of positions of the tree.
const LEAF_NODES: u64 = 50;
const LEAF_MOVES: u32 = 40;

/// A move that the search has chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub mv: MoveKey,
    /// How much better the mover stands.
    pub score: i32,
    /// Who wins, if that is proven.
    pub winner: Option<Player>,
    /// How deep the search has been.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Why the search ended.
    pub stopped: HaltReason,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The name of the best move.
    best: u64,
    score: i32,
    depth: u8,
    bound: Bound,
}

/// The clock has run out.
struct OutOfTime;

/// A player who searches all moves to a depth. Keeps the table from move to move.
pub struct AlphaBeta<const N: usize> {
    game: Game<N>,
    knowledge: Knowledge,
    memory: Memory<N>,
    table: ReplacingTable<u64, Entry>,
    history: Vec<u32>,
    seed: u64,
}

impl<const N: usize> AlphaBeta<N> {
    /// A player.
    pub fn new(game: Game<N>, knowledge: Knowledge, seed: u64) -> Self {
        AlphaBeta {
            game,
            knowledge,
            memory: Memory::default(),
            table: ReplacingTable::new(0, 0, Growth::Written),
            history: vec![0; 1 << HISTORY_BITS],
            seed,
        }
    }

    /// A move in a position, or `None` if there is none. `points` are Left's points less Right's so far. `tables` and
    /// `store` must be the same for all moves of this player.
    pub fn choose(
        &mut self,
        board: &Key<N>,
        points: i64,
        who: Player,
        tables: &GameTables<N>,
        store: &Store,
        limits: &Limits,
    ) -> Option<Choice> {
        let clock = limits.start();
        let entries = (limits.bytes / size_of::<Option<(u64, Entry)>>() as u64).clamp(1 << 10, 1 << 20);
        // The greatest power of two that fits.
        self.table.resize(entries.ilog2());
        self.history.iter_mut().for_each(|count| *count /= 8);
        let budget = clock.budget();
        self.seed = self.seed.wrapping_add(1);
        let kernel = store.kernel(&budget);
        let mut search_state =
            SearchState::new(&self.game, self.knowledge, tables, kernel, &mut self.memory, self.seed);
        let root = Root::new(board, points, who, &mut search_state, &clock);
        if root.moves.is_empty() {
            return None;
        }
        let winners = root.solve(&mut search_state, &clock, ROOT_SHARE);
        let mut search = Search {
            search_state,
            table: &mut self.table,
            history: &mut self.history,
            killers: vec![[0; 2]; DEEPEST as usize + 2],
            clock: &clock,
            nodes: 0,
            work: 0,
        };
        let mut choice = search.root(&root, &winners);
        if choice.winner == Some(who.opponent())
            && let Some(hardest) = swindle::hardest(&root, &mut search.search_state, &clock)
        {
            choice.mv = hardest;
        }
        Some(choice)
    }
}

struct Search<'s, 'a, const N: usize> {
    search_state: SearchState<'a, N>,
    table: &'s mut ReplacingTable<u64, Entry>,
    history: &'s mut [u32],
    killers: Vec<[u64; 2]>,
    clock: &'s Clock,
    nodes: u64,
    /// Work since the last look at the clock.
    work: u64,
}

/// A move to be searched.
struct Candidate<const N: usize> {
    rank: i64,
    name: u64,
    key: u64,
    index: usize,
    state: Option<State<N>>,
}

impl<const N: usize> Search<'_, '_, N> {
    /// Deeper and deeper, until the winner is known or the clock runs out.
    fn root(&mut self, root: &Root<N>, winners: &[Option<Player>]) -> Choice {
        let mut order: Vec<usize> = (0..root.moves.len()).collect();
        let proven = |winner: Player| if winner == root.who { WIN - 1 } else { 1 - WIN };
        let choice = |best: usize, score: i32, depth: u32, nodes: u64, stopped: HaltReason| Choice {
            mv: root.moves[best].0,
            score,
            winner: (score.abs() > PROVEN).then(|| if score > 0 { root.who } else { root.who.opponent() }),
            depth,
            nodes,
            stopped,
        };
        if let Some(best) = winners.iter().position(|&winner| winner == Some(root.who)) {
            return choice(best, WIN - 1, 0, 0, HaltReason::Solved);
        }
        // Moves that lose are only made when all do.
        sort_by_key(&mut order, |&i| winners[i].is_some());
        if order.len() == 1 || winners.iter().all(Option::is_some) {
            let score = winners[order[0]].map_or(0, proven);
            return choice(order[0], score, 0, 0, HaltReason::Solved);
        }
        let (mut best, mut best_score, mut reached) = (order[0], 0, 0);
        for depth in 1..=DEEPEST {
            let mut alpha = -WIN;
            let mut leader = None;
            // The first move that was not searched because the clock ran out.
            let mut halted = None;
            for (n, &i) in order.iter().enumerate() {
                let score = match winners[i] {
                    Some(winner) => proven(winner),
                    None => {
                        let state = &root.moves[i].1;
                        let full = |search: &mut Self, alpha: i32| {
                            search.visit(state, root.who.opponent(), depth - 1, -WIN, -alpha, 1)
                        };
                        let found = if n == 0 {
                            full(self, alpha)
                        } else {
                            match self.visit(state, root.who.opponent(), depth - 1, -alpha - 1, -alpha, 1) {
                                Ok(score) if -score > alpha => full(self, alpha),
                                other => other,
                            }
                        };
                        match found {
                            Ok(score) => -score,
                            Err(OutOfTime) => {
                                halted = Some(i);
                                break;
                            }
                        }
                    }
                };
                if leader.is_none() || score > alpha {
                    alpha = score;
                    leader = Some(i);
                }
            }
            // The first move searched is the best of the last depth, so a new leader is an improvement.
            if let Some(leader) = leader {
                (best, best_score) = (leader, alpha);
                if let Some(place) = order.iter().position(|&i| i == leader) {
                    order[..=place].rotate_right(1);
                }
            }
            if let Some(unsearched) = halted {
                let reason = self.clock.expired(self.nodes).unwrap_or(HaltReason::Time);
                if leader.is_some() && alpha < -PROVEN {
                    // All moves searched so far lose, which says nothing about the others.
                    (best, best_score) = (unsearched, 0);
                }
                return choice(best, best_score, reached, self.nodes, reason);
            }
            reached = depth;
            if best_score.abs() > PROVEN {
                return choice(best, best_score, depth, self.nodes, HaltReason::Solved);
            }
        }
        choice(best, best_score, reached, self.nodes, HaltReason::Depth)
    }

    fn count(&mut self) -> Result<(), OutOfTime> {
        self.nodes += 1;
        if self.clock.counted_out(self.nodes) { Err(OutOfTime) } else { self.work(WORK_OF_A_NODE) }
    }

    /// Counts work, and looks at the clock when there was much of it.
    fn work(&mut self, amount: u64) -> Result<(), OutOfTime> {
        self.work += amount;
        if self.work < WORK_BETWEEN_LOOKS {
            return Ok(());
        }
        self.work = 0;
        if self.clock.expired(self.nodes).is_some() { Err(OutOfTime) } else { Ok(()) }
    }

    /// What an entry says about a window, if that is enough. Proven scores hold at every depth.
    fn settles(entry: &Entry, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        if u32::from(entry.depth) < depth && entry.score.abs() <= PROVEN {
            return None;
        }
        entry.bound.settles(&entry.score, &alpha, &beta).then_some(entry.score)
    }

    /// The score of a position for the player to move.
    fn visit(
        &mut self,
        state: &State<N>,
        who: Player,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> Result<i32, OutOfTime> {
        self.count()?;
        if let Some(result) = self.search_state.verdict(state, who) {
            return Ok(i32::from(result * won_by(who)) * (WIN - ply as i32));
        }
        if depth == 0 || ply >= DEEPEST {
            return Ok(self.search_state.static_eval(state, who) + TEMPO);
        }
        let key = self.search_state.key(state, who);
        let known = self.table.get(key).copied();
        if let Some(score) = known.and_then(|entry| Self::settles(&entry, depth, alpha, beta)) {
            return Ok(score);
        }
        if depth >= 2
            && self.search_state.knowledge().endgame
            && self.search_state.open_moves(state) <= LEAF_MOVES
            && let Some(result) = self.search_state.search(state, who, LEAF_NODES)
        {
            let score = i32::from(result * won_by(who)) * (WIN - ply as i32);
            self.table.set(key, Entry { best: 0, score, depth: DEEPEST as u8, bound: Bound::Exact });
            return Ok(score);
        }
        let mut steps = vec![];
        self.search_state.moves(state, who, &mut steps);
        if steps.is_empty() {
            // Only where points decide is there a game to play on: the mover passes.
            return self.visit(state, who.opponent(), depth - 1, -beta, -alpha, ply + 1).map(|score| -score);
        }
        self.work(steps.len() as u64)?;
        let best = known.map_or(0, |entry| entry.best);
        let mut candidates = self.candidates(state, who, &steps, best, depth, ply);
        if depth >= CUTOFF_DEPTH
            && let Some(score) = self.cutoff(state, who, &steps, &mut candidates, depth, beta)?
        {
            return Ok(score);
        }
        let best = best_of(&mut candidates, &alpha, &beta, |n, candidate, &alpha| {
            let next = candidate.state.take().unwrap_or_else(|| {
                let mut next = state.clone();
                self.search_state.play(&mut next, who, &steps[candidate.index]);
                next
            });
            self.follow(&next, who, depth, alpha, beta, ply, n)
        })?;
        let Some(Best { score, index, bound }) = best else { return Ok(-WIN) };
        let best = candidates[index].name;
        if bound == Bound::AtLeast {
            self.remember(best, depth, ply);
        }
        self.table.set(key, Entry { best, score, depth: depth.min(255) as u8, bound });
        Ok(score)
    }

    /// The score of the n-th move: late ones are first searched less deeply and with an empty window.
    #[allow(clippy::too_many_arguments)] // The window, and where in the tree we are.
    fn follow(
        &mut self,
        next: &State<N>,
        who: Player,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: u32,
        n: usize,
    ) -> Result<i32, OutOfTime> {
        let opponent = who.opponent();
        if n > 0 {
            let reduction = match n {
                _ if depth < 3 || n < FULL_MOVES => 0,
                n if n < 4 * FULL_MOVES => 1,
                _ => 2,
            };
            let less = (depth - 1).saturating_sub(reduction);
            let score = -self.visit(next, opponent, less, -alpha - 1, -alpha, ply + 1)?;
            // A proven loss is one at any depth.
            if score <= alpha || (reduction == 0 && score >= beta) {
                return Ok(score);
            }
        }
        Ok(-self.visit(next, opponent, depth - 1, -beta, -alpha, ply + 1)?)
    }

    fn candidates(
        &self,
        state: &State<N>,
        who: Player,
        steps: &[Step],
        best: u64,
        depth: u32,
        ply: u32,
    ) -> Vec<Candidate<N>> {
        let killers = self.killers[ply as usize];
        let rank = |name: u64, step: &Step| {
            if name == best {
                return i64::MAX;
            }
            if killers.contains(&name) {
                return i64::MAX / 2;
            }
            let history = self.history[name as usize & (self.history.len() - 1)];
            // Just above the leaves a look at the move costs more than the search of it.
            let order_score = if depth > 1 { self.search_state.order_score(state, who, step) } else { 0 };
            i64::from(history) + 16 * i64::from(order_score)
        };
        let mut all: Vec<_> = steps
            .iter()
            .enumerate()
            .map(|(index, step)| {
                let name = self.search_state.step_key(state, step);
                Candidate { rank: rank(name, step), name, key: 0, index, state: None }
            })
            .collect();
        sort_by_key(&mut all, |candidate| Reverse(candidate.rank));
        all
    }

    /// Makes all moves, and looks whether the table knows that one of them is good enough.
    fn cutoff(
        &mut self,
        state: &State<N>,
        who: Player,
        steps: &[Step],
        candidates: &mut [Candidate<N>],
        depth: u32,
        beta: i32,
    ) -> Result<Option<i32>, OutOfTime> {
        for candidate in candidates {
            self.work(1)?;
            let mut next = state.clone();
            self.search_state.play(&mut next, who, &steps[candidate.index]);
            candidate.key = self.search_state.key(&next, who.opponent());
            let entry = self.table.get(candidate.key).copied();
            candidate.state = Some(next);
            if let Some(score) = entry.and_then(|entry| Self::settles(&entry, depth - 1, -beta, 1 - beta))
                && -score >= beta
            {
                return Ok(Some(-score));
            }
        }
        Ok(None)
    }

    /// A move was good enough: try it early elsewhere.
    fn remember(&mut self, name: u64, depth: u32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != name {
            *killers = [name, killers[0]];
        }
        let place = name as usize & (self.history.len() - 1);
        self.history[place] += depth * depth;
        if self.history[place] > 1 << 16 {
            self.history.iter_mut().for_each(|count| *count /= 2);
        }
    }
}
