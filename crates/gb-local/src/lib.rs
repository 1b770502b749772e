//! Local search: from one part of a position to facts about it.

pub mod question;
mod search;
mod table;

pub use search::{Bench, Question, TableFor, search};
pub use table::Table;
