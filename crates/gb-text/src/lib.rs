//! Games as text: ten lines, no compiler.
//!
//! A text says what a game is played on, which letters a board has, and which patterns the players rewrite. [`TextGame::read`] reads
//! it, finds out what is alike and how boards fall apart, and checks what the text claims; [`TextGame::open`] gives a game like any
//! other.
//!
//! ```
//! use gb_rules::{Player, Variant};
//! use gb_text::TextGame;
//!
//! let clobber = TextGame::read(
//!     "game clobber
//!      board grid
//!      cells . empty, x Left's stone, o Right's stone
//!      left:  xo -> .x along orthogonal
//!      right: ox -> .o along orthogonal
//!      start checker x o",
//!     &[],
//! )?;
//! let position = clobber.open(Variant::Plain, "xxo").read("xxo").unwrap();
//! assert_eq!(position.options(Player::Left), ["x.x"]);
//!
//! let error = TextGame::read("game typo\nboard grid\ncells . empty, x stone\nboth: . -> y", &[]).unwrap_err();
//! assert_eq!(error.to_string(), "line 4, column 12: found `y`, expected a letter of the board: `.` or `x`");
//! # Ok::<(), gb_text::TextError>(())
//! ```

mod claims;
mod cursor;
mod describe;
mod edges;
mod error;
mod game;
mod graph;
mod grid;
mod heap;
mod kept;
mod parse;
mod pattern;
mod potential;
mod symmetry;
pub mod tree;
mod warn;

pub use describe::Derived;
pub use error::{Place, TextError};
pub use game::TextGame;
pub use parse::{MAX_LETTERS, MAX_TEXT, parse};
pub use tree::GameText;
pub use warn::Warning;
