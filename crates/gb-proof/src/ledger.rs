//! Facts by their names alone, for checking: 128 bits of a BLAKE3 hash for each.

use std::io;

use gb_rules::Player;
use gb_value::Value;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::boards::{Part, short_hash};
use crate::facts::Sum;
use crate::spill::{Payload, Room, SpillMap};

/// Values by number, and their numbers.
#[derive(Default)]
pub(crate) struct Numbers {
    values: Vec<Value>,
    numbers: FxHashMap<Value, u32>,
}

impl Numbers {
    /// The number of a value, which gets one if it has none.
    pub(crate) fn give(&mut self, value: Value) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.values.len() as u32 - 1
        })
    }

    pub(crate) fn value(&self, number: u32) -> Value {
        self.values[number as usize]
    }
}

/// The values of parts and the sums that are lost, by their names.
pub(crate) struct Ledger<'s> {
    facts: SpillMap<'s>,
    numbers: Numbers,
}

impl<'s> Ledger<'s> {
    pub(crate) fn new(room: Room<'s>) -> Ledger<'s> {
        Ledger { facts: SpillMap::new(room), numbers: Numbers::default() }
    }

    pub(crate) fn value_of(&self, part: Part) -> io::Result<Option<Value>> {
        self.facts.look(part, |payload| self.numbers.value(first_number(payload)))
    }

    pub(crate) fn has_value(&mut self, part: Part, value: Value) -> io::Result<()> {
        let number = self.numbers.give(value);
        self.facts.insert(part, Payload::from_slice(&number.to_le_bytes()))
    }

    /// Whether a player is said to lose a sum by moving first.
    pub(crate) fn states(&self, first: Player, sum: &Sum) -> io::Result<bool> {
        let worth = [sum.worth.value, sum.worth.less].map(|value| self.numbers.numbers.get(&value).copied());
        let [Some(value), Some(less)] = worth else { return Ok(false) };
        self.facts.contains(name(first, sum, [value, less]))
    }

    pub(crate) fn lose(&mut self, first: Player, sum: &Sum) -> io::Result<()> {
        let worth = [sum.worth.value, sum.worth.less].map(|value| self.numbers.give(value));
        self.facts.insert(name(first, sum, worth), Payload::new())
    }
}

/// The number that a payload begins with.
pub(crate) fn first_number(payload: &[u8]) -> u32 {
    payload.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The name of a sum. Texts of parts, of which names are made as well, do not begin with such bytes.
fn name(first: Player, sum: &Sum, worth: [u32; 2]) -> u128 {
    let mut bytes: SmallVec<[u8; 64]> = smallvec![first as u8];
    worth.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    sum.parts.iter().for_each(|part| bytes.extend_from_slice(&part.to_le_bytes()));
    short_hash(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Worth;
    use crate::spill::tests::scratch_files;

    /// What is on disk is found as what is in memory is.
    #[test]
    fn nothing_is_lost_on_disk() {
        let made = std::cell::Cell::new(0);
        let scratch = scratch_files(&made);
        let mut small = Ledger::new(Room { bytes: 0, scratch: Some(&scratch) });
        let mut large = Ledger::new(Room::UNLIMITED);
        let part = |n: u32| short_hash(&n.to_le_bytes());
        let sum = |n: u32| Sum { parts: [part(n)].into_iter().collect(), worth: Worth::less(Value::ON) };
        for n in 0..20_000 {
            let value = [Value::ZERO, Value::ON, Value::OFF][n as usize % 3];
            for ledger in [&mut small, &mut large] {
                ledger.has_value(part(n % 15_000), value).unwrap();
                if n % 5 == 0 {
                    ledger.lose(Player::Right, &sum(n)).unwrap();
                }
            }
        }
        assert!(made.get() > 50);
        for n in 0..21_000 {
            assert_eq!(small.value_of(part(n)).unwrap(), large.value_of(part(n)).unwrap(), "{n}");
            assert_eq!(small.states(Player::Right, &sum(n)).unwrap(), n % 5 == 0 && n < 20_000, "{n}");
            assert!(!small.states(Player::Left, &sum(n)).unwrap());
        }
    }
}
