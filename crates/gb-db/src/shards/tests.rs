//! The ways of tables with more values than four bytes can number, and than a machine can hold, on small tables: by limits that come sooner.

use std::fs;
use std::path::{Path, PathBuf};

use gb_games::games::{clobber::Clobber, domineering::Domineering};
use gb_rules::{AnyGame, Keyed, Rules, Variant};
use gb_value::{Budget, Store};

use super::build::{Limits, ShardBuild};
use super::files::{MANY, PACKED, Width, packed};
use super::merge::hash;
use super::tasks::MergeTask;
use crate::build::Settings;
use crate::game::TabulatedGame;
use crate::scope::Scope;
use crate::table::Table;

fn hide<R: Rules<Board: Keyed> + Default>() -> TabulatedGame {
    TabulatedGame::new(AnyGame::direct(Variant::Plain, R::default())).expect("a game on grids")
}

/// What is built in these tests.
const CASES: [Scope; 2] = [Scope::Within(3, 4), Scope::Parts(9)];

fn game_of(scope: Scope) -> TabulatedGame {
    match scope {
        Scope::Parts(_) => hide::<Domineering<u64>>(),
        _ => hide::<Clobber<u64>>(),
    }
}

fn usual(scope: Scope, folder: &Path) -> PathBuf {
    let settings = Settings::default();
    super::build(game_of(scope), scope, folder, Budget::unlimited(), &settings, &|_| {}).unwrap().path
}

/// A build with other limits, the first value of which has a number of its own.
fn open(scope: Scope, folder: &Path, shard: u64, limits: Limits, first: u64) -> ShardBuild {
    let settings = Settings { shard, ..Settings::default() };
    let build = ShardBuild::open(game_of(scope), scope, folder, Budget::unlimited(), &settings).unwrap();
    limited(build, scope, limits, first)
}

fn limited(mut build: ShardBuild, scope: Scope, limits: Limits, first: u64) -> ShardBuild {
    build.limits = limits;
    if let Scope::Parts(_) = scope {
        // It has far fewer values.
        build.limits.merging /= 25;
    }
    build.folder.first = first;
    build
}

fn join(scope: Scope, folder: &Path, shard: u64, limits: Limits, first: u64) -> ShardBuild {
    let settings = Settings { shard, ..Settings::default() };
    let build = ShardBuild::join(game_of(scope), scope, folder, Budget::unlimited(), &settings).unwrap();
    limited(build, scope, limits, first)
}

/// Words of five bytes, values that have a place only when they are read, layers that are ended in many tasks, and facts that are sorted in files: the
/// table is the same, byte for byte.
#[test]
fn large_ways_make_the_same_tables() {
    for scope in CASES {
        let folder = tempfile::tempdir().unwrap();
        let expected = fs::read(usual(scope, folder.path())).unwrap();
        let usual = Limits::default();
        for (threads, shard, limits) in [
            (1, 1 << 16, Limits { many: 20, ..usual }),
            (2, 400, Limits { listed: 0, ..usual }),
            (1, 1_500, Limits { listed: 100, merging: 150_000, ..usual }),
            (3, 1_000, Limits { many: 20, listed: 0, merging: 90_000 }),
            (2, 3_000, Limits { many: 300, listed: 0, merging: 400_000 }),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let mut build = open(scope, folder.path(), shard, limits, 0);
            build.run(threads, &|_| {}).unwrap();
            let path = build.finish().unwrap().path;
            assert!(fs::read(path).unwrap() == expected, "{scope}, {threads} threads, shards of {shard}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the table and the lock");
        }
    }
}

/// Numbers of more than 32 bits in all files of a build. Values within a rectangle have another order then, because that follows from hashes of numbers:
/// so boards are compared.
#[test]
fn numbers_of_many_bits() {
    const FIRST: u64 = (1 << 33) + 12_345;
    for scope in CASES {
        let folder = tempfile::tempdir().unwrap();
        let expected = usual(scope, folder.path());
        let mut files = vec![];
        for (shard, merging) in [(1_000, 150_000), (1 << 16, u64::MAX)] {
            let folder = tempfile::tempdir().unwrap();
            let limits = Limits { listed: 0, merging, ..Limits::default() };
            let mut build = open(scope, folder.path(), shard, limits, FIRST);
            build.run(2, &|_| {}).unwrap();
            files.push((build.finish().unwrap().path, folder));
        }
        assert!(fs::read(&files[0].0).unwrap() == fs::read(&files[1].0).unwrap());
        if let Scope::Parts(_) = scope {
            assert!(fs::read(&files[0].0).unwrap() == fs::read(&expected).unwrap());
        }
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let (table, mut other) = (Table::open(&expected).unwrap(), Table::open(&files[0].0).unwrap());
        // Also without a place for each value in memory.
        other.list_at_most(0);
        assert_eq!(table.boards(), other.boards());
        for place in 0..table.boards() {
            let [value, same] = [&table, &other].map(|table| table.value_at(place, &kernel).unwrap());
            assert_eq!(value, same, "{place}");
        }
        let places: Vec<u64> = (0..table.boards()).step_by(7).collect();
        let [mut found, mut same] = [vec![], vec![]];
        table.values_at(&places, &kernel, &mut found).unwrap();
        other.values_at(&places, &kernel, &mut same).unwrap();
        assert!(found == same);
    }
}

