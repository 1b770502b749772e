//! Players and strategies, asked for one move.

use std::time::Duration;

use gb_play::strategy::{Plan, STRATEGIES, Sure};
use gb_play::{Limits, Spec, is_player, player as player_of};
use gb_rules::{Player, Position};
use gb_search::AnySolved;
use gb_value::Cancel;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::position::PyPosition;
use crate::work::{ENGINE, Limits as Budgeted, sentence};

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
pub fn choose<'py>(
    py: Python<'py>,
    position: &PyPosition,
    (solved, at): (&AnySolved, &Position),
    who: Player,
    spec: &str,
    (time, nodes, threads): (Option<f64>, Option<u64>, usize),
) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    let names_strategy = STRATEGIES.iter().any(|(name, _)| spec.split(':').next() == Some(name));
    if names_strategy && !is_player(spec) {
        let plan = spec.parse::<Plan>().map_err(|error| sentence(error.to_string()))?;
        let time = time.map(seconds).transpose()?.map(|time| time.as_secs_f64());
        let limits = Budgeted { time, nodes, memory: None };
        let in_python = position.python(py).is_some();
        let advice = position.ask(py, limits, solved, |solved, context| {
            if in_python {
                let same = |_: &[String]| Ok(solved.game());
                return ENGINE.advise_at(at, same, who, plan, ENTRIES, context.budget);
            }
            ENGINE.advise(&at.info().name, &at.show(), who, plan, ENTRIES, context.budget)
        })?;
        let advice = advice.map_err(sentence)?;
        answer.set_item("move", advice.mv)?;
        answer.set_item("position", advice.after)?;
        answer.set_item("sure", sure(&advice.sure))?;
        answer.set_item("nodes", advice.nodes)?;
        return Ok(answer);
    }
    let spec = spec.parse::<Spec>().map_err(|error| sentence(error.to_string()))?;
    let limits = limits(time, nodes, threads, &Cancel::default())?;
    let text = at.show();
    let chosen = position.ask(py, Budgeted::default(), solved, |solved, context| {
        let limits = Limits { cancel: context.budget.cancel().clone(), ..limits };
        player_of(solved.clone(), spec, 1).choose(&text, 0, who, &ENGINE.store, &limits)
    })?;
    let chosen = chosen.map_err(|error| sentence(error.to_string()))?;
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
