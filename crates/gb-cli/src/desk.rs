//! The bench that commands work at: one store, the tables of all games, and how to ask about a position.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::Args;
use gb_board::{BoardError, Size};
use gb_game::{GameName, GameVisitor, Rules};
use gb_local::question::outcome::{Memory, Settings, Sum, Winners, winners};
use gb_local::question::{bounds, thermograph};
use gb_local::{Bench, GameTables, Tables};
use gb_sum::{Examined, examine};
use gb_value::{Budget, Cancel, Player, Stop, Store, Thermograph, Value, ValueError};

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

    /// Takes a position apart and values its parts. What the budget does not reach is bounded
    /// within the budget that `rest` makes.
    pub fn examine(
        &self,
        game: &str,
        position: &str,
        budget: &Budget,
        rest: &dyn Fn() -> Budget,
    ) -> Result<Answer, String> {
        self.ask(game, Ask { desk: self, position, budget, question: Question::Values(rest) })
    }

    /// Who wins, without values unless they help.
    pub fn winners(&self, game: &str, position: &str, budget: &Budget) -> Result<Answer, String> {
        self.ask(game, Ask { desk: self, position, budget, question: Question::Winners })
    }

    /// The thermograph, without canonical forms.
    pub fn thermograph(&self, game: &str, position: &str, budget: &Budget) -> Result<Answer, String> {
        self.ask(game, Ask { desk: self, position, budget, question: Question::Thermograph })
    }

    fn ask(&self, game: &str, ask: Ask<'_>) -> Result<Answer, String> {
        let name = GameName::read(game).map_err(|e| e.to_string())?;
        let budget = ask.budget;
        let visit = || gb_games::visit(&name, ask.position, ask);
        with_progress(budget, visit).map_err(|e| e.to_string())?.map_err(|e| e.to_string())
    }
}

/// What was found out about a position.
#[derive(Default)]
pub struct Answer {
    /// The name of the game with its parameters.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// The parts and their values.
    pub examined: Option<Examined>,
    /// Who wins, where that was asked, or where values were not found.
    pub winners: Option<Winners>,
    /// The thermograph.
    pub thermograph: Option<Result<Arc<Thermograph>, ValueError>>,
}

/// Reads a position, or the starting position of a size.
pub fn read_or_start<R: Rules>(rules: &R, text: &str) -> Result<R::Board, BoardError> {
    match (rules.read(text), Size::read(text)) {
        (Ok(board), _) => Ok(board),
        (Err(_), Ok(size)) => rules.start(size),
        (Err(error), Err(_)) => Err(error),
    }
}

/// What to find out. One visitor for all questions: every question is compiled for every kind of board.
enum Question<'a> {
    /// Values, and within another budget bounds where there are none.
    Values(&'a dyn Fn() -> Budget),
    Winners,
    Thermograph,
}

struct Ask<'a> {
    desk: &'a Desk,
    position: &'a str,
    budget: &'a Budget,
    question: Question<'a>,
}

impl GameVisitor for Ask<'_> {
    type Out = Result<Answer, BoardError>;
    fn visit<R: Rules>(self, rules: R) -> Self::Out {
        let at = read_or_start(&rules, self.position)?;
        let bench = Bench::new(&self.desk.store, self.budget).with_threads(self.desk.threads);
        let mut answer = Answer { game: rules.info().name, position: rules.show(&at), ..Answer::default() };
        let tables = self.desk.tables.of(&rules);
        match self.question {
            Question::Winners => answer.winners = Some(find_winners(&rules, &at, &tables, &bench)),
            Question::Thermograph => answer.thermograph = Some(thermograph(&rules, &at, &bench)),
            Question::Values(rest) => {
                let mut examined = examine(&rules, &at, &tables, &bench, &|_, _| {});
                let unfinished = examined.stopped().is_some_and(|stop| stop != Stop::Cancelled);
                if unfinished && !self.desk.cancel.is_cancelled() {
                    let rest = self.desk.cancellable(rest());
                    let bench = Bench::new(&self.desk.store, &rest).with_threads(self.desk.threads);
                    answer.winners = Some(find_winners(&rules, &at, &tables, &bench));
                    find_bounds(&rules, &mut examined, &tables, &bench);
                }
                answer.examined = Some(examined);
            }
        }
        Ok(answer)
    }
}

fn find_winners<R: Rules>(rules: &R, at: &R::Board, tables: &GameTables<R>, bench: &Bench<'_>) -> Winners {
    if rules.info().impartial {
        let winner = |first: Player| {
            let value = tables.value(rules, at, bench)?;
            Ok(if value == Value::ZERO { first.opponent() } else { first })
        };
        let (left_first, right_first) = (winner(Player::Left), winner(Player::Right));
        return Winners { left_first, right_first, nodes: bench.budget.nodes() };
    }
    let mut memory = Memory::new((bench.budget.max_bytes() / 2).min(512 << 20));
    winners(rules, &Sum::of(at.clone()), &Settings::default(), &tables.values, &mut memory, bench)
}

/// Bounds for the parts that have no value.
fn find_bounds<R: Rules>(rules: &R, examined: &mut Examined, tables: &GameTables<R>, bench: &Bench<'_>) {
    let mut memory = Memory::new(64 << 20);
    for region in examined.regions.iter_mut().filter(|r| r.value.is_err() && r.loops.is_none()) {
        if let Ok(board) = rules.read(&region.text) {
            let found = bounds(rules, &board, &Settings::default(), &tables.values, &mut memory, bench);
            region.bounds = (found.low, found.high);
        }
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
