//! `gamebench match`: strategies for sums against each other.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap::{ArgGroup, Args};
use gb_engine::PositionText;
use gb_play::matches::sums::{self, Setup};
use gb_play::matches::{CSV_HEADER, HotSums, Interval, Pairing, Record, Starts, Summary, Tally, cut_grid};
use gb_play::strategy::Plan;
use gb_value::Cancel;
use serde::Serialize;

use super::match_players;
use crate::databases::PlayersDatabases;
use crate::errors::Failure;
use crate::limits::Limits;
use crate::output;

/// Lets two players, or two strategies for sums, play many games, each from the same positions and on both sides
///
/// Players of whole games are mcts, ab (alpha-beta) and random, with knowledge as in mcts+all or ab+solved+atomic.
/// Strategies for sums are optimal, hotstrat, greedy-hotstrat, thermostrat, sentestrat, greedy, alpha-beta and
/// thermal-alpha-beta; a depth of search follows after a colon: alpha-beta:4.
#[derive(Args)]
#[command(group(ArgGroup::new("what").required(true).args(["game", "sums"])))]
pub struct Match {
    /// The first strategy, A
    pub(super) a: String,
    /// The second one, B
    pub(super) b: String,
    /// Play this game
    #[arg(long)]
    pub(super) game: Option<String>,
    /// From this position; may be given several times
    #[arg(long, requires = "game")]
    pub(super) position: Vec<String>,
    /// From grids of this size that are cut into parts at random, such as 15x15
    #[arg(long, value_name = "ROWSxCOLS", requires = "game", conflicts_with = "position")]
    grid: Option<String>,
    /// Play random sums of hot values
    #[arg(long)]
    sums: bool,
    /// How many parts: a number, or a range such as 9-24
    #[arg(long, default_value = "4")]
    parts: String,
    /// The temperatures of random values are at most about this
    #[arg(long, default_value_t = 10)]
    spread: u32,
    /// How many starting positions; each is played twice
    #[arg(long = "openings", alias = "starts", default_value_t = 20)]
    pub(super) starts: u64,
    /// Other seeds give other positions
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Players of whole games: start from this position or size; may be given several times
    #[arg(long = "from", alias = "start", requires = "game")]
    pub(super) start: Vec<String>,
    /// Players of whole games: make so many random moves first, the same ones in both games of a pair
    #[arg(long, default_value_t = 0)]
    pub(super) random_moves: u32,
    /// Players of whole games: stop when it is clear whether A's share is rather the first or the second, such as 50:60
    #[arg(long, value_name = "LOW:HIGH")]
    pub(super) sprt: Option<String>,
    /// Players of whole games: draw playouts or nodes a second by move number
    #[arg(long, value_name = "FILE")]
    pub(super) rates: Option<PathBuf>,
    /// Players of whole games: count processor time, so that a match does not depend on what else the machine is doing
    #[arg(long)]
    pub(super) processor_time: bool,
    /// Play each position also with Right moving first
    #[arg(long)]
    both_begin: bool,
    /// How many entries the tables of each strategy may have
    #[arg(long, default_value_t = 1 << 20)]
    entries: usize,
    /// How many games at a time
    #[arg(long)]
    pub(super) threads: Option<usize>,
    /// Write each game into this file as it ends; games that are in it already are not played again
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
    /// One JSON object for each game and one for the summary
    #[arg(long)]
    pub(super) json: bool,
    /// Limits for each move
    #[command(flatten)]
    pub(super) limits: Limits,
    #[command(flatten)]
    pub(super) databases: PlayersDatabases,
}

#[derive(Serialize)]
struct JsonGame {
    start: u64,
    left: &'static str,
    first: String,
    parts: usize,
    score: String,
    moves: u32,
    nodes: [u64; 2],
    seconds: [f64; 2],
}

#[derive(Serialize)]
struct JsonInterval {
    mean: f64,
    error: f64,
}

