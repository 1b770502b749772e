//! Sums of positions and values: who wins them, by which moves, and why.

use gb_engine::analysis_json::AnalysisJson;
use gb_engine::calc::Datum;
use gb_engine::picture::ink::Ink;
use gb_engine::{Analysed, no_misere_summand, report};
use gb_rules::{Key, Player, Position, UnionGame};
use gb_search::question::outcome::Winners;
use gb_search::sum::{SumReport, Summand};
use gb_search::{AnySolved, SearchContext};
use gb_value::text::Style;
use gb_value::{Budget, Cancel, Halt};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::position::PyPosition;
use crate::python_game::PythonGame;
use crate::value::{PyValue, datum_of};
use crate::work::{ENGINE, Limits, sentence, stopped, with_signals};

/// A summand.
pub enum Term {
    /// A position, with its tables, and its game if that is written in Python.
    Position(AnySolved, Position, Option<Py<PythonGame>>),
    /// A value with its text.
    Value(String, Datum),
}

impl Term {
    /// Reads a summand: a position, or what stands for a value.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Term> {
        let py = object.py();
        if let Ok(position) = object.cast::<PyPosition>() {
            let (solved, at) = position.get().solved(py)?;
            return Ok(Term::Position(
                solved,
                at,
                position.get().python(py).map(|game| game.clone().unbind()),
            ));
        }
        let datum = datum_of(object)?;
        Ok(Term::Value(PyValue(datum.clone()).plain(py)?, datum))
    }
}

/// Works on summands, of which some may be written in Python.
fn with_terms<T: Send>(
    py: Python<'_>,
    terms: &[Term],
    limits: Limits,
    work: impl FnOnce(&Budget) -> T + Send,
) -> PyResult<T> {
    let games: Vec<&PythonGame> = terms
        .iter()
        .filter_map(|term| match term {
            Term::Position(_, _, Some(game)) => Some(game.get()),
            _ => None,
        })
        .collect();
    if games.is_empty() {
        return with_signals(py, limits, &Cancel::default(), work);
    }
    PythonGame::guarded_all(&games, py, limits, &mut |_, _| Ok(()), work)
}

/// The second budget of an analysis: what there is to say when the first one was not enough.
fn rest() -> Budget {
    Budget::unlimited().with_time(std::time::Duration::from_secs(2))
}

/// Takes a sum apart: parts, values, the sum, who wins, every winning move and why.
pub fn analyze_terms(py: Python<'_>, terms: &[Term], limits: Limits) -> PyResult<FoundAnalysis> {
    let start = std::time::Instant::now();
    with_terms(py, terms, limits, |budget| {
        let context = SearchContext::new(&ENGINE.store, budget).with_threads(threads_for(terms));
        let mut summands = vec![];
        for term in terms {
            summands.push(match term {
                Term::Position(_, at, _) if at.is_misere() && terms.len() > 1 => {
                    return Err(no_misere_summand(&at.show()));
                }
                Term::Position(solved, at, _) => {
                    let moves = gb_search::sum::Moves::Valued;
                    Summand::Position(solved.examine(at.key(), moves, &context, &|_, _, _| {}))
                }
                Term::Value(text, Datum::Loopy(loopy)) => match loopy.value() {
                    Some(value) => Summand::Loopy { text: text.clone(), value: value.clone() },
                    None => {
                        return Err(format!(
                            "the sides of `{text}` are not known, so it cannot be a summand"
                        ));
                    }
                },
                Term::Value(text, Datum::Value(value)) => {
                    Summand::Value { text: text.clone(), value: *value }
                }
                Term::Value(text, _) => return Err(format!("`{text}` is no game")),
            });
        }
        let report = SumReport::new(&ENGINE.store.kernel(budget), summands);
        let open = matches!(report.analysis, Err(stop) if stop != Halt::Cancelled)
            && report.loops.is_none()
            && report.scores.is_none()
            && report.misere().is_none();
        let mut found = report.misere().copied();
        let mut report = report;
        if open {
            let rest = rest();
            found = winners_of(terms, &rest).ok();
            let context = SearchContext::new(&ENGINE.store, &rest).with_threads(threads_for(terms));
            for (term, summand) in terms.iter().zip(&mut report.summands) {
                if let (Term::Position(solved, ..), Summand::Position(examined)) = (term, summand) {
                    solved.bound(examined, &context);
                }
            }
        }
        let found = Analysed { report, winners: found };
        Ok(FoundAnalysis::of(found, budget.nodes(), start.elapsed().as_secs_f64()))
    })?
    .map_err(sentence)
}

/// The interpreter does one thing at a time, so its games get one thread.
fn threads_for(terms: &[Term]) -> usize {
    let in_python = terms.iter().any(|term| matches!(term, Term::Position(_, _, Some(_))));
    if in_python { 1 } else { ENGINE.threads() }
}

