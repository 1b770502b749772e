//! Greedy hotstrat (F. Maeser, thesis 2001, section 8.4.5).

use std::cmp::Reverse;
use std::sync::Arc;

use gb_board::sort_by_key;
use gb_value::{Dyadic, Player, Value};

use super::lookahead::Lookahead;
use super::study::{Studied, Study, incentive};
use super::{Decision, Strategy, StrategyContext, StrategyError, Sure, gain};
use crate::sum::Sum;
use gb_search::sum::SumMove;

/// Leaves dominated moves out, and looks a few moves ahead in the values of the hottest local games. Among moves that
/// promise the same it takes one in the hottest local game, there the one that earns most at once, and then the one that
/// leaves a game as hot as the hottest of the others, as nearly as possible.
///
/// The thesis goes by the hottest local game at once. Where few local games are left that takes the wrong one too often.
pub struct GreedyHotstrat {
    study: Study,
    /// Sums of values that were looked at.
    looked_at: u64,
}

impl GreedyHotstrat {
    pub(crate) fn new(study: Study) -> GreedyHotstrat {
        GreedyHotstrat { study, looked_at: 0 }
    }
}

/// A move that is still in question.
struct Candidate {
    at: SumMove,
    /// What it gains; unknown where the value is estimated.
    incentive: Option<Value>,
}

impl Strategy for GreedyHotstrat {
    fn choose(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Decision, StrategyError> {
        let games = self.study.all(sum, who, context)?;
        let mut candidates = undominated(&games, sum, who, context)?;
        let exact = games.iter().all(|game| game.exact);
        if let ([only], true) = (candidates.as_slice(), exact) {
            return Ok(Decision { at: only.at, sure: Sure::Best });
        }
        // The hottest first: mostly they are best, and what order_scores less need not be known exactly.
        sort_by_key(&mut candidates, |candidate| Reverse(games[candidate.at.component].graph.temperature()));
        let look = Lookahead::new(context.kernel);
        let mut best: Option<([Dyadic; 4], SumMove)> = None;
        for Candidate { at, .. } in &candidates {
            let points = &context.pool.moves(sum.components[at.component], who)[at.index].points;
            let heat = games[at.component].graph.temperature();
            let others = games.iter().enumerate().filter(|(i, _)| *i != at.component);
            let ambient =
                others.map(|(_, game)| game.graph.temperature()).max().unwrap_or(Dyadic::integer(-1));
            let left_behind = games[at.component].options[at.index].1.temperature();
            let order_score = look.order_score(&games, at, who, best.as_ref().map(|(most, _)| &most[0]))?;
            let merit = [order_score, heat, gain(points, who), -(left_behind - ambient).abs()];
            if best.as_ref().is_none_or(|(most, _)| merit > *most) {
                best = Some((merit, *at));
            }
        }
        self.looked_at += look.nodes();
        let (_, at) = best.ok_or(StrategyError::NoMove { who })?;
        Ok(Decision { at, sure: Sure::Guess })
    }

    fn nodes(&self) -> u64 {
        self.study.nodes() + self.looked_at
    }
}

/// The moves whose incentives are not dominated (up to infinitesimals), one of each incentive and local game.
fn undominated(
    games: &[Arc<Studied>],
    sum: &Sum,
    who: Player,
    context: &mut StrategyContext<'_, '_>,
) -> Result<Vec<Candidate>, StrategyError> {
    let kernel = context.kernel;
    let mut kept: Vec<Candidate> = vec![];
    for (component, game) in games.iter().enumerate() {
        if sum.components[..component].contains(&sum.components[component]) {
            // The same game again has the same moves.
            continue;
        }
        for index in 0..game.options.len() {
            if is_dominated_at_home(game, index, who, context)? {
                continue;
            }
            if !game.exact {
                // Differences of estimated values are large and prove nothing.
                kept.push(Candidate { at: SumMove { component, index }, incentive: None });
                continue;
            }
            let incentive = incentive(game, index, who, kernel)?;
            let mut dominated = false;
            for other in &kept {
                let Some(known) = other.incentive else { continue };
                // Equal ones of the same local game are left to the tie-breaks.
                if kernel.le_close(incentive, known)?
                    && !(other.at.component == component && kernel.le_close(known, incentive)?)
                {
                    dominated = true;
                    break;
                }
            }
            if !dominated {
                let mut i = 0;
                while i < kept.len() {
                    let worse = match kept[i].incentive {
                        Some(known) => {
                            kernel.le_close(known, incentive)? && !kernel.le_close(incentive, known)?
                        }
                        None => false,
                    };
                    if worse {
                        kept.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
                kept.push(Candidate { at: SumMove { component, index }, incentive: Some(incentive) });
            }
        }
    }
    Ok(kept)
}

/// Whether another move in the same local game is better (up to an infinitesimal): cheaper to say than by incentives.
fn is_dominated_at_home(
    game: &Studied,
    index: usize,
    who: Player,
    context: &StrategyContext<'_, '_>,
) -> Result<bool, StrategyError> {
    let option = game.options[index].0;
    for &(other, _) in &game.options {
        if other == option {
            continue;
        }
        let (worse, better) = if who == Player::Left { (option, other) } else { (other, option) };
        if context.kernel.le_close(worse, better)? && !context.kernel.le_close(better, worse)? {
            return Ok(true);
        }
    }
    Ok(false)
}
