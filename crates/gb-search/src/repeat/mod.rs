//! Games in which play can come back to a position: who wins, with draws, and values with loops.
//!
//! A search that follows moves one after the other goes round in circles here. Both questions are answered on the graph of positions
//! instead: outcomes backwards from the positions where play ends ([`endings`]), values one strongly connected component after the
//! other ([`LoopSolver`]).

mod retrograde;
mod values;

pub use retrograde::{Endings, endings};
pub use values::LoopSolver;
