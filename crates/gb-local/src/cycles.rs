//! Positions that can repeat: two bounds, by forbidding each player in turn to come back to an earlier position.
//!
//! Values depend on the line of play here, so nothing is remembered between lines (M. Mueller, Computer Go as a sum of
//! local games, 1995, chapter on loopy games): the budget is what ends large cases.

use gb_game::{Player, Rules};
use gb_value::{Kernel, Stop, Value, deeper};

use crate::search::{Bench, for_each_move};

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
pub fn loop_bounds<R: Rules>(rules: &R, at: &R::Board, bench: &Bench<'_>) -> Result<LoopBounds, Stop> {
    let kernel = bench.store.kernel(bench.budget);
    let bound = |restricted| {
        let mut line = Line { rules, kernel: &kernel, restricted, path: vec![] };
        line.value(at)
    };
    Ok(LoopBounds { lower: bound(Player::Left)?, upper: bound(Player::Right)? })
}

struct Line<'a, R: Rules> {
    rules: &'a R,
    kernel: &'a Kernel<'a>,
    restricted: Player,
    path: Vec<R::Board>,
}

impl<R: Rules> Line<'_, R> {
    fn value(&mut self, at: &R::Board) -> Result<Value, Stop> {
        self.kernel.step()?;
        match self.rules.global_win(at) {
            Some(Player::Left) => return Ok(Value::ON),
            Some(Player::Right) => return Ok(Value::OFF),
            None => {}
        }
        self.path.push(at.clone());
        let mut sides: [Vec<Value>; 2] = Default::default();
        for player in Player::BOTH {
            let mut options: Vec<(R::Board, i64)> = vec![];
            for_each_move(self.rules, at, player, self.kernel, |mv| {
                let mut next = at.clone();
                self.rules.play(&mut next, player, &mv);
                if player != self.restricted || !self.path.contains(&next) {
                    options.push((next, self.rules.points(at, player, &mv)));
                }
            })?;
            for (next, points) in options {
                let value = deeper(|| self.value(&next))?;
                sides[player as usize].push(self.kernel.add(value, self.kernel.integer(points))?);
            }
        }
        self.path.pop();
        self.kernel.from_options(&sides[0], &sides[1])
    }
}
