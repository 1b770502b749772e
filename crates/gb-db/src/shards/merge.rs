//! The end of a layer: the values that its shards have found get numbers, each once.
//!
//! The order depends on nothing but the values: first those whose options all come from earlier layers, then those whose options are among
//! these, and so on; within such a level by a hash of the numbers of the options, and by these numbers. A value has the same level in every
//! shard that has found it, because a shard writes down all that a value is made of. So the files are the same however the work was shared out.
//!
//! Here all of that is in memory. What is too large for it is merged in tasks, by parts of the range of hashes (`tasks.rs`).

use super::files::{Folder, Layers, MANY, PACKED, Record, Width, for_each_record, for_some_words};
use crate::error::StoreError;
use crate::file::{Reader, Writer};

/// The number of a value that has none yet.
pub(super) const UNKNOWN: u64 = u64::MAX;
/// What a value that a shard has found takes until it has its number, about; and a value of earlier layers in the index.
pub(super) const BYTES_A_VALUE: u64 = 250;
const BYTES_A_SLOT: u64 = 12;

/// The hash of a record. Numbers of more than 31 bits have words of their own, and all others those that they have in files of four bytes.
pub(super) fn hash(words: &[u64]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = 0xD6E8_FEB8_6659_FD93_u64;
    for &word in words {
        let word = match word & PACKED {
            0 if word < MANY => word,
            0 => word + MANY,
            _ => word & !PACKED,
        };
        hash = (hash ^ word).wrapping_mul(K);
        hash ^= hash >> 29;
    }
    (hash ^ hash >> 32).wrapping_mul(K)
}

/// The numbers of values of earlier layers by their hashes. Some bits of the hash are kept beside the number; then the value is compared.
struct Index<'a> {
    layers: &'a Layers,
    /// 0, or a number plus 1 below some bits of its hash.
    slots: Vec<u64>,
}

