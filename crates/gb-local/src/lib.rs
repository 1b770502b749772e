//! Local search: from one part of a position to facts about it.

mod cycles;
mod graph;
pub mod question;
mod search;
mod table;
mod tables;

pub use cycles::{LoopBounds, loop_bounds};
pub use graph::{GraphError, loopy_game};
pub use search::{Bench, Question, TableFor, search};
pub use table::Table;
pub use tables::{GameTables, Tables};
