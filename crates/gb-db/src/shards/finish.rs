//! The finished table: what the layers hold, in the form of all tables of values.

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::path::Path;

use gb_value::{Budget, NumberUpStar, Store, Value};

use super::files::{Folder, Layers, PACKED, write_words};
use super::keys::Keys;
use super::polyominoes::Polyominoes;
use super::shapes::Shapes;
use crate::dense::{Packer, bits_for};
use crate::error::StoreError;
use crate::fact::{Fact, Facts};
use crate::file::{Fields, Writer};
use crate::finish::{self, STRIDE};
use crate::parts::Key;
use crate::record;

/// How a file with parts within a rectangle calls what it holds.
pub(crate) const KIND: &str = "within";

/// Facts are first the values that are their own names, and then the others in the order of their numbers.
struct Numbering {
    /// Ascending as numbers, ups and stars.
    closed: Vec<(NumberUpStar, u32)>,
    /// Ascending, each with its place in the list.
    places: Vec<(u32, u32)>,
}

impl Numbering {
    fn new(layers: &Layers) -> Result<Numbering, StoreError> {
        let mut names = BTreeSet::new();
        // Nearly all references are to the same few.
        let mut note = |words: &[u32]| names.extend(words.iter().copied().filter(|word| word & PACKED != 0));
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
        let meaning = |&name: &u32| {
            let parts = Value::from_packed_bits(name).and_then(|value| kernel.as_number_up_star(value));
            parts
                .map(|parts| (parts, name))
                .ok_or_else(|| StoreError::Foreign("a value has no meaning".into()))
        };
        let mut closed: Vec<(NumberUpStar, u32)> = names.iter().map(meaning).collect::<Result<_, _>>()?;
        closed.sort_unstable_by(|(a, _), (b, _)| (&a.number, a.ups, a.star).cmp(&(&b.number, b.ups, b.star)));
        let mut places: Vec<(u32, u32)> =
            closed.iter().zip(0..).map(|((_, name), place)| (*name, place)).collect();
        places.sort_unstable();
        Ok(Numbering { closed, places })
    }

    /// The number of the fact that a reference means.
    fn of(&self, reference: u32) -> u32 {
        match reference & PACKED {
            0 => self.closed.len() as u32 + reference,
            _ => {
                let place = self.places.partition_point(|&(name, _)| name < reference);
                self.places.get(place).map_or(0, |&(_, number)| number)
            }
        }
    }
}

/// Writes the table.
pub(super) fn write_table(
    path: &Path,
    game: &str,
    shapes: &Shapes,
    layers: &Layers,
) -> Result<(), StoreError> {
    let numbering = Numbering::new(layers)?;
    let count = numbering.closed.len() + layers.values as usize;
    let bits = bits_for(count);
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
        words.iter().for_each(|&word| packer.push(u64::from(numbering.of(word))));
        out.write(&packer.bytes)?;
        packer.bytes.clear();
        Ok(())
    })?;
    out.write(&packer.finish())?;
    out.end_section("numbers")?;
    out.section("facts")?;
    let (mut places, mut length, mut number): (Vec<u8>, u64, usize) = (vec![], 0, 0);
    let mut write = |bytes: &[u8]| {
        if number.is_multiple_of(STRIDE) {
            places.extend(length.to_le_bytes());
        }
        number += 1;
        length += bytes.len() as u64;
        out.write(bytes)
    };
    let mut bytes = vec![];
    for (parts, _) in &numbering.closed {
        bytes.clear();
        record::write_closed(&mut bytes, parts);
        write(&bytes)?;
    }
    layers.for_each_value(&mut |found| {
        let (lefts, rights) = found.sides();
        let numbers = |side: &[u32]| {
            let mut numbers: Vec<u32> = side.iter().map(|&option| numbering.of(option)).collect();
            numbers.sort_unstable();
            numbers
        };
        bytes.clear();
        record::write_options(&mut bytes, &[numbers(lefts), numbers(rights)]);
        write(&bytes)
    })?;
    out.end_section("facts")?;
    out.section("places")?;
    out.write(&places)?;
    out.end_section("places")?;
    out.finish()
}

