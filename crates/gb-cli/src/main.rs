//! The command line of the Game Bench: `gamebench calc '{1|-1}+^'`.

mod commands;
mod errors;
mod files;
mod input;
mod limits;
mod output;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Exact values of combinatorial games: calculator, thermographs, analysis.
#[derive(Parser)]
#[command(name = "gamebench", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Calc(commands::calc::Calc),
    Thermograph(commands::thermograph::Thermograph),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Calc(command) => command.run(),
        Command::Thermograph(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
