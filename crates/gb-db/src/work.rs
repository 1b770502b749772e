//! What all builds share: layers of boards that depend only on earlier layers, and workers that find facts about them.

use std::ops::Range;
use std::sync::Arc;

use gb_board::Codes;
use gb_rules::Player;
use gb_search::SearchContext;
use gb_value::{Halt, Kernel, Value};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;

use crate::error::StoreError;
use crate::fact::{Fact, Facts, Partial};
use crate::file::{Fields, Writer};
use crate::game::TabulatedGame;

/// Boards in layers. The facts about a layer follow from those about the layers before it.
pub(crate) trait Target: Send + Sync {
    /// What is built, in one line.
    fn title(&self) -> String;
    /// How many layers there are.
    fn layers(&self) -> usize;
    /// Where the boards of a layer are: ranges of this can be worked on independently.
    fn span(&self, layer: usize) -> u64;
    /// How many boards a layer has.
    fn boards(&self, layer: usize) -> u64;
    /// How much memory the lists of boards and numbers take.
    fn bytes(&self) -> u64;
    /// Finds the facts about the boards of a layer in a range, in their order. Boards that follow from others are left out.
    fn find(&self, worker: &mut Worker<'_>, layer: usize, range: Range<u64>) -> Result<Vec<u32>, StoreError>;
    /// Writes down what [`find`](Target::find) has found.
    fn add(
        &self,
        worker: &mut Worker<'_>,
        layer: usize,
        range: Range<u64>,
        numbers: &[u32],
    ) -> Result<(), StoreError>;
    /// What the header says about the table.
    fn fields(&self) -> Fields;
    /// Writes the boards with the final numbers of their facts, of which there are `count`.
    fn write(&self, out: &mut Writer, count: usize, renumber: &[u32]) -> Result<(), StoreError>;
}

/// How many option lists a worker remembers.
const RECENT: usize = 1 << 16;

/// Numbers of facts.
pub(crate) type Numbers = SmallVec<[u32; 24]>;

/// What one worker takes at most besides values.
pub(crate) const BYTES_A_WORKER: u64 = (RECENT * size_of::<Option<Recent>>()) as u64;

/// One thread's tools.
pub(crate) struct Worker<'a> {
    pub(crate) game: &'a TabulatedGame,
    pub(crate) facts: &'a Facts,
    pub(crate) kernel: Kernel<'a>,
    pub(crate) context: SearchContext<'a>,
    /// Whether values are asked for, or only what is known without them.
    pub(crate) exact: bool,
    /// Results for lists of options, which come up again and again.
    recent: Vec<Option<Recent>>,
    /// What is known without the values of facts, by their numbers: every fact is an option of many boards.
    partials: FxHashMap<u32, Arc<Partial>>,
    /// Numbers of negatives; `u32::MAX` where not known yet.
    negatives: Vec<u32>,
}

struct Recent {
    lefts: Numbers,
    rights: Numbers,
    exact: bool,
    number: u32,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(game: &'a TabulatedGame, facts: &'a Facts, context: SearchContext<'a>) -> Worker<'a> {
        let kernel = context.store.kernel(context.budget);
        Worker {
            game,
            facts,
            kernel,
            context,
            exact: true,
            recent: vec![],
            partials: FxHashMap::default(),
            negatives: vec![],
        }
    }

    /// The fact about a game with options whose facts have these numbers.
    pub(crate) fn compose(&mut self, mut lefts: Numbers, mut rights: Numbers) -> Result<u32, Halt> {
        for side in [&mut lefts, &mut rights] {
            side.sort_unstable();
            side.dedup();
        }
        // Workers that only add what others have found never come here.
        if self.recent.is_empty() {
            self.recent.resize_with(RECENT, || None);
        }
        let hash = FxBuildHasher.hash_one((&lefts[..], &rights[..]));
        let place = (hash >> 40) as usize % RECENT;
        if let Some(known) = &self.recent[place]
            && known.exact == self.exact
            && known.lefts == lefts
            && known.rights == rights
        {
            return Ok(known.number);
        }
        let values = |side: &[u32]| -> Option<SmallVec<[Value; 24]>> {
            side.iter().map(|&n| self.facts.get(n).value()).collect()
        };
        let fact = match (self.exact, values(&lefts), values(&rights)) {
            (true, Some(lefts), Some(rights)) => Fact::Exact(self.kernel.from_options(&lefts, &rights)?),
            _ => {
                let (lefts, rights) = (self.partials(&lefts)?, self.partials(&rights)?);
                Fact::Partial(Partial::of_options(&lefts, &rights, &self.kernel)?)
            }
        };
        let number = self.facts.number(&fact, &self.kernel);
        self.recent[place] = Some(Recent { lefts, rights, exact: self.exact, number });
        Ok(number)
    }

    fn partials(&mut self, numbers: &[u32]) -> Result<Vec<Arc<Partial>>, Halt> {
        let (facts, kernel) = (self.facts, &self.kernel);
        let mut found = Vec::with_capacity(numbers.len());
        for &number in numbers {
            found.push(match self.partials.entry(number) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(free) => free.insert(Arc::new(facts.get(number).partial(kernel)?)).clone(),
            });
        }
        Ok(found)
    }

    /// The fact about the options of a whole board, which `find` looks up.
    pub(crate) fn expand(
        &mut self,
        board: &Codes,
        find: &dyn Fn(&Codes) -> Option<u32>,
    ) -> Result<Option<u32>, StoreError> {
        let game = self.game;
        let mut complete = true;
        let mut sides = [Numbers::new(), Numbers::new()];
        for (who, numbers) in Player::BOTH.into_iter().zip(&mut sides) {
            game.options(board, who, &mut |option| match find(option) {
                Some(number) => numbers.push(number),
                None => complete = false,
            })?;
        }
        let [lefts, rights] = sides;
        Ok(if complete { Some(self.compose(lefts, rights)?) } else { None })
    }

    /// The number of the negative of a fact.
    pub(crate) fn negative(&mut self, number: u32) -> Result<u32, Halt> {
        let place = number as usize;
        if self.negatives.len() <= place {
            self.negatives.resize((place + 1).next_power_of_two(), u32::MAX);
        }
        if self.negatives[place] == u32::MAX {
            let fact = self.facts.get(number).negate(&self.kernel)?;
            self.negatives[place] = self.facts.number(&fact, &self.kernel);
        }
        Ok(self.negatives[place])
    }
}
