//! Databases: folders of tables with the value of every board.

use std::path::PathBuf;
use std::sync::Arc;

use gb_board::Size;
use gb_db::{Count, Fact, Less, Library, Scope, Settings, SizeStats, StoreError, Table, usual_folder};
use gb_engine::calc::Datum;
use gb_value::{Budget, Cancel, Store};
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::lookup::{Lookups, PyFound, no_table};
use crate::position::PyPosition;
use crate::progress::{Bar, Meter};
use crate::value::PyValue;
use crate::work::{ENGINE, LimitReached, Limits, sentence, stopped, watched, with_signals};

/// A folder of databases: tables with the value of every board of a rectangle, or of every part up to a size. Without a
/// folder, the one that the command line uses.
///
/// >>> import tempfile
/// >>> from gamebench import Databases, game
/// >>> databases = Databases(tempfile.mkdtemp())
/// >>> databases.build("clobber", "3x3")[0]["boards"]
/// 19683
/// >>> databases.query(game("clobber")("xox|oxo|x.x"))["value"]
/// Value('v<3>2v<2>2*')
#[pyclass(frozen, name = "Databases", module = "gamebench")]
pub struct PyDatabases {
    folder: PathBuf,
    lookups: Lookups,
}

/// An error of a database as an exception.
pub fn failed(error: StoreError) -> PyErr {
    match error.is_limit() {
        true => LimitReached::new_err(error.to_string()),
        false => sentence(error.to_string()),
    }
}

/// Rows and columns of a size such as `"3x4"`.
pub fn size_of(text: &str) -> PyResult<(usize, usize)> {
    Ok(Size::read(text).map_err(|error| sentence(error.to_string()))?.grid())
}

/// The parts within a size, and what is stored about them: None or "value", "temperature", "atomic-weight".
pub fn scope_within(text: &str, store: Option<&str>) -> PyResult<Scope> {
    let (rows, cols) = size_of(text)?;
    match store.filter(|&name| name != "value") {
        None => Ok(Scope::Within(rows, cols)),
        Some(name) => match Less::of_name(name) {
            Some(less) => Ok(Scope::Less(rows, cols, less)),
            None => Err(sentence(format!(
                "store: expected \"value\", \"temperature\" or \"atomic-weight\", and not \"{name}\""
            ))),
        },
    }
}

/// What a table is about: a size such as `"3x4"`, or a number of cells of parts.
pub fn scope_of(size: Option<&str>, parts: Option<usize>) -> PyResult<Scope> {
    match (size, parts) {
        (Some(text), None) => {
            let (rows, cols) = size_of(text)?;
            Ok(Scope::Boards(rows, cols))
        }
        (None, Some(cells)) => Ok(Scope::Parts(cells)),
        _ => Err(sentence("expected either a size such as '4x4' or a number of cells as in parts=10")),
    }
}

/// Something is wrong with a table, which is not used therefore.
fn warn(error: &StoreError) {
    let text = error.to_string();
    Python::attach(|py| {
        let text = std::ffi::CString::new(text.replace('\0', " ")).unwrap_or_default();
        if let Err(raised) = PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 2) {
            // Whoever turns warnings into errors: a table that is left out is none here.
            raised.write_unraisable(py, None);
        }
    });
}

fn describe<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("game", table.game())?;
    dict.set_item("scope", table.scope().to_string())?;
    dict.set_item("file", table.path().display().to_string())?;
    dict.set_item("boards", table.boards())?;
    dict.set_item("facts", table.facts())?;
    dict.set_item("values", table.exact())?;
    dict.set_item("bytes", table.bytes())?;
    Ok(dict)
}

impl PyDatabases {
    /// The tables, without using them for other questions. Opening reads headers only.
    fn library(&self, py: Python<'_>) -> Library {
        py.detach(|| Library::open(&self.folder, Arc::new(warn)))
    }

    fn tables_of(&self, py: Python<'_>, game: Option<&str>) -> Vec<Arc<Table>> {
        let wanted = |table: &&Arc<Table>| game.is_none_or(|game| game == table.game());
        self.library(py).tables().iter().filter(wanted).cloned().collect()
    }

    /// What the tables say about a position.
    fn fact(&self, py: Python<'_>, position: &PyPosition) -> PyResult<Option<Fact>> {
        if position.python(py).is_some() {
            return Err(no_table(&position.names().0));
        }
        let (at, negated) = position.plain_position();
        let open = || self.library(py);
        let fact = self.lookups.fact(at.game(), at.key(), &self.folder, &open)?;
        match fact {
            Some(fact) if negated => {
                let unlimited = Budget::unlimited();
                fact.negate(&ENGINE.store.kernel(&unlimited)).map(Some).map_err(stopped)
            }
            fact => Ok(fact),
        }
    }

