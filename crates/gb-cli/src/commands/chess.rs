//! What `gamebench analyze` does with chess: what is proved on the whole board, and the report of the analyst.

use std::time::Duration;

use clap::Args;
use gb_chess::{Analysis, ChessError, Proof, Request, Tables, analyse, prove};
use serde::Serialize;

use crate::limits::{Limits, duration};

/// What can be asked about a chess position besides.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Chess")]
pub struct ChessOptions {
    /// The pawns bound to the kings, such as e4,f4, if you know better than the program
    #[arg(long, value_name = "SQUARES")]
    bound: Option<String>,
    /// Try for this long to prove who wins on the whole board: 3s if not given, 10s if no time is given, 0s not at all
    #[arg(long, value_name = "TIME", value_parser = duration, num_args = 0..=1, default_missing_value = "10s", require_equals = true)]
    check: Option<Duration>,
}

/// How long a proof is tried if nothing else is said.
const PATIENCE: Duration = Duration::from_secs(3);

/// The analysis of one position as JSON.
#[derive(Serialize)]
struct JsonAnalysis<'a> {
    game: &'static str,
    #[serde(flatten)]
    analysis: &'a Analysis,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Proof>,
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
        let budget = limits.budget(None);
        let analysis = analyse(&request, &budget)?;
        let time = self.check.unwrap_or(PATIENCE);
        let proof = (!time.is_zero()).then(|| {
            let tables = Tables::new(Tables::folder_of_user().as_deref());
            prove(&request.board, &tables, &budget.part_of_time(time))
        });
        if json {
            let object = JsonAnalysis { game: "chess", analysis: &analysis, proof };
            // Strings, numbers and lists always have a JSON text.
            return Ok(serde_json::to_string(&object).unwrap_or_default());
        }
        Ok(analysis.text(proof.as_ref()))
    }
}
