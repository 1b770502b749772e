//! Building a table of outcomes: sets of cells by size, each block from the blocks of smaller sets.
//!
//! The file that becomes the table holds what is finished; a journal says what that is, with the checksums. So a killed build goes on with
//! what is on the disk, and no block has to be in memory: those of the last sizes are, as far as the budget allows, and the others are read.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use gb_rules::Tabulated;
use gb_value::Budget;

use super::flat;
use super::sets::{Form, Index, PAGE_WORDS, Sets};
use super::solve::{HEADER, Job, Worker, place_in_file, read_words};
use super::table::{Tally, fields};
use super::truth;
use crate::build::{Built, Progress, Settings};
use crate::error::StoreError;
use crate::file::{self, BLOCK, Fields, SLACK, SUM, checksum};
use crate::game::TabulatedGame;
use crate::journal::Journal;
use crate::scope::Scope;
use crate::unfinished;

/// Blocks are found, written and noted in shards of about so many words: 1 MiB.
const SHARD_WORDS: usize = 1 << 17;
/// Buffers of a thread, each as long as the longest block.
const BUFFERS: u64 = 8;
/// Blocks of so many sizes before the one that is being built are held in memory, if there is room. Few are needed of the earlier ones.
const HELD: usize = 2;

/// Some sets of one size, by their places among those that are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shard {
    size: usize,
    first: usize,
    count: usize,
}

/// What was found in a shard.
struct Found {
    shard: Shard,
    sums: Vec<u8>,
    tally: Tally,
}

impl Found {
    /// As bytes: where it is, the counts, the checksums.
    fn write(&self, bytes: &mut Vec<u8>) {
        for number in [self.shard.size, self.shard.first, self.shard.count, self.sums.len()] {
            bytes.extend((number as u64).to_le_bytes());
        }
        self.tally.write(bytes);
        bytes.extend_from_slice(&self.sums);
    }

    /// The next one of a record.
    fn read(bytes: &mut &[u8], sizes: usize) -> Option<Found> {
        let numbers = bytes.split_off(..32)?;
        let number = |i: usize| Some(u64::from_le_bytes(numbers[8 * i..][..8].try_into().ok()?) as usize);
        let shard = Shard { size: number(0)?, first: number(1)?, count: number(2)? };
        let tally = Tally::read(bytes.split_off(..24 * sizes)?);
        let sums = bytes.split_off(..number(3)?)?.to_vec();
        Some(Found { shard, sums, tally })
    }
}

/// What is finished.
struct Done {
    path: PathBuf,
    file: File,
    journal: Journal,
    /// For every page of blocks.
    sums: Vec<u8>,
    tally: Tally,
    /// What is not in the journal.
    pending: Vec<Found>,
    last_checkpoint: Instant,
    bits: u64,
}

impl Shard {
    /// Where its blocks begin, and how many words they take, with what fills the last page of a size.
    fn words(&self, index: &Index) -> (u64, usize) {
        let block = truth::words(self.size);
        let start = index.start(self.size) + (self.first * block) as u64;
        let last = self.first + self.count == index.count(self.size) as usize;
        let end = if last { index.end(self.size) } else { start + (self.count * block) as u64 };
        (start, (end - start) as usize)
    }

    /// All sets of a size.
    fn all(index: &Index, size: usize) -> Vec<Shard> {
        let (count, at_once) = (index.count(size) as usize, (SHARD_WORDS / truth::words(size)).max(1));
        let shard = |first: usize| Shard { size, first, count: at_once.min(count - first) };
        (0..count).step_by(at_once).map(shard).collect()
    }

    /// How many boards its blocks are about.
    fn bits(&self) -> u64 {
        (self.count as u64) << self.size
    }
}

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

impl Done {
    /// Counts what was found as done.
    fn count(&mut self, found: &Found, index: &Index) {
        let page = found.shard.words(index).0 as usize / PAGE_WORDS;
        self.sums[page * SUM..][..found.sums.len()].copy_from_slice(&found.sums);
        self.tally.add(&found.tally);
        self.bits += found.shard.bits();
    }

