//! The end of a layer that is too large for one memory, in tasks: anybody who has joined the build can do them.
//!
//! Shards are taken in groups, and values by parts of the range of hashes, such that a group and a part fit into memory. There are rounds of two
//! steps. In the first each group writes down the values that it does not know but whose options it does (`ready`), by hash, and its map: the number of each of
//! its values, as far as it has one. In the second each part takes these from all groups, and answers: first with the numbers that values have in earlier
//! layers, until no more are found; then, level by level, with numbers of their own. So numbers are those that a merge in memory gives
//! (`merge.rs`), and of what is between there is nothing but files. Which step is next the process that ends layers decides (`rounds.rs`).

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use rustc_hash::FxHashMap;

use super::files::{Folder, Layers, PACKED, Record, Width, for_some_words};
use super::merge::{UNKNOWN, for_each_ready, hash, write_boards};
use crate::error::StoreError;
use crate::file::Reader;

/// The number of a value that has none, and that earlier layers do not have.
const ABSENT: u64 = u64::MAX - 1;
/// Hashes are put down in so many buckets, and a part is some of them.
pub(super) const BUCKETS: u64 = 1 << 12;
/// A value is looked for in a run of earlier ones by itself if the run is longer than all values that are looked for, so many times.
const RARE: u64 = 64;

/// A step of the end of a layer, which may be done by anybody who has joined the build. It is written as a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MergeTask {
    pub(super) round: Round,
    pub(super) step: Step,
    /// The number of the group or of the part.
    pub(super) number: u64,
    /// Of a group: its shards.
    pub(super) shards: Range<u64>,
    /// Of a part: how many groups there are, and how many parts.
    pub(super) groups: u64,
    pub(super) parts: u64,
}

/// What a task does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Writes down what a group does not know yet.
    Ready,
    /// Finds the numbers of a part of it.
    Part,
    /// Writes the boards of a group.
    Boards,
}

/// A round of both steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Round {
    pub(super) layer: u64,
    /// Says how the work is cut, so that nobody mixes what was cut otherwise.
    pub(super) cut: u64,
    pub(super) number: u64,
    /// Whether values get numbers, or those of earlier layers are found.
    pub(super) numbers: bool,
    /// All numbers so far are below this.
    pub(super) end: u64,
    /// How many parts the round before had, whether it gave numbers, and the first of them.
    pub(super) before: (u64, bool, u64),
    /// Whether words have five bytes.
    pub(super) wide: bool,
}

impl Round {
    pub(super) fn width(&self) -> Width {
        if self.wide { Width::Five } else { Width::Four }
    }

    fn layer(&self) -> usize {
        self.layer as usize
    }
}

impl Display for MergeTask {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let round = &self.round;
        let (parts, numbers, first) = round.before;
        let words = [
            round.layer,
            round.cut,
            round.number,
            round.numbers.into(),
            round.end,
            parts,
            numbers.into(),
            first,
            round.wide.into(),
            self.step as u64,
            self.number,
            self.shards.start,
            self.shards.end,
            self.groups,
            self.parts,
        ];
        write!(f, "{}", words.map(|word| word.to_string()).join(" "))
    }
}

impl FromStr for MergeTask {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<MergeTask, StoreError> {
        let wrong = || StoreError::Foreign(format!("`{text}` is no task"));
        let words: Vec<u64> =
            text.split(' ').map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
        let &[
            layer,
            cut,
            round,
            numbers,
            end,
            before,
            gave,
            first,
            wide,
            step,
            number,
            start,
            stop,
            groups,
            parts,
        ] = words.as_slice()
        else {
            return Err(wrong());
        };
        let steps = [Step::Ready, Step::Part, Step::Boards];
        let round = Round {
            layer,
            cut,
            number: round,
            numbers: numbers != 0,
            end,
            before: (before, gave != 0, first),
            wide: wide != 0,
        };
        let step = *steps.get(step as usize).ok_or_else(wrong)?;
        Ok(MergeTask { round, step, number, shards: start..stop, groups, parts })
    }
}

impl Folder {
    fn of_task(&self, round: &Round, number: u64, of: u64, name: &str) -> PathBuf {
        let Round { layer, cut, number: round, .. } = round;
        self.path.join(format!("{layer:02}-{cut:016x}-{round:03}-{number:06}-{of:06}.{name}"))
    }

    /// What a group does not know in a round.
    pub(super) fn ready(&self, round: &Round, group: u64) -> PathBuf {
        self.of_task(round, group, 0, "ready")
    }

