//! What is known about parts and about sums of known parts, kept by each thread.

use std::hash::{BuildHasher, Hash};

use gb_rules::{DynGame, Key, Player, Sign};
use gb_search::{GameTables, SearchContext};
use gb_value::{Dyadic, Halt, Kernel, Value};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::knowledge::Knowledge;

/// Parts of at most this size (see [`Rules::size`]) are valued; larger ones are looked up.
pub(crate) const VALUED_SIZE: usize = 12;
/// How many nodes the value of one part may take.
const VALUED_NODES: u64 = 200;
/// How many nodes a sum of values that are no closed forms may take.
const SUM_NODES: u64 = 500;
/// Points of [`Heuristics::static_eval`] for one move to spare.
pub(crate) const EVAL_OF_A_MOVE: i32 = 4;

/// What is known about one part.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Fact {
    pub(crate) value: Option<Value>,
    /// The value is the sum of a number, ups and a star.
    pub(crate) closed: bool,
    /// The atomic weight lies between these integers.
    pub(crate) weight: Option<(i16, i16)>,
    /// In quarters of a move, rounded; 0 for numbers and infinitesimals.
    pub(crate) heat: u16,
    /// How many moves Left and Right have.
    pub(crate) counts: [u16; 2],
    /// The same for parts of the same value, as far as that is known; 0 if nobody asked.
    pub(crate) name: u64,
    /// There was no time to look for the value.
    pub(crate) pending: bool,
    /// How much better Left stands, if there is a value.
    pub(crate) eval: i32,
}

/// Spreads a hash over all 64 bits: keys of sums are added up.
pub(crate) fn spread(hash: u64) -> u64 {
    let x = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ (x >> 32)).wrapping_mul(0xa076_1d64_78bd_642f);
    x ^ (x >> 29)
}

pub(crate) fn hash_of(thing: &impl Hash) -> u64 {
    spread(FxBuildHasher.hash_one(thing))
}

/// Facts about parts as they were cut from the board: a table of fixed size, the newest entry wins its place.
pub(crate) struct PartFacts<const N: usize> {
    places: Vec<Place<N>>,
    filled: usize,
}

/// Most games' parts and facts fit into one line of the processor's cache.
#[derive(Clone)]
#[repr(align(64))]
struct Place<const N: usize>(Option<(Key<N>, Fact)>);

const PLACES_AT_FIRST: usize = 1 << 10;
const PLACES_AT_MOST: usize = 1 << 18;

impl<const N: usize> PartFacts<N> {
    pub(crate) fn new() -> Self {
        PartFacts { places: vec![Place(None); PLACES_AT_FIRST], filled: 0 }
    }

    #[inline]
    pub(crate) fn get(&self, board: &Key<N>, hash: u64) -> Option<Fact> {
        match &self.places[hash as usize & (self.places.len() - 1)].0 {
            Some((known, fact)) if known == board => Some(*fact),
            _ => None,
        }
    }

    pub(crate) fn set(&mut self, board: Key<N>, hash: u64, fact: Fact) {
        if self.filled * 2 > self.places.len() && self.places.len() < PLACES_AT_MOST {
            let larger = vec![Place(None); self.places.len() * 4];
            self.filled = 0;
            let old = std::mem::replace(&mut self.places, larger);
            for (board, fact) in old.into_iter().filter_map(|place| place.0) {
                let hash = hash_of(&board);
                self.put(board, hash, fact);
            }
        }
        self.put(board, hash, fact);
    }

    /// As [`set`](PartFacts::set), but takes no place from a fact that is not pending.
    pub(crate) fn set_pending(&mut self, board: &Key<N>, hash: u64, fact: Fact) {
        let place = hash as usize & (self.places.len() - 1);
        if self.places[place].0.as_ref().is_none_or(|(_, known)| known.pending) {
            self.put(*board, hash, Fact { pending: true, ..fact });
        }
    }

