//! Sums that differ from an earlier one in their value alone: who wins with a value wins with every better one.
//!
//! Of a row of stones the search meets thousands of sums with many values beside one part that has none. A few of them decide most of the others, since the winner
//! can only change for the better when the value does. (MCGS bounds parts on a scale of ups and stars; here the scale is made of the values that
//! were met.)

use std::cell::{Cell, RefCell};

use gb_rules::Player;
use gb_value::{Halt, Kernel, Value};

use super::key::SumKey;
use crate::alphabeta::{Growth, ReplacingTable};

/// So many values are kept with which the player to move wins, and so many with which not.
const KEPT: usize = 4;
/// So many times it is asked in the beginning, and again now and then,
const FIRST: u64 = 8_000;
/// and then as long as one in so many times there is an answer. In rows of Clobber one in six has one after some time, and two thirds of the nodes are saved; in boards of
/// Clobber, Domineering and NoGo one in a hundred, which takes longer than it saves. With 32 Toads and Frogs, whose values are dear to compare, takes a quarter longer, and with 14 a tenth less.
const WORTH: u64 = 14;
/// After so many times that it was not worth it, it is tried again.
const PAUSE: u64 = 64 * FIRST;

/// The values beside some parts with which the player to move wins, and with which not: none is better than another of its list.
#[derive(Clone, Copy)]
struct Found([Few; 2]);

/// A short list, the newest first.
#[derive(Clone, Copy)]
struct Few {
    values: [Value; KEPT],
    len: u8,
}

impl Few {
    const NONE: Few = Few { values: [Value::ZERO; KEPT], len: 0 };

    fn get(&self) -> &[Value] {
        &self.values[..usize::from(self.len)]
    }

    fn push(&mut self, value: Value) {
        if usize::from(self.len) < KEPT {
            self.values[usize::from(self.len)] = value;
            self.len += 1;
        }
    }
}

/// Some parts with a value beside them, as the player to move sees them.
#[derive(Clone, Copy)]
pub(super) struct Beside {
    /// The key of everything but the value.
    pub(super) parts: SumKey,
    pub(super) value: Value,
    /// Who likes values that are greater (Left) or less.
    pub(super) as_whom: Player,
}

impl Beside {
    /// Whether `a` is at least as good as `b` for the player to move.
    fn is_as_good(&self, a: Value, b: Value, kernel: &Kernel<'_>) -> Result<bool, Halt> {
        if self.as_whom == Player::Left { kernel.le(b, a) } else { kernel.le(a, b) }
    }
}

/// With which values who wins.
pub(super) struct Witnesses {
    found: RefCell<ReplacingTable<SumKey, Found>>,
    asked: Cell<u64>,
    answered: Cell<u64>,
    /// How often it was not asked since then.
    passed: Cell<u64>,
}

impl Witnesses {
    /// A table that takes no more than so many bytes.
    pub(super) fn new(max_bytes: u64) -> Witnesses {
        let entries = max_bytes / size_of::<Option<(SumKey, Found)>>() as u64;
        let bits = entries.clamp(1 << 8, 1 << 24).ilog2();
        Witnesses {
            found: RefCell::new(ReplacingTable::new(8, bits, Growth::Filled)),
            asked: Cell::new(0),
            answered: Cell::new(0),
            passed: Cell::new(0),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.found.borrow().bytes()
    }

    /// Whether it has been worth asking.
    #[inline]
    pub(super) fn are_worth_it(&self) -> bool {
        let are = self.asked.get() < FIRST || self.answered.get() * WORTH > self.asked.get();
        if !are {
            self.passed.set(self.passed.get() + 1);
            if self.passed.get() == PAUSE {
                [&self.asked, &self.answered, &self.passed].into_iter().for_each(|count| count.set(0));
            }
        }
        are
    }

    /// Whether the player to move wins, if that follows from another value beside the same parts.
    pub(super) fn winner(&self, sum: Beside, kernel: &Kernel<'_>) -> Result<Option<bool>, Halt> {
        self.asked.set(self.asked.get() + 1);
        let found = self.found.borrow();
        let Some(Found([wins, loses])) = found.get(sum.parts) else { return Ok(None) };
        for &value in wins.get() {
            if sum.is_as_good(sum.value, value, kernel)? {
                self.answered.set(self.answered.get() + 1);
                return Ok(Some(true));
            }
        }
        for &value in loses.get() {
            if sum.is_as_good(value, sum.value, kernel)? {
                self.answered.set(self.answered.get() + 1);
                return Ok(Some(false));
            }
        }
        Ok(None)
    }

    /// Remembers who wins a sum. What follows from it is forgotten.
    pub(super) fn note(&self, sum: Beside, wins: bool, kernel: &Kernel<'_>) -> Result<(), Halt> {
        let mut table = self.found.borrow_mut();
        let mut found = table.get(sum.parts).copied().unwrap_or(Found([Few::NONE; 2]));
        let list = &mut found.0[usize::from(!wins)];
        let mut new = Few::NONE;
        new.push(sum.value);
        for &value in list.get() {
            let follows = if wins {
                sum.is_as_good(value, sum.value, kernel)?
            } else {
                sum.is_as_good(sum.value, value, kernel)?
            };
            if !follows {
                new.push(value);
            }
        }
        *list = new;
        table.set(sum.parts, found);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use gb_value::{Budget, Store};

    use super::*;
    use crate::question::outcome::key::key_of;

    #[test]
    fn better_values_win_and_worse_ones_lose() {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let witnesses = Witnesses::new(1 << 20);
        let (one, two, star) = (kernel.integer(1), kernel.integer(2), kernel.nimber(1));
        let sum = |parts: u32, value, as_whom| Beside { parts: key_of(&parts), value, as_whom };
        for (parts, as_whom) in [(0, Player::Left), (1, Player::Right)] {
            let best =
                |value: Value| if as_whom == Player::Left { value } else { kernel.neg(value).unwrap() };
            let winner = |value| witnesses.winner(sum(parts, best(value), as_whom), &kernel).unwrap();
            witnesses.note(sum(parts, best(one), as_whom), true, &kernel).unwrap();
            witnesses.note(sum(parts, best(star), as_whom), false, &kernel).unwrap();
            assert_eq!([winner(one), winner(two), winner(star)], [Some(true), Some(true), Some(false)]);
            assert_eq!(winner(Value::ZERO), None, "confused with a star");
            assert_eq!(winner(kernel.neg(one).unwrap()), Some(false));
            // A sharper one takes its place.
            witnesses.note(sum(parts, best(Value::ZERO), as_whom), true, &kernel).unwrap();
            assert_eq!(winner(Value::ZERO), Some(true));
            assert_eq!(winner(star), Some(false));
        }
        assert_eq!(witnesses.winner(sum(2, one, Player::Left), &kernel).unwrap(), None);
    }

    #[test]
    fn who_answers_nothing_is_hardly_asked_any_more() {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let witnesses = Witnesses::new(1 << 20);
        let mut asked = 0;
        for i in 0..2 * PAUSE {
            if witnesses.are_worth_it() {
                let sum = Beside { parts: key_of(&i), value: Value::ZERO, as_whom: Player::Left };
                witnesses.winner(sum, &kernel).unwrap();
                asked += 1;
            }
        }
        assert_eq!(asked, 2 * FIRST);
    }
}
