//! Facts by their names alone, for checking: 128 bits of a BLAKE3 hash for each, and what does not fit into memory in sorted files.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use gb_rules::Player;
use gb_value::Value;
use rustc_hash::FxHashMap;

use crate::boards::{Part, short_hash};
use crate::facts::Sum;

/// Makes a file that nobody else sees, for what does not fit into memory.
pub type Scratch<'a> = dyn Fn() -> io::Result<File> + 'a;

/// What is kept of a fact: its name, and the number of a value.
type Record = (u128, u32);
const RECORD: usize = 20;
/// Records that are read at once.
const BLOCK: usize = 256;
/// So many files there may be before they become one.
const MOST_RUNS: usize = 8;
/// Bytes of a record in memory, as tables grow by doubling.
const BYTES_IN_MEMORY: u64 = 96;

/// The values of parts and the sums that are lost, by their names.
pub(crate) struct Ledger<'s> {
    recent: FxHashMap<u128, u32>,
    /// So many are kept in memory.
    most: usize,
    runs: Vec<Run>,
    scratch: Option<&'s Scratch<'s>>,
    /// Values by number, and their numbers.
    values: Vec<Value>,
    numbers: FxHashMap<Value, u32>,
}

/// Records on disk, sorted.
struct Run {
    file: File,
    records: usize,
    /// The first name of every block.
    firsts: Vec<u128>,
}

