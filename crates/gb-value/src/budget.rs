//! Limits go in, and a reason for stopping comes out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use gb_memory::Account;

use crate::clock::Instant;

/// Why an operation ended without a result. Everything that was computed before stays valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Halt {
    /// The limit on nodes (positions searched, values built) was reached.
    #[error("stopped: the limit of nodes was reached")]
    Nodes,
    /// The limit on memory was reached.
    #[error("stopped: the memory limit was reached")]
    Bytes,
    /// The time was up.
    #[error("stopped: the time limit was reached")]
    Time,
    /// Somebody cancelled.
    #[error("stopped: cancelled")]
    Cancelled,
    /// Something outgrew what can be represented.
    #[error("too large: {0}")]
    TooLarge(Limit),
    /// The result would be a loopy game that is no stopper, such as on + off.
    #[error("the result is not a stopper: on and off meet in it, as in on + off = dud")]
    Loopy,
    /// A position of mutual zugzwang can be reached in a game that ends in a score: no value has its scores.
    #[error("no value: a mutual zugzwang can be reached, and no combinatorial game has its scores")]
    Zugzwang,
    /// Who cannot move wins, so that positions have no values that add up.
    #[error("no value: who cannot move wins here, and in misère play positions have outcomes only")]
    Misere,
    /// A position can be repeated, so that its value is not found by going through its options.
    #[error("loopy: a position can repeat, and the value is not found by plain search")]
    Repetition,
}

/// What there can be too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Limit {
    /// The denominator or the size of a number.
    #[error("a number needs more than a million binary digits")]
    Number,
    /// A multiple of up.
    #[error("a multiple of ^ does not fit into 64 bits")]
    Ups,
    /// A list of options.
    #[error("a game has more than 65535 options for one player")]
    Options,
    /// A game that would have to be written out move by move.
    #[error(
        "a multiple of ^, a nimber, a denominator or an integer is too long to be played through move by move"
    )]
    Moves,
    /// Everything together.
    #[error("a store holds at most two thousand million values")]
    Values,
}

/// A flag that stops all work under the budgets it was given to.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops the work.
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether [`cancel`](Cancel::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// How much may be spent: nodes, bytes, time. Shared by all threads that work on one question.
#[derive(Debug)]
pub struct Budget {
    max_nodes: u64,
    max_bytes: u64,
    deadline: Option<Instant>,
    cancel: Cancel,
    account: Account,
    nodes: AtomicU64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget::unlimited()
    }
}

impl Budget {
    /// No limits at all. Memory is that of the account which this thread works for (see [`gb_memory`]).
    pub fn unlimited() -> Budget {
        Budget {
            max_nodes: u64::MAX,
            max_bytes: u64::MAX,
            deadline: None,
            cancel: Cancel::default(),
            account: Account::current(),
            nodes: AtomicU64::new(0),
        }
    }

    /// Limits the number of nodes: positions searched and values built.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Budget {
        self.max_nodes = nodes;
        self
    }

    /// Limits the bytes held: all that the account holds, or in a program whose allocator keeps no accounts those of the
    /// store and the tables used with it.
    #[must_use]
    pub fn with_bytes(mut self, bytes: u64) -> Budget {
        self.max_bytes = bytes;
        self
    }

    /// Limits the time, counted from now.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Budget {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Stops when `cancel` says so.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Budget {
        self.cancel = cancel;
        self
    }

    /// A budget for a part of the work: at most so many nodes, and otherwise the limits of this one. What it spends has
    /// to be [`spend`](Budget::spend)-ed here as well.
    #[must_use]
    pub fn part(&self, nodes: u64) -> Budget {
        let left = self.max_nodes.saturating_sub(self.nodes());
        Budget {
            max_nodes: nodes.min(left),
            max_bytes: self.max_bytes,
            deadline: self.deadline,
            cancel: self.cancel.clone(),
            account: self.account,
            nodes: AtomicU64::new(0),
        }
    }

    /// As [`part`](Budget::part), for at most this time from now on.
    #[must_use]
    pub fn part_of_time(&self, time: Duration) -> Budget {
        let until = Instant::now().checked_add(time);
        let deadline = self.deadline.into_iter().chain(until).min();
        Budget { deadline, ..self.part(u64::MAX) }
    }

    /// Nodes spent so far (threads report in batches, so this lags a little behind).
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The limit on bytes.
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Whose memory is counted.
    pub fn account(&self) -> Account {
        self.account
    }

    /// Whether so many bytes more may be held: to be asked before a large table is made or doubled, for afterwards it is too
    /// late.
    pub fn has_room(&self, bytes: u64) -> bool {
        self.account.bytes().saturating_add(bytes) <= self.max_bytes
    }

    /// As [`has_room`](Budget::has_room), for those who cannot do with less.
    pub fn room(&self, bytes: u64) -> Result<(), Halt> {
        if self.has_room(bytes) { Ok(()) } else { Err(Halt::Bytes) }
    }

    /// When time is up, if it ever is.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The flag that cancels work under this budget.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Adds `nodes` to what was spent and compares everything with its limit. `bytes` are those the caller knows of.
    pub fn spend(&self, nodes: u64, bytes: u64) -> Result<(), Halt> {
        let spent = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        if self.cancel.is_cancelled() {
            Err(Halt::Cancelled)
        } else if spent > self.max_nodes {
            Err(Halt::Nodes)
        } else if self.max_bytes < u64::MAX && bytes.max(self.account.bytes()) > self.max_bytes {
            Err(Halt::Bytes)
        } else if self.deadline.is_some_and(|at| Instant::now() >= at) {
            Err(Halt::Time)
        } else {
            Ok(())
        }
    }

    /// How often a worker has to ask, in units of work: rarely, but more often than a small limit.
    pub(crate) fn batch(&self) -> u32 {
        (self.max_nodes / 4).clamp(1, 128) as u32
    }
}