    /// What a part of a round has found.
    pub(super) fn part(&self, round: &Round, part: u64, of: u64) -> PathBuf {
        self.of_task(round, part, of, "part")
    }

    /// The boards of a group.
    pub(super) fn piece(&self, round: &Round, group: u64) -> PathBuf {
        self.of_task(round, group, 0, "piece")
    }

    /// What the end of a layer leaves while it goes on.
    pub(super) fn is_of_tasks(layer: usize, name: &str) -> bool {
        let ends = [".ready", ".part", ".piece", ".rounds"];
        name.starts_with(&format!("{layer:02}-")) && ends.iter().any(|end| name.ends_with(end))
    }
}

/// A section of words of eight bytes.
fn longs(reader: &Reader, name: &str) -> Result<Vec<u64>, StoreError> {
    let section = reader.section(name)?;
    let bytes = reader.bytes_once(section, 0..section.length)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|eight| u64::from_le_bytes(*eight)).collect())
}

fn write_longs(out: &mut crate::file::Writer, name: &str, words: &[u64]) -> Result<(), StoreError> {
    out.section(name)?;
    for some in words.chunks(1 << 13) {
        out.write(&some.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())?;
    }
    out.end_section(name)
}

/// A value that is to get a number: of a group, at a place in its map.
struct Candidate {
    hash: u64,
    /// Where its record is among the words.
    start: usize,
    group: u64,
    place: u64,
}

/// Does a task.
pub(super) fn do_task(folder: &Folder, task: &MergeTask, layers: &Layers) -> Result<(), StoreError> {
    match task.step {
        Step::Ready => ready(folder, task, layers.values),
        Step::Part => part(folder, task, layers),
        Step::Boards => boards(folder, task, layers.values),
    }
}

/// The shards of a group, and where each begins in its map.
fn shards_of(folder: &Folder, task: &MergeTask) -> Result<Vec<(Reader, Range<usize>)>, StoreError> {
    let mut end = 0;
    let open = |shard: u64| {
        let reader = folder.open(&folder.found(task.round.layer(), shard))?;
        let start = end;
        end += reader.number("count")? as usize;
        Ok((reader, start..end))
    };
    task.shards.clone().map(open).collect()
}

/// The numbers of the values of a group, with what the round before has found.
fn map_of(folder: &Folder, task: &MergeTask, count: usize) -> Result<Vec<u64>, StoreError> {
    let Some(before) = task.round.number.checked_sub(1) else { return Ok(vec![UNKNOWN; count]) };
    let before = Round { number: before, ..task.round.clone() };
    let mut map = longs(&folder.open(&folder.ready(&before, task.number))?, "map")?;
    let wrong = || StoreError::Foreign("a part is about values that nobody has found".into());
    let (parts, numbers, mut first) = task.round.before;
    for part in 0..parts {
        let reader = folder.open(&folder.part(&before, part, parts))?;
        let (ends, answers) = (longs(&reader, "groups")?, reader.section("answers")?);
        let group = task.number as usize;
        let (Some(&start), Some(&end)) = (ends.get(group), ends.get(group + 1)) else { return Err(wrong()) };
        if start > end || 16 * end > answers.length as u64 {
            return Err(wrong());
        }
        let bytes = reader.bytes_once(answers, 16 * start as usize..16 * end as usize)?;
        for answer in bytes.as_chunks::<16>().0 {
            let (place, number) =
                (u128::from_le_bytes(*answer) as u64, (u128::from_le_bytes(*answer) >> 64) as u64);
            *map.get_mut(place as usize).ok_or_else(wrong)? = if numbers { first + number } else { number };
        }
        if numbers {
            first += reader.number("count")?;
        }
    }
    match map.len() == count {
        true => Ok(map),
        false => Err(wrong()),
    }
}

