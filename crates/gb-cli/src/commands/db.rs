//! `gamebench db`: databases of local games.

mod build;
mod info;
mod query;
mod stats;
mod verify;

use std::path::Path;

use clap::{Args, Subcommand};
use gb_db::Table;

use crate::errors::Failure;

/// Databases of local games: tables with the value of every board
#[derive(Args)]
pub struct Db {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Build),
    Info(info::Info),
    Query(query::Query),
    Stats(stats::Stats),
    Verify(verify::Verify),
}

impl Db {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Build(command) => command.run(),
            Command::Info(command) => command.run(),
            Command::Query(command) => command.run(),
            Command::Stats(command) => command.run(),
            Command::Verify(command) => command.run(),
        }
    }
}

fn name_of(table: &Table) -> String {
    file_name(table.path())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// 1234567 as 1,234,567.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
