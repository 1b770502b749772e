//! A few moves ahead in a sum of values, of which only the hottest are moved in. What is left at the end is judged as a sum
//! of switches would be: the means, and the temperatures in turn.
//!
//! The values come from local searches to a limited depth and hold no more moves than that, so that no local game is looked
//! into deeper than it was searched; only how the moves in them follow each other is.

use std::cell::Cell;
use std::sync::Arc;

use gb_board::sort_by;
use gb_value::{Dyadic, Kernel, Player, Value};

use super::StrategyError;
use super::study::Studied;
use gb_search::sum::SumMove;

/// Moves that are looked ahead in the values of the local games, the first one included.
const AHEAD: u32 = 4;
/// So many of the hottest local games are looked into.
const WIDTH: usize = 5;

/// Looks at sums of values; more is better for Left.
pub(crate) struct Lookahead<'k> {
    kernel: &'k Kernel<'k>,
    nodes: Cell<u64>,
}

/// A value that can still be moved in to some effect.
type Hot = (Dyadic, Value);

impl<'k> Lookahead<'k> {
    pub(crate) fn new(kernel: &'k Kernel<'k>) -> Self {
        Lookahead { kernel, nodes: Cell::new(0) }
    }

    /// Sums looked at.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.get()
    }

    /// What a move order_scores its maker, compared with other moves. If that is less than `enough`, any number less than that.
    pub(crate) fn order_score(
        &self,
        games: &[Arc<Studied>],
        at: &SumMove,
        who: Player,
        enough: Option<&Dyadic>,
    ) -> Result<Dyadic, StrategyError> {
        let game = &games[at.component];
        let mut hot: Vec<Hot> = vec![];
        for (component, other) in games.iter().enumerate() {
            let heat = other.graph.temperature();
            if component != at.component && heat.signum() > 0 {
                hot.push((heat, other.value));
            }
        }
        sort_by(&mut hot, |a, b| b.0.cmp(&a.0));
        // As if the move were made in a value at the end of the list.
        hot.push((Dyadic::ZERO, game.value));
        let (settled, next) = self.after(&hot, hot.len() - 1, game.options[at.index].0)?;
        // What the others' means come to is the same for all moves, except that this game is none of them now.
        let cold =
            if game.graph.temperature().signum() > 0 { Dyadic::ZERO } else { game.graph.mean().clone() };
        let settled = &settled - &cold;
        // A little below, so that what is just enough is found exactly.
        let bound = enough.map(|enough| match who {
            Player::Left => &(enough - &Dyadic::new(1, 6)) - &settled,
            Player::Right => &(&Dyadic::new(1, 6) - enough) - &settled,
        });
        let (low, high) = if who == Player::Left { (bound.as_ref(), None) } else { (None, bound.as_ref()) };
        let total = &settled + &self.value(&next, who.opponent(), AHEAD - 1, low, high)?;
        Ok(if who == Player::Left { total } else { -total })
    }

    /// What comes of these values with `who` to move, without what is settled.
    fn value(
        &self,
        hot: &[Hot],
        who: Player,
        depth: u32,
        low: Option<&Dyadic>,
        high: Option<&Dyadic>,
    ) -> Result<Dyadic, StrategyError> {
        self.nodes.set(self.nodes.get() + 1);
        self.kernel.step()?;
        if depth == 0 || hot.is_empty() {
            return self.orthodox(hot, who);
        }
        let (mut low, mut high) = (low.cloned(), high.cloned());
        let mut best: Option<Dyadic> = None;
        let mut tried: Vec<Value> = vec![];
        for (index, &(_, value)) in hot.iter().enumerate() {
            if tried.contains(&value) {
                continue;
            }
            if tried.len() == WIDTH {
                break;
            }
            tried.push(value);
            for option in self.kernel.options(value, who) {
                let (settled, next) = self.after(hot, index, option)?;
                let shift = |bound: &Option<Dyadic>| bound.as_ref().map(|bound| bound - &settled);
                let (from, to) = (shift(&low), shift(&high));
                let found =
                    &self.value(&next, who.opponent(), depth - 1, from.as_ref(), to.as_ref())? + &settled;
                let better = best.as_ref().is_none_or(|best| match who {
                    Player::Left => found > *best,
                    Player::Right => found < *best,
                });
                if better {
                    match who {
                        Player::Left if low.as_ref().is_none_or(|low| found > *low) => {
                            low = Some(found.clone())
                        }
                        Player::Right if high.as_ref().is_none_or(|high| found < *high) => {
                            high = Some(found.clone());
                        }
                        _ => {}
                    }
                    best = Some(found);
                }
                if low.is_some() && high.is_some() && low >= high {
                    return Ok(best.unwrap_or(Dyadic::ZERO));
                }
            }
        }
        match best {
            Some(best) => Ok(best),
            None => self.orthodox(hot, who),
        }
    }

    /// The sum after a move in one of its values to an option: what is settled by it, and the hot rest, hottest first.
    fn after(&self, hot: &[Hot], index: usize, option: Value) -> Result<(Dyadic, Vec<Hot>), StrategyError> {
        let mut next: Vec<Hot> = hot.to_vec();
        next.remove(index);
        let graph = self.kernel.thermograph(option)?;
        let heat = graph.temperature();
        if heat.signum() <= 0 {
            return Ok((graph.mean().clone(), next));
        }
        let place = next.partition_point(|(other, _)| *other >= heat);
        next.insert(place, (heat, option));
        Ok((Dyadic::ZERO, next))
    }

    /// The means, and then the temperatures in turn, the mover first: exact for a sum of switches.
    fn orthodox(&self, hot: &[Hot], who: Player) -> Result<Dyadic, StrategyError> {
        let mut total = Dyadic::ZERO;
        let mut left = who == Player::Left;
        for (heat, value) in hot {
            total += self.kernel.thermograph(*value)?.mean();
            total = if left { &total + heat } else { &total - heat };
            left = !left;
        }
        Ok(total)
    }
}
