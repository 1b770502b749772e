//! Accidents that need processes: this test program runs itself as a builder.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use gb_db::{Scope, Settings, StoreError};
use gb_value::{Budget, Store};

use crate::{build, build_with, times};

const FOLDER: &str = "GB_STORE_TEST_FOLDER";
const SCOPE: Scope = Scope::Boards(3, 4);
/// Set if the builder is to build this.
const OUTCOMES: &str = "GB_STORE_TEST_OUTCOMES";
const OUTCOME_SCOPE: Scope = Scope::Outcomes(4, 4);
/// Set if the builder is to build this.
const WITHIN: &str = "GB_STORE_TEST_WITHIN";
const WITHIN_SCOPE: Scope = Scope::Within(3, 4);
/// Set if the builder is to build this, of Domineering.
const PARTS: &str = "GB_STORE_TEST_PARTS";
const PARTS_SCOPE: Scope = Scope::Parts(10);

/// Not a test by itself: the builder that the others start. Without the variable it does nothing.
#[test]
fn builder() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let settings = Settings { threads: 2, checkpoint: Duration::ZERO, shard: 500, ..Settings::default() };
    let asked = |name: &str| std::env::var_os(name).is_some();
    let (name, scope) = match (asked(OUTCOMES), asked(WITHIN), asked(PARTS)) {
        (true, ..) => ("clobber", OUTCOME_SCOPE),
        (_, true, _) => ("clobber", WITHIN_SCOPE),
        (.., true) => ("domineering", PARTS_SCOPE),
        _ => ("clobber", SCOPE),
    };
    match build_with(name, scope, Path::new(&folder), &settings) {
        Ok(built) => println!("built, {} boards taken over", built.resumed),
        Err(error) => {
            println!("failed: {error}");
            std::process::exit(3);
        }
    }
}

fn builder_command(folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "processes::builder", "--nocapture"]).env(FOLDER, folder);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn output(child: Child) -> (bool, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Files that nobody finishes.
fn left_over(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.contains("unfinished")).collect()
}

fn journal(folder: &Path) -> std::path::PathBuf {
    folder.join(format!(".{}.journal", SCOPE.file_name("clobber")))
}

/// Killed at any moment, a build goes on where it was, and the file is the same.
#[test]
fn killed_builds_go_on() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = fs::read(build("clobber", SCOPE, whole.path())).unwrap();
    let path = killed.path().join(SCOPE.file_name("clobber"));
    // Moments that differ from run to run.
    let mut moment = u64::from(std::process::id()) % 97;
    let mut journals = vec![];
    for _ in 0..times(15, 60) {
        let mut child = builder_command(killed.path()).spawn().unwrap();
        moment = (moment * 31 + 17) % 400;
        std::thread::sleep(Duration::from_millis(20 + moment));
        child.kill().unwrap();
        child.wait().unwrap();
        // Whatever is there under the name of the table is the whole table.
        if let Ok(bytes) = fs::read(&path) {
            assert!(bytes == expected, "a finished file is the right file");
        }
        journals.push(fs::metadata(journal(killed.path())).map_or(0, |m| m.len()));
    }
    let (success, text) = output(builder_command(killed.path()).spawn().unwrap());
    assert!(success, "{text}");
    assert!(fs::read(&path).unwrap() == expected, "the same file as without accidents");
    assert!(!journal(killed.path()).exists());
    assert_eq!(left_over(killed.path()), Vec::<String>::new(), "what the dead have left is removed");
    assert!(journals.iter().any(|&length| length > 100), "something was saved before a kill: {journals:?}");
}

/// The same of tables in shards: those that are finished are kept.
#[test]
fn killed_builds_in_shards_go_on() {
    kill_builds_in_shards("clobber", WITHIN_SCOPE, WITHIN);
}

/// The same of parts of any shape, also while they are enumerated.
#[test]
fn killed_builds_of_parts_go_on() {
    kill_builds_in_shards("domineering", PARTS_SCOPE, PARTS);
}

