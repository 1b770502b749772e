//! How parts of boards become summands: with their values, where these are known or quickly found.

use gb_rules::{Key, Piece, Sign};
use gb_value::{Halt, Value};

use super::super::key::{SumKey, key_of};
use super::super::sum::{Component, State, times};
use super::super::{PartValue, Settings};
use super::Searcher;
use crate::question::ExactValue;
use crate::search::{SearchContext, search};

/// The value of a part may take this share of the nodes that the search has taken.
const VALUES_SHARE: u64 = 8;
impl<const N: usize> Searcher<'_, N> {
    /// Adds the parts of a board to a sum.
    pub(super) fn split(&mut self, board: &Key<N>, sign: Sign, state: &mut State<N>) -> Result<(), Halt> {
        let mut pieces = std::mem::take(&mut self.pieces);
        self.game.pieces(board, &mut pieces);
        let added = pieces.iter().try_for_each(|piece| self.add(piece, sign, state));
        pieces.clear();
        self.pieces = pieces;
        added
    }

    fn add(&mut self, piece: &Piece<N>, sign: Sign, state: &mut State<N>) -> Result<(), Halt> {
        let sign = times(sign, piece.sign);
        let key = key_of(&piece.key);
        match self.value(piece, key)? {
            Some(value) => {
                let value = if sign == Sign::Plus { value } else { self.kernel.neg(value)? };
                self.add_value(value, state)
            }
            None => {
                state.add(Component::board(piece.key, sign, key));
                Ok(())
            }
        }
    }

    /// Adds a value to a sum: to the other values if that is cheap, and otherwise as a summand of its own. The sum of some hot games
    /// has a value that is much larger than all of them, and it is seldom needed.
    pub(super) fn add_value(&mut self, value: Value, state: &mut State<N>) -> Result<(), Halt> {
        match self.cheap_sum(state.value, value)? {
            Some(sum) => state.value = sum,
            None => {
                for value in [std::mem::replace(&mut state.value, Value::ZERO), value] {
                    state.add(Component::value(value, &self.kernel, &self.local.value_keys)?);
                }
            }
        }
        Ok(())
    }

    fn cheap_sum(&mut self, a: Value, b: Value) -> Result<Option<Value>, Halt> {
        if !self.settings.side_by_side || a.is_packed() || b.is_packed() {
            return self.kernel.add(a, b).map(Some);
        }
        let key = key_of(&(a.min(b), a.max(b)));
        if let Some(&sum) = self.local.sums.get(key) {
            return Ok(sum);
        }
        if self.many_values {
            return Ok(None);
        }
        let allowed = self.local.trials.nodes_of_sum(self.nodes_before + self.nodes);
        let budget = self.kernel.budget().part(allowed);
        let sum = self.kernel.store().kernel(&budget).add(a, b);
        self.kernel.budget().spend(budget.nodes(), 0)?;
        self.local.trials.add(budget.nodes(), sum.is_ok());
        let sum = match sum {
            Ok(sum) => Some(sum),
            Err(Halt::Nodes) => None,
            Err(stop) => return Err(stop),
        };
        self.local.sums.set(key, sum);
        Ok(sum)
    }

    /// The value of a part if that is known or quickly found.
    fn value(&mut self, piece: &Piece<N>, key: SumKey) -> Result<Option<Value>, Halt> {
        let board = &piece.key;
        let is_small = piece.size <= self.settings.valued_size;
        let Settings { first_valued_nodes: first, valued_nodes: most, .. } = *self.settings;
        let nodes = self.nodes_before + self.nodes;
        let worth_it = is_small || self.local.trials.is_worth_it(piece.size, nodes, self.settings);
        if !worth_it && piece.size > self.local.trials.largest {
            return self.game.known(board, &self.kernel);
        }
        let allowed = if is_small {
            (nodes / VALUES_SHARE).clamp(first.min(most), most)
        } else {
            self.local.trials.nodes(nodes, self.settings)
        };
        match self.local.facts.get(key) {
            Some(&PartValue::Known(value)) => {
                self.local.trials.use_again();
                return Ok(Some(value));
            }
            Some(&PartValue::NotWith(nodes)) if allowed < nodes.saturating_mul(4) => return Ok(None),
            _ => {}
        }
        let mut value = self.game.known(board, &self.kernel)?;
        if value.is_none() {
            value = self.values.get(board);
        }
        if value.is_none() {
            if !worth_it || self.many_values || self.local.trials.is_too_much(nodes) {
                return Ok(None);
            }
            let budget = self.kernel.budget().part(allowed);
            let context = SearchContext::new(self.kernel.store(), &budget);
            let found = search(self.game, &ExactValue, self.values, board, &context);
            self.kernel.budget().spend(budget.nodes(), 0)?;
            self.local.trials.spend(budget.nodes(), found.is_ok());
            if !is_small {
                self.local.trials.note(piece.size, budget.nodes(), allowed, found.is_ok());
            }
            value = match found {
                Ok(value) => Some(value),
                Err(Halt::Nodes | Halt::TooLarge(_) | Halt::Repetition) => None,
                Err(stop) => return Err(stop),
            };
        }
        self.local.facts.set(key, value.map_or(PartValue::NotWith(allowed), PartValue::Known));
        Ok(value)
    }
}
