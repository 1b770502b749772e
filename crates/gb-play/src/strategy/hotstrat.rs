//! Hotstrat: move in the hottest local game (Berlekamp, Conway and Guy, Winning Ways, chapter 6).

use gb_value::Player;

use super::study::{Study, hottest, move_in};
use super::{Decision, Strategy, StrategyContext, StrategyError, Sure};
use crate::sum::Sum;

/// Moves in the hottest local game, as its thermograph recommends at its temperature.
pub struct Hotstrat {
    study: Study,
}

impl Hotstrat {
    pub(crate) fn new(study: Study) -> Hotstrat {
        Hotstrat { study }
    }
}

impl Strategy for Hotstrat {
    fn choose(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Decision, StrategyError> {
        let games = self.study.all(sum, who, context)?;
        let (component, t) = hottest(&games, who).ok_or(StrategyError::NoMove { who })?;
        move_in(&games, component, &t, who, Sure::Guess)
    }

    fn nodes(&self) -> u64 {
        self.study.nodes()
    }
}
