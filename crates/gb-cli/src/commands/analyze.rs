//! `gamebench analyze`: a position taken apart, and how to win it.

use std::time::Instant;

use clap::Args;
use gb_desk::{Analysed, Desk};
use gb_local::question::outcome::Winners;
use gb_sum::{SumReport, Term};
use gb_value::{Budget, Cancel, Kernel, Player, Value};
use gb_view::report;
use serde_json::{Value as Json, json};

use super::chess::ChessOptions;
use super::go::GoOptions;
use crate::errors::Failure;
use crate::input::for_each_input;
use crate::limits::{Limits, Threads, interrupt};
use crate::output::{self, Format};
use crate::progress::with_progress;

use super::outcome::winners_text;

/// Decomposition search: parts, values, the sum, who wins, every winning move and why
#[derive(Args)]
pub struct Analyze {
    /// A game and a position, such as clobber 'xo.|.ox', or a sum of positions and values, such as
    /// 'clobber xo.|.ox + domineering ..|.. + ^*'; `-` reads such lines from standard input; or go FILE.sgf, where `go -`
    /// reads the record from standard input
    #[arg(required = true, value_name = "POSITION")]
    sum: Vec<String>,
    #[command(flatten)]
    go: GoOptions,
    #[command(flatten)]
    chess: ChessOptions,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
}

impl Analyze {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let (desk, cancel) = (self.threads.desk(), interrupt());
        for_each_input(&self.sum.join(" "), self.format.json, |text| self.one(&desk, &cancel, text))
    }

    fn one(&self, desk: &Desk, cancel: &Cancel, text: &str) -> Result<(), Failure> {
        // A board of Go comes from a file.
        if let Some(source) = text.strip_prefix("go ") {
            let budget = self.limits.budget(None).with_cancel(cancel.clone());
            return self.go.analyze(source.trim(), &budget, self.limits.nodes, self.format.json);
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
            return Ok(output::line(&report.map_err(|error| Failure::Input(error.to_string()))?)?);
        }
        if self.chess.any() {
            return Err(Failure::Usage("--bound and --check are for positions of chess".into()));
        }
        let (budget, rest) = self.limits.two_budgets(cancel);
        let start = Instant::now();
        let analysed = with_progress(&budget, |finished| desk.analyze(text, &budget, &rest, finished));
        let Analysed { report, winners } = analysed.map_err(Failure::Input)?;
        let (nodes, seconds) = (budget.nodes(), start.elapsed().as_secs_f64());
        // What is known is printed even when the budget is spent.
        let unlimited = Budget::unlimited();
        let kernel = desk.store.kernel(&unlimited);
        if self.format.json {
            return Ok(output::json(&self.json(&report, winners, &kernel, nodes, seconds))?);
        }
        let text = report::sum_text(&report, &kernel, &self.format.style(120));
        output::line(&text)?;
        if let Some(winners) = winners {
            output::line(&winners_text(&winners))?;
        }
        Ok(output::line(&format!("{nodes} nodes, {seconds:.3} s"))?)
    }

    fn json(
        &self,
        report: &SumReport,
        winners: Option<Winners>,
        kernel: &Kernel<'_>,
        nodes: u64,
        seconds: f64,
    ) -> Json {
        let style = self.format.style(1_000_000);
        let show = |value| report::value_text(kernel, value, &style);
        let facts = |value: Value| {
            json!({
                "value": show(value),
                "outcome": kernel.outcome(value).map(|o| o.to_string()).ok(),
                "mean": kernel.mean(value).map(|x| x.to_string()).ok(),
                "temperature": kernel.temperature(value).map(|x| x.to_string()).ok(),
            })
        };
        let terms: Vec<Json> = report
            .terms
            .iter()
            .map(|term| match term {
                Term::Value { text, value } => json!({ "text": text, "facts": facts(*value) }),
                Term::Position(examined) => {
                    let parts = examined.regions.iter().map(|region| match region.value {
                        Ok(value) => json!({ "position": region.text, "cells": spots(&region.spots), "facts": facts(value) }),
                        Err(stop) => json!({
                            "position": region.text,
                            "cells": spots(&region.spots),
                            "stopped": stop.to_string(),
                            "bounds": [region.bounds.0, region.bounds.1],
                        }),
                    });
                    let parts: Vec<Json> = parts.collect();
                    json!({ "game": examined.game, "position": examined.position, "parts": parts })
                }
            })
            .collect();
        let winning = |player| -> Vec<Json> {
            let describe = |m: &gb_sum::ExplainedMove<'_>| {
                json!({
                    "term": m.term,
                    "part": m.region,
                    "move": m.on_board.map(|m| m.label.clone()),
                    "to": show(m.to),
                    "leaves": show(m.leaves),
                })
            };
            report.winning_moves(player).iter().map(describe).collect()
        };
        json!({
            "terms": terms,
            "sum": report.analysis.as_ref().ok().map(|a| facts(a.total)),
            "winning": { "left": winning(Player::Left), "right": winning(Player::Right) },
            "winner": winners.map(|w| json!({
                "left_first": w.left_first.map(|p| p.to_string()).ok(),
                "right_first": w.right_first.map(|p| p.to_string()).ok(),
            })),
            "stopped": report.analysis.as_ref().err().map(|stop| stop.to_string()),
            "nodes": nodes,
            "seconds": seconds,
        })
    }
}

fn spots(spots: &[gb_board::Spot]) -> Vec<String> {
    spots.iter().map(|spot| spot.to_string()).collect()
}
