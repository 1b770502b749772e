//! What a build has done so far, on disk: records that are only ever added. After a crash the records up to the first
//! one that is incomplete are believed, and the rest is cut off.
//!
//! ```text
//! a line of text    what is being built, in which format
//! records           length (u32), bytes, checksum (16 bytes) of the previous checksum and the bytes
//! ```

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::file::FORMAT;

const SUM: usize = 16;

type Sum = [u8; SUM];

fn chained(previous: &Sum, bytes: &[u8]) -> Sum {
    let mut hasher = blake3::Hasher::new();
    hasher.update(previous).update(bytes);
    let mut sum = [0; SUM];
    sum.copy_from_slice(&hasher.finalize().as_bytes()[..SUM]);
    sum
}

/// The journal of one build.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    last: Sum,
    length: u64,
}

impl Journal {
    fn title(what: &str) -> String {
        format!("gbjournal {FORMAT} {what}\n")
    }

    /// Opens a journal, or begins one: also if there is one that cannot be gone on with, because it belongs to another
    /// build or format. Returns the records it holds.
    pub(crate) fn open(path: &Path, what: &str) -> Result<(Journal, Vec<Vec<u8>>), StoreError> {
        let fail = StoreError::io(path);
        let open = || -> io::Result<(Journal, Vec<Vec<u8>>)> {
            let mut file =
                OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
            let mut bytes = vec![];
            file.read_to_end(&mut bytes)?;
            let title = Self::title(what);
            let (records, last, length) = match bytes.strip_prefix(title.as_bytes()) {
                Some(rest) => {
                    let (records, last, used) = intact_records(first_sum(&title), rest);
                    (records, last, title.len() + used)
                }
                None => {
                    file.set_len(0)?;
                    file.seek(SeekFrom::Start(0))?;
                    file.write_all(title.as_bytes())?;
                    (vec![], first_sum(&title), title.len())
                }
            };
            let length = length as u64;
            file.set_len(length)?;
            file.seek(SeekFrom::Start(length))?;
            file.sync_all()?;
            Ok((Journal { path: path.to_owned(), file, last, length }, records))
        };
        open().map_err(fail)
    }

    /// Adds a record; afterwards it is on the disk. If that fails, the journal is as before.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let sum = chained(&self.last, bytes);
        let mut record = Vec::with_capacity(bytes.len() + 4 + SUM);
        let too_long = || StoreError::Invalid("a record of the journal is too long".into());
        record.extend(u32::try_from(bytes.len()).map_err(|_| too_long())?.to_le_bytes());
        record.extend_from_slice(bytes);
        record.extend(sum);
        let written = self.file.write_all(&record).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(StoreError::io(&self.path)(error));
        }
        self.last = sum;
        self.length += record.len() as u64;
        Ok(())
    }

    /// Removes the journal: what it was about is finished.
    pub(crate) fn remove(self) -> Result<(), StoreError> {
        std::fs::remove_file(&self.path).map_err(StoreError::io(&self.path))
    }
}

/// The records of a journal that another process is writing to.
pub(crate) struct Records {
    path: PathBuf,
    title: String,
    last: Sum,
    /// Where the next record begins; 0 if nothing was read yet.
    at: u64,
}

impl Records {
    pub(crate) fn of(path: &Path, what: &str) -> Records {
        let title = Journal::title(what);
        Records { path: path.to_owned(), last: first_sum(&title), title, at: 0 }
    }

    /// The records that have been added since the last call.
    pub(crate) fn more(&mut self) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut bytes = vec![];
        let mut read = || -> io::Result<()> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.at))?;
            file.read_to_end(&mut bytes).map(|_| ())
        };
        read().map_err(StoreError::io(&self.path))?;
        let mut rest = bytes.as_slice();
        if self.at == 0 {
            rest = rest.strip_prefix(self.title.as_bytes()).ok_or_else(|| {
                StoreError::Foreign(format!("{} belongs to another build", self.path.display()))
            })?;
            self.at = self.title.len() as u64;
        }
        let (records, last, used) = intact_records(self.last, rest);
        self.last = last;
        self.at += used as u64;
        Ok(records)
    }
}

fn first_sum(title: &str) -> Sum {
    chained(&[0; SUM], title.as_bytes())
}

/// The records after the one with the checksum `last`, up to the first that is incomplete or damaged; the checksum of the
/// last one, and their length.
fn intact_records(mut last: Sum, bytes: &[u8]) -> (Vec<Vec<u8>>, Sum, usize) {
    let (mut records, mut at) = (vec![], 0);
    while let Some(head) = bytes.get(at..at + 4) {
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some(body) = bytes.get(at + 4..at + 4 + length) else { break };
        let Some(sum) = bytes.get(at + 4 + length..at + 4 + length + SUM) else { break };
        let expected = chained(&last, body);
        if sum != expected {
            break;
        }
        last = expected;
        records.push(body.to_vec());
        at += 4 + length + SUM;
    }
    (records, last, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut records = Records::of(&path, "a build");
        assert!(records.more().is_err(), "there is no journal yet");
        let (mut journal, _) = Journal::open(&path, "a build").unwrap();
        assert!(records.more().unwrap().is_empty());
        journal.append(b"one").unwrap();
        journal.append(b"two").unwrap();
        assert_eq!(records.more().unwrap(), [b"one", b"two"]);
        assert!(records.more().unwrap().is_empty());
        journal.append(b"three").unwrap();
        assert_eq!(records.more().unwrap(), [b"three"]);
        assert!(Records::of(&path, "another build").more().is_err());
    }

    #[test]
    fn every_kind_of_damage_leaves_the_records_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut journal, records) = Journal::open(&path, "a build").unwrap();
        assert!(records.is_empty());
        let written = [b"one".to_vec(), vec![], b"three".to_vec()];
        for record in &written {
            journal.append(record).unwrap();
        }
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(Journal::open(&path, "a build").unwrap().1, written);
        let title = Journal::title("a build").len();
        for cut in title..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (mut journal, records) = Journal::open(&path, "a build").unwrap();
            assert!(records.len() < 3 && written.starts_with(&records), "cut at {cut}");
            journal.append(b"new").unwrap();
            let again = Journal::open(&path, "a build").unwrap().1;
            assert_eq!(again.len(), records.len() + 1);
            assert_eq!(again.last().unwrap(), b"new");
        }
        for flip in title..whole.len() {
            let mut bytes = whole.clone();
            bytes[flip] ^= 4;
            std::fs::write(&path, &bytes).unwrap();
            let records = Journal::open(&path, "a build").unwrap().1;
            assert!(records.len() < 3 && written.starts_with(&records), "flipped at {flip}");
        }
        std::fs::write(&path, &whole).unwrap();
        assert!(Journal::open(&path, "another build").unwrap().1.is_empty());
    }
}
