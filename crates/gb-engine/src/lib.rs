//! Text in, typed answers out: the engine for callers who know a game by its name.
//!
//! An [`Engine`] is one store of values with the tables of all games asked about so far. Its questions take names and texts
//! and return plain data. Where a search is chosen by the width of a game's keys, that is done here, so that front ends are
//! compiled without it.
//!
//! ```
//! use gb_engine::Engine;
//! use gb_value::{Budget, Outcome, OutcomeClass};
//!
//! let (engine, budget) = (Engine::new(1), Budget::unlimited());
//! let analysed = engine.analyze("clobber xo.|.ox + domineering ..|.. + ^*", &budget, &Budget::unlimited, &|_, _, _| {})?;
//! assert_eq!(analysed.report.analysis.unwrap().outcome, Outcome::N);
//!
//! let winners = engine.winners("domineering", "4x4", &budget)?.winners;
//! assert_eq!(winners.unwrap().outcome(), Ok(OutcomeClass::N));
//! # Ok::<(), gb_engine::EngineError>(())
//! ```

pub mod analysis_json;
pub mod calc;
mod effort;
mod engine;
mod error;
mod explain;
mod games;
mod long_search;
pub mod picture;
mod players;
mod proofs;
pub mod report;
mod strategies;
mod sum_game;
mod sums;
mod verify;

pub use effort::Allowance;
pub use engine::{Answer, Engine, PositionText};
pub use error::EngineError;
pub use explain::{Explained, Explanation, Place};
pub use games::{Games, Loader, is_game_file};
pub use long_search::LongSearch;
pub use proofs::Goal;
pub use strategies::Advice;
pub use sum_game::{SUM, SummandView, sum_game, summand_views};
pub use sums::{Analysed, game_and_position, no_misere_summand, summands};
pub use verify::{verify_outcome_table, verify_table};
