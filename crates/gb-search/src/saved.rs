//! What a search for winners has found, as bytes: a long search can be put aside, and another process can go on with it.
//!
//! ```text
//! "gbsaved\n", the length of the heading (u32), the heading: what the entries are about
//! three sections: winners of sums, nimbers of parts, what nimbers are not; each
//!     words of an entry (u32), how many entries (u64), the entries, in words of 64 bits
//! the BLAKE3 hash of all that (32 bytes)
//! ```
//!
//! All integers are little-endian. Entries say who wins a sum or which nimber a part has, by keys that do not depend on the store or on what was
//! searched before. So a file is worth something to every position of its game; and an entry that is missing costs time and nothing else.

use std::io::{self, Read, Seek, SeekFrom, Write};

use gb_rules::Key;
use gb_value::Budget;

use crate::question::outcome::{ENTRY_WORDS, Memory};
use crate::table::Table;
use crate::tables::GameTables;
use crate::{AnySolved, Solved, with_solved};

const MAGIC: &[u8; 8] = b"gbsaved\n";
const HASH: usize = blake3::OUT_LEN;
/// A heading is a name, the text of a game and a version.
const LONGEST_HEADING: u32 = 1 << 20;

/// Why a saved search cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("this is no saved search")]
    NotSaved,
    /// It is about other rules, or was written by another version.
    #[error("this was saved by a search of {found}, and not of {expected}")]
    Other {
        /// The first line of what it is about.
        found: String,
        /// The same of what was asked for.
        expected: String,
    },
    /// The same game, with other rules.
    #[error("this was saved by a search with other rules of {0}, or by another version of the program")]
    OtherRules(String),
    /// Its checksum does not fit, or its end is missing.
    #[error("this saved search is damaged: what it says does not fit its checksum")]
    Damaged,
}

impl AnySolved {
    /// Whether what is found about a game means the same to another process.
    pub fn can_be_saved(&self) -> bool {
        with_solved!(self, solved => {
            let game = &*solved.game;
            game.has_lasting_keys() && !game.info().loopy && !game.has_global_wins() && !game.ends_in_score()
        })
    }

    /// Writes down what was found: how many entries. `heading` says what they are about; its first line is shown to people.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, heading: &str, memory: &Memory, out: &mut dyn Write) -> io::Result<u64> {
        let mut out = Hashing { out, hash: blake3::Hasher::new() };
        out.bytes(MAGIC)?;
        out.bytes(&(heading.len() as u32).to_le_bytes())?;
        out.bytes(heading.as_bytes())?;
        let mut winners = 0;
        memory.entries(&mut |_| winners += 1);
        out.section(ENTRY_WORDS, winners)?;
        let mut written = Ok(());
        memory.entries(&mut |entry| {
            if written.is_ok() {
                written = out.words(&entry);
            }
        });
        written?;
        let facts = with_solved!(self, solved => {
            out.facts(&solved.tables.nimbers, |&nimber| u64::from(nimber))?
                + out.facts(&solved.tables.excluded, |&excluded| excluded)?
        });
        let hash = out.hash.finalize();
        out.out.write_all(hash.as_bytes())?;
        Ok(winners + facts)
    }

    /// Takes what was saved with this heading: how many entries. All of it is compared with its checksum before anything is believed.
    ///
    /// # Errors
    /// If it is no saved search, one of something else, or damaged; then nothing has changed.
    pub fn load<R: Read + Seek>(
        &self,
        heading: &str,
        memory: &mut Memory,
        input: &mut R,
        budget: &Budget,
    ) -> Result<u64, SavedError> {
        check(heading, input)?;
        input.seek(SeekFrom::Start((MAGIC.len() + 4 + heading.len()) as u64))?;
        let mut input = io::BufReader::with_capacity(1 << 20, input);
        with_solved!(self, solved => load_sections(solved, memory, &mut input, budget))
    }
}

