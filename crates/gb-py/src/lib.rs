//! The Game Bench as a Python package: values, positions, games written in Python.

mod players;
mod position;
mod python_game;
mod thermograph;
mod value;
mod work;

use pyo3::prelude::*;

/// The engine of the Game Bench.
#[pymodule]
fn _gamebench(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("GameError", py.get_type::<work::GameError>())?;
    module.add("LimitReached", py.get_type::<work::LimitReached>())?;
    module.add_class::<value::PyValue>()?;
    module.add_class::<thermograph::PyThermograph>()?;
    module.add_class::<position::PyGame>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<position::PyAnalysis>()?;
    module.add_class::<python_game::PythonGame>()?;
    module.add_function(wrap_pyfunction!(value::call, module)?)?;
    module.add_function(wrap_pyfunction!(value::functions, module)?)?;
    module.add_function(wrap_pyfunction!(players::choose, module)?)?;
    module.add_function(wrap_pyfunction!(players::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(position::analyze, module)?)?;
    module.add_function(wrap_pyfunction!(position::games, module)?)
}
