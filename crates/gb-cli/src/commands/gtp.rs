//! `gamebench gtp`: Go endgames over the Go Text Protocol.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use clap::Args;
use gb_go::gtp::Session;
use gb_go::{Scoring, Settings};
use gb_value::Budget;

use crate::errors::Failure;

/// Plays Go endgames under GoGui, Sabaki and other programs that speak the Go Text Protocol
#[derive(Args)]
pub struct Gtp {
    /// Count stones and territory instead of territory and prisoners
    #[arg(long)]
    area: bool,
}

/// For one move: enough for what can be solved, and no more than people wait.
fn budget() -> Budget {
    Budget::unlimited().with_time(Duration::from_secs(10)).with_bytes(2 << 30)
}

impl Gtp {
    /// Runs the command: one answer for each line, until `quit` or the end of the input.
    pub fn run(self) -> Result<(), Failure> {
        let scoring = if self.area { Scoring::Area } else { Scoring::Territory };
        let mut session = Session::new(Settings { scoring, ..Settings::default() }, budget);
        let mut out = io::stdout().lock();
        for line in io::stdin().lock().split(b'\n') {
            let line = line.map_err(|error| Failure::Io("reading commands".into(), error))?;
            if let Some(answer) = session.answer(&String::from_utf8_lossy(&line)) {
                out.write_all(answer.as_bytes())?;
                out.flush()?;
            }
            if session.is_over() {
                break;
            }
        }
        Ok(())
    }
}
