//! The files of a build: what workers have found in a shard, and, once the shards of a layer are merged, its values and its boards.
//!
//! All are written once and under checksums. A *reference* to a value has 32 bits: a value that is its own name, with the highest bit set, or the
//! number of a value. A value is a word with the counts of Left's and Right's options (16 bits each), then the references to them, each side
//! ascending. Values have numbers in the order of layers.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::file::{Fields, Reader, Section, Writer};

/// The highest bit of a reference to a value that is its own name.
pub(super) const PACKED: u32 = 1 << 31;

/// The folder of a build, and what it is about.
#[derive(Clone)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) title: String,
}

impl Folder {
    /// What workers have found in a shard of a layer.
    pub(super) fn found(&self, layer: usize, shard: u64) -> PathBuf {
        self.path.join(format!("{layer:02}-{shard:06}.found"))
    }

    /// The values that are new in a layer.
    pub(super) fn values(&self, layer: usize) -> PathBuf {
        self.path.join(format!("{layer:02}.values"))
    }

    /// References to the values of the boards of a layer.
    pub(super) fn boards(&self, layer: usize) -> PathBuf {
        self.path.join(format!("{layer:02}.boards"))
    }

    fn fields(&self, first: u64, count: u64) -> Fields {
        [
            ("kind", "shard".to_owned()),
            ("title", self.title.clone()),
            ("first", first.to_string()),
            ("count", count.to_string()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into()
    }

    /// Begins a file with the values, or the boards, from `first` on.
    pub(super) fn create(&self, path: &Path, first: u64, count: u64) -> Result<Writer, StoreError> {
        Writer::create(path, self.fields(first, count))
    }

    /// Opens a file of this build. One of another build is an error.
    pub(super) fn open(&self, path: &Path) -> Result<Reader, StoreError> {
        let reader = Reader::open(path)?;
        if reader.field("title")? != self.title {
            return Err(StoreError::Foreign(format!("{} belongs to another build", path.display())));
        }
        Ok(reader)
    }
}

/// Words as bytes.
pub(super) fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Writes a section of words.
pub(super) fn write_words(out: &mut Writer, name: &str, words: &[u32]) -> Result<(), StoreError> {
    out.section(name)?;
    for some in words.chunks(1 << 16) {
        out.write(&bytes_of(some))?;
    }
    out.end_section(name)
}

/// A value as it is written: counts, Left's options, Right's.
#[derive(Clone, Copy)]
pub(super) struct Record<'a>(pub(super) &'a [u32]);

impl<'a> Record<'a> {
    /// Its references to options: Left's, Right's.
    pub(super) fn sides(self) -> (&'a [u32], &'a [u32]) {
        let lefts = (self.0[0] & 0xFFFF) as usize;
        self.0[1..].split_at(lefts.min(self.0.len() - 1))
    }

    /// How many words it has.
    pub(super) fn length(counts: u32) -> usize {
        1 + (counts & 0xFFFF) as usize + (counts >> 16) as usize
    }
}

/// The layers that are finished.
pub(super) struct Layers {
    /// By the number of stones; those without boards have none.
    layers: Vec<Option<Layer>>,
    /// How many values there are.
    pub(super) values: u32,
}

struct Layer {
    boards: Reader,
    refs: Section,
    values: Reader,
    records: Section,
    places: Section,
    /// The number of its first value, and how many it has.
    first: u32,
    count: u32,
}

impl Layers {
    /// Opens the layers before one, and keeps about so many bytes of them in memory.
    pub(super) fn open(folder: &Folder, before: usize, keep: u64) -> Result<Layers, StoreError> {
        let (mut layers, mut values) = (vec![], 0);
        for layer in 0..before {
            let path = folder.boards(layer);
            if !path.exists() {
                layers.push(None);
                continue;
            }
            let (boards, file) = (folder.open(&path)?, folder.open(&folder.values(layer))?);
            let (first, count) = (file.number("first")? as u32, file.number("count")? as u32);
            if first != values {
                return Err(StoreError::damaged(
                    file.path(),
                    "it does not go on where the layer before ends",
                ));
            }
            values += count;
            layers.push(Some(Layer {
                refs: boards.section("boards")?,
                records: file.section("values")?,
                places: file.section("places")?,
                boards,
                values: file,
                first,
                count,
            }));
        }
        let total: u64 = layers.iter().flatten().map(|layer| layer.boards.len() + layer.values.len()).sum();
        let share = |length: u64| (u128::from(keep) * u128::from(length) / u128::from(total.max(1))) as usize;
        for layer in layers.iter_mut().flatten() {
            // Whatever fits is kept whole: memory is taken in pieces that are larger than short files.
            let (boards, values) = (layer.boards.len(), layer.values.len());
            if total > keep {
                layer.boards.keep_at_most(share(boards));
                layer.values.keep_at_most(share(values));
            }
        }
        Ok(Layers { layers, values })
    }

