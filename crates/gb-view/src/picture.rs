//! Pictures as text: SVG for pages and papers, plain characters for terminals. All are pure functions to `String`.

mod scale;
pub mod thermograph;