/// Compares everything with the checksum, and the heading with what is expected.
fn check(heading: &str, input: &mut (impl Read + Seek)) -> Result<(), SavedError> {
    let length = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(0))?;
    let mut start = [0; MAGIC.len() + 4];
    let is_short = length < (start.len() + HASH) as u64;
    if !is_short {
        input.read_exact(&mut start)?;
    }
    if is_short || !start.starts_with(MAGIC) {
        return Err(SavedError::NotSaved);
    }
    let [.., a, b, c, d] = start;
    let heading_length = u32::from_le_bytes([a, b, c, d]);
    if heading_length > LONGEST_HEADING || u64::from(heading_length) > length {
        return Err(SavedError::Damaged);
    }
    input.seek(SeekFrom::Start(0))?;
    let (mut hash, mut first) = (blake3::Hasher::new(), vec![]);
    let mut block = vec![0; 1 << 20];
    let mut left = length - HASH as u64;
    while left > 0 {
        let some = left.min(block.len() as u64) as usize;
        input.read_exact(&mut block[..some])?;
        hash.update(&block[..some]);
        if first.is_empty() {
            first = block[..some].to_vec();
        }
        left -= some as u64;
    }
    let mut written = [0; HASH];
    input.read_exact(&mut written)?;
    if hash.finalize() != written {
        return Err(SavedError::Damaged);
    }
    let found = first.get(start.len()..start.len() + heading_length as usize).ok_or(SavedError::Damaged)?;
    if found == heading.as_bytes() {
        return Ok(());
    }
    let first_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let (found, expected) = (first_line(&String::from_utf8_lossy(found)), first_line(heading));
    Err(if found == expected { SavedError::OtherRules(found) } else { SavedError::Other { found, expected } })
}

/// The sections, whose checksum has been compared.
fn load_sections<const N: usize>(
    solved: &Solved<N>,
    memory: &mut Memory,
    input: &mut impl Read,
    budget: &Budget,
) -> Result<u64, SavedError> {
    let mut restore = memory.restorer(budget);
    let winners = section(input, ENTRY_WORDS, &mut |words| restore([words[0], words[1]]))?;
    let GameTables { nimbers, excluded, .. } = &solved.tables;
    let key = |words: &[u64]| Key(std::array::from_fn(|i| words[i]));
    let exact = section(input, N + 1, &mut |words| nimbers.finish(&key(words), words[N] as u32))?;
    let not = section(input, N + 1, &mut |words| excluded.finish(&key(words), words[N]))?;
    Ok(winners + exact + not)
}

/// Reads a section of entries of so many words: how many there are.
fn section(input: &mut impl Read, words: usize, write: &mut dyn FnMut(&[u64])) -> Result<u64, SavedError> {
    let (mut four, mut eight) = ([0; 4], [0; 8]);
    input.read_exact(&mut four)?;
    input.read_exact(&mut eight)?;
    if u32::from_le_bytes(four) as usize != words {
        return Err(SavedError::Damaged);
    }
    let count = u64::from_le_bytes(eight);
    let mut entry = vec![0; words];
    for _ in 0..count {
        for word in &mut entry {
            input.read_exact(&mut eight)?;
            *word = u64::from_le_bytes(eight);
        }
        write(&entry);
    }
    Ok(count)
}

/// Writes, and keeps the hash of what was written.
struct Hashing<'a> {
    out: &'a mut dyn Write,
    hash: blake3::Hasher,
}

impl Hashing<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes)
    }

    fn words(&mut self, words: &[u64]) -> io::Result<()> {
        words.iter().try_for_each(|word| self.bytes(&word.to_le_bytes()))
    }

    fn section(&mut self, words: usize, count: u64) -> io::Result<()> {
        self.bytes(&(words as u32).to_le_bytes())?;
        self.bytes(&count.to_le_bytes())
    }

    fn facts<const N: usize, F: Clone>(
        &mut self,
        table: &Table<Key<N>, F>,
        word: impl Fn(&F) -> u64,
    ) -> io::Result<u64> {
        let count = table.facts().count() as u64;
        self.section(N + 1, count)?;
        for (key, fact) in table.facts() {
            self.words(&key.0)?;
            self.words(&[word(fact)])?;
        }
        Ok(count)
    }
}
