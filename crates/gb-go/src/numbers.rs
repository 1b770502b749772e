//! Proof and disproof numbers of depth-first proof-number search: what the search for life and that for scores share.

use gb_value::Halt;

pub(crate) const INFINITE: u32 = 1 << 30;

/// How much is left to do to prove, to refute something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) refutation: u32,
}

pub(crate) const PROVEN: Numbers = Numbers { proof: 0, refutation: INFINITE };
pub(crate) const REFUTED: Numbers = Numbers { proof: INFINITE, refutation: 0 };

impl Numbers {
    /// Of several positions all of which have to be proven.
    pub(crate) fn and(self, other: Numbers) -> Numbers {
        Numbers {
            proof: self.proof.saturating_add(other.proof).min(INFINITE),
            refutation: self.refutation.min(other.refutation),
        }
    }
}

/// Why a search did not go on: its own nodes were used up, or the budget of all.
pub(crate) enum Interrupted {
    Nodes,
    Halted(Halt),
}
