//! Work for the engine: within limits, without the interpreter's lock, and ended by Ctrl-C.

use std::sync::{Arc, Condvar, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use gb_engine::Engine;
use gb_engine::calc::CalcError;
use gb_memory::Account;
use gb_value::{Budget, Cancel, Halt};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

create_exception!(gamebench, GameError, PyException, "A text, a position or a move that makes no sense.");
create_exception!(gamebench, LimitReached, PyException, "A limit was reached before the answer was found.");

/// All values of a Python process live in one store, so that they can be added and compared with each other.
pub static ENGINE: LazyLock<Arc<Engine>> =
    LazyLock::new(|| Arc::new(Engine::new(std::thread::available_parallelism().map_or(1, usize::from))));

/// How much may be spent: the keyword arguments `time`, `nodes` and `memory` of everything that searches.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    /// Seconds.
    pub time: Option<f64>,
    /// Positions searched and values built.
    pub nodes: Option<u64>,
    /// Bytes, beyond what the process holds already: values and tables of earlier questions stay for later ones.
    pub memory: Option<u64>,
}

impl Limits {
    /// Reads keyword arguments.
    pub fn of(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
        let mut limits = Limits::default();
        for (name, value) in keywords.iter().flat_map(|keywords| keywords.iter()) {
            match &*name.cast::<PyString>()?.to_cow()? {
                "time" => limits.time = value.extract()?,
                "nodes" => limits.nodes = value.extract()?,
                "memory" => limits.memory = value.extract()?,
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "unexpected keyword argument '{other}': the limits are time, nodes and memory"
                    )));
                }
            }
        }
        Ok(limits)
    }

    /// Whether there are none.
    pub fn are_none(&self) -> bool {
        self.time.is_none() && self.nodes.is_none() && self.memory.is_none()
    }

    /// The budget they allow.
    pub fn budget(&self) -> PyResult<Budget> {
        let mut budget = Budget::unlimited();
        if let Some(seconds) = self.time {
            let time = Duration::try_from_secs_f64(seconds)
                .map_err(|_| GameError::new_err(format!("time={seconds}: expected seconds, not negative")))?;
            budget = budget.with_time(time);
        }
        if let Some(nodes) = self.nodes {
            budget = budget.with_nodes(nodes);
        }
        if let Some(memory) = self.memory {
            budget = budget.with_bytes(Account::current().bytes().saturating_add(memory));
        }
        Ok(budget)
    }
}

/// A sentence as an exception.
pub fn sentence(text: impl ToString) -> PyErr {
    GameError::new_err(text.to_string())
}

/// Whether more time, nodes or memory would have helped.
fn is_limit(stop: Halt) -> bool {
    matches!(stop, Halt::Nodes | Halt::Bytes | Halt::Time | Halt::Cancelled)
}

/// A stop as an exception.
pub fn stopped(stop: Halt) -> PyErr {
    if is_limit(stop) { LimitReached::new_err(stop.to_string()) } else { sentence(stop) }
}

/// An error of the calculator as an exception, with a caret under the place in the line.
pub fn calc_error(error: &CalcError, line: &str) -> PyErr {
    match error.stop {
        Some(stop) if is_limit(stop) => LimitReached::new_err(error.to_string()),
        _ => GameError::new_err(if line.is_empty() { error.to_string() } else { error.explain(line) }),
    }
}

/// How often signals are looked at.
const TICK: Duration = Duration::from_millis(50);

/// Does work in another thread while this one looks for Ctrl-C, which ends the work. `cancel` is the flag of the budget that
/// the work gets.
pub fn with_signals<T: Send>(
    py: Python<'_>,
    limits: Limits,
    cancel: &Cancel,
    work: impl FnOnce(&Budget) -> T + Send,
) -> PyResult<T> {
    watched(py, limits, cancel, &mut |_, _| Ok(()), work)
}

/// As [`with_signals`]; `look` is called again and again meanwhile with the budget, and ends the work by an exception.
pub fn watched<T: Send>(
    py: Python<'_>,
    limits: Limits,
    cancel: &Cancel,
    look: &mut dyn FnMut(Python<'_>, &Budget) -> PyResult<()>,
    work: impl FnOnce(&Budget) -> T + Send,
) -> PyResult<T> {
    let budget = limits.budget()?.with_cancel(cancel.clone());
    let (done, ring) = (Mutex::new(None), Condvar::new());
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work(&budget);
            *done.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            ring.notify_one();
        });
        loop {
            // Asked before the result is looked for: who is finished by then has left one, unless it broke off.
            let finished = worker.is_finished();
            let result = py.detach(|| {
                let waiting = done.lock().unwrap_or_else(PoisonError::into_inner);
                let (mut done, _) = ring
                    .wait_timeout_while(waiting, TICK, |done| done.is_none() && !worker.is_finished())
                    .unwrap_or_else(PoisonError::into_inner);
                done.take()
            });
            if let Some(result) = result {
                return Ok(result);
            }
            if finished {
                return Err(sentence("the search broke off"));
            }
            if let Err(interrupt) = py.check_signals().and_then(|()| look(py, &budget)) {
                cancel.cancel();
                py.detach(|| {
                    while !worker.is_finished() {
                        std::thread::sleep(TICK / 10)
                    }
                });
                return Err(interrupt);
            }
        }
    })
}

/// Work that is nearly always short: it is tried at once, and only if it turns out to be long does it get a thread of its
/// own.
const SHORT: u64 = 20_000;

/// Does short work.
pub fn at_once<T: Send>(
    py: Python<'_>,
    work: impl Fn(&Budget) -> Result<T, CalcError> + Sync,
) -> PyResult<T> {
    let budget = Budget::unlimited().with_nodes(SHORT);
    match work(&budget) {
        Err(CalcError { stop: Some(Halt::Nodes), .. }) => {}
        other => return other.map_err(|error| calc_error(&error, "")),
    }
    with_signals(py, Limits::default(), &Cancel::default(), &work)?.map_err(|error| calc_error(&error, ""))
}
