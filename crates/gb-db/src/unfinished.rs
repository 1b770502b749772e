//! Files that are being written, and what killed processes have left of them.
//!
//! A table has a name of this kind until it is finished. Its writer holds a lock on it, which ends with the process however
//! that ends: so a file of this kind that nobody has locked belongs to nobody.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::StoreError;

const PREFIX: &str = ".unfinished-";

/// The right to build a table. The file stays: removing it could take the right away from somebody who has it open.
pub(crate) struct BuildLock(File);

impl Drop for BuildLock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that was just started holds it open as well until it runs its own program.
        let _ = self.0.unlock();
    }
}

/// Takes that right, or says who is busy.
pub(crate) fn lock(table: &Path) -> Result<BuildLock, StoreError> {
    let name = table.file_name().unwrap_or_default().to_string_lossy();
    let path = table.with_file_name(format!(".{name}.lock"));
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(StoreError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(BuildLock(file)),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy { path }),
        Err(TryLockError::Error(error)) => Err(StoreError::io(&path)(error)),
    }
}

/// Creates such a file and locks it.
pub(crate) fn create(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let file = tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder)?;
        match file.as_file().try_lock() {
            // Whoever cleans up may have been faster, between the two.
            Ok(()) if fs::symlink_metadata(file.path()).is_ok() => return Ok(file),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            // A system without locks: then nothing is cleaned up either.
            Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

/// Removes what dead processes have left in a folder. What cannot be removed stays: it is in nobody's way.
pub(crate) fn clean_up(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_one = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_one {
            continue;
        }
        // The lock is held until the name is gone, so that a writer who has just made this file sees that it is gone.
        if let Ok(file) = File::options().read(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_writes_any_more_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let abandoned = folder.path().join(".unfinished-old");
        fs::write(&abandoned, "half of a table").unwrap();
        let other = folder.path().join("notes.txt");
        fs::write(&other, "mine").unwrap();
        let alive = create(folder.path()).unwrap();
        clean_up(folder.path());
        assert!(!abandoned.exists() && other.exists() && alive.path().exists());
    }
}
