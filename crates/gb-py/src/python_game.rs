//! Games written in Python: the engine asks the interpreter for the options of each position once.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gb_board::{BoardError, Plain};
use gb_engine::calc::Datum;
use gb_rules::{Coding, Direct, DynGame, Game, Info, Key, MoveCode, Player, Rules, Sign, direct};
use gb_search::question::outcome::{Memory, Settings, Sum, winners};
use gb_search::question::thermograph;
use gb_search::{GameTables, SearchContext};
use gb_value::{Cancel, Halt};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::thermograph::PyThermograph;
use crate::value::{PyValue, player};
use crate::work::{ENGINE, Limits, sentence, stopped, with_signals};

/// A position by its number: Python objects are compared and hashed only when they are first met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Numbered(u32);

/// Rules that answer about many positions are asked about at most so many.
const MOST_AT_ONCE: usize = 256;

/// What Python calls a player.
fn side(py: Python<'_>, who: Player) -> &Bound<'_, PyString> {
    if who == Player::Left { intern!(py, "left") } else { intern!(py, "right") }
}

/// The rules, as far as the engine sees them.
#[derive(Clone)]
struct PythonRules(Arc<Shared>);

struct Shared {
    object: Py<PyAny>,
    name: String,
    has_parts: bool,
    has_normalise: bool,
    /// The rules answer about many positions in one call: options, parts, normal forms.
    has_many: [bool; 3],
    /// From positions to their numbers.
    numbers: Py<PyDict>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    positions: Vec<Py<PyAny>>,
    /// What was asked about each position so far.
    known: Vec<Known>,
    /// Positions that will be searched, but whose options nobody has asked for yet, for Left and for Right.
    waiting: [Vec<Numbered>; 2],
    /// What the Python code raised: the search that met it is worthless.
    error: Option<PyErr>,
    cancel: Cancel,
}

#[derive(Clone, Default)]
struct Known {
    options: [Option<Arc<[Numbered]>>; 2],
    parts: Option<Arc<[Numbered]>>,
    normal: Option<(Numbered, Sign)>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a position. The lock of the state is not held while Python code runs.
    fn number(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Numbered> {
        let numbers = self.numbers.bind(py);
        if let Some(number) = numbers.get_item(position)? {
            return Ok(Numbered(number.extract()?));
        }
        let mut state = self.state();
        let number = u32::try_from(state.positions.len()).map_err(|_| sentence("too many positions"))?;
        state.positions.push(position.clone().unbind());
        state.known.push(Known::default());
        drop(state);
        numbers.set_item(position, number)?;
        Ok(Numbered(number))
    }

    fn position<'py>(&self, py: Python<'py>, at: Numbered) -> Bound<'py, PyAny> {
        self.state().positions[at.0 as usize].bind(py).clone()
    }

    fn numbers_of(&self, py: Python<'_>, list: &Bound<'_, PyAny>) -> PyResult<Arc<[Numbered]>> {
        list.try_iter()?.map(|position| self.number(py, &position?)).collect()
    }

    fn options(&self, at: Numbered, who: Player) -> Arc<[Numbered]> {
        if let Some(options) = &self.state().known[at.0 as usize].options[who as usize] {
            return options.clone();
        }
        let asked = if self.has_many[0] { self.many_options(at, who) } else { self.one_options(at, who) };
        if let Err(error) = asked {
            self.fail(error);
            self.state().known[at.0 as usize].options[who as usize] = Some(Arc::new([]));
        }
        let options = self.state().known[at.0 as usize].options[who as usize].clone();
        options.unwrap_or_else(|| Arc::new([]))
    }

    fn one_options(&self, at: Numbered, who: Player) -> PyResult<()> {
        let options = Python::attach(|py| {
            let list = self
                .object
                .bind(py)
                .call_method1(intern!(py, "options"), (self.position(py, at), side(py, who)))?;
            self.numbers_of(py, &list)
        })?;
        self.look_ahead(&options)?;
        self.state().known[at.0 as usize].options[who as usize] = Some(options);
        Ok(())
    }

    /// The options of a position, and with them those of others that will be asked for.
    fn many_options(&self, at: Numbered, who: Player) -> PyResult<()> {
        let mut batch = vec![at];
        {
            let mut state = self.state();
            let State { waiting, known, .. } = &mut *state;
            let waiting = &mut waiting[who as usize];
            waiting.retain(|other| *other != at && known[other.0 as usize].options[who as usize].is_none());
            let from = waiting.len().saturating_sub(MOST_AT_ONCE - 1);
            batch.extend(waiting.drain(from..));
        }
        let found = self.ask_many("many_options", &batch, Some(who))?;
        for (at, options) in batch.iter().zip(&found) {
            self.state().known[at.0 as usize].options[who as usize] = Some(options.clone());
        }
        let all: Vec<Numbered> = found.iter().flat_map(|options| options.iter().copied()).collect();
        self.look_ahead(&all)
    }

    /// Asks a method of the rules about many positions: a list for each of them.
    fn ask_many(
        &self,
        method: &str,
        positions: &[Numbered],
        who: Option<Player>,
    ) -> PyResult<Vec<Arc<[Numbered]>>> {
        Python::attach(|py| {
            let list: Vec<_> = positions.iter().map(|&at| self.position(py, at)).collect();
            let object = self.object.bind(py);
            let answers = match who {
                Some(who) => object.call_method1(method, (list, side(py, who)))?,
                None => object.call_method1(method, (list,))?,
            };
            let found: PyResult<Vec<_>> =
                answers.try_iter()?.map(|list| self.numbers_of(py, &list?)).collect();
            let found = found?;
            if found.len() != positions.len() {
                return Err(sentence(format!(
                    "{method} was asked about {} positions and answered about {}",
                    positions.len(),
                    found.len()
                )));
            }
            Ok(found)
        })
    }

    /// Finds out about positions that were met what will be asked next: their parts, and the normal forms of those, each in one
    /// call where the rules offer that.
    fn look_ahead(&self, met: &[Numbered]) -> PyResult<()> {
        if self.has_many == [false; 3] {
            return Ok(());
        }
        let mut next: Vec<Numbered> = self.new_ones(met, |known| known.parts.is_none());
        if self.has_parts && self.has_many[1] {
            let found = self.ask_many("many_parts", &next, None)?;
            for (at, parts) in next.iter().zip(&found) {
                self.state().known[at.0 as usize].parts = Some(parts.clone());
            }
            next = found.iter().flat_map(|parts| parts.iter().copied()).collect();
        }
        if self.has_normalise && self.has_many[2] {
            next = self.new_ones(&next, |known| known.normal.is_none());
            let found = Python::attach(|py| {
                let list: Vec<_> = next.iter().map(|&at| self.position(py, at)).collect();
                let answers = self.object.bind(py).call_method1("many_normal_forms", (list,))?;
                self.numbers_of(py, &answers)
            })?;
            if found.len() != next.len() {
                let (asked, answered) = (next.len(), found.len());
                return Err(sentence(format!(
                    "many_normal_forms was asked about {asked} positions and answered about {answered}"
                )));
            }
            let mut state = self.state();
            for (at, &normal) in next.iter().zip(found.iter()) {
                state.known[at.0 as usize].normal = Some((normal, Sign::Plus));
            }
            next = found.to_vec();
        }
        let next = self.new_ones(&next, |known| known.options.iter().all(Option::is_none));
        self.state().waiting.iter_mut().for_each(|waiting| waiting.extend(&next));
        Ok(())
    }

    /// Those of which something is not known yet, each once.
    fn new_ones(&self, met: &[Numbered], is_new: impl Fn(&Known) -> bool) -> Vec<Numbered> {
        let state = self.state();
        let mut new: Vec<Numbered> =
            met.iter().copied().filter(|at| is_new(&state.known[at.0 as usize])).collect();
        new.sort_unstable();
        new.dedup();
        new
    }

    fn parts(&self, at: Numbered) -> Arc<[Numbered]> {
        if let Some(parts) = &self.state().known[at.0 as usize].parts {
            return parts.clone();
        }
        let asked = Python::attach(|py| {
            let list = self.object.bind(py).call_method1(intern!(py, "parts"), (self.position(py, at),))?;
            self.numbers_of(py, &list)
        });
        let parts = self.or_fail(asked);
        self.state().known[at.0 as usize].parts = Some(parts.clone());
        parts
    }

    fn normal(&self, at: Numbered) -> (Numbered, Sign) {
        if let Some(normal) = self.state().known[at.0 as usize].normal {
            return normal;
        }
        let asked = Python::attach(|py| {
            let normal =
                self.object.bind(py).call_method1(intern!(py, "normalise"), (self.position(py, at),))?;
            self.number(py, &normal)
        });
        let normal = match asked {
            Ok(normal) => (normal, Sign::Plus),
            Err(error) => {
                self.fail(error);
                (at, Sign::Plus)
            }
        };
        self.state().known[at.0 as usize].normal = Some(normal);
        normal
    }

    fn or_fail(&self, asked: PyResult<Arc<[Numbered]>>) -> Arc<[Numbered]> {
        asked.unwrap_or_else(|error| {
            self.fail(error);
            Arc::new([])
        })
    }

    /// Remembers the first error, and ends the search.
    fn fail(&self, error: PyErr) {
        let mut state = self.state();
        state.cancel.cancel();
        state.error.get_or_insert(error);
    }
}

