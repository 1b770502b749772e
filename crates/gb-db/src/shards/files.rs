//! The files of a build: what workers have found in a shard, and, once the shards of a layer are merged, its values and its boards.
//!
//! All are written once and under checksums. A *reference* to a value is the number of a value, or, with the highest bit set, a value that is its own
//! name. A value is a word with the counts of Left's and Right's options (16 bits each), then the references to them, each side
//! ascending. Values have numbers in the order of layers.
//!
//! In files words have four bytes as long as numbers have 31 bits, and five beyond (`width` in the header; four without it). In memory they have eight.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::file::{BLOCK, Fields, Reader, SUM, Section, Writer};

/// The highest bit of a reference to a value that is its own name.
pub(super) const PACKED: u64 = 1 << 63;
/// From so many values on references need more than four bytes.
pub(super) const MANY: u64 = 1 << 31;

/// The reference to a value that is its own name.
pub(super) fn packed(name: u32) -> u64 {
    PACKED | u64::from(name)
}

/// How long words are in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    /// Four bytes: numbers below [`MANY`].
    Four,
    /// Five bytes: numbers below 2^39.
    Five,
}

impl Width {
    /// What a file with references to so many values needs, if from `many` on they are many.
    pub(super) fn of(values: u64, many: u64) -> Result<Width, StoreError> {
        match values {
            values if values <= many => Ok(Width::Four),
            values if values <= 1 << 39 => Ok(Width::Five),
            _ => Err(StoreError::Invalid("there are too many values for this kind of table".into())),
        }
    }

    fn of_file(reader: &Reader) -> Result<Width, StoreError> {
        match reader.field("width") {
            Err(_) | Ok("4") => Ok(Width::Four),
            Ok("5") => Ok(Width::Five),
            Ok(_) => Err(StoreError::damaged(reader.path(), "the width of its words makes no sense")),
        }
    }

    #[inline]
    pub(super) fn bytes(self) -> usize {
        match self {
            Width::Four => 4,
            Width::Five => 5,
        }
    }

    /// Adds a word.
    #[inline]
    fn put(self, word: u64, bytes: &mut Vec<u8>) {
        match self {
            // The name of a value has its own highest bit.
            Width::Four => bytes.extend_from_slice(&(word as u32).to_le_bytes()),
            Width::Five => {
                let word = if word & PACKED != 0 { word & !PACKED | 1 << 39 } else { word };
                bytes.extend_from_slice(&word.to_le_bytes()[..5]);
            }
        }
    }

    /// What a word means as a reference.
    #[inline]
    fn reference(self, word: u64) -> u64 {
        match self {
            Width::Four if word >> 31 & 1 == 1 => PACKED | word,
            Width::Five if word >> 39 & 1 == 1 => PACKED | (word & !(1 << 39)),
            _ => word,
        }
    }

    /// Adds the words that are in some bytes.
    pub(super) fn get(self, bytes: &[u8], words: &mut Vec<u64>) {
        match self {
            Width::Four => {
                let words_of = |four: &[u8; 4]| self.reference(u32::from_le_bytes(*four).into());
                words.extend(bytes.as_chunks::<4>().0.iter().map(words_of));
            }
            Width::Five => {
                let words_of =
                    |&[a, b, c, d, e]: &[u8; 5]| self.reference(u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]));
                words.extend(bytes.as_chunks::<5>().0.iter().map(words_of));
            }
        }
    }

    /// Words as bytes.
    pub(super) fn bytes_of(self, words: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(words.len() * self.bytes());
        words.iter().for_each(|&word| self.put(word, &mut bytes));
        bytes
    }

    /// Writes a section of words.
    pub(super) fn write(self, out: &mut Writer, name: &str, words: &[u64]) -> Result<(), StoreError> {
        out.section(name)?;
        words.chunks(1 << 14).try_for_each(|some| out.write(&self.bytes_of(some)))?;
        out.end_section(name)
    }
}

/// The folder of a build, and what it is about.
#[derive(Clone)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) title: String,
    /// The number of the first value: 0, but in tests that want numbers of more than 32 bits.
    pub(super) first: u64,
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

    /// The same for a file of words.
    pub(super) fn create_words(
        &self,
        path: &Path,
        (first, count): (u64, u64),
        width: Width,
    ) -> Result<Writer, StoreError> {
        let mut out = self.create(path, first, count)?;
        // Files of four bytes are as they always were.
        if width == Width::Five {
            out.set("width", width.bytes().to_string());
        }
        Ok(out)
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

/// Writes a section of short words.
pub(super) fn write_words(out: &mut Writer, name: &str, words: &[u32]) -> Result<(), StoreError> {
    out.section(name)?;
    for some in words.chunks(1 << 16) {
        let bytes: Vec<u8> = some.iter().flat_map(|word| word.to_le_bytes()).collect();
        out.write(&bytes)?;
    }
    out.end_section(name)
}

/// A value as it is written: counts, Left's options, Right's.
#[derive(Clone, Copy)]
pub(super) struct Record<'a>(pub(super) &'a [u64]);

