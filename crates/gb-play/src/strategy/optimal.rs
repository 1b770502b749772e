//! Optimal play: the exact values are added up.

use gb_value::Player;

use super::study::Study;
use super::{Decision, Strategy, StrategyContext, StrategyError, Sure};
use crate::sum::Sum;
use gb_search::sum::best_move;
use gb_search::sum::{Component, Move};

/// Chooses by the exact values of all local games, as [`best_move`] does.
pub struct Optimal {
    study: Study,
}

impl Optimal {
    pub(crate) fn new(entries: usize) -> Optimal {
        Optimal { study: Study::new(None, entries) }
    }
}

impl Strategy for Optimal {
    fn choose(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Decision, StrategyError> {
        let mut components = vec![];
        for game in self.study.all(sum, who, context)? {
            let mut moves = [vec![], vec![]];
            moves[who as usize] =
                game.options.iter().map(|&(to, _)| Move { label: String::new(), to }).collect();
            components.push(Component { label: String::new(), value: game.value, moves });
        }
        let choice = best_move(context.kernel, &components, who)?.ok_or(StrategyError::NoMove { who })?;
        Ok(Decision { at: choice.at, sure: Sure::Best })
    }

    fn nodes(&self) -> u64 {
        self.study.nodes()
    }
}
