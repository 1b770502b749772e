//! Tables are right, sound after every accident, and the same however they were built.

mod build;
mod faults;
mod processes;
mod values;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use gb_game::{GameName, GameVisitor, Rules};
use gb_store::{Built, GridGame, HiddenTypes, Library, Scope, Settings, StoreError};
use gb_value::{Budget, Store};

struct Hide;

impl GameVisitor for Hide {
    type Out = Result<Box<dyn GridGame>, StoreError>;
    fn visit<R: Rules>(self, rules: R) -> Self::Out {
        Ok(Box::new(HiddenTypes::new(rules)?))
    }
}

fn try_game(name: &str) -> Result<Box<dyn GridGame>, StoreError> {
    gb_games::visit(&GameName::read(name).unwrap(), "4x4", Hide).unwrap()
}

fn game(name: &str) -> Box<dyn GridGame> {
    try_game(name).unwrap()
}

fn build_with(name: &str, scope: Scope, folder: &Path, settings: &Settings) -> Result<Built, StoreError> {
    let (store, budget) = (Store::new(), Budget::unlimited());
    gb_store::build(&*game(name), scope, folder, &store, &budget, settings, &|_| {})
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
