//! Names with a few bytes each, more of them than fit into memory: the newest are there, and the others in sorted files.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Makes a file that nobody else sees, for what does not fit into memory.
pub type Scratch<'a> = dyn Fn() -> io::Result<File> + 'a;

/// Memory for what is kept, and where more of it goes.
#[derive(Clone, Copy)]
pub(crate) struct Room<'s> {
    pub(crate) bytes: u64,
    /// If there is none, everything stays in memory.
    pub(crate) scratch: Option<&'s Scratch<'s>>,
}

impl<'s> Room<'s> {
    /// As much as anybody wants.
    pub(crate) const UNLIMITED: Room<'static> = Room { bytes: u64::MAX, scratch: None };

    /// One of so many equal parts of this.
    pub(crate) fn share(self, of: u64) -> Room<'s> {
        Room { bytes: self.bytes / of, ..self }
    }
}

/// What is kept with a name.
pub(crate) type Payload = SmallVec<[u8; 16]>;

/// Bytes of a record in memory besides a long payload, as tables grow by doubling.
const BYTES_IN_MEMORY: u64 = 112;
/// Records that are read at once.
const BLOCK: usize = 128;
/// So many files there may be before they become one.
const MOST_RUNS: usize = 8;
/// Bits of a file's filter for each of its records.
const FILTER_BITS: usize = 8;

/// What is kept by names, which are hashes of 128 bits. Of two records with one name the newer is found.
pub(crate) struct SpillMap<'s> {
    recent: FxHashMap<u128, Payload>,
    /// Bytes of payloads in `recent` that have memory of their own.
    long: u64,
    room: Room<'s>,
    runs: Vec<Run>,
}

impl<'s> SpillMap<'s> {
    pub(crate) fn new(room: Room<'s>) -> SpillMap<'s> {
        SpillMap { recent: FxHashMap::default(), long: 0, room, runs: vec![] }
    }

    pub(crate) fn get(&self, name: u128) -> io::Result<Option<Payload>> {
        self.look(name, Payload::from_slice)
    }

    /// What somebody reads in a record, if it is there.
    #[inline]
    pub(crate) fn look<T>(&self, name: u128, read: impl FnOnce(&[u8]) -> T) -> io::Result<Option<T>> {
        if let Some(found) = self.recent.get(&name) {
            return Ok(Some(read(found)));
        }
        Ok(self.in_files(name)?.map(|found| read(&found)))
    }

    fn in_files(&self, name: u128) -> io::Result<Option<Payload>> {
        for run in self.runs.iter().rev() {
            if let Some(found) = run.get(name).map_err(of_temporary_file)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    pub(crate) fn contains(&self, name: u128) -> io::Result<bool> {
        Ok(self.recent.contains_key(&name) || self.in_files(name)?.is_some())
    }

    pub(crate) fn insert(&mut self, name: u128, payload: Payload) -> io::Result<()> {
        let own_memory = |payload: &Payload| if payload.spilled() { payload.capacity() as u64 } else { 0 };
        self.long += own_memory(&payload);
        if let Some(older) = self.recent.insert(name, payload) {
            self.long -= own_memory(&older);
        }
        let Some(scratch) = self.room.scratch else { return Ok(()) };
        if self.recent.len() < BLOCK
            || self.recent.len() as u64 * BYTES_IN_MEMORY + self.long < self.room.bytes
        {
            return Ok(());
        }
        self.long = 0;
        self.spill(scratch).map_err(of_temporary_file)
    }

    /// Moves all that is in memory into a file.
    fn spill(&mut self, scratch: &Scratch<'_>) -> io::Result<()> {
        let mut records: Vec<Record> = std::mem::take(&mut self.recent).into_iter().collect();
        records.sort_unstable();
        let count = records.len();
        self.runs.push(Run::write(scratch()?, count, records.into_iter().map(Ok))?);
        if self.runs.len() > MOST_RUNS {
            let runs = std::mem::take(&mut self.runs);
            let most = runs.iter().map(|run| run.records).sum();
            let runs = runs.into_iter().map(Run::records).collect::<io::Result<_>>()?;
            self.runs.push(Run::write(scratch()?, most, Merged { runs })?);
        }
        Ok(())
    }
}

/// It is a temporary file, and not the certificate, that could not be read or written. Stands inside of an [`io::Error`].
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a temporary file, for what does not fit into memory: {0}")]
pub struct TemporaryFileError(io::ErrorKind);

fn of_temporary_file(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), TemporaryFileError(error.kind()))
}

type Record = (u128, Payload);

/// Records on disk, sorted.
struct Run {
    file: File,
    records: usize,
    /// The first name of every block, and where it begins; last, where the file ends.
    blocks: Vec<(u128, u64)>,
    filter: Filter,
}

impl Run {
    /// Writes records that come sorted.
    fn write(file: File, most: usize, records: impl Iterator<Item = io::Result<Record>>) -> io::Result<Run> {
        let mut out = BufWriter::new(file);
        let mut filter = Filter::new(most * FILTER_BITS);
        let (mut count, mut at, mut blocks) = (0, 0, vec![]);
        for record in records {
            let (name, payload) = record?;
            if count % BLOCK == 0 {
                blocks.push((name, at));
            }
            count += 1;
            filter.insert(name);
            out.write_all(&name.to_le_bytes())?;
            out.write_all(&(payload.len() as u32).to_le_bytes())?;
            out.write_all(&payload)?;
            at += 20 + payload.len() as u64;
        }
        blocks.push((u128::MAX, at));
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Run { file, records: count, blocks, filter })
    }