    fn is_in_use(&self) -> bool {
        ENGINE.library().is_some_and(|library| library.folder() == self.folder)
    }

    fn build_one(
        &self,
        py: Python<'_>,
        game: &str,
        scope: Scope,
        settings: &Settings,
        limits: Limits,
        bar: &Bar,
    ) -> PyResult<PathBuf> {
        let grid = ENGINE.tabulated_game(game, &scope.sample()).map_err(sentence)?;
        let (cancel, meter) = (Cancel::default(), Meter::default());
        let budget = limits.budget()?.with_cancel(cancel.clone());
        let report = |progress: gb_db::Progress| meter.set(progress.boards, progress.total);
        let look = &mut |py: Python<'_>, _: &Budget| bar.show(py, &meter);
        let built = watched(py, Limits::default(), &cancel, look, |_| {
            gb_db::build(grid, scope, &self.folder, budget, settings, &report)
        })?;
        Ok(built.map_err(failed)?.path)
    }
}

#[pymethods]
impl PyDatabases {
    #[new]
    #[pyo3(signature = (folder = None))]
    fn new(folder: Option<PathBuf>) -> PyResult<PyDatabases> {
        let none = || sentence("there is no usual folder for databases here: name one");
        Ok(PyDatabases {
            folder: folder.or_else(usual_folder).ok_or_else(none)?,
            lookups: Lookups::default(),
        })
    }

    /// The folder.
    #[getter]
    fn folder(&self) -> String {
        self.folder.display().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Databases({:?})", self.folder.display().to_string())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (PathBuf,)) {
        (slf.get_type().into_any().unbind(), (slf.get().folder.clone(),))
    }

