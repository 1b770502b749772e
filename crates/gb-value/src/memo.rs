//! Lossy memory of results that could be computed again: fixed places, the newest result wins.
//!
//! Tables start small, because a small job should not pay for megabytes, and grow with the store by switching to a new
//! and larger table, into which the old one is copied. Reading and writing need no lock: a torn or overwritten entry does
//! not match its key.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::budget::Budget;
use crate::words::Words;

const FIRST_BITS: u32 = 14;
const STEP_BITS: u32 = 2;
const LEVELS: usize = 8;

/// A bijection on 64-bit words whose high bits are well mixed.
#[inline]
fn mix(key: u64) -> u64 {
    let x = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ x >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// Tables of growing size, of which the largest is in use.
struct Levels {
    tables: [OnceLock<Words>; LEVELS],
    level: AtomicUsize,
    words: usize,
    max_level: usize,
}

impl Levels {
    fn new(words: usize, max_bits: u32) -> Self {
        let max_level = ((max_bits - FIRST_BITS) / STEP_BITS) as usize;
        Levels {
            tables: [const { OnceLock::new() }; LEVELS],
            level: AtomicUsize::new(0),
            words,
            max_level: max_level.min(LEVELS - 1),
        }
    }

    #[inline]
    fn current(&self) -> (&[AtomicU64], u32) {
        let level = self.level.load(Relaxed);
        (self.table(level), Self::bits(level))
    }

    #[inline]
    fn table(&self, level: usize) -> &[AtomicU64] {
        self.tables[level].get_or_init(|| Words::new(self.words << Self::bits(level)))
    }

    /// How many bits of the mixed key are the place.
    #[inline]
    fn bits(level: usize) -> u32 {
        FIRST_BITS + STEP_BITS * level as u32
    }

    /// Makes the table at least half as large as `entries`, as far as its limit and the budget allow. `copy` puts one entry
    /// into the larger table; it is given the high bits of the entry's mixed key, and the entry.
    fn grow_for(&self, entries: usize, budget: &Budget, copy: impl Fn(u64, &[AtomicU64])) {
        let level = self.level.load(Relaxed);
        let bits = Self::bits(level);
        let larger = (8 * self.words as u64) << Self::bits(level + 1);
        if level < self.max_level && entries >> bits > 1 && budget.has_room(2 * larger) {
            let old = self.table(level);
            // Two threads may both get here: both store the same level and copy the same entries.
            self.level.store(level + 1, Relaxed);
            for (place, entry) in old.chunks_exact(self.words).enumerate() {
                copy((place as u64) << (64 - bits), entry);
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.tables.iter().filter_map(|t| t.get()).map(|t| 8 * t.len() as u64).sum()
    }
}

/// Remembers one bit about a pair of names in a single word: the place holds the high bits of the mixed key, the word
/// the rest of it, so that nothing is confused.
pub(crate) struct BitMemo(Levels);

impl BitMemo {
    pub(crate) fn new(max_bits: u32) -> Self {
        BitMemo(Levels::new(1, max_bits))
    }

    pub(crate) fn get(&self, a: u32, b: u32) -> Option<bool> {
        let key = mix((a as u64) << 32 | b as u64);
        let (table, bits) = self.0.current();
        let word = table[(key >> (64 - bits)) as usize].load(Relaxed);
        (word != 0 && word >> 2 == (key << bits) >> bits).then_some(word & 1 == 1)
    }

    pub(crate) fn set(&self, a: u32, b: u32, bit: bool) {
        self.set_mixed(mix((a as u64) << 32 | b as u64), bit);
    }

    #[inline]
    fn set_mixed(&self, key: u64, bit: bool) {
        let (table, bits) = self.0.current();
        let word = ((key << bits) >> bits) << 2 | 2 | bit as u64;
        table[(key >> (64 - bits)) as usize].store(word, Relaxed);
    }

    pub(crate) fn grow_for(&self, entries: usize, budget: &Budget) {
        self.0.grow_for(entries, budget, |high_bits, entry| {
            let word = entry[0].load(Relaxed);
            if word != 0 {
                self.set_mixed(high_bits | word >> 2, word & 1 == 1);
            }
        });
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

/// Remembers a name for a pair of names. Two words an entry; the first is the key combined with the second, so that
/// halves of different entries do not match (R. Hyatt and T. Mann, A lock-less transposition table, 2002).
pub(crate) struct NameMemo(Levels);

impl NameMemo {
    pub(crate) fn new(max_bits: u32) -> Self {
        NameMemo(Levels::new(2, max_bits))
    }

    pub(crate) fn get(&self, a: u32, b: u32) -> Option<u32> {
        let key = (a as u64) << 32 | b as u64;
        let (table, bits) = self.0.current();
        let place = (mix(key) >> (64 - bits)) as usize * 2;
        // Acquire and release: the name may have been made by another thread.
        let data = table[place + 1].load(Acquire);
        (data != 0 && table[place].load(Relaxed) ^ mix(data) == key).then_some(data as u32)
    }

    pub(crate) fn set(&self, a: u32, b: u32, name: u32) {
        self.set_data((a as u64) << 32 | b as u64, 1 << 32 | name as u64);
    }

    #[inline]
    fn set_data(&self, key: u64, data: u64) {
        let (table, bits) = self.0.current();
        let place = (mix(key) >> (64 - bits)) as usize * 2;
        table[place].store(key ^ mix(data), Relaxed);
        table[place + 1].store(data, Release);
    }

    pub(crate) fn grow_for(&self, entries: usize, budget: &Budget) {
        self.0.grow_for(entries, budget, |_, entry| {
            let data = entry[1].load(Acquire);
            if data != 0 {
                // Torn halves make a key that nobody asks for.
                self.set_data(entry[0].load(Relaxed) ^ mix(data), data);
            }
        });
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memos_never_confuse_keys() {
        let (bits, names) = (BitMemo::new(16), NameMemo::new(16));
        for round in 0..3 {
            for a in 0..200u32 {
                for b in 0..200u32 {
                    bits.set(a, b, (a ^ b) & 1 == 1);
                    names.set(a, b, a * 1000 + b);
                }
            }
            for a in 0..200u32 {
                for b in 0..200u32 {
                    assert!(bits.get(a, b).is_none_or(|bit| bit == ((a ^ b) & 1 == 1)));
                    assert!(names.get(a, b).is_none_or(|name| name == a * 1000 + b));
                }
            }
            assert_eq!(names.get(199, 199), Some(199_199), "the newest entry is kept");
            bits.grow_for(1 << (16 + 2 * round), &Budget::unlimited());
            names.grow_for(1 << (16 + 2 * round), &Budget::unlimited());
        }
    }

    #[test]
    fn growing_loses_nothing() {
        let (bits, names) = (BitMemo::new(20), NameMemo::new(20));
        let pairs = || (0..200u32).flat_map(|a| (0..200u32).map(move |b| (a, b)));
        for (a, b) in pairs() {
            bits.set(a, b, (a ^ b) & 1 == 1);
            names.set(a, b, a * 1000 + b);
        }
        let known_bits: Vec<_> = pairs().filter(|&(a, b)| bits.get(a, b).is_some()).collect();
        let known_names: Vec<_> = pairs().filter(|&(a, b)| names.get(a, b).is_some()).collect();
        assert!(known_bits.len() > 10_000 && known_names.len() > 10_000);
        for _ in 0..4 {
            bits.grow_for(1 << 22, &Budget::unlimited());
            names.grow_for(1 << 22, &Budget::unlimited());
            for &(a, b) in &known_bits {
                assert_eq!(bits.get(a, b), Some((a ^ b) & 1 == 1));
            }
            for &(a, b) in &known_names {
                assert_eq!(names.get(a, b), Some(a * 1000 + b));
            }
        }
        assert!(bits.bytes() > 8 << 20 && names.bytes() > 16 << 20, "they did grow");
    }
}
