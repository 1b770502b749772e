//! The one place with `unsafe`: a finished file, mapped into memory.
//!
//! Why this is sound. A mapping is a `&[u8]` as long as nobody changes the file behind it. Files of ours have their names
//! only after they are finished: they are written under another name, made read-only, and renamed ([`crate::file`]). A file
//! with a name of ours is never opened for writing again; a newer table replaces the name, and the old file lives on
//! until the last mapping of it is gone. So no program of ours ever changes or shortens what is mapped. Another
//! program that writes into a read-only file of ours, or cuts it short, is outside of what can be
//! defended: then the system ends a reader that touches the missing pages (SIGBUS) before it can read anything wrong.
//! Damage that was done before is found when a block is first read, since every block has a checksum.
//!
//! What it buys: opening a table of hundreds of megabytes takes microseconds, and all processes share one copy.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a finished file.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: see above: the file is finished, and is never written to again.
    unsafe { Mmap::map(file) }
}
