//! The store: every canonical form once, shared by threads, never moved, never removed.

use std::sync::Mutex;
use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use hashbrown::HashTable;

use crate::arena::Arena;
use crate::atomic_weight::Atomic;
use crate::budget::{Budget, Halt, Limit};
use crate::cache::Cache;
use crate::dyadic::Dyadic;
use crate::fingerprint::Fingerprint;
use crate::kernel::Kernel;
use crate::memo::{BitMemo, NameMemo};
use crate::options::StoredOptions;
use crate::player::Player;
use crate::stopkey::StopKey;
use crate::switches::Switches;
use crate::thermograph::Thermograph;
use crate::value::{NumberUpStar, Packed, Value};

// A stored value is a run of words: a header, then the options, Left's before Right's, two to a word. Its name is the place
// of the first word, so that one look-up brings header and options together.
/// How many Left options (16 bits) and Right options (16 bits) there are, or for wide values the place of their
/// [`NumberUpStar`]; above that the name of the negative (0: not yet known).
const COUNTS_AND_NEGATIVE: usize = 0;
/// The two stops.
const STOPS: usize = 1;
/// Fingerprint `below`, and in the four bits above it what the value is.
const BELOW: usize = 2;
/// Fingerprint `above`.
const ABOVE: usize = 3;
/// Switches `below`.
const SWITCHES_BELOW: usize = 4;
/// Switches `above`.
const SWITCHES_ABOVE: usize = 5;
/// Words before the options: what a value takes at least.
pub(crate) const HEADER: usize = 6;

const FINGERPRINT_BITS: u64 = (1 << 60) - 1;
/// The node is a number-up-star too large to be packed.
const WIDE: u64 = 1 << 60;
/// `on` occurs in the node, or is the node.
pub(crate) const HAS_ON: u64 = 1 << 61;
/// `off` occurs in the node, or is the node.
pub(crate) const HAS_OFF: u64 = 1 << 62;
/// Some position in it, not itself finished, has moves for one player only.
const NOT_ALL_SMALL: u64 = 1 << 63;

const SHARDS: usize = 64;
/// Options are counted in 16 bits.
const MAX_OPTIONS: usize = u16::MAX as usize;
/// Names have 31 bits; a margin lets all threads finish what they are storing.
const MAX_WORDS: usize = (1 << 31) - (1 << 24);

/// All canonical forms that were ever built, each of them once.
///
/// A store is shared by reference between threads; each thread works through its own [`Kernel`], which
/// [`Store::kernel`] hands out together with a [`Budget`]. Memory only grows until the store is dropped.
pub struct Store {
    words: Arena,
    values: AtomicUsize,
    wide: boxcar::Vec<NumberUpStar>,
    shards: Box<[Mutex<HashTable<u32>>]>,
    wide_names: Mutex<rustc_hash::FxHashMap<NumberUpStar, u32>>,
    table_bytes: AtomicU64,
    pub(crate) order_memo: BitMemo,
    pub(crate) sum_memo: NameMemo,
    /// `<=` up to infinitesimals, and the strict order it depends on (see `reduced.rs`).
    pub(crate) close_memo: BitMemo,
    pub(crate) apart_memo: BitMemo,
    /// Thermographs never move, so that the search for one can hold on to those of the options.
    pub(crate) thermographs: boxcar::Vec<Thermograph>,
    pub(crate) thermograph_places: Cache<u32>,
    pub(crate) reduced_forms: Cache<Value>,
    pub(crate) atomic_weights: Cache<Atomic>,
}

impl Default for Store {
    fn default() -> Self {
        Store::new()
    }
}

