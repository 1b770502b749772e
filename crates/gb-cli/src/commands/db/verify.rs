//! `gamebench db verify`: are the tables what they say?

use std::time::Instant;

use clap::Args;
use gb_desk::Desk;
use gb_local::Bench;
use gb_store::{StoreError, Table};
use gb_value::{Cancel, Store};
use serde::Serialize;

use super::{grouped, name_of};
use crate::databases::Databases;
use crate::errors::Failure;
use crate::limits::{Limits, interrupt};
use crate::output;

/// Checks all checksums, and searches a random sample of the boards again
#[derive(Args)]
pub struct Verify {
    /// Only the tables of this game
    game: Option<String>,
    /// How many boards of each table to search again
    #[arg(long, value_name = "COUNT", default_value_t = 1000)]
    sample: u64,
    /// Where the random numbers begin; the same number gives the same sample
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    databases: Databases,
    #[command(flatten)]
    limits: Limits,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// What was verified, as JSON.
#[derive(Serialize)]
struct JsonVerified {
    file: String,
    searched: u64,
    without_value: u64,
    wrong: Vec<String>,
    error: Option<String>,
    seconds: f64,
}

impl Verify {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let (desk, cancel, library) = (Desk::new(1), interrupt(), self.databases.library()?);
        let mut sound = true;
        for table in library.tables() {
            if self.game.as_ref().is_none_or(|game| game == table.game()) {
                sound &= self.one(&desk, table, &cancel)?;
            }
        }
        if sound { Ok(()) } else { Err(Failure::BadInput) }
    }

    fn one(&self, desk: &Desk, table: &Table, cancel: &Cancel) -> Result<bool, Failure> {
        let start = Instant::now();
        let (store, budget) = (Store::new(), self.limits.budget(None).with_cancel(cancel.clone()));
        let verified = (|| {
            let game =
                desk.grid_game(table.game(), &table.scope().sample()).map_err(StoreError::Senseless)?;
            gb_store::verify(table, &*game, self.sample, self.seed, &Bench::new(&store, &budget))
        })();
        let (found, error) = match verified {
            Ok(found) => (found, None),
            Err(error) => (Default::default(), Some(error.to_string())),
        };
        let sound = error.is_none() && found.wrong.is_empty();
        let record = JsonVerified {
            file: name_of(table),
            searched: found.boards,
            without_value: found.partial,
            wrong: found.wrong,
            error,
            seconds: start.elapsed().as_secs_f64(),
        };
        if self.json {
            output::json(&record)?;
            return Ok(sound);
        }
        let title = format!("{} {}", table.game(), table.scope());
        match (&record.error, record.wrong.as_slice()) {
            (Some(error), _) => output::line(&format!("{title}: {error}"))?,
            (None, []) => output::line(&format!(
                "{title}: all checksums are right, and so are {} boards that were searched again",
                grouped(record.searched)
            ))?,
            (None, wrong) => output::line(&format!(
                "{title}: wrong about {} of {} boards, such as {}. Delete {} and build it again",
                wrong.len(),
                grouped(record.searched),
                wrong[0],
                table.path().display()
            ))?,
        }
        Ok(sound)
    }
}
