//! The games of the Game Bench: one file a game, and one list of them all.
//!
//! ```
//! use gb_rules::Player;
//! let game = gb_games::game("clobber").unwrap();
//! let position = game.read("xo.|.ox").unwrap();
//! let after = position.play(Player::Left, "a1-b1").unwrap();
//! assert_eq!(after.show(), ".x.|.ox");
//! assert_eq!(
//!     gb_games::game("clober").err().unwrap().to_string(),
//!     "there is no game `clober`; did you mean `clobber`?"
//! );
//! ```

pub mod games;
mod list;
pub mod shared;
mod texts;

pub use list::{NAMES, game, info, open, position};
