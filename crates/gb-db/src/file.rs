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
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::blocks::{BlockError, Blocks};
use crate::error::StoreError;
use crate::unfinished;

/// The format that this program reads and writes.
pub const FORMAT: u32 = 1;
const MAGIC: &[u8; 8] = b"gbtable\n";
const PAGE: usize = 4096;
/// Small, because the first look-up in a block has to read all of it.
pub(crate) const BLOCK_BITS: u32 = 12;
pub(crate) const BLOCK: usize = 1 << BLOCK_BITS;
pub(crate) const SUM: usize = 16;
/// Bytes after every section, so that a number of up to eight bytes can be read from any place of it.
pub(crate) const SLACK: usize = 8;

pub(crate) fn checksum(bytes: &[u8]) -> [u8; SUM] {
    let mut sum = [0; SUM];
    sum.copy_from_slice(&blake3::hash(bytes).as_bytes()[..SUM]);
    sum
}

pub(crate) fn hex(bytes: &[u8]) -> String {
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
        let temporary = unfinished::create(folder).map_err(fail)?;
        // Room for a few lines that are not known yet: where the sections are, and the checksum of the checksums.
        let text: usize = fields.iter().map(|(key, value)| key.len() + value.len() + 2).sum();
        let header_bytes = (text + 1024 + SUM).next_multiple_of(PAGE);
        let mut out = BufWriter::with_capacity(1 << 20, temporary);
        out.write_all(&vec![0; header_bytes]).map_err(StoreError::io(path))?;
        let path = path.to_owned();
        Ok(Writer { path, out, header_bytes, fields, block: vec![], sums: vec![], length: 0 })
    }

    /// Says something in the header that was not known at the beginning, or otherwise.
    pub(crate) fn set(&mut self, key: &str, value: String) {
        self.fields.insert(key.to_owned(), value);
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
    pub(crate) fn finish(self) -> Result<(), StoreError> {
        self.finish_as(true)
    }

    /// The same for a file that is soon gone, and not missed: after a crash of the machine it may be damaged, and then its checksums are.
    pub(crate) fn finish_for_now(self) -> Result<(), StoreError> {
        self.finish_as(false)
    }

    fn finish_as(mut self, to_stay: bool) -> Result<(), StoreError> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.fields.insert("data".into(), self.length.to_string());
        self.fields.insert("checksums".into(), hex(&checksum(&self.sums)));
        let header = header(&self.fields, self.header_bytes)?;
        let Writer { path, mut out, sums, .. } = self;
        let write = |out: &mut BufWriter<tempfile::NamedTempFile>| {
            out.write_all(&sums)?;
            out.seek(SeekFrom::Start(0))?;
            out.write_all(&header)?;
            out.flush()
        };
        write(&mut out).map_err(StoreError::io(&path))?;
        let temporary = out.into_inner().map_err(|e| StoreError::io(&path)(e.into_error()))?;
        if to_stay {
            seal(temporary.as_file()).map_err(StoreError::io(&path))?;
        }
        temporary.persist(&path).map_err(|e| StoreError::io(&path)(e.error))?;
        if to_stay { sync_folder(&path) } else { Ok(()) }
    }
}

/// The header of a file.
pub(crate) fn header(fields: &Fields, bytes: usize) -> Result<Vec<u8>, StoreError> {
    let mut header = MAGIC.to_vec();
    header.extend(FORMAT.to_le_bytes());
    header.extend((bytes as u32).to_le_bytes());
    for (key, value) in fields {
        header.extend(format!("{key} {value}\n").bytes());
    }
    if header.len() + SUM > bytes {
        return Err(StoreError::Invalid("the description of the table is too long".into()));
    }
    header.resize(bytes - SUM, 0);
    let sum = checksum(&header);
    header.extend(sum);
    Ok(header)
}

/// A finished file: nobody changes it any more, all of it is on the disk.
pub(crate) fn seal(file: &File) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    // Temporary files are their owner's alone; a table is for everybody.
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o444);
    file.set_permissions(permissions)?;
    file.sync_all()
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
    length: u64,
    fields: Fields,
    data: Blocks,
}

/// A longer header is none of ours.
const MAX_HEADER: usize = 1 << 20;

