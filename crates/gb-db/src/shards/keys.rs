//! The parts of a layer on disk: their keys in ascending order, and how a part is found among them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::files::Folder;
use crate::error::StoreError;
use crate::file::{Reader, Section};
use crate::parts::{Key, largest_frame};

/// Bytes of a key as shards write it: rows, columns, number.
const LOOSE: usize = 18;
/// Every so many keys one is in memory, at least.
const STEP: usize = 32;

impl Folder {
    /// The keys of the parts of so many cells.
    pub(super) fn keys(&self, layer: usize) -> PathBuf {
        self.path.join(format!("{layer:02}.keys"))
    }
}

/// The name of the section with the keys of a layer that a shard has found.
fn section(layer: usize) -> String {
    format!("keys-{layer:02}")
}

/// Writes what a shard of the enumeration has found: for each number of cells the keys, ascending.
pub(super) fn write_found(folder: &Folder, path: &Path, layers: &mut [Vec<Key>]) -> Result<(), StoreError> {
    let count: usize = layers.iter().map(Vec::len).sum();
    let mut out = folder.create(path, 0, count as u64)?;
    for (layer, keys) in layers.iter_mut().enumerate() {
        keys.sort_unstable();
        out.section(&section(layer))?;
        for some in keys.chunks(1 << 12) {
            let bytes: Vec<u8> = some.iter().flat_map(loose).collect();
            out.write(&bytes)?;
        }
        out.end_section(&section(layer))?;
    }
    out.finish()
}

fn loose(key: &Key) -> [u8; LOOSE] {
    let mut bytes = [key.rows; LOOSE];
    bytes[1] = key.cols;
    bytes[2..].copy_from_slice(&key.number.to_le_bytes());
    bytes
}

fn of_loose(bytes: &[u8; LOOSE]) -> Key {
    let mut number = [0; 16];
    number.copy_from_slice(&bytes[2..]);
    Key { rows: bytes[0], cols: bytes[1], number: u128::from_le_bytes(number) }
}

/// The keys of one layer that a shard has found, read piece by piece.
struct Stream {
    reader: Reader,
    section: Section,
    at: usize,
    piece: Vec<Key>,
    next: usize,
    keys_at_once: usize,
}

impl Stream {
    fn next(&mut self) -> Result<Option<Key>, StoreError> {
        if self.next == self.piece.len() {
            let end = (self.at + LOOSE * self.keys_at_once).min(self.section.length);
            let bytes = self.reader.bytes_once(self.section, self.at..end)?;
            self.piece = bytes.as_chunks::<LOOSE>().0.iter().map(of_loose).collect();
            (self.at, self.next) = (end, 0);
        }
        let key = self.piece.get(self.next).copied();
        self.next += 1;
        Ok(key)
    }
}

/// Merges the keys of a layer that all shards have found, with about so much memory. Each part was found once, by one of them.
pub(super) fn merge_keys(
    folder: &Folder,
    found: &[PathBuf],
    (layer, letters): (usize, usize),
    memory: u64,
) -> Result<(), StoreError> {
    let (rows, cols) = largest_frame(layer);
    let width = bytes_for(rows * cols, letters);
    let keys_at_once = (memory / (found.len().max(1) as u64 * 64)).clamp(256, 1 << 14) as usize;
    let mut streams = vec![];
    for path in found {
        let reader = folder.open(path)?;
        let section = reader.section(&section(layer))?;
        streams.push(Stream { reader, section, at: 0, piece: vec![], next: 0, keys_at_once });
    }
    let mut heap = BinaryHeap::new();
    for (number, stream) in streams.iter_mut().enumerate() {
        heap.extend(stream.next()?.map(|key| Reverse((key, number))));
    }
    let mut out = folder.create(&folder.keys(layer), 0, 0)?;
    out.section("keys")?;
    let (mut sizes, mut count, mut greatest): (Vec<[u64; 3]>, u64, u128) = (vec![], 0, 0);
    let (mut bytes, mut last) = (vec![], None);
    while let Some(Reverse((key, number))) = heap.pop() {
        if last >= Some(key) {
            return Err(StoreError::Foreign("a part was found twice".into()));
        }
        last = Some(key);
        count += 1;
        greatest = greatest.max(key.number);
        let size = [u64::from(key.rows), u64::from(key.cols)];
        match sizes.last_mut().filter(|last| last[..2] == size) {
            Some(same) => same[2] = count,
            None => sizes.push([size[0], size[1], count]),
        }
        bytes.extend_from_slice(&key.number.to_le_bytes()[..width]);
        if bytes.len() >= 1 << 16 {
            out.write(&bytes)?;
            bytes.clear();
        }
        heap.extend(streams[number].next()?.map(|key| Reverse((key, number))));
    }
    out.write(&bytes)?;
    out.end_section("keys")?;
    out.section("sizes")?;
    out.write(&sizes.iter().flatten().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())?;
    out.end_section("sizes")?;
    out.set("count", count.to_string());
    out.set("width", width.to_string());
    out.set("greatest", greatest.to_string());
    out.finish()
}

/// Bytes of the greatest number of so many digits.
fn bytes_for(digits: usize, letters: usize) -> usize {
    let greatest = (0..digits)
        .try_fold(0u128, |number, _| number.checked_mul(letters as u128)?.checked_add(letters as u128 - 1));
    greatest.map_or(16, |number| (128 - number.leading_zeros() as usize).div_ceil(8).max(1))
}

