//! Values, and the functions of the calculator.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use gb_engine::calc::{Answer, Calculator, Datum, operate};
use gb_value::text::{Script, Style};
use gb_value::{Dyadic, Player};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::thermograph::PyThermograph;
use crate::work::{ENGINE, Limits, at_once, calc_error, sentence, with_signals};

/// A combinatorial game in canonical form.
///
/// >>> from gamebench import Value
/// >>> Value("{1|-1}") + Value("^")
/// Value('{1^|-1^}')
/// >>> Value("^") > 0, Value("*") > 0
/// (True, False)
#[pyclass(frozen, name = "Value", module = "gamebench")]
pub struct PyValue(pub Datum);

/// What Python objects stand for games: values, whole numbers, dyadic fractions, and texts.
pub fn datum_of(object: &Bound<'_, PyAny>) -> PyResult<Datum> {
    if let Ok(value) = object.cast::<PyValue>() {
        return Ok(value.get().0.clone());
    }
    if let Ok(text) = object.cast::<PyString>() {
        return read(object.py(), &text.to_cow()?);
    }
    if object.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("a truth value is no game"));
    }
    if object.is_instance_of::<PyInt>()
        && let Ok(number) = object.extract::<i64>()
    {
        return Ok(Datum::Value(ENGINE.store.kernel(&gb_value::Budget::unlimited()).integer(number)));
    }
    let is_number = object.is_instance_of::<PyInt>() || object.hasattr("denominator")?;
    if is_number {
        return read(object.py(), &object.str()?.to_cow()?);
    }
    if object.is_instance_of::<PyFloat>() {
        let ratio = object.call_method0("as_integer_ratio")?;
        let (above, below): (Bound<'_, PyAny>, Bound<'_, PyAny>) = ratio.extract()?;
        return read(object.py(), &format!("{above}/{below}"));
    }
    Err(PyTypeError::new_err(format!(
        "expected a game: a Value, a number or a text such as '{{1|-1}}', found {}",
        object.get_type().name()?
    )))
}

/// The number that an object stands for, if it stands for one.
pub fn number_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Dyadic>> {
    Ok(PyValue(datum_of(object)?).number())
}

/// What the infinities of Python are compared as: `on` and `off` are beyond all numbers.
fn infinity(object: &Bound<'_, PyAny>) -> Option<Datum> {
    let number: f64 = object.cast::<PyFloat>().ok()?.extract().ok()?;
    let value = if number > 0.0 { gb_value::Value::ON } else { gb_value::Value::OFF };
    number.is_infinite().then_some(Datum::Value(value))
}

/// A number as a fraction of Python.
pub fn fraction_of(py: Python<'_>, number: &Dyadic) -> PyResult<Py<PyAny>> {
    static FRACTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = FRACTION
        .get_or_try_init(py, || Ok::<_, PyErr>(py.import("fractions")?.getattr("Fraction")?.unbind()))?;
    match number.as_small() {
        Some((above, exponent)) if exponent < 63 => class.call1(py, (above, 1u64 << exponent)),
        _ => class.call1(py, (number.to_string(),)),
    }
}

fn read(py: Python<'_>, text: &str) -> PyResult<Datum> {
    let run = |budget: &gb_value::Budget| Calculator::new(&ENGINE.store).run(text, budget);
    let quick = gb_value::Budget::unlimited().with_nodes(20_000);
    let answer = match run(&quick) {
        Err(error) if error.stop == Some(gb_value::Halt::Nodes) => {
            with_signals(py, Limits::default(), &Default::default(), run)?
        }
        other => other,
    };
    match answer.map_err(|error| calc_error(&error, text))? {
        Answer::Datum(datum @ (Datum::Value(_) | Datum::Loopy(_))) => Ok(datum),
        _ => Err(sentence(format!("`{text}` is not a game"))),
    }
}

/// A datum as a Python object.
pub fn to_python(py: Python<'_>, datum: Datum) -> PyResult<Py<PyAny>> {
    Ok(match datum {
        Datum::Value(_) | Datum::Loopy(_) => Py::new(py, PyValue(datum))?.into_any(),
        Datum::Truth(truth) => PyBool::new(py, truth).to_owned().into_any().unbind(),
        Datum::Word(word) => PyString::new(py, &word).into_any().unbind(),
        Datum::List(items) => {
            let items = items.into_iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any().unbind()
        }
        Datum::Thermograph(graph) => Py::new(py, PyThermograph(graph))?.into_any(),
    })
}

