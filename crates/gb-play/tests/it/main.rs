//! Players against brute force, and the things around them.

mod endings;
mod protocol;
mod records;
mod strategies;

use gb_play::{Player, PlayerCatalog, Spec, player};
use gb_rules::{AnyGame, NameError, OpenError, Position};
use gb_search::AnySolved;
use gb_value::Store;

/// A catalog for one game.
pub(crate) struct Home {
    pub(crate) solved: AnySolved,
    pub(crate) store: Store,
}

impl Home {
    pub(crate) fn new(game: impl Into<AnyGame>) -> Self {
        Home { solved: game.into().into(), store: Store::new() }
    }
}

impl PlayerCatalog for Home {
    fn open(&self, _game: &str, text: &str) -> Result<Position, OpenError> {
        gb_games::position(&self.solved.game().info().name, text)
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
