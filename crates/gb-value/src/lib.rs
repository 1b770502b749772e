//! Exact values of combinatorial games: the CGT kernel of the Game Bench.

mod arena;
mod budget;
mod cache;
mod canonical;
mod dyadic;
mod fingerprint;
mod kernel;
pub mod loopy;
mod memo;
mod named;
mod options;
mod order;
mod player;
mod stopkey;
mod store;
mod sum;
pub mod text;
mod thermograph;
mod value;

pub use budget::{Budget, Cancel, Limit, Stop};
pub use dyadic::{Dyadic, ParseDyadicError, TooLarge};
pub use kernel::Kernel;
pub use options::Options;
pub use order::Outcome;
pub use player::Player;
pub use store::Store;
pub use thermograph::{Corner, Thermograph, Wall};
pub use value::{NumberUpStar, Value};
