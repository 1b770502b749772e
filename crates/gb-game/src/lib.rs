//! What a game is, and how it splits: the game kernel of the Game Bench.
//!
//! [`Rules`] is the trait that every game implements. [`GameName`] reads names with parameters and variants, such as
//! `octal(0.77)` and `impartial(nogo)`. [`erased`] is the view of front ends, who see texts, gestures and scenes and no
//! types. [`conformance`] is the test that every game must pass.

mod any;
mod chances;
pub mod conformance;
mod dynamic;
pub mod erased;
mod key;
pub mod mixed;
mod name;
mod rules;
mod through;
pub mod variant;

pub use any::{AnyGame, Keyed, WIDEST};
pub use chances::{COUNTS, Chances, Verdict};
pub use dynamic::{
    Coded, DynGame, EmitMove, ExpandedOption, Expansion, Game, Normal, Piece, Successor, Walk, WalkLimits,
    direct, interned,
};
pub use gb_value::Player;
pub use key::{Coding, Direct, Interned, Key, MoveCode, MoveKey};
pub use name::{Arguments, GameName, NameError, Variant};
pub use rules::{Bridge, GridTraits, Info, Rules, Sign};

/// Something to do with a game of any width.
pub trait GameVisitor {
    /// What comes of it.
    type Out;
    /// Does it.
    fn visit<const N: usize>(self, game: Game<N>) -> Self::Out;
}
