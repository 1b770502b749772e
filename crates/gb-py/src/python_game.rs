//! Games written in Python: the engine asks the interpreter for the options of each position once.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gb_board::{BoardError, Scene, Spot};
use gb_rules::conformance::{ClaimError, check_claims};
use gb_rules::{
    AnyGame, Coding, Direct, Game, Info, Key, Notation, Player, Position, Rules, Sign, WIDEST, direct,
};
use gb_search::AnySolved;
use gb_value::{Budget, Cancel};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use smallvec::smallvec;

use crate::boards::Claims;
use crate::position::{Home, PyPosition};
use crate::python_positions::{Few, Known, Numbered, State};
use crate::work::{ENGINE, Limits, sentence, stopped, watched};

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
    impartial: bool,
    has_parts: bool,
    has_normalise: bool,
    /// What is claimed of boards without a method.
    claims: Claims,
    has_move_text: bool,
    /// The rules answer about many positions in one call: options, parts, normal forms.
    has_many: [bool; 3],
    state: Mutex<State>,
}

/// What `normalise` returns to say that a position has the negative of the value of another: `Negative(other)`.
#[pyclass(frozen, name = "Negative", module = "gamebench")]
pub struct PyNegative(Py<PyAny>);

#[pymethods]
impl PyNegative {
    #[new]
    fn new(position: Py<PyAny>) -> PyNegative {
        PyNegative(position)
    }
    /// The other position.
    #[getter]
    fn position(&self, py: Python<'_>) -> Py<PyAny> {
        self.0.clone_ref(py)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Negative({})", self.0.bind(py).repr()?))
    }
    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (Py<PyAny>,)) {
        (slf.get_type().into_any().unbind(), (slf.get().0.clone_ref(slf.py()),))
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a position. The lock of the state is not held while Python code runs.
    fn number(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Numbered> {
        let hash = position.hash()?;
        let mut state = self.state();
        let mut candidate = state.by_hash.get(&hash).copied();
        while let Some(number) = candidate {
            let met = state.positions[number.0 as usize].bind(py);
            if met.is(position) {
                return Ok(number);
            }
            let met = met.clone();
            drop(state);
            if met.eq(position)? {
                return Ok(number);
            }
            state = self.state();
            candidate = state.known[number.0 as usize].same_hash;
        }
        let number = u32::try_from(state.positions.len()).map_err(|_| sentence("too many positions"))?;
        let number = Numbered(number);
        state.positions.push(position.clone().unbind());
        let same_hash = state.by_hash.insert(hash, number);
        state.known.push(Known { same_hash, ..Known::default() });
        Ok(number)
    }

    fn position<'py>(&self, py: Python<'py>, at: Numbered) -> Bound<'py, PyAny> {
        self.state().positions[at.0 as usize].bind(py).clone()
    }

    fn numbers_of(&self, py: Python<'_>, list: &Bound<'_, PyAny>) -> PyResult<Few> {
        list.try_iter()?.map(|position| self.number(py, &position?)).collect()
    }

    fn options(&self, at: Numbered, who: Player) -> Few {
        {
            let state = self.state();
            if let Some(options) = state.known[at.0 as usize].options[who as usize] {
                return state.list(options);
            }
        }
        let asked = if self.has_many[0] { self.many_options(at, who) } else { self.one_options(at, who) };
        let options = self.or_fail(asked);
        self.state().keep_options(at, who, &options);
        options
    }

    fn one_options(&self, at: Numbered, who: Player) -> PyResult<Few> {
        let options = Python::attach(|py| {
            let list = self
                .object
                .bind(py)
                .call_method1(intern!(py, "options"), (self.position(py, at), side(py, who)))?;
            self.numbers_of(py, &list)
        })?;
        self.look_ahead(&options)?;
        Ok(options)
    }

    /// The options of a position, and with them those of others that will be asked for.
    fn many_options(&self, at: Numbered, who: Player) -> PyResult<Few> {
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
        // This one is kept by who has asked.
        for (at, options) in batch.iter().zip(&found).skip(1) {
            self.state().keep_options(*at, who, options);
        }
        let all: Vec<Numbered> = found.iter().flat_map(|options| options.iter().copied()).collect();
        self.look_ahead(&all)?;
        // As many were found as were asked for, and the first is this one.
        Ok(found.into_iter().next().unwrap_or_default())
    }

    /// Asks a method of the rules about many positions: a list for each of them.
    fn ask_many(&self, method: &str, positions: &[Numbered], who: Option<Player>) -> PyResult<Vec<Few>> {
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
                self.state().keep_parts(*at, parts);
            }
            next = found.iter().flat_map(|parts| parts.iter().copied()).collect();
        }
        if self.has_normalise && self.has_many[2] {
            next = self.new_ones(&next, |known| known.normal.is_none());
            let found = Python::attach(|py| {
                let list: Vec<_> = next.iter().map(|&at| self.position(py, at)).collect();
                let answers = self.object.bind(py).call_method1("many_normal_forms", (list,))?;
                answers.try_iter()?.map(|form| self.signed(py, &form?)).collect::<PyResult<Vec<_>>>()
            })?;
            if found.len() != next.len() {
                let (asked, answered) = (next.len(), found.len());
                return Err(sentence(format!(
                    "many_normal_forms was asked about {asked} positions and answered about {answered}"
                )));
            }
            let mut state = self.state();
            for (at, &normal) in next.iter().zip(&found) {
                state.known(*at).normal = Some(normal);
            }
            next = found.iter().map(|&(normal, _)| normal).collect();
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

    fn parts(&self, at: Numbered) -> Few {
        {
            let state = self.state();
            if let Some(parts) = state.known[at.0 as usize].parts {
                return state.list(parts);
            }
        }
        let asked = Python::attach(|py| {
            if !self.has_parts {
                return match self.claims.parts(&self.position(py, at))? {
                    Some(parts) => parts.iter().map(|part| self.number(py, part)).collect(),
                    None => Ok(smallvec![at]),
                };
            }
            let list = self.object.bind(py).call_method1(intern!(py, "parts"), (self.position(py, at),))?;
            self.numbers_of(py, &list)
        });
        let parts = self.or_fail(asked);
        self.state().keep_parts(at, &parts);
        parts
    }

    fn normal(&self, at: Numbered) -> (Numbered, Sign) {
        if let Some(normal) = self.state().known[at.0 as usize].normal {
            return normal;
        }
        let asked = Python::attach(|py| {
            if !self.has_normalise {
                return match self.claims.normal(&self.position(py, at))? {
                    Some((normal, sign)) => Ok((self.number(py, &normal)?, sign)),
                    None => Ok((at, Sign::Plus)),
                };
            }
            let normal =
                self.object.bind(py).call_method1(intern!(py, "normalise"), (self.position(py, at),))?;
            self.signed(py, &normal)
        });
        let normal = match asked {
            Ok(normal) => normal,
            Err(error) => {
                self.fail(error);
                (at, Sign::Plus)
            }
        };
        self.state().known[at.0 as usize].normal = Some(normal);
        normal
    }

    /// A normal form: a position, or its negative.
    fn signed(&self, py: Python<'_>, form: &Bound<'_, PyAny>) -> PyResult<(Numbered, Sign)> {
        match form.cast::<PyNegative>() {
            Ok(negative) => Ok((self.number(py, negative.get().0.bind(py))?, Sign::Minus)),
            Err(_) => Ok((self.number(py, form)?, Sign::Plus)),
        }
    }

    /// The text of a position, which no other position has.
    fn text(&self, at: Numbered) -> Arc<str> {
        if let Some(text) = self.state().shown.get(&at.0) {
            return text.clone();
        }
        let shown = Python::attach(|py| {
            let position = self.position(py, at);
            let object = self.object.bind(py);
            match object.hasattr("show")? {
                true => object.call_method1("show", (position,))?.str()?.extract::<String>(),
                false => position.str()?.extract::<String>(),
            }
        });
        let shown = shown.unwrap_or_else(|error| {
            self.fail(error);
            format!("position {}", at.0)
        });
        let mut state = self.state();
        let mut text: Arc<str> = shown.into();
        if state.texts.get(&text).is_some_and(|&other| other != at) {
            text = format!("{text} #{}", at.0).into();
        }
        state.texts.insert(text.clone(), at);
        state.shown.insert(at.0, text.clone());
        text
    }

    fn or_fail(&self, asked: PyResult<Few>) -> Few {
        asked.unwrap_or_else(|error| {
            self.fail(error);
            Few::new()
        })
    }

    /// Remembers the first error, and ends the search.
    fn fail(&self, error: PyErr) {
        let mut state = self.state();
        state.cancel.cancel();
        state.error.get_or_insert(error);
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
            impartial: self.0.impartial,
            loopy: false,
        }
    }
    /// Reads what was shown.
    fn read(&self, text: &str) -> Result<Numbered, BoardError> {
        self.0.state().texts.get(text).copied().ok_or_else(|| {
            BoardError::Invalid("positions of games written in Python are Python objects, not texts".into())
        })
    }
    fn show(&self, at: &Numbered) -> String {
        self.0.text(*at).to_string()
    }
    /// A move is called what it leaves, so nothing has to be pointed at.
    fn gesture(&self, at: &Numbered, _who: Player, mv: &Numbered) -> Vec<Spot> {
        Scene::of_text(&self.show(at)).changes(&Scene::of_text(&self.show(mv)))
    }
    gb_rules::has!(notation);
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
        if self.0.has_parts || self.0.claims.has_parts() {
            self.0.parts(*at).iter().for_each(|&part| emit(part))
        } else {
            emit(*at)
        }
    }
    fn normalise(&self, at: Numbered) -> (Numbered, Sign) {
        if self.0.has_normalise || self.0.claims.has_normal_forms() {
            self.0.normal(at)
        } else {
            (at, Sign::Plus)
        }
    }
}

