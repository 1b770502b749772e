//! The same file, byte for byte, however it was built.

use std::fs;
use std::time::Duration;

use gb_db::{Build, Scope, Settings, StoreError};
use gb_value::{Budget, Halt};

use crate::{build, build_with, game};

const SCOPES: [(&str, Scope); 3] = [
    ("clobber", Scope::Boards(3, 3)),
    ("domineering", Scope::Parts(7)),
    ("domineering", Scope::Boards(3, 4)),
];

#[test]
fn threads_make_no_difference() {
    for (name, scope) in SCOPES {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let one = build(name, scope, folders[0].path());
        let settings = Settings { threads: 3, checkpoint: Duration::ZERO, ..Settings::default() };
        let three = build_with(name, scope, folders[1].path(), &settings).unwrap().path;
        assert_eq!(fs::read(one).unwrap(), fs::read(three).unwrap(), "{name} {scope:?}");
    }
}

#[test]
fn a_table_that_is_there_is_not_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let first = build_with("clobber", Scope::Boards(2, 2), folder.path(), &Settings::default()).unwrap();
    assert!(!first.was_there);
    let again = build_with("clobber", Scope::Boards(2, 2), folder.path(), &Settings::default()).unwrap();
    assert!(again.was_there && again.path == first.path);
    // Another question is another table.
    let settings = Settings { max_values: 5, ..Settings::default() };
    assert!(!build_with("clobber", Scope::Boards(2, 2), folder.path(), &settings).unwrap().was_there);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "the table and its lock: {left:?}");
}

/// Stopped again and again by its budget, a build goes on where it was.
#[test]
fn interruptions_make_no_difference() {
    let often = Settings { checkpoint: Duration::ZERO, ..Settings::default() };
    // Only when stopped; and from some layer on without values.
    let rarely = Settings { checkpoint: Duration::from_secs(3600), max_values: 30, ..Settings::default() };
    let cases =
        SCOPES.into_iter().map(|case| (case, &often)).chain([(SCOPES[0], &rarely), (SCOPES[2], &rarely)]);
    for ((name, scope), settings) in cases {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let whole = build_with(name, scope, folders[0].path(), settings).unwrap().path;
        let (mut runs, mut resumed) = (0, 0);
        let path = loop {
            runs += 1;
            let budget = Budget::unlimited().with_nodes(10 * runs);
            match gb_db::build(game(name), scope, folders[1].path(), budget, settings, &|_| {}) {
                Ok(built) => {
                    resumed = resumed.max(built.resumed);
                    break built.path;
                }
                Err(StoreError::Stopped(Halt::Nodes)) => {}
                Err(error) => panic!("{error}"),
            }
        };
        assert!(runs > 1 && resumed > 0, "{name} {scope:?}: {runs} runs, {resumed} boards taken over");
        assert_eq!(fs::read(whole).unwrap(), fs::read(path).unwrap(), "{name} {scope:?}");
    }
}

/// One process opens the build, others join it and find shards. One stays for the whole build; the others come and go.
#[test]
fn shards_of_several_processes_make_the_same_file() {
    let without_values = Settings { max_values: 30, ..Settings::default() };
    let cases = SCOPES.map(|case| (case, Settings::default()));
    for ((name, scope), settings) in cases.into_iter().chain([(SCOPES[0], without_values)]) {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let whole = build_with(name, scope, folders[0].path(), &settings).unwrap().path;
        let folder = folders[1].path();
        let mut build = Build::open(game(name), scope, folder, Budget::unlimited(), &settings).unwrap();
        let join = || Build::join(game(name), scope, folder, Budget::unlimited(), &settings).unwrap();
        let mut stays = join();
        while let Some(layer) = build.layer() {
            build.checkpoint().unwrap();
            stays.catch_up().unwrap();
            let mut shards = vec![];
            for (i, range) in build.missing(500).into_iter().enumerate() {
                let new = (i % 3 == 0).then(join);
                let other = new.as_ref().unwrap_or(&stays);
                assert_eq!(other.layer(), Some(layer));
                shards.push(other.export(&other.find(range).unwrap()));
            }
            // In any order, with something written down in the middle.
            shards.reverse();
            let middle = shards.len() / 2;
            for (i, shard) in shards.iter().enumerate() {
                build.import(shard).unwrap();
                if i == middle {
                    build.checkpoint().unwrap();
                    stays.catch_up().unwrap();
                }
            }
            let again = build.import(&shards[0]).unwrap_err();
            assert!(matches!(again, StoreError::Foreign(_)), "{again}");
        }
        let progress = build.progress();
        assert_eq!(progress.boards, progress.total);
        let path = build.finish().unwrap().path;
        assert_eq!(fs::read(whole).unwrap(), fs::read(path).unwrap(), "{name} {scope:?}");
    }
}