impl Store {
    /// An empty store.
    pub fn new() -> Store {
        let store = Store {
            words: Arena::new(),
            values: AtomicUsize::new(0),
            wide: boxcar::Vec::new(),
            shards: (0..SHARDS).map(|_| Mutex::new(HashTable::new())).collect(),
            wide_names: Mutex::default(),
            table_bytes: AtomicU64::new(0),
            order_memo: BitMemo::new(28),
            sum_memo: NameMemo::new(20),
            close_memo: BitMemo::new(20),
            apart_memo: BitMemo::new(20),
            thermographs: boxcar::Vec::new(),
            thermograph_places: Cache::new(),
            reduced_forms: Cache::new(),
            atomic_weights: Cache::new(),
        };
        // Name 0 stands for "none".
        store.words.reserve(1);
        let on = store.new_node(
            &[Value::ON],
            &[],
            HAS_ON | NOT_ALL_SMALL,
            &Signature {
                stops: (StopKey::ON, StopKey::ON),
                fingerprint: Fingerprint::HIGH,
                switches: Switches::of_number_up_star(StopKey::ON, 0, 0),
            },
        );
        let off = store.new_node(
            &[],
            &[Value::OFF],
            HAS_OFF | NOT_ALL_SMALL,
            &Signature {
                stops: (StopKey::OFF, StopKey::OFF),
                fingerprint: Fingerprint::LOW,
                switches: Switches::of_number_up_star(StopKey::OFF, 0, 0),
            },
        );
        assert!(on == Value::ON.0 && off == Value::OFF.0, "on and off come first");
        store.set_negatives(Value::ON, Value::OFF);
        store
    }

    /// A handle for one thread to work with this store within `budget`.
    pub fn kernel<'a>(&'a self, budget: &'a Budget) -> Kernel<'a> {
        Kernel::new(self, budget)
    }

    /// How many values have been built that do not fit into their name.
    pub fn len(&self) -> usize {
        self.values.load(Relaxed)
    }

    /// Whether nothing but `on` and `off` has been stored.
    pub fn is_empty(&self) -> bool {
        self.len() <= 2
    }

    /// Bytes held by this store, its tables and its memory of results.
    pub fn bytes(&self) -> u64 {
        self.words.bytes()
            + self.table_bytes.load(Relaxed)
            + self.order_memo.bytes()
            + self.sum_memo.bytes()
            + self.close_memo.bytes()
            + self.apart_memo.bytes()
            + self.thermograph_places.bytes()
            + self.reduced_forms.bytes()
            + self.atomic_weights.bytes()
    }

    /// Bytes held by the canonical forms alone, with the table that finds them.
    pub fn bytes_of_values(&self) -> u64 {
        self.words.bytes() + self.table_bytes.load(Relaxed)
    }

    fn new_node(&self, lefts: &[Value], rights: &[Value], flags: u64, signature: &Signature) -> u32 {
        let count = lefts.len() + rights.len();
        let name = self.words.reserve(HEADER + count.div_ceil(2));
        let words = self.words.from(name);
        words[COUNTS_AND_NEGATIVE].store(lefts.len() as u64 | (rights.len() as u64) << 16, Relaxed);
        words[STOPS].store(StopKey::pair_to_word(signature.stops), Relaxed);
        words[BELOW].store(signature.fingerprint.below | flags, Relaxed);
        words[ABOVE].store(signature.fingerprint.above, Relaxed);
        words[SWITCHES_BELOW].store(signature.switches.below, Relaxed);
        words[SWITCHES_ABOVE].store(signature.switches.above, Relaxed);
        let mut options = lefts.iter().chain(rights);
        for word in &words[HEADER..HEADER + count.div_ceil(2)] {
            let [low, high] = [options.next(), options.next()].map(|v| v.map_or(0, |v| v.0 as u64));
            word.store(low | high << 32, Relaxed);
        }
        self.values.fetch_add(1, Relaxed);
        name as u32
    }

