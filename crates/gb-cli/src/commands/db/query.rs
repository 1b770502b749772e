//! `gamebench db query`: what the tables say about a position, without any search.

use clap::Args;
use gb_db::{Library, Partial};
use gb_engine::Engine;
use gb_engine::analysis_json::ValueFacts;
use gb_engine::report;
use gb_value::{Budget, Store};
use serde::Serialize;

use crate::databases::Databases;
use crate::errors::Failure;
use crate::input::for_each_input;
use crate::output::{self, Format};

/// What the tables say about a position, without search
#[derive(Args)]
pub struct Query {
    /// The game, such as clobber
    game: String,
    /// The position as text; `-` reads positions from standard input
    #[arg(required = true)]
    position: Vec<String>,
    #[command(flatten)]
    databases: Databases,
    #[command(flatten)]
    format: Format,
}

/// A fact as JSON. Exact numbers are strings; what is not known is null.
#[derive(Serialize)]
struct JsonFact<'a> {
    game: &'a str,
    position: String,
    value: Option<String>,
    #[serde(flatten)]
    facts: ValueFacts,
    /// Of all-small games.
    #[serde(skip_serializing_if = "Option::is_none")]
    atomic_weight: Option<String>,
}

/// An outcome as JSON.
#[derive(Serialize)]
struct JsonOutcome<'a> {
    game: &'a str,
    position: &'a str,
    value: Option<&'a str>,
    outcome: &'a str,
}

impl Query {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let (engine, library, store) =
            (crate::game_files::engine(1), self.databases.library()?, Store::new());
        for_each_input(&self.position.join(" "), self.format.json, |position| {
            self.one(&engine, &library, &store, position)
        })
    }

    fn one(&self, engine: &Engine, library: &Library, store: &Store, position: &str) -> Result<(), Failure> {
        let game = engine.tabulated_game(&self.game, position).map_err(Failure::input)?;
        let at = game.read(position).map_err(|error| Failure::Input(error.to_string()))?;
        let budget = Budget::unlimited();
        let kernel = store.kernel(&budget);
        let stopped = |stop: gb_value::Halt| Failure::of_stop(stop, stop.to_string());
        let Some(fact) = library.known(&game, &at, &kernel)? else {
            if let Some(outcome) = library.outcome(&game, &at) {
                return self.say_outcome(&game.show(&at), &outcome.to_string());
            }
            return Err(Failure::Input(format!(
                "no table in {} holds {} {}: `gamebench value` searches it, `gamebench db build` makes tables",
                library.folder().display(),
                game.name(),
                game.show(&at)
            )));
        };
        let Partial { outcome, thermograph, small } = fact.partial(&kernel).map_err(stopped)?;
        let text = |value| report::value_text(&kernel, value, &self.format.style(1_000_000));
        let record = JsonFact {
            game: &self.game,
            position: game.show(&at),
            value: fact.value().map(text),
            facts: ValueFacts::of_thermograph(Some(outcome.into()), &thermograph),
            atomic_weight: small.map(|small| text(small.atomic_weight)),
        };
        if self.format.json {
            return Ok(output::json(&record)?);
        }
        output::line(&format!("{} {}", record.game, record.position))?;
        let unknown = || "not in the tables".to_owned();
        let ValueFacts { outcome, mean, temperature, stops } = record.facts;
        let stops = stops.unwrap_or_default();
        for (name, text) in [
            ("value", Some(record.value.unwrap_or_else(unknown))),
            ("outcome", outcome),
            ("mean", mean),
            ("temperature", temperature),
            ("left stop", stops.left_stop),
            ("right stop", stops.right_stop),
            ("atomic weight", record.atomic_weight),
        ] {
            if let Some(text) = text {
                output::line(&format!("  {name:<13} {text}"))?;
            }
        }
        Ok(())
    }

    /// What there is to say where only a table of outcomes knows the position.
    fn say_outcome(&self, position: &str, outcome: &str) -> Result<(), Failure> {
        if self.format.json {
            return Ok(output::json(&JsonOutcome { game: &self.game, position, value: None, outcome })?);
        }
        output::line(&format!("{} {position}", self.game))?;
        Ok(output::line(&format!("  {:<13} {outcome}", "outcome"))?)
    }
}
