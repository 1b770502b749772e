//! A store of values that is a cache of those on disk, and what one thread finds with it.
//!
//! Values are brought into the store when a board needs them, with all that they are made of. When the store has grown too large it is thrown
//! away, and what is needed again is read again: so memory is bounded, whatever the values of the table take together.

use std::num::NonZeroU32;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{OnceLock, RwLock};

use gb_value::{Budget, Kernel, Player, Store, Value, Words};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::BuildHasher;

use super::files::{Layers, PACKED, Record, packed};
use super::polyominoes::Parts;
use super::shapes::{PartPlace, Plan};
use crate::error::StoreError;

type Values = SmallVec<[Value; 24]>;

const LOCKS: usize = 64;

/// Values in memory, of which those that were read have their numbers. Threads share it.
pub(super) struct Session {
    store: Store,
    names: Names,
    numbers: Numbers,
    /// Counts sessions of a process.
    pub(super) generation: u64,
}

/// The values of the table that were read, by number.
enum Names {
    /// A word for each value of the table; 0 where it was not read yet. Fastest, where the table is not too large for it.
    All(Vec<AtomicU32>),
    /// Those that were read.
    Read(Box<[RwLock<FxHashMap<u64, Value>>]>),
}

impl Names {
    #[inline]
    fn get(&self, number: u64) -> Option<Value> {
        match self {
            Names::All(names) => {
                NonZeroU32::new(names.get(number as usize)?.load(Acquire)).map(Value::from_bits)
            }
            Names::Read(_) => self.get_read(number),
        }
    }

    fn get_read(&self, number: u64) -> Option<Value> {
        let Names::Read(shelves) = self else { return None };
        let shelf = shelves[number as usize % LOCKS].read().unwrap_or_else(|e| e.into_inner());
        shelf.get(&number).copied()
    }

    fn set(&self, number: u64, value: Value) {
        match self {
            Names::All(names) => names[number as usize].store(value.to_bits().get(), Release),
            Names::Read(shelves) => {
                let mut shelf = shelves[number as usize % LOCKS].write().unwrap_or_else(|e| e.into_inner());
                shelf.insert(number, value);
            }
        }
    }
}

/// The numbers of the values that were read, by the place of a value. A hash table would take three times as much.
struct Numbers {
    /// A number and 1, or 0.
    pieces: Box<[OnceLock<Words>]>,
}

impl Numbers {
    const PIECE: usize = 1 << 18;

    fn new() -> Numbers {
        let pieces = (0..Value::PLACES.div_ceil(Self::PIECE)).map(|_| OnceLock::new()).collect();
        Numbers { pieces }
    }

    #[inline]
    fn get(&self, value: Value) -> Option<u64> {
        let place = value.place()?;
        let piece = self.pieces[place / Self::PIECE].get()?;
        piece[place % Self::PIECE].load(Relaxed).checked_sub(1)
    }

    fn set(&self, value: Value, number: u64) {
        let Some(place) = value.place() else { return };
        let piece = self.pieces[place / Self::PIECE].get_or_init(|| Words::new(Self::PIECE));
        piece[place % Self::PIECE].store(number + 1, Relaxed);
    }
}

impl Session {
    pub(super) fn new(generation: u64) -> Session {
        Session { store: Store::new(), names: Names::All(vec![]), numbers: Numbers::new(), generation }
    }

