//! Thermographs.

use std::sync::Arc;

use gb_engine::picture::thermograph;
use gb_value::{Corner, Dyadic, Thermograph, Wall};
use pyo3::prelude::*;

use crate::value::fraction_of;
use crate::work::sentence;

/// The thermograph of a game: exact corner points from temperature -1 up to the mast.
#[pyclass(frozen, name = "Thermograph", module = "gamebench")]
pub struct PyThermograph(pub Arc<Thermograph>);

/// Corners of a wall: value and temperature, from temperature -1 up.
type Corners = Vec<(Py<PyAny>, Py<PyAny>)>;

#[pymethods]
impl PyThermograph {
    /// Reads what is stored.
    #[staticmethod]
    fn _of_compact(text: &str) -> PyResult<PyThermograph> {
        let read =
            Thermograph::of_compact(text).ok_or_else(|| sentence(format!("`{text}` is no thermograph")));
        Ok(PyThermograph(read?.into()))
    }
    /// The mean value.
    #[getter]
    fn mean(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        fraction_of(py, self.0.mean())
    }
    /// The temperature.
    #[getter]
    fn temperature(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        fraction_of(py, &self.0.temperature())
    }
    /// The Left stop.
    #[getter]
    fn left_stop(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        fraction_of(py, &self.0.left_stop())
    }
    /// The Right stop.
    #[getter]
    fn right_stop(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        fraction_of(py, &self.0.right_stop())
    }
    /// The Left wall at a temperature.
    fn left_at(&self, py: Python<'_>, t: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        fraction_of(py, &self.0.left_at(&dyadic(t)?))
    }
    /// The Right wall at a temperature.
    fn right_at(&self, py: Python<'_>, t: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        fraction_of(py, &self.0.right_at(&dyadic(t)?))
    }
    /// The corners of the Left wall, from temperature -1 up: pairs of a value and a temperature.
    fn left_corners(&self, py: Python<'_>) -> PyResult<Corners> {
        corners(py, &self.0.left_wall())
    }
    /// The corners of the Right wall, from temperature -1 up: pairs of a value and a temperature.
    fn right_corners(&self, py: Python<'_>) -> PyResult<Corners> {
        corners(py, &self.0.right_wall())
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
    fn __neg__(&self) -> PyThermograph {
        PyThermograph(self.0.negate().into())
    }
    fn __eq__(&self, other: &PyThermograph) -> bool {
        self.0 == other.0
    }
    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.compact().hash(&mut hasher);
        hasher.finish()
    }
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.get_type().getattr("_of_compact")?.unbind(), (slf.get().0.compact(),)))
    }
}

fn corners(py: Python<'_>, wall: &Wall) -> PyResult<Corners> {
    let pair = |corner: &Corner| Ok((fraction_of(py, &corner.value)?, fraction_of(py, &corner.temperature)?));
    wall.corners().iter().map(pair).collect()
}

/// A temperature: a number, or a text.
fn dyadic(object: &Bound<'_, PyAny>) -> PyResult<Dyadic> {
    match crate::value::number_of(object)? {
        Some(number) => Ok(number),
        None => Err(sentence(format!("`{object}` is no number"))),
    }
}