    /// The value with exactly these options, which must be a canonical form and no number-up-star, sorted by name.
    pub(crate) fn intern(
        &self,
        lefts: &[Value],
        rights: &[Value],
        signature: &Signature,
        budget: &Budget,
    ) -> Result<Value, Halt> {
        if lefts.len() > MAX_OPTIONS || rights.len() > MAX_OPTIONS {
            return Err(Halt::TooLarge(Limit::Options));
        }
        if self.words.len() >= MAX_WORDS {
            return Err(Halt::TooLarge(Limit::Values));
        }
        let hash = hash_of(lefts.iter().copied(), rights.iter().copied());
        // hashbrown uses the lowest and the highest bits.
        let shard = (hash >> 40) as usize % SHARDS;
        let mut shard = self.shards[shard].lock().unwrap_or_else(|e| e.into_inner());
        let same = |&name: &u32| {
            let (ls, rs) = self.stored_options(name);
            ls.len() == lefts.len()
                && rs.len() == rights.len()
                && ls.chain(rs).zip(lefts.iter().chain(rights)).all(|(a, b)| a == *b)
        };
        if let Some(&name) = shard.find(hash, same) {
            return Ok(Value(name));
        }
        let mut flags = if lefts.is_empty() || rights.is_empty() { NOT_ALL_SMALL } else { 0 };
        for &option in lefts.iter().chain(rights) {
            flags |= self.flags(option) & (HAS_ON | HAS_OFF | NOT_ALL_SMALL);
        }
        let name = self.new_node(lefts, rights, flags, signature);
        let before = shard.capacity();
        shard.insert_unique(hash, name, |&name| {
            let (ls, rs) = self.stored_options(name);
            hash_of(ls, rs)
        });
        if shard.capacity() != before {
            // A control byte and a name for each place.
            self.table_bytes.fetch_add((shard.capacity() - before) as u64 * 5 * 8 / 7, Relaxed);
            self.order_memo.grow_for(self.len() * 8, budget);
            self.sum_memo.grow_for(self.len() * 4, budget);
            self.close_memo.grow_for(self.len() / 4, budget);
            self.apart_memo.grow_for(self.len() / 4, budget);
        }
        Ok(Value(name))
    }

    /// The value of a number-up-star of any size.
    pub(crate) fn number_up_star(&self, number: &Dyadic, ups: i64, star: u32) -> Value {
        if let Some(value) = Value::pack(number, ups, star) {
            return value;
        }
        let wide = NumberUpStar { number: number.clone(), ups, star };
        let mut names = self.wide_names.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(&name) = names.get(&wide) {
            return Value(name);
        }
        let signature = Signature::of_number_up_star(StopKey::of(number), number.signum(), ups, star);
        let all_small = number.signum() == 0;
        let name = self.new_node(&[], &[], WIDE | if all_small { 0 } else { NOT_ALL_SMALL }, &signature);
        let place = self.wide.push(wide.clone());
        self.words.from(name as usize)[COUNTS_AND_NEGATIVE].store(place as u64, Relaxed);
        names.insert(wide, name);
        self.table_bytes.fetch_add(2 * size_of::<NumberUpStar>() as u64 + 8, Relaxed);
        Value(name)
    }

    #[inline]
    fn words(&self, name: u32) -> &[AtomicU64] {
        self.words.from(name as usize)
    }

    /// The options of a stored value that is no number-up-star: Left's, Right's.
    #[inline]
    pub(crate) fn stored_options(&self, name: u32) -> (StoredOptions<'_>, StoredOptions<'_>) {
        let words = self.words(name);
        let counts = words[COUNTS_AND_NEGATIVE].load(Relaxed);
        let (left, right) = (counts as u16 as u32, (counts >> 16) as u16 as u32);
        let options = &words[HEADER..];
        (StoredOptions::new(options, 0, left), StoredOptions::new(options, left, left + right))
    }

    /// What kind of node this is; packed values have flags as well.
    pub(crate) fn flags(&self, value: Value) -> u64 {
        match value.node() {
            Some(name) => self.words(name)[BELOW].load(Relaxed) & !FINGERPRINT_BITS,
            None if value.packed_number_scaled() == 0 => 0,
            None => NOT_ALL_SMALL,
        }
    }

    /// Whether `on` or `off` occurs in a value.
    #[inline]
    pub(crate) fn has_on_or_off(&self, value: Value) -> bool {
        !value.is_packed() && self.flags(value) & (HAS_ON | HAS_OFF) != 0
    }

    pub(crate) fn is_all_small(&self, value: Value) -> bool {
        self.flags(value) & NOT_ALL_SMALL == 0
    }

