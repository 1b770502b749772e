//! How long a player may think.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::ThreadId;
use std::time::Duration;

use gb_value::clock::Instant;
use gb_value::{Budget, Cancel};

/// Which time is meant by a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Timing {
    /// That of the clock on the wall.
    #[default]
    Wall,
    /// Processor time of the thread that thinks, so that a match does not depend on what else the machine is doing. Where
    /// the system does not tell it (it does on Linux), time of the wall.
    Processor,
}

/// Limits for one move.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time.
    pub time: Option<Duration>,
    /// Which time.
    pub timing: Timing,
    /// Playouts of Monte-Carlo tree search, positions of alpha-beta.
    pub nodes: Option<u64>,
    /// Bytes of the tree or table of the player, without values and facts about parts.
    pub bytes: u64,
    /// Threads.
    pub threads: usize,
    /// Ends the thinking; the best move so far is made.
    pub cancel: Cancel,
}

impl Default for Limits {
    /// One second on one thread with 256 MB.
    fn default() -> Limits {
        Limits {
            time: Some(Duration::from_secs(1)),
            timing: Timing::Wall,
            nodes: None,
            bytes: 256 << 20,
            threads: 1,
            cancel: Cancel::default(),
        }
    }
}

impl Limits {
    /// A number of playouts or positions, however long they take.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { time: None, nodes: Some(nodes), ..Limits::default() }
    }

    /// A time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Starts the clock.
    pub fn start(&self) -> Clock {
        Clock {
            end: self.time.and_then(|time| End::after(time, self.timing)),
            nodes: self.nodes.unwrap_or(u64::MAX),
            cancel: self.cancel.clone(),
            started: Instant::now(),
            not_before: AtomicU64::new(0),
        }
    }
}

/// Why a player stopped thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HaltReason {
    /// It is known who wins, or there was nothing to choose.
    Solved,
    /// The time was up.
    Time,
    /// The number of playouts or positions was reached.
    Nodes,
    /// Somebody cancelled.
    Cancelled,
    /// All depths that make sense were searched.
    Depth,
}

/// When time is up.
#[derive(Clone, Copy, Debug)]
enum End {
    Wall(Instant),
    /// Of this thread's processor time; other threads do not look at it.
    Processor(ThreadId, Duration),
}

impl End {
    fn after(time: Duration, timing: Timing) -> Option<End> {
        match (timing, processor_time()) {
            (Timing::Processor, Some(now)) => Some(End::Processor(std::thread::current().id(), now + time)),
            _ => Instant::now().checked_add(time).map(End::Wall),
        }
    }

    fn left(self) -> Duration {
        match self {
            End::Wall(end) => end.saturating_duration_since(Instant::now()),
            End::Processor(thread, end) if thread == std::thread::current().id() => {
                end.saturating_sub(processor_time().unwrap_or(end))
            }
            End::Processor(..) => Duration::MAX,
        }
    }
}

/// The processor time of this thread, where the system tells it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// A clock that runs while a player thinks.
#[derive(Debug)]
pub struct Clock {
    end: Option<End>,
    nodes: u64,
    cancel: Cancel,
    started: Instant,
    /// Nanoseconds after the start before which time cannot be up: no thread uses more time than passes on the wall. Asking
    /// the system for processor time takes as long as several playouts.
    not_before: AtomicU64,
}

impl Clock {
    /// Why to stop after so many nodes, if that is so.
    pub fn expired(&self, nodes: u64) -> Option<HaltReason> {
        if nodes >= self.nodes {
            Some(HaltReason::Nodes)
        } else if self.cancel.is_cancelled() {
            Some(HaltReason::Cancelled)
        } else if self.is_up() {
            Some(HaltReason::Time)
        } else {
            None
        }
    }

    fn is_up(&self) -> bool {
        let Some(end) = self.end else { return false };
        let now = self.started.elapsed();
        if now < Duration::from_nanos(self.not_before.load(Relaxed)) {
            return false;
        }
        let left = end.left();
        if let Ok(next) = u64::try_from(now.saturating_add(left).as_nanos()) {
            self.not_before.store(next, Relaxed);
        }
        left.is_zero()
    }

    /// As [`expired`](Clock::expired), where only the number of nodes is looked at.
    pub fn counted_out(&self, nodes: u64) -> bool {
        nodes >= self.nodes
    }

    /// A budget for everything that is done on this clock.
    pub fn budget(&self) -> Budget {
        let budget = Budget::unlimited().with_cancel(self.cancel.clone());
        match (self.left(), self.end) {
            (Some(left), Some(End::Wall(_))) => budget.with_time(left),
            // A budget knows time of the wall only; so much that it hardly ever comes first.
            (Some(left), _) => budget.with_time(left.saturating_mul(50)),
            (None, _) => budget,
        }
    }

    /// The time that is left, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        self.end.map(End::left)
    }

    /// The limit on nodes, if there is one.
    pub fn max_nodes(&self) -> Option<u64> {
        (self.nodes != u64::MAX).then_some(self.nodes)
    }

    /// The flag that ends it.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}
