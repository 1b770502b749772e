//! The engine for callers who know a game by its name only.
//!
//! A [`Desk`] is one store of values with the tables of all games asked about so far. Its questions take names and texts
//! and return plain data, so that front ends are compiled without the engine: everything that is generic over the rules
//! of a game is compiled here, once for each kind of board.
//!
//! ```
//! use gb_engine::Desk;
//! use gb_value::{Budget, Outcome, OutcomeClass};
//!
//! let (desk, budget) = (Desk::new(1), Budget::unlimited());
//! let analysed = desk.analyze("clobber xo.|.ox + domineering ..|.. + ^*", &budget, &Budget::unlimited, &|_, _, _| {})?;
//! assert_eq!(analysed.report.analysis.unwrap().outcome, Outcome::N);
//!
//! let winners = desk.winners("domineering", "4x4", &budget)?.winners;
//! assert_eq!(winners.unwrap().outcome(), Ok(OutcomeClass::N));
//! # Ok::<(), String>(())
//! ```

pub mod calc;
mod desk;
pub mod findings;
pub mod picture;
mod players;
pub mod report;
mod strategies;
mod sums;
mod verify;

pub use desk::{Answer, Desk, PositionText};
pub use strategies::Advice;
pub use sums::{Analysed, game_and_position, summands};
pub use verify::verify_table;
