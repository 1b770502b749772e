//! Ways of playing that several games share.

pub(crate) mod colouring;
pub(crate) mod heaps;
