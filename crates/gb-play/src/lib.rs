//! Players: from the opening, where values are out of reach, to the end, where they decide.
//!
//! Two searches, Monte-Carlo tree search ([`mcts`]) and alpha-beta ([`alphabeta`]), walk through the same [`SearchState`]: a
//! position of any game, as one board or as the sum of its parts. What combinatorial game theory knows about the parts is
//! switched on and off by [`Knowledge`], so that experiments can tell what each piece of it is worth. After Claessen,
//! *Combinatorial Game Theory in Clobber* (2011), chapters 5 to 7.

pub mod alphabeta;
mod facts;
pub mod gtp;
mod knowledge;
mod limits;
pub mod matches;
pub mod mcts;
mod player;
mod playout;
mod root;
mod search_state;
pub mod strategy;
pub mod sum;
mod swindle;
mod value_time;

pub use knowledge::{Knowledge, KnowledgeError, SWITCHES, Simplify};
pub use limits::{Clock, HaltReason, Limits, Timing};
pub use matches::PlayerCatalog;
pub use player::{Chosen, PLAYER_KINDS, PlayError, Player, PlayerKind, Spec, SpecError, is_player, player};
pub use search_state::{Memory, SearchState, State, Step};