/// Who played whom, and how often A won.
#[derive(Serialize)]
pub(super) struct JsonResult {
    a: String,
    b: String,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

#[derive(Serialize)]
struct JsonSummary {
    #[serde(flatten)]
    result: JsonResult,
    score: JsonInterval,
    a_moving_first: JsonInterval,
    b_moving_first: JsonInterval,
    a_in_place_of_b: JsonInterval,
    better: u64,
    equal: u64,
    worse: u64,
    nodes: [f64; 2],
    node_ratio: f64,
    seconds: [f64; 2],
}

impl JsonResult {
    pub(super) fn new([a, b]: [String; 2], tally: &Tally) -> JsonResult {
        let ((won, drawn, lost), games) = (tally.all(), tally.count());
        JsonResult { a, b, games, won, drawn, lost }
    }
}

impl From<Interval> for JsonInterval {
    fn from(Interval { mean, error }: Interval) -> Self {
        JsonInterval { mean, error }
    }
}

impl Match {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        if let Some(players) = match_players::players(&self.a, &self.b)? {
            return match_players::run(&self, players);
        }
        if self.databases.is_given() {
            return Err(Failure::Usage("--db: strategies for sums use no databases, players do".into()));
        }
        let plan = |text: &str| text.parse::<Plan>().map_err(|error| Failure::Usage(error.to_string()));
        let mut setup = Setup::new(plan(&self.a)?, plan(&self.b)?);
        (setup.entries, setup.nodes_per_move, setup.time_per_move) =
            (self.entries, self.limits.nodes, self.limits.time);
        let (starts, count) = self.starts()?;
        let mut records = match &self.csv {
            Some(path) => read_records(path)?,
            None => vec![],
        };
        let wanted = Pairing::all(count, self.both_begin);
        let finished: HashSet<Pairing> = records.iter().map(|record| record.pairing).collect();
        records.retain(|record| wanted.contains(&record.pairing));
        let missing: Vec<Pairing> =
            wanted.into_iter().filter(|pairing| !finished.contains(pairing)).collect();
        let threads =
            self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let log = Log::new(&self)?;
        let told = |record: &Record| log.write(record);
        let played = sums::run(&setup, &*starts, &missing, threads, &log.cancel, &told);
        log.end()?;
        records.extend(played.map_err(|error| Failure::Usage(error.to_string()))?);
        let summary = Summary::of(&records);
        let names = [setup.plans[0].name(), setup.plans[1].name()];
        if self.json {
            output::json(&json_summary(names, &summary))?;
        } else {
            output::line(&summary.table([&names[0], &names[1]]))?;
        }
        Ok(())
    }

    /// The starting positions, and how many of them.
    fn starts(&self) -> Result<(Box<dyn Starts>, u64), Failure> {
        let (low, high) = self.range()?;
        let seed = self.seed;
        let Some(game) = &self.game else {
            if low != high {
                return Err(Failure::Usage(format!(
                    "--parts {}: a random sum has one number of parts",
                    self.parts
                )));
            }
            let parts = u32::try_from(low).unwrap_or(u32::MAX);
            return Ok((Box::new(HotSums { parts, spread: self.spread, seed }), self.starts));
        };
        let wrong = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
        let (text, sample, count): (PositionText, String, u64) = if let Some(grid) = &self.grid {
            let size = gb_board::Size::read(grid).map_err(|error| wrong(&error))?;
            let (rows, cols) = size.grid();
            if rows.saturating_mul(cols) > 1024 {
                return Err(Failure::Usage(format!("--grid {grid}: at most 1024 cells")));
            }
            let parts = move |number: u64| low + (number as usize) % (high - low + 1);
            let text = move |number| cut_grid(rows, cols, parts(number), seed, number);
            (Box::new(text), text(0), self.starts)
        } else if let [first, ..] = self.position.as_slice() {
            let positions = self.position.clone();
            let text = move |number: u64| positions[number as usize % positions.len()].clone();
            let longest = self.position.iter().max_by_key(|text| text.len()).unwrap_or(first).clone();
            (Box::new(text), longest, self.position.len() as u64)
        } else {
            return Err(Failure::Usage(
                "a game needs positions to play from: give --position or --grid".into(),
            ));
        };
        let starts = crate::game_files::engine(1).starts(game, &sample, text).map_err(Failure::usage)?;
        Ok((starts, count))
    }

