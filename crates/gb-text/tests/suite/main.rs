//! Tests of games as text.

mod docs;
mod errors;
mod facts;
mod gallery;
mod misere;
mod naive;
mod naive_heaps;
mod plain;
mod random;
mod same;

use std::path::{Path, PathBuf};

use gb_text::TextGame;

/// The folder of games.
pub(crate) fn gallery() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

/// A game of the gallery.
pub(crate) fn game(name: &str, parameters: &[&str]) -> TextGame {
    let path = gallery().join(format!("{name}.game"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let parameters: Vec<String> = parameters.iter().map(|p| p.to_string()).collect();
    TextGame::read(&text, &parameters).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Whether long tests are asked for.
pub(crate) fn long() -> bool {
    std::env::var_os("GB_LONG_TESTS").is_some()
}