impl Plain for Numbered {
    const WORDS: usize = 1;

    fn write_words(self, words: &mut [u64]) {
        words[0] = self.0.into();
    }
    fn read_words(words: &[u64]) -> Numbered {
        Numbered(words[0] as u32)
    }
}

impl MoveCode for Numbered {
    fn code(&self) -> u64 {
        self.0.into()
    }
    fn of_code(code: u64) -> Numbered {
        Numbered(code as u32)
    }
}

impl Rules for PythonRules {
    type Board = Numbered;
    /// The position afterwards.
    type Move = Numbered;

    fn info(&self) -> Info {
        Info {
            name: self.0.name.clone(),
            title: "A game written in Python",
            rules: "",
            alphabet: &[],
            example: "",
            impartial: false,
            loopy: false,
        }
    }
    fn read(&self, _text: &str) -> Result<Numbered, BoardError> {
        Err(BoardError::Invalid("positions of games written in Python are Python objects, not texts".into()))
    }
    fn show(&self, at: &Numbered) -> String {
        Python::attach(|py| {
            let position = self.0.position(py, *at);
            let object = self.0.object.bind(py);
            let shown = match object.hasattr("show") {
                Ok(true) => object.call_method1("show", (position,)).and_then(|text| text.str()),
                _ => position.str(),
            };
            shown.map_or_else(|_| format!("position {}", at.0), |text| text.to_string())
        })
    }
    fn moves(
        &self,
        at: &Numbered,
        who: Player,
        emit: &mut impl FnMut(Numbered) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.options(*at, who).iter().try_for_each(|&option| emit(option))
    }
    fn play(&self, at: &mut Numbered, _who: Player, mv: &Numbered) {
        *at = *mv;
    }
    fn parts(&self, at: &Numbered, emit: &mut impl FnMut(Numbered)) {
        if self.0.has_parts { self.0.parts(*at).iter().for_each(|&part| emit(part)) } else { emit(*at) }
    }
    fn normalise(&self, at: Numbered) -> (Numbered, Sign) {
        if self.0.has_normalise { self.0.normal(at) } else { (at, Sign::Plus) }
    }
}

