//! The Game Bench: put a position on the bench, and it is taken apart into independent local games, each gets its exact
//! value, and the sum is played perfectly.
//!
//! The stages, in the order in which data passes through them:

pub use gb_board as board;
pub use gb_game as game;
pub use gb_local as local;
pub use gb_sum as sum;
pub use gb_value as value;