impl<'a> Record<'a> {
    /// Its references to options: Left's, Right's.
    pub(super) fn sides(self) -> (&'a [u64], &'a [u64]) {
        let lefts = (self.0[0] & 0xFFFF) as usize;
        self.0[1..].split_at(lefts.min(self.0.len() - 1))
    }

    /// How many words it has.
    pub(super) fn length(counts: u64) -> usize {
        let counts = counts as u32;
        1 + (counts & 0xFFFF) as usize + (counts >> 16) as usize
    }
}

/// The layers that are finished.
pub(super) struct Layers {
    /// By the number of stones; those without boards have none.
    layers: Vec<Option<Layer>>,
    /// The number of the first value, and of the next one.
    pub(super) first: u64,
    pub(super) values: u64,
    /// About how many bytes of the files will be in memory at most.
    pub(super) held: u64,
}

struct Layer {
    boards: Reader,
    refs: Section,
    values: Reader,
    records: Section,
    places: Section,
    width: Width,
    /// The number of its first value, and how many it has.
    first: u64,
    count: u64,
    /// The numbers of the first values of its levels; within a level values are in the order of their hashes. Not known of older files.
    levels: Vec<u64>,
}

impl Layer {
    fn open(boards: Reader, values: Reader) -> Result<Layer, StoreError> {
        let width = Width::of_file(&values)?;
        if width != Width::of_file(&boards)? {
            return Err(StoreError::damaged(
                boards.path(),
                "its words are not as long as those of its values",
            ));
        }
        let levels = match values.section("levels") {
            Err(_) => vec![],
            Ok(section) => {
                let bytes = values.bytes_once(section, 0..section.length)?;
                bytes.as_chunks::<8>().0.iter().map(|eight| u64::from_le_bytes(*eight)).collect()
            }
        };
        Ok(Layer {
            refs: boards.section("boards")?,
            records: values.section("values")?,
            places: values.section("places")?,
            first: values.number("first")?,
            count: values.number("count")?,
            boards,
            values,
            width,
            levels,
        })
    }

    /// The bytes of a value among those of all; of the one after the last, where they end.
    fn place(&self, number: u64) -> Result<Range<usize>, StoreError> {
        let (width, at, end) = (self.width.bytes(), (number - self.first) as usize, self.records.length);
        // This place and the next are read together.
        let mut bytes = [0; 10];
        let known = (self.count as usize - at).min(2);
        self.values.copy(self.places, width * at, &mut bytes[..width * known])?;
        let place = |which: usize| {
            let mut eight = [0; 8];
            eight[..width].copy_from_slice(&bytes[width * which..][..width]);
            if which < known { width * u64::from_le_bytes(eight) as usize } else { end }
        };
        match place(0) <= place(1) && place(1) <= end {
            true => Ok(place(0)..place(1)),
            false => Err(StoreError::damaged(self.values.path(), "the places of values make no sense")),
        }
    }
}

impl Layers {
    /// Opens the layers before one, and keeps about so many bytes of them in memory.
    pub(super) fn open(folder: &Folder, before: usize, keep: u64) -> Result<Layers, StoreError> {
        let (mut layers, mut values) = (vec![], folder.first);
        for layer in 0..before {
            let path = folder.boards(layer);
            if !path.exists() {
                layers.push(None);
                continue;
            }
            let layer = Layer::open(folder.open(&path)?, folder.open(&folder.values(layer))?)?;
            if layer.first != values {
                let what = "it does not go on where the layer before ends";
                return Err(StoreError::damaged(layer.values.path(), what));
            }
            values += layer.count;
            layers.push(Some(layer));
        }
        let total: u64 = layers.iter().flatten().map(|layer| layer.boards.len() + layer.values.len()).sum();
        // The checksums of files are held in any case.
        let sums = total / (BLOCK / SUM) as u64;
        let keep = keep.saturating_sub(sums);
        let share = |length: u64| (u128::from(keep) * u128::from(length) / u128::from(total.max(1))) as usize;
        for layer in layers.iter_mut().flatten() {
            // Whatever fits is kept whole: memory is taken in pieces that are larger than short files.
            let (boards, values) = (layer.boards.len(), layer.values.len());
            if total > keep {
                layer.boards.keep_at_most(share(boards));
                layer.values.keep_at_most(share(values));
            }
        }
        Ok(Layers { layers, first: folder.first, values, held: sums + total.min(keep) })
    }

    #[inline]
    fn layer(&self, layer: usize) -> Result<&Layer, StoreError> {
        match self.layers.get(layer) {
            Some(Some(found)) => Ok(found),
            _ => Err(missing(layer)),
        }
    }

