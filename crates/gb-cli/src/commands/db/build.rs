//! `gamebench db build`: makes tables.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use gb_board::Size;
use gb_db::{Built, Less, Progress, Scope, Settings};
use gb_engine::Engine;
use gb_value::{Budget, Cancel};
use serde::Serialize;

use super::grouped;
use crate::databases::Databases;
use crate::errors::Failure;
use crate::limits::{Limits, Threads, interrupt};
use crate::output;

/// Builds tables; killed at any moment, it goes on where it was when it is called again
#[derive(Args)]
pub struct Build {
    /// The game, such as clobber
    game: String,
    /// Sizes such as 4x4: all boards of that size
    #[arg(value_name = "SIZE")]
    sizes: Vec<String>,
    /// All boards of at most so many cells
    #[arg(long, value_name = "CELLS")]
    up_to: Option<usize>,
    /// All connected parts of at most so many cells, of any shape
    #[arg(long, value_name = "CELLS")]
    parts: Option<usize>,
    /// All connected parts that fit into a size such as 4x5, for games of stones that only go, such as clobber: larger than memory
    #[arg(long, value_name = "SIZE")]
    within: Vec<String>,
    /// What is stored about every board
    #[arg(long, value_enum, default_value_t = Stored::Value)]
    store: Stored,
    /// Once there are more distinct values, store outcomes and thermographs instead
    #[arg(long, value_name = "COUNT")]
    max_values: Option<u64>,
    #[command(flatten)]
    databases: Databases,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// What a table says about a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Stored {
    /// Its value, and all that follows from it
    Value,
    /// Who wins: a bit or two a board, for games in which stones only go or only come, or cells are filled
    Outcome,
    /// Who wins, mean, temperature and stops, of the parts within a size
    Temperature,
    /// That and the atomic weight, of the parts within a size
    AtomicWeight,
}

impl Stored {
    fn less(self) -> Option<Less> {
        match self {
            Stored::Value | Stored::Outcome => None,
            Stored::Temperature => Some(Less::Temperature),
            Stored::AtomicWeight => Some(Less::AtomicWeight),
        }
    }
}

/// A table as JSON.
#[derive(Serialize)]
struct JsonBuilt<'a> {
    game: &'a str,
    file: String,
    boards: u64,
    facts: usize,
    values: usize,
    bytes: u64,
    seconds: f64,
    was_there: bool,
    resumed: u64,
}

/// Memory where none is given: tables of tens of millions of boards need some.
const MEMORY: u64 = 16 << 30;
/// How often a line of progress is written.
pub(super) const TICK: Duration = Duration::from_millis(200);

