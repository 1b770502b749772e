//! Sums of games: who wins, by which moves, and why.

mod analysis;
mod component;
mod loops;
mod optimal;
mod position;
mod report;
mod scores;

pub use analysis::{Analysis, SumMove, WinningMove, analyse};
pub use component::{Component, Move};
pub use loops::{LoopyAnalysis, LoopyMove};
pub use optimal::{Choice, best_move};
pub use position::{BoardMove, Examined, ExaminedComponent, Moves, examine};
pub use report::{ExplainedMove, ExplainedScore, SumReport, Summand};
pub use scores::{ScoredMove, SumScores};
