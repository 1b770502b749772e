//! Tables are right, sound after every accident, and the same however they were built.

mod build;
mod faults;
mod processes;
mod values;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use gb_board::BitGrid;
use gb_game::Rules;
use gb_games::games::{
    amazons::Amazons, clobber::Clobber, col::Col, cram::Cram, domineering::Domineering, konane::Konane,
    nogo::NoGo, snort::Snort,
};
use gb_store::{Built, GridGame, HiddenTypes, Library, Scope, Settings, StoreError};
use gb_value::Budget;

fn hide<R: Rules + Default>() -> Box<dyn GridGame> {
    Box::new(HiddenTypes::new(R::default()).expect("a game on grids"))
}

/// The games of these tests. Not by `gb_games::visit`: that would compile the search for all other games as well.
fn game(name: &str) -> Box<dyn GridGame> {
    match name {
        "amazons" => hide::<Amazons<u64>>(),
        "clobber" => hide::<Clobber<u64>>(),
        "col" => hide::<Col<BitGrid<u64, 3>>>(),
        "cram" => hide::<Cram<u64>>(),
        "domineering" => hide::<Domineering<u64>>(),
        "konane" => hide::<Konane<u64>>(),
        "nogo" => hide::<NoGo<u64>>(),
        "snort" => hide::<Snort<BitGrid<u64, 3>>>(),
        other => panic!("{other} is none of the games of these tests"),
    }
}

fn build_with(name: &str, scope: Scope, folder: &Path, settings: &Settings) -> Result<Built, StoreError> {
    gb_store::build(game(name), scope, folder, Budget::unlimited(), settings, &|_| {})
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
