//! Chess endgames with kings and pawns as sums of games.
//!
//! While the kings are bound in mutual zugzwang, both players move their other pawns until somebody has no pawn move left
//! and must give way. The chunks of pawns are then independent games with global threats, and their values say who wins
//! (N. D. Elkies, On numbers and endgames, 1996; F. Maeser, Divide and conquer in game tree search, thesis 2001, chapter
//! 7). That the kings stay where they are is an assumption, so the values explain, and [`prove`] has the last word: it solves the
//! whole board, kings included, and claims nothing that is not proved.
//!
//! ```
//! use gb_chess::{Request, analyse};
//! let request = Request::new("8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1").unwrap();
//! let analysis = analyse(&request, &gb_value::Budget::unlimited()).unwrap();
//! assert_eq!(analysis.sum, "v*");
//! assert!(analysis.winning[0].iter().any(|winning| winning.text == "h3-h4"));
//! ```

mod analysis;
mod coach;
mod complex;
mod exercises;
mod kings;
mod line;
mod names;
mod report;
mod shallow;
mod solve;

pub use analysis::{Analysis, ChessError, Chunk, Request, Winning, analyse, fen_of};
pub use coach::{Given, Grade, Judgement, Over, Reply, Tempi, judge};
pub use complex::{Complex, Cost};
pub use exercises::{EXERCISES, Exercise, Goal, Standing};
pub use solve::{CacheError, Choice, Ending, Label, Proof, Squares, Tables, prove};