    /// Goes on with what a killed build has left, as far as it is on the disk as the journal says.
    fn take_over(
        &mut self,
        records: &[Vec<u8>],
        missing: &mut [Vec<Shard>],
        index: &Index,
    ) -> Result<(), StoreError> {
        for record in records {
            let mut bytes = record.as_slice();
            while let Some(found) = Found::read(&mut bytes, missing.len()) {
                let Some(shards) = missing.get_mut(found.shard.size) else { continue };
                let Some(at) = shards.iter().position(|shard| *shard == found.shard) else { continue };
                let (start, words) = found.shard.words(index);
                if found.sums.len() != words / PAGE_WORDS * SUM {
                    continue;
                }
                let (mut some, mut buffer) = (vec![], vec![]);
                let read = read_words(&mut self.file, start, &mut some, words, &mut buffer);
                read.map_err(StoreError::io(&self.path))?;
                if buffer.chunks(BLOCK).zip(found.sums.chunks(SUM)).all(|(page, sum)| checksum(page) == sum) {
                    shards.remove(at);
                    self.count(&found, index);
                }
            }
        }
        Ok(())
    }

    /// Writes the blocks of a shard, and notes that they are there. Returns what is due to be written down.
    fn add(
        &mut self,
        bytes: &[u8],
        found: Found,
        index: &Index,
        settings: &Settings,
    ) -> Result<Vec<Found>, StoreError> {
        let at = place_in_file(found.shard.words(index).0);
        let written = self.file.seek(SeekFrom::Start(at)).and_then(|_| self.file.write_all(bytes));
        written.map_err(StoreError::io(&self.path))?;
        self.count(&found, index);
        self.pending.push(found);
        if self.last_checkpoint.elapsed() < settings.checkpoint {
            return Ok(vec![]);
        }
        self.last_checkpoint = Instant::now();
        Ok(std::mem::take(&mut self.pending))
    }

    /// Says in the journal what was found, after it has been brought to the disk.
    fn write_down(&mut self, found: &[Found]) -> Result<(), StoreError> {
        let mut record = vec![];
        found.iter().for_each(|found| found.write(&mut record));
        self.journal.append(&record)
    }

    /// Brings what was found to the disk, and then says so in the journal.
    fn checkpoint(&mut self) -> Result<(), StoreError> {
        let due = std::mem::take(&mut self.pending);
        self.file.sync_data().map_err(StoreError::io(&self.path))?;
        self.write_down(&due)
    }

