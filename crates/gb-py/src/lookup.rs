//! What tables say about single positions, without search.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use gb_db::{Fact, Library, TabulatedGame};
use gb_engine::calc::Datum;
use gb_rules::{AnyGame, Key, WIDEST, with_game};
use gb_value::{Budget, Halt, Kernel};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rustc_hash::FxHashMap;

use crate::database::failed;
use crate::thermograph::PyThermograph;
use crate::value::PyValue;
use crate::work::{ENGINE, sentence, stopped};

/// What the tables say about a position of one game.
type Ask = Arc<dyn Fn(&Key<WIDEST>, &Kernel<'_>) -> Result<Option<Fact>, Halt> + Send + Sync>;

/// A folder that has not changed for so long before it was read will show by its time that it changes: clocks of files tick slowly.
const SETTLED: Duration = Duration::from_secs(2);

/// More games than anybody asks about at a time.
const MOST_GAMES: usize = 100;

/// The tables of a folder, opened when they are first asked. What they say stays true, so that the folder is looked at again only when they
/// do not know a position.
#[derive(Default)]
pub struct Lookups(Mutex<Option<Opened>>);

struct Opened {
    library: Arc<Library>,
    /// When the folder had last been changed, if a later change shows.
    settled: Option<SystemTime>,
    /// By the address of the game, which is kept so that no other one gets its address.
    games: FxHashMap<usize, (AnyGame, Option<Ask>)>,
}

/// When a folder was last changed, unless that was just now.
fn settled(folder: &Path) -> Option<SystemTime> {
    let changed = std::fs::metadata(folder).ok()?.modified().ok()?;
    (changed.elapsed().ok()? > SETTLED).then_some(changed)
}

fn address(game: &AnyGame) -> usize {
    with_game!(game, game => Arc::as_ptr(game).addr())
}

impl Lookups {
    fn opened(&self) -> MutexGuard<'_, Option<Opened>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables will be opened again.
    pub fn forget(&self) {
        *self.opened() = None;
    }

    /// Opens the tables. Warnings run Python code, so that nothing is locked meanwhile.
    fn open(&self, folder: &Path, open: &dyn Fn() -> Library) {
        let settled = settled(folder);
        let library = Arc::new(open());
        *self.opened() = Some(Opened { library, settled, games: FxHashMap::default() });
    }

    /// Who answers about a game; `None` if no table is about it.
    fn answers(&self, game: &AnyGame, folder: &Path, open: &dyn Fn() -> Library) -> PyResult<Option<Ask>> {
        let address = address(game);
        if self.opened().is_none() {
            self.open(folder, open);
        }
        let library = match &*self.opened() {
            Some(opened) => match opened.games.get(&address) {
                Some((_, ask)) => return Ok(ask.clone()),
                None => opened.library.clone(),
            },
            None => return Ok(None),
        };
        // Says why if there can be no tables of it.
        TabulatedGame::new(game.clone()).map_err(failed)?;
        let ask: Option<Ask> = with_game!(game, game => library.archive(game).map(|archive| -> Ask {
            Arc::new(move |at, kernel| archive.whole(&at.resized(), kernel))
        }));
        if let Some(opened) = &mut *self.opened() {
            if opened.games.len() >= MOST_GAMES {
                opened.games.clear();
            }
            opened.games.insert(address, (game.clone(), ask.clone()));
        }
        Ok(ask)
    }

    /// What the tables of a folder say about a position.
    pub fn fact(
        &self,
        game: &AnyGame,
        at: &Key<WIDEST>,
        folder: &Path,
        open: &dyn Fn() -> Library,
    ) -> PyResult<Option<Fact>> {
        let unlimited = Budget::unlimited();
        let kernel = ENGINE.store.kernel(&unlimited);
        let ask = || match self.answers(game, folder, open)? {
            Some(ask) => ask(at, &kernel).map_err(stopped),
            None => Ok(None),
        };
        let found = ask()?;
        if matches!(found, Some(Fact::Exact(_))) {
            return Ok(found);
        }
        // Perhaps somebody has built more tables since.
        let then = self.opened().as_ref().and_then(|opened| opened.settled);
        if then.is_some() && then == settled(folder) {
            return Ok(found);
        }
        self.forget();
        ask()
    }
}

/// What tables say about a position: a mapping with the keys `"value"` (None where only less is known), `"outcome"`, `"thermograph"` and
/// `"atomic_weight"` (None of games that are not all-small). What follows from the value is worked out when it is asked for.
#[pyclass(frozen, name = "Found", module = "gamebench")]
pub struct PyFound(pub Fact);

const KEYS: [&str; 4] = ["value", "outcome", "thermograph", "atomic_weight"];

#[pymethods]
impl PyFound {
    fn __getitem__(&self, py: Python<'_>, key: &str) -> PyResult<Py<PyAny>> {
        let unlimited = Budget::unlimited();
        let kernel = ENGINE.store.kernel(&unlimited);
        let value = |value| PyValue(Datum::Value(value));
        match key {
            "value" => self.0.value().map(value).into_py_any(py),
            "outcome" => self.0.outcome(&kernel).map_err(stopped)?.to_string().into_py_any(py),
            "thermograph" => PyThermograph(self.0.thermograph(&kernel).map_err(stopped)?).into_py_any(py),
            "atomic_weight" => {
                let small = self.0.small(&kernel).map_err(stopped)?;
                small.map(|small| value(small.atomic_weight)).into_py_any(py)
            }
            other => Err(PyKeyError::new_err(other.to_owned())),
        }
    }
    fn __len__(&self) -> usize {
        KEYS.len()
    }
    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        key.extract::<String>().is_ok_and(|key| KEYS.contains(&key.as_str()))
    }
    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(KEYS.into_pyobject(py)?.try_iter()?.into_any().unbind())
    }
    /// The keys.
    fn keys(&self) -> Vec<&'static str> {
        KEYS.to_vec()
    }
    /// What they stand for.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        KEYS.iter().map(|key| self.__getitem__(py, key)).collect()
    }
    /// Pairs of both.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, Py<PyAny>)>> {
        KEYS.iter().map(|key| Ok((*key, self.__getitem__(py, key)?))).collect()
    }
    /// What a key stands for, or something else if there is no such key.
    #[pyo3(signature = (key, default = None))]
    fn get(&self, py: Python<'_>, key: &str, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        if KEYS.contains(&key) { self.__getitem__(py, key).map(Some) } else { Ok(default) }
    }
    /// The same as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.items(py)?.into_iter().try_for_each(|(key, value)| dict.set_item(key, value))?;
        Ok(dict)
    }
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<PyFound>() {
            Ok(other) => Ok(self.0 == other.get().0),
            Err(_) => self.to_dict(py)?.eq(other),
        }
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Found({})", self.to_dict(py)?.repr()?))
    }
    /// Elsewhere there may be no such tables, but a dictionary.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (Py<PyDict>,))> {
        Ok((py.get_type::<PyDict>().into_any().unbind(), (self.to_dict(py)?.unbind(),)))
    }
}

/// Positions of games written in Python are in no table.
pub fn no_table(name: &str) -> PyErr {
    sentence(format!("{name} has no databases: it is written in Python"))
}
