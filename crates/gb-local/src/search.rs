//! The search that all questions share: a part is expanded, its options' parts are looked up or searched, and the question
//! composes their facts.
//!
//! Several threads may search the same part. They share the table, walk the options in different orders, and leave alone
//! what another thread has begun as long as there is something else to do.

use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use gb_game::{Bridge, Player, Rules, Sign};
use gb_value::{Budget, Kernel, Stop, Store, deeper};
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use crate::table::{Claim, Lookup, Reader, Table};

/// What is asked about a position: how facts about the options make a fact about the game.
///
/// A fact must be determined by the facts about the parts: if it is not (thermographs of sums are not), the question
/// cannot be asked this way.
pub trait Question: Sync {
    /// The answer for one game.
    type Fact: Clone + Send + Sync;

    /// Whether games with the same fact are equal, so that bridges can be used (see [`Rules::bridges`]).
    fn are_equal(_a: &Self::Fact, _b: &Self::Fact) -> bool {
        false
    }

    /// For whose moves the options are needed.
    const PLAYERS: &'static [Player];

    /// The fact about a part by a theorem of the game.
    fn known<R: Rules>(
        &self,
        rules: &R,
        part: &R::Board,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Self::Fact>, Stop>;

    /// The fact about the negative of a game.
    fn negate(&self, fact: Self::Fact, kernel: &Kernel<'_>) -> Result<Self::Fact, Stop>;

    /// The fact about the sum of games and a number of points.
    fn sum(&self, points: i64, facts: &[Self::Fact], kernel: &Kernel<'_>) -> Result<Self::Fact, Stop>;

    /// The fact about the game with these options (Left's, Right's).
    fn compose(
        &self,
        lefts: &[Self::Fact],
        rights: &[Self::Fact],
        kernel: &Kernel<'_>,
    ) -> Result<Self::Fact, Stop>;
}

/// How large a search must become before more threads join in.
const NODES_ALONE: u64 = 2_000;
/// How deep a search must be before it looks for repetition; a cycle is always deep enough sooner or later.
const DEPTH_OF_FIRST_CYCLE_CHECK: usize = 512;

/// What a search works with.
pub struct Bench<'a> {
    /// Where values live.
    pub store: &'a Store,
    /// How much may be spent.
    pub budget: &'a Budget,
    /// How many threads may work.
    pub threads: usize,
}

impl<'a> Bench<'a> {
    /// A bench for one thread.
    pub fn new(store: &'a Store, budget: &'a Budget) -> Bench<'a> {
        Bench { store, budget, threads: 1 }
    }

    /// With this many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Bench<'a> {
        self.threads = threads.max(1);
        self
    }
}

