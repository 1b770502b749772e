//! A table of bounded size, shared by threads: who wins a sum.

use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, Mutex};

use gb_memory::prefetch;
use gb_value::{Budget, Words};

use super::key::SumKey;

/// How many entries share a place: as many as fit into a line of the processor's cache.
const WAYS: usize = 4;
/// Words of an entry.
pub(super) const WORDS: usize = 2;
/// Words of a place.
const PLACE: usize = WAYS * WORDS;
/// The low bits of an entry hold what is known; the key's low bits are left out.
const NOTE: u64 = (1 << 8) - 1;
const WINS: u64 = 1 << 6;
const USED: u64 = 1 << 7;
const WORK: u64 = WINS - 1;
const FIRST_BITS: u32 = 10;

/// Whether the player to move wins a sum: a table of fixed bytes at most, which keeps what took most work to find. That is
/// why it is no [`ReplacingTable`](crate::alphabeta::ReplacingTable), which keeps the newest: one sum can take minutes.
///
/// An entry is two words: 120 bits of the key, of which the highest also say the place, one bit for the answer and the
/// logarithm of the work. Threads write without locks. If two of them write an entry at once, the halves may belong to
/// different sums; but no sum has such a key, so that nobody finds it, just as no two sums share one.
pub(in crate::question) struct Wins {
    /// The newest words. Threads have a handle each, and get the newest now and then.
    words: Mutex<Arc<Words>>,
    /// How often they were replaced by more.
    version: AtomicU64,
    entries: AtomicUsize,
    max_bytes: u64,
}

impl Wins {
    /// A table that never takes more than `max_bytes` (but at least a few thousand).
    pub(in crate::question) fn new(max_bytes: u64) -> Wins {
        Wins {
            words: Mutex::new(Arc::new(Words::new(PLACE << FIRST_BITS))),
            version: AtomicU64::new(0),
            entries: AtomicUsize::new(0),
            max_bytes,
        }
    }

    fn newest(&self) -> Arc<Words> {
        self.words.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val::<[AtomicU64]>(&self.newest()) as u64
    }

    /// All entries. In every place the newest comes last, and so stays in front where they are written down again.
    pub(super) fn entries(&self, emit: &mut dyn FnMut([u64; WORDS])) {
        for place in self.newest().chunks_exact(PLACE) {
            for entry in place.chunks_exact(WORDS).rev() {
                let entry = [entry[0].load(Relaxed), entry[1].load(Relaxed)];
                if entry[1] & USED != 0 {
                    emit(entry);
                }
            }
        }
    }

    /// For a thread.
    pub(in crate::question) fn handle(&self) -> Handle<'_> {
        let version = self.version.load(Acquire);
        Handle { wins: self, words: self.newest(), version }
    }
}

/// A thread's way to the table.
pub(in crate::question) struct Handle<'t> {
    wins: &'t Wins,
    words: Arc<Words>,
    version: u64,
}

impl Handle<'_> {
    pub(super) fn bytes(&self) -> u64 {
        size_of_val::<[AtomicU64]>(&self.words) as u64
    }

    /// Uses the newest words from now on.
    #[inline]
    pub(in crate::question) fn refresh(&mut self) {
        let version = self.wins.version.load(Acquire);
        if version != self.version {
            (self.words, self.version) = (self.wins.newest(), version);
        }
    }

    #[inline]
    pub(in crate::question) fn get(&self, key: SumKey) -> Option<bool> {
        let (high, low) = halves(key);
        let entry = place(&self.words, high).chunks_exact(WORDS).find_map(|entry| {
            let note = entry[1].load(Relaxed);
            ((note ^ low) & !NOTE == 0 && entry[0].load(Relaxed) == high && note & USED != 0).then_some(note)
        })?;
        Some(entry & WINS != 0)
    }

    /// Begins to look a sum up, so that the processor can wait for the memory of several together.
    #[inline]
    pub(super) fn begin(&self, key: SumKey) {
        prefetch(&place(&self.words, halves(key).0)[0]);
    }

    pub(in crate::question) fn set(&mut self, key: SumKey, wins: bool, work: u64, budget: &Budget) {
        let (high, low) = halves(key);
        let work = u64::from(work.max(1).ilog2());
        self.write([high, low & !NOTE | USED | if wins { WINS } else { 0 } | work & WORK], budget);
    }

    /// Writes an entry as it stood in another table. What is no entry is passed over.
    pub(super) fn restore(&mut self, entry: [u64; WORDS], budget: &Budget) {
        if entry[1] & USED != 0 {
            self.write(entry, budget);
        }
    }

    fn write(&mut self, entry: [u64; WORDS], budget: &Budget) {
        let places = self.words.len() / PLACE;
        if self.wins.entries.load(Relaxed) * 2 > places * WAYS
            && 2 * self.bytes() <= self.wins.max_bytes
            // Old and new words stand side by side for a while.
            && budget.has_room(2 * self.bytes())
        {
            self.grow();
        }
        if put(&self.words, entry) {
            self.wins.entries.fetch_add(1, Relaxed);
        }
    }

    /// To twice the size. What other threads write meanwhile is forgotten.
    fn grow(&mut self) {
        let mut newest = self.wins.words.lock().unwrap_or_else(|e| e.into_inner());
        if newest.len() == self.words.len() {
            let larger = Words::new(2 * newest.len());
            let mut entries = 0;
            for place in newest.chunks_exact(PLACE) {
                for entry in place.chunks_exact(WORDS).rev() {
                    let entry = [entry[0].load(Relaxed), entry[1].load(Relaxed)];
                    entries += usize::from(entry[1] & USED != 0 && put(&larger, entry));
                }
            }
            self.wins.entries.store(entries, Relaxed);
            *newest = Arc::new(larger);
            self.wins.version.fetch_add(1, Release);
        }
        drop(newest);
        self.refresh();
    }
}

