//! Building a table: layer by layer, in shards, with a journal.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use gb_local::Bench;
use gb_value::{Budget, Kernel, Store, Value};

use crate::dense::Dense;
use crate::error::StoreError;
use crate::fact::{Fact, Facts};
use crate::file::Reader;
use crate::finish::write_table;
use crate::game::GridGame;
use crate::journal::Journal;
use crate::parts::Parts;
use crate::record::{self, Cursor, Raw, Unreadable, put};
use crate::work::{Target, Worker};

/// What a table is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// All boards of a rectangle: rows, columns.
    Boards(usize, usize),
    /// All connected parts of at most so many cells, of any shape.
    Parts(usize),
}

impl Scope {
    /// The name of the file with a table.
    pub fn file_name(self, game: &str) -> String {
        let plain: String = game.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        match self {
            Scope::Boards(rows, cols) => format!("{plain}-{rows}x{cols}.{EXTENSION}"),
            Scope::Parts(cells) => format!("{plain}-parts-{cells}.{EXTENSION}"),
        }
    }

    /// The rectangles that hold all boards of at most so many cells, the smaller ones in the corner of larger ones.
    pub fn boards_up_to(cells: usize) -> Vec<Scope> {
        let holds = |rows: usize| cells / rows;
        (1..=cells)
            .take_while(|&rows| rows <= holds(rows))
            // Where the next rectangle is as long, it holds this one.
            .filter(|&rows| rows + 1 > holds(rows + 1) || holds(rows + 1) < holds(rows))
            .map(|rows| Scope::Boards(rows, holds(rows)))
            .collect()
    }
}

/// How the files with tables end.
pub const EXTENSION: &str = "gbtable";

/// How to build.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many threads work.
    pub threads: usize,
    /// Once there are more distinct facts than this, the following layers get outcomes and thermographs instead of values.
    pub max_values: u64,
    /// How much work may be lost in a crash.
    pub checkpoint: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { threads: 1, max_values: u64::MAX, checkpoint: Duration::from_secs(10) }
    }
}

/// How far a build is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Boards that are finished.
    pub boards: u64,
    /// All boards.
    pub total: u64,
    /// Boards that were finished before this run began.
    pub before: u64,
    /// Distinct facts so far.
    pub facts: u64,
}

/// What became of a build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Built {
    /// The file.
    pub path: PathBuf,
    /// Whether it was there before.
    pub was_there: bool,
    /// Boards that a journal of an earlier run held.
    pub resumed: u64,
}

/// A range of one layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The layer.
    pub layer: usize,
    /// Where in the layer.
    pub range: Range<u64>,
    exact: bool,
    numbers: Vec<u32>,
}

/// A table being built. All its values belong to one store.
///
/// [`build`] does everything. Those who spread the work over processes use the steps: [`Build::open`] in one process; for
/// each [`layer`](Build::layer), [`missing`](Build::missing) ranges are handed out; a process that has
/// [`joined`](Build::join) finds a shard and [`export`](Build::export)s it; the first process [`import`](Build::import)s
/// it; and in the end it [`finish`](Build::finish)es the file. The file is the same as if one process had done it.
pub struct Build<'a> {
    core: Core<'a>,
    state: State,
    path: PathBuf,
    lock: Option<File>,
}

/// What threads share.
struct Core<'a> {
    game: &'a dyn GridGame,
    target: Box<dyn Target>,
    store: &'a Store,
    budget: &'a Budget,
    settings: Settings,
    facts: Facts,
}

/// How far it is.
struct State {
    layer: usize,
    /// Whether the layer gets values.
    exact: bool,
    /// How many facts there were before the layer.
    base: u32,
    /// Ranges of the layer that are not finished.
    missing: Vec<Range<u64>>,
    journal: Option<Journal>,
    /// Facts that are in the journal.
    written: u32,
    /// Shards that are not in the journal.
    pending: Vec<Shard>,
    /// How many facts there were at the end of layers with such shards.
    ends: BTreeMap<usize, u32>,
    last_checkpoint: Instant,
    /// Boards that are finished.
    done: u64,
    /// Boards that were finished before.
    resumed: u64,
}