    /// The reference to the value of a board.
    #[inline]
    pub(super) fn board(&self, layer: usize, place: u64) -> Result<u64, StoreError> {
        let found = self.layer(layer)?;
        let bits = 8 * found.width.bytes();
        let word = found.boards.bits(found.refs, bits * place as usize, bits as u32)?;
        Ok(found.width.reference(word))
    }

    /// The references to the values of some boards, which are not kept.
    pub(super) fn boards(&self, layer: usize, places: Range<u64>) -> Result<Vec<u64>, StoreError> {
        let found = self.layer(layer)?;
        let bytes = found.width.bytes();
        if bytes as u64 * places.end > found.refs.length as u64 {
            return Err(StoreError::damaged(found.boards.path(), "it has fewer boards than it should"));
        }
        let range = bytes * places.start as usize..bytes * places.end as usize;
        let mut words = Vec::with_capacity(range.len() / bytes);
        found.width.get(&found.boards.bytes_once(found.refs, range)?, &mut words);
        Ok(words)
    }

    /// The record of a value.
    pub(super) fn record(&self, number: u64, words: &mut Vec<u64>) -> Result<(), StoreError> {
        let holds = |layer: &&Layer| number - layer.first < layer.count;
        let after_first = self.layers.iter().flatten().filter(|layer| layer.first <= number);
        let missing = || StoreError::Foreign(format!("value {number} is missing"));
        let layer = after_first.last().filter(holds).ok_or_else(missing)?;
        let (place, width) = (layer.place(number)?, layer.width.bytes());
        let mut bytes = [0; 5 * 64];
        words.clear();
        words.reserve(place.len() / width);
        for start in place.clone().step_by(64 * width) {
            let some = &mut bytes[..(place.end - start).min(64 * width)];
            layer.values.copy(layer.records, start, some)?;
            layer.width.get(some, words);
        }
        match words.first().is_some_and(|&counts| Record::length(counts) == words.len()) {
            true => Ok(()),
            false => Err(StoreError::damaged(layer.values.path(), "the places of values make no sense")),
        }
    }

    /// Values that are in the order of their hashes: ranges of numbers. Where the order is not known, it says so.
    pub(super) fn runs(&self) -> Vec<(Range<u64>, bool)> {
        let mut runs = vec![];
        for layer in self.layers.iter().flatten() {
            let end = layer.first + layer.count;
            if layer.levels.is_empty() {
                runs.push((layer.first..end, false));
            }
            let ends = layer.levels.iter().skip(1).copied().chain([end]);
            runs.extend(layer.levels.iter().zip(ends).map(|(&first, end)| (first..end, true)));
        }
        runs.retain(|(run, _)| !run.is_empty());
        runs
    }

    /// Calls `emit` with some values of one layer in the order of their numbers, and keeps nothing.
    pub(super) fn for_some_values(
        &self,
        numbers: Range<u64>,
        emit: &mut dyn FnMut(Record<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let holds = |layer: &&Layer| layer.first <= numbers.start && numbers.end <= layer.first + layer.count;
        let Some(layer) = self.layers.iter().flatten().find(holds) else { return Ok(()) };
        let bytes = layer.place(numbers.start)?.start..layer.place(numbers.end)?.start;
        records_of(&layer.values, (layer.records, bytes), emit)
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
        emit: &mut dyn FnMut(&[u64]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.layers.iter().flatten().try_for_each(|layer| for_some_words(&layer.boards, "boards", emit))
    }
}

#[cold]
fn missing(layer: usize) -> StoreError {
    StoreError::Foreign(format!("layer {layer} is missing"))
}

/// Bytes that are read at a time by those who read a section from one end to the other: whole words of either width.
const PIECE: usize = 20 << 15;

/// Calls `emit` with the words of a section, many at a time.
pub(super) fn for_some_words(
    reader: &Reader,
    name: &str,
    emit: &mut dyn FnMut(&[u64]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let section = reader.section(name)?;
    words_of(reader, (section, 0..section.length), emit)
}

fn words_of(
    reader: &Reader,
    (section, range): (Section, Range<usize>),
    emit: &mut dyn FnMut(&[u64]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let (width, mut words) = (Width::of_file(reader)?, vec![]);
    for start in range.clone().step_by(PIECE) {
        let bytes = reader.bytes_once(section, start..(start + PIECE).min(range.end))?;
        words.clear();
        width.get(&bytes, &mut words);
        emit(&words)?;
    }
    Ok(())
}

/// Calls `emit` with the values of a file.
pub(super) fn for_each_record(
    reader: &Reader,
    emit: &mut dyn FnMut(Record<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let section = reader.section("values")?;
    records_of(reader, (section, 0..section.length), emit)
}

fn records_of(
    reader: &Reader,
    range: (Section, Range<usize>),
    emit: &mut dyn FnMut(Record<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut rest: Vec<u64> = vec![];
    words_of(reader, range, &mut |words| {
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
