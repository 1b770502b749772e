//! Tables of the parts within a rectangle: right, and the same however the work was shared out.

use std::fs;
use std::path::{Path, PathBuf};

use gb_board::Codes;
use gb_db::{Fact, Less, Scope, Settings, ShardBuild, StoreError, Table, TabulatedGame};
use gb_search::SearchContext;
use gb_value::{Budget, Store};

use crate::outcomes::king_clobber;
use crate::{build, build_with, game, library, verified};

const SHORT: Settings =
    Settings { threads: 1, max_values: u64::MAX, checkpoint: std::time::Duration::ZERO, shard: 300 };

fn open(folder: &Path, size: (usize, usize)) -> ShardBuild {
    ShardBuild::open(game("clobber"), Scope::Within(size.0, size.1), folder, Budget::unlimited(), &SHORT)
        .unwrap()
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
    // Between two looks at the size of the store this runs out.
    let least = Store::new().bytes() + 700_000;
    for (threads, shard, memory) in [
        (1, 1 << 16, u64::MAX),
        (2, 1000, u64::MAX),
        (4, 337, u64::MAX),
        (2, 900, little),
        (1, 5000, little),
        (1, 5000, least),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { threads, shard, ..SHORT };
        let budget = Budget::unlimited().with_bytes(memory);
        let mut build =
            ShardBuild::open(game("clobber"), Scope::Within(3, 4), folder.path(), budget, &settings).unwrap();
        build.run(threads, &|_| {}).unwrap();
        assert_eq!(build.renewals() > 0, memory < u64::MAX, "{} stores", build.renewals());
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
            ShardBuild::join(game("clobber"), Scope::Within(3, 4), folder.path(), Budget::unlimited(), &SHORT)
                .unwrap()
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

/// A worker who is so slow that others have done his shards, and merged the layer, disturbs nobody.
#[test]
fn slow_workers_come_too_late() {
    let expected = whole((3, 4));
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path(), (3, 4));
    let scope = Scope::Within(3, 4);
    let slow = ShardBuild::join(game("clobber"), scope, folder.path(), Budget::unlimited(), &SHORT).unwrap();
    let mut late = vec![];
    while let Some(layer) = first.layer() {
        let missing = first.missing();
        missing.iter().for_each(|&shard| first.find(layer, shard).unwrap());
        first.merge().unwrap();
        // He finds the last shard of the layer that is merged by now, and one of the layer before.
        late.extend(missing.last().map(|&shard| (layer, shard)));
        late.iter().rev().take(2).for_each(|&(layer, shard)| slow.find(layer, shard).unwrap());
    }
    assert!(fs::read(first.finish().unwrap().path).unwrap() == expected);
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
    let busy =
        ShardBuild::open(game("clobber"), Scope::Within(3, 4), folder.path(), Budget::unlimited(), &SHORT);
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
    let gone =
        ShardBuild::join(game("clobber"), Scope::Within(3, 3), folder.path(), Budget::unlimited(), &SHORT);
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

/// A game of a text of this form with hot positions: a stone takes a neighbour of the other colour, or one of its own.
fn captures(size: &str) -> TabulatedGame {
    let text = "game captures\ntitle Captures\nrules A stone takes a neighbour. Who cannot move loses.\nboard grid\n\
                cells . empty, x Left's stone, o Right's stone\n\
                left: xo -> x. along orthogonal\nright: ox -> o. along orthogonal\nleft: xx -> x. along orthogonal\nright: oo -> o. along orthogonal\n\
                start checker x o\nexample xxo\n";
    let game = gb_text::TextGame::read(text, &[]).unwrap();
    TabulatedGame::new(game.open(gb_rules::Variant::Plain, size)).unwrap()
}

/// Of every part less than its value is kept: what follows from its value. The file is the same, whether it was made of shards or of
/// the table of values, and whoever asks about a position finds it.
#[test]
fn less_than_values_is_what_follows_from_values() {
    type Open = fn() -> TabulatedGame;
    let clobber: Open = || game("clobber");
    for (open, rows, cols) in [(clobber, 3, 4), (|| captures("3x3"), 3, 3)] {
        let (of_shards, of_table) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let build = |folder: &Path, scope: Scope| {
            gb_db::build(open(), scope, folder, Budget::unlimited(), &SHORT, &|_| {}).unwrap().path
        };
        let path_of_values = build(of_table.path(), Scope::Within(rows, cols));
        for less in Less::ALL {
            // A table remembers values of one store.
            let values = Table::open(&path_of_values).unwrap();
            let scope = Scope::Less(rows, cols, less);
            let path = build(of_shards.path(), scope);
            assert_eq!(fs::read_dir(of_shards.path()).unwrap().count(), 2, "the table and the lock");
            assert!(fs::read(&path).unwrap() == fs::read(build(of_table.path(), scope)).unwrap());
            let table = Table::open(&path).unwrap();
            assert_eq!((table.scope(), table.boards()), (scope, values.boards()));
            let (store, budget) = (Store::new(), Budget::unlimited());
            let kernel = store.kernel(&budget);
            let (library, reports) = library(of_shards.path());
            let (open, mut temperatures) = (open(), std::collections::HashSet::new());
            for place in 0..values.boards() {
                let mut expected = values.fact_at(place, &kernel).unwrap().partial(&kernel).unwrap();
                expected.small = expected.small.filter(|_| less == Less::AtomicWeight);
                temperatures.insert(expected.thermograph.temperature().to_string());
                let expected = Fact::Partial(expected);
                assert_eq!(table.fact_at(place, &kernel).unwrap(), expected);
                let board = values.board(place).unwrap();
                if place % 97 == 0 {
                    assert_eq!(library.known(&open, &board, &kernel).unwrap(), Some(expected));
                }
            }
            assert_eq!(temperatures.len() > 2, (rows, cols) == (3, 3), "{temperatures:?}");
            assert_eq!(*reports.lock().unwrap(), Vec::<String>::new());
            fs::remove_file(path).unwrap();
        }
    }
    // A sample by search, from texts.
    let folder = tempfile::tempdir().unwrap();
    let scope = Scope::Less(3, 4, Less::AtomicWeight);
    let found = verified("clobber", &Table::open(&build("clobber", scope, folder.path())).unwrap(), 100, 3);
    assert_eq!((found.boards, found.partial, found.wrong), (100, 100, vec![]));
}

/// The table of all parts as the build with a journal makes it, which enumerates and keeps everything in memory.
fn in_memory(name: &str, cells: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let (settings, budget) = (Settings::default(), Budget::unlimited());
    let mut build =
        gb_db::Build::open(game(name), Scope::Parts(cells), folder.path(), budget, &settings).unwrap();
    build.run(&|_| {}).unwrap();
    fs::read(build.finish().unwrap().path).unwrap()
}

/// Parts of any shape, enumerated in shards and looked up in files, are those that one process finds in memory: with any number of threads, with
/// shards of any length, with so little memory that the store is thrown away all the time, and built by several who have joined.
#[test]
fn parts_do_not_depend_on_how_they_were_built() {
    for (name, cells) in [("domineering", 10), ("cram", 8), ("clobber", 5), ("snort", 4)] {
        let expected = in_memory(name, cells);
        for (threads, shard, little) in [(1, 1 << 16, false), (2, 300, false), (4, 77, false), (2, 100, true)]
        {
            let folder = tempfile::tempdir().unwrap();
            let settings = Settings { threads, shard, ..SHORT };
            let memory = if little { 2 * (Store::new().bytes() + 10_000) } else { u64::MAX };
            let budget = Budget::unlimited().with_bytes(memory);
            let scope = Scope::Parts(cells);
            if little {
                // The keys of a walk take more.
                let unlimited = Budget::unlimited();
                let mut build =
                    ShardBuild::open(game(name), scope, folder.path(), unlimited, &settings).unwrap();
                build.missing().into_iter().for_each(|walk| build.find(0, walk).unwrap());
                build.merge().unwrap();
            }
            let mut build = ShardBuild::open(game(name), scope, folder.path(), budget, &settings).unwrap();
            build.run(threads, &|_| {}).unwrap();
            assert!(little || build.renewals() == 0);
            assert!(!little || cells < 9 || build.renewals() > 0);
            assert!(fs::read(build.finish().unwrap().path).unwrap() == expected, "{name}, {threads} threads");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        }
        let folder = tempfile::tempdir().unwrap();
        let join = |begin: fn(_, _, &Path, _, &_) -> _| -> ShardBuild {
            let begun: Result<ShardBuild, StoreError> =
                begin(game(name), Scope::Parts(cells), folder.path(), Budget::unlimited(), &SHORT);
            begun.unwrap()
        };
        let mut first = join(ShardBuild::open);
        let joined = [join(ShardBuild::join), join(ShardBuild::join)];
        while let Some(layer) = first.layer() {
            for (i, shard) in first.missing().into_iter().rev().enumerate() {
                joined[i % 2].find(layer, shard).unwrap();
            }
            first.merge().unwrap();
            // Given up after every layer, it goes on.
            drop(first);
            first = join(ShardBuild::open);
        }
        assert!(fs::read(first.finish().unwrap().path).unwrap() == expected, "{name}, joined");
    }
}

/// As many parts as there are free polyominoes (OEIS A000105), and with walks in many shards.
#[test]
fn there_are_as_many_parts_as_polyominoes() {
    const FREE: [u64; 16] =
        [1, 1, 2, 5, 12, 35, 108, 369, 1285, 4655, 17073, 63600, 238591, 901971, 3426576, 13079255];
    let cells = crate::times(10, 14);
    let folder = tempfile::tempdir().unwrap();
    let table = Table::open(&build("domineering", Scope::Parts(cells), folder.path())).unwrap();
    assert_eq!(table.boards(), FREE[..cells].iter().sum::<u64>());
    let found = verified("domineering", &table, 200, 5);
    assert_eq!((found.boards, found.wrong), (200, vec![]));
}