impl<'s> Ledger<'s> {
    /// A ledger that takes about so many bytes of memory, if there are files to write into.
    pub(crate) fn new(bytes: u64, scratch: Option<&'s Scratch<'s>>) -> Ledger<'s> {
        let most = usize::try_from(bytes / BYTES_IN_MEMORY).unwrap_or(usize::MAX).max(BLOCK);
        Ledger {
            recent: FxHashMap::default(),
            most,
            runs: vec![],
            scratch,
            values: vec![],
            numbers: FxHashMap::default(),
        }
    }

    pub(crate) fn value_of(&self, part: Part) -> io::Result<Option<Value>> {
        Ok(self.get(part)?.map(|number| self.values[number as usize]))
    }

    pub(crate) fn has_value(&mut self, part: Part, value: Value) -> io::Result<()> {
        let number = self.number(value);
        self.insert(part, number)
    }

    /// Whether a player is said to lose a sum by moving first.
    pub(crate) fn states(&self, first: Player, sum: &Sum) -> io::Result<bool> {
        let worth = [sum.worth.value, sum.worth.less].map(|value| self.numbers.get(&value).copied());
        let [Some(value), Some(less)] = worth else { return Ok(false) };
        Ok(self.get(name(first, sum, [value, less]))?.is_some())
    }

    pub(crate) fn lose(&mut self, first: Player, sum: &Sum) -> io::Result<()> {
        let worth = [sum.worth.value, sum.worth.less].map(|value| self.number(value));
        self.insert(name(first, sum, worth), 0)
    }

    fn number(&mut self, value: Value) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.values.len() as u32 - 1
        })
    }

    fn get(&self, name: u128) -> io::Result<Option<u32>> {
        if let Some(&found) = self.recent.get(&name) {
            return Ok(Some(found));
        }
        for run in self.runs.iter().rev() {
            if let Some(found) = run.get(name)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn insert(&mut self, name: u128, number: u32) -> io::Result<()> {
        self.recent.insert(name, number);
        let Some(scratch) = self.scratch else { return Ok(()) };
        if self.recent.len() < self.most {
            return Ok(());
        }
        let mut records: Vec<Record> = std::mem::take(&mut self.recent).into_iter().collect();
        records.sort_unstable();
        self.runs.push(Run::write(scratch()?, records.into_iter().map(Ok))?);
        if self.runs.len() > MOST_RUNS {
            let runs =
                std::mem::take(&mut self.runs).into_iter().map(Run::records).collect::<io::Result<_>>()?;
            self.runs.push(Run::write(scratch()?, Merged { runs })?);
        }
        Ok(())
    }
}

/// The name of a sum. Texts of parts, of which names are made as well, do not begin with such bytes.
fn name(first: Player, sum: &Sum, worth: [u32; 2]) -> u128 {
    let mut bytes = vec![first as u8];
    bytes.extend(worth.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(sum.parts.iter().flat_map(|part| part.to_le_bytes()));
    short_hash(&bytes)
}

fn record_of(bytes: &[u8]) -> Record {
    let (mut name, mut number) = ([0; 16], [0; 4]);
    name.copy_from_slice(&bytes[..16]);
    number.copy_from_slice(&bytes[16..RECORD]);
    (u128::from_le_bytes(name), u32::from_le_bytes(number))
}

impl Run {
    /// Writes records that come sorted; of those with one name only the last.
    fn write(file: File, records: impl Iterator<Item = io::Result<Record>>) -> io::Result<Run> {
        let mut out = BufWriter::new(file);
        let (mut count, mut firsts) = (0, vec![]);
        for record in records {
            let (name, number) = record?;
            if count % BLOCK == 0 {
                firsts.push(name);
            }
            count += 1;
            out.write_all(&name.to_le_bytes())?;
            out.write_all(&number.to_le_bytes())?;
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Run { file, records: count, firsts })
    }

    fn get(&self, name: u128) -> io::Result<Option<u32>> {
        let Some(block) = self.firsts.partition_point(|first| *first <= name).checked_sub(1) else {
            return Ok(None);
        };
        let count = BLOCK.min(self.records - block * BLOCK);
        let mut bytes = [0; BLOCK * RECORD];
        let bytes = &mut bytes[..count * RECORD];
        let mut file = &self.file;
        file.seek(SeekFrom::Start((block * BLOCK * RECORD) as u64))?;
        file.read_exact(bytes)?;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            let (found, number) = record_of(&bytes[middle * RECORD..]);
            match found.cmp(&name) {
                std::cmp::Ordering::Equal => return Ok(Some(number)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    fn records(mut self) -> io::Result<Records> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut records = Records { input: BufReader::new(self.file), left: self.records, next: None };
        records.advance()?;
        Ok(records)
    }
}

/// The records of a file, one after the other.
struct Records {
    input: BufReader<File>,
    left: usize,
    next: Option<Record>,
}

impl Records {
    fn advance(&mut self) -> io::Result<()> {
        self.next = None;
        if self.left > 0 {
            let mut bytes = [0; RECORD];
            self.input.read_exact(&mut bytes)?;
            self.left -= 1;
            self.next = Some(record_of(&bytes));
        }
        Ok(())
    }
}

/// The records of several files in order. Of those with one name the newest, which is in the last of the files.
struct Merged {
    runs: Vec<Records>,
}

impl Iterator for Merged {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<io::Result<Record>> {
        let least = self.runs.iter().filter_map(|run| run.next).map(|(name, _)| name).min()?;
        let mut found = None;
        for run in &mut self.runs {
            if run.next.is_some_and(|(name, _)| name == least) {
                found = run.next;
                if let Err(error) = run.advance() {
                    return Some(Err(error));
                }
            }
        }
        found.map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Worth;

    /// What is on disk is found as what is in memory is, with many files and few.
    #[test]
    fn nothing_is_lost_on_disk() {
        let folder = std::env::temp_dir().join(format!("gamebench-ledger-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let made = std::cell::Cell::new(0);
        let scratch = || {
            made.set(made.get() + 1);
            let path = folder.join(made.get().to_string());
            let file = File::options().read(true).write(true).create_new(true).open(&path)?;
            std::fs::remove_file(path)?;
            Ok(file)
        };
        let (mut small, mut large) = (Ledger::new(0, Some(&scratch)), Ledger::new(u64::MAX, None));
        let part = |n: u32| short_hash(&n.to_le_bytes());
        let sum = |n: u32| Sum { parts: [part(n)].into_iter().collect(), worth: Worth::less(Value::ON) };
        for n in 0..20_000 {
            let value = [Value::ZERO, Value::ON, Value::OFF][n as usize % 3];
            for ledger in [&mut small, &mut large] {
                ledger.has_value(part(n % 15_000), value).unwrap();
                if n % 5 == 0 {
                    ledger.lose(Player::Right, &sum(n)).unwrap();
                }
            }
        }
        assert!(made.get() > 50 && small.runs.len() <= MOST_RUNS);
        for n in 0..21_000 {
            assert_eq!(small.value_of(part(n)).unwrap(), large.value_of(part(n)).unwrap(), "{n}");
            assert_eq!(small.states(Player::Right, &sum(n)).unwrap(), n % 5 == 0 && n < 20_000, "{n}");
            assert!(!small.states(Player::Left, &sum(n)).unwrap());
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
