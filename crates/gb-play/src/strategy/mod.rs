//! Ways to choose a move in a sum, for play against each other.
//!
//! All of them look at the local games one by one, except for the two alpha-beta searches and optimal play. They know no
//! game: a [`Pool`] may hold boards or plain values.

mod alphabeta;
mod greedy_hotstrat;
mod lookahead;
mod one_by_one;
mod study;
mod thermal_alphabeta;

use std::str::FromStr;

use gb_board::nearest;
use gb_search::ScoreError;
use gb_search::pool::Pool;
use gb_value::{Dyadic, Halt, Kernel, Player, ValueError};

use crate::sum::Sum;
use gb_search::sum::SumMove;

use alphabeta::{Plain, Search};
use greedy_hotstrat::GreedyHotstrat;
use one_by_one::OneByOne;
use study::Study;
use thermal_alphabeta::Thermal;

/// What a strategy works with: the games, and values within a budget.
pub struct StrategyContext<'d, 'a> {
    /// The local games.
    pub pool: &'d mut Pool<'a>,
    /// For values; its budget is the strategy's.
    pub kernel: &'d Kernel<'d>,
}

/// A move, and how sure the strategy is of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The move.
    pub at: SumMove,
    /// How sure.
    pub sure: Sure,
}

/// How sure a strategy is of its move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sure {
    /// No move is better: proven.
    Best,
    /// Playing on like this, at most so many points are lost: proven.
    Within(Dyadic),
    /// No move is better as far as this many moves ahead are concerned.
    Depth(u32),
    /// A rule of thumb.
    Guess,
    /// The budget ran out before anything was known.
    RanOut,
}

/// Why a strategy makes no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StrategyError {
    /// A local game has no value.
    #[error(transparent)]
    Score(#[from] ScoreError),
    /// The strategy is for other games.
    #[error("{strategy} does not fit {game}: {why}")]
    Misfit {
        /// The strategy.
        strategy: &'static str,
        /// The game.
        game: String,
        /// What it would need.
        why: &'static str,
    },
    /// Nothing to choose from.
    #[error("{who} has no move")]
    NoMove {
        /// Who was to move.
        who: Player,
    },
}

impl From<Halt> for StrategyError {
    fn from(stop: Halt) -> Self {
        ScoreError::Halt(stop).into()
    }
}

impl From<ValueError> for StrategyError {
    fn from(error: ValueError) -> Self {
        match error {
            ValueError::Halt(stop) => stop.into(),
            _ => Halt::Loopy.into(),
        }
    }
}

/// A way to choose a move. One instance plays one game: it may remember what happened.
pub trait Strategy {
    /// A move in a sum in which `who` has one.
    fn choose(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Decision, StrategyError>;
    /// Positions looked at so far.
    fn nodes(&self) -> u64;
}

/// Asks a strategy for a move. If the budget runs out before it knows any, the move that earns most at once.
///
/// # Errors
/// If there is no move, if the strategy does not fit the game, or if a local game has no value.
pub fn choose(
    strategy: &mut dyn Strategy,
    sum: &Sum,
    who: Player,
    context: &mut StrategyContext<'_, '_>,
) -> Result<Decision, StrategyError> {
    let mut best: Option<(Dyadic, SumMove)> = None;
    for at in sum.moves(who, context.pool) {
        let gain = gain(&context.pool.moves(sum.components[at.component], who)[at.index].points, who);
        if best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, at));
        }
    }
    let Some((_, at)) = best else { return Err(StrategyError::NoMove { who }) };
    match strategy.choose(sum, who, context) {
        Err(StrategyError::Score(ScoreError::Halt(
            Halt::Nodes | Halt::Bytes | Halt::Time | Halt::Cancelled,
        ))) => Ok(Decision { at, sure: Sure::RanOut }),
        other => other,
    }
}

/// Points from the mover's side.
fn gain(points: &Dyadic, who: Player) -> Dyadic {
    if who == Player::Left { points.clone() } else { -points }
}

/// A strategy by name, as typed: `hotstrat`, `alpha-beta:6`. The number is the depth of search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    kind: Kind,
    /// How deep to search; `None`: to the end.
    depth: Option<u32>,
}

