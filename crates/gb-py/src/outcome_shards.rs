//! A table of outcomes that several processes build together, in one file that all share (see `gamebench/dask.py`).

use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use gb_db::{Built, OutcomeBuild, Scope, Settings};
use gb_value::Budget;
use pyo3::prelude::*;

use crate::database::{failed, size_of};
use crate::work::{ENGINE, sentence};

/// Such a table being built, layer by layer, in shards.
#[pyclass(frozen, name = "OutcomeBuild", module = "gamebench")]
pub struct PyOutcomeBuild(RwLock<Option<OutcomeBuild>>);

impl PyOutcomeBuild {
    /// The lock is never waited for with the interpreter held.
    fn read<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&OutcomeBuild) -> T + Send) -> PyResult<T> {
        py.detach(|| self.0.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(work))
            .ok_or_else(|| sentence("this build is finished"))
    }

    fn write<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut OutcomeBuild) -> T + Send,
    ) -> PyResult<T> {
        py.detach(|| self.0.write().unwrap_or_else(PoisonError::into_inner).as_mut().map(work))
            .ok_or_else(|| sentence("this build is finished"))
    }
}

#[pymethods]
impl PyOutcomeBuild {
    /// The file of the table, if there is a sound one already.
    #[staticmethod]
    fn there(py: Python<'_>, folder: PathBuf, game: &str, size: &str) -> PyResult<Option<PathBuf>> {
        let (rows, cols) = size_of(size)?;
        let grid = ENGINE.tabulated_game(game, size).map_err(sentence)?;
        let scope = Scope::Outcomes(rows, cols);
        let there = py.detach(|| Built::there(&grid, scope, &folder, &Settings::default()));
        Ok(there.map(|built| built.path))
    }

    /// Begins a build, or goes on with one; or joins one that another process has opened, to find shards for it.
    #[new]
    #[pyo3(signature = (folder, game, size, *, join, memory = None))]
    fn new(
        py: Python<'_>,
        folder: PathBuf,
        game: &str,
        size: &str,
        join: bool,
        memory: Option<u64>,
    ) -> PyResult<PyOutcomeBuild> {
        let grid = ENGINE.tabulated_game(game, size).map_err(sentence)?;
        let size = size_of(size)?;
        let budget = memory.map_or_else(Budget::unlimited, |bytes| Budget::unlimited().with_bytes(bytes));
        let begin = if join { OutcomeBuild::join } else { OutcomeBuild::open };
        let build = py.detach(|| begin(&grid, size, &folder, budget, &Settings::default()));
        Ok(PyOutcomeBuild(RwLock::new(Some(build.map_err(failed)?))))
    }

    /// The size of the sets that are to be found now; None when everything is done.
    fn layer(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        self.read(py, OutcomeBuild::layer)
    }

    /// The shards of this layer that nobody has found yet.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        self.read(py, OutcomeBuild::missing)
    }

    /// Boards that are finished, and all boards.
    fn progress(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        self.read(py, |build| (build.finished(), build.boards()))
    }

    /// Finds shards of a layer, and writes them into the file. Returns what is to be added for each.
    fn find(&self, py: Python<'_>, layer: usize, shards: Vec<u64>) -> PyResult<Vec<Vec<u8>>> {
        self.read(py, |build| shards.iter().map(|&shard| build.find(layer, shard)).collect::<Result<_, _>>())?
            .map_err(failed)
    }

    /// Notes what somebody has found.
    fn add(&self, py: Python<'_>, found: Vec<Vec<u8>>) -> PyResult<()> {
        self.write(py, |build| found.iter().try_for_each(|record| build.add(record)))?.map_err(failed)
    }

    /// Writes down what was found, and gives the right to build back.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let written = py.detach(|| {
            let mut build = self.0.write().unwrap_or_else(PoisonError::into_inner).take();
            build.as_mut().map_or(Ok(()), OutcomeBuild::checkpoint)
        });
        written.map_err(failed)
    }

    /// Writes the rest of the table. Returns its path.
    fn finish(&self, py: Python<'_>) -> PyResult<PathBuf> {
        let finished = py.detach(|| {
            let build = self.0.write().unwrap_or_else(PoisonError::into_inner).take();
            build.map(OutcomeBuild::finish)
        });
        Ok(finished.ok_or_else(|| sentence("this build is finished"))?.map_err(failed)?.path)
    }
}
