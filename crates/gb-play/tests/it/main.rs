//! Players against brute force, and the things around them.

mod endings;
mod protocol;
mod sheets;

use std::sync::Arc;

use gb_board::Size;
use gb_game::erased::{Erase, Position};
use gb_game::{Game, GameVisitor};
use gb_local::{GameTables, Solved};
use gb_play::{House, Player, Spec, player};
use gb_value::Store;

/// A house for one game.
pub(crate) struct Home<const N: usize> {
    pub(crate) solved: Arc<Solved<N>>,
    pub(crate) store: Store,
}

impl<const N: usize> Home<N> {
    pub(crate) fn new(game: Game<N>) -> Self {
        Home { solved: Arc::new(Solved { game, tables: GameTables::default() }), store: Store::new() }
    }
}

impl<const N: usize> House for Home<N> {
    fn open(&self, _game: &str, text: &str) -> Result<Box<dyn Position>, String> {
        let game = Erase.visit(self.solved.game.clone());
        let position = match Size::read(text) {
            Ok(size) => game.start(size),
            Err(_) => game.read(text),
        };
        position.map_err(|error| error.to_string())
    }
    fn player(&self, _game: &str, _sample: &str, spec: Spec, seed: u64) -> Result<Box<dyn Player>, String> {
        Ok(player(self.solved.clone(), spec, seed))
    }
    fn store(&self) -> &Store {
        &self.store
    }
}