/// Writes down the values of a group that are not known but whose options are.
fn ready(folder: &Folder, task: &MergeTask, base: u64) -> Result<(), StoreError> {
    let (round, shards) = (&task.round, shards_of(folder, task)?);
    let mut map = map_of(folder, task, shards.last().map_or(0, |(_, values)| values.end))?;
    let (mut candidates, mut words): (Vec<Candidate>, Vec<u64>) = (vec![], vec![]);
    // What was looked up and not found is not looked up again, but gets a number.
    let wanted = |number: u64| if round.numbers { number & PACKED != 0 } else { number == UNKNOWN };
    for (reader, values) in &shards {
        for_each_ready(
            reader,
            (&mut map[values.clone()], &wanted),
            (base, round.end),
            &mut |place, record| {
                let place = (values.start + place) as u64;
                candidates.push(Candidate {
                    hash: hash(record),
                    start: words.len(),
                    group: task.number,
                    place,
                });
                words.extend_from_slice(record);
                Ok(None)
            },
        )?;
    }
    candidates.sort_unstable_by_key(|candidate| (candidate.hash, candidate.place));
    let unknown = map.iter().filter(|&number| number & PACKED != 0).count();
    let (width, count) = (round.width(), candidates.len() as u64);
    let mut out = folder.create_words(&folder.ready(round, task.number), (base, count), width)?;
    out.set("unknown", unknown.to_string());
    write_longs(&mut out, "map", &map)?;
    out.section("ready")?;
    let (mut ends, mut length, mut bytes) = (vec![0u64], 0u64, vec![]);
    for candidate in &candidates {
        ends.resize((candidate.hash / (u64::MAX / BUCKETS + 1)) as usize + 1, length);
        bytes.clear();
        bytes.extend(candidate.hash.to_le_bytes());
        bytes.extend(candidate.place.to_le_bytes());
        let record = &words[candidate.start..];
        bytes.extend(width.bytes_of(&record[..Record::length(record[0])]));
        length += bytes.len() as u64;
        out.write(&bytes)?;
    }
    ends.resize(BUCKETS as usize + 1, length);
    out.end_section("ready")?;
    write_longs(&mut out, "buckets", &ends)?;
    out.finish_for_now()
}

/// The values of a part that all groups have put down.
fn candidates_of(folder: &Folder, task: &MergeTask) -> Result<(Vec<Candidate>, Vec<u64>), StoreError> {
    let buckets = |part: u64| (part * BUCKETS / task.parts) as usize;
    let width = task.round.width();
    let (mut candidates, mut words): (Vec<Candidate>, Vec<u64>) = (vec![], vec![]);
    for group in 0..task.groups {
        let reader = folder.open(&folder.ready(&task.round, group))?;
        let wrong = || StoreError::damaged(reader.path(), "its values make no sense");
        let (ends, section) = (longs(&reader, "buckets")?, reader.section("ready")?);
        let (Some(&start), Some(&end)) = (ends.get(buckets(task.number)), ends.get(buckets(task.number + 1)))
        else {
            return Err(wrong());
        };
        if start > end || end > section.length as u64 {
            return Err(wrong());
        }
        let bytes = reader.bytes_once(section, start as usize..end as usize)?;
        let mut rest = bytes.as_slice();
        while let Some((hash, after)) = rest.split_first_chunk::<8>() {
            let (place, after) = after.split_first_chunk::<8>().ok_or_else(wrong)?;
            let counts = after.first_chunk::<4>().ok_or_else(wrong)?;
            let length = width.bytes() * Record::length(u32::from_le_bytes(*counts).into());
            let (record, after) = after.split_at_checked(length).ok_or_else(wrong)?;
            let (hash, place) = (u64::from_le_bytes(*hash), u64::from_le_bytes(*place));
            candidates.push(Candidate { hash, start: words.len(), group, place });
            width.get(record, &mut words);
            rest = after;
        }
    }
    Ok((candidates, words))
}

/// Finds the numbers of a part of the values that are ready.
fn part(folder: &Folder, task: &MergeTask, layers: &Layers) -> Result<(), StoreError> {
    let (mut candidates, words) = candidates_of(folder, task)?;
    let of = |candidate: &Candidate| &words[candidate.start..][..Record::length(words[candidate.start])];
    candidates.sort_unstable_by(|a, b| a.hash.cmp(&b.hash).then_with(|| of(a).cmp(of(b))));
    let same = |a: &Candidate, b: &Candidate| a.hash == b.hash && of(a) == of(b);
    let different: Vec<(u64, &[u64])> =
        candidates.chunk_by(same).map(|same| (same[0].hash, of(&same[0]))).collect();
    let (base, width, numbers) = (layers.values, task.round.width(), task.round.numbers);
    let numbered = match numbers {
        true => (0..different.len() as u64).collect(),
        false => look_up(layers, &different)?,
    };
    let count = if numbers { different.len() as u64 } else { 0 };
    let path = folder.part(&task.round, task.number, task.parts);
    let mut out = folder.create_words(&path, (base, count), width)?;
    out.section("values")?;
    let mut length = 0;
    for (_, record) in different.iter().filter(|_| numbers) {
        out.write(&width.bytes_of(record))?;
        length += record.len();
    }
    out.end_section("values")?;
    out.set("words", length.to_string());
    let mut answers: Vec<(u64, u64, u64)> = candidates
        .chunk_by(same)
        .zip(&numbered)
        .flat_map(|(same, &number)| same.iter().map(move |one| (one.group, one.place, number)))
        .collect();
    answers.sort_unstable();
    out.section("answers")?;
    for some in answers.chunks(1 << 12) {
        let bytes = some.iter().flat_map(|(_, place, number)| [place.to_le_bytes(), number.to_le_bytes()]);
        out.write(&bytes.flatten().collect::<Vec<u8>>())?;
    }
    out.end_section("answers")?;
    let end = |group: u64| answers.partition_point(|answer| answer.0 < group) as u64;
    write_longs(&mut out, "groups", &(0..=task.groups).map(end).collect::<Vec<u64>>())?;
    out.finish_for_now()
}

