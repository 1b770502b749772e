//! The search that all questions share: a part is expanded, its options' parts are looked up or searched, and the question
//! composes their facts.
//!
//! Several threads may search the same part. They share the table, walk the options in different orders, and leave alone
//! what another thread has begun as long as there is something else to do.

use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use gb_rules::{Bridge, DynGame, Expansion, Key, Normal, Player, Sign};
use gb_value::{Budget, Halt, Kernel, Store, deeper};
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use crate::question::outcome::Memory;
use crate::table::{Claim, Lookup, Reader, Table};

/// What is asked about a position: how facts about the options make a fact about the game.
///
/// A fact must be determined by the facts about the parts: if it is not (thermographs of sums are not), the question
/// cannot be asked this way.
pub trait Question: Sync {
    /// The answer for one game.
    type Fact: Clone + Send + Sync;

    /// Whether games with the same fact are equal, so that bridges can be used (see [`DynGame::bridges`]).
    fn are_equal(_a: &Self::Fact, _b: &Self::Fact) -> bool {
        false
    }

    /// For whose moves the options are needed.
    const PLAYERS: &'static [Player];

    /// The fact about a part by a theorem of the game.
    fn known<const N: usize>(
        &self,
        game: &dyn DynGame<N>,
        part: &Key<N>,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Self::Fact>, Halt>;

    /// The fact about the negative of a game.
    fn negate(&self, fact: Self::Fact, kernel: &Kernel<'_>) -> Result<Self::Fact, Halt>;

    /// The fact about the sum of games and a number of points.
    fn sum(&self, points: i64, facts: &[Self::Fact], kernel: &Kernel<'_>) -> Result<Self::Fact, Halt>;

    /// The fact about the game with these options (Left's, Right's).
    fn compose(
        &self,
        lefts: &[Self::Fact],
        rights: &[Self::Fact],
        kernel: &Kernel<'_>,
    ) -> Result<Self::Fact, Halt>;
}

/// How large a search must become before more threads join in.
const NODES_ALONE: u64 = 2_000;
/// How deep a search must be before it looks for repetition; a cycle is always deep enough sooner or later.
const DEPTH_OF_FIRST_CYCLE_CHECK: usize = 512;

/// What a search works with.
pub struct SearchContext<'a> {
    /// Where values live.
    pub store: &'a Store,
    /// How much may be spent.
    pub budget: &'a Budget,
    /// How many threads may work.
    pub threads: usize,
    /// What comparisons of positions with values have found, for whoever makes more of them. Who finds none here brings his own.
    pub comparisons: Option<&'a Mutex<Vec<Memory>>>,
}

impl<'a> SearchContext<'a> {
    /// A context for one thread.
    pub fn new(store: &'a Store, budget: &'a Budget) -> SearchContext<'a> {
        SearchContext { store, budget, threads: 1, comparisons: None }
    }

    /// With this many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> SearchContext<'a> {
        self.threads = threads.max(1);
        self
    }
}

/// Answers a question about a whole position: takes it apart, and searches each part.
///
/// Everything that was found stays in `table`, also when the budget runs out.
pub fn search<const N: usize, Q: Question>(
    game: &dyn DynGame<N>,
    question: &Q,
    table: &Table<Key<N>, Q::Fact>,
    at: &Key<N>,
    context: &SearchContext<'_>,
) -> Result<Q::Fact, Halt> {
    let over = AtomicBool::new(false);
    let alone = Worker::new(game, question, table, context, &over, 0, context.threads > 1);
    match alone.position(at) {
        Err(Leave::MoreThreads) => {}
        Err(Leave::Halted(stop)) => return Err(stop),
        Err(Leave::Over) => unreachable!("nobody else is working yet"),
        Ok(fact) => return Ok(fact),
    }
    drop(alone);
    tell!(threads = context.threads, nodes = context.budget.nodes(), "more threads join");
    first_to_finish(context.threads, &over, |id| {
        let worker = Worker::new(game, question, table, context, &over, id, false);
        match worker.position(at) {
            Ok(fact) => Some(Ok(fact)),
            Err(Leave::Halted(stop)) => Some(Err(stop)),
            Err(Leave::Over | Leave::MoreThreads) => None,
        }
    })
}