impl PyValue {
    fn text(&self, py: Python<'_>, style: Style) -> PyResult<String> {
        at_once(py, |budget| Ok(Calculator::new(&ENGINE.store).show(&self.0, &style, budget)?.text))
    }

    fn combine(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        swap: bool,
        minus: bool,
    ) -> PyResult<Py<PyAny>> {
        let other = match datum_of(other) {
            // Perhaps the other one knows how: positions are added to values.
            Err(error) if error.is_instance_of::<PyTypeError>(py) => return Ok(py.NotImplemented()),
            other => other?,
        };
        let (a, b) = if swap { (&other, &self.0) } else { (&self.0, &other) };
        at_once(py, |budget| {
            let kernel = ENGINE.store.kernel(budget);
            if minus {
                operate::add(&kernel, a, &operate::neg(&kernel, b)?)
            } else {
                operate::add(&kernel, a, b)
            }
        })
        .and_then(|sum| to_python(py, sum))
    }
}

/// How long a text may become before it is cut.
const LENGTH: usize = 1_000_000;

#[pymethods]
impl PyValue {
    #[new]
    fn new(game: &Bound<'_, PyAny>) -> PyResult<PyValue> {
        datum_of(game).map(PyValue)
    }

    /// The game with these options for Left and for Right.
    #[staticmethod]
    fn of_options(
        py: Python<'_>,
        lefts: Vec<Bound<'_, PyAny>>,
        rights: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<PyValue> {
        let data = |list: &[Bound<'_, PyAny>]| list.iter().map(datum_of).collect::<PyResult<Vec<Datum>>>();
        let (lefts, rights) = (data(&lefts)?, data(&rights)?);
        at_once(py, |budget| operate::game(&ENGINE.store.kernel(budget), &lefts, &rights)).map(PyValue)
    }

    fn __add__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(py, other, false, false)
    }
    fn __radd__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(py, other, true, false)
    }
    fn __sub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(py, other, false, true)
    }
    fn __rsub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combine(py, other, true, true)
    }
    fn __neg__(&self, py: Python<'_>) -> PyResult<PyValue> {
        at_once(py, |budget| operate::neg(&ENGINE.store.kernel(budget), &self.0)).map(PyValue)
    }
    fn __pos__(&self) -> PyValue {
        PyValue(self.0.clone())
    }
    /// The sum of a whole number of copies.
    fn __mul__(&self, py: Python<'_>, times: i64) -> PyResult<PyValue> {
        at_once(py, |budget| {
            let kernel = ENGINE.store.kernel(budget);
            operate::call(&kernel, "times", &[Datum::Value(kernel.integer(times)), self.0.clone()])
        })
        .map(PyValue)
    }
    fn __rmul__(&self, py: Python<'_>, times: i64) -> PyResult<PyValue> {
        self.__mul__(py, times)
    }
    fn __richcmp__(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        operator: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        if other.is_instance_of::<PyString>() {
            // Texts of one value are written in many ways, and equal objects must have equal hashes.
            if matches!(operator, CompareOp::Eq | CompareOp::Ne) {
                let warning = py.get_type::<pyo3::exceptions::PyUserWarning>();
                let text = c"a Value is never equal to a text: compare it with Value(text)";
                PyErr::warn(py, &warning, text, 1)?;
            }
            return Ok(py.NotImplemented());
        }
        let other = match infinity(other) {
            Some(datum) => datum,
            None => match datum_of(other) {
                Ok(datum) => datum,
                Err(_) => return Ok(py.NotImplemented()),
            },
        };
        let order = self.order(py, &other)?;
        let truth = match operator {
            CompareOp::Lt => order == Some(Ordering::Less),
            CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            CompareOp::Eq => order == Some(Ordering::Equal),
            CompareOp::Ne => order != Some(Ordering::Equal),
            CompareOp::Gt => order == Some(Ordering::Greater),
            CompareOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        };
        Ok(PyBool::new(py, truth).to_owned().into_any().unbind())
    }
    /// Whether neither game is at least as great as the other.
    fn confused_with(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.order(py, &datum_of(other)?)?.is_none())
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        match &self.0 {
            Datum::Value(value) => {
                let number = ENGINE.store.kernel(&gb_value::Budget::unlimited()).as_number(*value);
                if let gb_value::Value::ON | gb_value::Value::OFF = *value {
                    let sign = if *value == gb_value::Value::ON { 1.0 } else { -1.0 };
                    return Ok(PyFloat::new(py, sign * f64::INFINITY).hash()? as u64);
                }
                match number.as_ref().map(Dyadic::as_small) {
                    Some(Some((above, exponent))) => return Ok(hash_of_number(above, exponent)),
                    Some(None) => return Ok(self.fraction(py)?.bind(py).hash()? as u64),
                    None => value.hash(&mut hasher),
                }
            }
            _ => self.text(py, Style::plain())?.hash(&mut hasher),
        }
        Ok(hasher.finish())
    }
    fn __int__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let text = self.text(py, Style::plain())?;
        py.get_type::<PyInt>()
            .call1((&text,))
            .map(Bound::unbind)
            .map_err(|_| sentence(format!("`{text}` is no integer")))
    }
    /// The number as a fraction.
    fn fraction(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.number() {
            Some(number) => fraction_of(py, &number),
            None => Err(sentence(format!("`{}` is no number", self.text(py, Style::plain())?))),
        }
    }
    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        match self.0 {
            Datum::Value(gb_value::Value::ON) => Ok(f64::INFINITY),
            Datum::Value(gb_value::Value::OFF) => Ok(f64::NEG_INFINITY),
            _ => self.fraction(py)?.bind(py).call_method0("__float__")?.extract(),
        }
    }
    fn __bool__(&self) -> bool {
        !matches!(self.0, Datum::Value(gb_value::Value::ZERO))
    }
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, Style { max_len: LENGTH, ..Style::default() })
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Value('{}')", self.text(py, Style { max_len: 1000, ..Style::default() })?))
    }
    fn _repr_latex_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("${}$", self.latex(py)?))
    }
    /// The text in TeX, for math mode.
    fn latex(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, Style { script: Script::Latex, max_len: LENGTH, ..Style::default() })
    }
    /// The text with arrows and stars.
    fn unicode(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, Style { script: Script::Unicode, max_len: LENGTH, ..Style::default() })
    }
    /// Numbers, ups, stars and braces alone, for other programs to read.
    pub fn plain(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, Style { max_len: usize::MAX, ..Style::plain() })
    }
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.get_type().into_any().unbind(), (slf.get().plain(slf.py())?,)))
    }
}

