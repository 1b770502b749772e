//! Ways of playing that several games share.

pub(crate) mod cakes;
pub(crate) mod colouring;
pub(crate) mod heaps;
pub(crate) mod strip;
