//! Thermographs.

use std::sync::Arc;

use gb_engine::calc::Datum;
use gb_engine::picture::thermograph;
use gb_value::{Budget, Dyadic, Thermograph};
use pyo3::prelude::*;

use crate::value::PyValue;
use crate::work::ENGINE;

/// The thermograph of a game: exact corner points from temperature -1 up to the mast.
#[pyclass(frozen, name = "Thermograph", module = "gamebench")]
pub struct PyThermograph(pub Arc<Thermograph>);

fn number(x: &Dyadic) -> PyValue {
    PyValue(Datum::Value(ENGINE.store.kernel(&Budget::unlimited()).number(x)))
}

#[pymethods]
impl PyThermograph {
    /// The mean value.
    #[getter]
    fn mean(&self) -> PyValue {
        number(self.0.mean())
    }
    /// The temperature.
    #[getter]
    fn temperature(&self) -> PyValue {
        number(&self.0.temperature())
    }
    /// The Left stop.
    #[getter]
    fn left_stop(&self) -> PyValue {
        number(&self.0.left_stop())
    }
    /// The Right stop.
    #[getter]
    fn right_stop(&self) -> PyValue {
        number(&self.0.right_stop())
    }
    /// The Left wall at a temperature.
    fn left_at(&self, t: &str) -> PyResult<PyValue> {
        Ok(number(&self.0.left_at(&dyadic(t)?)))
    }
    /// The Right wall at a temperature.
    fn right_at(&self, t: &str) -> PyResult<PyValue> {
        Ok(number(&self.0.right_at(&dyadic(t)?)))
    }
    /// The picture as SVG.
    fn svg(&self) -> String {
        thermograph::svg(&[("", &self.0)])
    }
    fn _repr_svg_(&self) -> String {
        self.svg()
    }
    fn __repr__(&self) -> String {
        format!("Thermograph(left {}, right {})", self.0.left_wall(), self.0.right_wall())
    }
    fn __eq__(&self, other: &PyThermograph) -> bool {
        self.0 == other.0
    }
}

fn dyadic(text: &str) -> PyResult<Dyadic> {
    text.parse().map_err(|error: gb_value::ParseDyadicError| crate::work::sentence(error.to_string()))
}
