//! Changes of the rules that fit every game, as wrappers.

mod impartial;
mod negative;

pub use impartial::Impartial;
pub use negative::Negative;
