//! Go endgames: a board is taken apart at its safe stones, every open area gets its exact value, and the sum of them is
//! played perfectly (M. Mueller, Decomposition search, IJCAI 1999).
//!
//! Black is Left, and points for Black are positive. The path of the data: `text` and `sgf` read a `board`; `benson`,
//! `statics` (with `pairs`) and `proof` find what is safe; an `area` between safe walls is valued by `local` search;
//! `analysis` adds the values up; `play` chooses moves, `report` says what was found, and `gtp` talks to other programs.
//! Beside the path stand what it is measured with: `alphabeta`, `generate` and `rival`.
//!
//! ```
//! use gb_go::{Board, Game, KoRule, Settings, analyse};
//! use gb_value::{Budget, Player, Store};
//!
//! let board = Board::read("OOOOOOO|O.OOO.O|OOOOOOO|XXX.XXX|X.X.XXX|XXX.X.X|XXXXXXX")?;
//! let game = Game::new(board, Player::Left, KoRule::Simple);
//! let (store, budget) = (Store::new(), Budget::unlimited());
//! let kernel = store.kernel(&budget);
//! let analysis = analyse(&kernel, &game, &Settings::default());
//! let facts = analysis.areas[0].facts.as_ref().expect("a small area");
//! assert_eq!(facts.value, kernel.read("2||1|*").unwrap());
//! assert_eq!(analysis.score.unwrap().map(|points| points.to_string()), ["2", "1"]);
//! # Ok::<(), gb_go::TextError>(())
//! ```

mod alphabeta;
mod analysis;
mod area;
pub mod bench;
mod benson;
mod board;
mod estimate;
mod eyes;
mod field;
mod follow;
mod game;
mod generate;
mod graph;
pub mod gtp;
mod kind;
mod ko;
mod komaster;
mod life;
mod local;
mod memory;
mod numbers;
mod pairs;
mod play;
mod playout;
mod proof;
mod report;
mod rival;
mod safety;
mod scores;
pub mod sgf;
mod statics;
mod text;
mod wall;

pub use alphabeta::{Solved, WholeBoard};
pub use analysis::{
    Analysis, AreaFacts, AreaMove, AreaReport, RatedMove, Searched, Settings, analyse, likely,
};
pub use area::{Area, Key, MAX_POINTS};
pub use benson::{Region, Surroundings, benson};
pub use board::{Block, Board, Illegal, MAX_SIZE, MIN_SIZE, Point};
pub use estimate::{Estimate, estimates};
pub use follow::{Following, Step, follow_text};
pub use game::{Game, KoRule, Move};
pub use generate::{Wanted, endgame};
pub use graph::Bounds;
pub use kind::Kind;
pub use ko::{KoFacts, KoReport, Threats, thermographs};
pub use local::{LocalFailure, LocalMove, LocalSearch, Pruning, Scoring};
pub use memory::{Memory, MemoryError};
pub use play::{Choice, LineMove, Why, choose, dominant, optimal_line};
pub use proof::{PROOF_LIMIT, Proof, settled};
pub use report::{Report, failure_text, ko_text, komasters_text, points_text, result_text};
pub use rival::{Rival, RivalError};
pub use safety::{Effort, Reason, Safety};
pub use scores::{AreaScores, area_scores};
pub use text::TextError;
pub use wall::{Fraction, KoWall};
