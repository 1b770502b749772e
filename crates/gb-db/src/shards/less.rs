//! Less than values: of a table of values the thermograph, or the atomic weight, of each part.
//!
//! What is kept of a value follows from what is kept of its options, so that no value has to be brought into memory: four bytes for each.
//! (It does not follow for a sum from what is kept of the summands. That is why the shards are those of values.)

use std::path::Path;
use std::sync::Arc;

use gb_value::{Budget, Kernel, Store};
use rustc_hash::FxHashMap;

use super::files::write_words;
use super::finish::KIND;
use crate::dense::{Packer, bits_for};
use crate::error::StoreError;
use crate::fact::{Fact, Facts, Partial};
use crate::file::Fields;
use crate::finish;
use crate::record::Raw;
use crate::scope::Less;
use crate::table::Table;

/// Bytes that are collected before they are written.
const PIECE: usize = 1 << 16;

/// What is kept of the values of a table.
struct Kept<'a> {
    less: Less,
    facts: Facts,
    kernel: Kernel<'a>,
    /// The number of the fact that is kept of each value.
    of_value: Vec<u32>,
    /// The facts by number; none where it is an atomic weight.
    partials: Vec<Option<Arc<Partial>>>,
    /// Facts that follow from those of the options, which come up again and again.
    known: FxHashMap<[Vec<u32>; 2], u32>,
}

/// Values of which less can be kept.
const MOST: u64 = 1 << 32;
/// Lists of options that are remembered.
const KNOWN: usize = 1 << 20;

impl Kept<'_> {
    fn number(&mut self, mut partial: Partial) -> u32 {
        if self.less == Less::Temperature {
            partial.small = None;
        }
        let fact = Fact::Partial(partial.clone());
        let number = self.facts.number(&fact, &self.kernel);
        if self.partials.len() <= number as usize {
            self.partials.resize(number as usize + 1, None);
        }
        self.partials[number as usize].get_or_insert_with(|| Arc::new(partial));
        number
    }

    /// Adds the next value.
    fn add(&mut self, raw: Raw) -> Result<(), StoreError> {
        let wrong = || StoreError::Foreign("a table of values has something else".into());
        let number = match raw {
            Raw::Ready(fact) => {
                let partial = fact.partial(&self.kernel)?;
                self.number(partial)
            }
            Raw::AllSmall(..) => return Err(wrong()),
            Raw::Options(lists) => {
                let find = |list: &Vec<u64>| {
                    let found = list.iter().map(|&option| self.of_value.get(option as usize).copied());
                    let mut found: Vec<u32> = found.collect::<Option<_>>()?;
                    found.sort_unstable();
                    found.dedup();
                    Some(found)
                };
                let [Some(lefts), Some(rights)] = [find(&lists[0]), find(&lists[1])] else {
                    return Err(wrong());
                };
                let key = [lefts, rights];
                match self.known.get(&key) {
                    Some(&number) => number,
                    None => {
                        let [lefts, rights] = [0, 1].map(|side: usize| -> Vec<Arc<Partial>> {
                            let partial = |&number: &u32| self.partials.get(number as usize)?.clone();
                            key[side].iter().filter_map(partial).collect()
                        });
                        let partial = Partial::of_options(&lefts, &rights, &self.kernel)?;
                        let number = self.number(partial);
                        if self.known.len() == KNOWN {
                            self.known.clear();
                        }
                        self.known.insert(key, number);
                        number
                    }
                }
            }
        };
        self.of_value.push(number);
        Ok(())
    }
}

/// Writes what is kept of a table of values.
pub(super) fn write_less(table: &Table, less: Less, path: &Path) -> Result<(), StoreError> {
    if table.facts() as u64 > MOST {
        let what = "the table of values has more than 2^32 of them, and for each four bytes would be held: less of them is not stored";
        return Err(StoreError::Invalid(what.into()));
    }
    let (store, budget) = (Store::new(), Budget::unlimited());
    let mut kept = Kept {
        less,
        facts: Facts::default(),
        kernel: store.kernel(&budget),
        of_value: Vec::with_capacity(table.facts()),
        partials: vec![],
        known: FxHashMap::default(),
    };
    table.for_each_record(&store.kernel(&budget), &mut |raw| kept.add(raw))?;
    let shapes = table.shapes()?;
    let fields: Fields = [
        ("kind", KIND.to_owned()),
        ("store", less.name().to_owned()),
        ("rows", shapes.rows.to_string()),
        ("cols", shapes.cols.to_string()),
        ("letters", table.letters().to_string()),
        ("boards", table.boards().to_string()),
        ("moves", shapes.form.text()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    finish::write_table(
        path,
        table.game(),
        (fields, u64::MAX),
        &mut |out, count, renumber| {
            write_words(out, "sets", shapes.sets())?;
            out.section("numbers")?;
            let mut packer = Packer::new(bits_for(count));
            for place in 0..table.boards() {
                let value = table.number(place)? as usize;
                let number = kept.of_value.get(value).and_then(|&number| renumber.get(number as usize));
                let wrong = || StoreError::damaged(table.path(), "a board has a value that is not there");
                packer.push(u64::from(*number.ok_or_else(wrong)?));
                if packer.bytes.len() >= PIECE {
                    out.write(&packer.bytes)?;
                    packer.bytes.clear();
                }
            }
            out.write(&packer.finish())?;
            out.end_section("numbers")
        },
        &kept.facts,
        &kept.kernel,
    )
}
