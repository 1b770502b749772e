//! The numbers of facts in a finished table of parts of any shape: by what they are, level by level, without holding the values.
//!
//! Held are the level of each value and its final number, ten bytes together. The values of a level are sorted in memory where they fit, otherwise in files
//! that are merged; those of several levels are read together as far as they fit.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::files::{Folder, Layers, PACKED, Record};
use super::finish::{Numbering, Records};
use crate::error::StoreError;
use crate::record;

/// What a value takes besides its words while it is sorted.
const BYTES_AN_ENTRY: u64 = 40;

/// Final numbers.
pub(super) struct Order {
    pub(super) closed: Numbering,
    /// Of the values with options, by the numbers that they have in layers, from the first on.
    numbers: Vec<u64>,
    first: u64,
    /// The facts in their order.
    pub(super) records: Records,
}

impl Order {
    /// Finds the numbers with about so much memory for sorting.
    pub(super) fn new(folder: &Folder, layers: &Layers, memory: u64) -> Result<Order, StoreError> {
        let closed = Numbering::new(layers)?;
        let mut records = Records::new(&folder.path);
        closed.write(&mut records)?;
        let (levels, sizes) = levels_of(layers)?;
        let mut order = Order { closed, numbers: vec![u64::MAX; levels.len()], first: layers.first, records };
        let mut level = 1;
        while level < sizes.len() {
            // As many levels as fit, but at least one.
            let mut end = level;
            let mut bytes = 0;
            while end < sizes.len() && (end == level || bytes + sizes[end] <= memory) {
                bytes += sizes[end];
                end += 1;
            }
            order.number_levels(folder, layers, (&levels, level..end), memory)?;
            level = end;
        }
        Ok(order)
    }

    /// The final number of a reference.
    pub(super) fn of(&self, reference: u64) -> Option<u64> {
        match reference & PACKED {
            0 => self
                .numbers
                .get((reference - self.first) as usize)
                .copied()
                .filter(|&number| number != u64::MAX),
            _ => self.closed.of(reference),
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.closed.count() + self.numbers.len() as u64
    }

    /// Numbers the values of some levels, all of which are read together.
    fn number_levels(
        &mut self,
        folder: &Folder,
        layers: &Layers,
        (levels, range): (&[u16], std::ops::Range<usize>),
        memory: u64,
    ) -> Result<(), StoreError> {
        let wrong = || StoreError::Foreign("a value has no meaning".into());
        let alone = range.len() == 1;
        let mut sorters: Vec<Sorter> = range.clone().map(|_| Sorter::default()).collect();
        let (mut number, mut entry) = (0, vec![]);
        layers.for_each_value(&mut |found| {
            let level = usize::from(levels[number]);
            number += 1;
            if !range.contains(&level) {
                return Ok(());
            }
            let sorter = &mut sorters[level - range.start];
            entry.clear();
            entry.push(number as u64 - 1);
            entry.extend_from_slice(found.0);
            if alone {
                // The numbers of its options are known.
                self.renumber(&mut entry).ok_or_else(wrong)?;
            }
            sorter.add(&entry);
            if alone && sorter.bytes() > memory {
                sorter.spill(&folder.path)?;
            }
            Ok(())
        })?;
        for mut sorter in sorters {
            if !alone {
                let starts = std::mem::take(&mut sorter.starts);
                for &start in &starts {
                    let length = 1 + Record::length(sorter.words[start + 1]);
                    self.renumber(&mut sorter.words[start..start + length]).ok_or_else(wrong)?;
                }
                sorter.starts = starts;
            }
            let mut bytes = vec![];
            sorter.sorted(&folder.path, &mut |entry| {
                let (lefts, rights) = Record(&entry[1..]).sides();
                *self.numbers.get_mut(entry[0] as usize).ok_or_else(wrong)? = self.records.count();
                bytes.clear();
                record::write_options(&mut bytes, &[lefts, rights]);
                self.records.push(&bytes)
            })?;
        }
        Ok(())
    }

    /// Puts the final numbers of the options into an entry, each side ascending.
    fn renumber(&self, entry: &mut [u64]) -> Option<()> {
        let lefts = 2 + Record(&entry[1..]).sides().0.len();
        for option in &mut entry[2..] {
            *option = self.of(*option)?;
        }
        entry[2..lefts].sort_unstable();
        entry[lefts..].sort_unstable();
        Some(())
    }
}

/// The level of each value, and what the values of each level take in memory.
fn levels_of(layers: &Layers) -> Result<(Vec<u16>, Vec<u64>), StoreError> {
    let (mut levels, mut sizes): (Vec<u16>, Vec<u64>) = (vec![], vec![0]);
    layers.for_each_value(&mut |record| {
        let options = record.0[1..].iter().filter(|&option| option & PACKED == 0);
        let level =
            options.map(|&option| levels.get((option - layers.first) as usize).copied().unwrap_or(0)).max();
        let level = level.unwrap_or(0).checked_add(1);
        let level = level.ok_or_else(|| StoreError::Invalid("a value is too deep for a table".into()))?;
        sizes.resize(sizes.len().max(usize::from(level) + 1), 0);
        sizes[usize::from(level)] += 8 * record.0.len() as u64 + BYTES_AN_ENTRY;
        levels.push(level);
        Ok(())
    })?;
    Ok((levels, sizes))
}

/// Sorts entries (the number of a value, and its record) by Left's options and then by Right's.
#[derive(Default)]
struct Sorter {
    words: Vec<u64>,
    starts: Vec<usize>,
    /// Sorted ones that were too many for memory.
    runs: Vec<File>,
}

/// Calls somebody with an entry.
type Emit<'a> = &'a mut dyn FnMut(&[u64]) -> Result<(), StoreError>;

fn key(entry: &[u64]) -> (&[u64], &[u64]) {
    Record(&entry[1..]).sides()
}

impl Sorter {
    fn add(&mut self, entry: &[u64]) {
        self.starts.push(self.words.len());
        self.words.extend_from_slice(entry);
    }

