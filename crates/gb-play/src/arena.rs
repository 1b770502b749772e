//! Strategies against each other: many games, on several threads, from positions that follow from seeds, so that a match can
//! be stopped and gone on with.

mod starts;
mod summary;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use gb_search::pool::Pool;
use gb_value::{Budget, Cancel, Dyadic, Player, Store};

use crate::strategy::{Plan, StrategyContext, StrategyError, choose};
use crate::sum::Sum;

pub use starts::{BoardStarts, HotSums, StartError, Starts, cut_grid};
pub use summary::{CSV_HEADER, Interval, Paired, RecordError, Summary};

/// Who plays, and with what.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The two strategies, A and B.
    pub plans: [Plan; 2],
    /// How many entries the tables of each may have.
    pub entries: usize,
    /// Limit on the nodes of each move.
    pub nodes_per_move: Option<u64>,
    /// Limit on the time of each move.
    pub time_per_move: Option<Duration>,
}

impl Setup {
    /// Two strategies with tables of the usual size and without limits.
    pub fn new(a: Plan, b: Plan) -> Setup {
        Setup { plans: [a, b], entries: 1 << 20, nodes_per_move: None, time_per_move: None }
    }

    fn budget(&self, cancel: &Cancel) -> Budget {
        let mut budget = Budget::unlimited().with_cancel(cancel.clone());
        if let Some(nodes) = self.nodes_per_move {
            budget = budget.with_nodes(nodes);
        }
        if let Some(time) = self.time_per_move {
            budget = budget.with_time(time);
        }
        budget
    }
}

/// One game of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pairing {
    /// The number of the starting position.
    pub start: u64,
    /// Which strategy plays Left: 0 for A, 1 for B.
    pub left: usize,
    /// Who moves first.
    pub first: Player,
}

impl Pairing {
    /// The games from the positions `0..starts`: each strategy once as Left who moves first, and, if `both_begin`, once as
    /// Left while Right moves first.
    pub fn all(starts: u64, both_begin: bool) -> Vec<Pairing> {
        let firsts: &[Player] = if both_begin { &Player::BOTH } else { &[Player::Left] };
        let mut all = vec![];
        for start in 0..starts {
            for &first in firsts {
                all.extend([0, 1].map(|left| Pairing { start, left, first }));
            }
        }
        all
    }

    /// Which strategy moves first.
    pub fn begins(&self) -> usize {
        if self.first == Player::Left { self.left } else { 1 - self.left }
    }
}

/// How a game went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Which game it was.
    pub pairing: Pairing,
    /// How many local games there were at the start.
    pub parts: usize,
    /// Left's points less Right's; 1 or -1 where the last mover wins.
    pub score: Dyadic,
    /// How many moves were made.
    pub moves: u32,
    /// Positions that A and B have looked at.
    pub nodes: [u64; 2],
    /// Microseconds that A and B have thought.
    pub micros: [u64; 2],
}

impl Record {
    /// The score from the side of A (0) or B (1).
    pub fn score_of(&self, strategy: usize) -> Dyadic {
        if self.pairing.left == strategy { self.score.clone() } else { -&self.score }
    }
}

/// Why a match cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArenaError {
    /// There is no such starting position.
    #[error("starting position {number}: {problem}")]
    Start {
        /// Its number.
        number: u64,
        /// What is wrong with it.
        problem: StartError,
    },
    /// A strategy makes no move.
    #[error("{strategy}: {error}")]
    Strategy {
        /// Which one.
        strategy: String,
        /// Why.
        error: StrategyError,
    },
    /// Somebody cancelled.
    #[error("the match was stopped")]
    Cancelled,
}

/// Plays one game.
///
/// # Errors
/// If the position cannot be set up, or a strategy does not fit it.
pub fn play(
    setup: &Setup,
    starts: &dyn Starts,
    pairing: Pairing,
    cancel: &Cancel,
) -> Result<Record, ArenaError> {
    let (store, unlimited) = (Store::new(), Budget::unlimited());
    let (mut pool, mut sum) = starts
        .start(pairing.start, &store, &unlimited)
        .map_err(|problem| ArenaError::Start { number: pairing.start, problem })?;
    let parts = sum.locals.len();
    let mut players = setup.plans.map(|plan| plan.begin(setup.entries));
    let (mut who, mut moves, mut micros) = (pairing.first, 0, [0; 2]);
    while let Some(mover) = next_mover(&sum, who, &mut pool) {
        if cancel.is_cancelled() {
            return Err(ArenaError::Cancelled);
        }
        let strategy = if mover == Player::Left { pairing.left } else { 1 - pairing.left };
        let budget = setup.budget(cancel);
        let kernel = store.kernel(&budget);
        let clock = Instant::now();
        let mut context = StrategyContext { pool: &mut pool, kernel: &kernel };
        let decision = choose(&mut *players[strategy], &sum, mover, &mut context)
            .map_err(|error| ArenaError::Strategy { strategy: setup.plans[strategy].name(), error })?;
        micros[strategy] += clock.elapsed().as_micros() as u64;
        sum.play(decision.at, mover, &mut pool);
        who = mover.opponent();
        moves += 1;
    }
    let score = match pool.ends_in_score() {
        true => sum.score,
        // Whoever is to move has lost.
        false => Dyadic::integer(if who == Player::Left { -1 } else { 1 }),
    };
    let nodes = [players[0].nodes(), players[1].nodes()];
    Ok(Record { pairing, parts, score, moves, nodes, micros })
}

/// Who makes the next move: the player to move if there is one. Where points decide, who cannot move passes.
fn next_mover(sum: &Sum, who: Player, pool: &mut Pool<'_>) -> Option<Player> {
    let mut can_move = |who| sum.locals.iter().any(|&local| !pool.moves(local, who).is_empty());
    if can_move(who) {
        return Some(who);
    }
    let passes = can_move(who.opponent()) && pool.ends_in_score();
    passes.then_some(who.opponent())
}

/// Plays games on several threads. `told` hears of each one as it ends, so that it can be written down; games that are
/// written down need not be in `pairings` when the match goes on.
///
/// # Errors
/// The first problem that any game has met. What was told of before stays true.
pub fn run(
    setup: &Setup,
    starts: &dyn Starts,
    pairings: &[Pairing],
    threads: usize,
    cancel: &Cancel,
    told: &(dyn Fn(&Record) + Sync),
) -> Result<Vec<Record>, ArenaError> {
    let next = AtomicUsize::new(0);
    let records = Mutex::new(vec![]);
    let problem = Mutex::new(None);
    let lock = |m: &Mutex<Option<ArenaError>>| m.lock().unwrap_or_else(|e| e.into_inner()).clone();
    let work = || {
        while lock(&problem).is_none() {
            let Some(&pairing) = pairings.get(next.fetch_add(1, Relaxed)) else { return };
            match play(setup, starts, pairing, cancel) {
                Ok(record) => {
                    told(&record);
                    records.lock().unwrap_or_else(|e| e.into_inner()).push(record);
                }
                Err(error) => {
                    problem.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(pairings.len()) {
            scope.spawn(work);
        }
        work();
    });
    if let Some(problem) = lock(&problem) {
        return Err(problem);
    }
    let mut records = records.into_inner().unwrap_or_else(|e| e.into_inner());
    records.sort_by_key(|record| {
        let Pairing { start, left, first } = record.pairing;
        (start, first, left)
    });
    Ok(records)
}