fn kill_builds_in_shards(name: &str, scope: Scope, asked: &str) {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = fs::read(build(name, scope, whole.path())).unwrap();
    let path = killed.path().join(scope.file_name(name));
    // Finished layers and shards.
    let saved = || {
        let folders = fs::read_dir(killed.path()).unwrap().map(|entry| entry.unwrap().path());
        let shards = folders.filter(|path| path.is_dir()).filter_map(|path| fs::read_dir(path).ok());
        shards
            .flatten()
            .filter(|entry| !entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'))
            .count()
    };
    let mut moment = u64::from(std::process::id()) % 97;
    let mut kills_after_saving = 0;
    for i in 0..times(8, 60) {
        let started = std::time::Instant::now();
        let mut child = builder_command(killed.path()).env(asked, "1").spawn().unwrap();
        while saved() < 3 * (i + 1)
            && started.elapsed() < Duration::from_secs(20)
            && child.try_wait().unwrap().is_none()
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        moment = (moment * 31 + 17) % 40;
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        child.wait().unwrap();
        kills_after_saving += usize::from(saved() > 2);
        // It may have been faster: then it begins anew.
        if let Ok(bytes) = fs::read(&path) {
            assert!(bytes == expected, "a finished file is the right file");
            fs::remove_file(&path).unwrap();
        }
    }
    let (success, text) = output(builder_command(killed.path()).env(asked, "1").spawn().unwrap());
    assert!(success, "{text}");
    assert!(fs::read(&path).unwrap() == expected, "the same file as without accidents");
    assert!(kills_after_saving > 0, "something was saved before a kill");
    assert_eq!(saved(), 0, "what is not needed any more is removed");
    assert_eq!(left_over(killed.path()), Vec::<String>::new(), "what the dead have left is removed");
}

/// The same of tables of outcomes.
#[test]
fn killed_builds_of_outcomes_go_on() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = fs::read(build("clobber", OUTCOME_SCOPE, whole.path())).unwrap();
    let path = killed.path().join(OUTCOME_SCOPE.file_name("clobber"));
    let journal = killed.path().join(format!(".{}.journal", OUTCOME_SCOPE.file_name("clobber")));
    let saved = || fs::metadata(&journal).map_or(0, |m| m.len());
    let mut moment = u64::from(std::process::id()) % 97;
    let mut kills_after_saving = 0;
    for _ in 0..times(12, 60) {
        let (before, started) = (saved(), std::time::Instant::now());
        let mut child = builder_command(killed.path()).env(OUTCOMES, "1").spawn().unwrap();
        // As soon as more has been saved than the journal begins with, and a moment more.
        while saved() < before.max(300) + 100
            && started.elapsed() < Duration::from_secs(20)
            && child.try_wait().unwrap().is_none()
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        moment = (moment * 31 + 17) % 40;
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        child.wait().unwrap();
        kills_after_saving += usize::from(saved() > 400);
        // It may have been faster: then it begins anew.
        if let Ok(bytes) = fs::read(&path) {
            assert!(bytes == expected, "a finished file is the right file");
            fs::remove_file(&path).unwrap();
        }
    }
    let (success, text) = output(builder_command(killed.path()).env(OUTCOMES, "1").spawn().unwrap());
    assert!(success, "{text}");
    assert!(fs::read(&path).unwrap() == expected, "the same file as without accidents");
    assert!(kills_after_saving > 0, "something was saved before a kill");
}

#[test]
fn two_builds_at_once_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (game, budget) = (crate::game("clobber"), gb_value::Budget::unlimited());
    let settings = Settings::default();
    let first = gb_db::Build::open(game, SCOPE, folder.path(), budget, &settings).unwrap();
    let (success, text) = output(builder_command(folder.path()).spawn().unwrap());
    assert!(!success && text.contains("another process is building this table. Wait for it"), "{text}");
    let again = build_with("clobber", SCOPE, folder.path(), &settings).unwrap_err();
    assert!(matches!(again, StoreError::Busy { .. }));
    drop(first);
    let (success, text) = output(builder_command(folder.path()).spawn().unwrap());
    assert!(success, "{text}");
}

/// A limit on the size of files stands for a full disk: writing fails in the middle.
#[test]
#[cfg(unix)]
fn a_full_disk_leaves_everything_that_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let old = build_with("clobber", SCOPE, folder.path(), &Settings { max_values: 9, ..Settings::default() });
    let old = old.unwrap().path;
    let before = fs::read(&old).unwrap();
    for blocks in [1, 40, 300, 900] {
        // In blocks of 512 bytes; the signal is ignored, so that writing returns an error.
        let script =
            format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" --exact processes::builder --nocapture");
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).arg(std::env::current_exe().unwrap()).env(FOLDER, folder.path());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (success, text) = output(child);
        assert!(!success && text.contains("Make room, or use another folder with --db"), "{blocks}: {text}");
        assert!(fs::read(&old).unwrap() == before, "the old file is intact");
    }
    assert_eq!(left_over(folder.path()), Vec::<String>::new());
    // With room again it goes on.
    let (success, text) = output(builder_command(folder.path()).spawn().unwrap());
    assert!(success && !text.contains(" 0 boards taken over"), "{text}");
    let fresh = tempfile::tempdir().unwrap();
    assert!(fs::read(&old).unwrap() == fs::read(build("clobber", SCOPE, fresh.path())).unwrap());
}

