//! What a game is, and how it splits: the game kernel of the Game Bench.
//!
//! [`Rules`] is the trait that every game implements, with what it knows besides in the traits of [`capability`]. [`DynGame`] is
//! the one interface behind which all of them stand, for the engine and for front ends alike: positions are [`Key`]s there.
//! [`AnyGame`] is a game of any width of keys, [`Position`] a position of one. [`GameName`] reads names with parameters and
//! variants, such as `octal(0.77)` and `impartial(nogo)`. [`conformance`] is the test that every game must pass.

mod any;
pub mod capability;
pub mod conformance;
mod dynamic;
mod features;
pub mod grid;
mod key;
mod name;
mod position;
mod rules;
mod tabulated;
mod union;
mod variant;

pub use any::{AnyGame, Keyed, WIDEST};
pub use capability::{
    Capabilities, GlobalWins, Heuristics, ImpartialForm, Notation, OwnImpartialForm, Sampling, Scoring,
    Tabulation, Theorems,
};
pub use dynamic::{
    Coded, DynGame, EmitMove, ExpandedOption, Expansion, Game, Inspection, Normal, Piece, Successor, Walk,
    WalkLimits, direct, interned,
};
pub use features::{BoundFeatures, COUNTS, StaticResult};
pub use gb_value::Player;
pub use key::{Coding, Direct, Interned, Key, MoveCode, MoveKey};
pub use name::{Arguments, GameName, NameError, OpenError, Variant, variants};
pub use position::{Choice, Made, MoveError, Position};
pub use rules::{Bridge, GridTraits, Info, Rules, Sign, StoneMove};
pub use tabulated::{Coming, ComingRule, Filling, Tabulated};
pub use union::UnionGame;
pub use variant::NoMisere;