impl Reader {
    /// Opens a file: the header is checked now, blocks when they are first read.
    pub(crate) fn open(path: &Path) -> Result<Reader, StoreError> {
        let damaged = |what: &str| StoreError::damaged(path, what);
        // Opening a pipe would wait for somebody to write to it.
        if !fs::metadata(path).map_err(StoreError::io(path))?.is_file() {
            return Err(StoreError::NoFile { path: path.to_owned() });
        }
        let mut file = File::open(path).map_err(StoreError::io(path))?;
        let total = file.metadata().map_err(StoreError::io(path))?.len();
        if total < PAGE as u64 {
            return Err(damaged("it is too short"));
        }
        let mut header = vec![0; PAGE];
        let short = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged("it was cut short"),
            _ => StoreError::io(path)(error),
        };
        file.read_exact(&mut header).map_err(short)?;
        if &header[..8] != MAGIC {
            return Err(damaged("it does not begin as a table does"));
        }
        let word =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let (format, header_bytes) = (word(8), word(12) as usize);
        if !(PAGE..=MAX_HEADER).contains(&header_bytes) || header_bytes as u64 > total {
            return Err(damaged("the length of the header is wrong"));
        }
        header.resize(header_bytes, 0);
        file.read_exact(&mut header[PAGE..]).map_err(short)?;
        let (header, sum) = header.split_at(header_bytes - SUM);
        let sum_is_right = sum == checksum(header);
        if format != FORMAT {
            // An older format may have another idea of checksums.
            return Err(StoreError::Version { path: path.to_owned(), found: format, expected: FORMAT });
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
        let length = length.filter(|&n| n as u64 <= total).ok_or_else(|| damaged("it was cut short"))?;
        let blocks = length.div_ceil(BLOCK);
        if (header_bytes + length + blocks * SUM) as u64 != total {
            return Err(damaged("its length is wrong: it was cut short, or added to"));
        }
        let sum_of_sums = fields.get("checksums").cloned().unwrap_or_default();
        let data = Blocks::new(file, header_bytes as u64, length, sum_of_sums);
        Ok(Reader { path: path.to_owned(), length: total, fields, data })
    }

    /// See [`Blocks::keep_at_most`].
    pub(crate) fn keep_at_most(&mut self, bytes: usize) {
        self.data.keep_at_most(bytes);
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub(crate) fn len(&self) -> u64 {
        self.length
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

    #[cold]
    fn failed(&self, error: BlockError) -> StoreError {
        match error {
            BlockError::Io(error) => StoreError::io(&self.path)(error),
            BlockError::Damaged(what) => StoreError::damaged(&self.path, what),
        }
    }

    /// A number of `width` bits from a bit of a section on, checked.
    #[inline]
    pub(crate) fn bits(&self, section: Section, bit: usize, width: u32) -> Result<u64, StoreError> {
        debug_assert!(bit + width as usize <= 8 * (section.length + SLACK));
        self.data.bits(8 * section.start + bit, width).map_err(|error| self.failed(error))
    }

    /// Copies bytes of a section, checked, from a place on.
    pub(crate) fn copy(&self, section: Section, at: usize, bytes: &mut [u8]) -> Result<(), StoreError> {
        debug_assert!(at + bytes.len() <= section.length + SLACK);
        self.data.copy(section.start + at, bytes).map_err(|error| self.failed(error))
    }

    /// Bytes of a section, checked.
    pub(crate) fn bytes(&self, section: Section, range: Range<usize>) -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; range.len()];
        self.copy(section, range.start, &mut bytes)?;
        Ok(bytes)
    }

    /// Bytes of a section, checked and not kept.
    pub(crate) fn bytes_once(&self, section: Section, range: Range<usize>) -> Result<Vec<u8>, StoreError> {
        debug_assert!(range.end <= section.length);
        let mut bytes = vec![0; range.len()];
        self.data.copy_once(section.start + range.start, &mut bytes).map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// Checks every block as it is on the disk now.
    pub(crate) fn check_all(&self) -> Result<(), StoreError> {
        self.data.check_all().map_err(|error| self.failed(error))
    }
}

/// The place of a section in the data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    start: usize,
    pub(crate) length: usize,
}
