//! Certificates.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use gb_engine::{EngineError, Goal};
use gb_value::Cancel;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::work::{ENGINE, Limits, sentence, stopped, with_signals};

fn failed(error: EngineError) -> PyErr {
    error.halt().map_or_else(|| sentence(&error), stopped)
}

fn goal_of(goal: &str) -> PyResult<Goal> {
    Ok(match goal {
        "value" => Goal::Value,
        "nimber" => Goal::Nimber,
        "outcome" => Goal::Outcome,
        _ => match (goal.strip_prefix("<="), goal.strip_prefix(">=")) {
            (Some(value), _) => Goal::AtMost(value.trim().into()),
            (_, Some(value)) => Goal::AtLeast(value.trim().into()),
            _ => {
                let expected = "expected \"value\", \"nimber\", \"outcome\", \"<= VALUE\" or \">= VALUE\"";
                return Err(sentence(format!("{goal:?} is nothing that can be proved: {expected}")));
            }
        },
    })
}

/// Proves something about a sum as it is typed, and writes the certificate to a file. Returns what is proved, as sentences.
///
/// The goal is `"value"`, `"nimber"`, `"outcome"`, or a bound such as `"<= 2"` or `">= ^"`.
#[pyfunction]
#[pyo3(signature = (sum, file, goal = "value", **limits))]
pub fn prove(
    py: Python<'_>,
    sum: &str,
    file: PathBuf,
    goal: &str,
    limits: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<String>> {
    let goal = goal_of(goal)?;
    let proved = with_signals(py, Limits::of(limits)?, &Cancel::default(), |budget| {
        gb_record::files::write_with(&file, |out| ENGINE.prove(sum, &goal, budget, out, None))
    })?;
    Ok(proved.map_err(failed)?.claims.iter().map(ToString::to_string).collect())
}

/// Checks a certificate, without any search. Returns what is proved, as sentences; raises `GameError` at the first line that does
/// not follow.
#[pyfunction]
#[pyo3(signature = (file, **limits))]
pub fn check(py: Python<'_>, file: PathBuf, limits: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<String>> {
    let input = BufReader::new(File::open(file)?);
    let checked = with_signals(py, Limits::of(limits)?, &Cancel::default(), |budget| {
        ENGINE.check_proof(input, budget, None)
    })?;
    Ok(checked.map_err(failed)?.claims.iter().map(ToString::to_string).collect())
}
