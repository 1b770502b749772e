//! The value of a whole sum, tried now and then while it is searched.
//!
//! To add canonical forms and to search their sum are two ways to know who wins. Adding takes as much as the values are large, and searching as much as
//! there are orders of play; neither can be told beforehand. So the search stops at some numbers of nodes, and as much time as it has taken goes into adding.

use gb_rules::{Player, Sign};
use gb_value::{Halt, Value};
use smallvec::SmallVec;

use super::super::key::{SumKey, key_of, signed};
use super::super::shared::Leave;
use super::super::sum::{State, What};
use super::super::{PartValue, Sum};
use super::Searcher;
use crate::question::ExactValue;
use crate::search::{SearchContext, search};

/// Nodes after which the value is tried first,
const FIRST: u64 = 2_000;
/// and so many times as many each time.
const GROWTH: u64 = 4;
/// Adding may take so many times the nodes of the search: its nodes are as many times cheaper.
const NODES_OF_SUM: u64 = 12;
/// A node of adding takes no more bytes than this, with its share of the tables, and one of a board no more than four times as many.
const BYTES_OF_NODE: u64 = 256;
/// The values of boards may take this share of them: their nodes are as dear.
const SHARE_OF_BOARDS: u64 = 4;

/// When the value is tried.
pub(super) struct Rounds {
    /// Nodes after which the search stops for it.
    pub(super) limit: u64,
    next: u64,
}

impl Rounds {
    pub(super) const NEVER: Rounds = Rounds { limit: u64::MAX, next: u64::MAX };

    /// For the search of one thread, or for that of several.
    pub(super) fn new(alone: bool) -> Rounds {
        let next = if alone { FIRST } else { GROWTH * FIRST };
        Rounds { limit: u64::MAX, next }
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// Whether the player to move wins a sum of boards and values.
    pub(in super::super) fn decide(
        &mut self,
        sum: &Sum<N>,
        first: Player,
        in_rounds: bool,
    ) -> Result<bool, Leave> {
        let keys = sum.boards.iter().map(|(board, sign)| signed(key_of(board), *sign));
        let name = keys.fold(key_of(&sum.value), |name: SumKey, key| name.wrapping_add(key));
        if let Some((known, total)) = self.local.total
            && known == name
        {
            return Ok(self.begins_and_wins(total, sum.subtrahend, first)?);
        }
        if in_rounds {
            self.rounds = Rounds::new(self.busy.is_none());
        }
        loop {
            let state = self.state(&sum.boards, sum.value, sum.subtrahend)?;
            // Of a part alone the search knows whether its value is worth its price.
            self.rounds.limit = if state.parts.len() > 1 { self.rounds.next } else { u64::MAX };
            match self.wins(&state, first) {
                Err(Leave::Limit) => {}
                found => return found,
            }
            self.rounds.next = self.nodes.saturating_mul(GROWTH);
            if self.many_values {
                self.rounds.next = u64::MAX;
            } else if let Some(total) = self.total(&state)? {
                self.local.total = Some((name, total));
                return Ok(self.begins_and_wins(total, sum.subtrahend, first)?);
            }
        }
    }

    /// Whether a player who begins wins a value, less another one.
    pub(super) fn begins_and_wins(
        &self,
        value: Value,
        subtrahend: Value,
        first: Player,
    ) -> Result<bool, Halt> {
        Ok(!match first {
            Player::Left => self.kernel.le(value, subtrahend)?,
            Player::Right => self.kernel.le(subtrahend, value)?,
        })
    }

    /// The value of a sum, without what it is compared with, if it does not take too much.
    fn total(&mut self, state: &State<N>) -> Result<Option<Value>, Halt> {
        let mut values: SmallVec<[Value; 8]> = SmallVec::from_slice(&[state.value]);
        // What values take is never given back, and the search has to go on.
        let mut left = (self.nodes / SHARE_OF_BOARDS).min(self.room_for_values() / (4 * BYTES_OF_NODE));
        for part in &state.parts {
            match part.what {
                What::Value(value) => values.push(value),
                What::Board(board, sign) => {
                    let budget = self.kernel.budget().part(left);
                    let context = SearchContext::new(self.kernel.store(), &budget);
                    let found = search(self.game, &ExactValue, self.values, &board, &context);
                    self.kernel.budget().spend(budget.nodes(), 0)?;
                    left = left.saturating_sub(budget.nodes());
                    match found {
                        Ok(value) => {
                            self.local.facts.set(key_of(&board), PartValue::Known(value));
                            self.local.trials.is_valued(self.game.size(&board));
                            values.push(if sign == Sign::Plus { value } else { self.kernel.neg(value)? });
                        }
                        Err(Halt::Nodes | Halt::Bytes | Halt::TooLarge(_) | Halt::Repetition) => {
                            return Ok(None);
                        }
                        Err(halt) => return Err(halt),
                    }
                }
            }
        }
        let nodes = (self.nodes * NODES_OF_SUM).min(self.room_for_values() / BYTES_OF_NODE);
        let budget = self.kernel.budget().part(nodes);
        let adding = self.kernel.store().kernel(&budget);
        let total = values.iter().try_fold(Value::ZERO, |total, &value| adding.add(total, value));
        drop(adding);
        self.kernel.budget().spend(budget.nodes(), 0)?;
        match total {
            Ok(total) => Ok(Some(total)),
            Err(Halt::Nodes | Halt::Bytes | Halt::TooLarge(_)) => Ok(None),
            Err(halt) => Err(halt),
        }
    }
}
