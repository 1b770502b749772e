//! Accidents that need processes: this test program runs itself as a builder.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use gb_store::{Scope, Settings, StoreError};

use crate::{build, build_with};

const FOLDER: &str = "GB_STORE_TEST_FOLDER";
const SCOPE: Scope = Scope::Boards(3, 4);

/// Not a test by itself: the builder that the others start. Without the variable it does nothing.
#[test]
fn builder() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let settings = Settings { threads: 2, checkpoint: Duration::ZERO, ..Settings::default() };
    match build_with("clobber", SCOPE, Path::new(&folder), &settings) {
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
    for _ in 0..15 {
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
    assert!(journals.iter().any(|&length| length > 100), "something was saved before a kill: {journals:?}");
}

#[test]
fn two_builds_at_once_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (game, budget) = (crate::game("clobber"), gb_value::Budget::unlimited());
    let settings = Settings::default();
    let first = gb_store::Build::open(game, SCOPE, folder.path(), budget, &settings).unwrap();
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
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(
        names.iter().all(|n| !n.to_string_lossy().contains("unfinished")),
        "nothing is left over: {names:?}"
    );
    // With room again it goes on.
    let (success, text) = output(builder_command(folder.path()).spawn().unwrap());
    assert!(success && !text.contains(" 0 boards taken over"), "{text}");
    let fresh = tempfile::tempdir().unwrap();
    assert!(fs::read(&old).unwrap() == fs::read(build("clobber", SCOPE, fresh.path())).unwrap());
}
