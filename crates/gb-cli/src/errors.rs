//! How a command can fail, and with which exit code.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Why a command did not do all it was asked to do.
#[derive(Debug)]
pub enum Failure {
    /// Some input was bad, and that was reported where it happened.
    BadInput,
    /// Some input was bad, with the sentence that says so.
    Input(String),
    /// The command was called in a way that makes no sense.
    Usage(String),
    /// A file or a stream could not be read or written.
    Io(String, io::Error),
    /// Whoever reads the output has seen enough.
    BrokenPipe,
}

impl Failure {
    /// An error with a file.
    pub fn file(doing: &str, path: &Path, error: io::Error) -> Failure {
        Failure::Io(format!("{doing} {}", path.display()), error)
    }

    /// Prints the sentence, if it is not printed yet, and gives the exit code: 0 success, 1 bad input, 2 wrong usage.
    pub fn report(self) -> ExitCode {
        match self {
            Failure::BadInput => ExitCode::from(1),
            Failure::BrokenPipe => ExitCode::SUCCESS,
            Failure::Input(_) | Failure::Io(..) => {
                eprintln!("{self}");
                ExitCode::from(1)
            }
            Failure::Usage(_) => {
                eprintln!("{self}");
                ExitCode::from(2)
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::BadInput => f.write_str("some input was bad"),
            Failure::BrokenPipe => f.write_str("nobody reads the output"),
            Failure::Input(sentence) | Failure::Usage(sentence) => write!(f, "error: {sentence}"),
            Failure::Io(doing, error) => write!(f, "error: {doing}: {error}"),
        }
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