    fn put(&mut self, board: Key<N>, hash: u64, fact: Fact) {
        let place = hash as usize & (self.places.len() - 1);
        self.filled += usize::from(self.places[place].0.is_none());
        self.places[place] = Place(Some((board, fact)));
    }
}

/// Which parts were seen lately: what is seen once only is not worth a search. Parts may be taken for others, which does no
/// harm.
pub(crate) struct Sights {
    tags: Vec<u32>,
}

const SIGHTS: usize = 1 << 16;

impl Sights {
    pub(crate) fn new() -> Self {
        Sights { tags: vec![0; SIGHTS] }
    }

    /// Whether a part with this hash was seen before.
    #[inline]
    pub(crate) fn again(&mut self, hash: u64) -> bool {
        let tag = (hash >> 32) as u32;
        std::mem::replace(&mut self.tags[hash as usize & (SIGHTS - 1)], tag) == tag
    }
}

/// What inspection says about a part.
#[inline]
pub(crate) fn move_counts<const N: usize>(game: &dyn DynGame<N>, board: &Key<N>) -> Fact {
    let counts = Player::BOTH.map(|who| game.count_moves(board, who).min(u32::from(u16::MAX)) as u16);
    Fact { value: None, closed: false, weight: None, heat: 0, counts, name: 0, pending: false, eval: 0 }
}

/// Finds everything that a player with this knowledge wants to know about a part that was inspected; if it
/// `searches`, also what nobody has found out yet.
pub(crate) fn examine<const N: usize>(
    game: &dyn DynGame<N>,
    knowledge: &Knowledge,
    tables: &GameTables<N>,
    kernel: &Kernel<'_>,
    board: &Key<N>,
    mut fact: Fact,
    searches: bool,
) -> Fact {
    let (normal, sign) = game.normalise(board);
    // Running out is an ordinary answer: nothing is known then.
    let Ok(Some(value)) = value(game, tables, kernel, board, (&normal, sign), searches) else {
        // The same for the images under symmetries.
        fact.name = hash_of(&(normal, sign == Sign::Minus)).max(1);
        return fact;
    };
    fact.name = hash_of(&value).max(1);
    let budget = kernel.budget().part(VALUED_NODES);
    let brief = kernel.store().kernel(&budget);
    fact.value = Some(value);
    fact.closed = kernel.as_number_up_star(value).is_some();
    if knowledge.atomic {
        fact.weight = weight(&brief, value);
    }
    let is_all_small = kernel.is_all_small(value);
    if knowledge.temperature
        && !is_all_small
        && let Ok(heat) = brief.temperature(value)
    {
        let quarters = heat.double().double().floor().to_i64().unwrap_or(i64::MAX);
        fact.heat = quarters.clamp(0, i64::from(u16::MAX)) as u16;
    }
    let mean = if is_all_small { Ok(Dyadic::ZERO) } else { brief.mean(value) };
    if let Ok(mean) = mean {
        let quarters = mean.double().double().floor().to_i64().unwrap_or(0).clamp(-10_000, 10_000);
        // An up is worth no move, but counts as one: where all parts are infinitesimal nothing else decides.
        let ups = fact.weight.map_or(0, |(low, high)| (i64::from(low) + i64::from(high)) / 2);
        fact.eval = (i64::from(EVAL_OF_A_MOVE) * (quarters + 4 * ups) / 4).clamp(-10_000, 10_000) as i32;
    }
    fact
}

fn value<const N: usize>(
    game: &dyn DynGame<N>,
    tables: &GameTables<N>,
    kernel: &Kernel<'_>,
    board: &Key<N>,
    (normal, sign): (&Key<N>, Sign),
    searches: bool,
) -> Result<Option<Value>, Halt> {
    if let Some(value) = game.known(board, kernel)? {
        return Ok(Some(value));
    }
    match tables.values.recall(normal, kernel)? {
        Some(value) if sign == Sign::Minus => return kernel.neg(value).map(Some),
        Some(value) => return Ok(Some(value)),
        None => {}
    }
    if !searches || game.size(board) > VALUED_SIZE {
        return Ok(None);
    }
    let budget = kernel.budget().part(VALUED_NODES);
    tables.value(game, board, &SearchContext::new(kernel.store(), &budget)).map(Some)
}

