//! Alpha-beta search that knows the thermographs of the local games (M. Mueller and Z. Li, Locally informed global search
//! for sums of combinatorial games, 2004).
//!
//! Whoever moves first gets at least the sum of the means, and at most that plus the temperature of the hottest game. These
//! bounds cut many positions off, and are the estimate where the search ends; hot games are searched first.

use gb_search::pool::{ComponentId, Pool};
use gb_value::{Dyadic, Player};

use super::alphabeta::{Guide, Inspected};
use super::study::Study;
use super::{StrategyContext, StrategyError};

/// Knows the thermographs of the local games: their means and temperatures bound the sum, and the hottest is moved in first.
pub(crate) struct Thermal {
    pub(crate) study: Study,
}

impl Guide for Thermal {
    fn check(&self, pool: &Pool<'_>) -> Result<(), StrategyError> {
        if pool.ends_in_score() {
            return Ok(());
        }
        Err(StrategyError::Misfit {
            strategy: "thermal-alpha-beta",
            game: pool.name(),
            why: "it plays for points, but here who cannot move loses; alpha-beta or optimal would do",
        })
    }

    fn inspect(
        &mut self,
        components: &[ComponentId],
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Option<Inspected>, StrategyError> {
        let (mut means, mut hottest, mut sure) = (Dyadic::ZERO, Dyadic::ZERO, true);
        for &local in components {
            let game = self.study.local(local, who, context)?;
            means += game.graph.mean();
            hottest = hottest.max(game.graph.temperature());
            sure &= game.exact;
        }
        let low = super::gain(&means, who);
        Ok(Some(Inspected { guess: &low + &hottest.half(), high: &low + &hottest, low, sure }))
    }

    /// The temperature of the game, less what a worse move in it gives away.
    fn order_score(
        &mut self,
        local: ComponentId,
        index: usize,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Dyadic, StrategyError> {
        let game = self.study.local(local, who, context)?;
        let t = game.graph.temperature();
        let graph = &game.options[index].1;
        Ok(match who {
            Player::Left => graph.right_at(&t) - game.graph.mean(),
            Player::Right => game.graph.mean() - graph.left_at(&t),
        })
    }

    fn nodes(&self) -> u64 {
        self.study.nodes()
    }
}
