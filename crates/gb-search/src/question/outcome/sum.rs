//! Sums as the search sees them: parts whose values are not known, and one value for everything else.

use gb_rules::{Key, Player, Sign};
use gb_value::{Halt, Kernel, Value};
use smallvec::SmallVec;

use super::key::{SumKey, key_of, signed};

/// A normalised part whose value is not known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Component<const N: usize> {
    pub(super) board: Key<N>,
    pub(super) sign: Sign,
    /// The key of the board without its sign.
    pub(super) key: SumKey,
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
        match self.parts.iter().position(|other| other.key == part.key && other.sign != part.sign) {
            Some(inverse) => {
                self.parts.swap_remove(inverse);
            }
            None => self.parts.push(part),
        }
    }

    /// The key of the sum with this player to move. Turning everything round, the players included, changes nothing, so
    /// that the key is the same.
    #[inline]
    pub(super) fn key(&self, to_move: Player, kernel: &Kernel<'_>) -> Result<SumKey, Halt> {
        let mut key: SumKey = 0;
        if self.subtrahend != Value::ZERO {
            // Negating large values costs more than finding the same sum with the players exchanged would save.
            for part in &self.parts {
                key = key.wrapping_add(signed(part.key, part.sign));
            }
            return Ok(key.wrapping_add(key_of(&(self.value, self.subtrahend, to_move == Player::Left))));
        }
        for part in &self.parts {
            let sign = if to_move == Player::Left { part.sign } else { -part.sign };
            key = key.wrapping_add(signed(part.key, sign));
        }
        if self.value == Value::ZERO {
            return Ok(key);
        }
        let value = if to_move == Player::Left { self.value } else { kernel.neg(self.value)? };
        Ok(key.wrapping_add(key_of(&value)))
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
