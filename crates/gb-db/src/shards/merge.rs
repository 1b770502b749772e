//! The end of a layer: the values that its shards have found get numbers, each once.
//!
//! The order depends on nothing but the values: first those whose options all come from earlier layers, then those whose options are among
//! these, and so on; within such a level by a hash of the numbers of the options, and by these numbers. A value has the same level in every
//! shard that has found it, because a shard writes down all that a value is made of. So the files are the same however the work was shared out.
//!
//! Values of a level are taken in parts of the range of hashes, as many as it takes for one part to fit into memory.

use super::files::{Folder, Layers, PACKED, Record, bytes_of, for_each_record, for_some_words, write_words};
use crate::error::StoreError;
use crate::file::Writer;

const UNKNOWN: u32 = u32::MAX;
/// What a value takes while it gets its number, about; and its place in an index.
const BYTES_A_VALUE: u64 = 100;
const BYTES_A_SLOT: u64 = 12;

fn hash(words: &[u32]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = 0xD6E8_FEB8_6659_FD93_u64;
    for &word in words {
        hash = (hash ^ u64::from(word)).wrapping_mul(K);
        hash ^= hash >> 29;
    }
    (hash ^ hash >> 32).wrapping_mul(K)
}

/// A part of the range of hashes.
#[derive(Clone, Copy)]
struct Part {
    number: u64,
    of: u64,
}

impl Part {
    fn holds(self, hash: u64) -> bool {
        ((u128::from(hash) * u128::from(self.of)) >> 64) as u64 == self.number
    }
}

/// The numbers of values of earlier layers by their hashes. Some bits of the hash are kept beside the number; then the value is compared.
struct Index<'a> {
    layers: &'a Layers,
    /// 0, or a number plus 1 below some bits of its hash.
    slots: Vec<u64>,
    part: Part,
}

