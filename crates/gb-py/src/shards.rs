//! A table that several processes build together: one has opened it, the others have joined (see `gamebench/dask.py`).

use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use gb_db::{Build, Built, Settings};
use gb_value::Budget;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::database::{failed, scope_of};
use crate::work::{ENGINE, sentence};

/// A table being built, layer by layer.
#[pyclass(frozen, name = "Build", module = "gamebench")]
pub struct PyBuild(RwLock<Option<Build>>);

type Begin = fn(
    gb_db::TabulatedGame,
    gb_db::Scope,
    &std::path::Path,
    Budget,
    &Settings,
) -> Result<Build, gb_db::StoreError>;

impl PyBuild {
    fn begin(
        py: Python<'_>,
        begin: Begin,
        folder: PathBuf,
        game: &str,
        (size, parts): (Option<&str>, Option<usize>),
        max_values: Option<u64>,
    ) -> PyResult<PyBuild> {
        let (scope, settings) = (scope_of(size, parts)?, settings(max_values));
        let grid = ENGINE.tabulated_game(game, &scope.sample()).map_err(sentence)?;
        let build = py.detach(|| begin(grid, scope, &folder, Budget::unlimited(), &settings));
        Ok(PyBuild(RwLock::new(Some(build.map_err(failed)?))))
    }

    /// The lock is never waited for with the interpreter held.
    fn read<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Build) -> T + Send) -> PyResult<T> {
        py.detach(|| {
            let build = self.0.read().unwrap_or_else(PoisonError::into_inner);
            build.as_ref().map(work)
        })
        .ok_or_else(finished)
    }

    fn write<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Build) -> T + Send) -> PyResult<T> {
        py.detach(|| {
            let mut build = self.0.write().unwrap_or_else(PoisonError::into_inner);
            build.as_mut().map(work)
        })
        .ok_or_else(finished)
    }
}

fn finished() -> PyErr {
    sentence("this build is finished")
}

fn settings(max_values: Option<u64>) -> Settings {
    let usual = Settings::default();
    Settings { max_values: max_values.unwrap_or(usual.max_values), ..usual }
}

#[pymethods]
impl PyBuild {
    /// The file of the table, if there is a sound one already.
    #[staticmethod]
    #[pyo3(signature = (folder, game, size = None, *, parts = None, max_values = None))]
    fn there(
        py: Python<'_>,
        folder: PathBuf,
        game: &str,
        size: Option<&str>,
        parts: Option<usize>,
        max_values: Option<u64>,
    ) -> PyResult<Option<PathBuf>> {
        let (scope, settings) = (scope_of(size, parts)?, settings(max_values));
        let grid = ENGINE.tabulated_game(game, &scope.sample()).map_err(sentence)?;
        let there = py.detach(|| Built::there(&grid, scope, &folder, &settings));
        Ok(there.map(|built| built.path))
    }

    /// Begins a build, or goes on with one. Nobody else can, as long as this exists.
    #[staticmethod]
    #[pyo3(signature = (folder, game, size = None, *, parts = None, max_values = None))]
    fn open(
        py: Python<'_>,
        folder: PathBuf,
        game: &str,
        size: Option<&str>,
        parts: Option<usize>,
        max_values: Option<u64>,
    ) -> PyResult<PyBuild> {
        Self::begin(py, Build::open, folder, game, (size, parts), max_values)
    }

    /// Joins a build that another process has opened, to find shards for it.
    #[staticmethod]
    #[pyo3(signature = (folder, game, size = None, *, parts = None, max_values = None))]
    fn join(
        py: Python<'_>,
        folder: PathBuf,
        game: &str,
        size: Option<&str>,
        parts: Option<usize>,
        max_values: Option<u64>,
    ) -> PyResult<PyBuild> {
        Self::begin(py, Build::join, folder, game, (size, parts), max_values)
    }

    /// The layer that is being built; None when everything is done.
    fn layer(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        self.read(py, Build::layer)
    }

    /// How many boards the layer has.
    fn boards_of_layer(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, Build::boards_of_layer)
    }

    /// The ranges of the layer that are missing, about `count` in all.
    fn shards(&self, py: Python<'_>, count: u64) -> PyResult<Vec<(u64, u64)>> {
        self.read(py, |build| build.shards(count).into_iter().map(|range| (range.start, range.end)).collect())
    }

    /// Boards that are finished, and all boards.
    fn progress(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        self.read(py, |build| {
            let progress = build.progress();
            (progress.boards, progress.total)
        })
    }

    /// How many distinct facts there are.
    fn facts(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, |build| build.progress().facts)
    }

    /// Finds the facts about a range of the layer, as bytes for the process that has opened the build.
    fn find<'py>(&self, py: Python<'py>, start: u64, end: u64) -> PyResult<Bound<'py, PyBytes>> {
        let found = self.read(py, |build| build.find(start..end).map(|shard| build.export(&shard)))?;
        Ok(PyBytes::new(py, &found.map_err(failed)?))
    }

    /// Adds what another process has found.
    fn add(&self, py: Python<'_>, shard: &[u8]) -> PyResult<()> {
        self.write(py, |build| build.import(shard))?.map_err(failed)
    }

    /// Writes down what has been found, for a later run and for those who have joined.
    fn checkpoint(&self, py: Python<'_>) -> PyResult<()> {
        self.write(py, Build::checkpoint)?.map_err(failed)
    }

    /// Reads what has been written down since this build was joined.
    fn catch_up(&self, py: Python<'_>) -> PyResult<()> {
        self.write(py, Build::catch_up)?.map_err(failed)
    }

    /// Writes down what has been found, and gives the right to build back.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let build = py.detach(|| self.0.write().unwrap_or_else(PoisonError::into_inner).take());
        match build {
            Some(mut build) => py.detach(|| build.checkpoint()).map_err(failed),
            None => Ok(()),
        }
    }

    /// Writes the file. Returns its path.
    fn finish(&self, py: Python<'_>) -> PyResult<PathBuf> {
        let build = py.detach(|| self.0.write().unwrap_or_else(PoisonError::into_inner).take());
        let build = build.ok_or_else(finished)?;
        Ok(py.detach(|| build.finish()).map_err(failed)?.path)
    }
}
