//! Pictures as text: SVG for pages and papers, plain characters for terminals. All are pure functions to `String`.

pub mod board;
pub mod curves;
pub mod ink;
mod scale;
pub mod scene;
pub mod thermograph;
