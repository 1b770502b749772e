//! What is kept of boards that are cut into bands, and whether that pays.

use rustc_hash::FxHashMap;

use super::key::SumKey;
use super::search::Heat;
use crate::alphabeta::{Growth, ReplacingTable};

/// So many times it is asked in the beginning, and again now and then,
const FIRST: u64 = 2_000;
/// and then as long as one in so many times there is an answer. In Domineering one in three has one, and nine tenths of the nodes are saved.
const WORTH: u64 = 20;
/// After so many times that it was not worth it, it is tried again.
const PAUSE: u64 = 64 * FIRST;
/// The values of narrow bands may take so many nodes in the beginning, and so many for every node of the search.
const NARROW: (u64, u64) = (500, 4);
/// Wider ones are valued after so many nodes of the search, and may take so many for every one after that. From the beginning on, Domineering 8x8 takes a fifth longer; not at all, 7x9 takes
/// more than twice as long.
const WIDE: (u64, u64) = (2_500, 2);

/// The thermographs of bands, and what asking for them has brought.
pub(super) struct Bands {
    /// The number of the thermograph of each band that was looked at, one more than its place; 0 if it has none. There are far fewer thermographs than bands.
    numbers: ReplacingTable<SumKey, u32>,
    heats: Vec<Heat>,
    number_of: FxHashMap<Heat, u32>,
    asked: u64,
    answered: u64,
    /// How often it was not asked since then.
    passed: u64,
    /// Nodes that the values of bands have taken.
    spent: u64,
    /// The game has none.
    missing: bool,
}

impl Bands {
    /// A table that takes no more than so many bytes.
    pub(super) fn new(max_bytes: u64) -> Bands {
        let entries = max_bytes / size_of::<Option<(SumKey, u32)>>() as u64;
        let bits = entries.clamp(1 << 8, 1 << 22).ilog2();
        Bands {
            numbers: ReplacingTable::new(8, bits, Growth::Filled),
            heats: vec![],
            number_of: FxHashMap::default(),
            asked: 0,
            answered: 0,
            passed: 0,
            spent: 0,
            missing: false,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let heats = self.heats.capacity() * size_of::<Heat>();
        let numbers = self.number_of.capacity() * size_of::<(Heat, u32, u8)>();
        self.numbers.bytes() + (heats + numbers) as u64
    }

    /// Whether it has been worth asking.
    #[inline]
    pub(super) fn are_worth_it(&mut self) -> bool {
        if self.missing {
            return false;
        }
        let are = self.asked < FIRST || self.answered * WORTH > self.asked;
        if !are {
            self.passed += 1;
            if self.passed == PAUSE {
                (self.asked, self.answered, self.passed) = (0, 0, 0);
            }
        }
        are
    }

    /// Notes that the game has no bands, and is never asked again.
    pub(super) fn are_missing(&mut self) {
        self.missing = true;
    }

    /// Whether another band may be valued, when the search has taken so many nodes.
    #[inline]
    pub(super) fn may_be_valued(&self, is_wide: bool, nodes: u64) -> bool {
        self.spent
            <= match is_wide {
                false => NARROW.0 + NARROW.1 * nodes,
                true => WIDE.1 * nodes.saturating_sub(WIDE.0),
            }
            && (!is_wide || nodes > WIDE.0)
    }

    /// Notes that it was asked, and whether there was an answer.
    #[inline]
    pub(super) fn note(&mut self, answered: bool) {
        self.asked += 1;
        self.answered += u64::from(answered);
    }

    /// Notes what is found of a band, after so many nodes: that it has no value with so few, if nothing.
    pub(super) fn set(&mut self, key: SumKey, heat: Option<Heat>, nodes: u64) {
        self.spent += nodes;
        let number = heat.map_or(0, |heat| {
            *self.number_of.entry(heat).or_insert_with(|| {
                self.heats.push(heat);
                self.heats.len() as u32
            })
        });
        self.numbers.set(key, number);
    }

    /// Whether it was asked for a band.
    #[inline]
    pub(super) fn knows(&self, key: SumKey) -> bool {
        self.numbers.get(key).is_some()
    }

    /// The thermograph of a band, if that was found.
    #[inline]
    pub(super) fn heat(&self, key: SumKey) -> Option<&Heat> {
        self.heats.get((*self.numbers.get(key)? as usize).checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_worth_it_is_asked_now_and_then() {
        let mut bands = Bands::new(1 << 20);
        (0..FIRST).for_each(|i| bands.note(i % 10 == 0));
        assert!(bands.are_worth_it());
        (0..20 * FIRST).for_each(|_| bands.note(false));
        let pause = (0..2 * PAUSE).take_while(|_| !bands.are_worth_it()).count() as u64;
        assert_eq!(pause, PAUSE);
    }

    #[test]
    fn values_take_their_share() {
        let mut bands = Bands::new(1 << 20);
        assert!(bands.may_be_valued(false, 0) && !bands.may_be_valued(true, 0));
        bands.set(1 << 100, None, 2 * NARROW.0);
        assert!(!bands.may_be_valued(false, 0) && bands.may_be_valued(false, NARROW.0));
        assert!(!bands.may_be_valued(true, WIDE.0 + 1) && bands.may_be_valued(true, WIDE.0 + NARROW.0));
        assert!(bands.knows(1 << 100) && bands.heat(1 << 100).is_none() && !bands.knows(1 << 101));
    }
}
