//! The finished table: what the layers hold, in the form of all tables of values.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use gb_value::{Budget, Store, Value};

use super::files::{Folder, Layers, PACKED, write_words};
use super::keys::Keys;
use super::order::Order;
use super::polyominoes::Polyominoes;
use super::shapes::Shapes;
use crate::dense::{Packer, bits_for};
use crate::error::StoreError;
use crate::file::{Fields, Writer};
use crate::finish::{STRIDE, closed_key};
use crate::parts::Key;
use crate::record;

/// How a file with parts within a rectangle calls what it holds.
pub(crate) const KIND: &str = "within";

/// The numbers of the values that are their own names: they come before all others.
pub(super) struct Numbering {
    /// In their order.
    closed: Vec<Value>,
    /// Ascending, each with its number.
    places: Vec<(u64, u64)>,
    /// The number that the first of the others has in layers.
    first: u64,
}

impl Numbering {
    pub(super) fn new(layers: &Layers) -> Result<Numbering, StoreError> {
        let mut names = BTreeSet::new();
        // Nearly all references are to the same few.
        let mut note = |words: &[u64]| names.extend(words.iter().copied().filter(|word| word & PACKED != 0));
        layers.for_each_board(&mut |words| {
            note(words);
            Ok(())
        })?;
        layers.for_each_value(&mut |record| {
            note(&record.0[1..]);
            Ok(())
        })?;
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let meaning = |&name: &u64| {
            let value =
                Value::from_packed_bits(name as u32).filter(|&value| crate::fact::is_closed(&kernel, value));
            let value = value.ok_or_else(|| StoreError::Foreign("a value has no meaning".into()))?;
            Ok((closed_key(value, &kernel), value, name))
        };
        let mut closed = names.iter().map(meaning).collect::<Result<Vec<_>, StoreError>>()?;
        closed.sort_unstable_by(|(a, ..), (b, ..)| a.cmp(b));
        let mut places: Vec<(u64, u64)> =
            closed.iter().zip(0..).map(|((.., name), place)| (*name, place)).collect();
        places.sort_unstable();
        Ok(Numbering {
            closed: closed.into_iter().map(|(_, value, _)| value).collect(),
            places,
            first: layers.first,
        })
    }

    pub(super) fn count(&self) -> u64 {
        self.closed.len() as u64
    }

    /// The number of a value that is its own name.
    pub(super) fn of(&self, reference: u64) -> Option<u64> {
        let place = self.places.partition_point(|&(name, _)| name < reference);
        self.places.get(place).filter(|(name, _)| *name == reference).map(|&(_, number)| number)
    }

    /// The number of the fact that a reference means, if all others follow in the order of their numbers.
    fn of_any(&self, reference: u64) -> Option<u64> {
        match reference & PACKED {
            0 => Some(self.count() + (reference - self.first)),
            _ => self.of(reference),
        }
    }

    /// Writes them.
    pub(super) fn write(&self, records: &mut Records) -> Result<(), StoreError> {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let (kernel, mut bytes) = (store.kernel(&budget), vec![]);
        self.closed.iter().try_for_each(|value| {
            bytes.clear();
            record::write_without_options(&mut bytes, *value, &kernel);
            records.push(&bytes)
        })
    }
}

/// Bytes that are held before they go to a file.
const HELD: usize = 1 << 24;

/// Bytes on their way to a section, beyond some in a file that nobody else sees, and that ends with the process.
struct Spill {
    folder: PathBuf,
    held: Vec<u8>,
    file: Option<File>,
}

impl Spill {
    fn new(folder: &Path) -> Spill {
        Spill { folder: folder.to_owned(), held: vec![], file: None }
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.held.extend_from_slice(bytes);
        if self.held.len() < HELD {
            return Ok(());
        }
        let fail = StoreError::io(&self.folder);
        let mut write = || {
            let file = match self.file.take() {
                Some(file) => file,
                None => tempfile::tempfile_in(&self.folder)?,
            };
            self.file.insert(file).write_all(&self.held)
        };
        write().map_err(fail)?;
        self.held.clear();
        Ok(())
    }

