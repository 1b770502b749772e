//! The container of all tables: a header of text, sections of bytes, and a checksum for every block of them.
//!
//! ```text
//! header    "gbtable\n", format (u32), length of the header (u32), lines of `key value`, zeros, checksum (16 bytes);
//!           a multiple of 4096 bytes
//! data      the sections, one after the other; the header says where each begins
//! checksums 16 bytes for every 4 KiB of data; the header holds the checksum of these
//! ```
//!
//! All integers are little-endian, all checksums are the first 16 bytes of BLAKE3. Every byte of the file is under one
//! checksum, and a block is checked when it is first read: so a file of any size opens at once.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::Mmap;

use crate::error::StoreError;
use crate::map;

/// The format that this program reads and writes.
pub const FORMAT: u32 = 1;
const MAGIC: &[u8; 8] = b"gbtable\n";
const PAGE: usize = 4096;
/// Small, because the first look-up in a block has to read all of it.
const BLOCK_BITS: u32 = 12;
const BLOCK: usize = 1 << BLOCK_BITS;
const SUM: usize = 16;
/// Bytes after every section, so that a number of up to eight bytes can be read from any place of it.
const SLACK: usize = 8;

fn checksum(bytes: &[u8]) -> [u8; SUM] {
    let mut sum = [0; SUM];
    sum.copy_from_slice(&blake3::hash(bytes).as_bytes()[..SUM]);
    sum
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Keys and values of a header.
pub(crate) type Fields = BTreeMap<String, String>;

/// A file being written: nothing has its name before everything is on the disk.
pub(crate) struct Writer {
    path: PathBuf,
    out: BufWriter<tempfile::NamedTempFile>,
    header_bytes: usize,
    fields: Fields,
    block: Vec<u8>,
    sums: Vec<u8>,
    length: u64,
}

impl Writer {
    /// Begins a file that will have the name `path`.
    pub(crate) fn create(path: &Path, fields: Fields) -> Result<Writer, StoreError> {
        let fail = StoreError::io(path);
        let folder = path.parent().unwrap_or(Path::new("."));
        let temporary = tempfile::Builder::new().prefix(".unfinished-").tempfile_in(folder).map_err(fail)?;
        // Room for a few lines that are not known yet: where the sections are, and the checksum of the checksums.
        let text: usize = fields.iter().map(|(key, value)| key.len() + value.len() + 2).sum();
        let header_bytes = (text + 1024 + SUM).next_multiple_of(PAGE);
        let mut out = BufWriter::with_capacity(1 << 20, temporary);
        out.write_all(&vec![0; header_bytes]).map_err(StoreError::io(path))?;
        let path = path.to_owned();
        Ok(Writer { path, out, header_bytes, fields, block: vec![], sums: vec![], length: 0 })
    }

    /// Begins a section, and notes where.
    pub(crate) fn section(&mut self, name: &str) -> Result<(), StoreError> {
        self.fields.insert(format!("section-{name}"), self.length.to_string());
        Ok(())
    }

    /// Ends the section that was begun last.
    pub(crate) fn end_section(&mut self, name: &str) -> Result<(), StoreError> {
        let key = format!("section-{name}");
        let start: u64 = self.fields[&key].parse().unwrap_or(0);
        self.fields.insert(key, format!("{start} {}", self.length - start));
        self.write(&[0; SLACK])
    }

    /// Adds bytes to the section.
    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> Result<(), StoreError> {
        self.length += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = rest;
            if self.block.len() == BLOCK {
                self.end_block()?;
            }
        }
        Ok(())
    }

    fn end_block(&mut self) -> Result<(), StoreError> {
        self.sums.extend_from_slice(&checksum(&self.block));
        self.out.write_all(&self.block).map_err(StoreError::io(&self.path))?;
        self.block.clear();
        Ok(())
    }

    /// Writes what is left, and gives the file its name. A crash at any moment leaves the old file or the new one.
    pub(crate) fn finish(mut self) -> Result<(), StoreError> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.fields.insert("data".into(), self.length.to_string());
        self.fields.insert("checksums".into(), hex(&checksum(&self.sums)));
        let mut header = MAGIC.to_vec();
        header.extend(FORMAT.to_le_bytes());
        header.extend((self.header_bytes as u32).to_le_bytes());
        for (key, value) in &self.fields {
            header.extend(format!("{key} {value}\n").bytes());
        }
        if header.len() + SUM > self.header_bytes {
            return Err(StoreError::Senseless("the description of the table is too long".into()));
        }
        header.resize(self.header_bytes - SUM, 0);
        let sum = checksum(&header);
        header.extend(sum);
        let Writer { path, mut out, sums, .. } = self;
        let write = |out: &mut BufWriter<tempfile::NamedTempFile>| {
            out.write_all(&sums)?;
            out.seek(SeekFrom::Start(0))?;
            out.write_all(&header)?;
            out.flush()
        };
        write(&mut out).map_err(StoreError::io(&path))?;
        let temporary = out.into_inner().map_err(|e| StoreError::io(&path)(e.into_error()))?;
        let seal = |file: &File| {
            let mut permissions = file.metadata()?.permissions();
            permissions.set_readonly(true);
            // Temporary files are their owner's alone; a table is for everybody.
            #[cfg(unix)]
            std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o444);
            file.set_permissions(permissions)?;
            file.sync_all()
        };
        seal(temporary.as_file()).map_err(StoreError::io(&path))?;
        temporary.persist(&path).map_err(|e| StoreError::io(&path)(e.error))?;
        sync_folder(&path)
    }
}

