//! Values by moves, parts and normal forms, and by nothing else.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use gb_rules::{DynGame, Key, Player, Sign};
use gb_value::{Halt, Kernel, Value};

/// Values of positions, each part searched once.
pub(crate) struct Plain<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    kernel: &'a Kernel<'a>,
    table: HashMap<Key<N>, Value>,
}

impl<'a, const N: usize> Plain<'a, N> {
    pub(crate) fn new(game: &'a dyn DynGame<N>, kernel: &'a Kernel<'a>) -> Self {
        Plain { game, kernel, table: HashMap::new() }
    }

    pub(crate) fn value(&mut self, at: &Key<N>) -> Result<Value, Halt> {
        let mut parts = vec![];
        self.game.parts(at, &mut parts);
        let mut sum = self.kernel.integer(0);
        for part in parts {
            let (normal, sign) = self.game.normalise(&part);
            let value = self.part(normal)?;
            let value = if sign == Sign::Plus { value } else { self.kernel.neg(value)? };
            sum = self.kernel.add(sum, value)?;
        }
        Ok(sum)
    }

    fn part(&mut self, at: Key<N>) -> Result<Value, Halt> {
        if let Some(&value) = self.table.get(&at) {
            return Ok(value);
        }
        let mut options = [vec![], vec![]];
        for (side, who) in Player::BOTH.into_iter().enumerate() {
            let mut after = vec![];
            let _ = self.game.options(&at, who, &mut |board, points| {
                after.push((board, points));
                ControlFlow::Continue(())
            });
            for (board, points) in after {
                let value = self.value(&board)?;
                options[side].push(self.kernel.add(value, self.kernel.integer(points))?);
            }
        }
        let value = self.kernel.from_options(&options[0], &options[1])?;
        self.table.insert(at, value);
        Ok(value)
    }
}

/// The positions a player can move to, with the points.
pub(crate) fn options<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    who: Player,
) -> BTreeSet<(String, i64)> {
    let mut found = BTreeSet::new();
    let _ = game.options(at, who, &mut |after, points| {
        found.insert((game.show(&after), points));
        ControlFlow::Continue(())
    });
    found
}