/// The same of tables in shards: the shards that were finished are kept, wherever the disk was full, in a shard, a merge or the table itself.
#[test]
#[cfg(unix)]
fn a_full_disk_leaves_finished_shards() {
    for (name, scope, asked) in [("clobber", WITHIN_SCOPE, WITHIN), ("domineering", PARTS_SCOPE, PARTS)] {
        let (whole, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let expected = fs::read(build(name, scope, whole.path())).unwrap();
        let (mut failures, mut last) = (0, None);
        // In blocks of 512 bytes, until everything fits.
        let most = expected.len() / 512 + 200;
        for blocks in (17..most).step_by(most / times(6, 60)) {
            let script = format!(
                "trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" --exact processes::builder --nocapture"
            );
            let mut command = Command::new("sh");
            command.arg("-c").arg(script).arg(std::env::current_exe().unwrap()).env(FOLDER, folder.path());
            let child = command.env(asked, "1").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            let (success, text) = output(child);
            if success {
                last = Some(text);
                break;
            }
            failures += 1;
            assert!(text.contains("Make room, or use another folder with --db"), "{blocks}: {text}");
            assert!(!folder.path().join(scope.file_name(name)).exists());
        }
        let text = last.unwrap_or_else(|| {
            let (success, text) = output(builder_command(folder.path()).env(asked, "1").spawn().unwrap());
            assert!(success, "{text}");
            text
        });
        assert!(fs::read(folder.path().join(scope.file_name(name))).unwrap() == expected, "{name}");
        assert!(failures > 1, "{failures} failures");
        // Of parts that are all enumerated by one walk nothing may have been finished but that.
        assert!(name == "domineering" || !text.contains(" 0 boards taken over"), "{text}");
        assert_eq!(left_over(folder.path()), Vec::<String>::new());
    }
}

/// A file of this kind that a killed builder has left, whichever table it was to be, is removed by the next builder of any
/// table; that of a builder who is alive stays.
#[test]
fn the_next_builder_cleans_up() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".unfinished-dead"), vec![7; 100_000]).unwrap();
    let alive = fs::File::create(folder.path().join(".unfinished-alive")).unwrap();
    alive.try_lock().unwrap();
    build("domineering", Scope::Boards(2, 2), folder.path());
    assert_eq!(left_over(folder.path()), [".unfinished-alive"]);
    drop(alive);
    // Also where there is nothing to build.
    build("domineering", Scope::Boards(2, 2), folder.path());
    assert_eq!(left_over(folder.path()), Vec::<String>::new());
}

/// Of many builders at once one builds, and all others either wait in vain or find its table: nobody sees half of one.
#[test]
fn many_builders_at_once_make_one_table() {
    let (whole, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = fs::read(build("clobber", SCOPE, whole.path())).unwrap();
    for _ in 0..times(1, 10) {
        let builders: Vec<_> = (0..20).map(|_| builder_command(folder.path()).spawn().unwrap()).collect();
        let mut built = 0;
        for (success, text) in builders.into_iter().map(output) {
            built += usize::from(success);
            assert!(success || text.contains("another process is building this table"), "{text}");
        }
        assert!(built >= 1);
        assert!(fs::read(folder.path().join(SCOPE.file_name("clobber"))).unwrap() == expected);
        assert_eq!(left_over(folder.path()), Vec::<String>::new());
        fs::remove_file(folder.path().join(SCOPE.file_name("clobber"))).unwrap();
    }
}

/// Readers see the old table or the new one, whole, while it is replaced again and again.
#[test]
fn readers_during_a_rebuild_read_the_old_table_or_the_new() {
    let folder = tempfile::tempdir().unwrap();
    let scope = Scope::Boards(2, 3);
    let path = build("clobber", scope, folder.path());
    let (store, budget) = (Store::new(), Budget::unlimited());
    let done = AtomicBool::new(false);
    let read = || {
        let kernel = store.kernel(&budget);
        let mut times = 0;
        while !done.load(Relaxed) || times == 0 {
            let (library, reports) = crate::library(folder.path());
            for table in library.tables() {
                table.check().unwrap();
                for place in 0..table.boards() {
                    table.fact_at(place, &kernel).unwrap();
                }
            }
            assert_eq!(library.tables().len(), 1);
            assert!(reports.lock().unwrap().is_empty());
            times += 1;
        }
    };
    std::thread::scope(|threads| {
        let readers = [threads.spawn(read), threads.spawn(read)];
        // Also when a build fails, or the readers would go on for ever.
        let ended = Ended(&done);
        for i in 0..times(10, 200) {
            // Another question is another table under the same name.
            let settings =
                Settings { max_values: if i % 2 == 0 { 9 } else { u64::MAX }, ..Settings::default() };
            assert!(!build_with("clobber", scope, folder.path(), &settings).unwrap().was_there);
        }
        drop(ended);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
    assert!(path.exists());
}

/// Says that it is over when it goes.
struct Ended<'a>(&'a AtomicBool);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// A disk that is really full, where one can be mounted.
#[test]
#[cfg(target_os = "linux")]
fn a_small_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=192k", "gamebench-test"])
        .arg(folder.path())
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no disk can be mounted here; a limit on the size of files stands for one");
        return;
    }
    let (success, text) = output(builder_command(folder.path()).spawn().unwrap());
    let left = left_over(folder.path());
    let table = folder.path().join(SCOPE.file_name("clobber")).exists();
    let unmounted = Command::new("umount").arg(folder.path()).status().unwrap();
    assert!(unmounted.success());
    assert!(!success && text.contains("Make room, or use another folder with --db"), "{text}");
    assert!(left.is_empty() && !table, "{left:?}");
}