    /// The reference to the value of a board.
    #[inline]
    pub(super) fn board(&self, layer: usize, place: u64) -> Result<u32, StoreError> {
        let missing = || StoreError::Foreign(format!("layer {layer} is missing"));
        let found = self.layers.get(layer).and_then(Option::as_ref).ok_or_else(missing)?;
        Ok(found.boards.bits(found.refs, 32 * place as usize, 32)? as u32)
    }

    /// The references to the values of some boards, which are not kept.
    pub(super) fn boards(&self, layer: usize, places: Range<u64>) -> Result<Vec<u32>, StoreError> {
        let missing = || StoreError::Foreign(format!("layer {layer} is missing"));
        let found = self.layers.get(layer).and_then(Option::as_ref).ok_or_else(missing)?;
        if 4 * places.end > found.refs.length as u64 {
            return Err(StoreError::damaged(found.boards.path(), "it has fewer boards than it should"));
        }
        let bytes =
            found.boards.bytes_once(found.refs, 4 * places.start as usize..4 * places.end as usize)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)).collect())
    }

    /// The record of a value.
    pub(super) fn record(&self, number: u32, words: &mut Vec<u32>) -> Result<(), StoreError> {
        let holds = |layer: &&Layer| number - layer.first < layer.count;
        let after_first = self.layers.iter().flatten().filter(|layer| layer.first <= number);
        let missing = || StoreError::Foreign(format!("value {number} is missing"));
        let layer = after_first.last().filter(holds).ok_or_else(missing)?;
        let wrong = || StoreError::damaged(layer.values.path(), "the places of values make no sense");
        let at = layer.values.bits(layer.places, 32 * (number - layer.first) as usize, 32)? as usize;
        if 4 * at + 4 > layer.records.length {
            return Err(wrong());
        }
        let counts = layer.values.bits(layer.records, 32 * at, 32)? as u32;
        let length = Record::length(counts);
        if 4 * (at + length) > layer.records.length {
            return Err(wrong());
        }
        let mut bytes = [0; 4 * 64];
        words.clear();
        words.reserve(length);
        for start in (0..length).step_by(64) {
            let some = &mut bytes[..4 * (length - start).min(64)];
            layer.values.copy(layer.records, 4 * (at + start), some)?;
            words.extend(some.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)));
        }
        Ok(())
    }

    /// Calls `emit` with all values in the order of their numbers.
    pub(super) fn for_each_value(
        &self,
        emit: &mut dyn FnMut(Record<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.layers.iter().flatten().try_for_each(|layer| for_each_record(&layer.values, emit))
    }

    /// Calls `emit` with the references of all boards in their order, many at a time.
    pub(super) fn for_each_board(
        &self,
        emit: &mut dyn FnMut(&[u32]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.layers.iter().flatten().try_for_each(|layer| for_some_words(&layer.boards, "boards", emit))
    }
}

/// Bytes that are read at a time by those who read a section from one end to the other.
const PIECE: usize = 1 << 22;

/// Calls `emit` with the words of a section, many at a time.
pub(super) fn for_some_words(
    reader: &Reader,
    name: &str,
    emit: &mut dyn FnMut(&[u32]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let section = reader.section(name)?;
    for start in (0..section.length).step_by(PIECE) {
        let bytes = reader.bytes_once(section, start..(start + PIECE).min(section.length))?;
        let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)).collect();
        emit(&words)?;
    }
    Ok(())
}

/// Calls `emit` with the values of a file.
pub(super) fn for_each_record(
    reader: &Reader,
    emit: &mut dyn FnMut(Record<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut rest: Vec<u32> = vec![];
    for_some_words(reader, "values", &mut |words| {
        rest.extend_from_slice(words);
        let mut used = 0;
        while let Some(&counts) = rest.get(used)
            && let Some(record) = rest.get(used..used + Record::length(counts))
        {
            emit(Record(record))?;
            used += record.len();
        }
        rest.drain(..used);
        Ok(())
    })?;
    if rest.is_empty() {
        Ok(())
    } else {
        Err(StoreError::damaged(reader.path(), "its last value is not complete"))
    }
}