/// A layer is handed out in about so many ranges.
const RANGES: u64 = 256;
/// But a range is no shorter than this.
const MIN_RANGE: u64 = 1 << 12;

impl<'a> Core<'a> {
    fn worker(&self) -> Worker<'_> {
        Worker::new(self.game, &self.facts, Bench::new(self.store, self.budget))
    }

    fn kernel(&self) -> Kernel<'_> {
        self.store.kernel(self.budget)
    }

    /// Reads facts and shards, and translates the numbers of the facts, which go on from `base`.
    fn read_record(&self, bytes: &[u8], base: u32) -> Result<Vec<Shard>, StoreError> {
        let wrong = || StoreError::Foreign("it cannot be read".to_string());
        let unreadable = |error| match error {
            Unreadable::Stop(stop) => StoreError::from(stop),
            Unreadable::Wrong => wrong(),
        };
        let kernel = self.kernel();
        let mut cursor = Cursor(bytes);
        let (first, count) = (cursor.number().ok_or_else(wrong)?, cursor.number().ok_or_else(wrong)?);
        if first != u64::from(base) {
            return Err(StoreError::Foreign(format!("it goes on from {first} facts, but there are {base}")));
        }
        let mut numbers: Vec<u32> = vec![];
        let known = |numbers: &[u32], n: u32| {
            if n < base { Some(n) } else { numbers.get((n - base) as usize).copied() }
        };
        for _ in 0..count {
            let fact = match record::read(&mut cursor, &kernel).map_err(unreadable)? {
                Raw::Ready(fact) => fact,
                Raw::Options(lists) => {
                    let value = |&n: &u32| self.facts.get(known(&numbers, n)?).value();
                    let values = |list: &Vec<u32>| list.iter().map(value).collect::<Option<Vec<Value>>>();
                    let (Some(lefts), Some(rights)) = (values(&lists[0]), values(&lists[1])) else {
                        return Err(wrong());
                    };
                    Fact::Exact(record::rebuild(&[lefts, rights], &kernel).map_err(unreadable)?)
                }
            };
            numbers.push(self.facts.number(&fact, &kernel));
        }
        let mut next = || cursor.number().ok_or_else(wrong);
        let mut shards = vec![];
        for _ in 0..next()? {
            let (layer, exact, start, end, count) = (next()?, next()?, next()?, next()?, next()?);
            let translate = |n: u64| u32::try_from(n).ok().and_then(|n| known(&numbers, n)).ok_or_else(wrong);
            let mut list = Vec::new();
            for _ in 0..count {
                list.push(translate(next()?)?);
            }
            shards.push(Shard { layer: layer as usize, range: start..end, exact: exact == 1, numbers: list });
        }
        Ok(shards)
    }

    /// Facts and shards as bytes.
    fn write_record(&self, facts: Range<u32>, shards: &[Shard]) -> Vec<u8> {
        let kernel = self.kernel();
        let mut out = vec![];
        put(&mut out, u64::from(facts.start));
        put(&mut out, facts.len() as u64);
        for number in facts {
            record::write(&mut out, self.facts.get(number), &self.facts, &kernel, &|n| n);
        }
        put(&mut out, shards.len() as u64);
        for Shard { layer, range, exact, numbers } in shards {
            let head = [*layer as u64, u64::from(*exact), range.start, range.end, numbers.len() as u64];
            head.iter().for_each(|&n| put(&mut out, n));
            numbers.iter().for_each(|&n| put(&mut out, u64::from(n)));
        }
        out
    }
}