    /// `12` or `9-24`.
    fn range(&self) -> Result<(usize, usize), Failure> {
        let (low, high) = self.parts.split_once('-').unwrap_or((&self.parts, &self.parts));
        match (low.trim().parse(), high.trim().parse()) {
            (Ok(low), Ok(high)) if 0 < low && low <= high => Ok((low, high)),
            _ => Err(Failure::Usage(format!(
                "--parts {}: expected a number of parts such as 12, or a range such as 9-24",
                self.parts
            ))),
        }
    }
}

/// Where games are written down as they end: the file of records, and standard output.
pub(super) struct Log {
    file: Option<Mutex<std::fs::File>>,
    json: bool,
    problem: Mutex<Option<std::io::Error>>,
    /// Ends the match if a game cannot be written down.
    pub(super) cancel: Cancel,
}

impl Log {
    pub(super) fn new(command: &Match) -> Result<Log, Failure> {
        let file = command.csv.as_deref().map(append).transpose()?.map(Mutex::new);
        Ok(Log { file, json: command.json, problem: Mutex::new(None), cancel: Cancel::default() })
    }

    pub(super) fn write(&self, record: &Record) {
        let written = match &self.file {
            Some(file) => {
                let mut file = file.lock().unwrap_or_else(|e| e.into_inner());
                writeln!(file, "{}", record.to_csv()).and_then(|()| file.flush())
            }
            None => Ok(()),
        };
        let shown = if self.json { output::json(&json_game(record)) } else { Ok(()) };
        if let Err(error) = written.and(shown) {
            self.problem.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
            self.cancel.cancel();
        }
    }

    /// What went wrong, if something did.
    pub(super) fn end(self) -> Result<(), Failure> {
        let problem = self.problem.into_inner().unwrap_or_else(|e| e.into_inner());
        problem.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// The records of earlier runs. A last line that was not written to its end is left out.
pub(super) fn read_records(path: &Path) -> Result<Vec<Record>, Failure> {
    let text = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
        other => other.map_err(|error| Failure::file("reading", path, error))?,
    };
    let mut records = vec![];
    let lines: Vec<&str> = text.lines().collect();
    for (i, line) in lines.iter().enumerate().filter(|(_, line)| **line != CSV_HEADER) {
        match Record::from_csv(line) {
            Ok(record) => records.push(record),
            Err(_) if i + 1 == lines.len() && !text.ends_with('\n') => {}
            Err(error) => {
                return Err(Failure::Usage(format!("{}, line {}: {error}", path.display(), i + 1)));
            }
        }
    }
    Ok(records)
}

/// Opens a file of records to write more.
fn append(path: &Path) -> Result<std::fs::File, Failure> {
    let failed = |error| Failure::file("writing", path, error);
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
    if old.is_empty() {
        writeln!(file, "{CSV_HEADER}").map_err(failed)?;
    } else if !old.ends_with('\n') {
        // The last line was cut off: the game is played again.
        let whole = old.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(failed)?;
    }
    Ok(file)
}

fn json_game(record: &Record) -> JsonGame {
    JsonGame {
        start: record.pairing.start,
        left: ["A", "B"][record.pairing.left.min(1)],
        first: record.pairing.first.to_string(),
        parts: record.parts,
        score: record.score.to_string(),
        moves: record.moves,
        nodes: record.nodes,
        seconds: record.micros.map(|micros| micros as f64 / 1e6),
    }
}

fn json_summary(names: [String; 2], summary: &Summary) -> JsonSummary {
    let Summary { paired, nodes, node_ratio, seconds, .. } = summary.clone();
    JsonSummary {
        result: JsonResult::new(names, &summary.tally),
        score: summary.score.into(),
        a_moving_first: summary.moving_first[0].into(),
        b_moving_first: summary.moving_first[1].into(),
        a_in_place_of_b: summary.difference.into(),
        better: paired.better,
        equal: paired.equal,
        worse: paired.worse,
        nodes,
        node_ratio,
        seconds,
    }
}
