//! Strategies for sums, asked for one move of a game that is known by its name.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use gb_play::PlayerCatalog;
use gb_play::matches::{BoardStarts, Starts};
use gb_play::strategy::{Plan, StrategyContext, Sure, choose};
use gb_play::sum::Sum;
use gb_rules::{AnyGame, NameError, Player, Position};
use gb_search::pool::{ComponentId, Pool};
use gb_value::{Budget, Dyadic, Kernel, Value};

use crate::engine::Engine;
use crate::error::EngineError;

/// The move of a strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The move as text.
    pub mv: String,
    /// The position afterwards.
    pub after: String,
    /// How sure the strategy is.
    pub sure: Sure,
    /// Positions it has looked at.
    pub nodes: u64,
}

impl Engine {
    /// One move in a position (or the starting position of a size) by a strategy such as `hotstrat`, whose tables hold at
    /// most `entries` entries.
    ///
    /// # Errors
    /// If there is no such game or position, if the strategy does not fit the game, or if there is no move.
    pub fn advise(
        &self,
        game: &str,
        position: &str,
        who: Player,
        plan: Plan,
        entries: usize,
        budget: &Budget,
    ) -> Result<Advice, EngineError> {
        let position = self.open(game, position)?;
        let longest = |texts: &[String]| {
            let sample = texts.iter().max_by_key(|text| text.len()).cloned().unwrap_or_default();
            self.open_game(game, &sample)
        };
        self.advise_at(&position, longest, who, plan, entries, budget)
    }

    /// The same for a position of any game. `game_of` makes the game for boards as large as the longest of some texts.
    ///
    /// # Errors
    /// As for [`advise`](Engine::advise).
    pub fn advise_at(
        &self,
        position: &Position,
        game_of: impl FnOnce(&[String]) -> Result<AnyGame, NameError>,
        who: Player,
        plan: Plan,
        entries: usize,
        budget: &Budget,
    ) -> Result<Advice, EngineError> {
        let choices = position.moves(who, usize::MAX);
        let mut texts = vec![position.show()];
        texts.extend(choices.iter().map(|choice| choice.result.clone()));
        let game = game_of(&texts)?;
        let starts = BoardStarts { game, text: Box::new(move |number| texts[number as usize].clone()) };
        let unlimited = Budget::unlimited();
        let (mut pool, mut sum) = starts.start(0, &self.store, &unlimited)?;
        let before = sum.score.clone();
        let (kernel, mut strategy) = (self.store.kernel(budget), plan.begin(entries));
        let mut table = StrategyContext { pool: &mut pool, kernel: &kernel };
        let decision = choose(&mut *strategy, &sum, who, &mut table)?;
        sum.play(decision.at, who, &mut pool);
        // The strategy has seen parts in normal form: its move is one that leaves the same parts for as many points.
        let (wanted, points) = (Remains::of(&sum, pool), &sum.score - &before);
        // A game may join small parts of a whole board into one (strips of free moves, say), which no part alone shows: then values decide.
        for same in [Remains::same_parts, Remains::same_value] {
            for (number, choice) in (1..).zip(&choices) {
                let (pool, sum) = starts.start(number, &self.store, &unlimited)?;
                let same_points = Dyadic::integer(choice.points) == points;
                if same_points && same(&Remains::of(&sum, pool), &wanted, &kernel) {
                    let (mv, after) = (choice.text.clone(), choice.result.clone());
                    return Ok(Advice { mv, after, sure: decision.sure, nodes: strategy.nodes() });
                }
            }
        }
        Err(EngineError::NoSuchMove { strategy: plan.name() })
    }
}

/// The parts of a position, as far as they do not cancel.
struct Remains<'a> {
    pool: RefCell<Pool<'a>>,
    parts: BTreeMap<String, Part>,
}

/// A part of which a position may have several, and negatives.
struct Part {
    /// How often it occurs, less how often its negative does.
    times: i64,
    /// One of them, and 1, or -1 if it is a negative.
    sample: (ComponentId, i64),
}

impl<'a> Remains<'a> {
    fn of(sum: &Sum, pool: Pool<'a>) -> Remains<'a> {
        let mut parts = BTreeMap::new();
        for &local in &sum.components {
            let shown = pool.show(local);
            // As a pool writes negatives.
            let (text, times) = match shown.strip_prefix("-(").and_then(|text| text.strip_suffix(')')) {
                Some(text) => (text.to_owned(), -1),
                None => (shown, 1),
            };
            parts.entry(text).or_insert(Part { times: 0, sample: (local, times) }).times += times;
        }
        Remains { pool: RefCell::new(pool), parts }
    }

    /// How much more often each part occurs here than there.
    fn difference<'b>(&'b self, other: &'b Remains<'a>) -> impl Iterator<Item = (&'b str, i64)> {
        let texts: BTreeSet<&String> = self.parts.keys().chain(other.parts.keys()).collect();
        let times = |remains: &Remains<'a>, text: &str| remains.parts.get(text).map_or(0, |part| part.times);
        texts.into_iter().map(move |text| (text.as_str(), times(self, text) - times(other, text)))
    }

    fn same_parts(&self, other: &Remains<'a>, kernel: &Kernel<'_>) -> bool {
        self.difference(other).all(|(text, times)| {
            // A part that is its own negative may be written either way.
            times == 0
                || times % 2 == 0
                    && (self.is_own_negative(text, kernel) || other.is_own_negative(text, kernel))
        })
    }

    fn same_value(&self, other: &Remains<'a>, kernel: &Kernel<'_>) -> bool {
        let mut total = Value::ZERO;
        for (text, times) in self.difference(other).filter(|&(_, times)| times != 0) {
            let Some(value) = self.value(text, kernel).or_else(|| other.value(text, kernel)) else {
                return false;
            };
            let Ok(sum) = kernel.times(times, value).and_then(|value| kernel.add(total, value)) else {
                return false;
            };
            total = sum;
        }
        total == Value::ZERO
    }

    /// The value of one of the parts; none if there is no such part, or if a limit came first.
    fn value(&self, text: &str, kernel: &Kernel<'_>) -> Option<Value> {
        let (local, sign) = self.parts.get(text)?.sample;
        let value = self.pool.borrow_mut().value(local, kernel).ok()?;
        kernel.times(sign, value).ok()
    }

    fn is_own_negative(&self, text: &str, kernel: &Kernel<'_>) -> bool {
        let Some(value) = self.value(text, kernel) else { return false };
        kernel.neg(value).is_ok_and(|negative| negative == value)
    }
}