/// A game of the bench whose rules are a Python object with a method `options(position, player)`, where the player is
/// `"left"` or `"right"` and positions are anything that can be hashed. Optional methods: `parts(position)`, positions
/// whose sum it is; `normalise(position)`, one position for all that have the same value; `show(position)`, a text. A call of
/// Python costs more than most searches do with its answer, so rules may answer about many positions at once:
/// `many_options(positions, player)`, `many_parts(positions)` and `many_normal_forms(positions)` return a list with an answer
/// for each position.
///
/// >>> from gamebench import PythonGame
/// >>> class Nim:
/// ...     def options(self, heap, player):
/// ...         return range(heap)
/// >>> PythonGame(Nim()).value(3)
/// Value('*3')
#[pyclass(frozen, name = "PythonGame", module = "gamebench")]
pub struct PythonGame {
    rules: PythonRules,
    game: Game<2>,
    tables: Mutex<Arc<GameTables<2>>>,
}

impl PythonGame {
    fn tables(&self) -> MutexGuard<'_, Arc<GameTables<2>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks about a position. If the Python code raises, everything found on the way is thrown away.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        limits: Limits,
        question: impl FnOnce(&dyn DynGame<2>, Key<2>, &GameTables<2>, &SearchContext<'_>) -> T + Send,
    ) -> PyResult<T> {
        let shared = &self.rules.0;
        let at = Direct.key(&shared.number(py, position)?);
        let cancel = Cancel::default();
        shared.state().cancel = cancel.clone();
        let tables = self.tables().clone();
        let found = with_signals(py, limits, &cancel, |budget| {
            let ask = || question(&*self.game, at, &tables, &SearchContext::new(&ENGINE.store, budget));
            // The thread keeps its state in the interpreter while it searches: to make one for every call took half of the time.
            Python::attach(|py| py.detach(ask))
        });
        let error = shared.state().error.take();
        if let Some(error) = error {
            *self.tables() = Arc::default();
            let mut state = shared.state();
            state.known.iter_mut().for_each(|known| *known = Known::default());
            state.waiting = Default::default();
            return Err(error);
        }
        found
    }
}