/// Numbers equal those of Python, so they are hashed as Python does it: a fraction as a number modulo the prime 2^61 - 1, where
/// dividing by 2 is multiplying by 2^60.
fn hash_of_number(above: i64, exponent: u32) -> u64 {
    const PRIME: u128 = (1 << 61) - 1;
    let shift = (61 - exponent % 61) % 61;
    let hash = ((u128::from(above.unsigned_abs()) << shift) % PRIME) as i64;
    (if above < 0 { -hash } else { hash }) as u64
}

impl PyValue {
    /// The number that it is, if it is one.
    fn number(&self) -> Option<Dyadic> {
        let Datum::Value(value) = self.0 else { return None };
        ENGINE.store.kernel(&gb_value::Budget::unlimited()).as_number(value)
    }

    fn order(&self, py: Python<'_>, other: &Datum) -> PyResult<Option<Ordering>> {
        at_once(py, |budget| operate::compare(&ENGINE.store.kernel(budget), &self.0, other))
    }
}

/// Reads a player: `"left"`, `"Left"`, `"L"`, and so on.
pub fn player(text: &str) -> PyResult<Player> {
    match text.to_ascii_lowercase().as_str() {
        "left" | "l" => Ok(Player::Left),
        "right" | "r" => Ok(Player::Right),
        _ => Err(sentence(format!("`{text}` is no player: expected 'left' or 'right'"))),
    }
}

/// Calls a function of the calculator.
#[pyfunction]
#[pyo3(signature = (name, *args, **limits))]
pub fn call(
    py: Python<'_>,
    name: &str,
    args: &Bound<'_, PyTuple>,
    limits: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let data: Vec<Datum> = args.iter().map(|arg| datum_of(&arg)).collect::<PyResult<_>>()?;
    let limits = Limits::of(limits)?;
    let answer = if limits.are_none() {
        at_once(py, |budget| operate::call(&ENGINE.store.kernel(budget), name, &data))?
    } else {
        let work = |budget: &gb_value::Budget| operate::call(&ENGINE.store.kernel(budget), name, &data);
        with_signals(py, limits, &Default::default(), work)?.map_err(|error| calc_error(&error, ""))?
    };
    to_python(py, answer)
}

/// The functions of the calculator: name, parameters, help, example.
#[pyfunction]
pub fn functions() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
    gb_engine::calc::FUNCTIONS.iter().map(|f| (f.name, f.parameters, f.help, f.example)).collect()
}
