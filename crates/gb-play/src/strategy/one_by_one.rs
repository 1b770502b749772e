//! Strategies that study every local game by itself, and then go by a rule.

use std::sync::Arc;

use gb_search::sum::{Component, Move, best_move};
use gb_value::{Dyadic, Kernel, Player};

use super::study::{Studied, Study, hottest, move_in, within};
use super::{Decision, Strategy, StrategyContext, StrategyError, Sure};
use crate::sum::Sum;

/// What a rule goes by.
pub(crate) struct Situation<'s> {
    games: &'s [Arc<Studied>],
    /// Which games the last move has left behind.
    fresh: std::ops::Range<usize>,
    who: Player,
    kernel: &'s Kernel<'s>,
}

type Choice = Result<Decision, StrategyError>;

/// A strategy with such a rule.
pub(crate) struct OneByOne<R> {
    pub(crate) study: Study,
    pub(crate) rule: R,
}

impl<R: FnMut(&Situation<'_>) -> Choice> Strategy for OneByOne<R> {
    fn choose(&mut self, sum: &Sum, who: Player, context: &mut StrategyContext<'_, '_>) -> Choice {
        let games = self.study.all(sum, who, context)?;
        (self.rule)(&Situation { games: &games, fresh: sum.fresh.clone(), who, kernel: context.kernel })
    }

    fn nodes(&self) -> u64 {
        self.study.nodes()
    }
}

/// Optimal play: the exact values are added up, as [`best_move`] does.
pub(crate) fn optimal(at: &Situation<'_>) -> Choice {
    let component = |game: &Arc<Studied>| {
        let mut moves = [vec![], vec![]];
        moves[at.who as usize] =
            game.options.iter().map(|&(to, _)| Move { label: String::new(), to }).collect();
        Component { label: String::new(), value: game.value, moves }
    };
    let components: Vec<Component> = at.games.iter().map(component).collect();
    let choice = best_move(at.kernel, &components, at.who)?.ok_or(StrategyError::NoMove { who: at.who })?;
    Ok(Decision { at: choice.at, sure: Sure::Best })
}

/// Hotstrat: moves in the hottest local game, as its thermograph recommends at its temperature (Berlekamp, Conway and Guy,
/// Winning Ways, chapter 6).
pub(crate) fn hotstrat(at: &Situation<'_>) -> Choice {
    let (component, t) = hottest(at.games, at.who).ok_or(StrategyError::NoMove { who: at.who })?;
    move_in(at.games, component, &t, at.who, Sure::Guess)
}

/// Greedy play by stops, as of a player who only searches each local game by itself: moves in the one with the greatest
/// difference of stops, to the option with the best stop (M. Mueller, lecture notes of CMPUT 657, "Why greedy play can be
/// bad").
pub(crate) fn greedy(at: &Situation<'_>) -> Choice {
    let mut widest: Option<(usize, Dyadic)> = None;
    for (i, game) in at.games.iter().enumerate() {
        let width = game.graph.left_stop() - game.graph.right_stop();
        if !game.options.is_empty() && widest.as_ref().is_none_or(|(_, most)| width > *most) {
            widest = Some((i, width));
        }
    }
    let (component, _) = widest.ok_or(StrategyError::NoMove { who: at.who })?;
    move_in(at.games, component, &Dyadic::ZERO, at.who, Sure::Guess)
}

/// Sentestrat (E. Berlekamp, The economist's view of combinatorial games, 1996).
///
/// The ambient temperature is that of the coldest moment so far. If the opponent's last move has left a game hotter than
/// that, it is answered there; otherwise the hottest game is moved in, and the ambient temperature falls to its
/// temperature. So nobody ever profits from a threat, and at most the temperature at the start is lost.
pub(crate) fn sentestrat() -> impl FnMut(&Situation<'_>) -> Choice {
    let mut coldest: Option<Dyadic> = None;
    // What may be claimed about the whole game.
    let mut claim: Option<Sure> = None;
    move |at| {
        let (games, who) = (at.games, at.who);
        let (mut component, mut t) = hottest(games, who).ok_or(StrategyError::NoMove { who })?;
        if let (Some(ambient), Some((threat, heat))) = (&coldest, hottest(&games[at.fresh.clone()], who))
            && heat > *ambient
        {
            // Answered as at the ambient temperature, at which the threat was made.
            (component, t) = (at.fresh.start + threat, ambient.clone());
        }
        coldest = Some(coldest.take().map_or(t.clone(), |ambient| ambient.min(t.clone())));
        let claim = claim.get_or_insert_with(|| within(games, &t)).clone();
        move_in(games, component, &t, who, claim)
    }
}

/// Thermostrat (Berlekamp, Conway and Guy, Winning Ways, chapter 6): moves where the thermograph is widest, at the
/// temperature where the compound thermograph is best.
///
/// Left adds the right walls of all thermographs up, and to that the greatest width at each temperature: what she gets if
/// she moves first, as long as temperatures above that one are concerned. At the temperature where this is greatest she
/// moves in the widest game. She ends with no less than the sum of the means, and so loses at most the temperature of the
/// hottest game against optimal play.
pub(crate) fn thermostrat(at: &Situation<'_>) -> Choice {
    let (games, who) = (at.games, at.who);
    let (hot, bound) = hottest(games, who).ok_or(StrategyError::NoMove { who })?;
    let t = ambient(games, who);
    // The widest, and of those the hottest: where all walls are masts nobody is in a hurry.
    let key = |game: &Studied| (game.graph.left_at(&t) - game.graph.right_at(&t), game.graph.temperature());
    let mut best = hot;
    for (i, game) in games.iter().enumerate() {
        if !game.options.is_empty() && key(game) > key(&games[best]) {
            best = i;
        }
    }
    // A game is not moved in above its temperature.
    let t = t.min(games[best].graph.temperature());
    move_in(games, best, &t, who, within(games, &bound))
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