    /// Writes them as a section.
    fn write(self, out: &mut Writer, name: &str) -> Result<(), StoreError> {
        out.section(name)?;
        if let Some(mut file) = self.file {
            file.seek(SeekFrom::Start(0)).map_err(StoreError::io(&self.folder))?;
            let mut piece = vec![0; PIECE];
            loop {
                let read = file.read(&mut piece).map_err(StoreError::io(&self.folder))?;
                if read == 0 {
                    break;
                }
                out.write(&piece[..read])?;
            }
        }
        out.write(&self.held)?;
        out.end_section(name)
    }
}

/// Facts on their way to a table, and where every so many of them begin.
pub(super) struct Records {
    bytes: Spill,
    places: Spill,
    count: u64,
    length: u64,
}

impl Records {
    pub(super) fn new(folder: &Path) -> Records {
        Records { bytes: Spill::new(folder), places: Spill::new(folder), count: 0, length: 0 }
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Adds a fact.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        if self.count.is_multiple_of(STRIDE as u64) {
            self.places.push(&self.length.to_le_bytes())?;
        }
        self.count += 1;
        self.length += bytes.len() as u64;
        self.bytes.push(bytes)
    }

    /// Writes both sections.
    fn write(self, out: &mut Writer) -> Result<(), StoreError> {
        self.bytes.write(out, "facts")?;
        self.places.write(out, "places")
    }
}

