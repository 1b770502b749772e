//! The exact value.

mod comparer;
mod dominance;
mod guess;
#[cfg(test)]
mod tests;

use gb_rules::{DynGame, Key, Piece, Player, Sign};
use gb_value::{Budget, Halt, Kernel, Value};

use self::comparer::Comparer;
use self::dominance::DominancePruning;
use self::guess::guess;
use crate::search::{Question, SearchContext, TableFor, search};

/// Asks for the canonical form. Where a player can win everywhere, that is `on` or `off`; [`threats`](crate::question::threats)
/// finds the same values faster.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactValue;

impl Question for ExactValue {
    type Fact = Value;
    const PLAYERS: &'static [Player] = &Player::BOTH;

    fn are_equal(a: &Value, b: &Value) -> bool {
        a == b
    }

    fn known<const N: usize>(
        &self,
        game: &dyn DynGame<N>,
        part: &Key<N>,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Value>, Halt> {
        match game.global_win(part) {
            Some(Player::Left) => Ok(Some(Value::ON)),
            Some(Player::Right) => Ok(Some(Value::OFF)),
            None => game.known(part, kernel),
        }
    }

    fn negate(&self, fact: Value, kernel: &Kernel<'_>) -> Result<Value, Halt> {
        kernel.neg(fact)
    }

    fn sum(&self, points: i64, facts: &[Value], kernel: &Kernel<'_>) -> Result<Value, Halt> {
        let sum = kernel.sum(facts)?;
        if points == 0 { Ok(sum) } else { kernel.add(sum, kernel.integer(points)) }
    }

    fn compose(&self, lefts: &[Value], rights: &[Value], kernel: &Kernel<'_>) -> Result<Value, Halt> {
        kernel.from_options(lefts, rights)
    }
}

/// Parts of at most this size are simply searched.
const SMALL: usize = 14;
/// So are larger ones that take no more nodes than this.
const NODES_OF_TRIAL: u64 = 2_000;
/// What the first guess at a value may take.
const NODES_OF_GUESS: u64 = 32_000;
/// How many nodes each way may take in the first round; every round has twice as many as the one before. Nodes and not time,
/// so that a search by one thread does the same whenever it is repeated.
const FIRST_ROUND: u64 = 200_000;
/// Whatever happens, this share of a round goes to guesses.
const SHARE_OF_GUESSES: u64 = 4;

/// The exact value of a position, without the values of all its options where there is a shorter way.
///
/// A large part is searched for a while, then its value is guessed and the guess proven. If that does not help, three ways
/// take turns, in rounds that grow longer: leaving options out that are proven to be no better than others (as long as
/// such proofs succeed), searching everything, and guessing. Each goes on where it stopped.
///
/// # Errors
/// If the budget runs out. Everything that was found stays in `values`.
pub fn exact_value<const N: usize>(
    game: &dyn DynGame<N>,
    values: &TableFor<N, ExactValue>,
    at: &Key<N>,
    context: &SearchContext<'_>,
) -> Result<Value, Halt> {
    if game.has_global_wins() || game.info().loopy {
        return search(game, &ExactValue, values, at, context);
    }
    let kernel = context.store.kernel(context.budget);
    let mut pieces: Vec<Piece<N>> = vec![];
    game.pieces(at, &mut pieces);
    let mut total = Value::ZERO;
    for piece in pieces {
        let value = value_of_part(game, values, &piece, context)?;
        total = kernel.add(total, if piece.sign == Sign::Plus { value } else { kernel.neg(value)? })?;
    }
    Ok(total)
}

/// The value of a normalised part.
fn value_of_part<const N: usize>(
    game: &dyn DynGame<N>,
    values: &TableFor<N, ExactValue>,
    piece: &Piece<N>,
    context: &SearchContext<'_>,
) -> Result<Value, Halt> {
    let (part, size, whole) = (&piece.key, piece.size, context.budget);
    let plain = |context: &SearchContext<'_>| search(game, &ExactValue, values, part, context);
    if size <= SMALL {
        return plain(context);
    }
    if let Some(value) = within(whole.part(NODES_OF_TRIAL), context, plain)? {
        return Ok(value);
    }
    let comparer = Comparer::new(game, values, SMALL, context);
    let pruning = DominancePruning::new(game, values, SMALL.max(size / 2), context);
    let mut effort = whole.part(NODES_OF_GUESS);
    let mut round = FIRST_ROUND;
    let mut may_guess = true;
    loop {
        if may_guess {
            match within(effort, context, |context| guess(game, &comparer, part, context))? {
                Some(Some(value)) => {
                    values.finish(part, value);
                    return Ok(value);
                }
                Some(None) => may_guess = false,
                None => {}
            }
        }
        let turns = turns(&pruning);
        if turns[0] > 0 {
            let nodes = round.saturating_mul(turns[0]);
            if let Some(value) = within(whole.part(nodes), context, |context| pruning.part(part, context))? {
                return Ok(value);
            }
        } else if !may_guess {
            // Nothing else is left.
            return plain(context);
        }
        let nodes = round.saturating_mul(turns[1]);
        if let Some(value) = within(whole.part(nodes), context, plain)? {
            return Ok(value);
        }
        effort = whole.part(round / SHARE_OF_GUESSES);
        round = round.saturating_mul(2);
    }
}

/// How much longer than a round options are left out and everything is searched: comparisons that fail are in vain,
/// and seldom pay where one in two does.
fn turns<const N: usize>(pruning: &DominancePruning<'_, N>) -> [u64; 2] {
    let (comparisons, successes) = pruning.counts();
    match successes * 100 {
        _ if comparisons < 64 => [1, 1],
        percent if percent >= comparisons * 65 => [8, 1],
        percent if percent >= comparisons * 45 => [1, 4],
        _ => [0, 1],
    }
}

/// Searches under a part of the whole budget; nothing if only that part was too small.
fn within<T>(
    budget: Budget,
    context: &SearchContext<'_>,
    search: impl FnOnce(&SearchContext<'_>) -> Result<T, Halt>,
) -> Result<Option<T>, Halt> {
    let found = search(&SearchContext { budget: &budget, ..*context });
    context.budget.spend(budget.nodes(), 0)?;
    match found {
        Err(Halt::Nodes) => Ok(None),
        found => found.map(Some),
    }
}
