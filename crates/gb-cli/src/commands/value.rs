//! `gamebench value`: the exact value of a position.

use std::time::Instant;

use clap::Args;
use gb_engine::Engine;
use gb_engine::analysis_json::{Stops, ValueFacts};
use gb_engine::report;
use gb_value::{Cancel, Halt, OutcomeClass, Player, Value as GameValue};
use serde::Serialize;

use super::ask::Ask;
use crate::errors::{Failure, is_limit};
use crate::output;
use crate::progress::with_progress;

/// The canonical value of a position, with mean, temperature, stops and outcome
#[derive(Args)]
pub struct Value {
    #[command(flatten)]
    ask: Ask,
}

/// A value as JSON. Exact numbers are strings; what is not known is null.
#[derive(Serialize)]
struct JsonValue<'a> {
    game: &'a str,
    position: &'a str,
    value: Option<String>,
    #[serde(flatten)]
    facts: ValueFacts,
    /// In games that end in a score: what best play ends with.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_first_score: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right_first_score: Option<String>,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[Option<i64>; 2]>,
}

impl Value {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        self.ask.each(|engine, cancel, position| self.one(engine, cancel, position))
    }

    fn one(&self, engine: &Engine, cancel: &Cancel, position: &str) -> Result<(), Failure> {
        let allowance = self.ask.limits.allowance(cancel);
        let (budget, rest) = (allowance.values(), || allowance.rest());
        let start = Instant::now();
        let answer = with_progress(&budget, |finished| {
            engine.value(&self.ask.game, position, &budget, &rest, finished)
        });
        let answer = answer.map_err(Failure::input)?;
        let Some(examined) = answer.examined else { return Ok(()) };
        let sum = {
            let kernel = engine.store.kernel(&budget);
            let values: Result<Vec<GameValue>, Halt> = examined.components.iter().map(|r| r.value).collect();
            values.and_then(|values: Vec<GameValue>| kernel.sum(&values))
        };
        let for_text = self.ask.limits.budget_for_text(start);
        let kernel = engine.store.kernel(&for_text);
        let (nodes, seconds) = (budget.nodes(), start.elapsed().as_secs_f64());
        let halted = sum.as_ref().is_err_and(|&stop| is_limit(stop));
        let remark = self.ask.limits.remark(sum.err());
        let style = self.ask.format.style(1_000_000);
        let score =
            |first| examined.scores.as_ref()?.first(first).as_ref().ok().map(|score| score.to_string());
        let of_outcome = |outcome: Option<OutcomeClass>| ValueFacts {
            outcome: outcome.map(|o| o.to_string()),
            stops: Some(Stops::default()),
            ..ValueFacts::default()
        };
        let mut record = JsonValue {
            game: &examined.game,
            position: &examined.position,
            value: None,
            facts: ValueFacts::default(),
            left_first_score: score(Player::Left),
            right_first_score: score(Player::Right),
            nodes,
            seconds,
            stopped: None,
            bounds: None,
        };
        match sum {
            Ok(value) => {
                record.value = Some(report::value_text(&kernel, value, &style));
                record.facts = ValueFacts::with_stops(value, examined.scores.is_some(), &kernel);
            }
            Err(stop) => match examined.loopy_total(&engine.store.kernel(&budget)) {
                Some(value) => {
                    record.value = Some(report::loopy_text(&kernel, &value, &style));
                    record.facts = of_outcome(report::loopy_outcome(&value, &kernel));
                }
                None => {
                    let by_score = examined.scores.as_ref().and_then(|scores| scores.outcome().ok());
                    let outcome = by_score.or_else(|| answer.winners.and_then(|w| w.outcome().ok()));
                    record.facts = of_outcome(outcome);
                    record.stopped = Some(stop.to_string());
                    // In misère play there is nothing to bound.
                    record.bounds = examined.misere.is_none().then(|| examined.integer_bounds());
                }
            },
        }
        if self.ask.format.json {
            output::json(&record)?;
        } else {
            print(&record)?;
            remark.map_or(Ok(()), |remark| output::line(&format!("  {remark}")))?;
        }
        // A value may be found in another way after a limit.
        if halted && record.value.is_none() { Err(Failure::Halted) } else { Ok(()) }
    }
}

fn print(record: &JsonValue<'_>) -> Result<(), Failure> {
    output::line(&format!("{} {}", record.game, record.position))?;
    let (facts, stops) = (&record.facts, record.facts.stops.clone().unwrap_or_default());
    let rows = [
        ("value", &record.value),
        ("outcome", &facts.outcome),
        ("mean", &facts.mean),
        ("temperature", &facts.temperature),
        ("left stop", &stops.left_stop),
        ("right stop", &stops.right_stop),
        ("Left first", &record.left_first_score),
        ("Right first", &record.right_first_score),
    ];
    for (name, text) in rows {
        if let Some(text) = text {
            output::line(&format!("  {name:<12} {text}"))?;
        }
    }
    if let Some(stopped) = &record.stopped {
        output::line(&format!("  {stopped}"))?;
    }
    if let Some([low, high]) = record.bounds {
        let end = |bound: Option<i64>| bound.map_or("unbounded".to_owned(), |n| n.to_string());
        output::line(&format!("  {:<12} from {} to {}", "bounds", end(low), end(high)))?;
    }
    Ok(output::line(&format!("  {:<12} {}, {:.3} s", "nodes", record.nodes, record.seconds))?)
}
