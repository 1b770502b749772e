//! Games of the list, positions, and their analysis.

use gb_board::Size;
use gb_engine::Analysed;
use gb_engine::calc::Datum;
use gb_engine::findings::AnalysisJson;
use gb_engine::picture::scene;
use gb_engine::report;
use gb_rules::Info;
use gb_rules::{AnyGame, Position};
use gb_value::text::Style;
use gb_value::{Budget, Cancel, Halt};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::thermograph::PyThermograph;
use crate::value::{PyValue, player};
use crate::work::{ENGINE, LimitReached, Limits, sentence, stopped, with_signals};

/// A game of the bench.
///
/// >>> from gamebench import game
/// >>> clobber = game("clobber")
/// >>> clobber.title
/// 'Clobber'
/// >>> clobber("xo.|.ox").value()
/// Value('0')
///
/// A game may also be given by its text, as docs/games.md tells:
///
/// >>> from gamebench import Game
/// >>> steps = Game("""game steps
/// ... board strip
/// ... cells x walks right, o walks left, . empty
/// ... left:  x. -> .x
/// ... right: .o -> o.""")
/// >>> steps("x..o.").value()
/// Value('0')
#[pyclass(frozen, name = "Game", module = "gamebench")]
pub struct PyGame {
    /// What it was made of: a name, or a text.
    source: String,
    name: String,
    info: Info,
}

impl PyGame {
    fn open(&self, text: &str) -> PyResult<AnyGame> {
        ENGINE.games().open(&self.name, text).map_err(|error| sentence(error.to_string()))
    }
}

#[pymethods]
impl PyGame {
    #[new]
    fn new(source: &str) -> PyResult<PyGame> {
        // What has several lines is the text of a game.
        let name = if source.contains('\n') {
            ENGINE.games().add(source).map_err(|error| sentence(error.to_string()))?
        } else {
            source.to_owned()
        };
        let game = ENGINE.games().open(&name, "1x128").map_err(|error| sentence(error.to_string()))?;
        Ok(PyGame { source: source.to_owned(), name, info: game.info() })
    }
    /// The name with its parameters.
    #[getter]
    fn name(&self) -> &str {
        &self.info.name
    }
    /// The name as a headline.
    #[getter]
    fn title(&self) -> &str {
        self.info.title
    }
    /// The rules in two sentences.
    #[getter]
    fn rules(&self) -> &str {
        self.info.rules
    }
    /// A position worth looking at.
    #[getter]
    fn example(&self) -> &str {
        self.info.example
    }
    /// Whether both players have the same moves.
    #[getter]
    fn impartial(&self) -> bool {
        self.info.impartial
    }
    /// Reads a position, or makes the starting position of a size such as `"4x4"`.
    fn __call__(&self, position: &str) -> PyResult<PyPosition> {
        let game = self.open(position)?;
        let read = match (game.read(position), Size::read(position)) {
            (Err(_), Ok(size)) => game.start(size),
            (read, _) => read,
        };
        read.map(PyPosition).map_err(|error| sentence(error.to_string()))
    }
    fn __repr__(&self) -> String {
        format!("game({:?})", self.info.name)
    }
    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (String,)) {
        (slf.get_type().into_any().unbind(), (slf.get().source.clone(),))
    }
}

/// The names of all games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    gb_games::NAMES.to_vec()
}

/// A position as it is stored: its game, its text, and the text of the game if that was read from one.
type Stored = (String, String, Option<String>);

/// A position of a game.
#[pyclass(frozen, name = "Position", module = "gamebench")]
pub struct PyPosition(pub Position);

impl PyPosition {
    /// The game, and the position as text.
    pub fn names(&self) -> (String, String) {
        (self.0.info().name, self.0.show())
    }

    fn sum(&self) -> String {
        let (game, position) = self.names();
        format!("{game} {position}")
    }
}

/// The second budget of an analysis: what there is to say when the first one was not enough.
fn rest() -> Budget {
    Budget::unlimited().with_time(std::time::Duration::from_secs(2))
}