/// Makes sure that a new name is on the disk.
pub(crate) fn sync_folder(path: &Path) -> Result<(), StoreError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Not every system can open a folder; then there is nothing to do.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A finished file.
pub(crate) struct Reader {
    path: PathBuf,
    map: Mmap,
    fields: Fields,
    /// Where the data begins, and how long it is.
    data: Range<usize>,
    /// Whether the checksums are what the header says: found out when the first block is read, since most tables that are
    /// opened are about other games.
    sums_are_right: OnceLock<bool>,
    /// A bit for every block that was found to be right.
    checked: Box<[AtomicU64]>,
}

impl Reader {
    /// Opens a file: the header is checked now, blocks when they are first read.
    pub(crate) fn open(path: &Path) -> Result<Reader, StoreError> {
        let file = File::open(path).map_err(StoreError::io(path))?;
        let damaged = |what: &str| StoreError::damaged(path, what);
        if fs::metadata(path).map_err(StoreError::io(path))?.len() < PAGE as u64 {
            return Err(damaged("it is too short"));
        }
        let map = map::map(&file).map_err(StoreError::io(path))?;
        if &map[..8] != MAGIC {
            return Err(damaged("it does not begin as a table does"));
        }
        let word = |at: usize| u32::from_le_bytes([map[at], map[at + 1], map[at + 2], map[at + 3]]);
        let header_bytes = word(12) as usize;
        if header_bytes < PAGE || header_bytes > map.len() {
            return Err(damaged("the length of the header is wrong"));
        }
        let (header, sum) = map[..header_bytes].split_at(header_bytes - SUM);
        let sum_is_right = sum == checksum(header);
        if word(8) != FORMAT {
            // An older format may have another idea of checksums.
            return Err(StoreError::Version { path: path.to_owned(), found: word(8), expected: FORMAT });
        }
        if !sum_is_right {
            return Err(damaged("the checksum of the header is wrong"));
        }
        let text = String::from_utf8_lossy(&header[16..]).into_owned();
        let lines = text.trim_end_matches('\0').lines();
        let fields: Fields = lines
            .filter_map(|line| line.split_once(' ').map(|(key, value)| (key.into(), value.into())))
            .collect();
        let length = fields.get("data").and_then(|n| n.parse::<usize>().ok());
        let length = length.filter(|&n| n <= map.len()).ok_or_else(|| damaged("it was cut short"))?;
        let blocks = length.div_ceil(BLOCK);
        let data = header_bytes..header_bytes + length;
        if data.end + blocks * SUM != map.len() {
            return Err(damaged("its length is wrong: it was cut short, or added to"));
        }
        let checked = (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Reader { path: path.to_owned(), map, fields, data, sums_are_right: OnceLock::new(), checked })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub(crate) fn len(&self) -> u64 {
        self.map.len() as u64
    }

    /// A field of the header.
    pub(crate) fn field(&self, key: &str) -> Result<&str, StoreError> {
        let missing = || StoreError::damaged(&self.path, format!("the header does not say `{key}`"));
        self.fields.get(key).map(String::as_str).ok_or_else(missing)
    }

    /// A number of the header.
    pub(crate) fn number(&self, key: &str) -> Result<u64, StoreError> {
        let text = self.field(key)?;
        text.parse().map_err(|_| StoreError::damaged(&self.path, format!("`{key}` is no number")))
    }

    /// Where a section is.
    pub(crate) fn section(&self, name: &str) -> Result<Section, StoreError> {
        let text = self.field(&format!("section-{name}"))?;
        let wrong = || StoreError::damaged(&self.path, format!("the place of section {name} is wrong"));
        let (start, length) = text.split_once(' ').ok_or_else(wrong)?;
        let start: usize = start.parse().map_err(|_| wrong())?;
        let length: usize = length.parse().map_err(|_| wrong())?;
        let end = start.checked_add(length).and_then(|end| end.checked_add(SLACK)).ok_or_else(wrong)?;
        if end > self.data.len() {
            return Err(wrong());
        }
        Ok(Section { start, length })
    }

    /// Bytes of a section, checked. May reach into the slack after it.
    #[inline]
    pub(crate) fn bytes(&self, section: Section, range: Range<usize>) -> Result<&[u8], StoreError> {
        debug_assert!(range.end <= section.length + SLACK);
        let (start, end) = (section.start + range.start, section.start + range.end);
        let (first, last) = (start >> BLOCK_BITS, (end.max(start + 1) - 1) >> BLOCK_BITS);
        for block in first..=last {
            if self.checked[block / 64].load(Relaxed) >> (block % 64) & 1 == 0 {
                self.check(block)?;
            }
        }
        Ok(&self.map[self.data.start + start..self.data.start + end])
    }

    #[cold]
    fn check(&self, block: usize) -> Result<(), StoreError> {
        let sums = &self.map[self.data.end..];
        let right = || self.fields.get("checksums") == Some(&hex(&checksum(sums)));
        if !self.sums_are_right.get_or_init(right) {
            return Err(StoreError::damaged(&self.path, "the checksum of the checksums is wrong"));
        }
        let start = self.data.start + block * BLOCK;
        let bytes = &self.map[start..(start + BLOCK).min(self.data.end)];
        let sum = &sums[block * SUM..][..SUM];
        if sum != checksum(bytes) {
            let what = format!("the checksum of block {block} is wrong");
            return Err(StoreError::damaged(&self.path, what));
        }
        self.checked[block / 64].fetch_or(1 << (block % 64), Relaxed);
        Ok(())
    }

    /// Checks every block.
    pub(crate) fn check_all(&self) -> Result<(), StoreError> {
        (0..self.data.len().div_ceil(BLOCK)).try_for_each(|block| self.check(block))
    }
}

/// The place of a section in the data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    start: usize,
    pub(crate) length: usize,
}