    fn bytes(&self) -> u64 {
        8 * self.words.len() as u64 + BYTES_AN_ENTRY * self.starts.len() as u64
    }

    fn entry(&self, start: usize) -> &[u64] {
        &self.words[start..start + 1 + Record::length(self.words[start + 1])]
    }

    fn sort(&mut self) {
        let mut starts = std::mem::take(&mut self.starts);
        starts.sort_unstable_by(|&a, &b| key(self.entry(a)).cmp(&key(self.entry(b))));
        self.starts = starts;
    }

    /// Writes what is in memory to a file that nobody else sees, and that ends with the process.
    fn spill(&mut self, folder: &Path) -> Result<(), StoreError> {
        self.sort();
        let write = || {
            let mut out = BufWriter::new(tempfile::tempfile_in(folder)?);
            for &start in &self.starts {
                self.entry(start).iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))?;
            }
            let mut file = out.into_inner().map_err(|error| error.into_error())?;
            file.seek(SeekFrom::Start(0))?;
            Ok(file)
        };
        let file = write().map_err(StoreError::io(folder))?;
        self.runs.push(file);
        self.words.clear();
        self.starts.clear();
        Ok(())
    }

    /// Calls `emit` with all entries in their order.
    fn sorted(mut self, folder: &Path, emit: Emit<'_>) -> Result<(), StoreError> {
        if self.runs.is_empty() {
            self.sort();
            return self.starts.iter().try_for_each(|&start| emit(self.entry(start)));
        }
        self.spill(folder)?;
        let fail = |error| StoreError::io(folder)(error);
        let mut readers: Vec<_> = self.runs.into_iter().map(BufReader::new).collect();
        let mut heap = BinaryHeap::new();
        let entry = |(lefts, rights, first, counts, run): (Vec<u64>, Vec<u64>, u64, u64, usize)| {
            ([&[first, counts], lefts.as_slice(), &rights].concat(), run)
        };
        for (run, reader) in readers.iter_mut().enumerate() {
            heap.extend(next_entry(reader, run).map_err(fail)?.map(Reverse));
        }
        while let Some(Reverse(least)) = heap.pop() {
            let (entry, run) = entry(least);
            emit(&entry)?;
            heap.extend(next_entry(&mut readers[run], run).map_err(fail)?.map(Reverse));
        }
        Ok(())
    }
}

/// The next entry of a run, with its key first: Left's options, Right's, the number, the counts, and the run.
type Keyed = (Vec<u64>, Vec<u64>, u64, u64, usize);

fn next_entry(reader: &mut impl Read, run: usize) -> std::io::Result<Option<Keyed>> {
    let mut eight = [0; 8];
    match reader.read_exact(&mut eight) {
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let number = u64::from_le_bytes(eight);
    let mut word = || {
        let mut eight = [0; 8];
        reader.read_exact(&mut eight).map(|()| u64::from_le_bytes(eight))
    };
    let counts = word()?;
    let options = (1..Record::length(counts)).map(|_| word()).collect::<std::io::Result<Vec<u64>>>()?;
    let (lefts, rights) = options.split_at((counts & 0xFFFF) as usize);
    Ok(Some((lefts.to_vec(), rights.to_vec(), number, counts, run)))
}