/// Runs the same search on several threads, which share their tables and know each other by their numbers. The first to
/// finish speaks for all, and raises the flag that ends the others.
pub(crate) fn first_to_finish<T: Send>(
    threads: usize,
    over: &AtomicBool,
    run: impl Fn(usize) -> Option<Result<T, Halt>> + Sync,
) -> Result<T, Halt> {
    let answer = std::sync::Mutex::new(None);
    let run = |id| {
        if let Some(result) = run(id)
            && !over.swap(true, Relaxed)
        {
            *answer.lock().unwrap_or_else(|e| e.into_inner()) = Some(result);
        }
    };
    std::thread::scope(|scope| {
        let run = &run;
        let helpers: Vec<_> = (1..threads).map(|id| scope.spawn(move || run(id))).collect();
        run(0);
        for helper in helpers {
            if let Err(panic) = helper.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    answer.into_inner().unwrap_or_else(|e| e.into_inner()).unwrap_or(Err(Halt::Cancelled))
}

/// Why a worker goes home.
enum Leave {
    Halted(Halt),
    /// Another thread has the answer.
    Over,
    /// The search is large enough for more threads.
    MoreThreads,
}

impl From<Halt> for Leave {
    fn from(stop: Halt) -> Leave {
        Leave::Halted(stop)
    }
}

/// One position with what is known about its options.
struct Frame<const N: usize, F> {
    expansion: Expansion<N>,
    /// The facts about the parts, as far as they are known.
    facts: Vec<Option<F>>,
    /// The parts that were not at hand; the tag says which of the parts it is.
    wanted: Vec<Normal<N>>,
    lookups: Vec<Lookup>,
    bridges: Vec<Bridge<Key<N>>>,
}

impl<const N: usize, F> Frame<N, F> {
    fn new() -> Self {
        Frame {
            expansion: Expansion::default(),
            facts: vec![],
            wanted: vec![],
            lookups: vec![],
            bridges: vec![],
        }
    }

    fn clear(&mut self) {
        self.expansion.clear();
        self.facts.clear();
        self.wanted.clear();
        self.lookups.clear();
        self.bridges.clear();
    }
}

/// What a worker has seen lately, by the part as it was cut from the board: saves the normal form and the shared table.
/// The newest entry wins its place.
struct Recent<K, F> {
    /// Bits of the hashes, in few cache lines: most parts that are not here need no look at the places. 0: nothing.
    tags: Vec<u32>,
    places: Vec<Option<(K, F)>>,
    filled: usize,
}

const RECENT_AT_FIRST: usize = 1 << 8;
const RECENT_AT_MOST: usize = 1 << 15;

impl<K: Hash + Eq + Clone, F: Clone> Recent<K, F> {
    fn new() -> Self {
        Recent { tags: vec![0], places: vec![None], filled: 0 }
    }

    /// Place and tag.
    #[inline]
    fn place(&self, key: &K) -> (usize, u32) {
        let hash = FxBuildHasher.hash_one(key);
        ((hash >> 32) as usize & (self.tags.len() - 1), hash as u32 | 1)
    }

    #[inline]
    fn get(&self, key: &K) -> Option<F> {
        let (place, tag) = self.place(key);
        if self.tags[place] != tag {
            return None;
        }
        match &self.places[place] {
            Some((k, fact)) if k == key => Some(fact.clone()),
            _ => None,
        }
    }

    fn set(&mut self, key: &K, fact: F) {
        if self.filled * 2 >= self.places.len() && self.places.len() < RECENT_AT_MOST {
            // Small searches should not pay for a large table.
            let size = (self.places.len() * 4).max(RECENT_AT_FIRST);
            *self = Recent { tags: vec![0; size], places: vec![None; size], filled: 0 };
        }
        let (place, tag) = self.place(key);
        self.filled += (self.tags[place] == 0) as usize;
        self.tags[place] = tag;
        self.places[place] = Some((key.clone(), fact));
    }
}

struct Worker<'a, const N: usize, Q: Question> {
    game: &'a dyn DynGame<N>,
    question: &'a Q,
    table: &'a Table<Key<N>, Q::Fact>,
    reader: Reader<'a, Key<N>, Q::Fact>,
    kernel: Kernel<'a>,
    over: &'a AtomicBool,
    backwards: bool,
    stop_when_large: bool,
    nodes: Cell<u64>,
    frames: RefCell<Vec<Frame<N, Q::Fact>>>,
    path: RefCell<Vec<Key<N>>>,
    recent: RefCell<Recent<Key<N>, Q::Fact>>,
}

impl<'a, const N: usize, Q: Question> Worker<'a, N, Q> {
    fn new(
        game: &'a dyn DynGame<N>,
        question: &'a Q,
        table: &'a Table<Key<N>, Q::Fact>,
        context: &SearchContext<'a>,
        over: &'a AtomicBool,
        id: usize,
        stop_when_large: bool,
    ) -> Self {
        Worker {
            game,
            question,
            table,
            reader: table.reader(),
            kernel: context.store.kernel(context.budget),
            over,
            backwards: id % 2 == 1,
            stop_when_large,
            nodes: Cell::new(0),
            frames: RefCell::default(),
            path: RefCell::default(),
            recent: RefCell::new(Recent::new()),
        }
    }

    /// The fact about a whole position, which may have several parts.
    fn position(&self, at: &Key<N>) -> Result<Q::Fact, Leave> {
        self.with_frame(|frame| {
            self.split(at, frame);
            self.find_facts(frame)?;
            let facts = known_facts(&frame.facts);
            Ok(self.question.sum(0, &facts, &self.kernel)?)
        })
    }

    /// The fact about one normalised part that is in nobody's table.
    fn part(&self, part: &Key<N>) -> Result<Q::Fact, Leave> {
        self.enter(part)?;
        let fact = match self.across_bridge(part) {
            Ok(None) => self.by_options(part),
            Ok(Some(fact)) => Ok(fact),
            Err(halt) => Err(halt),
        };
        self.path.borrow_mut().pop();
        fact
    }

    fn by_options(&self, part: &Key<N>) -> Result<Q::Fact, Leave> {
        self.with_frame(|frame| {
            self.expand(part, frame)?;
            self.find_facts(frame)?;
            self.compose(frame)
        })
    }

    /// The fact about a part that falls apart at a bridge.
    fn across_bridge(&self, part: &Key<N>) -> Result<Option<Q::Fact>, Leave> {
        self.with_frame(|frame| {
            self.game.bridges(part, &mut frame.bridges);
            for Bridge { end, longer_end, rest } in &frame.bridges {
                let fact = self.position(end)?;
                if Q::are_equal(&fact, &self.position(longer_end)?) {
                    let rest = self.position(rest)?;
                    return Ok(Some(self.question.sum(0, &[fact, rest], &self.kernel)?));
                }
            }
            Ok(None)
        })
    }

    fn with_frame<T>(&self, work: impl FnOnce(&mut Frame<N, Q::Fact>) -> T) -> T {
        let mut frame = self.frames.borrow_mut().pop().unwrap_or_else(Frame::new);
        let result = work(&mut frame);
        frame.clear();
        self.frames.borrow_mut().push(frame);
        result
    }

    fn enter(&self, part: &Key<N>) -> Result<(), Leave> {
        if self.over.load(Relaxed) {
            return Err(Leave::Over);
        }
        self.kernel.step()?;
        self.nodes.set(self.nodes.get() + 1);
        if self.nodes.get().is_multiple_of(1024) && self.table.bytes() > self.kernel.budget().max_bytes() / 2
        {
            let bytes = self.table.bytes() + self.kernel.store().bytes();
            self.kernel.budget().spend(0, bytes)?;
        }
        if self.stop_when_large && self.nodes.get() > NODES_ALONE {
            return Err(Leave::MoreThreads);
        }
        let mut path = self.path.borrow_mut();
        path.push(*part);
        if path.len() >= DEPTH_OF_FIRST_CYCLE_CHECK && path.len().is_power_of_two() {
            let distinct: FxHashSet<&Key<N>> = path.iter().collect();
            if distinct.len() < path.len() {
                return Err(Leave::Halted(Halt::Repetition));
            }
        }
        Ok(())
    }

    fn expand(&self, part: &Key<N>, frame: &mut Frame<N, Q::Fact>) -> Result<(), Halt> {
        for &player in Q::PLAYERS {
            self.game.expand(part, player, &self.kernel, &mut frame.expansion)?;
        }
        Ok(())
    }

    /// Takes a board apart, unless the parts could threaten each other.
    fn split(&self, at: &Key<N>, frame: &mut Frame<N, Q::Fact>) {
        if self.game.has_global_wins() {
            frame.expansion.parts.push(*at);
        } else {
            self.game.parts(at, &mut frame.expansion.parts);
        }
    }

    /// Looks up or searches all parts in a frame.
    fn find_facts(&self, frame: &mut Frame<N, Q::Fact>) -> Result<(), Leave> {
        let Frame { expansion: Expansion { parts, .. }, facts, wanted, lookups, .. } = frame;
        // One short loop for each kind of memory, so that the processor can wait for the memory of many parts at once.
        let recent = self.recent.borrow();
        facts.extend(parts.iter().map(|part| recent.get(part)));
        drop(recent);
        for (i, part) in parts.iter().enumerate().filter(|&(i, _)| facts[i].is_none()) {
            self.kernel.work(1)?;
            wanted.push(Normal { key: *part, sign: Sign::Plus, tag: i as u32 });
        }
        self.game.normalise_all(wanted);
        self.reader.refresh();
        lookups.extend(wanted.iter().map(|part| self.reader.begin(&part.key)));
        for (part, &lookup) in wanted.iter().zip(&*lookups) {
            facts[part.tag as usize] = self.reader.end(lookup, &part.key);
        }
        for part in wanted.iter() {
            let at = part.tag as usize;
            let fact = match facts[at].take() {
                Some(fact) => Some(fact),
                None => self.question.known(self.game, &part.key, &self.kernel)?,
            };
            if let Some(fact) = fact {
                facts[at] = Some(self.remember(&parts[at], part.sign, fact)?);
            }
        }
        // First what nobody is working on, then what is left.
        for leave_others_alone in [true, false] {
            for i in 0..wanted.len() {
                let part = &wanted[if self.backwards { wanted.len() - 1 - i } else { i }];
                let at = part.tag as usize;
                if facts[at].is_some() {
                    continue;
                }
                let found = match self.table.claim(&part.key) {
                    Claim::Done(fact) => fact,
                    Claim::Busy if leave_others_alone => continue,
                    Claim::Busy => self.search_part(&part.key)?,
                    Claim::Yours => match self.search_part(&part.key) {
                        Ok(fact) => fact,
                        Err(halt) => {
                            self.table.release(&part.key);
                            return Err(halt);
                        }
                    },
                };
                facts[at] = Some(self.remember(&parts[at], part.sign, found)?);
            }
        }
        Ok(())
    }

    /// Turns the fact about a normal form into the fact about the part, and keeps it at hand.
    fn remember(&self, part: &Key<N>, sign: Sign, fact: Q::Fact) -> Result<Q::Fact, Leave> {
        let fact = match sign {
            Sign::Plus => fact,
            Sign::Minus => self.question.negate(fact, &self.kernel)?,
        };
        self.recent.borrow_mut().set(part, fact.clone());
        Ok(fact)
    }

    fn search_part(&self, key: &Key<N>) -> Result<Q::Fact, Leave> {
        if let Some(archive) = &self.table.archive
            && let Some(fact) = archive.fact(key, &self.kernel)?
        {
            self.table.finish(key, fact.clone());
            return Ok(fact);
        }
        let fact = deeper(|| self.part(key))?;
        self.table.finish(key, fact.clone());
        Ok(fact)
    }

    fn compose(&self, frame: &Frame<N, Q::Fact>) -> Result<Q::Fact, Leave> {
        let mut sides: [SmallVec<[Q::Fact; 32]>; 2] = Default::default();
        for option in &frame.expansion.options {
            let facts = &frame.facts[option.first_part as usize..option.end_of_parts as usize];
            let fact = match (facts, option.points) {
                ([Some(fact)], 0) => fact.clone(),
                (facts, points) => self.question.sum(points, &known_facts(facts), &self.kernel)?,
            };
            sides[option.player as usize].push(fact);
        }
        Ok(self.question.compose(&sides[0], &sides[1], &self.kernel)?)
    }
}

fn known_facts<F: Clone>(facts: &[Option<F>]) -> SmallVec<[F; 8]> {
    facts.iter().flatten().cloned().collect()
}

/// The boards after all moves of a player, with the points of the moves; asks the budget on the way: there may be thousands.
///
/// # Errors
/// If the budget runs out.
pub(crate) fn boards_after<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    who: Player,
    kernel: &Kernel<'_>,
) -> Result<Vec<(Key<N>, i64)>, Halt> {
    let (mut after, mut result) = (vec![], Ok(()));
    let _ = game.options(at, who, &mut |next, points| {
        result = kernel.work(1);
        if result.is_err() {
            return ControlFlow::Break(());
        }
        after.push((next, points));
        ControlFlow::Continue(())
    });
    result.map(|()| after)
}

/// A table for a question about a game with keys of `N` words.
pub type TableFor<const N: usize, Q> = Table<Key<N>, <Q as Question>::Fact>;
