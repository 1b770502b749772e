//! Bars for long work. What they look like is written in Python (`gamebench/progress.py`).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pyo3::prelude::*;

/// How far work is. Threads of the engine write it; the thread that holds the interpreter shows it.
#[derive(Default)]
pub struct Meter {
    done: AtomicU64,
    total: AtomicU64,
}

impl Meter {
    /// A meter for so much work.
    pub fn of(total: u64) -> Meter {
        Meter { done: AtomicU64::new(0), total: AtomicU64::new(total) }
    }
    /// Sets how much is done of how much.
    pub fn set(&self, done: u64, total: u64) {
        self.done.store(done, Relaxed);
        self.total.store(total, Relaxed);
    }
    /// One more is done.
    pub fn tick(&self) {
        self.done.fetch_add(1, Relaxed);
    }
}

/// A bar, or nothing.
pub struct Bar(Option<Py<PyAny>>);

impl Bar {
    /// The bar that the keyword argument `progress` asks for: `True`, `False`, `None` (where somebody looks at it), or a
    /// function of how much is done of how much.
    pub fn new(py: Python<'_>, progress: &Bound<'_, PyAny>, title: &str) -> PyResult<Bar> {
        let bar = py.import("gamebench.progress")?.call_method1("bar", (progress, title))?;
        Ok(Bar((!bar.is_none()).then(|| bar.unbind())))
    }

    /// Shows how far the work is.
    pub fn show(&self, py: Python<'_>, meter: &Meter) -> PyResult<()> {
        let (done, total) = (meter.done.load(Relaxed), meter.total.load(Relaxed));
        match &self.0 {
            Some(bar) if total > 0 => bar.call1(py, (done, total)).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Shows how many nodes were searched, where nobody knows how many there are.
    pub fn show_nodes(&self, py: Python<'_>, nodes: u64) -> PyResult<()> {
        self.0.as_ref().map_or(Ok(()), |bar| bar.call1(py, (nodes, 0)).map(|_| ()))
    }

    /// The work is over.
    pub fn close(&self, py: Python<'_>) -> PyResult<()> {
        match &self.0 {
            Some(bar) => bar.call_method0(py, "close").map(|_| ()),
            None => Ok(()),
        }
    }
}
