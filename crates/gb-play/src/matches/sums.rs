//! Matches between strategies for sums.

use std::time::Duration;

use gb_board::sort_by_key;
use gb_search::pool::Pool;
use gb_value::clock::Instant;
use gb_value::{Budget, Cancel, Dyadic, Player, Store};

use super::{Pairing, Record, StartError, Starts};
use crate::strategy::{Plan, StrategyContext, StrategyError, choose};
use crate::sum::Sum;

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

/// Why a match cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SumMatchError {
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
) -> Result<Record, SumMatchError> {
    let (store, unlimited) = (Store::new(), Budget::unlimited());
    let (mut pool, mut sum) = starts
        .start(pairing.start, &store, &unlimited)
        .map_err(|problem| SumMatchError::Start { number: pairing.start, problem })?;
    let parts = sum.components.len();
    let mut players = setup.plans.map(|plan| plan.begin(setup.entries));
    let (mut who, mut moves, mut micros) = (pairing.first, 0, [0; 2]);
    while let Some(mover) = next_mover(&sum, who, &mut pool) {
        if cancel.is_cancelled() {
            return Err(SumMatchError::Cancelled);
        }
        let strategy = pairing.on_side(mover);
        let budget = setup.budget(cancel);
        let kernel = store.kernel(&budget);
        let clock = Instant::now();
        let mut context = StrategyContext { pool: &mut pool, kernel: &kernel };
        let decision = choose(&mut *players[strategy], &sum, mover, &mut context)
            .map_err(|error| SumMatchError::Strategy { strategy: setup.plans[strategy].name(), error })?;
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
    let mut can_move = |who| sum.components.iter().any(|&local| !pool.moves(local, who).is_empty());
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
) -> Result<Vec<Record>, SumMatchError> {
    let play = |pairing| play(setup, starts, pairing, cancel).map(Some);
    let mut records = super::run(pairings, threads, play, told, |_| false)?;
    sort_by_key(&mut records, |record| {
        let Pairing { start, left, first } = record.pairing;
        (start, first, left)
    });
    Ok(records)
}
