//! Left and Right.

use std::fmt;

/// Who moves. Left is Black, Blue, vertical, `x`; Right is White, Red, horizontal, `o`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Player {
    /// Left, for whom positive values are good.
    Left,
    /// Right, for whom negative values are good.
    Right,
}

impl Player {
    /// Left and Right, in this order.
    pub const BOTH: [Player; 2] = [Player::Left, Player::Right];

    /// The other player.
    #[must_use]
    pub fn opponent(self) -> Player {
        match self {
            Player::Left => Player::Right,
            Player::Right => Player::Left,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Left => "Left",
            Player::Right => "Right",
        })
    }
}
