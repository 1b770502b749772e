//! Building a table: layer by layer, in shards, with a journal.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use gb_search::SearchContext;
use gb_value::{Budget, Kernel, Store};

use crate::dense::Dense;
use crate::error::StoreError;
use crate::exchange::{read_record, write_record, write_shard};
use crate::fact::Facts;
use crate::file::Reader;
use crate::finish::write_table;
use crate::game::TabulatedGame;
use crate::journal::{Journal, Records};
use crate::outcomes::{self, OutcomeTable};
use crate::parts::Parts;
use crate::scope::Scope;
use crate::shards;
use crate::table::Table;
use crate::unfinished::{self, BuildLock};
use crate::work::{BYTES_A_WORKER, Target, Worker};

/// How to build.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many threads work.
    pub threads: usize,
    /// Once there are more distinct facts than this, the following layers get outcomes and thermographs instead of values.
    pub max_values: u64,
    /// How much work may be lost in a crash.
    pub checkpoint: Duration,
    /// Boards of a shard, in tables of the parts within a rectangle: the more, the more is lost in a crash.
    pub shard: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { threads: 1, max_values: u64::MAX, checkpoint: Duration::from_secs(10), shard: 1 << 16 }
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

impl Built {
    /// The table, if there is a sound one.
    pub fn there(game: &TabulatedGame, scope: Scope, folder: &Path, settings: &Settings) -> Option<Built> {
        let path = folder.join(scope.file_name(&game.name()));
        let there = Reader::open(&path).ok()?;
        let same = match scope {
            Scope::Outcomes(..) => OutcomeTable::open(&path).is_ok_and(|table| table.is_about(game)),
            Scope::Within(..) | Scope::Less(..) => Table::open(&path).is_ok_and(|table| table.is_about(game)),
            _ => there.number("max-values").is_ok_and(|n| n == settings.max_values),
        };
        (same && there.check_all().is_ok()).then_some(Built { path, was_there: true, resumed: 0 })
    }
}

/// A range of one layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The layer.
    pub layer: usize,
    /// Where in the layer.
    pub range: Range<u64>,
    pub(crate) exact: bool,
    pub(crate) numbers: Vec<u32>,
}

/// A table being built. All its values belong to one store.
///
/// [`build`] does everything. Those who spread the work over processes use the steps: [`Build::open`] in one process; for
/// each [`layer`](Build::layer) it writes down what it has ([`checkpoint`](Build::checkpoint)) and hands out
/// [`missing`](Build::missing) ranges; a process that has [`joined`](Build::join) reads what was written since
/// ([`catch_up`](Build::catch_up)), finds a shard and [`export`](Build::export)s it; the first process
/// [`import`](Build::import)s it; and in the end it [`finish`](Build::finish)es the file. The file is the same as if one
/// process had done it.
pub struct Build {
    core: Core,
    state: State,
    path: PathBuf,
    lock: Option<BuildLock>,
    numbering: Numbering,
    /// Of a build that was joined: where the rest of the journal is read.
    records: Option<Records>,
}

/// What threads share.
struct Core {
    game: TabulatedGame,
    target: Box<dyn Target>,
    store: Store,
    budget: Budget,
    settings: Settings,
    facts: Facts,
}

/// The numbers of facts in the journal and here. They differ where a process has joined and found facts of its own before
/// it read on.
#[derive(Default)]
struct Numbering {
    /// The number here of each fact of the journal.
    here: Vec<u32>,
    /// The number in the journal of each fact here; `u32::MAX` where it is in none.
    in_journal: Vec<u32>,
}

impl Numbering {
    /// Notes the numbers here of the next facts of the journal.
    fn extend(&mut self, numbers: &[u32]) {
        for &here in numbers {
            let place = here as usize;
            if self.in_journal.len() <= place {
                self.in_journal.resize(place + 1, u32::MAX);
            }
            self.in_journal[place] = self.here.len() as u32;
            self.here.push(here);
        }
    }
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

impl Core {
    fn worker(&self) -> Worker<'_> {
        Worker::new(&self.game, &self.facts, SearchContext::new(&self.store, &self.budget))
    }

    fn kernel(&self) -> Kernel<'_> {
        self.store.kernel(&self.budget)
    }

    /// How much memory it takes to go on, and to write the file in the end: more than is held now.
    fn bytes(&self) -> u64 {
        let workers = self.settings.threads.max(1) as u64 * BYTES_A_WORKER;
        self.target.bytes() + workers + self.store.bytes() + self.facts.bytes()
    }
}

