//! `gamebench analyze`: a position taken apart, and how to win it.

use std::time::Instant;

use clap::Args;
use gb_chess::ChessError;
use gb_engine::analysis_json::AnalysisJson;
use gb_engine::report;
use gb_engine::{Analysed, Engine};
use gb_rules::Player;
use gb_value::Cancel;

use super::chess::ChessOptions;
use super::go::{GoOptions, GoResults};
use crate::databases::{Databases, EngineForMany};
use crate::errors::{Failure, is_limit};
use crate::input::for_each_input;
use crate::limits::{Limits, Threads, interrupt};
use crate::output::{self, Format};
use crate::progress::with_progress;

/// Decomposition search: parts, values, the sum, who wins, every winning move and why
#[derive(Args)]
pub struct Analyze {
    /// A game and a position, such as clobber 'xo.|.ox', or a sum of positions and values, such as
    /// 'clobber xo.|.ox + domineering ..|.. + ^*'; `-` reads such lines from standard input; or go FILE.sgf, where `go -`
    /// reads the record from standard input
    #[arg(required = true, value_name = "POSITION")]
    sum: Vec<String>,
    /// After the report, play against the proof of who wins if FIRST begins (left or right; left if not given): every move of the
    /// proof says which fact answers yours
    #[arg(long, value_name = "FIRST", num_args = 0..=1, require_equals = true, default_missing_value = "left", value_parser = ["left", "right"], conflicts_with = "json")]
    explain: Option<String>,
    #[command(flatten)]
    go: GoOptions,
    #[command(flatten)]
    chess: ChessOptions,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    databases: Databases,
    #[command(flatten)]
    format: Format,
}

impl Analyze {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let cancel = interrupt();
        let mut engine = EngineForMany::new(&self.databases, &self.threads, &self.limits);
        let sum = self.sum.join(" ");
        let Some(first) = &self.explain else {
            return for_each_input(&sum, self.format.json, |text| self.one(engine.next(), &cancel, text));
        };
        if sum == "-" || sum == "go" || sum.starts_with("go ") || gb_chess::fen_of(&sum).is_some() {
            return Err(Failure::Usage(
                "--explain is for one position of a game that proofs are made for".into(),
            ));
        }
        let engine = engine.next();
        self.one(engine, &cancel, &sum)?;
        let first = if first == "left" { Player::Left } else { Player::Right };
        let budget = self.limits.budget(None).with_cancel(cancel);
        super::explain::explain(engine, &sum, first, &budget)
    }

    fn one(&self, engine: &Engine, cancel: &Cancel, text: &str) -> Result<(), Failure> {
        // A board of Go comes from a file.
        if let Some(source) = text.strip_prefix("go ") {
            let budget = self.limits.budget(None).with_cancel(cancel.clone());
            let kept = self.databases.db.as_deref().map(GoResults::open);
            let memory = kept.as_ref().and_then(GoResults::memory);
            let done = self.go.analyze(source.trim(), &budget, self.limits.nodes, memory, self.format.json);
            // What was found before a limit is worth keeping, too.
            kept.map_or(Ok(()), |kept| kept.save())?;
            return done;
        }
        if text == "go" {
            return Err(Failure::Usage(
                "go: expected a record or a board, such as go FILE.sgf, or `go -` for standard input".into(),
            ));
        }
        if self.go.any() {
            return Err(Failure::Usage(
                "--sgf, --scoring, --superko, --to-play, --before-move, --max-area and --max-proof are for boards of go"
                    .into(),
            ));
        }
        if let Some(fen) = gb_chess::fen_of(text) {
            let report = self.chess.report(fen, &self.limits, self.format.json);
            let failed = |error: ChessError| match error {
                ChessError::Halt(stop) => Failure::of_stop(stop, error.to_string()),
                _ => Failure::Input(error.to_string()),
            };
            return Ok(output::line(&report.map_err(failed)?)?);
        }
        if self.chess.any() {
            return Err(Failure::Usage("--bound and --check are for positions of chess".into()));
        }
        let allowance = self.limits.allowance(cancel);
        let (budget, rest) = (allowance.values(), || allowance.rest());
        let start = Instant::now();
        let analysed = with_progress(&budget, |finished| engine.analyze(text, &budget, &rest, finished));
        let Analysed { report, winners } = analysed.map_err(Failure::input)?;
        let (nodes, seconds) = (budget.nodes(), start.elapsed().as_secs_f64());
        // What is known is printed even when the budget is spent.
        let for_text = self.limits.budget_for_text(start);
        let kernel = engine.store.kernel(&for_text);
        let halted = report.analysis.as_ref().is_err_and(|&stop| is_limit(stop));
        let done = if halted { Err(Failure::Halted) } else { Ok(()) };
        if self.format.json {
            let style = self.format.style(1_000_000);
            let findings = AnalysisJson::of(&report, winners, &kernel, &style, (nodes, seconds));
            output::json(&findings)?;
            return done;
        }
        let mut text = report::sum_text(&report, &kernel, &self.format.style(120), output::ink());
        if let Some(winners) = winners {
            text += &(report::winners_text(&winners) + "\n");
        }
        if let Some(remark) = self.limits.remark(report.analysis.as_ref().err().copied()) {
            text += &(remark + "\n");
        }
        text += &format!("{nodes} nodes, {seconds:.3} s\n");
        output::page(&text)?;
        done
    }
}
