//! What can be wrong with a database, each with what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use gb_board::BoardError;
use gb_value::Halt;

/// Why a database was not built, or is not used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {source}{}", path.display(), advice(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The contents of a file are not what was written.
    #[error("{}: damaged ({what}); it is not used. Delete it and build it again with `gamebench db build`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The file has another format.
    #[error(
        "{}: written in format {found}, but this program reads format {expected}; it is not used. Delete it and build it \
         again with `gamebench db build`", path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// Another process is at it.
    #[error(
        "{}: another process is building this table. Wait for it, or end it: what it has done so far is kept", path.display()
    )]
    Busy {
        /// The lock file.
        path: PathBuf,
    },
    /// Something that has the name of a table and is no file: a folder, a pipe, a device.
    #[error("{}: no ordinary file; it is not used", path.display())]
    NoFile {
        /// What it is called.
        path: PathBuf,
    },
    /// The memory that was allowed is less than what is needed before anything can be found.
    #[error(
        "{what}: {holds} alone takes {}, and --memory allows {}. Build a smaller table, or allow more with --memory",
        megabytes(*needed), megabytes(*limit)
    )]
    Memory {
        /// What was to be built.
        what: String,
        /// What has to be held.
        holds: &'static str,
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// The game or the size cannot be tabulated.
    #[error("{0}")]
    Invalid(String),
    /// A board is wrong.
    #[error("{0}")]
    Board(#[from] BoardError),
    /// The build was stopped, or ran out of budget.
    #[error("{}", stopped(*.0))]
    Stopped(#[from] Halt),
    /// A part of the work that belongs elsewhere.
    #[error("this part of the work does not fit: {0}")]
    Foreign(String),
}

/// Bytes as people say them.
fn megabytes(bytes: u64) -> String {
    match bytes {
        0..10_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        10_000_000..10_000_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            ". Older files are intact. Make room, or use another folder with --db, and build again: it goes on where it stopped"
        }
        io::ErrorKind::PermissionDenied => ". Use another folder with --db",
        _ => "",
    }
}

fn stopped(stop: Halt) -> String {
    match stop {
        Halt::Cancelled => "interrupted. Build again to go on where it stopped".into(),
        Halt::Bytes => {
            "the memory limit was reached. Build again with more --memory to go on where it stopped, or with \
                        --max-values to store less than values from some point on"
                .into()
        }
        stop => format!("{stop}. Build again to go on where it stopped"),
    }
}

impl StoreError {
    /// Whether a limit (time, memory, nodes) or an interrupt ended the work before it was done.
    pub fn is_limit(&self) -> bool {
        matches!(self, StoreError::Stopped(_) | StoreError::Memory { .. })
    }

    /// An error of the system about a file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<> {
        let path = path.to_owned();
        move |source| StoreError::Io { path, source }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: path.to_owned(), what: what.into() }
    }
}
