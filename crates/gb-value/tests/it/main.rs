//! One binary for all integration tests, so that they link once.

use gb_value::{Kernel, Value};

mod facts;
mod laws;
mod loopy;
mod loopy_laws;
mod naive;
mod names;
mod operations;
mod stoppers;
mod store;
mod text;

fn read(kernel: &Kernel<'_>, text: &str) -> Value {
    kernel.read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}