/// The keys of a layer.
pub(super) struct Keys {
    reader: Reader,
    section: Section,
    width: usize,
    pub(super) count: u64,
    pub(super) greatest: u128,
    /// Rows, columns, and the places of the parts of this size.
    pub(super) sizes: Vec<((u8, u8), Range<u64>)>,
    /// Every so many keys of each size, from its first on; made when the first part is looked up.
    step: usize,
    samples: Vec<Vec<u128>>,
}

impl Keys {
    /// Opens the keys of a layer, without what it takes to look parts up.
    pub(super) fn open(folder: &Folder, layer: usize) -> Result<Keys, StoreError> {
        let reader = folder.open(&folder.keys(layer))?;
        let wrong = || StoreError::damaged(reader.path(), "the sizes of its parts make no sense");
        let (section, sizes) = (reader.section("keys")?, reader.section("sizes")?);
        let bytes = reader.bytes_once(sizes, 0..sizes.length)?;
        let words: Vec<u64> =
            bytes.as_chunks::<8>().0.iter().map(|eight| u64::from_le_bytes(*eight)).collect();
        let mut start = 0;
        let mut sizes = vec![];
        for &[rows, cols, end] in words.as_chunks::<3>().0 {
            let (Ok(rows), Ok(cols)) = (rows.try_into(), cols.try_into()) else { return Err(wrong()) };
            sizes.push(((rows, cols), start..end));
            start = end;
        }
        let (count, width) = (reader.number("count")?, reader.number("width")? as usize);
        let greatest = reader.field("greatest")?.parse().map_err(|_| wrong())?;
        if start != count || !(1..=16).contains(&width) || section.length as u64 != count * width as u64 {
            return Err(wrong());
        }
        Ok(Keys { section, width, count, greatest, sizes, step: 0, samples: vec![], reader })
    }

    /// Prepares looking parts up, with about so many bytes for samples and for blocks of the file.
    pub(super) fn index(&mut self, memory: u64) -> Result<(), StoreError> {
        self.step = STEP.max((self.count * 16 * 2).div_ceil(memory.max(1)) as usize);
        let (step, width) = (self.step as u64, self.width);
        let mut samples: Vec<Vec<u128>> = vec![vec![]; self.sizes.len()];
        self.for_each(0..self.count, &mut |place, number, size| {
            if (place - self.sizes[size].1.start).is_multiple_of(step) {
                samples[size].push(number);
            }
        })?;
        self.samples = samples;
        if self.count * width as u64 > memory / 2 {
            self.reader.keep_at_most((memory / 2) as usize);
        }
        Ok(())
    }

    /// Calls `emit` with place, number and size of the keys in a range.
    fn for_each(&self, range: Range<u64>, emit: &mut dyn FnMut(u64, u128, usize)) -> Result<(), StoreError> {
        const AT_ONCE: u64 = 1 << 14;
        let mut size = self.sizes.partition_point(|(_, places)| places.end <= range.start);
        let mut start = range.start;
        while start < range.end {
            let end = (start + AT_ONCE).min(range.end);
            let bytes = start as usize * self.width..end as usize * self.width;
            let bytes = self.reader.bytes_once(self.section, bytes)?;
            for (place, key) in (start..end).zip(bytes.chunks_exact(self.width)) {
                while self.sizes[size].1.end <= place {
                    size += 1;
                }
                emit(place, number_of(key), size);
            }
            start = end;
        }
        Ok(())
    }

    /// The keys in a range.
    pub(super) fn read(&self, range: Range<u64>) -> Result<Vec<Key>, StoreError> {
        let mut keys = Vec::with_capacity((range.end - range.start) as usize);
        self.for_each(range, &mut |_, number, size| {
            let (rows, cols) = self.sizes[size].0;
            keys.push(Key { rows, cols, number });
        })?;
        Ok(keys)
    }

    /// Where a part is; `None` if it is not among them.
    pub(super) fn place(&self, key: &Key) -> Result<Option<u64>, StoreError> {
        let Ok(size) = self.sizes.binary_search_by_key(&(key.rows, key.cols), |(size, _)| *size) else {
            return Ok(None);
        };
        let (places, samples) = (&self.sizes[size].1, &self.samples[size]);
        let after = samples.partition_point(|&sample| sample <= key.number);
        let Some(before) = after.checked_sub(1) else { return Ok(None) };
        let start = places.start + (before * self.step) as u64;
        let end = (start + self.step as u64).min(places.end);
        let mut buffer = [0; 16 * STEP];
        let mut at = start;
        // The keys between two samples.
        while at < end {
            let count = (end - at).min(STEP as u64) as usize;
            let bytes = &mut buffer[..count * self.width];
            self.reader.copy(self.section, at as usize * self.width, bytes)?;
            for (place, bytes) in (at..).zip(bytes.chunks_exact(self.width)) {
                let number = number_of(bytes);
                if number >= key.number {
                    return Ok((number == key.number).then_some(place));
                }
            }
            at += count as u64;
        }
        Ok(None)
    }
}

fn number_of(bytes: &[u8]) -> u128 {
    let mut number = [0; 16];
    number[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(number)
}
