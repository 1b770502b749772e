//! Players: from the opening, where values are out of reach, to the end, where they decide.
//!
//! Two searches, Monte-Carlo tree search ([`mcts`]) and alpha-beta ([`alphabeta`]), walk through the same [`World`]: a
//! position of any game, as one board or as the sum of its parts. What combinatorial game theory knows about the parts is
//! switched on and off by [`Knowledge`], so that experiments can tell what each piece of it is worth. After Claessen,
//! *Combinatorial Game Theory in Clobber* (2011), chapters 5 to 7.

pub mod alphabeta;
pub mod arena;
mod contest;
mod facts;
pub mod gtp;
mod knowledge;
mod limits;
pub mod mcts;
mod player;
mod playout;
mod resist;
mod root;
mod sheet;
mod sprt;
pub mod strategy;
pub mod sum;
mod thrift;
mod world;

pub use contest::{Contest, House, Played, Tally};
pub use knowledge::{Knowledge, KnowledgeError, SWITCHES, Simplify};
pub use limits::{Clock, Limits, StopReason, Timing};
pub use player::{Chosen, ENGINES, Engine, PlayError, Player, Spec, SpecError, is_player, player};
pub use sheet::{OpenPosition, Sheet, Standing};
pub use sprt::{Sprt, Verdict};
pub use world::{Memory, State, Step, World};
