//! The data of a finished file, read into memory block by block, each when it is first asked for and after its checksum was
//! compared.
//!
//! Why not mapped: a file that somebody cuts short while it is mapped ends every program that touches the missing pages, and
//! mapping needs `unsafe`. Blocks that are read are ours whatever happens to the file, they are memory that is counted like
//! any other, and look-ups are as fast. The price is that processes do not share one copy, and that a look-up in a block
//! that is new costs a call of the system.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Mutex, OnceLock};

use crate::file::{BLOCK, BLOCK_BITS, SUM, checksum, hex};

/// Why a block cannot be read.
pub(crate) enum BlockError {
    /// What the system says.
    Io(io::Error),
    /// What is wrong with the contents.
    Damaged(String),
}

impl From<io::Error> for BlockError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                BlockError::Damaged("it was cut short while it was in use".into())
            }
            _ => BlockError::Io(error),
        }
    }
}

/// Memory is taken for so many blocks together: for as many as there are bits in a word.
const BLOCKS: usize = 64;
const CHUNK_BITS: u32 = BLOCK_BITS + 6;
const CHUNK: usize = BLOCKS * BLOCK;

/// Blocks side by side, as words. What a look-up needs first is in one line of the cache.
#[derive(Default)]
struct Chunk {
    /// A bit for every block that is there and right.
    checked: AtomicU64,
    /// Made when the first block is read.
    words: OnceLock<Box<[AtomicU64]>>,
}

/// The data of a file as words, of which those in checked blocks are there.
pub(crate) struct Blocks {
    /// Locked for a seek and a read; what is checked needs no lock.
    file: Mutex<File>,
    /// Where the data begins in the file, and its length.
    start: u64,
    length: usize,
    /// The checksums of the blocks, once they are read, and what the header says about them.
    sums: OnceLock<Vec<u8>>,
    sum_of_sums: String,
    chunks: Box<[Chunk]>,
    /// How many chunks have memory, and may have.
    kept: AtomicUsize,
    most: usize,
}

impl Blocks {
    /// The data of a file; nothing is read yet.
    pub(crate) fn new(file: File, start: u64, length: usize, sum_of_sums: String) -> Blocks {
        Blocks {
            file: Mutex::new(file),
            start,
            length,
            sums: OnceLock::new(),
            sum_of_sums,
            chunks: (0..length.div_ceil(CHUNK)).map(|_| Chunk::default()).collect(),
            kept: AtomicUsize::new(0),
            most: usize::MAX,
        }
    }

    /// From now on about so many bytes are kept in memory; what is read beyond that is read again each time.
    pub(crate) fn keep_at_most(&mut self, bytes: usize) {
        self.most = bytes / CHUNK;
    }

