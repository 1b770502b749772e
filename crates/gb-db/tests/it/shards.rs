//! Tables of the parts within a rectangle: right, and the same however the work was shared out.

use std::fs;
use std::path::{Path, PathBuf};

use gb_board::Codes;
use gb_db::{Fact, Scope, Settings, ShardBuild, StoreError, Table, TabulatedGame};
use gb_search::SearchContext;
use gb_value::{Budget, Store};

use crate::outcomes::king_clobber;
use crate::{build, build_with, game, library, verified};

const SHORT: Settings =
    Settings { threads: 1, max_values: u64::MAX, checkpoint: std::time::Duration::ZERO, shard: 300 };

fn open(folder: &Path, size: (usize, usize)) -> ShardBuild {
    ShardBuild::open(&game("clobber"), size, folder, Budget::unlimited(), &SHORT).unwrap()
}

/// The folder with the shards of a build that is not finished.
fn shards_of(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found = entries.filter(|path| path.to_string_lossy().contains(".shards-"));
    found.next().expect("a folder with shards")
}

/// The table as one process builds it at once.
fn whole(size: (usize, usize)) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    fs::read(build("clobber", Scope::Within(size.0, size.1), folder.path())).unwrap()
}

/// Every board of the rectangle, of one part or of several, wherever it lies, has the value of plain search.
#[test]
fn every_board_has_the_value_of_plain_search() {
    type Open = fn() -> TabulatedGame;
    let clobber: Open = || game("clobber");
    for (open, rows, cols) in
        [(clobber, 3, 3), (clobber, 2, 5), (clobber, 1, 8), (|| king_clobber("3x3"), 3, 3)]
    {
        let folder = tempfile::tempdir().unwrap();
        let scope = Scope::Within(rows, cols);
        let built = gb_db::build(open(), scope, folder.path(), Budget::unlimited(), &SHORT, &|_| {}).unwrap();
        assert!(Table::open(&built.path).unwrap().is_about(&open()));
        let (library, reports) = library(folder.path());
        let (store, budget, game) = (Store::new(), Budget::unlimited(), open());
        let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
        for number in 0..3u32.pow((rows * cols) as u32) {
            let mut board = Codes::blank(rows, cols);
            let mut rest = number;
            for cell in &mut board.cells {
                (*cell, rest) = ((rest % 3) as u8, rest / 3);
            }
            let expected = game.search(&board, &context).unwrap();
            let known = library.known(&game, &board, &kernel).unwrap();
            assert_eq!(known, Some(Fact::Exact(expected)), "{}", game.show(&board));
        }
        assert_eq!(*reports.lock().unwrap(), Vec::<String>::new());
    }
}

/// A sample of a larger table, from texts and by boards of another width; and every part of it is found where it is.
#[test]
fn a_larger_table_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let table = Table::open(&build("clobber", Scope::Within(3, 4), folder.path())).unwrap();
    let found = verified("clobber", &table, 300, 3);
    assert_eq!((found.boards, found.partial, found.wrong), (300, 0, vec![]));
    // As many values as the table of all boards has: with those of sums that are options of none, there are more of these.
    let all = Table::open(&build("clobber", Scope::Boards(3, 4), folder.path())).unwrap();
    assert!(table.exact() <= all.exact());
    assert!(table.boards() < all.boards() / 8);
}