/// The numbers that values, in the order of their hashes, have in earlier layers; of others, that they have none.
fn look_up(layers: &Layers, values: &[(u64, &[u64])]) -> Result<Vec<u64>, StoreError> {
    let mut found = vec![ABSENT; values.len()];
    let (Some((least, _)), Some((greatest, _))) = (values.first(), values.last()) else { return Ok(found) };
    // Where those with a hash begin.
    let mut starts: FxHashMap<u64, usize> = FxHashMap::default();
    for (place, (hash, _)) in values.iter().enumerate() {
        starts.entry(*hash).or_insert(place);
    }
    let mut buffer = vec![];
    for (run, sorted) in layers.runs() {
        let mut range = run.clone();
        if sorted {
            range.start = first_of(layers, run.clone(), &|hash| hash < *least, &mut buffer)?;
            range.end = first_of(layers, range.start..run.end, &|hash| hash <= *greatest, &mut buffer)?;
        }
        if sorted && values.len() as u64 * RARE < range.end - range.start {
            for ((wanted, record), found) in
                values.iter().zip(&mut found).filter(|(_, found)| **found == ABSENT)
            {
                let mut number = first_of(layers, range.clone(), &|hash| hash < *wanted, &mut buffer)?;
                while number < range.end && *found == ABSENT {
                    layers.record(number, &mut buffer)?;
                    if hash(&buffer) != *wanted {
                        break;
                    }
                    if buffer == *record {
                        *found = number;
                    }
                    number += 1;
                }
            }
            continue;
        }
        let mut number = range.start;
        layers.for_some_values(range, &mut |record| {
            let hash = hash(record.0);
            if let Some(&start) = starts.get(&hash) {
                let alike = values[start..].iter().zip(&mut found[start..]);
                for ((_, value), found) in alike.take_while(|((other, _), _)| *other == hash) {
                    if *value == record.0 {
                        *found = number;
                    }
                }
            }
            number += 1;
            Ok(())
        })?;
    }
    Ok(found)
}

/// The first value of a run, which is in the order of hashes, of which something is not true any more.
fn first_of(
    layers: &Layers,
    mut run: Range<u64>,
    is_before: &dyn Fn(u64) -> bool,
    buffer: &mut Vec<u64>,
) -> Result<u64, StoreError> {
    while run.start < run.end {
        let middle = run.start.midpoint(run.end);
        layers.record(middle, buffer)?;
        match is_before(hash(buffer)) {
            true => run.start = middle + 1,
            false => run.end = middle,
        }
    }
    Ok(run.start)
}

/// Writes the boards of a group.
fn boards(folder: &Folder, task: &MergeTask, base: u64) -> Result<(), StoreError> {
    // Nothing has been found since the last round.
    let map = longs(&folder.open(&folder.ready(&task.round, task.number))?, "map")?;
    let width = task.round.width();
    let mut out = folder.create_words(&folder.piece(&task.round, task.number), (base, 0), width)?;
    out.section("boards")?;
    for (reader, values) in shards_of(folder, task)? {
        let wrong = || StoreError::damaged(reader.path(), "it has other values than it had");
        let map = map.get(values.clone()).ok_or_else(wrong)?;
        write_boards(&reader, (base, map), (&mut out, width))?;
    }
    out.end_section("boards")?;
    out.finish_for_now()
}

/// Writes the boards of a piece to a file.
pub(super) fn copy_piece(
    reader: &Reader,
    width: Width,
    out: &mut crate::file::Writer,
) -> Result<(), StoreError> {
    for_some_words(reader, "boards", &mut |words| out.write(&width.bytes_of(words)))
}