#[inline]
fn halves(key: SumKey) -> (u64, u64) {
    ((key >> 64) as u64, key as u64)
}

/// The entries among which one with this high half is. The number of places is a power of two.
#[inline]
fn place(words: &[AtomicU64], high: u64) -> &[AtomicU64] {
    let bits = (words.len() / PLACE).trailing_zeros();
    let start = (high >> (64 - bits)) as usize * PLACE;
    &words[start..start + PLACE]
}

/// Writes an entry, in the place of the one that took least work. Whether it takes a place that was free.
fn put(words: &[AtomicU64], new: [u64; WORDS]) -> bool {
    let place = place(words, new[0]);
    let read = |i: usize| [place[WORDS * i].load(Relaxed), place[WORDS * i + 1].load(Relaxed)];
    let old: [[u64; WORDS]; WAYS] = std::array::from_fn(read);
    let same =
        |entry: &[u64; WORDS]| entry[0] == new[0] && (entry[1] ^ new[1]) & !NOTE == 0 && entry[1] & USED != 0;
    let least = || (0..WAYS).rev().min_by_key(|&i| old[i][1] & (USED | WORK)).unwrap_or(0);
    let leaves = old.iter().position(same).unwrap_or_else(least);
    // The newest stays in front: of equal work the oldest goes.
    for i in 0..=leaves {
        let entry = if i == 0 { new } else { old[i - 1] };
        place[WORDS * i].store(entry[0], Relaxed);
        place[WORDS * i + 1].store(entry[1], Relaxed);
    }
    old[leaves][1] & USED == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::outcome::key::key_of;

    #[test]
    fn a_growing_table_forgets_little() {
        let (wins, budget) = (Wins::new(1 << 30), Budget::unlimited());
        let mut table = wins.handle();
        for i in 0..100_000u64 {
            table.set(key_of(&i), i % 3 == 0, i, &budget);
        }
        let kept = (0..100_000u64).filter(|i| table.get(key_of(i)) == Some(i % 3 == 0)).count();
        assert!(kept > 90_000, "{kept}");
        assert_eq!((100_000..200_000u64).filter(|i| table.get(key_of(i)).is_some()).count(), 0);
    }

    #[test]
    fn a_full_table_keeps_what_took_most_work() {
        let (wins, budget) = (Wins::new(0), Budget::unlimited());
        let mut table = wins.handle();
        let bytes = table.bytes();
        for i in 0..100_000u64 {
            table.set(key_of(&i), true, if i < 1000 { 1 << 20 } else { 1 }, &budget);
        }
        assert_eq!(table.bytes(), bytes);
        assert!((0..1000u64).filter(|i| table.get(key_of(i)).is_some()).count() > 900);
        // The newest is always there.
        assert_eq!(table.get(key_of(&99_999u64)), Some(true));
    }

    #[test]
    fn threads_find_what_others_wrote_or_nothing() {
        let (wins, budget) = (Wins::new(1 << 22), Budget::unlimited());
        std::thread::scope(|scope| {
            for thread in 0..3u64 {
                let (wins, budget) = (&wins, &budget);
                scope.spawn(move || {
                    let mut table = wins.handle();
                    for i in 0..100_000u64 {
                        table.set(key_of(&(i * 7 % 50_000)), (i * 7 % 50_000) % 3 == 0, i, budget);
                        let other = (i * 13 + thread) % 50_000;
                        table.refresh();
                        assert!(table.get(key_of(&other)).is_none_or(|wins| wins == (other % 3 == 0)));
                    }
                });
            }
        });
        let table = wins.handle();
        let kept = (0..50_000u64).filter(|i| table.get(key_of(i)) == Some(i % 3 == 0)).count();
        assert!(kept > 45_000, "{kept}");
    }
}