/// Threads, the length of shards, and so little memory that the store is thrown away all the time change nothing.
#[test]
fn the_file_does_not_depend_on_how_it_was_built() {
    let expected = whole((3, 4));
    // Half of it is for the store, which is never empty.
    let little = 2 * (Store::new().bytes() + 500_000);
    for (threads, shard, memory) in
        [(1, 1 << 16, u64::MAX), (2, 1000, u64::MAX), (4, 337, u64::MAX), (2, 900, little), (1, 5000, little)]
    {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { threads, shard, ..SHORT };
        let budget = Budget::unlimited().with_bytes(memory);
        let mut build = ShardBuild::open(&game("clobber"), (3, 4), folder.path(), budget, &settings).unwrap();
        build.run(threads, &|_| {}).unwrap();
        assert_eq!(build.renewals() > 0, memory == little, "{} stores", build.renewals());
        let path = build.finish().unwrap().path;
        assert!(fs::read(path).unwrap() == expected, "{threads} threads, shards of {shard}");
        // Nothing is left but the table and the lock.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

/// Several who have joined take shards in any order, each with a store of its own; some do the same twice; one process ends each layer.
#[test]
fn workers_share_the_shards() {
    let expected = whole((3, 4));
    for workers in [1, 2, 4] {
        let folder = tempfile::tempdir().unwrap();
        let mut first = open(folder.path(), (3, 4));
        let join = || {
            ShardBuild::join(&game("clobber"), (3, 4), folder.path(), Budget::unlimited(), &SHORT).unwrap()
        };
        let joined: Vec<ShardBuild> = (0..workers).map(|_| join()).collect();
        while let Some(layer) = first.layer() {
            for (i, shard) in first.missing().into_iter().rev().enumerate() {
                joined[i % workers].find(layer, shard).unwrap();
                if i % 5 == 0 {
                    joined[(i + 1) % workers].find(layer, shard).unwrap();
                }
            }
            assert_eq!(first.missing(), []);
            first.merge().unwrap();
        }
        assert!(fs::read(first.finish().unwrap().path).unwrap() == expected, "{workers} workers");
    }
}

/// What was found before a build was given up is kept; what is damaged is found again.
#[test]
fn finished_shards_are_kept_and_damaged_ones_are_not() {
    let expected = whole((3, 4));
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path(), (3, 4));
    while first.layer() != Some(9) {
        let layer = first.layer().unwrap();
        first.missing().into_iter().for_each(|shard| first.find(layer, shard).unwrap());
        first.merge().unwrap();
    }
    let missing = first.missing();
    assert!(missing.len() > 10, "{missing:?}");
    missing[..8].iter().for_each(|&shard| first.find(9, shard).unwrap());
    drop(first);
    // Somebody else may not build now, and afterwards goes on.
    let first = open(folder.path(), (3, 4));
    let busy = ShardBuild::open(&game("clobber"), (3, 4), folder.path(), Budget::unlimited(), &SHORT);
    assert!(matches!(busy, Err(StoreError::Busy { .. })));
    assert_eq!(first.missing(), missing[8..]);
    drop(first);
    let flip = |name: &str| {
        let path = shards_of(folder.path()).join(name);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    };
    flip("09-000003.found");
    let first = open(folder.path(), (3, 4));
    assert_eq!(first.missing()[..2], [3, missing[8]]);
    drop(first);
    // A layer that is damaged is found again, and those after it.
    flip("07.values");
    let mut first = open(folder.path(), (3, 4));
    assert_eq!(first.layer(), Some(7));
    first.run(2, &|_| {}).unwrap();
    assert!(fs::read(first.finish().unwrap().path).unwrap() == expected);
}

/// Where the disk is full, or the folder gone, there is an error, and what was found stays.
#[test]
fn without_a_folder_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path(), (3, 3));
    let layer = first.layer().unwrap();
    fs::remove_dir_all(shards_of(folder.path())).unwrap();
    assert!(matches!(first.find(layer, 0), Err(StoreError::Io { .. })));
    let gone = ShardBuild::join(&game("clobber"), (3, 3), folder.path(), Budget::unlimited(), &SHORT);
    assert!(matches!(gone, Err(StoreError::Foreign(_))));
    assert!(matches!(first.find(99, 0), Err(StoreError::Foreign(_))));
    assert!(matches!(first.find(layer, 99), Err(StoreError::Foreign(_))));
}

#[test]
fn what_cannot_be_built_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let error = |name: &str, size: (usize, usize), settings: &Settings| {
        build_with(name, Scope::Within(size.0, size.1), folder.path(), settings).unwrap_err().to_string()
    };
    let text = error("domineering", (3, 3), &SHORT);
    assert!(text.starts_with("domineering has no tables of the parts within a rectangle: "), "{text}");
    let text = error("clobber", (6, 6), &SHORT);
    assert!(text.starts_with("6x6 is too large for a table of the parts within a rectangle"), "{text}");
    let text = error("clobber", (3, 3), &Settings { max_values: 5, ..SHORT });
    assert!(text.ends_with("build it without --max-values"), "{text}");
}
