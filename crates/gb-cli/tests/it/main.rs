//! The binary as its users see it: arguments and standard input in, output and exit code out.

mod app;
mod calc;
mod chess;
mod db;
mod documents;
mod exits;
mod files;
mod game_files;
mod go;
mod players;
mod positions;
mod proofs;
mod records;
mod strategies;
mod terminal;
mod thermograph;

use std::io::Write;
use std::process::{Command, Stdio};

/// What a run of the binary left behind.
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: Option<i32>,
}

/// Runs `gamebench` with these arguments and this standard input.
pub(crate) fn gamebench(arguments: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gamebench"))
        .args(arguments)
        // The databases of whoever runs the tests have nothing to do with them.
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // A program may end before it has read everything.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
}
