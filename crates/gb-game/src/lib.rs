//! What a game is, and how it splits: the game kernel of the Game Bench.

mod rules;
pub use rules::{Info, Player, Rules, Sign};
