//! How the time and the memory for one question are shared.

use std::time::Duration;

use gb_value::{Budget, Cancel};

/// Which share of time and memory goes into finding values, if there is a limit, and which share of the time into who wins,
/// and into bounds, where there are none.
const SHARE_OF_VALUES: f64 = 0.75;
const SHARE_OF_THE_REST: f64 = 0.2;
/// Time for that where only memory or nodes are limited.
const TIME_FOR_THE_REST: Duration = Duration::from_secs(5);

/// What may be spent on one question.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// All of the time.
    pub time: Option<Duration>,
    /// All of the memory.
    pub bytes: u64,
    /// Nodes for values.
    pub nodes: Option<u64>,
    /// Ends everything.
    pub cancel: Cancel,
}

impl Allowance {
    /// The budget for values. To be called by the thread that searches: from now on time counts, and memory is charged to
    /// that thread.
    pub fn values(&self) -> Budget {
        // What was found is kept, so the rest needs memory of its own.
        let bytes = (self.bytes as f64 * SHARE_OF_VALUES) as u64;
        let mut budget = Budget::unlimited().with_bytes(bytes).with_cancel(self.cancel.clone());
        if let Some(time) = self.time {
            budget = budget.with_time(time.mul_f64(SHARE_OF_VALUES));
        }
        match self.nodes {
            Some(nodes) => budget.with_nodes(nodes),
            None => budget,
        }
    }

    /// The budget for what comes after them, made when the values are there or not there.
    pub fn rest(&self) -> Budget {
        let time = self.time.map_or(TIME_FOR_THE_REST, |time| time.mul_f64(SHARE_OF_THE_REST));
        Budget::unlimited().with_bytes(self.bytes).with_time(time).with_cancel(self.cancel.clone())
    }
}