    /// From now on there are so many values on the disk. If they are more than `listed`, only those that were read have a place, and for the first time
    /// that begins with an empty store.
    pub(super) fn extend(&mut self, values: u64, listed: u64) {
        match &mut self.names {
            Names::All(names) if values <= listed => {
                names.resize_with(values as usize, AtomicU32::default);
            }
            Names::All(_) => {
                let shelves = (0..LOCKS).map(|_| RwLock::default()).collect();
                *self = Session { names: Names::Read(shelves), ..Session::new(self.generation) };
            }
            Names::Read(_) => {}
        }
    }

    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        let names = match &self.names {
            Names::All(names) => 4 * names.len() as u64,
            Names::Read(shelves) => {
                let read = |shelf: &RwLock<FxHashMap<u64, Value>>| {
                    shelf.read().unwrap_or_else(|e| e.into_inner()).len()
                };
                let entry = 2 * (size_of::<(u64, Value)>() + 1);
                (shelves.iter().map(read).sum::<usize>() * entry) as u64
            }
        };
        // Numbers take a word for every sixth word of values.
        self.store.bytes() + self.store.bytes_of_values() / 6 + names
    }

    pub(super) fn kernel<'a>(&'a self, budget: &'a Budget) -> Kernel<'a> {
        self.store.kernel(budget)
    }

    #[inline]
    fn name(&self, reference: u64) -> Option<Value> {
        if reference & PACKED != 0 {
            return Value::from_packed_bits(reference as u32);
        }
        self.names.get(reference)
    }

    /// The value that a reference means, read with all its options if it was not yet.
    #[inline]
    fn value(&self, reference: u64, layers: &Layers, kernel: &Kernel<'_>) -> Result<Value, StoreError> {
        match self.name(reference) {
            Some(value) => Ok(value),
            None => self.load(reference, layers, kernel),
        }
    }

    #[cold]
    fn load(&self, number: u64, layers: &Layers, kernel: &Kernel<'_>) -> Result<Value, StoreError> {
        let wrong = || StoreError::Foreign(format!("the options of value {number} make no sense"));
        let (mut stack, mut words) = (vec![number], vec![]);
        // Options first, without recursion: they have smaller numbers.
        while let Some(&top) = stack.last() {
            if self.name(top).is_some() {
                stack.pop();
                continue;
            }
            layers.record(top, &mut words)?;
            let before = stack.len();
            for &option in &words[1..] {
                if option & PACKED == 0 && option >= top {
                    return Err(wrong());
                }
                if option & PACKED == 0 && self.name(option).is_none() {
                    stack.push(option);
                }
            }
            if stack.len() > before {
                continue;
            }
            let values =
                |side: &[u64]| side.iter().map(|&option| self.name(option)).collect::<Option<Values>>();
            let (lefts, rights) = Record(&words).sides();
            let (lefts, rights) = (values(lefts).ok_or_else(wrong)?, values(rights).ok_or_else(wrong)?);
            let value = kernel.of_canonical_options(&lefts, &rights)?;
            self.numbers.set(value, top);
            self.names.set(top, value);
            stack.pop();
        }
        self.name(number).ok_or_else(wrong)
    }
}

/// How many option lists a thread remembers.
const RECENT: usize = 1 << 15;

/// What a thread has found in a shard so far.
pub(super) struct Finder {
    /// References to the values of the boards. Numbers from `base` on are those of the values below.
    pub(super) boards: Vec<u64>,
    /// Values that may be new, options first.
    pub(super) records: Vec<u64>,
    /// How many they are.
    count: u64,
    base: u64,
    /// References to those of them that are in the store of now.
    local: FxHashMap<Value, u64>,
    generation: u64,
    recent: Vec<Option<(Values, usize, u64)>>,
}

impl Finder {
    /// For a layer before which there are so many values.
    pub(super) fn new(base: u64) -> Finder {
        Finder {
            boards: vec![],
            records: vec![],
            count: 0,
            base,
            local: FxHashMap::default(),
            generation: u64::MAX,
            recent: vec![],
        }
    }

    /// How many values there are that may be new.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Forgets what belongs to another store.
    fn begin(&mut self, session: &Session) {
        if self.generation != session.generation {
            self.generation = session.generation;
            self.local.clear();
            self.recent.clear();
        }
        self.recent.resize_with(RECENT, || None);
    }

    /// Finds the values of some boards of a set.
    pub(super) fn find(
        &mut self,
        session: &Session,
        (plan, colourings): (&Plan, std::ops::Range<u32>),
        layers: &Layers,
        budget: &Budget,
    ) -> Result<(), StoreError> {
        self.begin(session);
        let kernel = session.kernel(budget);
        for colouring in colourings {
            kernel.step()?;
            let mut options = Values::new();
            let lefts = self.options(session, plan, colouring, layers, &kernel, &mut options)?;
            let mut rights = Values::new();
            self.options(session, plan, plan.exchanged(colouring), layers, &kernel, &mut rights)?;
            for right in &rights {
                options.push(kernel.neg(*right)?);
            }
            self.add(session, options, lefts, &kernel)?;
        }
        Ok(())
    }