#[pymethods]
impl PythonGame {
    #[new]
    fn new(py: Python<'_>, rules: Py<PyAny>) -> PyResult<PythonGame> {
        let object = rules.bind(py);
        if !object.hasattr("options")? {
            return Err(sentence("the rules of a game need a method options(position, player)"));
        }
        let (has_parts, has_normalise) = (object.hasattr("parts")?, object.hasattr("normalise")?);
        let has_many = [
            object.hasattr("many_options")?,
            object.hasattr("many_parts")?,
            object.hasattr("many_normal_forms")?,
        ];
        let name = object.get_type().name()?.to_string();
        let (numbers, state) = (PyDict::new(py).unbind(), Mutex::default());
        let shared = Shared { object: rules, name, has_parts, has_normalise, has_many, numbers, state };
        let rules = PythonRules(Arc::new(shared));
        let game = direct(rules.clone());
        Ok(PythonGame { rules, game, tables: Mutex::default() })
    }
    /// The exact value.
    #[pyo3(signature = (position, **limits))]
    fn value(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyValue> {
        let limits = Limits::of(limits)?;
        let value =
            self.ask(py, position, limits, |game, at, tables, context| tables.value(game, &at, context))?;
        value.map(|value| PyValue(Datum::Value(value))).map_err(stopped)
    }
    /// Who wins: `"L"`, `"R"`, `"N"` (who begins) or `"P"` (who does not).
    #[pyo3(signature = (position, **limits))]
    fn outcome(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let found = self.ask(py, position, Limits::of(limits)?, |game, at, tables, context| {
            let mut table = Memory::new(64 << 20);
            winners(game, &Sum::of(at), &Settings::default(), &tables.values, &mut table, context).outcome()
        })?;
        found.map(|outcome| outcome.to_string()).map_err(stopped)
    }
    /// The thermograph, found without canonical forms.
    #[pyo3(signature = (position, **limits))]
    fn thermograph(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyThermograph> {
        let found = self
            .ask(py, position, Limits::of(limits)?, |game, at, _, context| thermograph(game, &at, context))?;
        match found {
            Ok(graph) => Ok(PyThermograph(graph)),
            Err(gb_value::ValueError::Halt(stop)) => Err(stopped(stop)),
            Err(error) => Err(sentence(error.to_string())),
        }
    }
    /// The options of a player that win when moved to, played alone.
    #[pyo3(signature = (position, who, **limits))]
    fn winning_options(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        who: &str,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Py<PyAny>>> {
        let who = player(who)?;
        let found = self.ask(py, position, Limits::of(limits)?, |game, at, tables, context| {
            let kernel = context.store.kernel(context.budget);
            let mut winning: Vec<Numbered> = vec![];
            let at = <Direct as Coding<Numbered, 2>>::board(&Direct, &at).into_owned();
            for &option in self.rules.0.options(at, who).iter() {
                let value = tables.value(game, &Direct.key(&option), context)?;
                let zero = gb_value::Value::ZERO;
                let wins =
                    if who == Player::Left { kernel.le(zero, value)? } else { kernel.le(value, zero)? };
                if wins && !winning.contains(&option) {
                    winning.push(option);
                }
            }
            Ok::<_, Halt>(winning)
        })?;
        let winning = found.map_err(stopped)?;
        Ok(winning.into_iter().map(|at| self.rules.0.position(py, at).unbind()).collect())
    }
    /// How many positions have been met.
    fn __len__(&self) -> usize {
        self.rules.0.state().positions.len()
    }
    fn __repr__(&self) -> String {
        format!("PythonGame({})", self.rules.0.name)
    }
}
