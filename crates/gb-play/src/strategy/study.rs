//! What the strategies know about a local game: its value, its options and their thermographs.

use std::sync::Arc;

use gb_search::heuristic::HeuristicSearch;
use gb_search::pool::ComponentId;
use gb_value::{Dyadic, Kernel, Player, Thermograph, Value};
use rustc_hash::FxHashMap;

use super::{Decision, StrategyContext, StrategyError, Sure};
use crate::sum::Sum;
use gb_search::sum::SumMove;

/// A local game as one player sees it.
#[derive(Debug)]
pub(crate) struct Studied {
    pub(crate) value: Value,
    pub(crate) graph: Arc<Thermograph>,
    /// Nothing was estimated.
    pub(crate) exact: bool,
    /// The player's options with their points, in the order of the pool.
    pub(crate) options: Vec<(Value, Arc<Thermograph>)>,
}

impl Studied {
    /// The option that is worth most to its player when each further move is taxed by `t`; among equals, without tax.
    pub(crate) fn best_at(&self, t: &Dyadic, who: Player) -> Option<usize> {
        let worth = |graph: &Thermograph| {
            let at = |t: &Dyadic| match who {
                Player::Left => graph.right_at(t),
                Player::Right => -graph.left_at(t),
            };
            (at(t), at(&Dyadic::ZERO))
        };
        let mut best = None;
        for (index, (_, graph)) in self.options.iter().enumerate() {
            let worth = worth(graph);
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, index));
            }
        }
        best.map(|(_, index)| index)
    }
}

/// Studies local games, exactly or to a depth, and remembers them.
pub(crate) struct Study {
    depth: Option<u32>,
    search: HeuristicSearch,
    known: FxHashMap<(ComponentId, Player), Arc<Studied>>,
    max_entries: usize,
    spent: u64,
}

impl Study {
    /// To a depth, or to the end.
    pub(crate) fn new(depth: Option<u32>, entries: usize) -> Study {
        let search = HeuristicSearch::new(entries).settling_small_parts();
        let known = FxHashMap::default();
        Study { depth, search, known, max_entries: entries, spent: 0 }
    }

    /// Positions looked at.
    pub(crate) fn nodes(&self) -> u64 {
        self.search.nodes() + self.spent
    }

    pub(crate) fn local(
        &mut self,
        at: ComponentId,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Arc<Studied>, StrategyError> {
        if let Some(known) = self.known.get(&(at, who)) {
            return Ok(known.clone());
        }
        let kernel = context.kernel;
        let exactly = self.depth.is_none() || context.pool.is_value_known() || !context.pool.ends_in_score();
        let (value, exact, options) = if exactly {
            let before = kernel.budget().nodes();
            let value = context.pool.value(at, kernel)?;
            let mut options = vec![];
            for mv in context.pool.moves(at, who).iter() {
                let mut after = kernel.number(&mv.points);
                for &part in &mv.to {
                    after = kernel.add(after, context.pool.value(part, kernel)?)?;
                }
                options.push(after);
            }
            self.spent += 1 + kernel.budget().nodes() - before;
            (value, true, options)
        } else {
            let depth = self.depth.unwrap_or(1);
            let judged = self.search.local(at, depth, context.pool, kernel)?;
            let options = self.search.options(at, who, depth, context.pool, kernel)?;
            (judged.value, judged.exact, options.into_iter().map(|option| option.value).collect())
        };
        let with_graph = |value: Value| Ok((value, kernel.thermograph(value)?));
        let options: Result<Vec<_>, StrategyError> = options.into_iter().map(with_graph).collect();
        let studied =
            Arc::new(Studied { value, graph: kernel.thermograph(value)?, exact, options: options? });
        if self.known.len() >= self.max_entries {
            self.known.clear();
        }
        self.known.insert((at, who), studied.clone());
        Ok(studied)
    }

    /// All local games of a sum.
    pub(crate) fn all(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Vec<Arc<Studied>>, StrategyError> {
        sum.components.iter().map(|&local| self.local(local, who, context)).collect()
    }
}

/// The hottest local game in which the player can move. Of equally hot ones the one whose best option is hottest: a threat
/// that is answered costs nothing.
pub(crate) fn hottest(games: &[Arc<Studied>], who: Player) -> Option<(usize, Dyadic)> {
    let mut best: Option<(usize, (Dyadic, Dyadic))> = None;
    for (i, game) in games.iter().enumerate() {
        let t = game.graph.temperature();
        if best.as_ref().is_some_and(|(_, (most, _))| t < *most) {
            continue;
        }
        let Some(option) = game.best_at(&t, who) else { continue };
        let key = (t, game.options[option].1.temperature());
        if best.as_ref().is_none_or(|(_, most)| key > *most) {
            best = Some((i, key));
        }
    }
    best.map(|(i, (t, _))| (i, t))
}

/// The move in a local game that its thermograph recommends at a temperature.
pub(crate) fn move_in(
    games: &[Arc<Studied>],
    component: usize,
    t: &Dyadic,
    who: Player,
    sure: Sure,
) -> Result<Decision, StrategyError> {
    let index = games[component].best_at(t, who).ok_or(StrategyError::NoMove { who })?;
    let only = games.iter().map(|game| game.options.len()).sum::<usize>() == 1;
    Ok(Decision { at: SumMove { component, index }, sure: if only { Sure::Best } else { sure } })
}

/// What a player with a bounded loss may claim: the temperature, if all values are exact.
pub(crate) fn within(games: &[Arc<Studied>], t: &Dyadic) -> Sure {
    if games.iter().all(|game| game.exact) { Sure::Within(t.clone().max(Dyadic::ZERO)) } else { Sure::Guess }
}

/// The mover's gain by an option, as a value.
pub(crate) fn incentive(
    game: &Studied,
    option: usize,
    who: Player,
    kernel: &Kernel<'_>,
) -> Result<Value, StrategyError> {
    let (to, from) = (game.options[option].0, game.value);
    Ok(if who == Player::Left { kernel.sub(to, from)? } else { kernel.sub(from, to)? })
}
