//! `gamebench prove` and `gamebench check`: certificates of values and outcomes.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use clap::Args;
use gb_engine::{EngineError, Goal};
use gb_proof::{Claim, ProofError, TemporaryFileError};
use serde::Serialize;

use crate::errors::Failure;
use crate::limits::{Limits, Threads, interrupt};
use crate::output::{self, Format};
use crate::progress::{Counted, with_progress_about};

/// Prove a value or an outcome, and write a certificate that others can check
///
/// The certificate says for every fact from which others it follows. `gamebench check` and `checker/check.py` check it without any search.
/// What was proved and does not fit into a quarter of the memory that --memory allows goes into temporary files.
#[derive(Args)]
pub struct Prove {
    /// A game and a position or size, such as `clobber 4x4`, or a sum of them and of values, such as `'nim 3,5 + cram 3x3 + *2'`
    #[arg(required = true)]
    sum: Vec<String>,
    #[command(flatten)]
    goal: GoalOptions,
    /// Where to write the certificate
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
}

#[derive(Args)]
#[group(multiple = false)]
struct GoalOptions {
    /// Prove the value (the default)
    #[arg(long)]
    value: bool,
    /// Prove who wins, whoever begins
    #[arg(long)]
    outcome: bool,
    /// Prove the nimber, of impartial games
    #[arg(long)]
    nimber: bool,
    /// Prove that it is at most this value
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    at_most: Option<String>,
    /// Prove that it is at least this value
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    at_least: Option<String>,
}

impl GoalOptions {
    fn goal(&self) -> Goal {
        match self {
            GoalOptions { at_most: Some(value), .. } => Goal::AtMost(value.clone()),
            GoalOptions { at_least: Some(value), .. } => Goal::AtLeast(value.clone()),
            GoalOptions { outcome: true, .. } => Goal::Outcome,
            GoalOptions { nimber: true, .. } => Goal::Nimber,
            _ => Goal::Value,
        }
    }
}

/// What was proved or checked, as JSON.
#[derive(Serialize)]
struct JsonProof {
    claims: Vec<String>,
    lines: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    seconds: f64,
}

/// Prints what is proved.
fn tell(
    claims: &[Claim],
    lines: u64,
    bytes: Option<u64>,
    start: Instant,
    format: &Format,
) -> Result<(), Failure> {
    let claims: Vec<String> = claims.iter().map(Claim::to_string).collect();
    let seconds = start.elapsed().as_secs_f64();
    if format.json {
        return Ok(output::json(&JsonProof { claims, lines, bytes, seconds })?);
    }
    for claim in claims {
        output::line(&format!("proved: {claim}"))?;
    }
    let bytes = bytes.map_or(String::new(), |bytes| format!(", {bytes} bytes"));
    Ok(output::line(&format!("  {lines} lines{bytes}, {seconds:.3} s"))?)
}

fn failure(error: EngineError, doing: &str, file: &Path) -> Failure {
    match &error {
        EngineError::Proof(proof) => match &**proof {
            ProofError::Halt(stop) => Failure::of_stop(*stop, error.to_string()),
            ProofError::Io(error) => {
                match error.get_ref().and_then(|inner| inner.downcast_ref::<TemporaryFileError>()) {
                    Some(temporary) => Failure::input(temporary),
                    None => Failure::input(format!("{doing} {}: {}", file.display(), error.kind())),
                }
            }
            _ => Failure::input(error),
        },
        _ => Failure::input(error),
    }
}

impl Prove {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let (engine, cancel) = (self.threads.engine(), interrupt());
        let budget = self.limits.budget(None).with_cancel(cancel);
        let start = Instant::now();
        let (sum, goal) = (self.sum.join(" "), self.goal.goal());
        let files = Cell::new(0);
        let scratch = || scratch_file(&files);
        let bytes = AtomicU64::new(0);
        // A certificate may grow for hours: whoever waits should see how large it is by now.
        let about = || match bytes.load(Relaxed) {
            // No more than the head yet.
            0..5_000 => ", searching".into(),
            bytes => format!(", {} written", megabytes(bytes)),
        };
        let proved = with_progress_about(&budget, about, || {
            gb_record::files::write_with(&self.out, |file| {
                let file = &mut Counted { file, bytes: &bytes };
                engine.prove(&sum, &goal, &budget, file, Some(&scratch))
            })
        });
        let proved = proved.map_err(|error| failure(error, "writing", &self.out))?;
        tell(&proved.claims, proved.lines, Some(proved.bytes), start, &self.format)
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// A file for what does not fit into memory. It has no name any more when it is there, so that nothing is left of it.
fn scratch_file(made: &Cell<u32>) -> io::Result<File> {
    made.set(made.get() + 1);
    let name = format!("gamebench-proof-{}-{}", std::process::id(), made.get());
    let path = std::env::temp_dir().join(name);
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(path)?;
    Ok(file)
}

/// Check a certificate, without any search
///
/// Facts that do not fit into half of the memory that --memory allows go into temporary files.
#[derive(Args)]
pub struct Check {
    /// The certificate
    file: PathBuf,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    format: Format,
}

impl Check {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let (engine, cancel) = (crate::game_files::engine(1), interrupt());
        let budget = self.limits.budget(None).with_cancel(cancel);
        let start = Instant::now();
        let file = File::open(&self.file).map_err(|error| Failure::file("reading", &self.file, error))?;
        let files = Cell::new(0);
        let scratch = || scratch_file(&files);
        let (bytes, all) = (AtomicU64::new(0), file.metadata().map_or(0, |about| about.len()));
        let about = || format!(", {} of {} read", megabytes(bytes.load(Relaxed)), megabytes(all));
        let checked = with_progress_about(&budget, about, || {
            let file = BufReader::new(Counted { file, bytes: &bytes });
            engine.check_proof(file, &budget, Some(&scratch))
        });
        let checked = checked.map_err(|error| failure(error, "reading", &self.file))?;
        tell(&checked.claims, checked.lines, None, start, &self.format)
    }
}
