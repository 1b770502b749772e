//! `gamebench db info`: which tables there are.

use clap::Args;
use gb_db::{OutcomeTable, Outcomes};
use serde::Serialize;

use super::{file_name, grouped, name_of};
use crate::databases::Databases;
use crate::errors::Failure;
use crate::output;

/// The tables in the folder: what each is about, boards, values, bytes
#[derive(Args)]
pub struct Info {
    #[command(flatten)]
    databases: Databases,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// A table as JSON.
#[derive(Serialize)]
struct JsonTable<'a> {
    game: &'a str,
    scope: String,
    file: String,
    boards: u64,
    facts: usize,
    values: usize,
    bytes: u64,
    format: u32,
}

/// A table of outcomes as JSON.
#[derive(Serialize)]
struct JsonOutcomes<'a> {
    game: &'a str,
    scope: String,
    file: String,
    boards: u64,
    bytes: u64,
    format: u32,
    left: u64,
    right: u64,
    next: u64,
    previous: u64,
}

impl Info {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let library = self.databases.library()?;
        if !self.json {
            output::line(&format!("{}", library.folder().display()))?;
        }
        if library.is_empty() && !self.json {
            output::line(
                "  no tables: make some with `gamebench db build`, such as `gamebench db build clobber 3x4`",
            )?;
        }
        for table in library.tables() {
            if self.json {
                output::json(&JsonTable {
                    game: table.game(),
                    scope: table.scope().to_string(),
                    file: name_of(table),
                    boards: table.boards(),
                    facts: table.facts(),
                    values: table.exact(),
                    bytes: table.bytes(),
                    format: gb_db::FORMAT,
                })?;
                continue;
            }
            let partial = table.facts() - table.exact();
            let less = match partial {
                0 => String::new(),
                n => format!(", {} times less than a value", grouped(n as u64)),
            };
            output::line(&format!(
                "  {} {}: {} boards, {} values{less}, {} bytes",
                table.game(),
                table.scope(),
                grouped(table.boards()),
                grouped(table.exact() as u64),
                grouped(table.bytes()),
            ))?;
        }
        for table in library.outcome_tables() {
            let [left, right, next, previous] = totals(table);
            if self.json {
                output::json(&JsonOutcomes {
                    game: table.game(),
                    scope: table.scope().to_string(),
                    file: file_name(table.path()),
                    boards: table.boards(),
                    bytes: table.bytes(),
                    format: gb_db::FORMAT,
                    left,
                    right,
                    next,
                    previous,
                })?;
                continue;
            }
            output::line(&format!(
                "  {} {}: {} boards (L {}, R {}, N {}, P {}), {} bytes",
                table.game(),
                table.scope(),
                grouped(table.boards()),
                grouped(left),
                grouped(right),
                grouped(next),
                grouped(previous),
                grouped(table.bytes()),
            ))?;
        }
        Ok(())
    }
}

/// Boards that Left, Right, who begins, and who does not begin wins.
fn totals(table: &OutcomeTable) -> [u64; 4] {
    let sum = |of: fn(&Outcomes) -> u64| table.layers().iter().map(of).sum::<u64>();
    [sum(|all| all.left), sum(|all| all.right), sum(|all| all.next), sum(|all| all.previous)]
}
