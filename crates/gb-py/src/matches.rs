//! Matches between players of whole games, and between strategies for sums.

use gb_board::Size;
use gb_engine::PositionText;
use gb_play::matches::sums::{self, Setup};
use gb_play::matches::{Contest, HotSums, Pairing, Record, Starts, Summary, Tally, cut_grid};
use gb_play::strategy::Plan;
use gb_play::{PlayerCatalog, Spec, is_player};
use gb_value::Cancel;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::players::{limits, seconds};
use crate::progress::{Bar, Meter};
use crate::work::{ENGINE, Limits, sentence, watched};

/// What is played, and by whom.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Rules {
    game: Option<String>,
    /// Positions or sizes.
    starts: Vec<String>,
    /// Grids of this size, cut into parts at random.
    grid: Option<String>,
    parts: (usize, usize),
    spread: u32,
    both_begin: bool,
    random_moves: u32,
    seed: u64,
    time: Option<f64>,
    nodes: Option<u64>,
    entries: usize,
}

/// Plays the games of a match with numbers from `first` on, up to `games`. Returns for each one its record as a line, and the
/// game as SGF where whole games are played.
#[pyfunction]
pub fn play_games(
    py: Python<'_>,
    names: (String, String),
    rules: Bound<'_, PyAny>,
    numbers: (u64, u64),
    threads: usize,
    progress: &Bound<'_, PyAny>,
) -> PyResult<Vec<(String, Option<String>)>> {
    let (rules, (a, b), (first, games)) = (rules.extract::<Rules>()?, names, numbers);
    let (cancel, meter) = (Cancel::default(), Meter::of(games.saturating_sub(first)));
    let bar = Bar::new(py, progress, &format!("{a} against {b}"))?;
    let look = &mut |py: Python<'_>, _: &gb_value::Budget| bar.show(py, &meter);
    let (first, games) = (first as usize, games as usize);
    let played = match (is_player(&a), is_player(&b)) {
        (true, true) => {
            let contest = rules.contest([&a, &b], games as u64, threads, &cancel)?;
            let skipped = Contest { games: first as u64, ..contest.clone() }.pairings();
            let contest = Contest { done: skipped, ..contest };
            watched(py, Limits::default(), &cancel, look, |_| {
                contest.run(&**ENGINE, &cancel, &|_| meter.tick())
            })?
            .map(|mut played| {
                played.sort_by_key(|game| (game.record.pairing.start, game.record.pairing.left));
                played.into_iter().map(|game| (game.record.to_csv(), Some(game.sgf))).collect()
            })
            .map_err(sentence)
        }
        (false, false) => {
            let setup = rules.setup([&a, &b])?;
            let starts = rules.starts()?;
            let each = if rules.both_begin { 4 } else { 2 };
            let pairings = Pairing::all(games.div_ceil(each) as u64, rules.both_begin);
            let pairings = &pairings[first.min(games)..games];
            watched(py, Limits::default(), &cancel, look, |_| {
                sums::run(&setup, &*starts, pairings, threads, &cancel, &|_| meter.tick())
            })?
            .map(|records| records.iter().map(|record| (record.to_csv(), None)).collect())
            .map_err(|error| sentence(error.to_string()))
        }
        (first, _) => {
            let (player, other) = if first { (&a, &b) } else { (&b, &a) };
            Err(sentence(format!(
                "`{player}` plays whole games and `{other}` does not: a match needs two of one kind"
            )))
        }
    };
    bar.close(py)?;
    played
}

impl Rules {
    fn contest(&self, players: [&str; 2], games: u64, threads: usize, cancel: &Cancel) -> PyResult<Contest> {
        let spec = |text: &str| text.parse::<Spec>().map_err(|error| sentence(error.to_string()));
        let needs = || sentence("players of whole games need a game and a position or size to start from");
        if self.starts.is_empty() {
            return Err(needs());
        }
        Ok(Contest {
            game: self.game.clone().ok_or_else(needs)?,
            starts: self.starts.clone(),
            random_moves: self.random_moves,
            players: [spec(players[0])?, spec(players[1])?],
            limits: limits(self.time, self.nodes, 1, cancel)?,
            games,
            seed: self.seed,
            at_a_time: threads.max(1),
            sprt: None,
            done: vec![],
        })
    }

    fn setup(&self, strategies: [&str; 2]) -> PyResult<Setup> {
        let plan = |text: &str| text.parse::<Plan>().map_err(|error| sentence(error.to_string()));
        let mut setup = Setup::new(plan(strategies[0])?, plan(strategies[1])?);
        setup.entries = self.entries;
        setup.nodes_per_move = self.nodes;
        setup.time_per_move = self.time.map(seconds).transpose()?;
        Ok(setup)
    }

