//! Ways of playing that several games share.

pub mod cakes;
pub mod colouring;
pub mod heaps;
pub(crate) mod nim_sequence;
pub(crate) mod ring;
pub mod strip;
