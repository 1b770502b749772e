//! Exact values of combinatorial games: the CGT kernel of the Game Bench.

mod store;
pub use store::{Kernel, Stop, Store, Value};
