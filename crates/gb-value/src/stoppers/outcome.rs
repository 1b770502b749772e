//! Who wins, with draws.

use super::{Id, SidedId, Stoppers};
use crate::loopy::{Ending, LoopyError};
use crate::outcome_class::OutcomeClass;
use crate::player::Player;
use crate::value::Value;

impl Stoppers<'_, '_> {
    /// Who wins a game. Left wins what she wins with infinite play lost, and draws what she wins only with infinite play won:
    /// so the sides, which have no infinite play, say all of it (Siegel, Combinatorial Game Theory, chapter VI).
    pub fn outcome(&mut self, game: SidedId) -> Result<OutcomeClass, LoopyError> {
        let [left, right] = [self.ending(game, Player::Left)?, self.ending(game, Player::Right)?];
        Ok(OutcomeClass::of(left, right))
    }

    /// How play ends if this player begins.
    pub fn ending(&mut self, game: SidedId, first: Player) -> Result<Ending, LoopyError> {
        let zero = Id::Short(Value::ZERO);
        // Whether Left, with this side, wins.
        let mut wins = |id: Id| match first {
            Player::Left => Ok(!self.greater_or_equal(zero, id)?),
            Player::Right => self.greater_or_equal(id, zero),
        };
        let (on, off): (bool, bool) = (wins(game.onside.0)?, wins(game.offside.0)?);
        Ok(match (on, off) {
            (_, true) => Ending::Win,
            (true, false) => Ending::Draw,
            (false, false) => Ending::Loss,
        })
    }

    /// How two games compare: one is at least the other if both of its sides are.
    pub fn compare(&mut self, a: SidedId, b: SidedId) -> Result<Option<std::cmp::Ordering>, LoopyError> {
        use std::cmp::Ordering;
        let above = self.ge(a.onside, b.onside)? && self.ge(a.offside, b.offside)?;
        let below = self.ge(b.onside, a.onside)? && self.ge(b.offside, a.offside)?;
        Ok(match (above, below) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            (false, false) => None,
        })
    }
}
