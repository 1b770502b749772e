//! Positions of any game: of the list, of a text, or written in Python. All of them answer the same questions.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use gb_board::{Look, Paint, Shape, Spot};
use gb_engine::calc::{Datum, operate};
use gb_engine::picture::scene;
use gb_rules::{AnyGame, Key, Player, Position, Variant, WIDEST, with_game};
use gb_search::sum::Moves;
use gb_search::{AnySolved, SearchContext};
use gb_value::{Budget, Cancel, Halt, ValueError};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::analysis::{PyAnalysis, Term, analyze_terms};
use crate::progress::{Bar, Meter};
use crate::python_game::PythonGame;
use crate::thermograph::PyThermograph;
use crate::value::{PyValue, fraction_of, player};
use crate::work::{ENGINE, Limits, calc_error, sentence, stopped, watched};

/// Counts how often databases were taken into use or out of it: what was known before does not know them.
static ERA: AtomicU64 = AtomicU64::new(0);

/// From now on questions use other databases.
pub fn new_era() {
    ERA.fetch_add(1, Relaxed);
}

/// The databases that questions use now.
pub fn era() -> u64 {
    ERA.load(Relaxed)
}

/// Where what is known about a position is kept.
pub enum Home {
    /// With the games of the list and of texts.
    Named {
        /// The game with its tables.
        solved: AnySolved,
        /// When they were taken.
        era: u64,
    },
    /// With a game written in Python.
    Python(Py<PythonGame>),
}

impl Home {
    fn clone_ref(&self, py: Python<'_>) -> Home {
        match self {
            Home::Named { solved, era } => Home::Named { solved: solved.clone(), era: *era },
            Home::Python(game) => Home::Python(game.clone_ref(py)),
        }
    }
}

/// A position of a game.
#[pyclass(frozen, name = "Position", module = "gamebench")]
pub struct PyPosition {
    /// If this is a negative: what it is the negative of.
    at: Position,
    home: Home,
    negated: bool,
    value: OnceLock<Datum>,
}

/// Most questions are answered after so many nodes: they get no thread of their own.
const QUICK: u64 = 3_000;

/// The same for games written in Python, whose nodes take longer, and where a search that begins again asks about more positions.
const QUICK_IN_PYTHON: u64 = 100;

impl PyPosition {
    /// A position whose game has this home.
    pub fn new(at: Position, home: Home, negated: bool) -> PyPosition {
        PyPosition { at, home, negated, value: OnceLock::new() }
    }

    fn sibling(&self, py: Python<'_>, key: Key<WIDEST>) -> PyPosition {
        let at = Position::new(self.at.game().clone(), key);
        PyPosition::new(at, self.home.clone_ref(py), self.negated)
    }

    /// The game, and the position as text.
    pub fn names(&self) -> (String, String) {
        let name = self.at.info().name;
        (if self.negated { format!("negative({name})") } else { name }, self.at.show())
    }

    /// The position, and whether this is the negative of it.
    pub fn plain_position(&self) -> (&Position, bool) {
        (&self.at, self.negated)
    }

    /// As a summand is typed.
    fn typed(&self) -> String {
        let (game, position) = self.names();
        format!("{game} {position}")
    }

    /// The player of the game itself, where this is perhaps its negative.
    fn side(&self, who: Player) -> Player {
        if self.negated { who.opponent() } else { who }
    }

    /// The game written in Python, if it is one.
    pub fn python<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PythonGame>> {
        match &self.home {
            Home::Python(game) => Some(game.bind(py)),
            Home::Named { .. } => None,
        }
    }

    /// The game with its tables, and the position in it: not of the negative.
    fn plain(&self, py: Python<'_>) -> PyResult<(AnySolved, Position)> {
        match &self.home {
            Home::Python(game) => Ok((game.get().solved(), self.at.clone())),
            Home::Named { solved, era: then } if *then == era() => Ok((solved.clone(), self.at.clone())),
            Home::Named { .. } => {
                let (game, text) = (self.at.info().name, self.at.show());
                py.detach(|| solved_named(&game, &text))
            }
        }
    }