    fn get(&self, name: u128) -> io::Result<Option<Payload>> {
        if !self.filter.may_have(name) {
            return Ok(None);
        }
        let starts = &self.blocks[..self.blocks.len() - 1];
        let Some(block) = starts.partition_point(|(first, _)| *first <= name).checked_sub(1) else {
            return Ok(None);
        };
        let (from, to) = (self.blocks[block].1, self.blocks[block + 1].1);
        let mut bytes = vec![0; (to - from) as usize];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(&mut bytes)?;
        let mut input = &bytes[..];
        while !input.is_empty() {
            let (found, payload) = read_record(&mut input)?;
            if found >= name {
                return Ok((found == name).then_some(payload));
            }
        }
        Ok(None)
    }

    fn records(mut self) -> io::Result<Records> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut records = Records { input: BufReader::new(self.file), left: self.records, next: None };
        records.advance()?;
        Ok(records)
    }
}

fn read_record(input: &mut impl Read) -> io::Result<Record> {
    let (mut name, mut length) = ([0; 16], [0; 4]);
    input.read_exact(&mut name)?;
    input.read_exact(&mut length)?;
    let mut payload = Payload::from_elem(0, u32::from_le_bytes(length) as usize);
    input.read_exact(&mut payload)?;
    Ok((u128::from_le_bytes(name), payload))
}

/// The records of a file, one after the other.
struct Records {
    input: BufReader<File>,
    left: usize,
    next: Option<Record>,
}

impl Records {
    fn advance(&mut self) -> io::Result<()> {
        self.next = None;
        if self.left > 0 {
            self.left -= 1;
            self.next = Some(read_record(&mut self.input)?);
        }
        Ok(())
    }
}

/// The records of several files in order. Of those with one name the newest, which is in the last of the files.
struct Merged {
    runs: Vec<Records>,
}

impl Iterator for Merged {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<io::Result<Record>> {
        let least = self.runs.iter().filter_map(|run| run.next.as_ref()).map(|(name, _)| *name).min()?;
        let mut found = None;
        for run in &mut self.runs {
            if run.next.as_ref().is_some_and(|(name, _)| *name == least) {
                found = run.next.take();
                if let Err(error) = run.advance() {
                    return Some(Err(error));
                }
            }
        }
        found.map(Ok)
    }
}

/// A Bloom filter (B. H. Bloom, *Space/time trade-offs in hash coding with allowable errors*, 1970) with two bits for each name: what it does not have
/// was never put in.
pub(crate) struct Filter {
    bits: Vec<u64>,
}

/// Bits of a line of the processor's cache, less one.
const NEAR: usize = 511;

impl Filter {
    /// A filter with at least so many bits.
    pub(crate) fn new(bits: usize) -> Filter {
        Filter { bits: vec![0; bits.div_ceil(64).next_power_of_two()] }
    }

    /// Both bits are near each other: to look at one takes as long as to look at both.
    fn places(&self, name: u128) -> [usize; 2] {
        let last = self.bits.len() * 64 - 1;
        let (first, second) = (name as usize & last, (name >> 64) as usize & NEAR);
        [first, first & !NEAR & last | second & last]
    }

    pub(crate) fn insert(&mut self, name: u128) {
        for place in self.places(name) {
            self.bits[place / 64] |= 1 << (place % 64);
        }
    }

    pub(crate) fn may_have(&self, name: u128) -> bool {
        self.places(name).iter().all(|place| self.bits[place / 64] >> (place % 64) & 1 == 1)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Hands out files without names, and counts them.
    pub(crate) fn scratch_files(made: &std::cell::Cell<u32>) -> impl Fn() -> io::Result<File> {
        let folder = std::env::temp_dir();
        move || {
            made.set(made.get() + 1);
            let name = format!("gamebench-spill-{}-{:?}-{}", std::process::id(), made.as_ptr(), made.get());
            let path = folder.join(name);
            let file = File::options().read(true).write(true).create_new(true).open(&path)?;
            std::fs::remove_file(path)?;
            Ok(file)
        }
    }

    /// What is on disk is found as what is in memory is, with many files and few, and the newest of what was put in twice.
    #[test]
    fn nothing_is_lost_on_disk() {
        let made = std::cell::Cell::new(0);
        let scratch = scratch_files(&made);
        let mut small = SpillMap::new(Room { bytes: 0, scratch: Some(&scratch) });
        let mut large = SpillMap::new(Room::UNLIMITED);
        let name =
            |n: u32| u128::from_le_bytes(blake3::hash(&n.to_le_bytes()).as_bytes()[..16].try_into().unwrap());
        for n in 0..20_000_u32 {
            // Empty, short and long ones.
            let payload = Payload::from_elem(n as u8, n as usize % 40);
            small.insert(name(n % 15_000), payload.clone()).unwrap();
            large.insert(name(n % 15_000), payload).unwrap();
        }
        assert!(made.get() > 50 && small.runs.len() <= MOST_RUNS && large.runs.is_empty());
        for n in 0..21_000 {
            let found = small.get(name(n)).unwrap();
            assert_eq!(found, large.get(name(n)).unwrap(), "{n}");
            assert_eq!(found.is_some(), n < 15_000);
            assert_eq!(small.contains(name(n)).unwrap(), n < 15_000);
        }
    }
}