impl Build {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let mut scopes = vec![];
        let size = |text: &String| {
            Size::read(text).map(|size| size.grid()).map_err(|e| Failure::Usage(e.to_string()))
        };
        for text in &self.sizes {
            let (rows, cols) = size(text)?;
            scopes.push(Scope::Boards(rows, cols));
        }
        scopes.extend(self.up_to.iter().flat_map(|&cells| Scope::boards_up_to(cells)));
        scopes.extend(self.parts.map(Scope::Parts));
        for text in &self.within {
            let (rows, cols) = size(text)?;
            scopes.push(match self.store.less() {
                None => Scope::Within(rows, cols),
                Some(less) => Scope::Less(rows, cols, less),
            });
        }
        if scopes.is_empty() {
            return Err(Failure::Usage(
                "expected a size such as 4x4, or --up-to CELLS, or --parts CELLS, or --within SIZE".into(),
            ));
        }
        if let Some(less) = self.store.less()
            && (scopes.iter().any(|scope| !matches!(scope, Scope::Less(..))) || self.max_values.is_some())
        {
            return Err(Failure::Usage(format!(
                "--store {} goes with --within; tables of all boards of a size have it for boards whose values are too many: \
                 see --max-values",
                less.name()
            )));
        }
        if self.store == Stored::Outcome {
            if self.parts.is_some() || self.max_values.is_some() || !self.within.is_empty() {
                let sentence = "--store outcome is about all boards of a size: it goes with sizes such as 5x5 and \
                                with --up-to, and not with --parts, --within or --max-values";
                return Err(Failure::Usage(sentence.into()));
            }
            for scope in &mut scopes {
                if let Scope::Boards(rows, cols) = *scope {
                    *scope = Scope::Outcomes(rows, cols);
                }
            }
        }
        let (engine, cancel) = (crate::game_files::engine(1), interrupt());
        for scope in scopes {
            self.one(&engine, scope, &cancel)?;
        }
        Ok(())
    }

    fn one(&self, engine: &Engine, scope: Scope, cancel: &Cancel) -> Result<(), Failure> {
        let game = engine.tabulated_game(&self.game, &scope.sample()).map_err(Failure::input)?;
        let mut settings = Settings { threads: self.threads.count(), ..Settings::default() };
        settings.max_values = self.max_values.unwrap_or(settings.max_values);
        let start = Instant::now();
        let (terminal, last) = (std::io::stderr().is_terminal(), Mutex::new(Instant::now()));
        let report = |progress: Progress| {
            let mut last = last.lock().unwrap_or_else(|e| e.into_inner());
            if terminal && last.elapsed() > TICK {
                *last = Instant::now();
                eprint!("\r{:99}", progress_line(scope, progress, start.elapsed()));
            }
        };
        let folder = self.databases.folder()?;
        let built = gb_db::build(game, scope, &folder, self.budget(cancel), &settings, &report);
        if terminal {
            eprint!("\r{:99}\r", "");
        }
        let built = built?;
        let seconds = start.elapsed().as_secs_f64();
        if self.store == Stored::Outcome {
            return self.say_outcomes(&built, seconds);
        }
        let table = gb_db::Table::open(&built.path)?;
        if self.json {
            return Ok(output::json(&JsonBuilt {
                game: table.game(),
                file: built.path.display().to_string(),
                boards: table.boards(),
                facts: table.facts(),
                values: table.exact(),
                bytes: table.bytes(),
                seconds,
                was_there: built.was_there,
                resumed: built.resumed,
            })?);
        }
        let done = if built.was_there { "is there" } else { "built" };
        Ok(output::line(&format!(
            "{} {}, {}: {} boards, {} {}, {} bytes, {seconds:.1} s",
            table.game(),
            scope,
            done,
            grouped(table.boards()),
            grouped(match scope {
                Scope::Less(..) => table.facts() - table.exact(),
                _ => table.exact(),
            } as u64),
            match scope {
                Scope::Less(..) => "classes",
                _ => "values",
            },
            grouped(table.bytes()),
        ))?)
    }

    fn say_outcomes(&self, built: &Built, seconds: f64) -> Result<(), Failure> {
        let table = gb_db::OutcomeTable::open(&built.path)?;
        if self.json {
            return Ok(output::json(&JsonBuilt {
                game: table.game(),
                file: built.path.display().to_string(),
                boards: table.boards(),
                facts: 0,
                values: 0,
                bytes: table.bytes(),
                seconds,
                was_there: built.was_there,
                resumed: built.resumed,
            })?);
        }
        Ok(output::line(&format!(
            "{} {}, {}: {} boards, {} bytes, {seconds:.1} s",
            table.game(),
            table.scope(),
            if built.was_there { "is there" } else { "built" },
            grouped(table.boards()),
            grouped(table.bytes()),
        ))?)
    }

    fn budget(&self, cancel: &Cancel) -> Budget {
        let limits = Limits { memory: self.limits.memory.or(Some(MEMORY)), ..self.limits.clone() };
        limits.budget(None).with_cancel(cancel.clone())
    }
}

fn progress_line(scope: Scope, progress: Progress, elapsed: Duration) -> String {
    let Progress { boards, total, before, facts } = progress;
    let rate = (boards - before) as f64 / elapsed.as_secs_f64().max(0.001);
    let left = match rate {
        0.0 => String::new(),
        rate => format!(", {:.0} s left", (total - boards) as f64 / rate),
    };
    let values = match scope {
        Scope::Outcomes(..) => String::new(),
        _ => format!(", {} values", grouped(facts)),
    };
    format!(
        "{}: {} of {} boards, {:.0} thousand a second{left}{values}",
        scope,
        grouped(boards),
        grouped(total),
        rate / 1000.0,
    )
}
