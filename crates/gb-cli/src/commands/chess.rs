//! What `gamebench analyze` does with chess: the report of the analyst, and a search of the whole board on request.

use std::time::Duration;

use clap::Args;
use gb_chess::{Analysis, Check, ChessError, Request, analyse, check};
use serde::Serialize;

use crate::limits::{Limits, duration};

/// What can be asked about a chess position besides.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Chess")]
pub struct ChessOptions {
    /// The pawns bound to the kings, such as e4,f4, if you know better than the program
    #[arg(long, value_name = "SQUARES")]
    bound: Option<String>,
    /// Search the whole board, kings included, for this long (10s if no time is given)
    #[arg(long, value_name = "TIME", value_parser = duration, num_args = 0..=1, default_missing_value = "10s", require_equals = true)]
    check: Option<Duration>,
    /// Search the whole board at most this many half-moves deep
    #[arg(long, value_name = "DEPTH", default_value_t = 200)]
    check_depth: u32,
}

/// The analysis of one position as JSON.
#[derive(Serialize)]
struct JsonAnalysis<'a> {
    game: &'static str,
    #[serde(flatten)]
    analysis: &'a Analysis,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Check>,
}

impl ChessOptions {
    /// Whether anything was asked that only the analyst of chess can answer.
    pub fn any(&self) -> bool {
        self.bound.is_some() || self.check.is_some()
    }

    /// The report on one position: text for people, or a line of JSON.
    pub fn report(&self, fen: &str, limits: &Limits, json: bool) -> Result<String, ChessError> {
        let mut request = Request::new(fen)?;
        if let Some(bound) = &self.bound {
            request = request.with_bound(bound)?;
        }
        let analysis = analyse(&request, &limits.budget(None))?;
        let check = self.check.map(|time| {
            let budget = limits.budget(None).with_time(time);
            check(&request.board, analysis.claim(), self.check_depth, &budget, &mut |_, _, _, _| {})
        });
        if json {
            let object = JsonAnalysis { game: "chess", analysis: &analysis, check };
            // Strings, numbers and lists always have a JSON text.
            return Ok(serde_json::to_string(&object).unwrap_or_default());
        }
        Ok(analysis.text(check.as_ref()))
    }
}