impl<'a> Index<'a> {
    /// Of fewer than 2^32 values.
    fn new(layers: &'a Layers) -> Result<Index<'a>, StoreError> {
        let mut index = Index { layers, slots: vec![0; (layers.values + layers.values / 2) as usize + 1024] };
        let mut number = layers.first;
        layers.for_each_value(&mut |record| {
            let hash = hash(record.0);
            let mut at = index.start(hash);
            while index.slots[at] != 0 {
                at = (at + 1) % index.slots.len();
            }
            index.slots[at] = hash << 32 | (number + 1);
            number += 1;
            Ok(())
        })?;
        Ok(index)
    }

    fn start(&self, hash: u64) -> usize {
        ((u128::from(hash.rotate_left(24)) * self.slots.len() as u128) >> 64) as usize
    }

    fn find(&self, hash: u64, words: &[u64], buffer: &mut Vec<u64>) -> Result<Option<u64>, StoreError> {
        let mut at = self.start(hash);
        while self.slots[at] != 0 {
            if self.slots[at] >> 32 == hash & 0xFFFF_FFFF {
                let number = u64::from(self.slots[at] as u32) - 1;
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

/// The shards of a layer as they were found.
pub(super) struct Found {
    pub(super) layer: usize,
    /// How many values each shard has found.
    pub(super) counts: Vec<u64>,
    /// The place of the first board of the layer, and how many there are.
    pub(super) boards: (u64, u64),
    /// From so many values on words of files are longer.
    pub(super) many: u64,
}

impl Found {
    /// Looks at so many shards of a layer, before which there are `base` values.
    pub(super) fn open(
        folder: &Folder,
        (layer, shards): (usize, u64),
        boards: (u64, u64),
        (base, many): (u64, u64),
    ) -> Result<Found, StoreError> {
        let count = |shard: u64| {
            let reader = folder.open(&folder.found(layer, shard))?;
            match reader.number("first")? == base {
                true => reader.number("count"),
                false => Err(StoreError::Foreign(format!("{} belongs elsewhere", reader.path().display()))),
            }
        };
        Ok(Found { layer, counts: (0..shards).map(count).collect::<Result<_, _>>()?, boards, many })
    }

    /// How many values shards have found together.
    pub(super) fn values(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether they can be merged in so much memory, with `base` values before them.
    pub(super) fn fits(&self, base: u64, memory: u64) -> bool {
        let places = self.counts.iter().all(|&count| count < u64::from(u32::MAX));
        let bytes = base.saturating_mul(BYTES_A_SLOT).saturating_add(self.values() * BYTES_A_VALUE);
        places && base < u64::from(u32::MAX) && bytes <= memory
    }
}

/// Merges the shards of a layer in memory.
pub(super) fn merge(folder: &Folder, found: &Found, layers: &Layers) -> Result<(), StoreError> {
    let (layer, base) = (found.layer, layers.values);
    // The numbers of the values of each shard.
    let mut maps: Vec<Vec<u64>> = found.counts.iter().map(|&count| vec![UNKNOWN; count as usize]).collect();
    let mut unknown = found.values();
    // First those that earlier layers have, so that the level of a value counts none of them.
    unknown -= look_up(folder, layer, &mut maps, &Index::new(layers)?)?;
    let mut numbered = Numbered { base, words: vec![], starts: vec![], levels: vec![] };
    while unknown > 0 {
        numbered.levels.push(numbered.end());
        let known = number_level(folder, layer, &mut maps, &mut numbered)?;
        if known == 0 {
            return Err(StoreError::Foreign("some values have options that nobody has found".into()));
        }
        unknown -= known;
    }
    let count = numbered.starts.len() as u64;
    let width = width_of(base + count, numbered.words.len() as u64, found.many)?;
    let mut out = folder.create_words(&folder.values(layer), (base, count), width)?;
    width.write(&mut out, "values", &numbered.words)?;
    width.write(&mut out, "places", &numbered.starts)?;
    write_levels(&mut out, &numbered.levels)?;
    out.finish()?;
    let mut out = folder.create_words(&folder.boards(layer), found.boards, width)?;
    out.section("boards")?;
    for (shard, map) in (0..).zip(&maps) {
        let reader = folder.open(&folder.found(layer, shard))?;
        write_boards(&reader, (base, map), (&mut out, width))?;
    }
    out.end_section("boards")?;
    out.finish()
}

/// How long words are in the files of a layer, up to which there are so many values, and which has so many words.
pub(super) fn width_of(values: u64, words: u64, many: u64) -> Result<Width, StoreError> {
    match words < 2 * MANY {
        true => Width::of(values, many),
        false => Width::of(values.max(many + 1), many),
    }
}

/// Writes where levels begin.
pub(super) fn write_levels(out: &mut Writer, levels: &[u64]) -> Result<(), StoreError> {
    out.section("levels")?;
    out.write(&levels.iter().flat_map(|level| level.to_le_bytes()).collect::<Vec<u8>>())?;
    out.end_section("levels")
}

/// Writes the boards of a shard, with the numbers that everybody knows.
pub(super) fn write_boards(
    reader: &Reader,
    (base, map): (u64, &[u64]),
    (out, width): (&mut Writer, Width),
) -> Result<(), StoreError> {
    for_some_words(reader, "boards", &mut |words| {
        let translated: Option<Vec<u64>> = words.iter().map(|&word| translate(word, base, map)).collect();
        let wrong = || StoreError::damaged(reader.path(), "its boards have values that it does not list");
        out.write(&width.bytes_of(&translated.ok_or_else(wrong)?))
    })
}

/// What a reference of a shard means to everybody; `None` if it is not known yet.
fn translate(reference: u64, base: u64, map: &[u64]) -> Option<u64> {
    if reference & PACKED != 0 || reference < base {
        return Some(reference);
    }
    // Numbers that are none have the highest bit.
    map.get((reference - base) as usize).copied().filter(|number| number & PACKED == 0)
}

/// The values of the layer that have numbers.
struct Numbered {
    base: u64,
    words: Vec<u64>,
    /// Where each is.
    starts: Vec<u64>,
    /// The first number of each level.
    levels: Vec<u64>,
}

impl Numbered {
    fn end(&self) -> u64 {
        self.base + self.starts.len() as u64
    }
}

/// Says the number of a value, if it is known: asked with its place in its shard and its record.
pub(super) type Judge<'a> = &'a mut dyn FnMut(usize, &[u64]) -> Result<Option<u64>, StoreError>;

/// Calls `emit` with the values of a shard whose number is `wanted`, which says that they have none, but whose options are known, below `end`: with the
/// place in the shard, and the record with the numbers of the options. If it answers with a number, the value is known from then on.
pub(super) fn for_each_ready(
    reader: &Reader,
    (map, wanted): (&mut [u64], &dyn Fn(u64) -> bool),
    (base, end): (u64, u64),
    emit: Judge<'_>,
) -> Result<(), StoreError> {
    let (mut next, mut record) = (0, vec![]);
    for_each_record(reader, &mut |found| {
        let place = next;
        next += 1;
        match map.get(place) {
            Some(&number) if wanted(number) => {}
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
        if let Some(number) = emit(place, &record)? {
            map[place] = number;
        }
        Ok(())
    })
}

/// Finds the numbers of values that earlier layers have. Returns how many values of shards they are.
fn look_up(
    folder: &Folder,
    layer: usize,
    maps: &mut [Vec<u64>],
    index: &Index<'_>,
) -> Result<u64, StoreError> {
    let (base, mut known, mut buffer) = (index.layers.values, 0, vec![]);
    for (shard, map) in (0..).zip(maps).filter(|(_, map)| !map.is_empty()) {
        let reader = folder.open(&folder.found(layer, shard))?;
        // Options come before what has them.
        for_each_ready(&reader, (map, &|number| number == UNKNOWN), (base, base), &mut |_, record| {
            let there = index.find(hash(record), record, &mut buffer)?;
            known += u64::from(there.is_some());
            Ok(there)
        })?;
    }
    Ok(known)
}

/// Gives numbers to the values whose options all have numbers. Returns how many values of shards are known by that.
fn number_level(
    folder: &Folder,
    layer: usize,
    maps: &mut [Vec<u64>],
    numbered: &mut Numbered,
) -> Result<u64, StoreError> {
    let (base, end) = (numbered.base, numbered.end());
    let (mut candidates, mut words): (Vec<Candidate>, Vec<u64>) = (vec![], vec![]);
    for (shard, map) in (0..).zip(maps.iter_mut()).filter(|(_, map)| map.contains(&UNKNOWN)) {
        let reader = folder.open(&folder.found(layer, shard))?;
        for_each_ready(&reader, (map, &|number| number == UNKNOWN), (base, end), &mut |place, record| {
            candidates.push(Candidate {
                hash: hash(record),
                start: words.len(),
                shard: shard as u32,
                place: place as u32,
            });
            words.extend_from_slice(record);
            Ok(None)
        })?;
    }
    let of = |candidate: &Candidate| &words[candidate.start..][..Record::length(words[candidate.start])];
    candidates.sort_unstable_by(|a, b| a.hash.cmp(&b.hash).then_with(|| of(a).cmp(of(b))));
    for same in candidates.chunk_by(|a, b| a.hash == b.hash && of(a) == of(b)) {
        let number = numbered.end();
        numbered.starts.push(numbered.words.len() as u64);
        numbered.words.extend_from_slice(of(&same[0]));
        for candidate in same {
            maps[candidate.shard as usize][candidate.place as usize] = number;
        }
    }
    Ok(candidates.len() as u64)
}
