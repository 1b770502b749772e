//! What is known about parts: one table per game and question, shared by threads.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

const SHARD_BITS: u32 = 7;

/// Facts about normalised parts. Facts are only ever added.
pub struct Table<K, F> {
    shards: Box<[Shard<K, F>]>,
    hasher: FxBuildHasher,
    entries: AtomicU64,
    places: AtomicU64,
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
            shards: (0..1 << SHARD_BITS).map(|_| Shard(Mutex::new(HashTable::new()))).collect(),
            hasher: FxBuildHasher,
            entries: AtomicU64::new(0),
            places: AtomicU64::new(0),
        }
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
        self.places.load(Relaxed) * (size_of::<(K, Slot<F>)>() as u64 + 1)
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
        let before = shard.capacity();
        let claim = match shard.entry(hash, |(k, _)| k == key, |(k, _)| self.hasher.hash_one(k)) {
            Entry::Occupied(entry) => match &entry.get().1 {
                Slot::Busy => Claim::Busy,
                Slot::Done(fact) => Claim::Done(fact.clone()),
            },
            Entry::Vacant(entry) => {
                entry.insert((key.clone(), Slot::Busy));
                Claim::Yours
            }
        };
        if shard.capacity() != before {
            // Seven eighths of the places can be filled.
            self.places.fetch_add((shard.capacity() - before) as u64 * 8 / 7, Relaxed);
        }
        claim
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
        if let Ok(entry) = self.shard(hash).find_entry(hash, |(k, slot)| matches!(slot, Slot::Busy) && k == key) {
            entry.remove();
        }
    }
}