/// Integers around the atomic weight of an all-small value.
fn weight(kernel: &Kernel<'_>, value: Value) -> Option<(i16, i16)> {
    if !kernel.is_all_small(value) {
        return None;
    }
    let weight = kernel.atomic_weight(value).ok()?;
    // A value that is no number lies between its stops give or take an infinitesimal.
    let slack = i64::from(!kernel.is_number(weight));
    let low = kernel.stop(weight, Player::Right).ok()??.floor().to_i64()? - slack;
    let high = kernel.stop(weight, Player::Left).ok()??.ceil().to_i64()? + slack;
    Some((i16::try_from(low).ok()?, i16::try_from(high).ok()?))
}

/// Who wins sums of known values: a table of fixed size.
pub(crate) struct SumFacts {
    places: Vec<(u64, Option<bool>)>,
}

impl SumFacts {
    pub(crate) fn new() -> Self {
        SumFacts { places: vec![(0, None); 1 << 14] }
    }

    /// Whether the player to move wins the sum of these values. `None`: that would take too long.
    pub(crate) fn wins(
        &mut self,
        facts: impl Iterator<Item = Fact> + Clone,
        points: i64,
        who: Player,
        atomic: bool,
        kernel: &Kernel<'_>,
    ) -> Option<bool> {
        let mut closed = if points == 0 { Value::ZERO } else { kernel.integer(points) };
        let mut others: SmallVec<[Value; 8]> = SmallVec::new();
        for fact in facts.clone() {
            let value = fact.value?;
            if fact.closed {
                closed = kernel.add(closed, value).ok()?;
                continue;
            }
            let negative = kernel.neg(value).ok()?;
            match others.iter().position(|&other| other == negative) {
                Some(inverse) => {
                    others.swap_remove(inverse);
                }
                None => others.push(value),
            }
        }
        if let [] | [_] = others.as_slice() {
            let rest = others.first().copied().unwrap_or(Value::ZERO);
            return loses(rest, closed, who, kernel).map(|loses| !loses);
        }
        if atomic
            && points == 0
            && let Some(wins) = two_ahead(facts, who)
        {
            return Some(wins);
        }
        others.sort_unstable();
        let key = hash_of(&(others.as_slice(), closed, who)).max(1);
        let place = key as usize & (self.places.len() - 1);
        if self.places[place].0 == key {
            return self.places[place].1;
        }
        let wins = added_up(&others, closed, who, kernel);
        self.places[place] = (key, wins);
        wins
    }
}

/// Whether the player to move loses `a + b`; the sum is not formed.
fn loses(a: Value, b: Value, who: Player, kernel: &Kernel<'_>) -> Option<bool> {
    let b = kernel.neg(b).ok()?;
    match who {
        Player::Left => kernel.le(a, b).ok(),
        Player::Right => kernel.le(b, a).ok(),
    }
}

fn added_up(others: &[Value], closed: Value, who: Player, kernel: &Kernel<'_>) -> Option<bool> {
    let budget = kernel.budget().part(SUM_NODES);
    let brief = kernel.store().kernel(&budget);
    let mut sum = closed;
    for &value in &others[1..] {
        sum = brief.add(sum, value).ok()?;
    }
    loses(others[0], sum, who, &brief).map(|loses| !loses)
}

/// A total atomic weight of two or more wins; of one or more, moving first (Winning Ways, 1982, chapter 8).
fn two_ahead(facts: impl Iterator<Item = Fact>, who: Player) -> Option<bool> {
    let (mut low, mut high) = (0, 0);
    for fact in facts {
        let (least, most) = fact.weight?;
        low += i32::from(least);
        high += i32::from(most);
    }
    // From the mover's side.
    let (low, high) = if who == Player::Left { (low, high) } else { (-high, -low) };
    if low >= 1 {
        Some(true)
    } else if high <= -2 {
        Some(false)
    } else {
        None
    }
}