    /// Positions for strategies: those that are given, grids cut at random, or random sums of hot values.
    fn starts(&self) -> PyResult<Box<dyn Starts>> {
        let (low, high) = self.parts;
        if low == 0 || high < low {
            return Err(sentence("parts: expected a number such as 12, or two such as (9, 24)"));
        }
        let Some(game) = &self.game else {
            let parts = u32::try_from(low).map_err(|_| sentence("too many parts"))?;
            if low != high {
                return Err(sentence("a random sum of values has one number of parts"));
            }
            return Ok(Box::new(HotSums { parts, spread: self.spread, seed: self.seed }));
        };
        let (text, sample): (PositionText, String) = if let Some(grid) = &self.grid {
            let (rows, cols) = Size::read(grid).map_err(|error| sentence(error.to_string()))?.grid();
            if rows.saturating_mul(cols) > 1024 {
                return Err(sentence(format!("grid {grid}: at most 1024 cells")));
            }
            let (seed, kinds) = (self.seed, high - low + 1);
            let text = move |number: u64| cut_grid(rows, cols, low + number as usize % kinds, seed, number);
            (Box::new(text), text(0))
        } else {
            let read =
                |text: &String| ENGINE.open(game, text).map(|position| position.show()).map_err(sentence);
            let texts = self.starts.iter().map(read).collect::<PyResult<Vec<String>>>()?;
            let Some(longest) = texts.iter().max_by_key(|text| text.len()).cloned() else {
                return Err(sentence("a game needs positions to play from: give start or grid"));
            };
            (Box::new(move |number: u64| texts[number as usize % texts.len()].clone()), longest)
        };
        ENGINE.starts(game, &sample, text).map_err(sentence)
    }
}

/// What records of games say about the first of two players or strategies.
#[pyfunction]
pub fn sum_up<'py>(py: Python<'py>, a: &str, lines: Vec<String>) -> PyResult<Bound<'py, PyDict>> {
    let read = |line: &String| Record::from_csv(line).map_err(|error| sentence(error.to_string()));
    let records = lines.iter().map(read).collect::<PyResult<Vec<Record>>>()?;
    let dict = PyDict::new(py);
    let tally = Tally::of(&records);
    let (won, drawn, lost) = tally.all();
    for (name, count) in [("games", tally.count()), ("won", won), ("drawn", drawn), ("lost", lost)] {
        dict.set_item(name, count)?;
    }
    let rows = records.iter().map(|record| {
        let row = PyDict::new(py);
        let left = record.pairing.left.min(1);
        let winner = match record.score.cmp(&gb_value::Dyadic::ZERO) {
            std::cmp::Ordering::Greater => ["A", "B"][left],
            std::cmp::Ordering::Less => ["A", "B"][1 - left],
            std::cmp::Ordering::Equal => "",
        };
        row.set_item("opening", record.pairing.start)?;
        row.set_item("left", ["A", "B"][left])?;
        row.set_item("winner", winner)?;
        row.set_item("moves", record.moves)?;
        Ok(row)
    });
    dict.set_item("table", PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)?)?;
    if is_player(a) {
        let [_, _, share] = tally.shares();
        dict.set_item("share", share.mean)?;
        dict.set_item("error", share.error)?;
        return Ok(dict);
    }
    let summary = Summary::of(&records);
    dict.set_item("score", summary.score.mean)?;
    dict.set_item("error", summary.score.error)?;
    dict.set_item("in_place_of_b", summary.difference.mean)?;
    dict.set_item("in_place_of_b_error", summary.difference.error)?;
    dict.set_item("better", summary.paired.better)?;
    dict.set_item("equal", summary.paired.equal)?;
    dict.set_item("worse", summary.paired.worse)?;
    dict.set_item("nodes", summary.nodes)?;
    dict.set_item("seconds", summary.seconds)?;
    let games = records.iter().map(|record| {
        let game = PyDict::new(py);
        game.set_item("start", record.pairing.start)?;
        game.set_item("left", ["A", "B"][record.pairing.left.min(1)])?;
        game.set_item("first", record.pairing.first.to_string().to_lowercase())?;
        game.set_item("parts", record.parts)?;
        game.set_item("score", record.score.to_string())?;
        game.set_item("moves", record.moves)?;
        game.set_item("nodes", record.nodes)?;
        Ok(game)
    });
    dict.set_item("records", PyList::new(py, games.collect::<PyResult<Vec<_>>>()?)?)?;
    Ok(dict)
}
