//! Integers between which a value lies, for positions whose values are out of reach.

use gb_rules::{DynGame, Key, Player};
use gb_value::{Halt, Value};

use super::outcome::{Memory, Settings, Sum, winner};
use crate::question::ExactValue;
use crate::search::{SearchContext, TableFor};

/// Integers `low <= G <= high` (missing: nothing is known).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerBounds {
    /// `low <= G`.
    pub low: Option<i64>,
    /// `G <= high`.
    pub high: Option<i64>,
    /// No greater `low` and no lesser `high` would be right.
    pub best: bool,
}

/// How many nodes the first searches may take; later ones take more and more.
const FIRST_NODES: u64 = 500;
/// How far from zero bounds are looked for if inspection says nothing.
const FARTHEST: i64 = 1 << 10;

/// One of the two bounds: what is proven, and what is refuted.
struct Side {
    /// The player for whom the bound is good: Left for `low`.
    who: Player,
    /// Bounds as that player sees them, greater is better: proven.
    proven: Option<i64>,
    /// The least bound that is refuted.
    refuted: Option<i64>,
}

impl Side {
    fn is_best(&self) -> bool {
        self.proven.zip(self.refuted).is_some_and(|(proven, refuted)| proven + 1 >= refuted)
    }

    /// The next bound to try: in the middle of what is open, or twice as far as before.
    fn next(&self) -> Option<i64> {
        let farther = |n: i64| if n <= 0 { 1 } else { 2 * n };
        let next = match (self.proven, self.refuted) {
            (None, None) => 0,
            (Some(proven), None) => proven + farther(proven),
            (None, Some(refuted)) => refuted - farther(-refuted),
            (Some(proven), Some(refuted)) => proven + (refuted - proven) / 2,
        };
        (!self.is_best() && next.abs() <= FARTHEST).then_some(next)
    }
}

/// Finds integer bounds on a value: by inspection, then by searching who wins the difference with an integer, with
/// more and more nodes, until the bounds are the best ones or the budget runs out.
///
/// `G >= n` if and only if Left, moving second, wins `G - n`.
pub fn bounds<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    settings: &Settings,
    values: &TableFor<N, ExactValue>,
    memory: &mut Memory,
    context: &SearchContext<'_>,
) -> IntegerBounds {
    let (low, high) = game.bounds(at);
    let turn = |n: i64| n.checked_neg();
    // What one player has proven the other cannot exceed.
    let limit = |n: Option<i64>| n.and_then(|n| n.checked_add(1));
    let mut sides = [
        Side { who: Player::Left, proven: low, refuted: limit(high) },
        Side { who: Player::Right, proven: high.and_then(turn), refuted: limit(low.and_then(turn)) },
    ];
    let store = context.store;
    let mut nodes = FIRST_NODES;
    while sides.iter().any(|side| side.next().is_some()) {
        for side in &mut sides {
            while let Some(bound) = side.next() {
                let integer = if side.who == Player::Left { -bound } else { bound };
                let value =
                    if integer == 0 { Value::ZERO } else { store.kernel(context.budget).integer(integer) };
                let sum = Sum { value, ..Sum::of(*at) };
                let budget = context.budget.part(nodes);
                let part = SearchContext::new(store, &budget);
                let (found, _) = winner(game, &sum, side.who.opponent(), settings, values, memory, &part);
                if context.budget.spend(budget.nodes(), 0).is_err() {
                    return answer(&sides);
                }
                match found {
                    Ok(winner) if winner == side.who => side.proven = Some(bound),
                    Ok(_) => side.refuted = Some(bound),
                    Err(Halt::Nodes) => break,
                    Err(_) => return answer(&sides),
                }
            }
        }
        nodes = nodes.saturating_mul(4);
    }
    answer(&sides)
}

fn answer([left, right]: &[Side; 2]) -> IntegerBounds {
    IntegerBounds {
        low: left.proven,
        high: right.proven.and_then(i64::checked_neg),
        best: left.is_best() && right.is_best(),
    }
}
