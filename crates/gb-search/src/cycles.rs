//! Positions that can repeat: two bounds, by forbidding each player in turn to come back to an earlier position.
//!
//! Values depend on the line of play here, so nothing is remembered between lines (M. Mueller, Computer Go as a sum of
//! local games, 1995, chapter on loopy games): the budget is what ends large cases.

use gb_rules::{DynGame, Key, Player};
use gb_value::{Halt, Kernel, Value, deeper};

use crate::search::{SearchContext, boards_after};

/// What is known about the value of a position in which play can come back to an earlier position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopBounds {
    /// The value if Left may not repeat: the position is worth at least as much to Left.
    pub lower: Value,
    /// The value if Right may not repeat: the position is worth at most as much to Left.
    pub upper: Value,
}

impl LoopBounds {
    /// The value, if both bounds agree: then repetition does not matter.
    pub fn value(&self) -> Option<Value> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// Bounds for a position that can repeat, in which play ends as soon as one player must not repeat.
pub fn loop_bounds<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    context: &SearchContext<'_>,
) -> Result<LoopBounds, Halt> {
    let kernel = context.store.kernel(context.budget);
    let bound = |restricted| {
        let mut line = Line { game, kernel: &kernel, restricted, path: vec![] };
        line.value(at)
    };
    Ok(LoopBounds { lower: bound(Player::Left)?, upper: bound(Player::Right)? })
}

struct Line<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    kernel: &'a Kernel<'a>,
    restricted: Player,
    path: Vec<Key<N>>,
}

impl<const N: usize> Line<'_, N> {
    fn value(&mut self, at: &Key<N>) -> Result<Value, Halt> {
        self.kernel.step()?;
        match self.game.global_win(at) {
            Some(Player::Left) => return Ok(Value::ON),
            Some(Player::Right) => return Ok(Value::OFF),
            None => {}
        }
        self.path.push(*at);
        let mut sides: [Vec<Value>; 2] = Default::default();
        for player in Player::BOTH {
            for (next, points) in boards_after(self.game, at, player, self.kernel)? {
                if player == self.restricted && self.path.contains(&next) {
                    continue;
                }
                let value = deeper(|| self.value(&next))?;
                sides[player as usize].push(self.kernel.add(value, self.kernel.integer(points))?);
            }
        }
        self.path.pop();
        self.kernel.from_options(&sides[0], &sides[1])
    }
}