#[pymethods]
impl PyPosition {
    /// The name of the game.
    #[getter]
    fn game(&self) -> String {
        self.0.info().name
    }
    /// The position as text.
    #[getter]
    fn text(&self) -> String {
        self.0.show()
    }
    fn __str__(&self) -> String {
        self.0.show()
    }
    fn __repr__(&self) -> String {
        let (game, position) = self.names();
        format!("game({game:?})({position:?})")
    }
    fn __eq__(&self, other: &PyPosition) -> bool {
        self.names() == other.names()
    }
    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.names().hash(&mut hasher);
        hasher.finish()
    }
    /// A game that was read from a text brings it along, for programs that have never heard of it.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Stored)> {
        let module = py.import("gamebench")?;
        let (game, position) = self.names();
        let source = ENGINE.games().text_of(&game);
        Ok((module.getattr("position")?.unbind(), (game, position, source)))
    }
    /// The moves of a player, as texts.
    fn moves(&self, who: &str) -> PyResult<Vec<String>> {
        Ok(self.0.moves(player(who)?, usize::MAX).into_iter().map(|choice| choice.text).collect())
    }
    /// The positions that a player can move to, each once.
    fn options(&self, who: &str) -> PyResult<Vec<PyPosition>> {
        let (who, mut texts, mut options) = (player(who)?, vec![], vec![]);
        for choice in self.0.moves(who, usize::MAX) {
            if !texts.contains(&choice.result) {
                texts.push(choice.result);
                let after = self.0.play(who, &choice.text).map_err(|error| sentence(error.to_string()))?;
                options.push(PyPosition(after));
            }
        }
        Ok(options)
    }
    /// The position after a move.
    fn play(&self, who: &str, text: &str) -> PyResult<PyPosition> {
        self.0.play(player(who)?, text).map(PyPosition).map_err(|error| sentence(error.to_string()))
    }
    /// The independent parts.
    fn parts(&self) -> Vec<PyPosition> {
        self.0.parts().into_iter().map(|(part, _)| PyPosition(part)).collect()
    }
    /// The exact value.
    #[pyo3(signature = (**limits))]
    fn value(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PyValue> {
        let (game, position) = self.names();
        let found = with_signals(py, Limits::of(limits)?, &Cancel::default(), |budget| {
            let answer = ENGINE
                .value(&game, &position, budget, &|| Budget::unlimited().with_nodes(0), &|_, _, _| {})
                .map_err(|error| error.to_string())?;
            let examined = answer.examined.ok_or("the position was not searched")?;
            let values: Result<Vec<_>, Halt> =
                examined.components.iter().map(|component| component.value).collect();
            let kernel = ENGINE.store.kernel(budget);
            let sum = values.and_then(|values| kernel.sum(&values)).map(Datum::Value);
            Ok::<_, String>(sum.or_else(|stop| examined.loopy_total(&kernel).map(Datum::from).ok_or(stop)))
        })?;
        found.map_err(sentence)?.map(PyValue).map_err(stopped)
    }
    /// Who wins: `"L"`, `"R"`, `"N"` (who begins) or `"P"` (who does not); where play can go on for ever also `"D"` (a draw), `"N-hat"`,
    /// `"N-check"`, `"P-hat"` or `"P-check"`. Found without values unless they help.
    #[pyo3(signature = (**limits))]
    fn outcome(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let (game, position) = self.names();
        let work = |budget: &Budget| ENGINE.winners(&game, &position, budget);
        let answer = with_signals(py, Limits::of(limits)?, &Cancel::default(), work)?.map_err(sentence)?;
        let winners = answer.winners.ok_or_else(|| sentence("nothing was searched"))?;
        winners.outcome().map(|outcome| outcome.to_string()).map_err(stopped)
    }
    /// The thermograph, found without canonical forms.
    #[pyo3(signature = (**limits))]
    fn thermograph(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PyThermograph> {
        let (game, position) = self.names();
        let work = |budget: &Budget| ENGINE.thermograph(&game, &position, budget);
        let answer = with_signals(py, Limits::of(limits)?, &Cancel::default(), work)?.map_err(sentence)?;
        match answer.thermograph {
            Some(Ok(graph)) => Ok(PyThermograph(graph)),
            Some(Err(gb_value::ValueError::Halt(stop))) => Err(stopped(stop)),
            Some(Err(error)) => Err(sentence(error.to_string())),
            None => Err(sentence("nothing was searched")),
        }
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
        crate::proofs::prove(py, &self.sum(), file, goal, limits)
    }
    /// Takes the position apart: parts, values, the sum, who wins, every winning move and why.
    #[pyo3(signature = (**limits))]
    fn analyze(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PyAnalysis> {
        analyze(py, &self.sum(), limits)
    }
    /// The winning first moves of a player, as texts.
    #[pyo3(signature = (who, **limits))]
    fn winning_moves(
        &self,
        py: Python<'_>,
        who: &str,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<String>> {
        let who = player(who)?;
        let analysis = self.analyze(py, limits)?;
        if let Some(why) = &analysis.findings.stopped {
            return Err(LimitReached::new_err(why.clone()));
        }
        let winning = &analysis.findings.winning;
        let moves = if who == gb_value::Player::Left { &winning.left } else { &winning.right };
        Ok(moves.iter().filter_map(|mv| mv.at.text.clone()).collect())
    }
    /// The board as SVG, with its parts coloured.
    fn svg(&self) -> String {
        let parts: Vec<_> = self.0.parts().into_iter().map(|(_, spots)| spots).collect();
        scene::svg(&self.0.scene(), &parts)
    }
    fn _repr_svg_(&self) -> String {
        self.svg()
    }
}

/// What was found out about a sum.
#[pyclass(frozen, name = "Analysis", module = "gamebench")]
pub struct PyAnalysis {
    findings: AnalysisJson,
    text: String,
}

#[pymethods]
impl PyAnalysis {
    /// Everything as plain data, the same as the JSON of the command line.
    fn to_dict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let text = serde_json::to_string(&self.findings).map_err(|error| sentence(error.to_string()))?;
        Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
    }
    fn __str__(&self) -> &str {
        &self.text
    }
    fn __repr__(&self) -> &str {
        &self.text
    }
}

/// Analyses a sum as it is typed: `"clobber xo.|.ox + domineering ..|.. + ^*"`.
#[pyfunction]
#[pyo3(signature = (sum, **limits))]
pub fn analyze(py: Python<'_>, sum: &str, limits: Option<&Bound<'_, PyDict>>) -> PyResult<PyAnalysis> {
    let start = std::time::Instant::now();
    with_signals(py, Limits::of(limits)?, &Cancel::default(), |budget| {
        let Analysed { report, winners } =
            ENGINE.analyze(sum, budget, &rest, &|_, _, _| {}).map_err(|error| error.to_string())?;
        let spent = (budget.nodes(), start.elapsed().as_secs_f64());
        let unlimited = Budget::unlimited();
        let kernel = ENGINE.store.kernel(&unlimited);
        let findings = AnalysisJson::of(&report, winners, &kernel, &Style::default(), spent);
        let text = report::sum_text(&report, &kernel, &Style { max_len: 120, ..Style::default() });
        Ok(PyAnalysis { findings, text })
    })?
    .map_err(|error: String| sentence(error))
}
