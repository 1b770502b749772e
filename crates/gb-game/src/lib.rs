//! What a game is, and how it splits: the game kernel of the Game Bench.
//!
//! [`Rules`] is the trait that every game implements. [`GameName`] reads names with parameters and variants, such as
//! `octal(0.77)` and `impartial(nogo)`. [`erased`] is the view of front ends, who see texts, gestures and scenes and no
//! types. [`conformance`] is the test that every game must pass.

pub mod boxed;
mod chances;
pub mod conformance;
pub mod erased;
pub mod mixed;
mod name;
mod rules;
pub mod variant;

pub use chances::{COUNTS, Chances, Verdict};
pub use gb_value::Player;
pub use name::{Arguments, GameName, NameError, Variant};
pub use rules::{Bridge, GridTraits, Info, Rules, Sign};

/// Something to do with the rules of a game that is only known by name: the way from a name to a typed call.
pub trait GameVisitor {
    /// What comes of it.
    type Out;
    /// Does it.
    fn visit<R: Rules>(self, rules: R) -> Self::Out;
}
