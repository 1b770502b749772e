//! Files are written whole or not at all.

use std::io::Write;
use std::path::Path;

use crate::errors::Failure;

/// Writes a file beside its place and moves it there, so that nobody sees half of it.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error| Failure::file("writing", path, error);
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file; the umask takes away what it should. Temporary files are private otherwise.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(contents).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
