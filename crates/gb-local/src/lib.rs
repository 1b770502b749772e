//! Local search: from one part of a position to facts about it.

mod cycles;
pub mod question;
mod search;
mod table;
mod tables;

pub use cycles::{LoopBounds, loop_bounds};
pub use search::{Bench, Question, TableFor, search};
pub use table::Table;
pub use tables::{GameTables, Tables};
