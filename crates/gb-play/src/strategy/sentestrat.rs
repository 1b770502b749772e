//! Sentestrat (E. Berlekamp, The economist's view of combinatorial games, 1996).
//!
//! The ambient temperature is that of the coldest moment so far. If the opponent's last move has left a game hotter than
//! that, it is answered there; otherwise the hottest game is moved in, and the ambient temperature falls to its
//! temperature. So nobody ever profits from a threat, and at most the temperature at the start is lost.

use gb_value::{Dyadic, Player};

use super::study::{Study, hottest, move_in, within};
use super::{Decision, Strategy, StrategyContext, StrategyError, Sure};
use crate::sum::Sum;

/// Answers threats, and otherwise moves in the hottest local game.
pub struct Sentestrat {
    study: Study,
    ambient: Option<Dyadic>,
    /// What may be claimed about the whole game.
    claim: Option<Sure>,
}

impl Sentestrat {
    pub(crate) fn new(study: Study) -> Sentestrat {
        Sentestrat { study, ambient: None, claim: None }
    }
}

impl Strategy for Sentestrat {
    fn choose(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Decision, StrategyError> {
        let games = self.study.all(sum, who, context)?;
        let (mut component, mut t) = hottest(&games, who).ok_or(StrategyError::NoMove { who })?;
        if let (Some(ambient), Some((threat, heat))) =
            (&self.ambient, hottest(&games[sum.fresh.clone()], who))
            && heat > *ambient
        {
            // Answered as at the ambient temperature, at which the threat was made.
            (component, t) = (sum.fresh.start + threat, ambient.clone());
        }
        let ambient = self.ambient.take().map_or(t.clone(), |ambient| ambient.min(t.clone()));
        self.ambient = Some(ambient);
        let claim = self.claim.get_or_insert_with(|| within(&games, &t)).clone();
        move_in(&games, component, &t, who, claim)
    }

    fn nodes(&self) -> u64 {
        self.study.nodes()
    }
}
