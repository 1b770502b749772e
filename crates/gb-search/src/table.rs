//! What is known about parts: one table per game and question, shared by threads.
//!
//! Reading needs no lock: facts are appended to a list that never moves, and an index of plain words tells where. A search
//! looks up many parts at once, and without locks between them the processor waits for the memory of all of them together.

use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, Mutex, MutexGuard};

use gb_value::loopy::Ending;
use gb_value::{Halt, Kernel, Outcome, OutcomeClass, Player, Words};
use rustc_hash::{FxBuildHasher, FxHashSet};

const FIRST_BITS: u32 = 8;

/// Facts that were found before and are kept elsewhere, such as on disk.
pub trait Archive<K, F>: Send + Sync {
    /// The fact about a normalised part, if the archive has it.
    ///
    /// # Errors
    /// Only if the budget runs out. What cannot be read is not there.
    fn fact(&self, part: &K, kernel: &Kernel<'_>) -> Result<Option<F>, Halt>;

    /// Who wins a part, or any position, if the archive knows that without the fact.
    fn outcome(&self, _at: &K) -> Option<Outcome> {
        None
    }
}

/// Facts about normalised parts. Facts are only ever added.
pub struct Table<K, F> {
    /// Asked about a part before it is searched.
    pub(crate) archive: Option<Arc<dyn Archive<K, F>>>,
    entries: boxcar::Vec<(K, F)>,
    writer: Mutex<Writer<K>>,
    /// How often the index was replaced by a larger one.
    version: AtomicU64,
    facts: AtomicU64,
}

/// Bytes of an entry, which has a flag besides.
const fn entry_bytes<K, F>() -> usize {
    (size_of::<(K, F)>() + 1).next_multiple_of(align_of::<(K, F)>())
}

/// How many entries the list of entries has room for beyond these: it grows by buckets of doubling length, beginning with 32,
/// and makes the next when one is nearly full.
fn unused_entries(count: usize) -> usize {
    let bucket = 1 << (count + 32).ilog2();
    let start = bucket - 32;
    let rest = if count == start { 0 } else { start + bucket - count };
    if count - start > bucket - bucket / 8 { rest + 2 * bucket } else { rest }
}

struct Writer<K> {
    index: Index,
    /// The parts that somebody is working on.
    busy: FxHashSet<K>,
    /// Bytes of entries that the allocator has charged and nobody has touched yet: they cost nothing so far, so they are
    /// given back until they are used.
    given_back: i64,
}

/// Open addressing with linear probing: a word is 0 or the high half of a hash with the number of an entry, counted from 1.
type Index = Arc<Words>;

/// What the table says about a part.
pub(crate) enum Claim<F> {
    /// The fact.
    Done(F),
    /// Another thread is working on it.
    Busy,
    /// Nobody was: now the caller is, and has to [`finish`](Table::finish) or to [`release`](Table::release) it.
    Yours,
}

fn empty_index(bits: u32) -> Index {
    Arc::new(Words::new(1 << bits))
}

fn hash_of<K: Hash>(key: &K) -> u64 {
    FxBuildHasher.hash_one(key)
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
            entries: boxcar::Vec::new(),
            writer: Mutex::new(Writer {
                index: empty_index(FIRST_BITS),
                busy: FxHashSet::default(),
                given_back: 0,
            }),
            version: AtomicU64::new(0),
            facts: AtomicU64::new(0),
        }
    }

    /// A table over an archive: nothing is searched that the archive knows.
    pub fn over(archive: Arc<dyn Archive<K, F>>) -> Self {
        let mut table = Table::new();
        table.archive = Some(archive);
        table
    }

    /// How many facts there are.
    pub fn len(&self) -> u64 {
        self.facts.load(Relaxed)
    }

    /// Whether there are no facts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held by the table.
    pub fn bytes(&self) -> u64 {
        (self.entries.count() * entry_bytes::<K, F>() + self.writer().index.len() * size_of::<AtomicU64>())
            as u64
    }

    fn writer(&self) -> MutexGuard<'_, Writer<K>> {
        self.writer.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Looks through the index from `place` on, whose word is `word`: the place and the entry of the key, or the first free
    /// place.
    #[inline]
    fn find(&self, index: &[AtomicU64], hash: u64, mut word: u64, key: &K) -> Result<(usize, &F), usize> {
        let mask = index.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            if word == 0 {
                return Err(place);
            }
            if word >> 32 == hash >> 32
                && let Some((k, fact)) = self.entries.get(word as u32 as usize - 1)
                && k == key
            {
                return Ok((place, fact));
            }
            place = (place + 1) & mask;
            word = index[place].load(Acquire);
        }
    }

    #[inline]
    fn find_from_start(&self, index: &[AtomicU64], hash: u64, key: &K) -> Result<(usize, &F), usize> {
        self.find(index, hash, index[hash as usize & (index.len() - 1)].load(Acquire), key)
    }

    /// The fact about a part, if it is known.
    pub fn get(&self, key: &K) -> Option<F> {
        self.find_from_start(&self.writer().index, hash_of(key), key).ok().map(|(_, fact)| fact.clone())
    }

    /// The fact about a part, if it is known here or in the archive; nothing is searched.
    ///
    /// # Errors
    /// Only if the budget runs out while the archive is read.
    pub fn recall(&self, key: &K, kernel: &Kernel<'_>) -> Result<Option<F>, Halt> {
        match (self.get(key), &self.archive) {
            (None, Some(archive)) => archive.fact(key, kernel),
            (fact, _) => Ok(fact),
        }
    }

    /// Whether the player who begins wins a position, if the archive knows.
    pub fn wins(&self, at: &K, first: Player) -> Option<bool> {
        let outcome = self.archive.as_ref()?.outcome(at)?;
        Some(OutcomeClass::from(outcome).ending(first) == Ending::won_by(first))
    }

    /// All facts, also older ones about the same part, which come first.
    pub(crate) fn facts(&self) -> impl Iterator<Item = &(K, F)> {
        self.entries.iter().map(|(_, entry)| entry)
    }

    /// A handle for one thread that reads much.
    pub(crate) fn reader(&self) -> Reader<'_, K, F> {
        let writer = self.writer();
        let version = Cell::new(self.version.load(Relaxed));
        Reader { table: self, index: RefCell::new(writer.index.clone()), version }
    }

    /// The fact about a part, or the right to find it.
    pub(crate) fn claim(&self, key: &K) -> Claim<F> {
        let mut writer = self.writer();
        match self.find_from_start(&writer.index, hash_of(key), key) {
            Ok((_, fact)) => Claim::Done(fact.clone()),
            Err(_) if writer.busy.insert(key.clone()) => Claim::Yours,
            Err(_) => Claim::Busy,
        }
    }

    /// Writes a fact down, in the place of an older one about the same part.
    pub fn finish(&self, key: &K, fact: F) {
        let hash = hash_of(key);
        let mut writer = self.writer();
        writer.busy.remove(key);
        let place = match self.find_from_start(&writer.index, hash, key) {
            Ok((place, _)) => place,
            Err(place) => {
                self.facts.fetch_add(1, Relaxed);
                place
            }
        };
        let number = self.entries.push((key.clone(), fact)) as u64 + 1;
        let unused = (unused_entries(number as usize) * entry_bytes::<K, F>()) as i64;
        gb_memory::charge(writer.given_back - unused);
        writer.given_back = unused;
        writer.index[place].store(hash >> 32 << 32 | number, Release);
        if self.len() as usize * 8 > writer.index.len() * 7 {
            self.grow(&mut writer);
        }
    }

    fn grow(&self, writer: &mut Writer<K>) {
        let larger = empty_index(writer.index.len().ilog2() + 1);
        for word in writer.index.iter().map(|word| word.load(Relaxed)).filter(|&word| word != 0) {
            let mut place = hash_of(&self.entries[word as u32 as usize - 1].0) as usize & (larger.len() - 1);
            while larger[place].load(Relaxed) != 0 {
                place = (place + 1) & (larger.len() - 1);
            }
            larger[place].store(word, Relaxed);
        }
        tell!(entries = self.entries.count(), places = larger.len(), "a table grows");
        writer.index = larger;
        self.version.fetch_add(1, Relaxed);
    }

    /// Gives a claim up.
    pub(crate) fn release(&self, key: &K) {
        self.writer().busy.remove(key);
    }
}

