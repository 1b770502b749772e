//! One binary for all integration tests, so that they link once.

mod laws;
mod loopy;
mod loopy_laws;
mod naive;
mod text;
