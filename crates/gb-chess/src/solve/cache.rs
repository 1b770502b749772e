//! Tables on disk: written once, checked whenever they are read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// First bytes of every file: what it is, and the version of its format.
const MAGIC: &[u8; 16] = b"gamebench-chess1";

/// Why a table could not be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is not what was written.
    #[error("{}: the table is damaged and was made again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

/// A folder of tables.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

impl Cache {
    pub(super) fn new(folder: &Path) -> Cache {
        Cache { folder: folder.to_path_buf() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.table"))
    }

    /// The words of a table; `None` if there is no such file.
    pub(super) fn read(&self, name: &str, words: usize) -> Result<Option<Vec<u64>>, CacheError> {
        let path = self.path(name);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(CacheError::Io { path, source }),
        };
        let damaged = || CacheError::Damaged { path: path.clone() };
        let body = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
        if body.len() != 8 * (words + 1) {
            return Err(damaged());
        }
        let mut read: Vec<u64> = body
            .chunks_exact(8)
            .map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
            .collect();
        let sum = read.pop();
        if sum != Some(checksum(name, &read)) {
            return Err(damaged());
        }
        Ok(Some(read))
    }

    /// Writes a table beside its place and moves it there, so that nobody ever reads half of one.
    pub(super) fn write(&self, name: &str, words: &[u64]) -> Result<(), CacheError> {
        let path = self.path(name);
        let fail = |source| CacheError::Io { path: path.clone(), source };
        fs::create_dir_all(&self.folder).map_err(fail)?;
        let mut bytes = Vec::with_capacity(16 + 8 * (words.len() + 1));
        bytes.extend_from_slice(MAGIC);
        for word in words.iter().copied().chain([checksum(name, words)]) {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        let draft = self.folder.join(format!("{name}.{}.draft", std::process::id()));
        fs::write(&draft, &bytes).map_err(fail)?;
        fs::rename(&draft, &path).map_err(fail)
    }
}

/// A sum that depends on every bit and its place.
fn checksum(name: &str, words: &[u64]) -> u64 {
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let sum = name.bytes().fold(0x5eed, |sum, byte| mix(sum, u64::from(byte)));
    words.iter().fold(sum, |sum, &word| mix(sum, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_checked() {
        let folder = std::env::temp_dir().join(format!("gamebench-cache-test-{}", std::process::id()));
        let cache = Cache::new(&folder);
        let words: Vec<u64> = (0..1000u64).map(|n| n.wrapping_mul(0x0123_4567_89ab_cdef)).collect();
        assert!(matches!(cache.read("kqkq", 1000), Ok(None)));
        cache.write("kqkq", &words).unwrap();
        assert_eq!(cache.read("kqkq", 1000).unwrap().as_deref(), Some(words.as_slice()));
        // Another size, a changed bit, half a file, another name: all are noticed.
        assert!(matches!(cache.read("kqkq", 999), Err(CacheError::Damaged { .. })));
        let path = folder.join("kqkq.table");
        let good = fs::read(&path).unwrap();
        let mut bad = good.clone();
        bad[4000] ^= 4;
        for bytes in [bad.as_slice(), &good[..5000], b"", b"something else"] {
            fs::write(&path, bytes).unwrap();
            assert!(matches!(cache.read("kqkq", 1000), Err(CacheError::Damaged { .. })));
        }
        fs::write(folder.join("kqkr.table"), &good).unwrap();
        assert!(matches!(cache.read("kqkr", 1000), Err(CacheError::Damaged { .. })));
        fs::remove_dir_all(&folder).unwrap();
    }
}