impl<K, F> Drop for Table<K, F> {
    fn drop(&mut self) {
        gb_memory::charge(self.writer.get_mut().unwrap_or_else(|e| e.into_inner()).given_back);
    }
}

/// Reads a table without locks. What other threads have just written may be missed: who has to know asks for a
/// [`claim`](Table::claim).
pub(crate) struct Reader<'t, K, F> {
    table: &'t Table<K, F>,
    index: RefCell<Index>,
    version: Cell<u64>,
}

/// The beginning of a look-up: the hash, and what the index says.
#[derive(Clone, Copy)]
pub(crate) struct Lookup {
    hash: u64,
    word: u64,
}

impl<K: Hash + Eq + Clone, F: Clone> Reader<'_, K, F> {
    /// Uses the newest index from now on.
    pub(crate) fn refresh(&self) {
        if self.table.version.load(Relaxed) != self.version.get() {
            let writer = self.table.writer();
            self.version.set(self.table.version.load(Relaxed));
            self.index.replace(writer.index.clone());
        }
    }

    /// Begins to look a part up.
    #[inline]
    pub(crate) fn begin(&self, key: &K) -> Lookup {
        let index = self.index.borrow();
        let hash = hash_of(key);
        Lookup { hash, word: index[hash as usize & (index.len() - 1)].load(Acquire) }
    }

    /// The fact about the part whose look-up was begun.
    #[inline]
    pub(crate) fn end(&self, lookup: Lookup, key: &K) -> Option<F> {
        let found = self.table.find(&self.index.borrow(), lookup.hash, lookup.word, key);
        found.ok().map(|(_, fact)| fact.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_claims_and_bytes() {
        let table: Table<(u64, u16), u32> = Table::new();
        let reader = table.reader();
        let read = |key| reader.end(reader.begin(&key), &key);
        for i in 0..100_000u64 {
            let key = (i * i, 7);
            assert!(matches!(table.claim(&key), Claim::Yours));
            assert!(matches!(table.claim(&key), Claim::Busy));
            let begun = reader.begin(&key);
            if i % 2 == 0 {
                table.finish(&key, 1);
                table.finish(&key, i as u32);
                assert!(matches!(table.claim(&key), Claim::Done(fact) if fact == i as u32));
                reader.refresh();
                assert!(reader.end(begun, &key).is_none_or(|fact| fact == i as u32), "missed at worst");
            } else {
                table.release(&key);
            }
        }
        assert_eq!(table.len(), 50_000);
        for i in 0..100_000u64 {
            let expected = (i % 2 == 0).then_some(i as u32);
            assert_eq!(table.get(&(i * i, 7)), expected);
            assert_eq!(read((i * i, 7)), expected);
            assert_eq!(read((i * i, 8)), None);
        }
        assert!(table.bytes() >= 50_000 * 24, "{}", table.bytes());
    }

    #[test]
    fn what_one_thread_writes_others_read() {
        let table: Table<u64, u64> = Table::new();
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let table = &table;
                scope.spawn(move || {
                    let reader = table.reader();
                    for i in 0..20_000u64 {
                        if matches!(table.claim(&i), Claim::Yours) {
                            table.finish(&i, i * i);
                        }
                        reader.refresh();
                        let other = i * 7 % (i + 1 + thread);
                        let found = reader.end(reader.begin(&other), &other);
                        assert!(found.is_none_or(|fact| fact == other * other));
                    }
                });
            }
        });
        assert_eq!(table.len(), 20_000);
        assert!((0..20_000).all(|i| table.get(&i) == Some(i * i)));
    }
}