impl State {
    fn begin_layer(&mut self, core: &Core<'_>, layer: usize) {
        let facts = core.facts.len() as u32;
        // Once less than values is stored, no later layer can have values.
        self.exact = self.exact && u64::from(facts) <= core.settings.max_values;
        self.base = facts;
        self.layer = layer;
        // Layers may be empty.
        while self.layer < core.target.layers() && core.target.span(self.layer) == 0 {
            self.layer += 1;
        }
        let left = (self.layer < core.target.layers()).then(|| 0..core.target.span(self.layer));
        self.missing = left.into_iter().collect();
    }

    /// Notes that the facts of a shard have been added. With the last one of a layer the next layer begins.
    fn note(&mut self, core: &Core<'_>, shard: Shard, write: bool) -> Result<(), StoreError> {
        let (layer, range) = (shard.layer, shard.range.clone());
        if layer != self.layer || shard.exact != self.exact {
            return Err(StoreError::Foreign(format!("layer {layer} is not being built now")));
        }
        if !subtract(&mut self.missing, &range) {
            return Err(StoreError::Foreign(format!("its range {range:?} is not missing")));
        }
        let (boards, span) = (u128::from(core.target.boards(layer)), u128::from(core.target.span(layer)));
        let share = |part: u64| (boards * u128::from(part) / span.max(1)) as u64;
        self.done += share(range.end) - share(range.start);
        if write {
            self.pending.push(shard);
            if self.last_checkpoint.elapsed() >= core.settings.checkpoint {
                self.checkpoint(core)?;
            }
        }
        if self.missing.is_empty() {
            if write {
                self.ends.insert(layer, core.facts.len() as u32);
            }
            self.begin_layer(core, layer + 1);
        }
        Ok(())
    }

    /// Every record is about one layer, so that whoever reads them knows how many facts there were before each layer.
    fn checkpoint(&mut self, core: &Core<'_>) -> Result<(), StoreError> {
        self.last_checkpoint = Instant::now();
        let Some(journal) = &mut self.journal else { return Ok(()) };
        while let Some(layer) = self.pending.first().map(|shard| shard.layer) {
            let of_layer = self.pending.iter().take_while(|shard| shard.layer == layer).count();
            let end = self.ends.get(&layer).copied().unwrap_or_else(|| core.facts.len() as u32);
            journal.append(&core.write_record(self.written..end, &self.pending[..of_layer]))?;
            self.written = end;
            self.pending.drain(..of_layer);
            self.ends.remove(&layer);
        }
        Ok(())
    }
}

/// Takes a range away from disjoint ranges, one of which must hold it.
fn subtract(ranges: &mut Vec<Range<u64>>, taken: &Range<u64>) -> bool {
    let holds = |range: &Range<u64>| range.start <= taken.start && taken.end <= range.end;
    let Some(at) = ranges.iter().position(holds) else { return false };
    let whole = ranges.remove(at);
    let rest = [whole.start..taken.start, taken.end..whole.end];
    ranges.splice(at..at, rest.into_iter().filter(|r| !r.is_empty()));
    true
}

impl<'a> Build<'a> {
    fn new(
        game: &'a dyn GridGame,
        scope: Scope,
        folder: &Path,
        store: &'a Store,
        budget: &'a Budget,
        settings: &Settings,
    ) -> Result<Self, StoreError> {
        let target: Box<dyn Target> = match scope {
            Scope::Boards(rows, cols) => Box::new(Dense::new(game, rows, cols)?),
            Scope::Parts(cells) => Box::new(Parts::new(game, cells)?),
        };
        let core = Core { game, target, store, budget, settings: settings.clone(), facts: Facts::default() };
        let mut state = State {
            layer: 0,
            exact: true,
            base: 0,
            missing: vec![],
            journal: None,
            written: 0,
            pending: vec![],
            ends: BTreeMap::new(),
            last_checkpoint: Instant::now(),
            done: 0,
            resumed: 0,
        };
        state.begin_layer(&core, 0);
        let path = folder.join(scope.file_name(&game.name()));
        Ok(Build { core, state, path, lock: None })
    }

