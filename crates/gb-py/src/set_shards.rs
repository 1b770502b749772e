//! A table of parts that several processes build together, in files (see `gamebench/dask.py`).

use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use gb_db::{Built, MergeTask, Scope, Settings, ShardBuild, StoreError};
use gb_value::Budget;
use pyo3::prelude::*;

use crate::database::{failed, scope_within};
use crate::work::{ENGINE, sentence};

/// Such a table being built, layer by layer, in shards.
#[pyclass(frozen, name = "ShardBuild", module = "gamebench")]
pub struct PyShardBuild(RwLock<Option<ShardBuild>>);

/// How long the shards are, and how much memory a process may use for values.
fn limits(shard: Option<u64>, memory: Option<u64>) -> (Settings, Budget) {
    let usual = Settings::default();
    let settings = Settings { shard: shard.unwrap_or(usual.shard), ..usual };
    (settings, memory.map_or_else(Budget::unlimited, |bytes| Budget::unlimited().with_bytes(bytes)))
}

/// What is built: parts within a size, or of at most so many cells.
fn scope_of_shards(within: Option<&str>, parts: Option<usize>, store: Option<&str>) -> PyResult<Scope> {
    match (within, parts, store) {
        (Some(text), None, store) => scope_within(text, store),
        (None, Some(cells), None) => Ok(Scope::Parts(cells)),
        _ => Err(sentence("expected either a size within which parts fit, or a number of cells of parts")),
    }
}

impl PyShardBuild {
    /// The lock is never waited for with the interpreter held.
    fn read<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&ShardBuild) -> T + Send) -> PyResult<T> {
        py.detach(|| {
            let build = self.0.read().unwrap_or_else(PoisonError::into_inner);
            build.as_ref().map(work)
        })
        .ok_or_else(|| sentence("this build is finished"))
    }
}

#[pymethods]
impl PyShardBuild {
    /// The file of the table, if there is a sound one already.
    #[staticmethod]
    #[pyo3(signature = (folder, game, *, within = None, parts = None, store = None))]
    fn there(
        py: Python<'_>,
        folder: PathBuf,
        game: &str,
        within: Option<&str>,
        parts: Option<usize>,
        store: Option<&str>,
    ) -> PyResult<Option<PathBuf>> {
        let scope = scope_of_shards(within, parts, store)?;
        let grid = ENGINE.tabulated_game(game, &scope.sample()).map_err(sentence)?;
        let there = py.detach(|| Built::there(&grid, scope, &folder, &Settings::default()));
        Ok(there.map(|built| built.path))
    }

    /// Begins a build, or goes on with one; or joins one that another process has opened, to find shards for it.
    #[new]
    #[pyo3(signature = (folder, game, *, join, within = None, parts = None, store = None, shard = None, memory = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        folder: PathBuf,
        game: &str,
        join: bool,
        within: Option<&str>,
        parts: Option<usize>,
        store: Option<&str>,
        shard: Option<u64>,
        memory: Option<u64>,
    ) -> PyResult<PyShardBuild> {
        let scope = scope_of_shards(within, parts, store)?;
        let grid = ENGINE.tabulated_game(game, &scope.sample()).map_err(sentence)?;
        let (settings, budget) = limits(shard, memory);
        let begin = if join { ShardBuild::join } else { ShardBuild::open };
        let build = py.detach(|| begin(grid, scope, &folder, budget, &settings)).map_err(failed)?;
        Ok(PyShardBuild(RwLock::new(Some(build))))
    }

    /// The layer that is being built; None when everything is done.
    fn layer(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        self.read(py, ShardBuild::layer)
    }

    /// The shards of this layer that nobody has found yet, each with the number of its boards.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<(u64, u64)>> {
        self.read(py, |build| {
            let layer = build.layer().unwrap_or(0);
            build.missing().into_iter().map(|shard| (shard, build.boards_of_shard(layer, shard))).collect()
        })
    }

    /// Boards that are finished when the layer is, and all boards.
    fn progress(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        self.read(py, |build| (build.boards_with_layer(), build.boards()))
    }

    /// Finds some shards of a layer, and writes their files.
    fn find(&self, py: Python<'_>, layer: usize, shards: Vec<u64>) -> PyResult<()> {
        self.read(py, |build| shards.iter().try_for_each(|&shard| build.find(layer, shard)))?.map_err(failed)
    }

    /// What is to be done next to end the layer, all shards of which have been found, as texts; nothing when it is ended. A process does so many at a time.
    fn merge_tasks(&self, py: Python<'_>, threads: usize) -> PyResult<Vec<String>> {
        let tasks = py.detach(|| {
            let mut build = self.0.write().unwrap_or_else(PoisonError::into_inner);
            build.as_mut().map(|build| build.merge_tasks(threads))
        });
        let tasks = tasks.ok_or_else(|| sentence("this build is finished"))?.map_err(failed)?;
        Ok(tasks.iter().map(MergeTask::to_string).collect())
    }

    /// Does some of that.
    fn merge(&self, py: Python<'_>, tasks: Vec<String>) -> PyResult<()> {
        self.read(py, |build| tasks.iter().try_for_each(|task| build.merge_task(&task.parse()?)))?
            .map_err(failed)
    }

    /// Gives the right to build back.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.write().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Writes the table. Returns its path.
    fn finish(&self, py: Python<'_>) -> PyResult<PathBuf> {
        let finished = py.detach(|| {
            let build = self.0.write().unwrap_or_else(PoisonError::into_inner).take();
            build.map(ShardBuild::finish)
        });
        let built: Result<Built, StoreError> = finished.ok_or_else(|| sentence("this build is finished"))?;
        Ok(built.map_err(failed)?.path)
    }
}