    /// Writes the rest of the file, and gives it its name.
    fn finish(mut self, path: &Path, mut fields: Fields, index: &Index) -> Result<(), StoreError> {
        let mut tail = vec![0; SLACK];
        tail.extend(index.bits().flat_map(u64::to_le_bytes));
        fields.insert("section-blocks".into(), format!("0 {}", 8 * index.words()));
        fields.insert(
            "section-sets".into(),
            format!("{} {}", 8 * index.words() + SLACK as u64, tail.len() - SLACK),
        );
        tail.extend([0; SLACK]);
        fields.insert("data".into(), (8 * index.words() + tail.len() as u64).to_string());
        self.sums.extend(tail.chunks(BLOCK).flat_map(checksum));
        fields.insert("checksums".into(), file::hex(&checksum(&self.sums)));
        let header = file::header(&fields, HEADER as usize)?;
        let write = |file: &mut File| {
            file.seek(SeekFrom::Start(place_in_file(index.words())))?;
            file.write_all(&tail)?;
            file.write_all(&self.sums)?;
            let end = file.stream_position()?;
            file.set_len(end)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            file.sync_all()
        };
        write(&mut self.file).map_err(StoreError::io(&self.path))?;
        // Only under its name can nobody write to it any more: whoever is killed before must be able to go on.
        fs::rename(&self.path, path).map_err(StoreError::io(path))?;
        file::seal(&self.file).map_err(StoreError::io(path))?;
        file::sync_folder(path)?;
        self.journal.remove()
    }
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

/// Builds a table of outcomes, or goes on with it.
pub(crate) fn build(
    game: &TabulatedGame,
    (rows, cols): (usize, usize),
    folder: &Path,
    budget: &Budget,
    settings: &Settings,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Built, StoreError> {
    if let Some(Tabulated::Filling(filling)) = game.tabulated() {
        return flat::build(game, &filling, (rows, cols), folder, budget);
    }
    let (form, scope, name) = (form_of(game)?, Scope::Outcomes(rows, cols), game.name());
    let path = folder.join(scope.file_name(&name));
    fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
    let sets = Sets::new(rows, cols, &form)?;
    let threads = settings.threads.max(1);
    // What is needed whatever is held: an index of a bit for every set, with half as much again for ranks and more while it is
    // made, the sets of one size, checksums, buffers.
    let per_thread = BUFFERS * 8 * truth::words(sets.cells) as u64 + 24 * SHARD_WORDS as u64;
    let mut needed = budget.account().bytes() + (5 << sets.cells) / 8 + threads as u64 * per_thread;
    let too_little = |needed: u64| StoreError::Memory {
        what: format!("{name} {scope}"),
        holds: "the index with the buffers of the threads",
        needed,
        limit: budget.max_bytes(),
    };
    if needed > budget.max_bytes() {
        return Err(too_little(needed));
    }
    let lock = unfinished::lock(&path)?;
    unfinished::clean_up(folder);
    let index = Index::new(&sets);
    let pages = index.words() as usize / PAGE_WORDS;
    let longest_list = (0..=sets.cells).map(|size| u64::from(index.count(size))).max().unwrap_or(0);
    needed += 4 * longest_list + (SUM * pages) as u64;
    if needed > budget.max_bytes() {
        return Err(too_little(needed));
    }
    let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let blocks = path.with_file_name(format!(".{file_name}.blocks"));
    let title = format!("outcomes {name} {rows}x{cols} {}", form.text());
    let (journal, records) = Journal::open(&path.with_file_name(format!(".{file_name}.journal")), &title)?;
    let open = || -> io::Result<File> {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(&blocks)?;
        file.set_len(place_in_file(index.words()))?;
        Ok(file)
    };
    let mut done = Done {
        file: open().map_err(StoreError::io(&blocks))?,
        path: blocks.clone(),
        journal,
        sums: vec![0; pages * SUM],
        tally: Tally::new(sets.cells),
        pending: vec![],
        last_checkpoint: Instant::now(),
        bits: 0,
    };
    let mut missing: Vec<Vec<Shard>> = (0..=sets.cells).map(|size| Shard::all(&index, size)).collect();
    done.take_over(&records, &mut missing, &index)?;
    drop(records);
    let boards = 3u64.pow(sets.cells as u32);
    let all_bits = boards_in_blocks(&index, sets.cells);
    let share = |bits: u64| (u128::from(boards) * u128::from(bits) / u128::from(all_bits)) as u64;
    let resumed = share(done.bits);
    let mut job = Job { sets: &sets, index: &index, path: blocks, held: vec![None; sets.cells + 1] };
    let mut sizes: Vec<&Vec<Shard>> = missing.iter().filter(|shards| !shards.is_empty()).collect();
    if sets.coming.is_some() {
        sizes.reverse();
    }
    for shards in sizes {
        let size = shards[0].size;
        job.hold(size, budget.max_bytes() - needed, &done.sums, threads)?;
        let list = index.sets(&sets, size);
        let file = done.file.try_clone().map_err(StoreError::io(&done.path))?;
        let (shared, job) = (Mutex::new(&mut done), &job);
        let found = by_threads(threads, shards.iter(), &|next| {
            let mut worker = Worker::new(job)?;
            while let Some(shard) = next() {
                let (bytes, found) = find(&mut worker, shard, &list, budget)?;
                let locked = || shared.lock().unwrap_or_else(|e| e.into_inner());
                let mut done = locked();
                let due = done.add(&bytes, found, job.index, settings)?;
                report(Progress { boards: share(done.bits), total: boards, before: resumed, facts: 0 });
                drop(done);
                if !due.is_empty() {
                    // The disk may take seconds, in which the others go on.
                    file.sync_data().map_err(StoreError::io(&job.path))?;
                    locked().write_down(&due)?;
                }
            }
            Ok(())
        });
        if let Err(error) = found {
            // What was found stays found, if the disk lets it.
            let _ = done.checkpoint();
            return Err(error);
        }
    }
    if !done.tally.is_complete(sets.cells) {
        return Err(StoreError::Foreign("not every board was counted".into()));
    }
    let fields = fields(&name, &form, &sets, &done.tally);
    done.finish(&path, fields, &index)?;
    drop(lock);
    Ok(Built { path, was_there: false, resumed })
}

/// How many boards the blocks are about.
fn boards_in_blocks(index: &Index, cells: usize) -> u64 {
    (0..=cells).map(|size| u64::from(index.count(size)) << size).sum()
}