    /// The game with its tables, and the position in it.
    pub fn solved(&self, py: Python<'_>) -> PyResult<(AnySolved, Position)> {
        // An impartial game is its own negative; of a variant of a game, such as `impartial(clobber)`, the negative has no name.
        if !self.negated || self.at.info().impartial {
            return self.plain(py);
        }
        match &self.home {
            Home::Python(_) => {
                let game = self.at.game().clone().varied(Variant::Negative);
                Ok((AnySolved::from(game.clone()), Position::new(game, *self.at.key())))
            }
            Home::Named { .. } => {
                let (game, text) = self.names();
                solved_named(&game, &text)
            }
        }
    }

    /// Asks a question about a position within limits. What takes long gets a thread of its own, and Ctrl-C ends it.
    pub fn ask<T: Send>(
        &self,
        py: Python<'_>,
        limits: Limits,
        solved: &AnySolved,
        question: impl FnOnce(&AnySolved, &SearchContext<'_>) -> T + Send,
    ) -> PyResult<T> {
        self.ask_and_look(py, limits, solved, &mut |_, _| Ok(()), question)
    }

    /// The same, with somebody who looks how far it is (see [`watched`]).
    fn ask_and_look<T: Send>(
        &self,
        py: Python<'_>,
        limits: Limits,
        solved: &AnySolved,
        look: &mut dyn FnMut(Python<'_>, &Budget) -> PyResult<()>,
        question: impl FnOnce(&AnySolved, &SearchContext<'_>) -> T + Send,
    ) -> PyResult<T> {
        // The interpreter does one thing at a time.
        let threads = if matches!(self.home, Home::Python(_)) { 1 } else { ENGINE.threads() };
        let work = |budget: &Budget| {
            question(solved, &SearchContext::new(&ENGINE.store, budget).with_threads(threads))
        };
        match &self.home {
            Home::Named { .. } => watched(py, limits, &Cancel::default(), look, work),
            Home::Python(game) => PythonGame::guarded_all(&[game.get()], py, limits, look, work),
        }
    }

    /// The exact value of the plain position, if it is found at once.
    fn quick_value(&self, py: Python<'_>, nodes: u64) -> PyResult<Option<Datum>> {
        if let Some(datum) = self.value.get() {
            return Ok(Some(datum.clone()));
        }
        if self.at.ends_in_score() {
            return Ok(None);
        }
        let most = if matches!(self.home, Home::Python(_)) { QUICK_IN_PYTHON } else { u64::MAX };
        let budget = Budget::unlimited().with_nodes(nodes.min(most));
        let found = match &self.home {
            Home::Named { solved, era: then } if *then == era() => {
                solved.value(self.at.key(), &SearchContext::new(&ENGINE.store, &budget))
            }
            Home::Named { .. } => {
                let (solved, at) = self.plain(py)?;
                solved.value(at.key(), &SearchContext::new(&ENGINE.store, &budget))
            }
            Home::Python(game) => {
                let solved = game.get().solved();
                let at = self.at.key();
                game.get()
                    .at_once(&budget, |budget| solved.value(at, &SearchContext::new(&ENGINE.store, budget)))?
            }
        };
        let Ok(value) = found else { return Ok(None) };
        self.keep(Datum::Value(value)).map(Some)
    }

    /// Remembers the value of the plain position as that of this one.
    fn keep(&self, plain: Datum) -> PyResult<Datum> {
        let datum = if self.negated {
            let unlimited = Budget::unlimited();
            operate::neg(&ENGINE.store.kernel(&unlimited), &plain).map_err(|error| calc_error(&error, ""))?
        } else {
            plain
        };
        Ok(self.value.get_or_init(|| datum).clone())
    }

    /// The exact value.
    pub fn datum(
        &self,
        py: Python<'_>,
        limits: Limits,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Datum> {
        let known = if limits.are_none() { self.quick_value(py, QUICK)? } else { self.value.get().cloned() };
        if let Some(datum) = known {
            return Ok(datum);
        }
        let (solved, at) = self.plain(py)?;
        let none = py.None().into_bound(py);
        let bar = Bar::new(py, progress.unwrap_or(&none), "value")?;
        let look = &mut |py: Python<'_>, budget: &Budget| bar.show_nodes(py, budget.nodes());
        let found =
            self.ask_and_look(py, limits, &solved, look, |solved, context| value_of(solved, &at, context));
        bar.close(py)?;
        let found = found?;
        self.keep(found.map_err(stopped)?)
    }
}

/// The value of a position, with loops or without.
pub fn value_of(solved: &AnySolved, at: &Position, context: &SearchContext<'_>) -> Result<Datum, Halt> {
    let examined = solved.examine(at.key(), Moves::LeftOut, context, &|_, _, _| {});
    let values: Result<Vec<_>, Halt> = examined.components.iter().map(|component| component.value).collect();
    let kernel = context.store.kernel(context.budget);
    let sum = values.and_then(|values| kernel.sum(&values)).map(Datum::Value);
    sum.or_else(|stop| examined.loopy_total(&kernel).map(Datum::from).ok_or(stop))
}

/// A game by its name with its tables, and a position of it.
fn solved_named(game: &str, text: &str) -> PyResult<(AnySolved, Position)> {
    let wrong = |error: gb_rules::OpenError| sentence(error.to_string());
    let game = ENGINE.games().open(game, text).map_err(|error| wrong(error.into()))?;
    let solved = ENGINE.solved(game);
    let at = solved.game().read_or_start(text).map_err(|error| wrong(error.into()))?;
    Ok((solved, at))
}

/// Everything a player can do: what the moves are called, and which positions they leave.
fn all_moves(
    game: &AnyGame,
    at: &Key<WIDEST>,
    who: Player,
    told: &mut dyn FnMut(String, Vec<Spot>, Key<WIDEST>),
) {
    with_game!(game, game => {
        let at = &at.resized();
        let _ = game.moves(at, who, &mut |mv| {
            let after = game.play(at, who, mv).0.resized();
            told(game.move_text(at, who, mv), game.gesture(at, who, mv), after);
            ControlFlow::Continue(())
        });
    });
}

#[pymethods]
impl PyPosition {
    /// The name of the game.
    #[getter]
    fn game(&self) -> String {
        self.names().0
    }
    /// The position as text.
    #[getter]
    fn text(&self) -> String {
        self.at.show()
    }
    /// The position as the game knows it: its text, or of a game written in Python the object that it is.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.python(py) {
            Some(game) => Ok(game.get().object_of(py, self.at.key())),
            None => self.at.show().into_py_any(py),
        }
    }
    /// Whether it is the negative of a position: each player has the moves of the other.
    #[getter]
    fn negated(&self) -> bool {
        self.negated
    }
    fn __str__(&self) -> String {
        let (text, sign) = (self.at.show(), if self.negated { "-" } else { "" });
        format!("{sign}{text}")
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let sign = if self.negated { "-" } else { "" };
        Ok(match self.python(py) {
            Some(game) => {
                let state = game.get().object_of(py, self.at.key());
                format!("{sign}{}({})", game.repr()?, state.bind(py).repr()?)
            }
            None => format!("{sign}game({:?})({:?})", self.at.info().name, self.at.show()),
        })
    }
    fn __eq__(&self, py: Python<'_>, other: &PyPosition) -> bool {
        match (self.python(py), other.python(py)) {
            (None, None) => self.names() == other.names(),
            (Some(a), Some(b)) => {
                a.get().is(b.get()) && self.at.key() == other.at.key() && self.negated == other.negated
            }
            _ => false,
        }
    }
    fn __hash__(&self, py: Python<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        match self.python(py) {
            Some(_) => (self.at.key(), self.negated).hash(&mut hasher),
            None => self.names().hash(&mut hasher),
        }
        hasher.finish()
    }
    /// A game that was read from a text brings it along, for programs that have never heard of it.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        let module = py.import("gamebench")?;
        let restore = module.getattr("_restore")?.unbind();
        let stored = match self.python(py) {
            Some(game) => {
                let state = game.get().object_of(py, self.at.key());
                (game.clone().unbind().into_any(), state, py.None(), self.negated).into_py_any(py)?
            }
            None => {
                let name = self.at.info().name;
                let source = ENGINE.games().text_of(&name);
                (name, self.at.show(), source, self.negated).into_py_any(py)?
            }
        };
        Ok((restore, stored))
    }
    fn __neg__(&self, py: Python<'_>) -> PyPosition {
        PyPosition::new(self.at.clone(), self.home.clone_ref(py), !self.negated)
    }
    fn __pos__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    /// The moves of a player, as texts.
    fn moves(&self, who: &str) -> PyResult<Vec<String>> {
        let (who, mut texts) = (self.side(player(who)?), vec![]);
        with_game!(self.at.game(), game => {
            let at = &self.at.key().resized();
            let _ = game.moves(at, who, &mut |mv| {
                texts.push(game.move_text(at, who, mv));
                ControlFlow::Continue(())
            });
        });
        Ok(texts)
    }
    /// The positions that a player can move to, each once.
    fn options(&self, py: Python<'_>, who: &str) -> PyResult<Vec<PyPosition>> {
        let (who, mut keys) = (self.side(player(who)?), vec![]);
        with_game!(self.at.game(), game => {
            let at = &self.at.key().resized();
            let _ = game.moves(at, who, &mut |mv| {
                let after = game.play(at, who, mv).0.resized();
                if !keys.contains(&after) {
                    keys.push(after);
                }
                ControlFlow::Continue(())
            });
        });
        self.checked(py)?;
        Ok(keys.into_iter().map(|key| self.sibling(py, key)).collect())
    }
    /// The position after a move.
    fn play(&self, py: Python<'_>, who: &str, text: &str) -> PyResult<PyPosition> {
        let after =
            self.at.play(self.side(player(who)?), text).map_err(|error| sentence(error.to_string()))?;
        Ok(self.sibling(py, *after.key()))
    }
    /// The independent parts.
    fn parts(&self, py: Python<'_>) -> PyResult<Vec<PyPosition>> {
        let parts = self.at.parts().into_iter().map(|(part, _)| self.sibling(py, *part.key())).collect();
        self.checked(py)?;
        Ok(parts)
    }
    /// The exact value. `progress` is told how many nodes were searched, of how many nobody knows: `progress(nodes, 0)`.
    #[pyo3(signature = (*, progress = None, **limits))]
    fn value(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyValue> {
        self.datum(py, Limits::of(limits)?, progress).map(PyValue)
    }
    /// Who wins: `"L"`, `"R"`, `"N"` (who begins) or `"P"` (who does not); where play can go on for ever also `"D"` (a draw), `"N-hat"`,
    /// `"N-check"`, `"P-hat"` or `"P-check"`. Found without values unless they help.
    #[pyo3(signature = (**limits))]
    fn outcome(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let limits = Limits::of(limits)?;
        let threatened = with_game!(self.at.game(), game => game.has_global_wins());
        if limits.are_none()
            && !threatened
            && let Some(Datum::Value(value)) = self.quick_value(py, QUICK / 10)?
            && let Ok(outcome) = ENGINE.store.kernel(&Budget::unlimited()).outcome(value)
        {
            return Ok(outcome.to_string());
        }
        let (solved, at) = self.solved(py)?;
        let found =
            self.ask(py, limits, &solved, |solved, context| match solved.scores(at.key(), context) {
                Some(scores) => {
                    let (left, right) = (scores.ending(Player::Left)?, scores.ending(Player::Right)?);
                    Ok(gb_value::OutcomeClass::of(left, right))
                }
                None => solved.winners(at.key(), context).outcome(),
            })?;
        found.map(|outcome| outcome.to_string()).map_err(stopped)
    }
    /// The thermograph, found without canonical forms.
    #[pyo3(signature = (**limits))]
    fn thermograph(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PyThermograph> {
        let limits = Limits::of(limits)?;
        if limits.are_none()
            && let Some(Datum::Value(value)) = self.quick_value(py, QUICK / 10)?
            && let Ok(graph) = ENGINE.store.kernel(&Budget::unlimited()).thermograph(value)
        {
            return Ok(PyThermograph(graph));
        }
        let (solved, at) = self.plain(py)?;
        let found = self.ask(py, limits, &solved, |solved, context| solved.thermograph(at.key(), context))?;
        match found {
            Ok(graph) if self.negated => Ok(PyThermograph(graph.negate().into())),
            Ok(graph) => Ok(PyThermograph(graph)),
            Err(ValueError::Halt(stop)) => Err(stopped(stop)),
            Err(error) => Err(sentence(error.to_string())),
        }
    }
    /// The mean value.
    #[pyo3(signature = (**limits))]
    fn mean(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        fraction_of(py, self.thermograph(py, limits)?.0.mean())
    }
    /// The temperature: how much a move matters.
    #[pyo3(signature = (**limits))]
    fn temperature(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        fraction_of(py, &self.thermograph(py, limits)?.0.temperature())
    }
    /// Writes a certificate to a file and returns what is proved: see `gamebench.prove`.
    #[pyo3(signature = (file, goal = "value", **limits))]
    fn prove(
        &self,
        py: Python<'_>,
        file: std::path::PathBuf,
        goal: &str,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<String>> {
        if self.python(py).is_some() {
            return Err(sentence(
                "a certificate names a game that its checker knows: a game written in Python it does not",
            ));
        }
        crate::proofs::prove(py, &self.typed(), file, goal, limits)
    }
    /// Takes the position apart: parts, values, the sum, who wins, every winning move and why.
    #[pyo3(signature = (**limits))]
    fn analyze(
        slf: &Bound<'_, Self>,
        py: Python<'_>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyAnalysis> {
        analyze_terms(py, &[Term::of(slf.as_any())?], Limits::of(limits)?)?.analysis()
    }
    /// The winning first moves of a player, as texts.
    #[pyo3(signature = (who, **limits))]
    fn winning_moves(
        slf: &Bound<'_, Self>,
        py: Python<'_>,
        who: &str,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<String>> {
        let who = player(who)?;
        analyze_terms(py, &[Term::of(slf.as_any())?], Limits::of(limits)?)?.winning_moves(who)
    }
    /// The board as SVG, with its parts coloured.
    fn svg(&self) -> String {
        let parts: Vec<_> = self.at.parts().into_iter().map(|(_, spots)| spots).collect();
        scene::svg(&self.at.scene(), &parts)
    }
    fn _repr_svg_(&self) -> String {
        self.svg()
    }
    /// What a front end draws and what a player may click, as plain data.
    fn _scene(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let scene = self.at.scene();
        let items = scene.items.iter().map(|item| {
            let dict = PyDict::new(py);
            dict.set_item("spot", item.spot.to_string())?;
            let (shape, places) = match item.shape {
                Shape::Square(x, y) => ("square", vec![x, y]),
                Shape::Disc(x, y) => ("disc", vec![x, y]),
                Shape::Line((a, b), (c, d)) => ("line", vec![a, b, c, d]),
            };
            dict.set_item("shape", shape)?;
            dict.set_item("at", places)?;
            dict.set_item("letter", item.letter.to_string())?;
            dict.set_item("paint", paint_name(item.paint))?;
            Ok(dict)
        });
        let items = items.collect::<PyResult<Vec<_>>>()?;
        let spots = |spots: &[Spot]| spots.iter().map(Spot::to_string).collect::<Vec<_>>();
        let parts: Vec<_> = self.at.parts().iter().map(|(_, part)| spots(part)).collect();
        let all = PyDict::new(py);
        all.set_item("items", items)?;
        all.set_item("parts", parts)?;
        all.set_item("look", look_name(scene.look))?;
        all.set_item("size", scene.corner())?;
        for (name, who) in [("left", Player::Left), ("right", Player::Right)] {
            let moves = PyList::empty(py);
            let mut failed = None;
            all_moves(self.at.game(), self.at.key(), self.side(who), &mut |text, gesture, _| {
                let mv = (text, spots(&gesture));
                failed = moves.append(mv).err().or(failed.take());
            });
            failed.map_or(Ok(()), Err)?;
            all.set_item(name, moves)?;
        }
        self.checked(py)?;
        Ok(all.into_any().unbind())
    }
    /// Who has won when a player is to move; `None` while the game goes on. (In misère play who is stuck says so, which is a move.)
    fn _winner(&self, py: Python<'_>, who: &str) -> PyResult<Option<&'static str>> {
        let who = player(who)?;
        if self.at.ends_in_score() {
            return Err(sentence(format!(
                "{} ends in a score, and functions play games that are decided by who cannot move: name two players of the bench",
                self.at.info().name
            )));
        }
        let won = match self.at.global_win() {
            Some(winner) => Some(self.side(winner)),
            None if !self.at.moves(self.side(who), 1).is_empty() => None,
            None => Some(who.opponent()),
        };
        self.checked(py)?;
        Ok(won.map(|winner| if winner == Player::Left { "left" } else { "right" }))
    }
    /// One move by a player or a strategy; see `Position.choose`.
    #[pyo3(signature = (who, spec, *, time = None, nodes = None, threads = 1))]
    fn _choose<'py>(
        &self,
        py: Python<'py>,
        who: &str,
        spec: &str,
        time: Option<f64>,
        nodes: Option<u64>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (solved, at) = self.plain(py)?;
        let chosen = crate::players::choose(
            py,
            self,
            (&solved, &at),
            self.side(player(who)?),
            spec,
            (time, nodes, threads),
        )?;
        if self.negated
            && let Some(winner) = chosen.get_item("winner")?
            && !winner.is_none()
        {
            chosen.set_item("winner", if winner.eq("left")? { "right" } else { "left" })?;
        }
        Ok(chosen)
    }
}

impl PyPosition {
    /// What a game written in Python has raised since.
    fn checked(&self, py: Python<'_>) -> PyResult<()> {
        self.python(py).map_or(Ok(()), |game| game.get().raise())
    }
}

fn paint_name(paint: Paint) -> &'static str {
    match paint {
        Paint::Empty => "empty",
        Paint::Hole => "hole",
        Paint::Left => "left",
        Paint::Right => "right",
        Paint::Both => "both",
    }
}

fn look_name(look: Look) -> &'static str {
    match look {
        Look::Cells => "cells",
        Look::Checkered => "checkered",
        Look::Lines => "lines",
        Look::Ground => "ground",
        Look::Tiles => "tiles",
    }
}

/// The values of many positions, in one piece of work: see `gamebench.values`.
#[pyfunction]
#[pyo3(signature = (positions, progress = None, **limits))]
pub fn values(
    py: Python<'_>,
    positions: Vec<Bound<'_, PyAny>>,
    progress: Option<Bound<'_, PyAny>>,
    limits: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<PyValue>> {
    let limits = Limits::of(limits)?;
    let positions: Vec<&Bound<'_, PyPosition>> = positions
        .iter()
        .map(|position| position.cast::<PyPosition>().map_err(PyErr::from))
        .collect::<PyResult<_>>()?;
    // What is known, or found at once, needs no thread.
    let mut found: Vec<Option<Datum>> = vec![None; positions.len()];
    let mut open = vec![];
    let start = std::time::Instant::now();
    for (index, position) in positions.iter().enumerate() {
        let quick = limits.are_none() && start.elapsed() < std::time::Duration::from_millis(50);
        found[index] =
            if quick { position.get().quick_value(py, QUICK)? } else { position.get().value.get().cloned() };
        if found[index].is_none() {
            open.push(index);
        }
    }
    if !open.is_empty() {
        let progress = progress.unwrap_or_else(|| py.None().into_bound(py));
        let bar = Bar::new(py, &progress, "values")?;
        let meter = Meter::of(open.len() as u64);
        let (named, python): (Vec<usize>, Vec<usize>) =
            open.into_iter().partition(|&index| positions[index].get().python(py).is_none());
        let tasks =
            named.iter().map(|&index| positions[index].get().plain(py)).collect::<PyResult<Vec<_>>>()?;
        let look = &mut |py: Python<'_>, _: &Budget| bar.show(py, &meter);
        let answers = watched(py, limits, &Cancel::default(), look, |budget| {
            let context = SearchContext::new(&ENGINE.store, budget).with_threads(ENGINE.threads());
            let value = |(solved, at): &(AnySolved, Position)| {
                let value = value_of(solved, at, &context)?;
                meter.tick();
                Ok(value)
            };
            tasks.iter().map(value).collect::<Result<Vec<Datum>, Halt>>()
        })?;
        for (&index, datum) in named.iter().zip(answers.map_err(stopped)?) {
            found[index] = Some(positions[index].get().keep(datum)?);
        }
        for index in python {
            found[index] = Some(positions[index].get().datum(py, limits, Some(&progress))?);
            meter.tick();
        }
        bar.show(py, &meter)?;
        bar.close(py)?;
    }
    Ok(found.into_iter().flatten().map(PyValue).collect())
}
