//! The bench that commands work at: one store, the tables of all games, and how to ask about a position.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::Args;
use gb_board::{BoardError, Size};
use gb_game::{GameName, GameVisitor, Rules};
use gb_local::{Bench, Tables};
use gb_sum::{Examined, examine};
use gb_value::{Budget, Cancel, Store};

/// How many threads may work.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Threads {
    /// Threads to search with; all cores if not given
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

impl Threads {
    /// The number of threads.
    pub fn count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }
}

/// One store with the tables of all games asked about so far.
pub struct Desk {
    /// Where values live.
    pub store: Store,
    tables: Tables,
    threads: usize,
    cancel: Cancel,
}

impl Desk {
    /// An empty desk. From now on the first interrupt (Ctrl-C) ends a search with what is known, the next one everything.
    pub fn new(threads: &Threads) -> Desk {
        let cancel = Cancel::default();
        let flag = cancel.clone();
        // Without a handler an interrupt simply ends the program.
        let _ = ctrlc::set_handler(move || {
            if flag.is_cancelled() {
                std::process::exit(130);
            }
            flag.cancel();
        });
        Desk { store: Store::new(), tables: Tables::default(), threads: threads.count(), cancel }
    }

    /// A budget that an interrupt ends.
    pub fn cancellable(&self, budget: Budget) -> Budget {
        budget.with_cancel(self.cancel.clone())
    }

    /// Takes a position apart and values its parts.
    pub fn examine(&self, game: &str, position: &str, budget: &Budget) -> Result<Examined, String> {
        let name = GameName::read(game).map_err(|e| e.to_string())?;
        let visitor = Examine { desk: self, position, budget };
        gb_games::visit(&name, position, visitor).map_err(|e| e.to_string())?.map_err(|e| e.to_string())
    }
}

/// Reads a position, or the starting position of a size.
pub fn read_or_start<R: Rules>(rules: &R, text: &str) -> Result<R::Board, BoardError> {
    match (rules.read(text), Size::read(text)) {
        (Ok(board), _) => Ok(board),
        (Err(_), Ok(size)) => rules.start(size),
        (Err(error), Err(_)) => Err(error),
    }
}

struct Examine<'a> {
    desk: &'a Desk,
    position: &'a str,
    budget: &'a Budget,
}

impl GameVisitor for Examine<'_> {
    type Out = Result<Examined, BoardError>;
    fn visit<R: Rules>(self, rules: R) -> Self::Out {
        let at = read_or_start(&rules, self.position)?;
        let tables = self.desk.tables.of(&rules);
        let bench = Bench::new(&self.desk.store, self.budget).with_threads(self.desk.threads);
        Ok(with_progress(self.budget, || examine(&rules, &at, &tables, &bench, &|_, _| {})))
    }
}

/// How often the progress line changes, and how long it waits at first: short work needs none.
const TICK: Duration = Duration::from_millis(200);

/// Does some work, and meanwhile shows time and nodes on standard error, if that is a terminal.
pub fn with_progress<T>(budget: &Budget, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let done = AtomicBool::new(false);
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut shown = false;
            while !done.load(Relaxed) {
                std::thread::park_timeout(TICK);
                if start.elapsed() > 4 * TICK && !done.load(Relaxed) {
                    let rate = budget.nodes() as f64 / start.elapsed().as_secs_f64();
                    let seconds = start.elapsed().as_secs();
                    eprint!(
                        "\r{seconds} s, {} nodes, {:.0} thousand a second   ",
                        budget.nodes(),
                        rate / 1000.0
                    );
                    shown = true;
                }
            }
            if shown {
                eprint!("\r{:60}\r", "");
            }
        });
        let result = work();
        done.store(true, Relaxed);
        result
    })
}
