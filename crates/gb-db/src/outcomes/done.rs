//! What of a table is finished: blocks in the file that becomes the table, and a journal that says which they are.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::sets::{Index, PAGE_WORDS};
use super::solve::{HEADER, place_in_file, read_words};
use super::table::Tally;
use super::truth;
use crate::build::Settings;
use crate::error::StoreError;
use crate::file::{self, BLOCK, Fields, SLACK, SUM, checksum};
use crate::journal::Journal;

/// Blocks are found, written and noted in shards of about so many words: 1 MiB.
pub(super) const SHARD_WORDS: usize = 1 << 17;
/// Some sets of one size, by their places among those that are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shard {
    pub(super) size: usize,
    pub(super) first: usize,
    pub(super) count: usize,
}

/// What was found in a shard.
pub(super) struct Found {
    pub(super) shard: Shard,
    pub(super) sums: Vec<u8>,
    pub(super) tally: Tally,
}

impl Found {
    /// As bytes: where it is, the counts, the checksums.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        for number in [self.shard.size, self.shard.first, self.shard.count, self.sums.len()] {
            bytes.extend((number as u64).to_le_bytes());
        }
        self.tally.write(bytes);
        bytes.extend_from_slice(&self.sums);
    }

    /// The next one of a record.
    pub(super) fn read(bytes: &mut &[u8], sizes: usize) -> Option<Found> {
        let numbers = bytes.split_off(..32)?;
        let number = |i: usize| Some(u64::from_le_bytes(numbers[8 * i..][..8].try_into().ok()?) as usize);
        let shard = Shard { size: number(0)?, first: number(1)?, count: number(2)? };
        let tally = Tally::read(bytes.split_off(..24 * sizes)?);
        let sums = bytes.split_off(..number(3)?)?.to_vec();
        Some(Found { shard, sums, tally })
    }
}

/// What is finished.
pub(super) struct Done {
    pub(super) path: PathBuf,
    pub(super) file: File,
    pub(super) journal: Journal,
    /// For every page of blocks.
    pub(super) sums: Vec<u8>,
    pub(super) tally: Tally,
    /// What is not in the journal.
    pub(super) pending: Vec<Found>,
    pub(super) last_checkpoint: Instant,
    pub(super) bits: u64,
}

impl Shard {
    /// Where its blocks begin, and how many words they take, with what fills the last page of a size.
    pub(super) fn words(&self, index: &Index) -> (u64, usize) {
        let block = truth::words(self.size);
        let start = index.start(self.size) + (self.first * block) as u64;
        let last = self.first + self.count == index.count(self.size) as usize;
        let end = if last { index.end(self.size) } else { start + (self.count * block) as u64 };
        (start, (end - start) as usize)
    }

    /// All sets of a size.
    pub(super) fn all(index: &Index, size: usize) -> Vec<Shard> {
        let (count, at_once) = (index.count(size) as usize, (SHARD_WORDS / truth::words(size)).max(1));
        let shard = |first: usize| Shard { size, first, count: at_once.min(count - first) };
        (0..count).step_by(at_once).map(shard).collect()
    }

    /// How many boards its blocks are about.
    pub(super) fn bits(&self) -> u64 {
        (self.count as u64) << self.size
    }
}

impl Done {
    /// Counts what was found as done.
    pub(super) fn count(&mut self, found: &Found, index: &Index) {
        let page = found.shard.words(index).0 as usize / PAGE_WORDS;
        self.sums[page * SUM..][..found.sums.len()].copy_from_slice(&found.sums);
        self.tally.add(&found.tally);
        self.bits += found.shard.bits();
    }

    /// Goes on with what a killed build has left, as far as it is on the disk as the journal says.
    pub(super) fn take_over(
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
    pub(super) fn add(
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
    pub(super) fn write_down(&mut self, found: &[Found]) -> Result<(), StoreError> {
        let mut record = vec![];
        found.iter().for_each(|found| found.write(&mut record));
        self.journal.append(&record)
    }

    /// Brings what was found to the disk, and then says so in the journal.
    pub(super) fn checkpoint(&mut self) -> Result<(), StoreError> {
        let due = std::mem::take(&mut self.pending);
        self.file.sync_data().map_err(StoreError::io(&self.path))?;
        self.write_down(&due)
    }

    /// Writes the rest of the file, and gives it its name.
    pub(super) fn finish(mut self, path: &Path, mut fields: Fields, index: &Index) -> Result<(), StoreError> {
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
