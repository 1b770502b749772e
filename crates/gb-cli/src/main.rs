//! The command line of the Game Bench: `gamebench calc '{1|-1}+^'`.

mod commands;
mod databases;
mod errors;
mod files;
mod game_files;
mod input;
mod limits;
mod output;
mod progress;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Memory limits hold for everything a command does.
#[global_allocator]
static ALLOCATOR: gb_memory::Counting = gb_memory::Counting;

/// Exact values of combinatorial games: calculator, thermographs, analysis.
#[derive(Parser)]
#[command(name = "gamebench", version, about, max_term_width = 100, after_help = errors::EXIT_CODES)]
struct Cli {
    /// Folder with games as texts, NAME.game; beside `gamebench/games` in the data directory of the user
    #[arg(long, global = true, value_name = "DIR")]
    games: Option<std::path::PathBuf>,
    /// Colours: for a terminal, unless NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value = "auto",
        hide_default_value = true
    )]
    color: output::When,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Analyze(commands::analyze::Analyze),
    #[cfg(feature = "app")]
    App(commands::app::App),
    Calc(commands::calc::Calc),
    Check(commands::prove::Check),
    Completions(commands::shell::Completions),
    Db(commands::db::Db),
    Doctor(commands::doctor::Doctor),
    #[command(alias = "deepen")]
    Heuristic(commands::heuristic::Heuristic),
    Games(commands::games::Games),
    Gtp(commands::gtp::Gtp),
    Man(commands::shell::Man),
    Match(commands::sum_match::Match),
    Outcome(commands::outcome::Outcome),
    Play(commands::play::Play),
    Prove(commands::prove::Prove),
    Thermograph(commands::thermograph::Thermograph),
    Value(commands::value::Value),
}

/// Writes what a search tells to standard error, as far as GAMEBENCH_LOG asks for it.
#[cfg(feature = "tracing")]
fn listen() {
    let filter = tracing_subscriber::EnvFilter::from_env("GAMEBENCH_LOG");
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).compact().init();
}

fn main() -> ExitCode {
    gb_memory::give_back_early();
    let cli = Cli::parse();
    game_files::use_folder(cli.games);
    output::use_color(cli.color);
    #[cfg(feature = "tracing")]
    listen();
    let done = match cli.command {
        Command::Analyze(command) => command.run(),
        #[cfg(feature = "app")]
        Command::App(command) => command.run(),
        Command::Calc(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Completions(command) => command.run(Cli::command()),
        Command::Db(command) => command.run(),
        Command::Doctor(command) => command.run(),
        Command::Heuristic(command) => command.run(),
        Command::Games(command) => command.run(),
        Command::Gtp(command) => command.run(),
        Command::Man(command) => command.run(Cli::command()),
        Command::Match(command) => command.run(),
        Command::Outcome(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Prove(command) => command.run(),
        Command::Thermograph(command) => command.run(),
        Command::Value(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