    /// Finds the value of a part from the parts that the moves of Left and Right leave.
    pub(super) fn find_part(
        &mut self,
        session: &Session,
        sides: &[Vec<Parts>; 2],
        layers: &Layers,
        budget: &Budget,
    ) -> Result<(), StoreError> {
        self.begin(session);
        let kernel = session.kernel(budget);
        kernel.step()?;
        let mut options = Values::new();
        let mut lefts = 0;
        for side in sides {
            lefts = options.len();
            for parts in side {
                options.push(self.sum(session, parts, layers, &kernel)?);
            }
            options[lefts..].sort_unstable();
            let mut end = lefts;
            for i in lefts..options.len() {
                if end == lefts || options[i] != options[end - 1] {
                    options[end] = options[i];
                    end += 1;
                }
            }
            options.truncate(end);
        }
        self.add(session, options, lefts, &kernel)
    }

    /// Adds the board with these options, so many of them Left's.
    fn add(
        &mut self,
        session: &Session,
        options: Values,
        lefts: usize,
        kernel: &Kernel<'_>,
    ) -> Result<(), StoreError> {
        let place = (FxBuildHasher.hash_one((&options[..], lefts)) >> 40) as usize % RECENT;
        let reference = match &self.recent[place] {
            Some((same, count, reference)) if *same == options && *count == lefts => *reference,
            _ => {
                let value = kernel.from_options(&options[..lefts], &options[lefts..])?;
                let reference = self.reference(session, value, kernel)?;
                self.recent[place] = Some((options, lefts, reference));
                reference
            }
        };
        self.boards.push(reference);
        Ok(())
    }

    /// The values of Left's options, each once. Returns how many they are.
    fn options(
        &self,
        session: &Session,
        plan: &Plan,
        colouring: u32,
        layers: &Layers,
        kernel: &Kernel<'_>,
        values: &mut Values,
    ) -> Result<usize, StoreError> {
        let mut result = Ok(());
        plan.options(colouring, |parts| {
            if result.is_ok() {
                result = self.sum(session, parts, layers, kernel).map(|value| values.push(value));
            }
        });
        result?;
        values.sort_unstable();
        values.dedup();
        Ok(values.len())
    }

    /// The value of some parts together.
    fn sum(
        &self,
        session: &Session,
        parts: &[PartPlace],
        layers: &Layers,
        kernel: &Kernel<'_>,
    ) -> Result<Value, StoreError> {
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        for &(stones, place, negative) in parts {
            let value = session.value(layers.board(stones, place)?, layers, kernel)?;
            values.push(if negative { kernel.neg(value)? } else { value });
        }
        Ok(match values.as_slice() {
            [one] => *one,
            values => kernel.sum(values)?,
        })
    }

    /// A reference to a value; if it may be new, it is written down, and what it is made of before it.
    fn reference(&mut self, session: &Session, value: Value, kernel: &Kernel<'_>) -> Result<u64, StoreError> {
        if let Some(known) = self.known(session, value) {
            return Ok(known);
        }
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            let before = stack.len();
            if self.known(session, top).is_none() {
                for player in Player::BOTH {
                    let unknown = |option: &Value| self.known(session, *option).is_none();
                    stack.extend(kernel.options(top, player).filter(unknown));
                }
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if self.known(session, top).is_some() {
                continue;
            }
            if kernel.as_number_up_star(top).is_some() {
                let what =
                    "a value is a number, or a multiple of up, that is too large for this kind of table";
                return Err(StoreError::Invalid(what.into()));
            }
            let start = self.records.len();
            self.records.push(0);
            let mut counts = [0; 2];
            for (count, player) in counts.iter_mut().zip(Player::BOTH) {
                let options = kernel.options(top, player).filter_map(|option| self.known(session, option));
                let options: SmallVec<[u64; 24]> = options.collect();
                *count = options.len() as u64;
                self.records.extend(options);
            }
            self.records[start] = counts[0] | counts[1] << 16;
            self.local.insert(top, self.base + self.count);
            self.count += 1;
        }
        self.known(session, value).ok_or_else(|| StoreError::Foreign("a value was not written down".into()))
    }

    /// A reference to a value that needs not be written down.
    fn known(&self, session: &Session, value: Value) -> Option<u64> {
        value
            .packed_bits()
            .map(packed)
            .or_else(|| session.numbers.get(value))
            .or_else(|| self.local.get(&value).copied())
    }
}
