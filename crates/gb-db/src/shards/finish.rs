//! The finished table: what the layers hold, in the form of all tables of values.

use std::collections::BTreeSet;
use std::path::Path;

use gb_value::{Budget, NumberUpStar, Store, Value};

use super::files::{Layers, PACKED, write_words};
use super::shapes::Shapes;
use crate::dense::{Packer, bits_for};
use crate::error::StoreError;
use crate::file::{Fields, Writer};
use crate::finish::STRIDE;
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
