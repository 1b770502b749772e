//! Greedy play by stops: what a player does who only searches each local game by itself (M. Mueller, lecture notes of
//! CMPUT 657, "Why greedy play can be bad").

use gb_value::{Dyadic, Player};

use super::study::{Study, move_in};
use super::{Decision, Strategy, StrategyContext, StrategyError, Sure};
use crate::sum::Sum;

/// Moves in the local game with the greatest difference of stops, to the option with the best stop.
pub struct GreedyByStops {
    study: Study,
}

impl GreedyByStops {
    pub(crate) fn new(study: Study) -> GreedyByStops {
        GreedyByStops { study }
    }
}

impl Strategy for GreedyByStops {
    fn choose(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Decision, StrategyError> {
        let games = self.study.all(sum, who, context)?;
        let mut widest: Option<(usize, Dyadic)> = None;
        for (i, game) in games.iter().enumerate() {
            let width = game.graph.left_stop() - game.graph.right_stop();
            if !game.options.is_empty() && widest.as_ref().is_none_or(|(_, most)| width > *most) {
                widest = Some((i, width));
            }
        }
        let (component, _) = widest.ok_or(StrategyError::NoMove { who })?;
        move_in(&games, component, &Dyadic::ZERO, who, Sure::Guess)
    }

    fn nodes(&self) -> u64 {
        self.study.nodes()
    }
}
