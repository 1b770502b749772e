//! Damaged files are reported and never believed.

use std::fs;
use std::path::Path;

use gb_db::{Scope, Table};
use gb_rules::{Game, direct};
use gb_value::{Budget, Store};

use crate::{build, game, library};

fn write(path: &Path, bytes: &[u8]) {
    // Tables are read-only.
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
}

/// Reads everything: either all facts are right, or an error is found.
fn read_all(path: &Path, right: &[String], name: &str) -> Result<(), String> {
    let table = Table::open(path).map_err(|e| e.to_string())?;
    let (store, budget, game) = (Store::new(), Budget::unlimited(), game(name));
    let kernel = store.kernel(&budget);
    for place in 0..table.boards() {
        let found = (|| {
            let board = table.board(place)?;
            Ok::<_, gb_db::StoreError>((board, table.fact_at(place, &kernel)?))
        })();
        let (board, fact) = found.map_err(|e| e.to_string())?;
        let value = kernel.show(fact.value().unwrap(), &Default::default()).unwrap().text;
        assert_eq!(
            format!("{} {value}", game.show(&board)),
            right[place as usize],
            "a wrong fact was believed"
        );
    }
    table.check().map_err(|e| e.to_string())
}

fn contents(path: &Path, name: &str) -> Vec<String> {
    let table = Table::open(path).unwrap();
    let (store, budget, game) = (Store::new(), Budget::unlimited(), game(name));
    let kernel = store.kernel(&budget);
    let text = |place| {
        let (board, fact) = (table.board(place).unwrap(), table.fact_at(place, &kernel).unwrap());
        let value = kernel.show(fact.value().unwrap(), &Default::default()).unwrap().text;
        format!("{} {value}", game.show(&board))
    };
    (0..table.boards()).map(text).collect()
}

#[test]
fn a_flipped_bit_anywhere_is_found() {
    let folder = tempfile::tempdir().unwrap();
    for (name, scope) in [("clobber", Scope::Boards(2, 3)), ("domineering", Scope::Parts(5))] {
        let path = build(name, scope, folder.path());
        let (bytes, right) = (fs::read(&path).unwrap(), contents(&path, name));
        let damaged = folder.path().join("damaged.gbtable");
        // Every byte after the header and of its text, some of the zeros in between.
        let places = (0..bytes.len()).filter(|&at| !(700..=4000).contains(&at) || at % 97 == 0);
        for at in places {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1 << (at % 8);
            write(&damaged, &wrong);
            let error = read_all(&damaged, &right, name).expect_err("the damage is found");
            let what_to_do = error.contains("build it again") || error.contains("Build it again");
            assert!(what_to_do && error.contains("damaged.gbtable"), "byte {at}: {error}");
        }
        write(&damaged, &bytes);
        assert_eq!(read_all(&damaged, &right, name), Ok(()));
    }
}

#[test]
fn a_truncated_or_longer_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = build("clobber", Scope::Boards(2, 3), folder.path());
    let bytes = fs::read(&path).unwrap();
    let damaged = folder.path().join("damaged.gbtable");
    for length in (0..bytes.len()).step_by(41).chain([bytes.len() - 1]) {
        write(&damaged, &bytes[..length]);
        let error = Table::open(&damaged).err().expect("the damage is found").to_string();
        assert!(error.contains("damaged (") && error.contains("build it again"), "{length}: {error}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    write(&damaged, &longer);
    assert!(Table::open(&damaged).is_err());
}

#[test]
fn another_format_is_told_from_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = build("clobber", Scope::Boards(2, 2), folder.path());
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 0;
    write(&path, &bytes);
    let (without, reports) = library(folder.path());
    assert!(without.tables().is_empty());
    let expected = format!(
        "{}: written in format 0, but this program reads format 1; it is not used. Delete it and build it again with \
         `gamebench db build`",
        path.display()
    );
    assert_eq!(*reports.lock().unwrap(), [expected]);
    // And that is what building does.
    assert_eq!(build("clobber", Scope::Boards(2, 2), folder.path()), path);
    assert_eq!(library(folder.path()).0.tables().len(), 1);
}

/// Good tables are used, bad ones reported, also when the damage is found late.
#[test]
fn a_library_uses_what_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    build("clobber", Scope::Boards(1, 4), folder.path());
    let bad = build("clobber", Scope::Boards(2, 2), folder.path());
    let mut bytes = fs::read(&bad).unwrap();
    bytes[4096] ^= 1;
    write(&bad, &bytes);
    let (library, reports) = library(folder.path());
    assert_eq!(library.tables().len(), 2, "headers are sound");
    let rules: Game<3> = direct(gb_games::games::clobber::Clobber::<u64>::default());
    let archive = library.archive(&rules).unwrap();
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let known = |text: &str| archive.known(&rules.read(text).unwrap(), &kernel).unwrap();
    assert!(known("xoxo").is_some());
    assert!(known("xo|ox").is_none(), "the damaged table is not believed");
    assert!(known("xo|xx").is_none());
    let reports = reports.lock().unwrap();
    assert_eq!(reports.len(), 1, "reported once: {reports:?}");
    assert!(reports[0].contains("2x2") && reports[0].contains("block 0"), "{reports:?}");
    assert!(known("ox").is_some());
    let (nothing, reports) = crate::library(&folder.path().join("none"));
    assert!(nothing.tables().is_empty() && reports.lock().unwrap().is_empty());
}