    pub(crate) fn is_wide(&self, value: Value) -> bool {
        value.node().is_some_and(|name| self.words(name)[BELOW].load(Relaxed) & WIDE != 0)
    }

    /// The parts of a value that is a sum of a number, ups and a nimber.
    pub(crate) fn as_number_up_star(&self, value: Value) -> Option<NumberUpStar> {
        if value.is_packed() {
            let Packed { num, exp, ups, star } = value.unpack();
            let number = Dyadic::new(num as i64, exp);
            return Some(NumberUpStar { number, ups: ups as i64, star });
        }
        self.is_wide(value).then(|| {
            let place = self.words(value.0)[COUNTS_AND_NEGATIVE].load(Relaxed) as u32;
            self.wide[place as usize].clone()
        })
    }

    #[inline]
    pub(crate) fn is_number(&self, value: Value) -> bool {
        value.is_packed_number()
            || self.is_wide(value) && {
                let wide =
                    &self.wide[(self.words(value.0)[COUNTS_AND_NEGATIVE].load(Relaxed) as u32) as usize];
                wide.ups == 0 && wide.star == 0
            }
    }

    /// What comparisons look at first.
    #[inline]
    pub(crate) fn signature(&self, value: Value) -> Signature {
        match value.node() {
            Some(name) => {
                let words: &[AtomicU64; HEADER] =
                    self.words(name).first_chunk().expect("a header is never torn apart");
                let [_, stops, below, above, switches_below, switches_above] =
                    words.each_ref().map(|word| word.load(Relaxed));
                Signature {
                    stops: StopKey::pair_from_word(stops),
                    fingerprint: Fingerprint { below: below & FINGERPRINT_BITS, above },
                    switches: Switches { below: switches_below, above: switches_above },
                }
            }
            None => {
                let p = value.unpack();
                let key = StopKey::of_scaled(value.packed_number_scaled());
                Signature::of_number_up_star(key, p.num.signum(), p.ups as i64, p.star)
            }
        }
    }

    /// Keys of the Left stop and of the Right stop.
    #[inline]
    pub(crate) fn stop_keys(&self, value: Value) -> (StopKey, StopKey) {
        match value.node() {
            Some(name) => StopKey::pair_from_word(self.words(name)[STOPS].load(Relaxed)),
            None => {
                let key = StopKey::of_scaled(value.packed_number_scaled());
                (key, key)
            }
        }
    }

    /// A guess at how good a value is for Left: what dominates much should come out great. The sum of the stops, and
    /// where those are equal how many infinitesimals are below rather than above.
    #[inline]
    pub(crate) fn strength(&self, value: Value) -> i32 {
        const LARGEST: i32 = (1 << 23) - 1;
        let rank = |stops, tie: i32| (StopKey::sum_of_pair(stops).clamp(-LARGEST, LARGEST) << 8) + tie;
        match value.node() {
            None => {
                let number = StopKey::of_scaled(value.packed_number_scaled());
                rank((number, number), value.unpack().ups)
            }
            Some(name) => {
                let words = self.words(name);
                let stops = StopKey::pair_from_word(words[STOPS].load(Relaxed));
                if stops.0 != stops.1 {
                    return rank(stops, 0);
                }
                let [below, above] = [BELOW, ABOVE].map(|at| words[at].load(Relaxed) & FINGERPRINT_BITS);
                rank(stops, above.count_ones() as i32 - below.count_ones() as i32)
            }
        }
    }

    /// The negative of a stored value, if it has been built.
    pub(crate) fn stored_negative(&self, value: Value) -> Option<Value> {
        match (self.words(value.node()?)[COUNTS_AND_NEGATIVE].load(Acquire) >> 32) as u32 {
            0 => None,
            name => Some(Value(name)),
        }
    }

    pub(crate) fn set_negatives(&self, a: Value, b: Value) {
        for (from, to) in [(a, b), (b, a)] {
            self.words(from.0)[COUNTS_AND_NEGATIVE].fetch_or((to.0 as u64) << 32, Release);
        }
    }
}