/// Layers are ended by several who have joined, which do some tasks twice, and the build is given up in the middle of a layer again and again; whatever was done
/// is kept, and what is damaged is done again.
#[test]
fn layers_are_ended_by_many() {
    for scope in CASES {
        let folder = tempfile::tempdir().unwrap();
        let expected = fs::read(usual(scope, folder.path())).unwrap();
        let limits = Limits { many: 1_000, listed: 500, merging: 150_000 };
        let folder = tempfile::tempdir().unwrap();
        let begin = || open(scope, folder.path(), 1_000, limits, 0);
        let mut first = begin();
        let joined = [0, 1].map(|_| join(scope, folder.path(), 1_000, limits, 0));
        let (mut steps, mut given_up) = (0, 0);
        while let Some(layer) = first.layer() {
            first
                .missing()
                .into_iter()
                .for_each(|shard| joined[shard as usize % 2].find(layer, shard).unwrap());
            loop {
                let tasks = first.merge_tasks(1).unwrap();
                if tasks.is_empty() {
                    break;
                }
                steps += 1;
                for (i, task) in tasks.iter().enumerate() {
                    let task: MergeTask = task.to_string().parse().unwrap();
                    joined[i % 2].merge_task(&task).unwrap();
                    if i % 3 == 0 {
                        joined[(i + 1) % 2].merge_task(&task).unwrap();
                    }
                    if i == 1 && steps % 4 == 0 {
                        break;
                    }
                }
                if steps % 4 == 0 {
                    given_up += 1;
                    drop(first);
                    if steps % 8 == 0 {
                        flip_one(folder.path(), if steps % 16 == 0 { "ready" } else { "part" });
                    }
                    first = begin();
                    assert_eq!(first.layer(), Some(layer));
                    assert_eq!(first.missing(), [] as [u64; 0]);
                }
            }
        }
        assert!(steps > 15 && given_up > 3, "{scope}: {steps} steps, given up {given_up} times");
        assert!(fs::read(first.finish().unwrap().path).unwrap() == expected, "{scope}");
    }
    assert!("1 2 3".parse::<MergeTask>().is_err());
    assert!("x".parse::<MergeTask>().is_err());
}

/// Damages the newest file of this kind.
fn flip_one(folder: &Path, kind: &str) {
    let shards =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.is_dir()).unwrap();
    let files = fs::read_dir(shards).unwrap().map(|entry| entry.unwrap().path());
    let newest = files
        .filter(|path| path.extension().is_some_and(|end| end == kind))
        .max_by_key(|path| path.metadata().unwrap().modified().unwrap());
    if let Some(path) = newest {
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
}

/// References come back as they were written, and a longer number is none of the shorter ones.
#[test]
fn words_of_five_bytes() {
    let numbers = [0, 1, MANY - 1, MANY, 1 << 32, (1 << 39) - 1, packed(1 << 31), packed(u32::MAX)];
    let mut words = vec![];
    Width::Five.get(&Width::Five.bytes_of(&numbers), &mut words);
    assert_eq!(words, numbers);
    let short: Vec<u64> = numbers.into_iter().filter(|&n| n < MANY || n & PACKED != 0).collect();
    words.clear();
    Width::Four.get(&Width::Four.bytes_of(&short), &mut words);
    assert_eq!(words, short);
    let mut hashes: Vec<u64> = numbers.iter().map(|&number| hash(&[number])).collect();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), numbers.len());
    assert!(Width::of(1 << 40, MANY).is_err());
    assert_eq!(
        (Width::of(MANY, MANY).ok(), Width::of(MANY + 1, MANY).ok()),
        (Some(Width::Four), Some(Width::Five))
    );
}
