//! `gamebench gtp`: Go endgames, and any other game, over the Go Text Protocol.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;
use gb_engine::picture::board;
use gb_engine::picture::ink::Ink;
use gb_go::gtp::Session;
use gb_go::{KoRule, Rival, Settings};
use gb_play::{Limits, SpecError, gtp as players};
use gb_rules::Position;
use gb_value::Budget;

use super::go::{Counting, GoResults};
use crate::databases::PlayersDatabases;
use crate::errors::Failure;
use crate::input::{is_endless, next_line};
use crate::limits::think_time;

/// Plays Go endgames, or another game, under GoGui, Sabaki and other programs that speak the Go Text Protocol
#[derive(Args)]
pub struct Gtp {
    /// How points are counted
    #[arg(long, value_enum, default_value = "territory")]
    scoring: Counting,
    /// Forbid positions that were on the board before, not only taking back a ko at once
    #[arg(long)]
    superko: bool,
    /// Say nothing about moves on standard error
    #[arg(long)]
    quiet: bool,
    /// Leave positions that are not decided to this program, such as 'gnugo --mode gtp'
    #[arg(long, value_name = "COMMAND", conflicts_with = "game")]
    engine: Option<String>,
    #[command(flatten)]
    other: OtherGame,
}

/// For one move: enough for what can be solved, and no more than people wait.
fn budget() -> Budget {
    Budget::unlimited().with_time(Duration::from_secs(10)).with_bytes(2 << 30)
}

impl Gtp {
    /// Runs the command: one answer for each line, until `quit` or the end of the input. What there is to say about a move
    /// goes to standard error, which the programs show in a window.
    pub fn run(self) -> Result<(), Failure> {
        if let Some(game) = &self.other.game {
            return self.other.run(game);
        }
        let kept = self.other.databases.folder().map(GoResults::open);
        let memory = kept.as_ref().and_then(GoResults::memory).cloned();
        let settings = Settings { scoring: self.scoring.scoring(), memory, ..Settings::default() };
        let rule = if self.superko { KoRule::Superko } else { KoRule::Simple };
        let mut session = Session::new(settings, rule, budget);
        if let Some(command) = &self.engine {
            let words: Vec<&str> = command.split_whitespace().collect();
            let (program, options) =
                words.split_first().ok_or_else(|| Failure::Usage("--engine: expected a command".into()))?;
            let engine = Rival::start(program, options)
                .map_err(|error| Failure::Input(format!("--engine: cannot start `{program}`: {error}")))?;
            session.set_engine(engine);
        }
        serve(|line| {
            let answer = session.answer(line);
            if let Some(remark) = session.take_remark()
                && !self.quiet
            {
                eprintln!("{remark}");
            }
            (answer, session.is_over())
        })?;
        kept.map_or(Ok(()), |kept| kept.save())
    }
}

/// One answer for each line of standard input, until it is the last or the input ends.
fn serve(mut answer: impl FnMut(&str) -> (Option<String>, bool)) -> Result<(), Failure> {
    let (mut out, mut input) = (io::stdout().lock(), io::stdin().lock());
    while let Some(line) = next_line(&mut input) {
        let is_last = is_endless(&line);
        let (answer, over) = match line {
            Ok(line) => answer(&line),
            Err(sentence) => (Some(format!("? {sentence}\n\n")), is_last),
        };
        if let Some(answer) = answer {
            out.write_all(answer.as_bytes())?;
            out.flush()?;
        }
        if over {
            break;
        }
    }
    Ok(())
}

/// Any game of the bench over the same protocol.
#[derive(Args)]
struct OtherGame {
    /// Play this game instead of Go
    #[arg(long)]
    game: Option<String>,
    /// Begin with this position, or the starting position of this size; 8x8 or the game's example if nothing is said
    #[arg(long = "from", alias = "start", requires = "game")]
    start: Option<String>,
    /// The player, such as mcts+all, ab, or random
    #[arg(long, default_value = "mcts+all", requires = "game")]
    player: String,
    /// The most time for a move, whatever time_settings says; without it what that says, and a second before it does
    #[arg(long, value_name = "TIME", value_parser = think_time, requires = "game")]
    time: Option<Duration>,
    #[command(flatten)]
    databases: PlayersDatabases,
}

impl OtherGame {
    fn run(&self, game: &str) -> Result<(), Failure> {
        let spec = self.player.parse().map_err(|error: SpecError| Failure::Usage(error.to_string()))?;
        let engine = self.databases.engine()?;
        let limits = Limits { time: self.time, ..Limits::default() };
        let start = match &self.start {
            Some(start) => start.clone(),
            None => engine.games().usual_start(game).map_err(Failure::input)?.show(),
        };
        let mut session =
            players::Session::new(&engine, game, &start, spec, limits, draw).map_err(Failure::input)?;
        serve(|line| (session.answer(line), session.is_over()))
    }
}

/// A board with coordinates if it is a grid, or else as it is typed.
pub fn draw(position: &Position) -> String {
    draw_with(position, Ink::default())
}

/// As [`draw`], for a terminal.
pub fn draw_with(position: &Position, ink: Ink) -> String {
    board::text(&position.scene(), &[], ink).unwrap_or_else(|| position.show() + "\n")
}
