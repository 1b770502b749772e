//! How a command can fail, and with which exit code.
//!
//! One rule for all commands, which `gamebench --help` and docs/commands.md tell: 0 is success, 1 bad input, 2 wrong usage, 3
//! an answer that was not found because a limit was reached. Where a command has many inputs the worst of them counts: 1
//! before 3.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use gb_db::StoreError;
use gb_engine::picture::ink::Tint;
use gb_value::{Halt, ValueError};

use crate::output;

/// The exit codes, as the help of the command line tells them.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  an input was bad, or a file could not be read, written or believed
  2  the command was called in a way that makes no sense
  3  a limit (--time, --memory, --nodes) or an interrupt came before the answer was found;
     what is known by then is printed
With many inputs the worst of them counts: 1 before 3.";

/// Why a command did not do all it was asked to do.
#[derive(Debug)]
pub enum Failure {
    /// Some input was bad, and that was reported where it happened.
    BadInput,
    /// Some input was bad, with the sentence that says so.
    Input(String),
    /// A limit came before some answer was found, and that was reported where it happened.
    Halted,
    /// A limit came before the answer was found, with the sentence that says so.
    Limit(String),
    /// The command was called in a way that makes no sense.
    Usage(String),
    /// A file or a stream could not be read or written.
    Io(String, io::Error),
    /// Whoever reads the output has seen enough.
    BrokenPipe,
}

impl Failure {
    /// Bad input, for this reason.
    pub fn input(reason: impl ToString) -> Failure {
        Failure::Input(reason.to_string())
    }

    /// Wrong usage, for this reason.
    pub fn usage(reason: impl ToString) -> Failure {
        Failure::Usage(reason.to_string())
    }

    /// An error with a file.
    pub fn file(doing: &str, path: &Path, error: io::Error) -> Failure {
        Failure::Io(format!("{doing} {}", path.display()), error)
    }

    /// A sentence about work that was ended by a limit, or else about bad input.
    pub fn of_stop(stop: Halt, sentence: String) -> Failure {
        if is_limit(stop) { Failure::Limit(sentence) } else { Failure::Input(sentence) }
    }

    /// Prints the sentence, if it is not printed yet, and gives the [exit code](EXIT_CODES).
    pub fn report(self) -> ExitCode {
        match self {
            Failure::BadInput => ExitCode::from(1),
            Failure::BrokenPipe => ExitCode::SUCCESS,
            Failure::Halted => ExitCode::from(3),
            Failure::Limit(_) => {
                self.print();
                ExitCode::from(3)
            }
            Failure::Input(_) | Failure::Io(..) => {
                self.print();
                ExitCode::from(1)
            }
            Failure::Usage(_) => {
                self.print();
                ExitCode::from(2)
            }
        }
    }
}

impl Failure {
    fn print(&self) {
        let (text, ink) = (self.to_string(), output::error_ink());
        match text.strip_prefix(ERROR) {
            Some(sentence) => eprintln!("{}{sentence}", ink.paint(Tint::Bad, ERROR)),
            None => eprintln!("{text}"),
        }
    }
}

const ERROR: &str = "error:";

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::BadInput => f.write_str("some input was bad"),
            Failure::BrokenPipe => f.write_str("nobody reads the output"),
            Failure::Halted => f.write_str("a limit was reached"),
            Failure::Input(sentence) | Failure::Limit(sentence) | Failure::Usage(sentence) => {
                write!(f, "error: {sentence}")
            }
            Failure::Io(doing, error) => write!(f, "error: {doing}: {error}"),
        }
    }
}

/// Whether work ended because of a limit that somebody set, or an interrupt: not because there is no answer.
pub fn is_limit(stop: Halt) -> bool {
    matches!(stop, Halt::Nodes | Halt::Bytes | Halt::Time | Halt::Cancelled)
}

/// The worst of what became of many inputs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Worst {
    bad: bool,
    halted: bool,
}

impl Worst {
    /// Notes an input that was bad, or that a limit ended.
    pub fn note(&mut self, limit: bool) {
        if limit { self.halted = true } else { self.bad = true }
    }

    /// What became of all of them. The sentences are printed already.
    pub fn result(self) -> Result<(), Failure> {
        match self {
            Worst { bad: true, .. } => Err(Failure::BadInput),
            Worst { halted: true, .. } => Err(Failure::Halted),
            _ => Ok(()),
        }
    }
}

impl From<ValueError> for Failure {
    fn from(error: ValueError) -> Self {
        match error {
            ValueError::Halt(stop) => Failure::of_stop(stop, error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let sentence = error.to_string();
        if error.is_limit() { Failure::Limit(sentence) } else { Failure::Input(sentence) }
    }
}

impl From<io::Error> for Failure {
    /// Errors of standard output; other streams say what they were doing.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Io("writing the output".into(), error),
        }
    }
}