    /// From now on all questions look parts up in these tables before they search.
    fn r#use(&self, py: Python<'_>) {
        ENGINE.use_library(Some(self.library(py)));
        crate::position::new_era();
    }

    /// The tables: game, scope, file, boards, facts, values, bytes.
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.tables_of(py, None).iter().map(|table| describe(py, table)).collect()
    }

    /// Builds tables: all boards of a size, all boards of at most `up_to` cells, all parts of at most `parts` cells, or all parts that fit
    /// `within` a size. Of these `store` may be "temperature" or "atomic-weight", which is less than their values.
    /// Interrupted, it goes on where it was when it is called again. Once there are more than `max_values` distinct values,
    /// outcomes and thermographs are stored instead.
    #[pyo3(signature = (game, size = None, *, parts = None, up_to = None, within = None, store = None, max_values = None, threads = 1, progress = None, **limits))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn build<'py>(
        &self,
        py: Python<'py>,
        game: &str,
        size: Option<&str>,
        parts: Option<usize>,
        up_to: Option<usize>,
        within: Option<&str>,
        store: Option<&str>,
        max_values: Option<u64>,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let scopes = match (up_to, within) {
            (None, None) if store.is_none() => vec![scope_of(size, parts)?],
            (Some(cells), None) if size.is_none() && parts.is_none() && store.is_none() => {
                Scope::boards_up_to(cells)
            }
            (None, Some(text)) if size.is_none() && parts.is_none() => {
                vec![scope_within(text, store)?]
            }
            _ if store.is_some() => return Err(sentence("store goes with within")),
            _ => return Err(sentence("expected one of size, parts, up_to and within")),
        };
        let mut settings = Settings { threads: threads.max(1), ..Settings::default() };
        settings.max_values = max_values.unwrap_or(settings.max_values);
        let limits = Limits::of(limits)?;
        let progress = progress.unwrap_or_else(|| py.None().into_bound(py));
        let mut tables = vec![];
        for scope in scopes {
            let bar = Bar::new(py, &progress, &format!("{game}, {scope}"))?;
            let built = self.build_one(py, game, scope, &settings, limits, &bar);
            bar.close(py)?;
            tables.push(describe(py, &Table::open(&built?).map_err(failed)?)?);
        }
        self.lookups.forget();
        if self.is_in_use() {
            self.r#use(py);
        }
        Ok(tables)
    }

    /// What the tables say about a position, without search: a mapping with value (None where only less is known), outcome, thermograph and
    /// atomic weight (None of games that are not all-small).
    /// None if no table holds the position.
    fn query(&self, py: Python<'_>, position: &PyPosition) -> PyResult<Option<PyFound>> {
        Ok(self.fact(py, position)?.map(PyFound))
    }

    /// The value of a position that is in the tables, or the sum of those of its parts, without search. None if they do not know it.
    fn value(&self, py: Python<'_>, position: &PyPosition) -> PyResult<Option<PyValue>> {
        let value = self.fact(py, position)?.and_then(|fact| fact.value());
        Ok(value.map(|value| PyValue(Datum::Value(value))))
    }

    /// Checks all checksums, and searches a random sample of the boards of each table again. Returns for each table: file,
    /// searched, without_value (boards of which less was compared), wrong (a list of boards), error (None, or a sentence).
    #[pyo3(signature = (game = None, *, sample = 1000, seed = 1, progress = None, **limits))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        game: Option<&str>,
        sample: u64,
        seed: u64,
        progress: Option<Bound<'py, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let limits = Limits::of(limits)?;
        let tables = self.tables_of(py, game);
        let progress = progress.unwrap_or_else(|| py.None().into_bound(py));
        let (bar, meter) = (Bar::new(py, &progress, "verify")?, Meter::of(tables.len() as u64));
        let mut all = vec![];
        for table in &tables {
            let look = &mut |py: Python<'_>, _: &Budget| bar.show(py, &meter);
            let verified = watched(py, limits, &Cancel::default(), look, |budget| {
                gb_engine::verify_table(table, ENGINE.games(), sample, seed, budget)
            })?;
            meter.tick();
            let (found, error) = match verified {
                Ok(found) => (found, None),
                Err(error) if error.is_limit() => return Err(failed(error)),
                Err(error) => (Default::default(), Some(error.to_string())),
            };
            let dict = PyDict::new(py);
            dict.set_item("file", table.path().display().to_string())?;
            dict.set_item("searched", found.boards)?;
            dict.set_item("without_value", found.partial)?;
            dict.set_item("wrong", found.wrong)?;
            dict.set_item("error", error)?;
            all.push(dict);
        }
        bar.close(py)?;
        Ok(all)
    }

    /// Counts the boards of each table by value, kind of value, outcome and temperature; with `sizes`, also those of the
    /// smaller rectangles in it.
    #[pyo3(signature = (game = None, *, sizes = false))]
    fn stats<'py>(
        &self,
        py: Python<'py>,
        game: Option<&str>,
        sizes: bool,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut all = vec![];
        for table in self.tables_of(py, game) {
            let counted = with_signals(py, Limits::default(), &Cancel::default(), |budget: &Budget| {
                let grid = ENGINE.tabulated_game(table.game(), &table.scope().sample());
                let (grid, store) =
                    (grid.map_err(|error| StoreError::Invalid(error.to_string()))?, Store::new());
                let kernel = store.kernel(budget);
                let stats = gb_db::stats(&table, &grid, &kernel, &|_| {})?;
                let boards = matches!(table.scope(), Scope::Boards(..));
                let sizes = if sizes && boards { gb_db::size_stats(&table, &grid, &kernel)? } else { vec![] };
                Ok((stats, sizes))
            })?;
            let (stats, counted_sizes) = counted.map_err(failed)?;
            let dict = describe(py, &table)?;
            dict.set_item("exact", stats.exact)?;
            dict.set_item("distinct", stats.distinct)?;
            for (name, list) in stats.lists() {
                dict.set_item(name, counts(py, list)?)?;
            }
            if sizes {
                let list =
                    counted_sizes.iter().map(|size| size_counts(py, size)).collect::<PyResult<Vec<_>>>();
                dict.set_item("sizes", list?)?;
            }
            all.push(dict);
        }
        Ok(all)
    }
}

fn counts<'py>(py: Python<'py>, list: &[Count]) -> PyResult<Bound<'py, PyList>> {
    let rows = list.iter().map(|count| {
        let row = PyDict::new(py);
        row.set_item("name", &count.name)?;
        row.set_item("boards", count.boards)?;
        row.set_item("distinct", count.distinct)?;
        row.set_item("example", &count.example)?;
        Ok(row)
    });
    PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
}

fn size_counts<'py>(py: Python<'py>, size: &SizeStats) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("rows", size.size.0)?;
    row.set_item("cols", size.size.1)?;
    for (name, count) in [
        ("boards", size.boards),
        ("exact", size.exact),
        ("distinct", size.distinct),
        ("up_stars", size.up_stars),
        ("all_up_stars", size.all_up_stars),
        ("whole", size.whole),
        ("whole_up_stars", size.whole_up_stars),
        ("whole_all_up_stars", size.whole_all_up_stars),
    ] {
        row.set_item(name, count)?;
    }
    Ok(row)
}

/// From now on all questions use the tables in this folder, or with None no tables.
#[pyfunction]
pub fn use_databases(py: Python<'_>, folder: Option<PathBuf>) {
    let library = folder.map(|folder| py.detach(|| Library::open(&folder, Arc::new(warn))));
    ENGINE.use_library(library);
    crate::position::new_era();
}
