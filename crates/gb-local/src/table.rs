//! What is known about parts: one table per game and question, shared by threads.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

use gb_value::{Kernel, Stop};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

const SHARD_BITS: u32 = 7;

/// Facts that were found before and are kept elsewhere, such as on disk.
pub trait Archive<K, F>: Send + Sync {
    /// The fact about a normalised part, if the archive has it.
    ///
    /// # Errors
    /// Only if the budget runs out. What cannot be read is not there.
    fn fact(&self, part: &K, kernel: &Kernel<'_>) -> Result<Option<F>, Stop>;
}

/// Facts about normalised parts. Facts are only ever added.
pub struct Table<K, F> {
    /// Asked about a part before it is searched.
    pub(crate) archive: Option<Arc<dyn Archive<K, F>>>,
    shards: Box<[Shard<K, F>]>,
    hasher: FxBuildHasher,
    entries: AtomicU64,
}

/// On a cache line of its own, so that threads do not disturb each other.
#[repr(align(128))]
struct Shard<K, F>(Mutex<HashTable<(K, Slot<F>)>>);

#[derive(Clone, Copy)]
enum Slot<F> {
    /// Somebody is working on it.
    Busy,
    Done(F),
}

/// What the table says about a part.
pub(crate) enum Claim<F> {
    /// The fact.
    Done(F),
    /// Another thread is working on it.
    Busy,
    /// Nobody was: now the caller is, and has to [`finish`](Table::finish) or to [`release`](Table::release) it.
    Yours,
}

impl<K: Hash + Eq + Clone, F: Clone> Default for Table<K, F> {
    fn default() -> Self {
        Table::new()
    }
}

impl<K: Hash + Eq + Clone, F: Clone> Table<K, F> {
    /// An empty table.
    pub fn new() -> Self {
        Table {
            archive: None,
            shards: (0..1 << SHARD_BITS).map(|_| Shard(Mutex::new(HashTable::new()))).collect(),
            hasher: FxBuildHasher,
            entries: AtomicU64::new(0),
        }
    }

    /// A table over an archive: nothing is searched that the archive knows.
    pub fn over(archive: Arc<dyn Archive<K, F>>) -> Self {
        Table { archive: Some(archive), ..Table::new() }
    }

    /// How many facts there are.
    pub fn len(&self) -> u64 {
        self.entries.load(Relaxed)
    }

    /// Whether there are no facts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held by the table.
    pub fn bytes(&self) -> u64 {
        // Seven eighths of the places can be filled; each has a byte of hash besides.
        let places =
            |shard: &Shard<K, F>| shard.0.lock().unwrap_or_else(|e| e.into_inner()).capacity() as u64 * 8 / 7;
        self.shards.iter().map(places).sum::<u64>() * (size_of::<(K, Slot<F>)>() as u64 + 1)
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, HashTable<(K, Slot<F>)>> {
        // hashbrown uses the lowest and the seven highest bits.
        let at = (hash >> 40) as usize & ((1 << SHARD_BITS) - 1);
        self.shards[at].0.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The fact about a part, if it is known.
    pub fn get(&self, key: &K) -> Option<F> {
        let hash = self.hasher.hash_one(key);
        match self.shard(hash).find(hash, |(k, _)| k == key) {
            Some((_, Slot::Done(fact))) => Some(fact.clone()),
            _ => None,
        }
    }

    /// The fact about a part, or the right to find it.
    pub(crate) fn claim(&self, key: &K) -> Claim<F> {
        let hash = self.hasher.hash_one(key);
        let mut shard = self.shard(hash);
        match shard.entry(hash, |(k, _)| k == key, |(k, _)| self.hasher.hash_one(k)) {
            Entry::Occupied(entry) => match &entry.get().1 {
                Slot::Busy => Claim::Busy,
                Slot::Done(fact) => Claim::Done(fact.clone()),
            },
            Entry::Vacant(entry) => {
                entry.insert((key.clone(), Slot::Busy));
                Claim::Yours
            }
        }
    }

    /// Writes a fact down.
    pub fn finish(&self, key: &K, fact: F) {
        let hash = self.hasher.hash_one(key);
        let mut shard = self.shard(hash);
        match shard.entry(hash, |(k, _)| k == key, |(k, _)| self.hasher.hash_one(k)) {
            Entry::Occupied(mut entry) => {
                if matches!(entry.get().1, Slot::Busy) {
                    self.entries.fetch_add(1, Relaxed);
                }
                entry.get_mut().1 = Slot::Done(fact);
            }
            Entry::Vacant(entry) => {
                entry.insert((key.clone(), Slot::Done(fact)));
                self.entries.fetch_add(1, Relaxed);
            }
        }
    }

    /// Gives a claim up.
    pub(crate) fn release(&self, key: &K) {
        let hash = self.hasher.hash_one(key);
        if let Ok(entry) =
            self.shard(hash).find_entry(hash, |(k, slot)| matches!(slot, Slot::Busy) && k == key)
        {
            entry.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_cover_all_places() {
        let table: Table<(u64, u16), u32> = Table::new();
        for i in 0..100_000u64 {
            assert!(matches!(table.claim(&(i * i, 7)), Claim::Yours));
            assert!(matches!(table.claim(&(i * i, 7)), Claim::Busy));
            if i % 2 == 0 {
                table.finish(&(i * i, 7), i as u32);
            } else {
                table.release(&(i * i, 7));
            }
        }
        assert_eq!(table.len(), 50_000);
        assert_eq!(table.get(&(16, 7)), Some(4));
        assert_eq!(table.get(&(25, 7)), None);
        let used: Vec<usize> = table.shards.iter().map(|s| s.0.lock().unwrap().len()).collect();
        assert!(used.iter().max().unwrap() < &(2 * 50_000 / 128), "evenly spread: {used:?}");
        assert!(table.bytes() >= 50_000 * 24, "{}", table.bytes());
    }
}