/// Answers a question about a whole position: takes it apart, and searches each part.
///
/// Everything that was found stays in `table`, also when the budget runs out.
pub fn search<R: Rules, Q: Question>(
    rules: &R,
    question: &Q,
    table: &Table<R::Board, Q::Fact>,
    at: &R::Board,
    bench: &Bench<'_>,
) -> Result<Q::Fact, Stop> {
    let over = AtomicBool::new(false);
    let alone = Worker::new(rules, question, table, bench, &over, 0, bench.threads > 1);
    match alone.position(at) {
        Err(Halt::MoreThreads) => {}
        Err(Halt::Stop(stop)) => return Err(stop),
        Err(Halt::Over) => unreachable!("nobody else is working yet"),
        Ok(fact) => return Ok(fact),
    }
    drop(alone);
    let answer = std::sync::Mutex::new(None);
    std::thread::scope(|scope| {
        let run = |id| {
            let worker = Worker::new(rules, question, table, bench, &over, id, false);
            let result = match worker.position(at) {
                Ok(fact) => Ok(fact),
                Err(Halt::Stop(stop)) => Err(stop),
                Err(Halt::Over | Halt::MoreThreads) => return,
            };
            // The first to finish speaks for all.
            if !over.swap(true, Relaxed) {
                *answer.lock().unwrap_or_else(|e| e.into_inner()) = Some(result);
            }
        };
        let helpers: Vec<_> = (1..bench.threads).map(|id| scope.spawn(move || run(id))).collect();
        run(0);
        for helper in helpers {
            if let Err(panic) = helper.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    answer.into_inner().unwrap_or_else(|e| e.into_inner()).unwrap_or(Err(Stop::Cancelled))
}

/// Why a worker goes home.
enum Halt {
    Stop(Stop),
    /// Another thread has the answer.
    Over,
    /// The search is large enough for more threads.
    MoreThreads,
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

/// The expansion of one position: every option as a range of parts.
struct Frame<K, F> {
    options: Vec<ExpandedOption>,
    /// The parts as they were cut from the board.
    parts: Vec<K>,
    /// The facts about them, as far as they are known.
    facts: Vec<Option<F>>,
    /// The parts that were not at hand.
    wanted: Vec<Wanted<K>>,
    lookups: Vec<Lookup>,
}

struct Wanted<K> {
    /// The normal form.
    key: K,
    sign: Sign,
    /// Which of the parts it is.
    part: u32,
}

struct ExpandedOption {
    player: Player,
    points: i64,
    first_part: u32,
    end_of_parts: u32,
}

impl<K, F> Frame<K, F> {
    fn new() -> Self {
        Frame { options: vec![], parts: vec![], facts: vec![], wanted: vec![], lookups: vec![] }
    }

    fn clear(&mut self) {
        self.options.clear();
        self.parts.clear();
        self.facts.clear();
        self.wanted.clear();
        self.lookups.clear();
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

struct Worker<'a, R: Rules, Q: Question> {
    rules: &'a R,
    question: &'a Q,
    table: &'a Table<R::Board, Q::Fact>,
    reader: Reader<'a, R::Board, Q::Fact>,
    kernel: Kernel<'a>,
    over: &'a AtomicBool,
    backwards: bool,
    stop_when_large: bool,
    nodes: Cell<u64>,
    frames: RefCell<Vec<Frame<R::Board, Q::Fact>>>,
    path: RefCell<Vec<R::Board>>,
    recent: RefCell<Recent<R::Board, Q::Fact>>,
}

impl<'a, R: Rules, Q: Question> Worker<'a, R, Q> {
    fn new(
        rules: &'a R,
        question: &'a Q,
        table: &'a Table<R::Board, Q::Fact>,
        bench: &Bench<'a>,
        over: &'a AtomicBool,
        id: usize,
        stop_when_large: bool,
    ) -> Self {
        Worker {
            rules,
            question,
            table,
            reader: table.reader(),
            kernel: bench.store.kernel(bench.budget),
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
    fn position(&self, at: &R::Board) -> Result<Q::Fact, Halt> {
        self.with_frame(|frame| {
            self.split(at, frame);
            self.find_facts(frame)?;
            let facts = known_facts(&frame.facts);
            Ok(self.question.sum(0, &facts, &self.kernel)?)
        })
    }

    /// The fact about one normalised part that is in nobody's table.
    fn part(&self, part: &R::Board) -> Result<Q::Fact, Halt> {
        self.enter(part)?;
        let fact = match self.across_bridge(part) {
            Ok(None) => self.by_options(part),
            Ok(Some(fact)) => Ok(fact),
            Err(halt) => Err(halt),
        };
        self.path.borrow_mut().pop();
        fact
    }

    fn by_options(&self, part: &R::Board) -> Result<Q::Fact, Halt> {
        self.with_frame(|frame| {
            self.expand(part, frame)?;
            self.find_facts(frame)?;
            self.compose(frame)
        })
    }

    /// The fact about a part that falls apart at a bridge.
    fn across_bridge(&self, part: &R::Board) -> Result<Option<Q::Fact>, Halt> {
        let mut bridges: SmallVec<[Bridge<R::Board>; 8]> = SmallVec::new();
        self.rules.bridges(part, &mut |bridge| bridges.push(bridge));
        for Bridge { end, longer_end, rest } in bridges {
            let fact = self.position(&end)?;
            if Q::are_equal(&fact, &self.position(&longer_end)?) {
                let rest = self.position(&rest)?;
                return Ok(Some(self.question.sum(0, &[fact, rest], &self.kernel)?));
            }
        }
        Ok(None)
    }

    fn with_frame<T>(&self, work: impl FnOnce(&mut Frame<R::Board, Q::Fact>) -> T) -> T {
        let mut frame = self.frames.borrow_mut().pop().unwrap_or_else(Frame::new);
        let result = work(&mut frame);
        frame.clear();
        self.frames.borrow_mut().push(frame);
        result
    }

    fn enter(&self, part: &R::Board) -> Result<(), Halt> {
        if self.over.load(Relaxed) {
            return Err(Halt::Over);
        }
        self.kernel.step()?;
        self.nodes.set(self.nodes.get() + 1);
        if self.nodes.get().is_multiple_of(1024) && self.table.bytes() > self.kernel.budget().max_bytes() / 2
        {
            let bytes = self.table.bytes() + self.kernel.store().bytes();
            self.kernel.budget().spend(0, bytes)?;
        }
        if self.stop_when_large && self.nodes.get() > NODES_ALONE {
            return Err(Halt::MoreThreads);
        }
        let mut path = self.path.borrow_mut();
        path.push(part.clone());
        if path.len() >= DEPTH_OF_FIRST_CYCLE_CHECK && path.len().is_power_of_two() {
            let distinct: FxHashSet<&R::Board> = path.iter().collect();
            if distinct.len() < path.len() {
                return Err(Halt::Stop(Stop::Repetition));
            }
        }
        Ok(())
    }

    fn expand(&self, part: &R::Board, frame: &mut Frame<R::Board, Q::Fact>) -> Result<(), Stop> {
        let rules = self.rules;
        let whole = rules.has_global_wins();
        for &player in Q::PLAYERS {
            for_each_move(rules, part, player, &self.kernel, |mv| {
                let first_part = frame.parts.len() as u32;
                let points = if whole {
                    let mut next = part.clone();
                    rules.play(&mut next, player, &mv);
                    frame.parts.push(next);
                    rules.points(part, player, &mv)
                } else {
                    rules.parts_after(part, player, &mv, &mut |part| frame.parts.push(part))
                };
                let end_of_parts = frame.parts.len() as u32;
                frame.options.push(ExpandedOption { player, points, first_part, end_of_parts });
            })?;
        }
        Ok(())
    }

    /// Takes a board apart, unless the parts could threaten each other.
    fn split(&self, at: &R::Board, frame: &mut Frame<R::Board, Q::Fact>) {
        if self.rules.has_global_wins() {
            frame.parts.push(at.clone());
        } else {
            self.rules.parts(at, &mut |part| frame.parts.push(part));
        }
    }

    /// Looks up or searches all parts in a frame.
    fn find_facts(&self, frame: &mut Frame<R::Board, Q::Fact>) -> Result<(), Halt> {
        let Frame { parts, facts, wanted, lookups, .. } = frame;
        // One short loop for each kind of memory, so that the processor can wait for the memory of many parts at once.
        let recent = self.recent.borrow();
        facts.extend(parts.iter().map(|part| recent.get(part)));
        drop(recent);
        for (i, part) in parts.iter().enumerate().filter(|&(i, _)| facts[i].is_none()) {
            self.kernel.work(1)?;
            let (key, sign) = self.rules.normalise(part.clone());
            wanted.push(Wanted { key, sign, part: i as u32 });
        }
        self.reader.refresh();
        lookups.extend(wanted.iter().map(|part| self.reader.begin(&part.key)));
        for (part, &lookup) in wanted.iter().zip(&*lookups) {
            facts[part.part as usize] = self.reader.end(lookup, &part.key);
        }
        for part in wanted.iter() {
            let at = part.part as usize;
            let fact = match facts[at].take() {
                Some(fact) => Some(fact),
                None => self.question.known(self.rules, &part.key, &self.kernel)?,
            };
            if let Some(fact) = fact {
                facts[at] = Some(self.remember(&parts[at], part.sign, fact)?);
            }
        }
        // First what nobody is working on, then what is left.
        for leave_others_alone in [true, false] {
            for i in 0..wanted.len() {
                let part = &wanted[if self.backwards { wanted.len() - 1 - i } else { i }];
                let at = part.part as usize;
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
    fn remember(&self, part: &R::Board, sign: Sign, fact: Q::Fact) -> Result<Q::Fact, Halt> {
        let fact = match sign {
            Sign::Plus => fact,
            Sign::Minus => self.question.negate(fact, &self.kernel)?,
        };
        self.recent.borrow_mut().set(part, fact.clone());
        Ok(fact)
    }

    fn search_part(&self, key: &R::Board) -> Result<Q::Fact, Halt> {
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

    fn compose(&self, frame: &Frame<R::Board, Q::Fact>) -> Result<Q::Fact, Halt> {
        let mut sides: [SmallVec<[Q::Fact; 32]>; 2] = Default::default();
        for option in &frame.options {
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

/// Calls `emit` for every move of a player, and asks the budget on the way: a board may have thousands.
///
/// # Errors
/// If the budget runs out. Some moves have been emitted then.
pub(crate) fn for_each_move<R: Rules>(
    rules: &R,
    at: &R::Board,
    who: Player,
    kernel: &Kernel<'_>,
    mut emit: impl FnMut(R::Move),
) -> Result<(), Stop> {
    let mut result = Ok(());
    let _ = rules.moves(at, who, &mut |mv| {
        result = kernel.work(1);
        match result {
            Err(_) => ControlFlow::Break(()),
            Ok(()) => {
                emit(mv);
                ControlFlow::Continue(())
            }
        }
    });
    result
}

/// A table for a question about a game.
pub type TableFor<R, Q> = Table<<R as Rules>::Board, <Q as Question>::Fact>;