impl Notation<Numbered, Numbered> for PythonRules {
    /// What the rules call a move, or what it leaves.
    fn move_text(&self, at: &Numbered, who: Player, mv: &Numbered) -> Option<String> {
        if !self.0.has_move_text {
            return Some(self.show(mv));
        }
        let told = Python::attach(|py| {
            let (from, to) = (self.0.position(py, *at), self.0.position(py, *mv));
            let object = self.0.object.bind(py);
            object.call_method1("move_text", (from, side(py, who), to))?.str()?.extract::<String>()
        });
        told.map_err(|error| self.0.fail(error)).ok()
    }
}

/// A game of the bench whose rules are a Python object with a method `options(position, player)`, where the player is
/// `"left"` or `"right"` and positions are anything that can be hashed. Optional methods: `parts(position)`, positions
/// whose sum it is; `normalise(position)`, one position for all that have the same value, or `Negative(position)` of one that has the
/// negative of it. Rules of boards that are rows of letters, `("xo", "ox")` or `"xo|ox"`, can claim the same by attributes, which is faster:
/// `symmetries = "mirrors"`, or `"all"` with turns; `swap = "xo"`, letters that change places when the players do; `empty = "."`, what
/// lies between groups that are independent. Besides: `show(position)`, a text; `move_text(position, player, option)`, what a move is called. If the rules
/// have `impartial = True`, both players have the same options, and nimbers are searched. A call of
/// Python costs more than most searches do with its answer, so rules may answer about many positions at once:
/// `many_options(positions, player)`, `many_parts(positions)` and `many_normal_forms(positions)` return a list with an answer
/// for each position.
///
/// >>> from gamebench import PythonGame
/// >>> class Nim:
/// ...     def options(self, heap, player):
/// ...         return range(heap)
/// >>> PythonGame(Nim())(3).value()
/// Value('*3')
///
/// With `check=True` the claims of the rules (parts, normal forms) are compared with their options before a position is searched.
#[pyclass(frozen, name = "PythonGame", module = "gamebench")]
pub struct PythonGame {
    rules: PythonRules,
    game: Game<2>,
    solved: Mutex<AnySolved>,
    /// Whether what the rules claim is checked below every position that is asked about first.
    check: bool,
    checked: Mutex<HashSet<Numbered>>,
}

