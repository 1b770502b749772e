//! Thermostrat (Berlekamp, Conway and Guy, Winning Ways, chapter 6).
//!
//! Left adds the right walls of all thermographs up, and to that the greatest width at each temperature: what she gets if
//! she moves first, as long as temperatures above that one are concerned. At the temperature where this is greatest she
//! moves in the widest game. She ends with no less than the sum of the means, and so loses at most the temperature of the
//! hottest game against optimal play.

use std::sync::Arc;

use gb_value::{Dyadic, Player};

use super::study::{Studied, Study, hottest, move_in, within};
use super::{Decision, Strategy, StrategyContext, StrategyError};
use crate::sum::Sum;

/// Moves where the thermograph is widest, at the temperature where the compound thermograph is best.
pub struct Thermostrat {
    study: Study,
}

impl Thermostrat {
    pub(crate) fn new(study: Study) -> Thermostrat {
        Thermostrat { study }
    }
}

impl Strategy for Thermostrat {
    fn choose(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Decision, StrategyError> {
        let games = self.study.all(sum, who, context)?;
        let (hot, bound) = hottest(&games, who).ok_or(StrategyError::NoMove { who })?;
        let t = ambient(&games, who);
        // The widest, and of those the hottest: where all walls are masts nobody is in a hurry.
        let width = |game: &Studied| game.graph.left_at(&t) - game.graph.right_at(&t);
        let mut best = hot;
        for (i, game) in games.iter().enumerate() {
            let key = |game: &Studied| (width(game), game.graph.temperature());
            if !game.options.is_empty() && key(game) > key(&games[best]) {
                best = i;
            }
        }
        // A game is not moved in above its temperature.
        let t = t.min(games[best].graph.temperature());
        move_in(&games, best, &t, who, within(&games, &bound))
    }

    fn nodes(&self) -> u64 {
        self.study.nodes()
    }
}

/// The temperature at which the compound thermograph is best for the mover, the greatest of several: there threats are
/// made before they are worth less. It is best at a corner, since between
/// the corners the greatest width is convex and all else is straight.
fn ambient(games: &[Arc<Studied>], who: Player) -> Dyadic {
    let mut corners = vec![Dyadic::ZERO];
    for game in games {
        for wall in [game.graph.left_wall(), game.graph.right_wall()] {
            corners.extend(wall.corners().iter().map(|corner| corner.temperature.clone()));
        }
        corners.push(game.graph.temperature());
    }
    corners.retain(|t| t.signum() >= 0);
    corners.sort();
    corners.dedup();
    let mut best: Option<(Dyadic, Dyadic)> = None;
    for t in corners {
        let mut total = Dyadic::ZERO;
        let mut widest = Dyadic::ZERO;
        for game in games {
            let (left, right) = (game.graph.left_at(&t), game.graph.right_at(&t));
            total += &(if who == Player::Left { right.clone() } else { -&left });
            widest = widest.max(left - right);
        }
        total += &widest;
        if best.as_ref().is_none_or(|(most, _)| total >= *most) {
            best = Some((total, t));
        }
    }
    best.map_or(Dyadic::ZERO, |(_, t)| t)
}
