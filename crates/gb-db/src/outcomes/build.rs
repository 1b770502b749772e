//! Building a table of outcomes: sets of cells by size, each block from the blocks of smaller sets.
//!
//! The file that becomes the table holds what is finished; a journal says what that is, with the checksums. So a killed build goes on with
//! what is on the disk, and no block has to be in memory: those of the last sizes are, as far as the budget allows, and the others are read.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use gb_rules::Tabulated;
use gb_value::Budget;

use super::done::{Done, Found, SHARD_WORDS, Shard};
use super::flat;
use super::sets::{Form, Index, PAGE_WORDS, Sets};
use super::solve::{Job, Worker, place_in_file, read_words};
use super::table::{Tally, fields};
use super::truth;
use crate::build::{Built, Progress, Settings};
use crate::error::StoreError;
use crate::file::{BLOCK, SUM, checksum};
use crate::game::TabulatedGame;
use crate::journal::Journal;
use crate::scope::Scope;
use crate::unfinished::{self, BuildLock};

/// Buffers of a thread, each as long as the longest block.
const BUFFERS: u64 = 8;
/// Blocks of so many sizes before the one that is being built are held in memory, if there is room. Few are needed of the earlier ones.
const HELD: usize = 2;

impl Job<'_> {
    /// Reads the blocks of the sizes before this one into memory, as far as there is room for them.
    fn hold(&mut self, size: usize, mut room: u64, sums: &[u8], threads: usize) -> Result<(), StoreError> {
        let words = |earlier: usize| self.index.end(earlier) - self.index.start(earlier);
        let mut wanted = needed_before(self.sets, size);
        wanted.retain(|&earlier| {
            let fits = 8 * words(earlier) <= room;
            room -= if fits { 8 * words(earlier) } else { 0 };
            fits
        });
        // First what is not needed any more goes: there is no room for both.
        let unwanted = self.held.iter_mut().enumerate().filter(|(earlier, _)| !wanted.contains(earlier));
        unwanted.for_each(|(_, held)| *held = None);
        for earlier in wanted {
            if self.held[earlier].is_none() {
                let mut blocks = vec![0; words(earlier) as usize];
                read_pages(&self.path, threads, (self.index.start(earlier), &mut blocks), sums)?;
                self.held[earlier] = Some(blocks);
            }
        }
        Ok(())
    }
}

/// The sizes whose blocks are worth holding for one, the most needed first: those of smaller sets where stones go, of larger ones where they come.
fn needed_before(sets: &Sets, size: usize) -> Vec<usize> {
    match sets.coming {
        None => (size.saturating_sub(HELD)..size).rev().collect(),
        Some(_) => (size + 1..=sets.cells).take(1).collect(),
    }
}

fn as_bytes(words: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; 8 * words.len()];
    for (eight, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(words) {
        *eight = word.to_le_bytes();
    }
    bytes
}

/// The blocks of a shard as bytes, and what is to be noted.
fn find(
    worker: &mut Worker<'_>,
    shard: &Shard,
    sets_of_size: &[u32],
    budget: &Budget,
) -> Result<(Vec<u8>, Found), StoreError> {
    let (sets, index) = (worker.job.sets, worker.job.index);
    let mut tally = Tally::new(sets.cells);
    let mut blocks = vec![];
    for &set in &sets_of_size[shard.first..][..shard.count] {
        budget.spend(1, 0)?;
        worker.solve(set)?;
        tally.count(sets, set, worker.wins(), worker.loses());
        blocks.extend_from_slice(worker.block());
    }
    blocks.resize(shard.words(index).1, 0);
    let bytes = as_bytes(&blocks);
    let sums = bytes.chunks(BLOCK).flat_map(checksum).collect();
    Ok((bytes, Found { shard: shard.clone(), sums, tally }))
}

/// Hands out one item after the other.
pub(crate) type Next<'a, T> = &'a mut dyn FnMut() -> Option<T>;

