//! What happens to a table that is in use, and whatever else lies in its folder.

use std::fs::{self, File};
use std::path::Path;

use gb_db::{Build, Scope, Settings, StoreError, Table};
use gb_value::{Budget, Halt, Store};

use crate::{build, game, library, times};

/// Numbers by which a failure can be repeated.
fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut random = gb_board::Random::new(seed, 0);
    move |bound| random.next() % bound
}

fn replace(path: &Path, bytes: &[u8]) {
    // Tables are read-only.
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
}

/// Whether everything in the file is right: what `gamebench db verify` asks.
fn is_sound(path: &Path) -> bool {
    Table::open(path).is_ok_and(|table| table.check().is_ok())
}

#[test]
fn flipped_bits_are_found() {
    let folder = tempfile::tempdir().unwrap();
    for (name, scope) in
        [("clobber", Scope::Boards(3, 3)), ("domineering", Scope::Parts(8)), ("clobber", Scope::Within(3, 3))]
    {
        let bytes = fs::read(build(name, scope, folder.path())).unwrap();
        let damaged = folder.path().join("damaged.gbtable");
        let mut random = random(1);
        for i in 0..times(60, 3000) {
            let mut wrong = bytes.clone();
            // A third in the header, where a flip can make the file look like something else.
            let at = random(if i % 3 == 0 { 4096 } else { bytes.len() as u64 }) as usize;
            wrong[at] ^= 1 << random(8);
            replace(&damaged, &wrong);
            assert!(!is_sound(&damaged), "{name}: byte {at}");
        }
        replace(&damaged, &bytes);
        assert!(is_sound(&damaged));
        fs::remove_file(&damaged).unwrap();
    }
}

#[test]
fn truncations_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(build("clobber", Scope::Boards(3, 3), folder.path())).unwrap();
    let damaged = folder.path().join("damaged.gbtable");
    let mut random = random(2);
    for _ in 0..times(30, 1000) {
        let length = random(bytes.len() as u64) as usize;
        replace(&damaged, &bytes[..length]);
        assert!(!is_sound(&damaged), "{length} bytes");
    }
}

/// A table that is cut short, or overwritten, while somebody reads it: what was read stays right, the rest is an error, and
/// the program goes on.
#[test]
fn a_table_that_shrinks_while_it_is_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = build("clobber", Scope::Boards(3, 3), folder.path());
    let bytes = fs::read(&path).unwrap();
    for length in [0, 100, 4096, 4097, 8192, bytes.len() as u64 / 2, bytes.len() as u64 - 1] {
        replace(&path, &bytes);
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let table = Table::open(&path).unwrap();
        let first = table.fact_at(19_000, &kernel).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
        assert_eq!(table.fact_at(19_000, &kernel).unwrap(), first, "what was read is remembered");
        let mut failed = 0;
        for place in 0..table.boards() {
            match table.fact_at(place, &kernel) {
                Ok(_) => {}
                Err(error) => {
                    failed += 1;
                    let error = StoreError::from(error).to_string();
                    assert!(error.contains("cut short while it was in use"), "{error}");
                }
            }
        }
        assert!(failed > 0 || length == bytes.len() as u64 - 1, "{length}");
        assert!(table.check().is_err(), "{length}");
        // A library tells once, and goes on without it.
        let (library, reports) = library(folder.path());
        assert!(library.tables().is_empty() && reports.lock().unwrap().len() == 1);
    }
    replace(&path, &bytes);
    let table = Table::open(&path).unwrap();
    let mut file = File::options().write(true).open(&path).unwrap();
    std::io::Write::write_all(&mut file, &vec![0xa5; bytes.len()]).unwrap();
    let (store, budget) = (Store::new(), Budget::unlimited());
    let error = StoreError::from(table.fact_at(5, &store.kernel(&budget)).unwrap_err());
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

/// Pipes, folders and sockets with the names of tables are reported, and nobody waits for them.
#[test]
#[cfg(unix)]
fn what_is_no_file_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    build("clobber", Scope::Boards(2, 2), folder.path());
    fs::create_dir(folder.path().join("a-folder.gbtable")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("a-socket.gbtable")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("a-device.gbtable")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("a-link.gbtable")).unwrap();
    let pipe = folder.path().join("a-pipe.gbtable");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|s| s.success());
    let (library, reports) = library(folder.path());
    assert_eq!(library.tables().len(), 1);
    let reports = reports.lock().unwrap();
    assert_eq!(reports.len(), 4 + usize::from(made), "{reports:?}");
    let no_file = reports.iter().filter(|report| report.contains("no ordinary file")).count();
    assert_eq!(no_file, 3 + usize::from(made), "{reports:?}");
}

/// The list of boards alone would take 14 GB: refused before anything is allocated, with what it takes.
#[test]
fn memory_that_is_not_allowed_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let build = |name: &str, scope, bytes| {
        let budget = Budget::unlimited().with_bytes(bytes);
        gb_db::build(game(name), scope, folder.path(), budget, &Settings::default(), &|_| {})
    };
    let error = build("clobber", Scope::Boards(4, 5), 200_000_000).unwrap_err();
    assert!(matches!(error, StoreError::Memory { needed: 13_947_137_604, .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "clobber all boards 4x5: the list of boards alone takes 13.9 GB, and --memory allows 200 MB. Build a smaller table, \
         or allow more with --memory"
    );
    let error = build("domineering", Scope::Parts(14), 1_000_000).unwrap_err();
    assert!(matches!(error, StoreError::Stopped(Halt::Bytes)), "{error}");
    // The list is not there for values any more.
    let (scope, settings) = (Scope::Boards(3, 3), Settings::default());
    let list = 4 * 3u64.pow(9);
    let budget = Budget::unlimited().with_bytes(list);
    let opened = Build::open(game("clobber"), scope, folder.path(), budget, &settings).unwrap();
    drop(opened);
    let error = build("clobber", scope, list).unwrap_err();
    assert!(matches!(error, StoreError::Stopped(Halt::Bytes)), "{error}");
    assert!(build("clobber", scope, 200_000_000).is_ok());
}