impl<'a> Index<'a> {
    fn new(layers: &'a Layers, part: Part) -> Result<Index<'a>, StoreError> {
        let count = u64::from(layers.values) / part.of;
        let mut index = Index { layers, slots: vec![0; (count + count / 2) as usize + 1024], part };
        let mut number = 0;
        layers.for_each_value(&mut |record| {
            let hash = hash(record.0);
            if part.holds(hash) {
                let mut at = index.start(hash);
                while index.slots[at] != 0 {
                    at = (at + 1) % index.slots.len();
                }
                index.slots[at] = hash << 32 | (number + 1);
            }
            number += 1;
            Ok(())
        })?;
        Ok(index)
    }

    fn start(&self, hash: u64) -> usize {
        ((u128::from(hash.rotate_left(24)) * self.slots.len() as u128) >> 64) as usize
    }

    fn find(&self, hash: u64, words: &[u32], buffer: &mut Vec<u32>) -> Result<Option<u32>, StoreError> {
        let mut at = self.start(hash);
        while self.slots[at] != 0 {
            if self.slots[at] >> 32 == hash & 0xFFFF_FFFF {
                let number = (self.slots[at] as u32) - 1;
                self.layers.record(number, buffer)?;
                if buffer == words {
                    return Ok(Some(number));
                }
            }
            at = (at + 1) % self.slots.len();
        }
        Ok(None)
    }
}

/// A value that is to get a number.
struct Candidate {
    hash: u64,
    /// Where its record is among those of the level.
    start: usize,
    shard: u32,
    place: u32,
}

/// Merges the shards of a layer, of which there are so many, with so much memory. Returns how many new values there are.
pub(super) fn merge(
    folder: &Folder,
    (layer, shards): (usize, u64),
    layers: &Layers,
    (first, boards): (u64, u64),
    memory: u64,
) -> Result<u32, StoreError> {
    let base = layers.values;
    // The numbers of the values of each shard.
    let mut maps: Vec<Vec<u32>> = vec![];
    for shard in 0..shards {
        let reader = folder.open(&folder.found(layer, shard))?;
        if reader.number("first")? != u64::from(base) {
            return Err(StoreError::Foreign(format!("{} belongs elsewhere", reader.path().display())));
        }
        maps.push(vec![UNKNOWN; reader.number("count")? as usize]);
    }
    let mut unknown: u64 = maps.iter().map(|map| map.len() as u64).sum();
    let mut out = folder.create(&folder.values(layer), u64::from(base), 0)?;
    out.section("values")?;
    let mut numbered = Numbered { base, places: vec![], length: 0 };
    // First those that earlier layers have, so that the level of a value counts none of them. A value can be looked up when its options are
    // known, which come before it in its file, but may belong to another part.
    let parts = (u64::from(base) * BYTES_A_SLOT).div_ceil(memory.max(1)).max(1);
    loop {
        let before = unknown;
        for number in 0..parts {
            let index = Index::new(layers, Part { number, of: parts })?;
            unknown -= look_up(folder, layer, &mut maps, &index)?;
        }
        if parts == 1 || unknown == before {
            break;
        }
    }
    while unknown > 0 {
        let parts = (unknown * BYTES_A_VALUE).div_ceil(memory.max(1)).max(1);
        // Who is ready is decided before anybody of this level has a number.
        let end = base + numbered.places.len() as u32;
        let before = unknown;
        for number in 0..parts {
            let part = Part { number, of: parts };
            unknown -= number_part(folder, layer, &mut maps, (part, end), (&mut numbered, &mut out))?;
        }
        if unknown == before {
            return Err(StoreError::Foreign("some values have options that nobody has found".into()));
        }
    }
    out.end_section("values")?;
    write_words(&mut out, "places", &numbered.places)?;
    let count = numbered.places.len() as u32;
    out.set("count", count.to_string());
    out.finish()?;
    let mut out = folder.create(&folder.boards(layer), first, boards)?;
    out.section("boards")?;
    for (shard, map) in (0..shards).zip(&maps) {
        let reader = folder.open(&folder.found(layer, shard))?;
        for_some_words(&reader, "boards", &mut |words| {
            let translated: Option<Vec<u32>> = words.iter().map(|&word| translate(word, base, map)).collect();
            let wrong = || StoreError::damaged(reader.path(), "its boards have values that it does not list");
            out.write(&bytes_of(&translated.ok_or_else(wrong)?))
        })?;
    }
    out.end_section("boards")?;
    out.finish()?;
    Ok(count)
}

/// What a reference of a shard means to everybody; `None` if it is not known yet.
fn translate(reference: u32, base: u32, map: &[u32]) -> Option<u32> {
    if reference & PACKED != 0 || reference < base {
        return Some(reference);
    }
    map.get((reference - base) as usize).copied().filter(|&number| number != UNKNOWN)
}

/// The values of the layer that have numbers.
struct Numbered {
    base: u32,
    /// Where each is.
    places: Vec<u32>,
    /// Words of all of them.
    length: usize,
}

/// Says the number of a value, if it is known: asked with its place in its shard and its record.
type Judge<'a> = &'a mut dyn FnMut(u32, &[u32]) -> Result<Option<u32>, StoreError>;

/// Calls `emit` with the values of a shard that are not known but whose options are, below `end`: with the place in the shard, and the record with
/// the numbers of the options. If it answers with a number, the value is known from then on.
fn for_each_ready(
    folder: &Folder,
    (layer, shard): (usize, usize),
    map: &mut [u32],
    (base, end): (u32, u32),
    emit: Judge<'_>,
) -> Result<(), StoreError> {
    if !map.contains(&UNKNOWN) {
        return Ok(());
    }
    let reader = folder.open(&folder.found(layer, shard as u64))?;
    let (mut next, mut record) = (0, vec![]);
    for_each_record(&reader, &mut |found| {
        let place = next;
        next += 1;
        match map.get(place) {
            Some(&UNKNOWN) => {}
            Some(_) => return Ok(()),
            None => return Err(StoreError::damaged(reader.path(), "it has more values than it says")),
        }
        record.clear();
        record.push(found.0[0]);
        let (lefts, rights) = found.sides();
        for side in [lefts, rights] {
            let start = record.len();
            for &option in side {
                match translate(option, base, map) {
                    Some(number) if number & PACKED != 0 || number < end => record.push(number),
                    _ => return Ok(()),
                }
            }
            record[start..].sort_unstable();
        }
        if let Some(number) = emit(place as u32, &record)? {
            map[place] = number;
        }
        Ok(())
    })
}

/// Finds the numbers of values that earlier layers have, and whose hashes are in a part. Returns how many values of shards they are.
fn look_up(
    folder: &Folder,
    layer: usize,
    maps: &mut [Vec<u32>],
    index: &Index<'_>,
) -> Result<u64, StoreError> {
    let (base, mut known, mut buffer) = (index.layers.values, 0, vec![]);
    for (shard, map) in maps.iter_mut().enumerate() {
        for_each_ready(folder, (layer, shard), map, (base, base), &mut |_, record| {
            let hash = hash(record);
            let there = if index.part.holds(hash) { index.find(hash, record, &mut buffer)? } else { None };
            known += u64::from(there.is_some());
            Ok(there)
        })?;
    }
    Ok(known)
}

/// Gives numbers to the values whose options all have numbers below `end`, and whose hashes are in a part. Returns how many values of
/// shards are known by that.
fn number_part(
    folder: &Folder,
    layer: usize,
    maps: &mut [Vec<u32>],
    (part, end): (Part, u32),
    (numbered, out): (&mut Numbered, &mut Writer),
) -> Result<u64, StoreError> {
    let base = numbered.base;
    let (mut candidates, mut words): (Vec<Candidate>, Vec<u32>) = (vec![], vec![]);
    for (shard, map) in maps.iter_mut().enumerate() {
        for_each_ready(folder, (layer, shard), map, (base, end), &mut |place, record| {
            let hash = hash(record);
            if part.holds(hash) {
                candidates.push(Candidate { hash, start: words.len(), shard: shard as u32, place });
                words.extend_from_slice(record);
            }
            Ok(None)
        })?;
    }
    let of = |candidate: &Candidate| &words[candidate.start..][..Record::length(words[candidate.start])];
    candidates.sort_unstable_by(|a, b| a.hash.cmp(&b.hash).then_with(|| of(a).cmp(of(b))));
    let mut known = 0;
    for same in candidates.chunk_by(|a, b| a.hash == b.hash && of(a) == of(b)) {
        let number = base.checked_add(numbered.places.len() as u32).filter(|number| number & PACKED == 0);
        let (Some(number), Ok(at)) = (number, u32::try_from(numbered.length)) else {
            return Err(StoreError::Invalid("there are too many values for this kind of table".into()));
        };
        numbered.places.push(at);
        numbered.length += of(&same[0]).len();
        out.write(&bytes_of(of(&same[0])))?;
        for candidate in same {
            maps[candidate.shard as usize][candidate.place as usize] = number;
        }
        known += same.len() as u64;
    }
    Ok(known)
}