/// Does something with all items, by so many threads. The first error ends it.
pub(crate) fn by_threads<T: Send>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    work: &(dyn Fn(Next<'_, T>) -> Result<(), StoreError> + Sync),
) -> Result<(), StoreError> {
    let (items, failure) = (Mutex::new(items.fuse()), Mutex::new(None::<StoreError>));
    let run = || {
        let mut next = || {
            let failed = failure.lock().unwrap_or_else(|e| e.into_inner()).is_some();
            if failed { None } else { items.lock().unwrap_or_else(|e| e.into_inner()).next() }
        };
        if let Err(error) = work(&mut next) {
            failure.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
        }
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        run();
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    match failure.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Reads pages and compares their checksums.
fn read_pages(
    path: &Path,
    threads: usize,
    (first, words): (u64, &mut [u64]),
    sums: &[u8],
) -> Result<(), StoreError> {
    let sums = &sums[first as usize / PAGE_WORDS * SUM..];
    by_threads(threads, words.chunks_mut(SHARD_WORDS).enumerate(), &|next| {
        let mut file = File::open(path).map_err(StoreError::io(path))?;
        let (mut some, mut bytes) = (vec![], vec![]);
        while let Some((chunk, into)) = next() {
            let start = first + (chunk * SHARD_WORDS) as u64;
            let read = read_words(&mut file, start, &mut some, into.len(), &mut bytes);
            read.map_err(StoreError::io(path))?;
            let expected = sums[chunk * SHARD_WORDS / PAGE_WORDS * SUM..].chunks(SUM);
            if bytes.chunks(BLOCK).zip(expected).any(|(page, sum)| checksum(page) != sum) {
                return Err(StoreError::damaged(path, "it was changed while it was being written"));
            }
            into.copy_from_slice(&some);
        }
        Ok(())
    })
}

/// The form of a game, for tables of this kind.
pub(super) fn form_of(game: &TabulatedGame) -> Result<Form, StoreError> {
    Form::of(&game.traits(), game.tabulated()).ok_or_else(|| {
        StoreError::Invalid(format!(
            "{} has no tables of outcomes: that needs a game of two colours of stones, of which every move takes some away and \
             looks at nothing else, such as clobber, or places one, such as col, or one in which cells are filled, such as \
             domineering. Tables of values are built without --store",
            game.name()
        ))
    })
}

/// A table of outcomes being built, of a game with stones of two colours.
///
/// [`build`](crate::build) does everything. Those who spread the work over processes use the steps: [`OutcomeBuild::open`] in one process, which for each
/// [`layer`](OutcomeBuild::layer) hands out the [`missing`](OutcomeBuild::missing) shards; a process that has [joined](OutcomeBuild::join) the build
/// [finds](OutcomeBuild::find) them, and writes them into the file that all share; the first one is told what they are ([`add`](OutcomeBuild::add)),
/// and in the end it [finishes](OutcomeBuild::finish) the table. The file is the same as if one process had done it.
pub struct OutcomeBuild {
    name: String,
    form: Form,
    sets: Sets,
    index: Index,
    path: PathBuf,
    /// The file that becomes the table.
    blocks: PathBuf,
    budget: Budget,
    settings: Settings,
    /// Bytes that are needed whatever is held.
    needed: u64,
    missing: Vec<Vec<Shard>>,
    /// What is finished; none if this build was joined.
    done: Option<Done>,
    resumed: u64,
    /// The sets of the size that somebody was last asked about.
    list: Mutex<Option<(usize, Arc<Vec<u32>>)>>,
    _lock: Option<BuildLock>,
}

impl OutcomeBuild {
    fn new(
        game: &TabulatedGame,
        (rows, cols): (usize, usize),
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<OutcomeBuild, StoreError> {
        let (form, scope, name) = (form_of(game)?, Scope::Outcomes(rows, cols), game.name());
        let path = folder.join(scope.file_name(&name));
        let sets = Sets::new(rows, cols, &form)?;
        // What is needed whatever is held: an index of a bit for every set, with half as much again for ranks and more while it is
        // made, the sets of one size, checksums, buffers.
        let per_thread = BUFFERS * 8 * truth::words(sets.cells) as u64 + 24 * SHARD_WORDS as u64;
        let threads = settings.threads.max(1) as u64;
        let needed = budget.account().bytes() + (5 << sets.cells) / 8 + threads * per_thread;
        if needed > budget.max_bytes() {
            return Err(too_little(&name, &sets, needed, &budget));
        }
        let index = Index::new(&sets);
        let longest_list = (0..=sets.cells).map(|size| u64::from(index.count(size))).max().unwrap_or(0);
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(OutcomeBuild {
            missing: (0..=sets.cells).map(|size| Shard::all(&index, size)).collect(),
            blocks: path.with_file_name(format!(".{file_name}.blocks")),
            needed: needed + 4 * longest_list,
            settings: settings.clone(),
            list: Mutex::new(None),
            done: None,
            resumed: 0,
            _lock: None,
            name,
            form,
            sets,
            index,
            path,
            budget,
        })
    }

    /// Begins a build, or goes on with one. Nobody else can, as long as this exists.
    ///
    /// # Errors
    /// If the game has no such tables, memory does not suffice, somebody else is building this one, or a file cannot be read or written.
    pub fn open(
        game: &TabulatedGame,
        size: (usize, usize),
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<OutcomeBuild, StoreError> {
        let mut build = OutcomeBuild::new(game, size, folder, budget, settings)?;
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        build._lock = Some(unfinished::lock(&build.path)?);
        unfinished::clean_up(folder);
        let pages = build.index.words() as usize / PAGE_WORDS;
        build.needed += (SUM * pages) as u64;
        if build.needed > build.budget.max_bytes() {
            return Err(too_little(&build.name, &build.sets, build.needed, &build.budget));
        }
        let file_name = build.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let title = format!("outcomes {} {}x{} {}", build.name, size.0, size.1, build.form.text());
        let journal = build.path.with_file_name(format!(".{file_name}.journal"));
        let (journal, records) = Journal::open(&journal, &title)?;
        let open = || -> io::Result<File> {
            let file =
                File::options().read(true).write(true).create(true).truncate(false).open(&build.blocks)?;
            file.set_len(place_in_file(build.index.words()))?;
            Ok(file)
        };
        let mut done = Done {
            file: open().map_err(StoreError::io(&build.blocks))?,
            path: build.blocks.clone(),
            journal,
            sums: vec![0; pages * SUM],
            tally: Tally::new(build.sets.cells),
            pending: vec![],
            last_checkpoint: Instant::now(),
            bits: 0,
        };
        done.take_over(&records, &mut build.missing, &build.index)?;
        build.resumed = build.share(done.bits);
        build.done = Some(done);
        Ok(build)
    }

    /// Joins a build that another process has opened, to find shards for it.
    ///
    /// # Errors
    /// If the game has no such tables, memory does not suffice, or nobody has opened this build.
    pub fn join(
        game: &TabulatedGame,
        size: (usize, usize),
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<OutcomeBuild, StoreError> {
        let build = OutcomeBuild::new(game, size, folder, budget, settings)?;
        match build.blocks.is_file() {
            true => Ok(build),
            false => Err(StoreError::Foreign(format!("nobody builds this table in {}", folder.display()))),
        }
    }

    /// All boards.
    pub fn boards(&self) -> u64 {
        3u64.pow(self.sets.cells as u32)
    }

    /// How many boards so many bits of blocks stand for.
    fn share(&self, bits: u64) -> u64 {
        let all = boards_in_blocks(&self.index, self.sets.cells);
        (u128::from(self.boards()) * u128::from(bits) / u128::from(all)) as u64
    }

    /// Boards that are finished.
    pub fn finished(&self) -> u64 {
        self.done.as_ref().map_or(0, |done| self.share(done.bits))
    }

    /// The size of the sets that are to be found now; none when everything is done. Those of other sizes follow from them.
    pub fn layer(&self) -> Option<usize> {
        let mut sizes = 0..=self.sets.cells;
        let is_missing = |size: &usize| !self.missing[*size].is_empty();
        match self.sets.coming {
            None => sizes.find(is_missing),
            Some(_) => sizes.rfind(is_missing),
        }
    }

    /// The shards of this layer that are missing, each by the place of its first set.
    pub fn missing(&self) -> Vec<u64> {
        self.layer()
            .map_or(vec![], |size| self.missing[size].iter().map(|shard| shard.first as u64).collect())
    }

    fn list(&self, size: usize) -> Arc<Vec<u32>> {
        let mut list = self.list.lock().unwrap_or_else(|e| e.into_inner());
        match &*list {
            Some((of, sets)) if *of == size => sets.clone(),
            _ => {
                let sets = Arc::new(self.index.sets(&self.sets, size));
                *list = Some((size, sets.clone()));
                sets
            }
        }
    }

    /// Finds the blocks of a shard, and writes them into the file that all share. The layers before it must be there. Returns what
    /// [`add`](OutcomeBuild::add) has to be told. Many threads and processes may do this at once.
    ///
    /// # Errors
    /// If there is no such shard, the budget runs out, or a file cannot be read or written.
    pub fn find(&self, layer: usize, shard: u64) -> Result<Vec<u8>, StoreError> {
        let missing = || StoreError::Foreign(format!("layer {layer} has no shard {shard}"));
        let size = Some(layer).filter(|&size| size <= self.sets.cells).ok_or_else(missing)?;
        let shard = Shard::all(&self.index, size).into_iter().find(|found| found.first as u64 == shard);
        let shard = shard.ok_or_else(missing)?;
        let held = vec![None; self.sets.cells + 1];
        let job = Job { sets: &self.sets, index: &self.index, path: self.blocks.clone(), held };
        let (bytes, found) = find(&mut Worker::new(&job)?, &shard, &self.list(size), &self.budget)?;
        let write = || -> io::Result<()> {
            let mut file = File::options().write(true).open(&self.blocks)?;
            file.seek(SeekFrom::Start(place_in_file(shard.words(&self.index).0)))?;
            file.write_all(&bytes)?;
            file.sync_data()
        };
        write().map_err(StoreError::io(&self.blocks))?;
        let mut record = vec![];
        found.write(&mut record);
        Ok(record)
    }

    /// Notes that somebody has found a shard. One that is there already changes nothing.
    ///
    /// # Errors
    /// If the record makes no sense, or the journal cannot be written.
    pub fn add(&mut self, record: &[u8]) -> Result<(), StoreError> {
        let foreign = || StoreError::Foreign("a shard of another build".into());
        let found = Found::read(&mut &*record, self.missing.len()).ok_or_else(foreign)?;
        let words = found.shard.words(&self.index).1;
        let shards = self.missing.get_mut(found.shard.size).ok_or_else(foreign)?;
        let Some(at) = shards.iter().position(|shard| *shard == found.shard) else { return Ok(()) };
        let done = self.done.as_mut().filter(|_| found.sums.len() == words / PAGE_WORDS * SUM);
        let done = done.ok_or_else(foreign)?;
        shards.remove(at);
        done.count(&found, &self.index);
        done.pending.push(found);
        if done.last_checkpoint.elapsed() >= self.settings.checkpoint {
            done.last_checkpoint = Instant::now();
            done.checkpoint()?;
        }
        Ok(())
    }

    /// Writes down what was found.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub fn checkpoint(&mut self) -> Result<(), StoreError> {
        self.done.as_mut().map_or(Ok(()), Done::checkpoint)
    }

    /// Builds everything that is missing, with as many threads as the settings say.
    ///
    /// # Errors
    /// If the budget runs out, or a file cannot be read or written. What was found is kept.
    pub fn run(&mut self, report: &(dyn Fn(Progress) + Sync)) -> Result<(), StoreError> {
        let joined = || StoreError::Foreign("this build was opened by another process".into());
        let mut done = self.done.take().ok_or_else(joined)?;
        let result = self.run_with(&mut done, report);
        if result.is_err() {
            // What was found stays found, if the disk lets it.
            let _ = done.checkpoint();
        }
        self.done = Some(done);
        result
    }

    fn run_with(&mut self, done: &mut Done, report: &(dyn Fn(Progress) + Sync)) -> Result<(), StoreError> {
        let (threads, boards, before) = (self.settings.threads.max(1), self.boards(), self.resumed);
        let room = self.budget.max_bytes() - self.needed;
        let mut held = vec![None; self.sets.cells + 1];
        while let Some(size) = self.layer() {
            let path = self.blocks.clone();
            let mut job = Job { sets: &self.sets, index: &self.index, path, held };
            job.hold(size, room, &done.sums, threads)?;
            let list = self.list(size);
            let file = done.file.try_clone().map_err(StoreError::io(&done.path))?;
            let (shared, job_ref) = (Mutex::new(&mut *done), &job);
            by_threads(threads, self.missing[size].iter(), &|next| {
                let mut worker = Worker::new(job_ref)?;
                while let Some(shard) = next() {
                    let (bytes, found) = find(&mut worker, shard, &list, &self.budget)?;
                    let locked = || shared.lock().unwrap_or_else(|e| e.into_inner());
                    let mut done = locked();
                    let due = done.add(&bytes, found, job_ref.index, &self.settings)?;
                    report(Progress { boards: self.share(done.bits), total: boards, before, facts: 0 });
                    drop(done);
                    if !due.is_empty() {
                        // The disk may take seconds, in which the others go on.
                        file.sync_data().map_err(StoreError::io(&job_ref.path))?;
                        locked().write_down(&due)?;
                    }
                }
                Ok(())
            })?;
            held = job.held;
            self.missing[size].clear();
        }
        Ok(())
    }

    /// Writes the rest of the table, and gives it its name.
    ///
    /// # Errors
    /// If shards are missing, or a file cannot be written.
    pub fn finish(mut self) -> Result<Built, StoreError> {
        let missing = || StoreError::Foreign("some shards are missing".into());
        let done = self.done.take().filter(|_| self.layer().is_none()).ok_or_else(missing)?;
        if !done.tally.is_complete(self.sets.cells) {
            return Err(StoreError::Foreign("not every board was counted".into()));
        }
        let fields = fields(&self.name, &self.form, &self.sets, &done.tally);
        done.finish(&self.path, fields, &self.index)?;
        Ok(Built { path: self.path.clone(), was_there: false, resumed: self.resumed })
    }
}

fn too_little(name: &str, sets: &Sets, needed: u64, budget: &Budget) -> StoreError {
    StoreError::Memory {
        what: format!("{name} {}", Scope::Outcomes(sets.rows, sets.cols)),
        holds: "the index with the buffers of the threads",
        needed,
        limit: budget.max_bytes(),
    }
}

/// Builds a table of outcomes, or goes on with it.
pub(crate) fn build(
    game: &TabulatedGame,
    size: (usize, usize),
    folder: &Path,
    budget: Budget,
    settings: &Settings,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Built, StoreError> {
    if let Some(Tabulated::Filling(filling)) = game.tabulated() {
        return flat::build(game, &filling, size, folder, &budget);
    }
    let mut build = OutcomeBuild::open(game, size, folder, budget, settings)?;
    build.run(report)?;
    build.finish()
}

/// How many boards the blocks are about.
fn boards_in_blocks(index: &Index, cells: usize) -> u64 {
    (0..=cells).map(|size| u64::from(index.count(size)) << size).sum()
}
