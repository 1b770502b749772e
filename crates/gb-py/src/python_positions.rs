//! The positions of a game written in Python that were met, and what was asked about them.

use std::collections::HashMap;
use std::sync::Arc;

use gb_board::Plain;
use gb_rules::{MoveCode, Player, Sign};
use gb_value::Cancel;
use pyo3::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A position by its number: Python objects are compared and hashed only when they are first met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Numbered(pub(crate) u32);

impl Plain for Numbered {
    const WORDS: usize = 1;

    fn write_words(self, words: &mut [u64]) {
        words[0] = self.0.into();
    }
    fn read_words(words: &[u64]) -> Numbered {
        Numbered(words[0] as u32)
    }
}

impl MoveCode for Numbered {
    fn code(&self) -> u64 {
        self.0.into()
    }
    fn of_code(code: u64) -> Numbered {
        Numbered(code as u32)
    }
}

/// All that is kept.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) positions: Vec<Py<PyAny>>,
    /// The last position that was met with a hash; from there they are chained ([`Known::same_hash`]). A dictionary of Python would hash a new
    /// position twice, and make an object of each number.
    pub(crate) by_hash: FxHashMap<isize, Numbered>,
    /// From texts that were shown to positions, and back.
    pub(crate) texts: HashMap<Arc<str>, Numbered>,
    pub(crate) shown: FxHashMap<u32, Arc<str>>,
    /// What was asked about each position so far.
    pub(crate) known: Vec<Known>,
    /// Options and parts of all positions, one list behind the other.
    pub(crate) lists: Vec<Numbered>,
    /// Positions that will be searched, but whose options nobody has asked for yet, for Left and for Right.
    pub(crate) waiting: [Vec<Numbered>; 2],
    /// What the Python code raised: the search that met it is worthless.
    pub(crate) error: Option<PyErr>,
    pub(crate) cancel: Cancel,
}

/// A position has few options, and few parts.
pub(crate) type Few = SmallVec<[Numbered; 16]>;

/// Where a list begins in [`State::lists`], and where it ends.
pub(crate) type List = (u32, u32);

/// What was asked about a position.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    /// The position that was met before this one with the same hash.
    pub(crate) same_hash: Option<Numbered>,
    pub(crate) options: [Option<List>; 2],
    pub(crate) parts: Option<List>,
    pub(crate) normal: Option<(Numbered, Sign)>,
}

impl State {
    pub(crate) fn known(&mut self, at: Numbered) -> &mut Known {
        &mut self.known[at.0 as usize]
    }

    /// Keeps a list.
    pub(crate) fn keep(&mut self, list: &[Numbered]) -> Option<List> {
        let start = u32::try_from(self.lists.len()).ok()?;
        self.lists.extend_from_slice(list);
        Some((start, u32::try_from(self.lists.len()).ok()?))
    }

    pub(crate) fn keep_options(&mut self, at: Numbered, who: Player, options: &[Numbered]) {
        let list = self.keep(options);
        self.known(at).options[who as usize] = list;
    }

    pub(crate) fn keep_parts(&mut self, at: Numbered, parts: &[Numbered]) {
        let list = self.keep(parts);
        self.known(at).parts = list;
    }

    pub(crate) fn list(&self, (start, end): List) -> Few {
        Few::from_slice(&self.lists[start as usize..end as usize])
    }
}
