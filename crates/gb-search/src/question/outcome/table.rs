//! A table of bounded size: who wins a sum.

use super::key::SumKey;

/// How many entries share a place.
const WAYS: usize = 4;
/// The low bits of an entry hold what is known; the key's low bits are left out.
const NOTE_BITS: u32 = 8;
const NOTE: u128 = (1 << NOTE_BITS) - 1;
const WINS: u128 = 1 << 6;
const USED: u128 = 1 << 7;
const WORK: u128 = WINS - 1;
const FIRST_BITS: u32 = 10;

/// Whether the player to move wins a sum: a table of fixed bytes at most, which keeps what took most work to find. That is
/// why it is no [`ReplacingTable`](crate::alphabeta::ReplacingTable), which keeps the newest: one sum can take minutes.
///
/// An entry is 16 bytes: 120 bits of the key, of which the highest also say the place, one bit for the answer and the
/// logarithm of the work.
#[derive(Debug)]
pub(super) struct Wins {
    places: Vec<[u128; WAYS]>,
    entries: usize,
    max_bytes: u64,
}

impl Wins {
    /// A table that never takes more than `max_bytes` (but at least a few thousand).
    pub(super) fn new(max_bytes: u64) -> Wins {
        Wins { places: vec![[0; WAYS]; 1 << FIRST_BITS], entries: 0, max_bytes }
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(self.places.as_slice()) as u64
    }

    #[inline]
    fn place(&self, key: SumKey) -> usize {
        // The length is a power of two; the highest bits of the key are its place.
        (key >> (128 - self.places.len().trailing_zeros())) as usize
    }

    #[inline]
    pub(super) fn get(&self, key: SumKey) -> Option<bool> {
        let entries = &self.places[self.place(key)];
        let entry = entries.iter().find(|&&entry| (entry ^ key) & !NOTE == 0 && entry & USED != 0)?;
        Some(entry & WINS != 0)
    }

    pub(super) fn set(&mut self, key: SumKey, wins: bool, work: u64) {
        if self.entries * 2 > self.places.len() * WAYS && self.bytes() * 2 <= self.max_bytes {
            self.grow();
        }
        let work = u128::from(work.max(1).ilog2());
        self.put(key & !NOTE | USED | if wins { WINS } else { 0 } | work & WORK);
    }

    fn put(&mut self, new: u128) {
        let place = self.place(new);
        let entries = &mut self.places[place];
        let old = match entries.iter().position(|&entry| (entry ^ new) & !NOTE == 0 && entry & USED != 0) {
            Some(same) => same,
            // Unused entries have done no work at all.
            None => (0..WAYS).rev().min_by_key(|&i| entries[i] & (USED | WORK)).unwrap_or(0),
        };
        if entries[old] & USED == 0 {
            self.entries += 1;
        }
        entries[old] = new;
        // The newest stays in front: of equal work the oldest goes.
        entries[..=old].rotate_right(1);
    }

    fn grow(&mut self) {
        let larger = vec![[0; WAYS]; self.places.len() * 2];
        let old = std::mem::replace(&mut self.places, larger);
        self.entries = 0;
        for entry in
            old.into_iter().flat_map(|place| place.into_iter().rev()).filter(|entry| entry & USED != 0)
        {
            self.put(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::outcome::key::key_of;

    #[test]
    fn a_growing_table_forgets_little() {
        let mut table = Wins::new(1 << 30);
        for i in 0..100_000u64 {
            table.set(key_of(&i), i % 3 == 0, i);
        }
        let kept = (0..100_000u64).filter(|i| table.get(key_of(i)) == Some(i % 3 == 0)).count();
        assert!(kept > 90_000, "{kept}");
        assert_eq!((100_000..200_000u64).filter(|i| table.get(key_of(i)).is_some()).count(), 0);
    }

    #[test]
    fn a_full_table_keeps_what_took_most_work() {
        let mut table = Wins::new(0);
        let bytes = table.bytes();
        for i in 0..100_000u64 {
            table.set(key_of(&i), true, if i < 1000 { 1 << 20 } else { 1 });
        }
        assert_eq!(table.bytes(), bytes);
        assert!((0..1000u64).filter(|i| table.get(key_of(i)).is_some()).count() > 900);
        // The newest is always there.
        assert_eq!(table.get(key_of(&99_999u64)), Some(true));
    }
}
