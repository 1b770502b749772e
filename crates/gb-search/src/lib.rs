//! Local search: from one part of a position to facts about it.

/// Tells what a search does, where somebody listens: with the feature `tracing`.
macro_rules! tell {
    ($($event:tt)*) => {
        #[cfg(feature = "tracing")]
        tracing::debug!($($event)*);
    };
}

pub mod alphabeta;
mod cycles;
mod graph;
pub mod heuristic;
pub mod pool;
pub mod question;
pub mod repeat;
mod saved;
mod score;
mod search;
mod solved;
pub mod sum;
mod table;
mod tables;

pub use cycles::{LoopBounds, loop_bounds};
pub use graph::{GraphError, loopy_game};
pub use saved::SavedError;
pub use score::{ScoreError, ScoreSearch, Scores, ending_of, reduced_value};
pub use search::{Question, SearchContext, TableFor, search};
pub use solved::{AnySolved, Solved, memory_for};
pub use table::{Archive, Table};
pub use tables::{Archives, GameTables, Tables};
