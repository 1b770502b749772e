//! `gamebench heuristic`: games that end in a score, searched deeper and deeper.

use std::path::PathBuf;

use clap::Args;
use gb_engine::picture::thermograph;
use gb_search::ScoreError;
use gb_search::heuristic::{Deepened, Judged};
use gb_value::{Budget, Store, ValueError};
use serde::Serialize;

use crate::errors::{Failure, Worst, is_limit};
use crate::files;
use crate::limits::{Limits, Threads, interrupt};
use crate::output::{self, Format};
use crate::progress::with_progress;

/// Values of a game that ends in a score, for each depth of search, up to infinitesimals
#[derive(Args)]
pub struct Heuristic {
    /// The game, such as regio
    game: String,
    /// The position, such as '....|....'
    #[arg(allow_hyphen_values = true)]
    position: String,
    /// How many moves to look ahead at most
    #[arg(long, default_value_t = 4)]
    depth: u32,
    /// Draw the thermographs of all depths into this file, as SVG: the first part of the position
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct JsonDepth<'a> {
    part: &'a str,
    depth: usize,
    value: String,
    exact: bool,
    mean: String,
    temperature: String,
    left_stop: String,
    right_stop: String,
}

impl Heuristic {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let (engine, budget) = (self.threads.engine(), self.limits.budget(None).with_cancel(interrupt()));
        let found =
            with_progress(&budget, |_| engine.deepen(&self.game, &self.position, self.depth, &budget));
        let answer = found.map_err(Failure::input)?;
        self.report(&answer.deepened, &engine.store)
    }

    fn report(&self, parts: &[Deepened], store: &Store) -> Result<(), Failure> {
        // What was found is shown even if nothing is left of the budget.
        let unlimited = Budget::unlimited();
        let kernel = store.kernel(&unlimited);
        let stopped = Failure::from;
        let mut worst = Worst::default();
        for part in parts {
            if !self.format.json {
                output::line(&part.part)?;
            }
            for (i, Judged { value, exact }) in part.by_depth.iter().enumerate() {
                let graph = kernel.thermograph(*value).map_err(stopped)?;
                let style = self.format.style(10_000);
                let value = kernel.show(*value, &style).map_err(|stop| stopped(stop.into()))?.text;
                let (mean, temperature) = (graph.mean().to_string(), graph.temperature().to_string());
                if self.format.json {
                    output::json(&JsonDepth {
                        part: &part.part,
                        depth: i + 1,
                        value,
                        exact: *exact,
                        mean,
                        temperature,
                        left_stop: graph.left_stop().to_string(),
                        right_stop: graph.right_stop().to_string(),
                    })?;
                } else {
                    let exact = if *exact { ", exact" } else { "" };
                    output::line(&format!(
                        "  depth {}: {value}   (mean {mean}, temperature {temperature}{exact})",
                        i + 1
                    ))?;
                }
            }
            if let Some(error) = &part.stopped {
                worst.note(matches!(error, ScoreError::Halt(stop) if is_limit(*stop)));
                eprintln!("{}: {error}", part.part);
            }
        }
        if let (Some(path), Some(part)) = (&self.svg, parts.first()) {
            let graphs: Result<Vec<_>, ValueError> =
                part.by_depth.iter().map(|judged| kernel.thermograph(judged.value)).collect();
            let graphs = graphs.map_err(stopped)?;
            let names: Vec<String> = (1..=graphs.len()).map(|depth| format!("depth {depth}")).collect();
            let named: Vec<_> =
                names.iter().zip(&graphs).map(|(name, graph)| (name.as_str(), &**graph)).collect();
            files::write(path, thermograph::svg(&named).as_bytes())?;
        }
        worst.result()
    }
}
