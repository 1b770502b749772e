//! Keys of 128 bits for parts and sums: so many that no two sums of a search ever share one in practice.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use gb_rules::{Player, Sign};
use gb_value::{Halt, Kernel, Value, deeper};
use rustc_hash::FxHashMap;

/// The name of a part or of a sum of parts. The key of a sum is the sum of its summands' keys, so that order does not
/// matter.
pub(in crate::question) type SumKey = u128;

const SEEDS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];
const FACTORS: [u64; 2] = [0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f];

/// The high and the low half of a product, folded: every bit of the result depends on every bit of both factors.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Two independent lanes of 64 bits.
struct Lanes([u64; 2]);

impl Hasher for Lanes {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }
    #[inline]
    fn write_u64(&mut self, word: u64) {
        let [a, b] = self.0;
        self.0 = [fold(a ^ word, FACTORS[0]).wrapping_add(b), fold(b.rotate_left(29) ^ word, FACTORS[1]) ^ a];
    }
    #[inline]
    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }
    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.write_u64(word.into());
    }
    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        self.0[0]
    }
}

/// The key of anything that can be hashed.
#[inline]
pub(in crate::question) fn key_of(thing: &impl Hash) -> SumKey {
    let mut lanes = Lanes(SEEDS);
    thing.hash(&mut lanes);
    lanes.write_u64(SEEDS[1]);
    let [a, b] = lanes.0;
    u128::from(a) << 64 | u128::from(b)
}

/// The key of a part in a sum, where its negative is something else.
#[inline]
pub(super) fn signed(key: SumKey, sign: Sign) -> SumKey {
    match sign {
        Sign::Plus => key,
        // Not the negative number: a part and its negative would cancel in the key, but so would other things.
        Sign::Minus => key.rotate_left(59) ^ (u128::from(SEEDS[0]) << 64 | u128::from(SEEDS[1])),
    }
}

/// The keys of values, by what they are: the name of a value depends on what its store was asked before, its key does not, so that a
/// table of sums can be used with another store (see `saved.rs`).
#[derive(Default)]
pub(super) struct ValueKeys(RefCell<FxHashMap<Value, SumKey>>);

impl ValueKeys {
    /// The key of a value.
    #[inline]
    pub(super) fn of(&self, value: Value, kernel: &Kernel<'_>) -> Result<SumKey, Halt> {
        // A packed value is its own name, and these two have the same names in every store.
        if value.is_packed() || value == Value::ON || value == Value::OFF {
            return Ok(key_of(&value));
        }
        let known = self.0.borrow().get(&value).copied();
        known.map_or_else(|| self.find(value, kernel), Ok)
    }

    #[cold]
    fn find(&self, value: Value, kernel: &Kernel<'_>) -> Result<SumKey, Halt> {
        let key = match kernel.as_number_up_star(value) {
            Some(wide) => key_of(&(wide.number, wide.ups, wide.star)),
            None => {
                let mut sides: [SumKey; 2] = [0; 2];
                for player in Player::BOTH {
                    for option in kernel.options(value, player) {
                        kernel.work(1)?;
                        let key = deeper(|| self.of(option, kernel))?;
                        // Options have no order that means anything.
                        let side = &mut sides[player as usize];
                        *side = side.wrapping_add(key_of(&key));
                    }
                }
                key_of(&sides)
            }
        };
        self.0.borrow_mut().insert(value, key);
        Ok(key)
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.0.borrow().capacity() * size_of::<(Value, SumKey, u8)>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use gb_value::{Budget, Store};

    use super::*;

    #[test]
    fn similar_things_have_different_keys_in_both_halves() {
        let mut halves = [HashSet::new(), HashSet::new()];
        let mut count = 0;
        for a in 0..300u64 {
            for b in 0..300u64 {
                let key = key_of(&(a, b << 40));
                halves[0].insert(key as u64);
                halves[1].insert((key >> 64) as u64);
                count += 1;
            }
        }
        assert_eq!(halves.map(|half| half.len()), [count, count]);
    }

    #[test]
    fn signs_and_lengths_count() {
        assert_ne!(signed(key_of(&1), Sign::Plus), signed(key_of(&1), Sign::Minus));
        assert_ne!(key_of(&[0u8].as_slice()), key_of(&[0u8, 0].as_slice()));
        assert_ne!(key_of(&"ab"), key_of(&"ba"));
    }

    #[test]
    fn values_have_the_same_key_in_every_store() {
        let texts = [
            "0",
            "^*",
            "on",
            "{1|-1}",
            "{2|{0|-1}}",
            "{3,{4|2}|{1|0},*}",
            "{on|{2|off}}",
            "^70000000000000",
            "{^70000000000000|*3}",
            "{0|{0|-2}}",
        ];
        let budget = Budget::unlimited();
        let keys = |order: &mut dyn Iterator<Item = &&str>| {
            let (store, keys) = (Store::new(), ValueKeys::default());
            let kernel = store.kernel(&budget);
            let mut found: Vec<(String, SumKey)> = order
                .map(|text| {
                    let value = kernel.read(text).unwrap();
                    (text.to_string(), keys.of(value, &kernel).unwrap())
                })
                .collect();
            found.sort();
            found
        };
        let found = keys(&mut texts.iter());
        assert_eq!(found, keys(&mut texts.iter().rev()));
        assert_eq!(found.iter().map(|(_, key)| *key).collect::<HashSet<_>>().len(), texts.len());
    }
}