impl State {
    /// `facts` is how many facts there are.
    fn begin_layer(&mut self, core: &Core, layer: usize, facts: u32) {
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
    fn note(&mut self, core: &Core, shard: Shard) -> Result<(), StoreError> {
        let layer = shard.layer;
        let was_last = self.tick_off(core, &shard)?;
        self.pending.push(shard);
        core.budget.spend(0, core.bytes())?;
        if self.last_checkpoint.elapsed() >= core.settings.checkpoint {
            self.checkpoint(core)?;
        }
        if was_last {
            let facts = core.facts.len() as u32;
            self.ends.insert(layer, facts);
            self.begin_layer(core, layer + 1, facts);
        }
        Ok(())
    }

    /// Counts a shard as done. Returns whether the layer is done with it.
    fn tick_off(&mut self, core: &Core, shard: &Shard) -> Result<bool, StoreError> {
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
        Ok(self.missing.is_empty())
    }

    /// Every record is about one layer, so that whoever reads them knows how many facts there were before each layer.
    fn checkpoint(&mut self, core: &Core) -> Result<(), StoreError> {
        self.last_checkpoint = Instant::now();
        let Some(journal) = &mut self.journal else { return Ok(()) };
        while let Some(layer) = self.pending.first().map(|shard| shard.layer) {
            let of_layer = self.pending.iter().take_while(|shard| shard.layer == layer).count();
            let end = self.ends.get(&layer).copied().unwrap_or_else(|| core.facts.len() as u32);
            let record =
                write_record(&core.facts, self.written..end, &self.pending[..of_layer], &core.kernel());
            journal.append(&record)?;
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

impl Build {
    fn new(
        (game, store): (TabulatedGame, Store),
        scope: Scope,
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<Self, StoreError> {
        let target: Box<dyn Target> = match scope {
            Scope::Boards(rows, cols) => Box::new(Dense::new(&game, rows, cols, &budget)?),
            Scope::Parts(cells) => Box::new(Parts::new(&game, cells, &budget)?),
            Scope::Outcomes(..) => {
                let sentence = "tables of outcomes are built by one process, with as many threads as it has";
                return Err(StoreError::Invalid(sentence.into()));
            }
            Scope::Within(..) | Scope::Less(..) => {
                let sentence = "tables of the parts within a rectangle are built in files of their own";
                return Err(StoreError::Invalid(sentence.into()));
            }
        };
        let path = folder.join(scope.file_name(&game.name()));
        let (settings, facts) = (settings.clone(), Facts::default());
        let core = Core { game, target, store, budget, settings, facts };
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
        state.begin_layer(&core, 0, 0);
        Ok(Build { core, state, path, lock: None, numbering: Numbering::default(), records: None })
    }

    /// Begins a build, or goes on with one. Nobody else can, as long as this exists.
    pub fn open(
        game: TabulatedGame,
        scope: Scope,
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        let lock = unfinished::lock(&folder.join(scope.file_name(&game.name())))?;
        unfinished::clean_up(folder);
        let mut build = Self::new((game, Store::new()), scope, folder, budget, settings)?;
        let (mut journal, records) = Journal::open(&build.journal_path(), &build.journal_title())?;
        match build.replay(&records) {
            // Written by another program, perhaps: better all over again than never.
            Err(StoreError::Foreign(_)) => {
                journal.remove()?;
                let Core { game, store, budget, .. } = build.core;
                build = Self::new((game, store), scope, folder, budget, settings)?;
                journal = Journal::open(&build.journal_path(), &build.journal_title())?.0;
            }
            replayed => replayed?,
        }
        // Nobody else finds facts here, so that they are numbered as in the journal.
        build.numbering = Numbering::default();
        build.state.journal = Some(journal);
        build.lock = Some(lock);
        Ok(build)
    }

    /// Joins a build that another process has opened, to find shards for it.
    pub fn join(
        game: TabulatedGame,
        scope: Scope,
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<Self, StoreError> {
        let mut build = Self::new((game, Store::new()), scope, folder, budget, settings)?;
        build.records = Some(Records::of(&build.journal_path(), &build.journal_title()));
        build.catch_up()?;
        Ok(build)
    }

    /// Of a build that was joined: reads what the process that has opened it has written down since. After an error the
    /// build must be joined again.
    pub fn catch_up(&mut self) -> Result<(), StoreError> {
        match &mut self.records {
            Some(records) => {
                let new = records.more()?;
                self.replay(&new)
            }
            None => Ok(()),
        }
    }

    fn journal_path(&self) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!(".{name}.journal"))
    }

    fn journal_title(&self) -> String {
        format!("{} max-values {}", self.core.target.title(), self.core.settings.max_values)
    }

    /// Believes what was written down.
    fn replay(&mut self, records: &[Vec<u8>]) -> Result<(), StoreError> {
        let (core, kernel) = (&self.core, self.core.kernel());
        let mut worker = core.worker();
        for record in records {
            let here = &self.numbering.here;
            let known = |n: u32| here[n as usize];
            let (numbers, shards) = read_record(record, self.state.written, &known, &core.facts, &kernel)?;
            self.numbering.extend(&numbers);
            self.state.written = self.numbering.here.len() as u32;
            for shard in shards {
                core.target.add(&mut worker, shard.layer, shard.range.clone(), &shard.numbers)?;
                if self.state.tick_off(core, &shard)? {
                    self.state.begin_layer(core, shard.layer + 1, self.state.written);
                }
            }
        }
        self.state.resumed = self.state.done;
        self.state.last_checkpoint = Instant::now();
        Ok(())
    }

    /// The layer that is being built; none when everything is done.
    pub fn layer(&self) -> Option<usize> {
        (self.state.layer < self.core.target.layers()).then_some(self.state.layer)
    }

    /// How many boards the layer has.
    pub fn boards_of_layer(&self) -> u64 {
        self.layer().map_or(0, |layer| self.core.target.boards(layer))
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let total = (0..self.core.target.layers()).map(|layer| self.core.target.boards(layer)).sum();
        let State { done, resumed, .. } = self.state;
        Progress { boards: done, total, before: resumed, facts: self.core.facts.len() as u64 }
    }

    /// The whole layer, cut into about so many ranges; without those that are finished.
    pub fn shards(&self, count: u64) -> Vec<Range<u64>> {
        let span = self.layer().map_or(0, |layer| self.core.target.span(layer));
        self.missing(span.div_ceil(count.max(1)))
    }

    /// The ranges of the layer that nobody has finished yet, none longer than `longest`.
    pub fn missing(&self, longest: u64) -> Vec<Range<u64>> {
        let longest = longest.max(1);
        let cut = |range: &Range<u64>| {
            let Range { start, end } = *range;
            (start..end)
                .step_by(usize::try_from(longest).unwrap_or(usize::MAX))
                .map(move |from| from..(from + longest).min(end))
        };
        self.state.missing.iter().flat_map(cut).collect()
    }

    /// Finds the facts about a range of the layer.
    pub fn find(&self, range: Range<u64>) -> Result<Shard, StoreError> {
        let (layer, exact) = (self.state.layer, self.state.exact);
        if self.layer().is_none_or(|layer| range.end > self.core.target.span(layer)) {
            return Err(StoreError::Foreign(format!("there is no range {range:?}")));
        }
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
        self.state.note(&self.core, shard)
    }

    /// Writes down what has been found.
    pub fn checkpoint(&mut self) -> Result<(), StoreError> {
        self.state.checkpoint(&self.core)
    }

    /// Of a build that was joined: a shard as bytes for the process that has opened it.
    pub fn export(&self, shard: &Shard) -> Vec<u8> {
        let base = self.state.base;
        let known = |here: u32| {
            let number = self.numbering.in_journal.get(here as usize).copied()?;
            (number < base).then_some(number)
        };
        write_shard(&self.core.facts, shard, base, &known, &self.core.kernel())
    }

    /// Adds a shard that another process has found from the same earlier layers.
    pub fn import(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let core = &self.core;
        let (_, shards) = read_record(bytes, self.state.base, &|n| n, &core.facts, &core.kernel())?;
        for shard in shards {
            self.add(shard)?;
        }
        Ok(())
    }

    /// Builds everything that is missing, with as many threads as the settings say.
    pub fn run(&mut self, report: &(dyn Fn(Progress) + Sync)) -> Result<(), StoreError> {
        let total = self.progress().total;
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
                        state.note(core, Shard { layer, range, exact, numbers })?;
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
        let target = &core.target;
        let written = write_table(
            &self.path,
            &core.game.name(),
            (target.fields(), max_values),
            &mut |out, count, renumber| target.write(out, count, renumber),
            &core.facts,
            &kernel,
        );
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

/// Builds a table, unless there is a sound one already. What an interrupted build has done is not done again.
pub fn build(
    game: TabulatedGame,
    scope: Scope,
    folder: &Path,
    budget: Budget,
    settings: &Settings,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Built, StoreError> {
    if let Some(there) = Built::there(&game, scope, folder, settings) {
        unfinished::clean_up(folder);
        return Ok(there);
    }
    if let Scope::Outcomes(rows, cols) = scope {
        return outcomes::build(&game, (rows, cols), folder, budget, settings, report);
    }
    if let Scope::Within(..) | Scope::Less(..) | Scope::Parts(_) = scope {
        return shards::build(game, scope, folder, budget, settings, report);
    }
    let mut build = Build::open(game, scope, folder, budget, settings)?;
    build.run(report)?;
    build.finish()
}