    /// Begins a build, or goes on with one. Nobody else can, as long as this exists.
    pub fn open(
        game: &'a dyn GridGame,
        scope: Scope,
        folder: &Path,
        store: &'a Store,
        budget: &'a Budget,
        settings: &Settings,
    ) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        let lock = lock(&folder.join(scope.file_name(&game.name())))?;
        let mut build = Self::new(game, scope, folder, store, budget, settings)?;
        build.lock = Some(lock);
        let (journal, records) = Journal::open(&build.journal_path(), &build.journal_title())?;
        match build.replay(&records) {
            // Written by another program, perhaps: better all over again than never.
            Err(StoreError::Foreign(_)) => {
                drop(build);
                journal.remove()?;
                return Self::open(game, scope, folder, store, budget, settings);
            }
            replayed => replayed?,
        }
        build.state.journal = Some(journal);
        Ok(build)
    }

    /// Joins a build that another process has opened, to find shards for it.
    pub fn join(
        game: &'a dyn GridGame,
        scope: Scope,
        folder: &Path,
        store: &'a Store,
        budget: &'a Budget,
        settings: &Settings,
    ) -> Result<Self, StoreError> {
        let mut build = Self::new(game, scope, folder, store, budget, settings)?;
        let records = Journal::records(&build.journal_path(), &build.journal_title())?;
        build.replay(&records)?;
        Ok(build)
    }

    fn journal_path(&self) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!(".{name}.journal"))
    }

    fn journal_title(&self) -> String {
        format!("{} max-values {}", self.core.target.title(), self.core.settings.max_values)
    }

    /// Believes what earlier runs have written down.
    fn replay(&mut self, records: &[Vec<u8>]) -> Result<(), StoreError> {
        let core = &self.core;
        let mut worker = core.worker();
        for record in records {
            for shard in core.read_record(record, self.state.written)? {
                core.target.add(&mut worker, shard.layer, shard.range.clone(), &shard.numbers)?;
                self.state.note(core, shard, false)?;
            }
            self.state.written = core.facts.len() as u32;
        }
        self.state.resumed = self.state.done;
        self.state.last_checkpoint = Instant::now();
        Ok(())
    }

    /// The layer that is being built; none when everything is done.
    pub fn layer(&self) -> Option<usize> {
        (self.state.layer < self.core.target.layers()).then_some(self.state.layer)
    }

    /// The ranges of the layer that nobody has finished yet, none longer than `longest`.
    pub fn missing(&self, longest: u64) -> Vec<Range<u64>> {
        let longest = longest.max(1);
        let cut = |range: &Range<u64>| {
            let Range { start, end } = *range;
            (start..end).step_by(longest as usize).map(move |from| from..(from + longest).min(end))
        };
        self.state.missing.iter().flat_map(cut).collect()
    }

    /// Finds the facts about a range of the layer.
    pub fn find(&self, range: Range<u64>) -> Result<Shard, StoreError> {
        let (layer, exact) = (self.state.layer, self.state.exact);
        let mut worker = self.core.worker();
        worker.exact = exact;
        let numbers = self.core.target.find(&mut worker, layer, range.clone())?;
        Ok(Shard { layer, range, exact, numbers })
    }

    /// Adds a shard that was found here.
    pub fn add(&mut self, shard: Shard) -> Result<(), StoreError> {
        let mut worker = self.core.worker();
        self.core.target.add(&mut worker, shard.layer, shard.range.clone(), &shard.numbers)?;
        drop(worker);
        self.state.note(&self.core, shard, true)
    }

    /// Writes down what has been found.
    pub fn checkpoint(&mut self) -> Result<(), StoreError> {
        self.state.checkpoint(&self.core)
    }

    /// A shard as bytes for the process that has opened the build.
    pub fn export(&self, shard: &Shard) -> Vec<u8> {
        let facts = self.state.base..self.core.facts.len() as u32;
        self.core.write_record(facts, std::slice::from_ref(shard))
    }

    /// Adds a shard that another process has found from the same earlier layers.
    pub fn import(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        for shard in self.core.read_record(bytes, self.state.base)? {
            self.add(shard)?;
        }
        Ok(())
    }

    /// Builds everything that is missing, with as many threads as the settings say.
    pub fn run(&mut self, report: &(dyn Fn(Progress) + Sync)) -> Result<(), StoreError> {
        let total = (0..self.core.target.layers()).map(|layer| self.core.target.boards(layer)).sum();
        while let Some(layer) = self.layer() {
            let ranges = self.missing((self.core.target.span(layer) / RANGES).max(MIN_RANGE));
            let (core, exact) = (&self.core, self.state.exact);
            let (state, next, failure) =
                (Mutex::new(&mut self.state), AtomicU64::new(0), Mutex::new(None::<StoreError>));
            let work = || {
                let mut worker = core.worker();
                worker.exact = exact;
                while let Some(range) = ranges.get(next.fetch_add(1, Relaxed) as usize).cloned() {
                    let result = (|| {
                        let numbers = core.target.find(&mut worker, layer, range.clone())?;
                        core.target.add(&mut worker, layer, range.clone(), &numbers)?;
                        let mut state = state.lock().unwrap_or_else(|e| e.into_inner());
                        state.note(core, Shard { layer, range, exact, numbers }, true)?;
                        let (boards, before) = (state.done, state.resumed);
                        drop(state);
                        report(Progress { boards, total, before, facts: core.facts.len() as u64 });
                        Ok(())
                    })();
                    if let Err(error) = result {
                        failure.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
                        next.store(ranges.len() as u64, Relaxed);
                    }
                }
            };
            std::thread::scope(|scope| {
                let others: Vec<_> = (1..core.settings.threads).map(|_| scope.spawn(work)).collect();
                work();
                for other in others {
                    if let Err(panic) = other.join() {
                        std::panic::resume_unwind(panic);
                    }
                }
            });
            if let Some(error) = failure.into_inner().unwrap_or_else(|e| e.into_inner()) {
                // What was found stays found, if the disk lets it.
                let _ = self.checkpoint();
                return Err(error);
            }
        }
        Ok(())
    }

    /// Writes the file, and removes the journal.
    pub fn finish(mut self) -> Result<Built, StoreError> {
        if self.layer().is_some() {
            return Err(StoreError::Foreign("some ranges are missing".into()));
        }
        let core = &self.core;
        let kernel = core.kernel();
        let max_values = core.settings.max_values;
        let written =
            write_table(&self.path, &core.game.name(), max_values, &*core.target, &core.facts, &kernel);
        drop(kernel);
        if let Err(error) = written {
            let _ = self.checkpoint();
            return Err(error);
        }
        if let Some(journal) = self.state.journal.take() {
            journal.remove()?;
        }
        Ok(Built { path: self.path, was_there: false, resumed: self.state.resumed })
    }
}

/// The right to build a table. The file stays: removing it could take the right away from somebody who has it open.
fn lock(table: &Path) -> Result<File, StoreError> {
    let name = table.file_name().unwrap_or_default().to_string_lossy();
    let path = table.with_file_name(format!(".{name}.lock"));
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(StoreError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy { path }),
        Err(TryLockError::Error(error)) => Err(StoreError::io(&path)(error)),
    }
}

/// Builds a table, unless there is a sound one already. What an interrupted build has done is not done again.
pub fn build(
    game: &dyn GridGame,
    scope: Scope,
    folder: &Path,
    store: &Store,
    budget: &Budget,
    settings: &Settings,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Built, StoreError> {
    let path = folder.join(scope.file_name(&game.name()));
    if let Ok(there) = Reader::open(&path)
        && there.number("max-values").is_ok_and(|n| n == settings.max_values)
        && there.check_all().is_ok()
    {
        return Ok(Built { path, was_there: true, resumed: 0 });
    }
    let mut build = Build::open(game, scope, folder, store, budget, settings)?;
    build.run(report)?;
    build.finish()
}
