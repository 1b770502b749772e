//! Certificates: what was found, with the reasons, so that others can check it without our search.
//!
//! A certificate is a text, one fact a line, in an order in which each follows from those before it (docs/proofs.md has the
//! format). There are two kinds of facts about boards: the value of a part, which follows from the values of all its options, and
//! that a player who moves first in a sum loses it, which follows from a reply to every one of his moves. [`prove`] asks the search which
//! replies are good and writes them down; [`check`] knows moves, how boards fall apart, and how to compare two values, and searches
//! nothing. `checker/check.py` is a second checker that shares no code with this one.

mod boards;
mod certificate;
mod check;
mod facts;
mod ledger;
mod prove;
mod replay;
mod spill;

pub use certificate::{Claim, ProofError};
pub use check::{Checked, OpenHead, check, read};
pub use prove::{ProofContext, Proved, Sizes, Want, prove};
pub use replay::{Answer, Reason, Replay};
pub use spill::{Scratch, TemporaryFileError};
