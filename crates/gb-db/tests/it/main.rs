//! Tables are right, sound after every accident, and the same however they were built.

mod build;
mod damage;
mod faults;
mod frames;
mod outcomes;
mod processes;
mod shards;
mod stats;
mod values;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use gb_board::BitGrid;
use gb_db::{Built, Library, Scope, Settings, StoreError, Table, TabulatedGame, Verified, verify};
use gb_games::games::{
    amazons::Amazons, clobber::Clobber, col::Col, domineering::Domineering, nogo::NoGo, snort::Snort,
};
use gb_rules::{AnyGame, Keyed, Rules, Variant};
use gb_search::SearchContext;
use gb_value::{Budget, Store};

fn hide<R: Rules<Board: Keyed> + Default>() -> TabulatedGame {
    TabulatedGame::new(AnyGame::direct(Variant::Plain, R::default())).expect("a game on grids")
}

/// A game of the list that is a text, for boards of this size.
fn text(name: &str, size: &str) -> TabulatedGame {
    TabulatedGame::new(gb_games::open(name, size).expect("a game of the list")).expect("a game on grids")
}

/// The games of these tests. Not by `gb_games::visit`: that would compile the search for all other games as well.
fn game(name: &str) -> TabulatedGame {
    match name {
        "amazons" => hide::<Amazons<u64>>(),
        "clobber" => hide::<Clobber<u64>>(),
        "col" => hide::<Col<BitGrid<u64, 3>>>(),
        "domineering" => hide::<Domineering<u64>>(),
        "cram" | "konane" => text(name, "8x8"),
        "nogo" => hide::<NoGo<u64>>(),
        "snort" => hide::<Snort<BitGrid<u64, 3>>>(),
        other => panic!("{other} is none of the games of these tests"),
    }
}

/// The same games on boards of up to 128 cells.
fn wide(name: &str) -> TabulatedGame {
    match name {
        "amazons" => hide::<Amazons<u128>>(),
        "clobber" => hide::<Clobber<u128>>(),
        "col" => hide::<Col<BitGrid<u128, 3>>>(),
        "domineering" => hide::<Domineering<u128>>(),
        "cram" | "konane" => text(name, "1x128"),
        "nogo" => hide::<NoGo<u128>>(),
        "snort" => hide::<Snort<BitGrid<u128, 3>>>(),
        other => panic!("{other} is none of the games of these tests"),
    }
}

/// Verifies a table of narrow boards by reading the texts of its boards as wide ones, and the other way round where they fit.
fn verified(name: &str, table: &Table, sample: u64, seed: u64) -> Verified {
    // A table remembers values of one store.
    let table = &Table::open(table.path()).unwrap();
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let (narrow, wide) = (game(name), wide(name));
    let mut value_of = |text: &str| match narrow.read(text) {
        Ok(_) if text.len().is_multiple_of(2) => narrow.search(&narrow.read(text)?, &context),
        _ => wide.search(&wide.read(text)?, &context),
    };
    verify(table, &wide, sample, seed, &mut value_of, &kernel).unwrap()
}

/// How often something is tried: a few times, or as often as it takes to trust it with `GB_LONG_TESTS=1`.
fn times(short: usize, long: usize) -> usize {
    if std::env::var_os("GB_LONG_TESTS").is_some() { long } else { short }
}

fn build_with(name: &str, scope: Scope, folder: &Path, settings: &Settings) -> Result<Built, StoreError> {
    gb_db::build(game(name), scope, folder, Budget::unlimited(), settings, &|_| {})
}

fn build(name: &str, scope: Scope, folder: &Path) -> PathBuf {
    build_with(name, scope, folder, &Settings::default()).unwrap().path
}

/// A library, and what it has reported so far.
fn library(folder: &Path) -> (Library, Arc<Mutex<Vec<String>>>) {
    let reports = Arc::new(Mutex::new(vec![]));
    let collected = reports.clone();
    let report = move |error: &StoreError| collected.lock().unwrap().push(error.to_string());
    (Library::open(folder, Arc::new(report)), reports)
}
