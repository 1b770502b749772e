//! Players: from the opening, where values are out of reach, to the end, where they decide.
//!
//! Two searches, Monte-Carlo tree search ([`mcts`]) and alpha-beta ([`alphabeta`]), walk through the same [`World`]: a
//! position of any game, as one board or as the sum of its parts. What combinatorial game theory knows about the parts is
//! switched on and off by [`Knowledge`], so that experiments can tell what each piece of it is worth. After Claessen,
//! *Combinatorial Game Theory in Clobber* (2011), chapters 5 to 7.

pub mod alphabeta;
mod facts;
mod knowledge;
mod limits;
pub mod mcts;
mod root;
mod world;

pub use knowledge::{Knowledge, Simplify};
pub use limits::{Clock, Limits, StopReason};
pub use world::{Memory, State, Step, World};