/// So many positions are looked at to check what rules claim.
const CHECKED: usize = 1_000;

impl PythonGame {
    /// The game with what is known about it.
    pub fn solved(&self) -> AnySolved {
        self.solved.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether they are the same.
    pub fn is(&self, other: &PythonGame) -> bool {
        Arc::ptr_eq(&self.rules.0, &other.rules.0)
    }

    /// The object that a position is.
    pub fn object_of(&self, py: Python<'_>, key: &Key<WIDEST>) -> Py<PyAny> {
        let narrow: Key<2> = key.resized();
        let at = <Direct as Coding<Numbered, 2>>::board(&Direct, &narrow).into_owned();
        self.rules.0.position(py, at).unbind()
    }

    /// Raises what the Python code has raised. Then everything found on the way is thrown away.
    pub fn raise(&self) -> PyResult<()> {
        let shared = &self.rules.0;
        let Some(error) = shared.state().error.take() else { return Ok(()) };
        let fresh = AnySolved::from(AnyGame::from(self.game.clone()));
        *self.solved.lock().unwrap_or_else(PoisonError::into_inner) = fresh;
        let mut state = shared.state();
        state
            .known
            .iter_mut()
            .for_each(|known| *known = Known { same_hash: known.same_hash, ..Known::default() });
        state.lists.clear();
        state.waiting = Default::default();
        Err(error)
    }

    /// Works in this thread, on what is nearly always short.
    pub fn at_once<T>(&self, budget: &Budget, work: impl FnOnce(&Budget) -> T) -> PyResult<T> {
        self.rules.0.state().cancel = budget.cancel().clone();
        let found = work(budget);
        self.raise().map(|()| found)
    }

    /// Works in a thread of its own, which Ctrl-C ends.
    pub fn guarded<T: Send>(
        &self,
        py: Python<'_>,
        limits: Limits,
        work: impl FnOnce(&Budget) -> T + Send,
    ) -> PyResult<T> {
        PythonGame::guarded_all(&[self], py, limits, &mut |_, _| Ok(()), work)
    }

    /// The same for several games; `look` is as in [`watched`].
    pub fn guarded_all<T: Send>(
        games: &[&PythonGame],
        py: Python<'_>,
        limits: Limits,
        look: &mut dyn FnMut(Python<'_>, &Budget) -> PyResult<()>,
        work: impl FnOnce(&Budget) -> T + Send,
    ) -> PyResult<T> {
        let cancel = Cancel::default();
        for game in games {
            game.rules.0.state().cancel = cancel.clone();
        }
        let found = watched(py, limits, &cancel, look, |budget| {
            // The thread keeps its state in the interpreter while it searches: to make one for every call took half of the time.
            Python::attach(|py| py.detach(|| work(budget)))
        });
        for game in games {
            game.raise()?;
        }
        found
    }

    /// All positions below this one, each after its options, as far as there are not too many; `None` if play can come back.
    fn below(&self, start: Numbered) -> Option<Vec<Key<2>>> {
        let shared = &self.rules.0;
        let options = |at: Numbered| -> Vec<Numbered> {
            Player::BOTH.iter().flat_map(|&who| shared.options(at, who).to_vec()).collect()
        };
        let (mut order, mut open, mut done) = (vec![], HashSet::from([start]), HashSet::new());
        let mut path = vec![(start, options(start))];
        while let Some((at, rest)) = path.last_mut() {
            match rest.pop() {
                Some(next) if done.contains(&next) => {}
                Some(next) if open.contains(&next) => return None,
                Some(next) if open.len() + done.len() < CHECKED => {
                    open.insert(next);
                    path.push((next, options(next)));
                }
                Some(_) => {}
                None => {
                    let at = *at;
                    open.remove(&at);
                    done.insert(at);
                    order.push(at);
                    path.pop();
                }
            }
        }
        Some(order.iter().map(|at| Direct.key(at)).collect())
    }
}

#[pymethods]
impl PythonGame {
    #[new]
    #[pyo3(signature = (rules, *, check = false))]
    fn new(py: Python<'_>, rules: Py<PyAny>, check: bool) -> PyResult<PythonGame> {
        let object = rules.bind(py);
        if !object.hasattr("options")? {
            return Err(sentence("the rules of a game need a method options(position, player)"));
        }
        let has_many = [
            object.hasattr("many_options")?,
            object.hasattr("many_parts")?,
            object.hasattr("many_normal_forms")?,
        ];
        let impartial = match object.getattr_opt("impartial")? {
            Some(impartial) => impartial.is_truthy()?,
            None => false,
        };
        let shared = Shared {
            name: object.get_type().name()?.to_string(),
            impartial,
            claims: Claims::of(object)?,
            has_parts: object.hasattr("parts")?,
            has_normalise: object.hasattr("normalise")?,
            has_move_text: object.hasattr("move_text")?,
            has_many,
            state: Mutex::default(),
            object: rules,
        };
        let rules = PythonRules(Arc::new(shared));
        let game = direct(rules.clone());
        let solved = Mutex::new(AnySolved::from(AnyGame::from(game.clone())));
        Ok(PythonGame { rules, game, solved, check, checked: Mutex::default() })
    }
    /// The position that an object is.
    fn __call__(slf: &Bound<'_, Self>, position: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        let (py, this) = (slf.py(), slf.get());
        let number = this.rules.0.number(py, position)?;
        let key: Key<2> = Direct.key(&number);
        let at = Position::new(AnyGame::from(this.game.clone()), key.resized());
        if this.check && this.checked.lock().unwrap_or_else(PoisonError::into_inner).insert(number) {
            this.check(py, position, None)?;
        }
        Ok(PyPosition::new(at, Home::Python(slf.clone().unbind()), false))
    }
    /// Checks what the rules claim, parts and normal forms, against values that come from the options alone, on positions below this
    /// one, the smallest first. Returns how many were compared: none where play can come back to a position.
    /// The first claim that is wrong is a GameError.
    #[pyo3(signature = (position, **limits))]
    fn check(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        let start = self.rules.0.number(py, position)?;
        let checked = self.guarded(py, Limits::of(limits)?, |budget| {
            let Some(boards) = self.below(start) else { return Ok(0) };
            check_claims(&*self.game, &boards, &ENGINE.store.kernel(budget))
        })?;
        checked.map_err(|error| match error {
            ClaimError::Stopped(stop) => stopped(stop),
            wrong => sentence(wrong.to_string()),
        })
    }
    /// The rules.
    #[getter]
    fn rules(&self, py: Python<'_>) -> Py<PyAny> {
        self.rules.0.object.clone_ref(py)
    }
    /// The name: that of the class of the rules.
    #[getter]
    fn name(&self) -> &str {
        &self.rules.0.name
    }
    /// How many positions have been met.
    fn __len__(&self) -> usize {
        self.rules.0.state().positions.len()
    }
    fn __repr__(&self) -> String {
        format!("PythonGame({})", self.rules.0.name)
    }
    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (Py<PyAny>,)) {
        (slf.get_type().into_any().unbind(), (slf.get().rules(slf.py()),))
    }
}
