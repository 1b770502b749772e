//! `gamebench db verify`: are the tables what they say?

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use clap::Args;
use gb_db::{Library, OutcomeTable, StoreError, Table, Verified};
use gb_value::{Budget, Cancel};
use serde::Serialize;

use super::{file_name, grouped};
use crate::databases::Databases;
use crate::errors::{Failure, Worst};
use crate::limits::{Limits, interrupt};
use crate::output;

/// Checks all checksums, and searches a random sample of the boards again
#[derive(Args)]
pub struct Verify {
    /// Only the tables of this game, by its name or its file
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

/// A file that cannot be used at all, or that there is none.
#[derive(Serialize)]
struct JsonUnusable<'a> {
    error: &'a str,
}

impl Verify {
    /// Runs the command. Everything in the folder that has the name of a table must be one, and there must be some.
    pub fn run(self) -> Result<(), Failure> {
        let (cancel, unusable) = (interrupt(), Arc::new(Mutex::new(vec![])));
        let report = {
            let unusable = unusable.clone();
            move |error: &StoreError| {
                unusable.lock().unwrap_or_else(|e| e.into_inner()).push(error.to_string())
            }
        };
        let library = Library::open(&self.databases.folder()?, Arc::new(report));
        let mut worst = Worst::default();
        for error in unusable.lock().unwrap_or_else(|e| e.into_inner()).drain(..) {
            worst.note(false);
            match self.json {
                true => output::json(&JsonUnusable { error: &error })?,
                false => output::line(&error)?,
            }
        }
        let (wanted_game, games) = match &self.game {
            Some(game) => {
                let (name, games) = crate::game_files::game_of_tables(game);
                (Some(name), games)
            }
            None => (None, crate::game_files::games()),
        };
        let wanted = |table: &&Arc<Table>| wanted_game.as_ref().is_none_or(|game| game == table.game());
        let tables: Vec<_> = library.tables().iter().filter(wanted).collect();
        let wanted =
            |table: &&Arc<OutcomeTable>| wanted_game.as_ref().is_none_or(|game| game == table.game());
        let outcomes: Vec<_> = library.outcome_tables().iter().filter(wanted).collect();
        if tables.is_empty() && outcomes.is_empty() {
            worst.result()?;
            let folder = library.folder().display();
            let sentence = format!("there are no such tables in {folder}: `gamebench db build` makes some");
            if self.json {
                output::json(&JsonUnusable { error: &sentence })?;
                return Err(Failure::BadInput);
            }
            return Err(Failure::Input(sentence));
        }
        for table in tables {
            let title = format!("{} {}", table.game(), table.scope());
            let check =
                |budget: &Budget| gb_engine::verify_table(table, &games, self.sample, self.seed, budget);
            self.one(&title, table.path(), &check, &cancel, &mut worst)?;
        }
        for table in outcomes {
            let title = format!("{} {}", table.game(), table.scope());
            let check = |budget: &Budget| {
                gb_engine::verify_outcome_table(table, &games, self.sample, self.seed, budget)
            };
            self.one(&title, table.path(), &check, &cancel, &mut worst)?;
        }
        worst.result()
    }

    fn one(
        &self,
        title: &str,
        path: &Path,
        check: &dyn Fn(&Budget) -> Result<Verified, StoreError>,
        cancel: &Cancel,
        worst: &mut Worst,
    ) -> Result<(), Failure> {
        let start = Instant::now();
        let budget = self.limits.budget(None).with_cancel(cancel.clone());
        let (found, error) = match check(&budget) {
            Ok(found) => (found, None),
            Err(error) => {
                worst.note(error.is_limit());
                (Default::default(), Some(error.to_string()))
            }
        };
        if !found.wrong.is_empty() {
            worst.note(false);
        }
        let record = JsonVerified {
            file: file_name(path),
            searched: found.boards,
            without_value: found.partial,
            wrong: found.wrong,
            error,
            seconds: start.elapsed().as_secs_f64(),
        };
        if self.json {
            return Ok(output::json(&record)?);
        }
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
                path.display()
            ))?,
        }
        Ok(())
    }
}
