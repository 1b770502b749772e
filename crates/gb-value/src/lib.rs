//! Exact values of combinatorial games: the CGT kernel of the Game Bench.

mod dyadic;
mod store;
pub use dyadic::{Dyadic, ParseDyadicError, TooLarge};
pub use store::{Kernel, Stop, Store, Value};
