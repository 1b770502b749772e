//! Whole boards solved soundly.
//!
//! Pawns never go back. So all placements of the kings around pawns that stand still are one *layer*, and what happens when a
//! pawn moves or something is taken is known from other layers. Inside a layer positions repeat, and retrograde analysis
//! settles that: whoever can go round for ever is not lost ([`fixpoint`]). After a promotion a layer has a piece as well. A
//! layer is solved with bounds for whatever was not looked at, so that its results are true at any time ([`cell`]), and
//! [`search`] decides what to look at next. Two pieces are known without pawns only ([`duel`]).

mod bits;
mod book;
mod cache;
mod cell;
mod duel;
mod fixpoint;
mod ground;
mod layer;
mod line;
mod packed;
mod prove;
mod search;
mod spot;
mod squares;
mod structure;
#[cfg(test)]
mod tests;

pub use cache::CacheError;
pub(crate) use prove::Workshop;
pub use prove::{Choice, Ending, Proof, Tables, prove};
pub(crate) use spot::{after, moves};
pub use squares::{Label, Squares};
