//! Who wins a sum, without its value: a search of moves with a table of bounded size.
//!
//! A position is a sum. Parts that are small are valued exactly and added up; what remains is searched as one sum, in
//! which a part and its negative cancel and sums that differ by symmetries are one. The search asks only whether the
//! player to move wins, looks at all moves before it follows one, and keeps what it finds in a table of fixed size.

mod key;
mod search;
mod sum;
mod table;

use gb_rules::{DynGame, Key, Player, Sign};
use gb_value::loopy::Ending;
use gb_value::{Halt, OutcomeClass, Value};

use self::key::SumKey;
use self::search::Searcher;
use self::table::Wins;
use crate::alphabeta::{Growth, ReplacingTable};
use crate::question::{ExactValue, ThreatSearch, ThreatTable};
use crate::repeat::endings;
use crate::search::{SearchContext, TableFor};

/// Which rules the search uses. They change the time it takes, never the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Parts of at most this size (see [`gb_rules::Heuristics::size`]) are valued exactly.
    pub valued_size: usize,
    /// How many nodes the exact value of one part may take in the beginning; later a share of what the search has taken so far:
    /// what is small can be hard to value, and easy to decide.
    pub first_valued_nodes: u64,
    /// How many nodes it may take at most.
    pub valued_nodes: u64,
    /// Use what inspection says (see [`gb_rules::Theorems::static_result`]).
    pub verdicts: bool,
    /// Use what is known of the summands alone.
    pub summands: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            valued_size: 10,
            first_valued_nodes: 60,
            valued_nodes: 20_000,
            verdicts: true,
            summands: true,
        }
    }
}

/// What is known of the value of a small part.
#[derive(Clone, Copy, Debug)]
enum PartValue {
    Known(Value),
    /// It was not found with so many nodes.
    NotWith(u64),
}

/// What a search keeps for the next one with the same rules and the same store: who wins which sums.
#[derive(Debug)]
pub struct Memory {
    wins: Wins,
    /// The values of small parts, and which of them have none that is quickly found.
    facts: ReplacingTable<SumKey, PartValue>,
}

impl Memory {
    /// A memory that never takes more than about `max_bytes`.
    pub fn new(max_bytes: u64) -> Memory {
        let facts = max_bytes / 8 / size_of::<Option<(SumKey, PartValue)>>() as u64;
        Memory {
            wins: Wins::new(max_bytes - max_bytes / 8),
            facts: ReplacingTable::new(
                10,
                facts.clamp(1 << 10, 1 << 20).next_power_of_two().ilog2(),
                Growth::Written,
            ),
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.wins.bytes() + self.facts.bytes()
    }
}

impl Default for Memory {
    /// A memory of at most 512 MB.
    fn default() -> Memory {
        Memory::new(512 << 20)
    }
}

/// A sum of boards of one game, some of them negated, and of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum<const N: usize> {
    /// The boards.
    pub boards: Vec<(Key<N>, Sign)>,
    /// Everything else.
    pub value: Value,
    /// What the rest is compared with, that is, subtracted from it; kept apart, since comparing is cheaper than adding.
    pub subtrahend: Value,
}

impl<const N: usize> Sum<N> {
    /// One board alone.
    pub fn of(board: Key<N>) -> Sum<N> {
        Sum { boards: vec![(board, Sign::Plus)], value: Value::ZERO, subtrahend: Value::ZERO }
    }
}

/// Who wins, for each player moving first, as far as the budget went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Winners {
    /// How play ends if Left begins, or why that is not known.
    pub left_first: Result<Ending, Halt>,
    /// How play ends if Right begins, or why that is not known.
    pub right_first: Result<Ending, Halt>,
    /// How many sums were searched.
    pub nodes: u64,
}

impl Winners {
    /// The outcome class, if both are known.
    pub fn outcome(&self) -> Result<OutcomeClass, Halt> {
        Ok(OutcomeClass::of(self.left_first?, self.right_first?))
    }

    /// How play ends if this player begins.
    pub fn ending(&self, first: Player) -> Result<Ending, Halt> {
        match first {
            Player::Left => self.left_first,
            Player::Right => self.right_first,
        }
    }
}

/// Finds who wins a sum, whoever begins. Where play can repeat, by retrograde analysis (see [`endings`]), with draws.
///
/// `values` and `memory` are kept between calls; both must have been used with the same rules and the same store only.
pub fn winners<const N: usize>(
    game: &dyn DynGame<N>,
    sum: &Sum<N>,
    settings: &Settings,
    values: &TableFor<N, ExactValue>,
    memory: &mut Memory,
    context: &SearchContext<'_>,
) -> Winners {
    let mut nodes = 0;
    let mut search = |first| {
        let (winner, searched) = winner(game, sum, first, settings, values, memory, context);
        nodes += searched;
        winner.map(Ending::won_by)
    };
    let left_first = search(Player::Left);
    // Where one search goes round in a circle, the other does too, mostly.
    let repeats = |ending| matches!(ending, Err(Halt::Repetition | Halt::Loopy));
    let right_first = if repeats(left_first) { left_first } else { search(Player::Right) };
    if repeats(left_first) || repeats(right_first) {
        let found = endings(game, sum, context);
        let known = |plain: Result<Ending, Halt>, found| if plain.is_ok() { plain } else { found };
        return Winners {
            left_first: known(left_first, found.left_first),
            right_first: known(right_first, found.right_first),
            nodes: nodes + found.nodes,
        };
    }
    Winners { left_first, right_first, nodes }
}

/// Finds who wins a sum if `first` begins, and says how many sums were searched.
///
/// `values` and `memory` are as in [`winners`].
pub fn winner<const N: usize>(
    game: &dyn DynGame<N>,
    sum: &Sum<N>,
    first: Player,
    settings: &Settings,
    values: &TableFor<N, ExactValue>,
    memory: &mut Memory,
    context: &SearchContext<'_>,
) -> (Result<Player, Halt>, u64) {
    if game.has_global_wins() {
        return winner_by_threats(game, sum, first, context);
    }
    let mut searcher = Searcher::new(game, settings, values, memory, context);
    let wins =
        searcher.state(&sum.boards, sum.value, sum.subtrahend).and_then(|state| searcher.wins(&state, first));
    (wins.map(|wins| if wins { first } else { first.opponent() }), searcher.nodes)
}

/// Where a player can win everywhere, a part and its negative do not cancel and parts are not independent: the values with
/// their threats decide.
fn winner_by_threats<const N: usize>(
    game: &dyn DynGame<N>,
    sum: &Sum<N>,
    first: Player,
    context: &SearchContext<'_>,
) -> (Result<Player, Halt>, u64) {
    let (kernel, table) = (context.store.kernel(context.budget), ThreatTable::<N>::new());
    let mut search = ThreatSearch::new(game, &table, context);
    let mut loses = || {
        let mut total = kernel.sub(sum.value, sum.subtrahend)?;
        for (board, sign) in &sum.boards {
            let value = search.position(board)?.value;
            let value = if *sign == Sign::Plus { value } else { kernel.neg(value)? };
            total = kernel.add(total, value)?;
        }
        match first {
            Player::Left => kernel.le(total, Value::ZERO),
            Player::Right => kernel.le(Value::ZERO, total),
        }
    };
    let winner = loses().map(|loses| if loses { first.opponent() } else { first });
    (winner, search.nodes())
}