macro_rules! kinds {
    ($($kind:ident $name:literal $about:literal,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Kind { $($kind),* }

        /// The strategies, each with a sentence about it.
        pub const STRATEGIES: &[(&str, &str)] = &[$(($name, $about)),*];

        const KINDS: &[Kind] = &[$(Kind::$kind),*];
    };
}
kinds! {
    Optimal "optimal" "Adds exact values up and chooses a move that no other is better than.",
    Hotstrat "hotstrat" "Moves in the hottest local game.",
    GreedyHotstrat "greedy-hotstrat" "Looks ahead in the values of the hottest local games, without dominated moves; else hottest and most points first.",
    Thermostrat "thermostrat" "Moves where the thermograph is widest, at the temperature where that earns most.",
    Sentestrat "sentestrat" "Answers a move that has made its local game hotter than the rest; else as hotstrat.",
    GreedyByStops "greedy" "Moves in the local game with the greatest difference of stops, for the best stop.",
    AlphaBeta "alpha-beta" "Searches all local games together.",
    ThermalAlphaBeta "thermal-alpha-beta" "As alpha-beta, with the thermographs of the local games for order and bounds.",
}

impl Plan {
    /// The name as typed.
    pub fn name(&self) -> String {
        let name = STRATEGIES[self.kind as usize].0;
        match self.depth {
            Some(depth) => format!("{name}:{depth}"),
            None => name.into(),
        }
    }

    /// A new instance, whose tables hold at most this many entries.
    pub fn begin(&self, entries: usize) -> Box<dyn Strategy> {
        let (study, depth) = (Study::new(self.depth, entries), self.depth.unwrap_or(u32::MAX));
        match self.kind {
            Kind::Optimal => Box::new(OneByOne { study, rule: one_by_one::optimal }),
            Kind::Hotstrat => Box::new(OneByOne { study, rule: one_by_one::hotstrat }),
            Kind::GreedyHotstrat => Box::new(GreedyHotstrat::new(study)),
            Kind::Thermostrat => Box::new(OneByOne { study, rule: one_by_one::thermostrat }),
            Kind::Sentestrat => Box::new(OneByOne { study, rule: one_by_one::sentestrat() }),
            Kind::GreedyByStops => Box::new(OneByOne { study, rule: one_by_one::greedy }),
            Kind::AlphaBeta => Box::new(Search::new(depth, entries, Plain)),
            Kind::ThermalAlphaBeta => Box::new(Search::new(depth, entries, Thermal { study })),
        }
    }
}

/// Why a text is no strategy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// There is no such name.
    #[error("there is no strategy `{name}`; {hint}")]
    Unknown {
        /// What was typed.
        name: String,
        /// What could have been meant.
        hint: String,
    },
    /// The depth is no number, or 0.
    #[error("`{text}` is no depth for {name}: expected a number of at least 1, as in `{name}:4`")]
    Depth {
        /// What was typed.
        text: String,
        /// The strategy.
        name: String,
    },
    /// Optimal play does not stop early.
    #[error("optimal takes no depth, but `{0}` was given: it searches to the end")]
    NoDepth(String),
}

impl FromStr for Plan {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Plan, PlanError> {
        let (name, depth) = match text.trim().split_once(':') {
            Some((name, depth)) => (name, Some(depth)),
            None => (text.trim(), None),
        };
        let names = || STRATEGIES.iter().map(|(name, _)| *name);
        let Some(index) = names().position(|known| known == name) else {
            let hint = match nearest(name, names()).first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the strategies are {}", names().collect::<Vec<_>>().join(", ")),
            };
            return Err(PlanError::Unknown { name: name.into(), hint });
        };
        let kind = KINDS[index];
        let depth = match depth {
            None => None,
            Some(text) if kind == Kind::Optimal => return Err(PlanError::NoDepth(text.into())),
            Some(text) => {
                let wrong = || PlanError::Depth { text: text.into(), name: name.into() };
                Some(text.parse().ok().filter(|&depth| depth > 0).ok_or_else(wrong)?)
            }
        };
        Ok(Plan { kind, depth })
    }
}
