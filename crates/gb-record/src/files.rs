//! Files that are read within a limit, and written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// What the system says.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It never ends, or ends too late.
    #[error("longer than {limit} bytes, which is more than a record may have")]
    TooLong {
        /// How long it may be.
        limit: u64,
    },
}

/// Everything that `source` has to say, unless that is more than `limit` bytes: then no more than that is read.
pub fn read_within(source: impl Read, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = vec![];
    source.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLong { limit }) } else { Ok(bytes) }
}

/// The contents of a file of at most `limit` bytes: also of a pipe or a device, however long these go on.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_within(File::open(path)?, limit)
}

/// Writes a file. An ordinary file, or one that is not there yet, is written beside its place and moved there, so that
/// nobody ever sees half of it, and a crash leaves the old contents or the new. Links are followed and stay. What is no
/// ordinary file (a device, a pipe, standard output by its name) is written into.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(contents))
}

/// As [`write()`], for contents that are made while they are written. If they are not finished, nothing changes.
///
/// # Errors
/// If the file cannot be written, or `contents` cannot be made.
pub fn write_with<T, E: From<io::Error>>(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let Some(target) = place_of(path)? else {
        return buffered(&mut OpenOptions::new().write(true).open(path)?, contents);
    };
    let old = match OpenOptions::new().write(true).open(&target) {
        Ok(file) => Some(file.metadata()?.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix files have modes"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file; the umask takes away what it should. Temporary files are private otherwise.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    let made = buffered(&mut file, contents)?;
    if let Some(permissions) = old {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    // The new name is on the disk too. Not every system can open a folder; then there is nothing to do.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(made)
}

fn buffered<T, E: From<io::Error>>(
    file: &mut dyn Write,
    contents: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let mut file = BufWriter::new(file);
    let made = contents(&mut file)?;
    file.flush()?;
    Ok(made)
}

/// More links than this go round in a circle.
const MAX_LINKS: usize = 40;

/// Where a file is to be put that replaces what `path` leads to, or `None` if that has to be written into.
fn place_of(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => return Ok(None),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut place = path.to_owned();
    for _ in 0..MAX_LINKS {
        // What these folders hold stands for files that are open: putting a new file there would reach nobody.
        let first = place.components().nth(1).filter(|_| place.is_absolute());
        if first.is_some_and(|c| matches!(c, Component::Normal(name) if name == "dev" || name == "proc")) {
            return Ok(if fs::metadata(path).is_ok() { None } else { Some(place) });
        }
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_symlink() => {
                let to = fs::read_link(&place)?;
                // Relative links begin where they are; absolute ones replace everything.
                place = place.parent().unwrap_or(Path::new("")).join(to);
            }
            _ => return Ok(Some(place)),
        }
    }
    Err(io::Error::other("its links go round in a circle"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_endless_is_read() {
        let error = read_within(io::repeat(b'x'), 1000).unwrap_err();
        assert!(matches!(error, ReadError::TooLong { limit: 1000 }), "{error}");
        assert_eq!(read_within(&b"abc"[..], 3).unwrap(), b"abc");
        assert!(read_within(&b"abcd"[..], 3).is_err());
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(read(folder.path(), 10), Err(ReadError::Io(_))), "a folder is no file");
        #[cfg(target_os = "linux")]
        assert!(matches!(read(Path::new("/dev/zero"), 4096), Err(ReadError::TooLong { .. })));
    }

    #[test]
    #[cfg(unix)]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("there")).unwrap();
        fs::write(at("there/real"), "old").unwrap();
        fs::set_permissions(at("there/real"), fs::Permissions::from_mode(0o600)).unwrap();
        symlink("there/real", at("link")).unwrap();
        symlink("link", at("link-to-link")).unwrap();
        symlink("there/new", at("dangling")).unwrap();
        symlink("round", at("round")).unwrap();
        write(&at("link-to-link"), b"new").unwrap();
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert!(fs::symlink_metadata(at("link-to-link")).unwrap().is_symlink());
        assert_eq!(fs::read(at("there/real")).unwrap(), b"new");
        assert_eq!(fs::metadata(at("there/real")).unwrap().permissions().mode() & 0o777, 0o600);
        write(&at("dangling"), b"made").unwrap();
        assert!(fs::symlink_metadata(at("dangling")).unwrap().is_symlink());
        assert_eq!(fs::read(at("there/new")).unwrap(), b"made");
        assert!(write(&at("round"), b"x").is_err());
        assert!(write(&at("there"), b"x").is_err(), "a folder");
        assert!(write(&at("nowhere/x"), b"x").is_err());
        assert_eq!(fs::read_dir(at("there")).unwrap().count(), 2, "nothing is left over");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn devices_and_pipes_are_written_into() {
        use std::os::unix::fs::FileTypeExt;
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let full = write(Path::new("/dev/full"), b"x").unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if !made.is_ok_and(|status| status.success()) {
            return;
        }
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        write(&pipe, b"through the pipe").unwrap();
        assert_eq!(reader.join().unwrap(), b"through the pipe");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        // An ordinary file by the name of whoever has it open.
        let file = File::create(folder.path().join("open")).unwrap();
        let name = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
        write(Path::new(&name), b"by its number").unwrap();
        assert_eq!(fs::read(folder.path().join("open")).unwrap(), b"by its number");
    }
}
