//! The Game Bench as a Python package: values, positions, games written in Python.

mod analysis;
mod boards;
mod database;
mod game;
mod lookup;
mod matches;
mod outcome_shards;
mod players;
mod position;
mod progress;
mod proofs;
mod python_game;
mod python_positions;
mod set_shards;
mod shards;
mod thermograph;
mod value;
mod work;

use pyo3::prelude::*;

/// Memory limits hold for everything that is done here; what Python itself allocates is not counted.
#[global_allocator]
static ALLOCATOR: gb_memory::Counting = gb_memory::Counting;

/// The engine of the Game Bench.
#[pymodule]
fn _gamebench(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("GameError", py.get_type::<work::GameError>())?;
    module.add("LimitReached", py.get_type::<work::LimitReached>())?;
    module.add_class::<value::PyValue>()?;
    module.add_class::<thermograph::PyThermograph>()?;
    module.add_class::<game::PyGame>()?;
    module.add_class::<game::PyPositions>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<analysis::PyAnalysis>()?;
    module.add_class::<python_game::PyNegative>()?;
    module.add_class::<python_game::PythonGame>()?;
    module.add_class::<database::PyDatabases>()?;
    module.add_class::<lookup::PyFound>()?;
    module.add_class::<shards::PyBuild>()?;
    module.add_class::<set_shards::PyShardBuild>()?;
    module.add_class::<outcome_shards::PyOutcomeBuild>()?;
    module.add_function(wrap_pyfunction!(value::call, module)?)?;
    module.add_function(wrap_pyfunction!(value::functions, module)?)?;
    module.add_function(wrap_pyfunction!(position::values, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::analyze_sum, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::outcome_of_sum, module)?)?;
    module.add_function(wrap_pyfunction!(players::strategies, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play_games, module)?)?;
    module.add_function(wrap_pyfunction!(matches::sum_up, module)?)?;
    module.add_function(wrap_pyfunction!(database::use_databases, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::analyze, module)?)?;
    module.add_function(wrap_pyfunction!(proofs::prove, module)?)?;
    module.add_function(wrap_pyfunction!(proofs::check, module)?)?;
    module.add_function(wrap_pyfunction!(game::games, module)?)
}
