//! Players and strategies, asked for one move.

use std::time::Duration;

use gb_play::strategy::{Plan, STRATEGIES, Sure};
use gb_play::{Limits, is_player};
use gb_value::Cancel;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::value::player;
use crate::work::{ENGINE, Limits as Budgeted, sentence, with_signals};

/// Seconds for a move.
pub fn seconds(seconds: f64) -> PyResult<Duration> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(sentence(format!("time={seconds}: expected seconds for a move, more than 0"))),
    }
}

/// The limits of a player for each move.
pub fn limits(time: Option<f64>, nodes: Option<u64>, threads: usize, cancel: &Cancel) -> PyResult<Limits> {
    let usual = Limits::default();
    let time = match (time, nodes) {
        (Some(time), _) => Some(seconds(time)?),
        (None, Some(_)) => None,
        (None, None) => usual.time,
    };
    Ok(Limits { time, nodes, threads: threads.max(1), cancel: cancel.clone(), ..usual })
}

/// How many entries the tables of a strategy may have.
const ENTRIES: usize = 1 << 20;

/// One move by a player such as "mcts+all", "ab" or "random", or by a strategy for sums such as "hotstrat".
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
    let answer = PyDict::new(py);
    let names_strategy = STRATEGIES.iter().any(|(name, _)| spec.split(':').next() == Some(name));
    if names_strategy && !is_player(spec) {
        let plan = spec.parse::<Plan>().map_err(|error| sentence(error.to_string()))?;
        let time = time.map(seconds).transpose()?.map(|time| time.as_secs_f64());
        let limits = Budgeted { time, nodes, memory: None };
        let advice = with_signals(py, limits, &cancel, |budget| {
            ENGINE.advise(game, position, who, plan, ENTRIES, budget)
        })?
        .map_err(sentence)?;
        answer.set_item("move", advice.mv)?;
        answer.set_item("position", advice.after)?;
        answer.set_item("sure", sure(&advice.sure))?;
        answer.set_item("nodes", advice.nodes)?;
        return Ok(answer);
    }
    let limits = limits(time, nodes, threads, &cancel)?;
    let chosen = with_signals(py, Budgeted::default(), &cancel, |_| {
        ENGINE.choose(game, position, who, spec, &limits)
    })?
    .map_err(sentence)?;
    answer.set_item("move", chosen.mv)?;
    answer.set_item("position", chosen.after)?;
    answer.set_item("chance", chosen.chance)?;
    answer.set_item("score", chosen.score)?;
    answer.set_item("winner", chosen.winner.map(|who| who.to_string().to_lowercase()))?;
    answer.set_item("nodes", chosen.nodes)?;
    answer.set_item("depth", chosen.depth)?;
    Ok(answer)
}

/// How sure a strategy is, in words.
fn sure(sure: &Sure) -> String {
    match sure {
        Sure::Best => "no move is better".into(),
        Sure::Within(points) => format!("at most {points} points are lost"),
        Sure::Depth(depth) => format!("no move is better within {depth} moves"),
        Sure::Guess => "a rule of thumb".into(),
        Sure::RanOut => "the limit was reached".into(),
    }
}

/// The strategies for sums, each with a sentence about it.
#[pyfunction]
pub fn strategies() -> Vec<(&'static str, &'static str)> {
    STRATEGIES.to_vec()
}