    /// How many bytes of data there are.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(|e| e.into_inner());
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }

    fn sums(&self) -> Result<&[u8], BlockError> {
        if let Some(sums) = self.sums.get() {
            return Ok(sums);
        }
        let sums = self.read_sums()?;
        Ok(self.sums.get_or_init(|| sums))
    }

    fn read_sums(&self) -> Result<Vec<u8>, BlockError> {
        let mut sums = vec![0; self.length.div_ceil(BLOCK) * SUM];
        self.read_at(self.start + self.length as u64, &mut sums)?;
        if hex(&checksum(&sums)) != self.sum_of_sums {
            return Err(BlockError::Damaged("the checksum of the checksums is wrong".into()));
        }
        Ok(sums)
    }

    /// Reads a block from the file, and compares its checksum.
    fn read_block<'b>(&self, block: usize, buffer: &'b mut [u8; BLOCK]) -> Result<&'b [u8], BlockError> {
        let sum = &self.sums()?[block * SUM..][..SUM];
        let at = block * BLOCK;
        let bytes = &mut buffer[..BLOCK.min(self.length - at)];
        self.read_at(self.start + at as u64, bytes)?;
        if sum != checksum(bytes) {
            return Err(BlockError::Damaged(format!("the checksum of block {block} is wrong")));
        }
        Ok(bytes)
    }

    /// Puts a block into memory. Who comes second writes the same words.
    #[cold]
    fn load(&self, block: usize) -> Result<(), BlockError> {
        let mut buffer = [0; BLOCK];
        let bytes = self.read_block(block, &mut buffer)?;
        let (chunk, place) = (&self.chunks[block / BLOCKS], block % BLOCKS);
        let words = chunk.words.get_or_init(|| {
            self.kept.fetch_add(1, Relaxed);
            (0..CHUNK / 8).map(|_| AtomicU64::new(0)).collect()
        });
        for (word, bytes) in words[place * BLOCK / 8..].iter().zip(bytes.chunks(8)) {
            let mut eight = [0; 8];
            eight[..bytes.len()].copy_from_slice(bytes);
            word.store(u64::from_le_bytes(eight), Relaxed);
        }
        // Whoever sees the bit sees the words.
        chunk.checked.fetch_or(1 << place, Release);
        Ok(())
    }

    /// The word that holds a byte of the data, of which nothing is kept.
    #[cold]
    fn word_on_disk(&self, byte: usize) -> Result<u64, BlockError> {
        let mut buffer = [0; BLOCK];
        self.read_block(byte >> BLOCK_BITS, &mut buffer)?;
        let mut eight = [0; 8];
        eight.copy_from_slice(&buffer[byte % BLOCK / 8 * 8..][..8]);
        Ok(u64::from_le_bytes(eight))
    }

    /// Whether the block of a byte is in memory, or there is room for it.
    #[inline]
    fn is_kept(&self, byte: usize) -> bool {
        self.chunks[byte >> CHUNK_BITS].words.get().is_some() || self.kept.load(Relaxed) < self.most
    }

    /// The word that holds a byte of the data.
    #[inline]
    fn word(&self, byte: usize) -> Result<u64, BlockError> {
        let chunk = &self.chunks[byte >> CHUNK_BITS];
        if chunk.checked.load(Acquire) >> ((byte >> BLOCK_BITS) % BLOCKS) & 1 == 0 {
            if chunk.words.get().is_none() && self.kept.load(Relaxed) >= self.most {
                return self.word_on_disk(byte);
            }
            self.load(byte >> BLOCK_BITS)?;
        }
        Ok(chunk.words.get().map_or(0, |words| words[byte % CHUNK / 8].load(Relaxed)))
    }

    /// A number of `width` bits, at most 57, from a bit of the data on.
    #[inline]
    pub(crate) fn bits(&self, bit: usize, width: u32) -> Result<u64, BlockError> {
        let shift = (bit % 64) as u32;
        let mut number = self.word(bit / 8)? >> shift;
        if shift + width > 64 {
            number |= self.word(bit / 8 + 8)? << (64 - shift);
        }
        Ok(number & ((1 << width) - 1))
    }

    /// Copies bytes of the data from a place on.
    pub(crate) fn copy(&self, at: usize, bytes: &mut [u8]) -> Result<(), BlockError> {
        let mut done = 0;
        while done < bytes.len() {
            if !self.is_kept(at + done) {
                // All that is in the block at once: it is read again by whoever comes next.
                let mut buffer = [0; BLOCK];
                let found = &self.read_block((at + done) / BLOCK, &mut buffer)?[(at + done) % BLOCK..];
                let count = found.len().min(bytes.len() - done);
                bytes[done..done + count].copy_from_slice(&found[..count]);
                done += count;
                continue;
            }
            let skip = (at + done) % 8;
            let count = (8 - skip).min(bytes.len() - done);
            let eight = self.word(at + done)?.to_le_bytes();
            bytes[done..done + count].copy_from_slice(&eight[skip..skip + count]);
            done += count;
        }
        Ok(())
    }

    /// Copies bytes of the data from a place on, checked, without keeping them: for those who read a file from one end to the other.
    pub(crate) fn copy_once(&self, at: usize, bytes: &mut [u8]) -> Result<(), BlockError> {
        let (mut done, mut buffer) = (0, [0; BLOCK]);
        while done < bytes.len() {
            let (block, skip) = ((at + done) / BLOCK, (at + done) % BLOCK);
            let found = &self.read_block(block, &mut buffer)?[skip..];
            let count = found.len().min(bytes.len() - done);
            bytes[done..done + count].copy_from_slice(&found[..count]);
            done += count;
        }
        Ok(())
    }

    /// Compares all checksums with what is in the file now.
    pub(crate) fn check_all(&self) -> Result<(), BlockError> {
        let mut buffer = [0; BLOCK];
        self.read_sums()?;
        (0..self.length.div_ceil(BLOCK)).try_for_each(|block| self.read_block(block, &mut buffer).map(drop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// What is not kept is the same as what is, and is checked each time.
    #[test]
    fn memory_may_be_little() {
        let data: Vec<u8> = (0..3 * CHUNK + 1234).map(|i| (i * i / 7) as u8).collect();
        let sums: Vec<u8> = data.chunks(BLOCK).flat_map(checksum).collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().write_all(&[data.as_slice(), &sums].concat()).unwrap();
        let open = |most: usize| {
            let file = File::open(file.path()).unwrap();
            let mut blocks = Blocks::new(file, 0, data.len(), hex(&checksum(&sums)));
            blocks.keep_at_most(most);
            blocks
        };
        for most in [0, CHUNK, usize::MAX] {
            let blocks = open(most);
            for at in (0..data.len() - 8).step_by(997) {
                let mut bytes = [0; 8];
                assert!(blocks.copy(at, &mut bytes).is_ok());
                assert_eq!(bytes, data[at..][..8]);
            }
            assert!(blocks.kept.load(Relaxed) <= (most / CHUNK).min(4));
        }
        let blocks = open(0);
        assert!(blocks.bits(80_000, 8).is_ok());
        let mut damaged = data.clone();
        damaged[10_000] ^= 1;
        std::fs::write(file.path(), [damaged.as_slice(), &sums].concat()).unwrap();
        assert!(blocks.bits(80_000, 8).is_err());
    }
}
