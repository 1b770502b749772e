//! Sums as the search sees them: parts whose values are not known, and one value for everything else.

use gb_rules::{Key, Player, Sign};
use gb_value::{Halt, Kernel, Value};
use smallvec::SmallVec;

use super::key::{SumKey, ValueKeys, key_of, signed};
use super::witnesses::Beside;

/// A summand.
#[derive(Clone, Copy, Debug)]
pub(super) enum What<const N: usize> {
    /// A normalised part whose value is not known, or its negative.
    Board(Key<N>, Sign),
    /// A part whose value is known, but is dear to add to others.
    Value(Value),
}

/// A summand with its keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Component<const N: usize> {
    pub(super) what: What<N>,
    /// The key in a sum.
    pub(super) key: SumKey,
    /// The key of the negative.
    pub(super) negative: SumKey,
}

impl<const N: usize> Component<N> {
    /// A normalised part with the key of its board.
    #[inline]
    pub(super) fn board(board: Key<N>, sign: Sign, key: SumKey) -> Component<N> {
        let [key, negative] = [sign, -sign].map(|sign| signed(key, sign));
        Component { what: What::Board(board, sign), key, negative }
    }

    pub(super) fn value(value: Value, kernel: &Kernel<'_>, keys: &ValueKeys) -> Result<Component<N>, Halt> {
        let negative = keys.of(kernel.neg(value)?, kernel)?;
        Ok(Component { what: What::Value(value), key: keys.of(value, kernel)?, negative })
    }

    /// The key with this player to move.
    #[inline]
    pub(super) fn key_for(&self, to_move: Player) -> SumKey {
        if to_move == Player::Left { self.key } else { self.negative }
    }
}

/// A sum during the search.
#[derive(Clone, Debug)]
pub(super) struct State<const N: usize> {
    pub(super) parts: SmallVec<[Component<N>; 2]>,
    pub(super) value: Value,
    /// What all the rest is compared with, kept apart since comparing is cheaper than adding.
    pub(super) subtrahend: Value,
}

impl<const N: usize> State<N> {
    /// Adds a part, or takes its negative away.
    #[inline]
    pub(super) fn add(&mut self, part: Component<N>) {
        match self.parts.iter().position(|other| other.key == part.negative) {
            Some(inverse) => {
                self.parts.swap_remove(inverse);
            }
            None => self.parts.push(part),
        }
    }

    /// What is beside the value, as the player to move sees it.
    #[inline]
    pub(super) fn beside(
        &self,
        to_move: Player,
        kernel: &Kernel<'_>,
        keys: &ValueKeys,
    ) -> Result<Beside, Halt> {
        if self.subtrahend != Value::ZERO {
            let parts = self.parts.iter().fold(0, |key: SumKey, part| key.wrapping_add(part.key));
            let subtrahend = key_of(&(keys.of(self.subtrahend, kernel)?, to_move == Player::Left));
            return Ok(Beside { parts: parts.wrapping_add(subtrahend), value: self.value, as_whom: to_move });
        }
        let parts = self.parts.iter().fold(0, |key: SumKey, part| key.wrapping_add(part.key_for(to_move)));
        let value = if to_move == Player::Left { self.value } else { kernel.neg(self.value)? };
        Ok(Beside { parts, value, as_whom: Player::Left })
    }

    /// The key of the sum with this player to move. Turning everything round, the players included, changes nothing, so
    /// that the key is the same.
    #[inline]
    pub(super) fn key(&self, to_move: Player, kernel: &Kernel<'_>, keys: &ValueKeys) -> Result<SumKey, Halt> {
        if self.subtrahend != Value::ZERO {
            // Negating large values costs more than finding the same sum with the players exchanged would save.
            let key = self.parts.iter().fold(0, |key: SumKey, part| key.wrapping_add(part.key));
            let (value, subtrahend) = (keys.of(self.value, kernel)?, keys.of(self.subtrahend, kernel)?);
            return Ok(key.wrapping_add(key_of(&(value, subtrahend, to_move == Player::Left))));
        }
        let key = self.parts.iter().fold(0, |key: SumKey, part| key.wrapping_add(part.key_for(to_move)));
        if self.value == Value::ZERO {
            return Ok(key);
        }
        let value = if to_move == Player::Left { self.value } else { kernel.neg(self.value)? };
        Ok(key.wrapping_add(keys.of(value, kernel)?))
    }
}

/// The player whose moves `who` makes in a summand of this sign.
#[inline]
pub(super) fn as_whom(who: Player, sign: Sign) -> Player {
    if sign == Sign::Plus { who } else { who.opponent() }
}

/// The sign of a part of a part.
#[inline]
pub(super) fn times(a: Sign, b: Sign) -> Sign {
    if a == Sign::Plus { b } else { -b }
}
