//! Players against brute force, and the things around them.

mod endings;
mod protocol;
mod records;
mod strategies;

use std::sync::Arc;

use gb_play::{Player, PlayerCatalog, Spec, player};
use gb_rules::{Game, NameError, OpenError, Position};
use gb_search::{GameTables, Solved};
use gb_value::Store;

/// A catalog for one game.
pub(crate) struct Home<const N: usize> {
    pub(crate) solved: Arc<Solved<N>>,
    pub(crate) store: Store,
}

impl<const N: usize> Home<N> {
    pub(crate) fn new(game: Game<N>) -> Self {
        Home { solved: Arc::new(Solved { game, tables: GameTables::default() }), store: Store::new() }
    }
}

impl<const N: usize> PlayerCatalog for Home<N> {
    fn open(&self, _game: &str, text: &str) -> Result<Position, OpenError> {
        gb_games::position(&self.solved.game.info().name, text)
    }
    fn player(
        &self,
        _game: &str,
        _sample: &str,
        spec: Spec,
        seed: u64,
    ) -> Result<Box<dyn Player>, NameError> {
        Ok(player(self.solved.clone(), spec, seed))
    }
    fn store(&self) -> &Store {
        &self.store
    }
}
