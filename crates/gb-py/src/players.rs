//! Players, and matches between them.

use std::time::Duration;

use gb_play::{Contest, Limits, Spec, Tally};
use gb_value::Cancel;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::value::player;
use crate::work::{DESK, Limits as Budgeted, sentence, with_signals};

fn limits(time: Option<f64>, nodes: Option<u64>, threads: usize, cancel: &Cancel) -> PyResult<Limits> {
    let wrong = |seconds: f64| sentence(format!("time={seconds}: expected seconds for a move, more than 0"));
    let time = match (time, nodes) {
        (Some(seconds), _) => {
            let time = Duration::try_from_secs_f64(seconds).map_err(|_| wrong(seconds))?;
            if time.is_zero() {
                return Err(wrong(seconds));
            }
            Some(time)
        }
        (None, Some(_)) => None,
        (None, None) => Limits::default().time,
    };
    Ok(Limits { time, nodes, threads: threads.max(1), cancel: cancel.clone(), ..Limits::default() })
}

/// One move by a player such as "mcts+all", "ab" or "random".
#[pyfunction]
#[pyo3(signature = (game, position, who, spec = "mcts+all", *, time = None, nodes = None, threads = 1))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn choose<'py>(
    py: Python<'py>,
    game: &str,
    position: &str,
    who: &str,
    spec: &str,
    time: Option<f64>,
    nodes: Option<u64>,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let (who, cancel) = (player(who)?, Cancel::default());
    let limits = limits(time, nodes, threads, &cancel)?;
    let chosen =
        with_signals(py, Budgeted::default(), &cancel, |_| DESK.choose(game, position, who, spec, &limits))?
            .map_err(sentence)?;
    let answer = PyDict::new(py);
    answer.set_item("move", chosen.mv)?;
    answer.set_item("position", chosen.after)?;
    answer.set_item("chance", chosen.chance)?;
    answer.set_item("score", chosen.score)?;
    answer.set_item("winner", chosen.winner.map(|who| who.to_string().to_lowercase()))?;
    answer.set_item("nodes", chosen.nodes)?;
    answer.set_item("depth", chosen.depth)?;
    Ok(answer)
}

/// A match between two players: each opening is played with both colours, Left moving first.
#[pyfunction]
#[pyo3(signature = (a, b, game, start, *, games = 20, random_moves = 0, time = None, nodes = None, seed = 1, threads = 1))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn play_match<'py>(
    py: Python<'py>,
    a: &str,
    b: &str,
    game: &str,
    start: &str,
    games: u64,
    random_moves: u32,
    time: Option<f64>,
    nodes: Option<u64>,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let spec = |text: &str| text.parse::<Spec>().map_err(|error| sentence(error.to_string()));
    let cancel = Cancel::default();
    let contest = Contest {
        game: game.to_owned(),
        starts: vec![start.to_owned()],
        random_moves,
        players: [spec(a)?, spec(b)?],
        limits: limits(time, nodes, 1, &cancel)?,
        games,
        seed,
        at_a_time: threads.max(1),
        sprt: None,
        done: vec![],
    };
    let played = with_signals(py, Budgeted::default(), &cancel, |_| contest.run(&**DESK, &cancel, &|_| {}))?;
    let played = played.map_err(sentence)?;
    let tally = Tally::of(played.iter().map(|game| &game.record));
    let (won, drawn, lost) = tally.all();
    let share = tally.shares()[0];
    let answer = PyDict::new(py);
    answer.set_item("games", won + drawn + lost)?;
    answer.set_item("won", won)?;
    answer.set_item("drawn", drawn)?;
    answer.set_item("lost", lost)?;
    answer.set_item("share", share.mean)?;
    answer.set_item("error", share.error)?;
    answer.set_item("records", played.iter().map(|game| game.sgf.clone()).collect::<Vec<_>>())?;
    Ok(answer)
}