/// What comparisons look at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    /// Keys of the Left stop and of the Right stop.
    pub(crate) stops: (StopKey, StopKey),
    pub(crate) fingerprint: Fingerprint,
    pub(crate) switches: Switches,
}

impl Signature {
    #[inline]
    fn of_number_up_star(number: StopKey, sign: i32, ups: i64, star: u32) -> Signature {
        let fingerprint = match sign {
            0 => Fingerprint::of_ups_star(ups, star),
            1 => Fingerprint::HIGH,
            _ => Fingerprint::LOW,
        };
        Signature {
            stops: (number, number),
            fingerprint,
            switches: Switches::of_number_up_star(number, ups, star),
        }
    }

    /// Of a game that is no number, from those of its options.
    pub(crate) fn of_options(lefts: &[Signature], rights: &[Signature]) -> Signature {
        let left_stop = lefts.iter().map(|f| f.stops.1).max().unwrap_or(StopKey::OFF);
        let right_stop = rights.iter().map(|f| f.stops.0).min().unwrap_or(StopKey::ON);
        let zero = StopKey::of_scaled(0);
        let fingerprint = if right_stop > zero {
            Fingerprint::HIGH
        } else if left_stop < zero {
            Fingerprint::LOW
        } else {
            let above = lefts.iter().fold(0, |set, f| set | f.fingerprint.above);
            let below = rights.iter().fold(0, |set, f| set | f.fingerprint.below);
            Fingerprint::of_options(above, below)
        };
        let left_reaches = lefts.iter().any(|f| f.reaches(left_stop, Player::Left));
        let right_reaches = rights.iter().any(|f| f.reaches(right_stop, Player::Right));
        let all_small = !lefts.is_empty()
            && !rights.is_empty()
            && lefts.iter().chain(rights).all(|f| f.switches.is_of_all_small());
        let switches = if all_small {
            let some_left_above = lefts.iter().fold(0, |set, f| set | f.switches.above);
            let some_right_below = rights.iter().fold(0, |set, f| set | f.switches.below);
            Switches::of_all_small_options(
                fingerprint,
                some_left_above,
                some_right_below,
                !left_reaches,
                !right_reaches,
            )
        } else {
            let some_left_above = lefts.iter().fold(0, |set, f| set | f.switches.with_switches().above);
            let some_right_below = rights.iter().fold(0, |set, f| set | f.switches.with_switches().below);
            Switches::of_options(
                (left_stop, right_stop),
                some_left_above,
                some_right_below,
                left_reaches,
                right_reaches,
            )
        };
        Signature { stops: (left_stop, right_stop), fingerprint, switches }
    }

    /// Whether an option of a player is at least as good as the number whose key is the stop that the player reaches with
    /// it (of inexact keys this says nothing).
    #[inline]
    pub(crate) fn reaches(&self, stop: StopKey, player: Player) -> bool {
        match player {
            Player::Left => self.stops.1 == stop && self.switches.at_least_right_stop(),
            Player::Right => self.stops.0 == stop && self.switches.at_most_left_stop(),
        }
    }

    /// What the signatures of two games say about `self <= other`.
    #[inline]
    pub(crate) fn le(&self, other: &Signature) -> Option<bool> {
        let ((left, right), (other_left, other_right)) = (self.stops, other.stops);
        if left > other_left || right > other_right {
            Some(false)
        } else if left < other_right {
            Some(true)
        } else {
            self.switches.le(other.switches).or_else(|| self.fingerprint.le(other.fingerprint))
        }
    }
}

fn hash_of(lefts: impl IntoIterator<Item = Value>, rights: impl IntoIterator<Item = Value>) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = 0x2545_F491_4F6C_DD1D_u64;
    for value in lefts {
        hash = (hash ^ value.0 as u64).wrapping_mul(K);
        hash ^= hash >> 32;
    }
    hash = hash.rotate_left(17) ^ 0xD6E8_FEB8_6659_FD93;
    for value in rights {
        hash = (hash ^ value.0 as u64).wrapping_mul(K);
        hash ^= hash >> 32;
    }
    hash.wrapping_mul(K)
}
