//! What the threads of one search share besides their table.

use std::sync::atomic::Ordering::Relaxed;

use gb_value::{Halt, Words};

use super::key::SumKey;

/// Why a thread leaves a sum without an answer of its own.
pub(super) enum Leave {
    Halted(Halt),
    /// Another thread has the answer to the whole question.
    Over,
    /// Another thread has found who wins the sum at this depth of the path.
    Solved {
        depth: usize,
        wins: bool,
    },
    /// The search is large enough for more threads.
    MoreThreads,
    /// So many nodes were searched that something else is tried first.
    Limit,
}

impl From<Halt> for Leave {
    fn from(stop: Halt) -> Leave {
        Leave::Halted(stop)
    }
}

const PLACES: usize = 1 << 14;

/// The sums that threads are working on, so that others do something else first (J.-C. Weill, The ABDADA distributed
/// minimax-search algorithm, 1996). A place holds one sum: who comes later takes it, so that some are missed, which costs time and no more.
pub(in crate::question) struct Busy(Words);

impl Busy {
    pub(in crate::question) fn new() -> Busy {
        Busy(Words::new(PLACES))
    }

    #[inline]
    fn place(key: SumKey) -> usize {
        (key >> 64) as usize % PLACES
    }

    #[inline]
    pub(in crate::question) fn enter(&self, key: SumKey) {
        self.0[Self::place(key)].store(key as u64, Relaxed);
    }

    #[inline]
    pub(in crate::question) fn leave(&self, key: SumKey) {
        if self.is_at(key) {
            self.0[Self::place(key)].store(0, Relaxed);
        }
    }

    #[inline]
    pub(in crate::question) fn is_at(&self, key: SumKey) -> bool {
        self.0[Self::place(key)].load(Relaxed) == key as u64
    }
}