/// Who wins a sum, without values of positions unless they help.
fn winners_of(terms: &[Term], budget: &Budget) -> Result<Winners, String> {
    let (mut positions, mut values) = (vec![], vec![]);
    for term in terms {
        match term {
            Term::Position(_, at, _) if at.is_misere() && terms.len() > 1 => {
                return Err(no_misere_summand(&at.show()));
            }
            Term::Position(_, at, _) if at.ends_in_score() => {
                return Err(format!(
                    "`{}` ends in a score: who moves last in a sum with it means nothing",
                    at.show()
                ));
            }
            Term::Position(_, at, _) => positions.push(at.clone()),
            Term::Value(_, Datum::Value(value)) => values.push(*value),
            Term::Value(text, _) => return Err(format!("`{text}` has loops")),
        }
    }
    let stopped = |stop| Winners { left_first: Err(stop), right_first: Err(stop), nodes: budget.nodes() };
    let value = match ENGINE.store.kernel(budget).sum(&values) {
        Ok(value) => value,
        Err(stop) => return Ok(stopped(stop)),
    };
    let (game, keys) = UnionGame::of_positions(&positions);
    let boards: Vec<_> = keys.iter().map(Key::resized).collect();
    let context = SearchContext::new(&ENGINE.store, budget).with_threads(threads_for(terms));
    Ok(AnySolved::from((game, None)).winners_of(&boards, value, &context))
}

/// Analyses a sum of positions and values.
#[pyfunction]
#[pyo3(signature = (terms, **limits))]
pub fn analyze_sum(
    py: Python<'_>,
    terms: Vec<Bound<'_, PyAny>>,
    limits: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyAnalysis> {
    let terms = terms.iter().map(Term::of).collect::<PyResult<Vec<Term>>>()?;
    analyze_terms(py, &terms, Limits::of(limits)?)?.analysis()
}

/// Who wins a sum of positions and values without loops, without values of positions unless they help.
#[pyfunction]
#[pyo3(signature = (terms, **limits))]
pub fn outcome_of_sum(
    py: Python<'_>,
    terms: Vec<Bound<'_, PyAny>>,
    limits: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let terms = terms.iter().map(Term::of).collect::<PyResult<Vec<Term>>>()?;
    let found = with_terms(py, &terms, Limits::of(limits)?, |budget| winners_of(&terms, budget))?;
    found.map_err(sentence)?.outcome().map(|outcome| outcome.to_string()).map_err(stopped)
}

/// What was found out about a sum, as plain data and in words.
pub struct FoundAnalysis {
    /// As plain data.
    pub data: AnalysisJson,
    text: String,
    /// Why the winning moves of Left and of Right are not all known.
    open: [Option<Halt>; 2],
}

/// Why the winning moves of a player are not all known. In misère play there are no values, but each move is judged by itself.
fn unjudged(report: &SumReport, player: Player) -> Option<Halt> {
    match &report.summands[..] {
        [Summand::Position(examined)] if examined.misere.is_some() => {
            examined.moves[player as usize].iter().find_map(|mv| mv.ending.as_ref()?.as_ref().err().copied())
        }
        _ => report.analysis.as_ref().err().filter(|_| report.loops.is_none()).copied(),
    }
}

impl FoundAnalysis {
    /// The winning first moves of a player.
    ///
    /// # Errors
    /// If they were not all found.
    pub fn winning_moves(&self, player: Player) -> PyResult<Vec<String>> {
        if let Some(stop) = self.open[player as usize] {
            return Err(stopped(stop));
        }
        let winning = &self.data.winning;
        let moves = if player == Player::Left { &winning.left } else { &winning.right };
        Ok(moves.iter().filter_map(|mv| mv.at.text.clone()).collect())
    }

    fn of(Analysed { report, winners }: Analysed, nodes: u64, seconds: f64) -> FoundAnalysis {
        let unlimited = Budget::unlimited();
        let kernel = ENGINE.store.kernel(&unlimited);
        let data = AnalysisJson::of(&report, winners, &kernel, &Style::default(), (nodes, seconds));
        let text =
            report::sum_text(&report, &kernel, &Style { max_len: 120, ..Style::default() }, Ink::default());
        FoundAnalysis { data, text, open: Player::BOTH.map(|player| unjudged(&report, player)) }
    }

    /// For Python.
    pub fn analysis(self) -> PyResult<PyAnalysis> {
        let json = serde_json::to_string(&self.data).map_err(|error| sentence(error.to_string()))?;
        Ok(PyAnalysis { text: self.text, json })
    }
}

/// What was found out about a sum.
#[pyclass(frozen, name = "Analysis", module = "gamebench")]
pub struct PyAnalysis {
    text: String,
    json: String,
}

#[pymethods]
impl PyAnalysis {
    /// What was found out, in words and as JSON.
    #[new]
    fn new(text: String, json: String) -> PyAnalysis {
        PyAnalysis { text, json }
    }
    /// Everything as plain data, the same as the JSON of the command line.
    fn to_dict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(py.import("json")?.call_method1("loads", (&self.json,))?.unbind())
    }
    fn __str__(&self) -> &str {
        &self.text
    }
    fn __repr__(&self) -> &str {
        &self.text
    }
    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (String, String)) {
        let PyAnalysis { text, json } = slf.get();
        (slf.get_type().into_any().unbind(), (text.clone(), json.clone()))
    }
}

/// Analyses a sum as it is typed: `"clobber xo.|.ox + domineering ..|.. + ^*"`.
#[pyfunction]
#[pyo3(signature = (sum, **limits))]
pub fn analyze(py: Python<'_>, sum: &str, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PyAnalysis> {
    let start = std::time::Instant::now();
    with_signals(py, Limits::of(limits)?, &Cancel::default(), |budget| {
        let found = ENGINE.analyze(sum, budget, &rest, &|_, _, _| {}).map_err(|error| error.to_string())?;
        Ok(FoundAnalysis::of(found, budget.nodes(), start.elapsed().as_secs_f64()))
    })?
    .map_err(|error: String| sentence(error))?
    .analysis()
}
