//! Players against brute force, and the things around them.

mod endings;
mod protocol;
mod sheets;

use std::sync::Arc;

use gb_board::Size;
use gb_game::erased::{Erase, Position};
use gb_game::{GameVisitor, Rules};
use gb_local::GameTables;
use gb_play::{House, Player, Spec, player};
use gb_value::Store;

/// A house for one game.
pub(crate) struct Home<R: Rules> {
    pub(crate) rules: R,
    pub(crate) tables: Arc<GameTables<R>>,
    pub(crate) store: Store,
}

impl<R: Rules> Home<R> {
    pub(crate) fn new(rules: R) -> Self {
        Home { rules, tables: Arc::default(), store: Store::new() }
    }
}

impl<R: Rules> House for Home<R> {
    fn open(&self, _game: &str, text: &str) -> Result<Box<dyn Position>, String> {
        let game = Erase.visit(self.rules.clone());
        let position = match Size::read(text) {
            Ok(size) => game.start(size),
            Err(_) => game.read(text),
        };
        position.map_err(|error| error.to_string())
    }
    fn player(&self, _game: &str, _sample: &str, spec: Spec, seed: u64) -> Result<Box<dyn Player>, String> {
        Ok(player(self.rules.clone(), self.tables.clone(), spec, seed))
    }
    fn store(&self) -> &Store {
        &self.store
    }
}
