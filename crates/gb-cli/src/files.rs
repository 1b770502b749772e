//! Files that commands read and write, with the sentences of the command line.

use std::path::Path;

use gb_record::MAX_BYTES;
use gb_record::files::ReadError;

use crate::errors::Failure;

/// Writes a file whole; what is no ordinary file is written into.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    gb_record::files::write(path, contents).map_err(|error| Failure::file("writing", path, error))
}

/// Makes a folder, and those above it, unless it is there.
pub fn folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|error| Failure::file("making the folder", path, error))
}

/// The text of a record from a file, or from standard input for `-`.
pub fn read_record(path: &Path) -> Result<String, Failure> {
    let (name, bytes) = match path.to_str() {
        Some("-") => {
            let stdin = std::io::stdin().lock();
            ("standard input".to_owned(), gb_record::files::read_within(stdin, MAX_BYTES))
        }
        _ => (path.display().to_string(), gb_record::files::read(path, MAX_BYTES)),
    };
    let bytes = bytes.map_err(|error: ReadError| Failure::Input(format!("reading {name}: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
