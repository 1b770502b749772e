//! Sums of games: who wins, by which moves, and why.

mod analysis;
mod component;
mod optimal;
mod position;
mod report;

pub use analysis::{Analysis, SumMove, WinningMove, analyse};
pub use component::{Component, Move};
pub use optimal::{Choice, best_move};
pub use position::{Examined, Region, RegionMove, examine};
pub use report::{ExplainedMove, SumReport, Term};