/// Writes the table.
pub(super) fn write_table(
    path: &Path,
    game: &str,
    shapes: &Shapes,
    (folder, layers): (&Folder, &Layers),
) -> Result<(), StoreError> {
    let wrong = || StoreError::Foreign("a value has no meaning".into());
    let numbering = Numbering::new(layers)?;
    let count = numbering.count() + (layers.values - layers.first);
    let bits = bits_for(count as usize);
    let fields: Fields = [
        ("kind", KIND.to_owned()),
        ("game", game.to_owned()),
        ("rows", shapes.rows.to_string()),
        ("cols", shapes.cols.to_string()),
        ("letters", "3".to_owned()),
        ("boards", shapes.boards().to_string()),
        ("facts", count.to_string()),
        ("values", count.to_string()),
        ("bits", bits.to_string()),
        ("max-values", u64::MAX.to_string()),
        ("moves", shapes.form.text()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    let mut out = Writer::create(path, fields)?;
    write_words(&mut out, "sets", shapes.sets())?;
    out.section("numbers")?;
    let mut packer = Packer::new(bits);
    layers.for_each_board(&mut |words| {
        for &word in words {
            packer.push(numbering.of_any(word).ok_or_else(wrong)?);
        }
        out.write(&packer.bytes)?;
        packer.bytes.clear();
        Ok(())
    })?;
    out.write(&packer.finish())?;
    out.end_section("numbers")?;
    let mut records = Records::new(&folder.path);
    numbering.write(&mut records)?;
    let (mut bytes, mut numbers): (Vec<u8>, Vec<u64>) = (vec![], vec![]);
    layers.for_each_value(&mut |found| {
        numbers.clear();
        for &option in &found.0[1..] {
            numbers.push(numbering.of_any(option).ok_or_else(wrong)?);
        }
        let (lefts, rights) = numbers.split_at_mut(found.sides().0.len());
        lefts.sort_unstable();
        rights.sort_unstable();
        bytes.clear();
        record::write_options(&mut bytes, &[lefts, rights]);
        records.push(&bytes)
    })?;
    records.write(&mut out)?;
    out.finish()
}

/// Writes the table of all parts of at most so many cells, with about so much memory for sorting. The facts are in the order that does not depend on
/// how they were found.
pub(super) fn write_parts(
    path: &Path,
    parts: &Polyominoes,
    (folder, layers): (&Folder, &Layers),
    (max_values, memory): (u64, u64),
) -> Result<(), StoreError> {
    let wrong = || StoreError::Foreign("a value has no meaning".into());
    let order = Order::new(folder, layers, memory)?;
    let count = order.count();
    let keys = (1..=parts.cells).map(|layer| Keys::open(folder, layer)).collect::<Result<Vec<_>, _>>()?;
    let mut sizes: BTreeMap<(u8, u8), u64> = BTreeMap::new();
    for (size, places) in keys.iter().flat_map(|keys| &keys.sizes) {
        *sizes.entry(*size).or_default() += places.end - places.start;
    }
    let greatest = keys.iter().map(|keys| keys.greatest).max().unwrap_or(0);
    let width = (128 - greatest.leading_zeros() as usize).div_ceil(8).max(1);
    let bits = bits_for(count as usize);
    let fields: Fields = [
        ("kind", "parts".to_owned()),
        ("cells", parts.cells.to_string()),
        ("letters", parts.game.letters().to_string()),
        ("boards", sizes.values().sum::<u64>().to_string()),
        ("key-bytes", width.to_string()),
        ("game", parts.game.name()),
        ("facts", count.to_string()),
        ("values", count.to_string()),
        ("bits", bits.to_string()),
        ("max-values", max_values.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    let mut out = Writer::create(path, fields)?;
    out.section("sizes")?;
    let mut end = 0u64;
    for (&(rows, cols), &parts) in &sizes {
        end += parts;
        for number in [u64::from(rows), u64::from(cols), end] {
            out.write(&number.to_le_bytes())?;
        }
    }
    out.end_section("sizes")?;
    // The keys and the numbers of parts come in the same order, and one after the other in the file.
    let mut numbers = Spill::new(&folder.path);
    out.section("keys")?;
    let (mut bytes, mut packer) = (vec![], Packer::new(bits));
    for_each_part(&keys, layers, &mut |key, reference| {
        bytes.extend_from_slice(&key.number.to_le_bytes()[..width]);
        if bytes.len() >= PIECE {
            out.write(&bytes)?;
            bytes.clear();
        }
        packer.push(order.of(reference).ok_or_else(wrong)?);
        if packer.bytes.len() >= PIECE {
            numbers.push(&packer.bytes)?;
            packer.bytes.clear();
        }
        Ok(())
    })?;
    out.write(&bytes)?;
    out.end_section("keys")?;
    numbers.push(&packer.finish())?;
    numbers.write(&mut out, "numbers")?;
    order.records.write(&mut out)?;
    out.finish()
}

/// Bytes that are collected before they are written.
const PIECE: usize = 1 << 16;

/// Calls `emit` with all parts in the order of their keys: the key, and the reference to the value.
fn for_each_part(
    keys: &[Keys],
    layers: &Layers,
    emit: &mut dyn FnMut(Key, u64) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    const AT_ONCE: u64 = 1 << 13;
    /// The parts of one layer, read piece by piece.
    struct Stream<'a> {
        keys: &'a Keys,
        layer: usize,
        piece: std::iter::Zip<std::vec::IntoIter<Key>, std::vec::IntoIter<u64>>,
        next: u64,
    }
    impl Stream<'_> {
        fn next(&mut self, layers: &Layers) -> Result<Option<(Key, u64)>, StoreError> {
            if self.piece.len() == 0 && self.next < self.keys.count {
                let places = self.next..(self.next + AT_ONCE).min(self.keys.count);
                self.next = places.end;
                let keys = self.keys.read(places.clone())?;
                self.piece = keys.into_iter().zip(layers.boards(self.layer, places)?);
            }
            Ok(self.piece.next())
        }
    }
    let stream = |(keys, layer)| Stream { keys, layer, piece: vec![].into_iter().zip(vec![]), next: 0 };
    let mut streams: Vec<Stream<'_>> = keys.iter().zip(1..).map(stream).collect();
    let mut heap = BinaryHeap::new();
    for (number, stream) in streams.iter_mut().enumerate() {
        heap.extend(stream.next(layers)?.map(|(key, reference)| Reverse((key, number, reference))));
    }
    while let Some(Reverse((key, number, reference))) = heap.pop() {
        emit(key, reference)?;
        heap.extend(streams[number].next(layers)?.map(|(key, reference)| Reverse((key, number, reference))));
    }
    Ok(())
}