/// Writes the table of all parts of at most so many cells. The facts are in the order that does not depend on how they were found.
pub(super) fn write_parts(
    path: &Path,
    parts: &Polyominoes,
    (folder, layers): (&Folder, &Layers),
    max_values: u64,
) -> Result<(), StoreError> {
    let (store, budget, facts) = (Store::new(), Budget::unlimited(), Facts::default());
    let kernel = store.kernel(&budget);
    let wrong = || StoreError::Foreign("a value has no meaning".into());
    let (mut values, mut numbers): (Vec<Value>, Vec<u32>) = (vec![], vec![]);
    layers.for_each_value(&mut |record| {
        let of = |option: &u32| match option & PACKED {
            0 => values.get(*option as usize).copied(),
            _ => Value::from_packed_bits(*option),
        };
        let [lefts, rights] = [record.sides().0, record.sides().1]
            .map(|side| side.iter().map(of).collect::<Option<Vec<Value>>>());
        let value = kernel.of_canonical_options(&lefts.ok_or_else(wrong)?, &rights.ok_or_else(wrong)?)?;
        numbers.push(facts.number(&Fact::Exact(value), &kernel));
        values.push(value);
        Ok(())
    })?;
    let mut closed: BTreeMap<u32, u32> = BTreeMap::new();
    layers.for_each_board(&mut |words| {
        for &word in words.iter().filter(|&word| word & PACKED != 0) {
            if let Entry::Vacant(new) = closed.entry(word) {
                let value = Value::from_packed_bits(word).ok_or_else(wrong)?;
                new.insert(facts.number(&Fact::Exact(value), &kernel));
            }
        }
        Ok(())
    })?;
    let number_of = |word: u32| match word & PACKED {
        0 => numbers.get(word as usize).copied(),
        _ => closed.get(&word).copied(),
    };
    let keys = (1..=parts.cells).map(|layer| Keys::open(folder, layer)).collect::<Result<Vec<_>, _>>()?;
    let mut sizes: BTreeMap<(u8, u8), u64> = BTreeMap::new();
    for (size, places) in keys.iter().flat_map(|keys| &keys.sizes) {
        *sizes.entry(*size).or_default() += places.end - places.start;
    }
    let greatest = keys.iter().map(|keys| keys.greatest).max().unwrap_or(0);
    let width = (128 - greatest.leading_zeros() as usize).div_ceil(8).max(1);
    let fields: Fields = [
        ("kind", "parts".to_owned()),
        ("cells", parts.cells.to_string()),
        ("letters", parts.game.letters().to_string()),
        ("boards", sizes.values().sum::<u64>().to_string()),
        ("key-bytes", width.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    let mut write_boards = |out: &mut Writer, count: usize, renumber: &[u32]| {
        out.section("sizes")?;
        let mut end = 0u64;
        for (&(rows, cols), &parts) in &sizes {
            end += parts;
            for number in [u64::from(rows), u64::from(cols), end] {
                out.write(&number.to_le_bytes())?;
            }
        }
        out.end_section("sizes")?;
        out.section("keys")?;
        let mut bytes = vec![];
        for_each_part(&keys, layers, &mut |key, _| {
            bytes.extend_from_slice(&key.number.to_le_bytes()[..width]);
            if bytes.len() >= PIECE {
                out.write(&bytes)?;
                bytes.clear();
            }
            Ok(())
        })?;
        out.write(&bytes)?;
        out.end_section("keys")?;
        out.section("numbers")?;
        let mut packer = Packer::new(bits_for(count));
        for_each_part(&keys, layers, &mut |_, reference| {
            let number = number_of(reference).and_then(|number| renumber.get(number as usize));
            packer.push(u64::from(*number.ok_or_else(wrong)?));
            if packer.bytes.len() >= PIECE {
                out.write(&packer.bytes)?;
                packer.bytes.clear();
            }
            Ok(())
        })?;
        out.write(&packer.finish())?;
        out.end_section("numbers")
    };
    finish::write_table(path, &parts.game.name(), (fields, max_values), &mut write_boards, &facts, &kernel)
}

/// Bytes that are collected before they are written.
const PIECE: usize = 1 << 16;

/// Calls `emit` with all parts in the order of their keys: the key, and the reference to the value.
fn for_each_part(
    keys: &[Keys],
    layers: &Layers,
    emit: &mut dyn FnMut(Key, u32) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    const AT_ONCE: u64 = 1 << 13;
    /// The parts of one layer, read piece by piece.
    struct Stream<'a> {
        keys: &'a Keys,
        layer: usize,
        piece: std::iter::Zip<std::vec::IntoIter<Key>, std::vec::IntoIter<u32>>,
        next: u64,
    }
    impl Stream<'_> {
        fn next(&mut self, layers: &Layers) -> Result<Option<(Key, u32)>, StoreError> {
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
