//! Players for games that are known by their names.

use gb_play::{Chosen, Limits, Player, PlayerCatalog, Spec, player};
use gb_rules::{NameError, OpenError, Player as Side, Position};
use gb_value::Store;

use crate::engine::Engine;
use crate::error::EngineError;

impl Engine {
    /// A player for positions of a game as large as `sample`. It plays with the store of this engine.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn player(
        &self,
        game: &str,
        sample: &str,
        spec: Spec,
        seed: u64,
    ) -> Result<Box<dyn Player>, NameError> {
        Ok(player(self.solved(self.open_game(game, sample)?), spec, seed))
    }

    /// One move in a position (or the starting position of a size) by a player such as `mcts+all`. Who wants more than one
    /// move of the same game had better keep a [`player`](Engine::player), which remembers what it thought about.
    ///
    /// # Errors
    /// If there is no such game, position or player, or if there is no move.
    pub fn choose(
        &self,
        game: &str,
        position: &str,
        to_move: Side,
        spec: &str,
        limits: &Limits,
    ) -> Result<Chosen, EngineError> {
        let spec = spec.parse::<Spec>()?;
        let position = self.open(game, position)?.show();
        let mut player = self.player(game, &position, spec, 1)?;
        Ok(player.choose(&position, 0, to_move, &self.store, limits)?)
    }
}

impl PlayerCatalog for Engine {
    fn open(&self, game: &str, text: &str) -> Result<Position, OpenError> {
        self.games().position(game, text)
    }
    fn player(&self, game: &str, sample: &str, spec: Spec, seed: u64) -> Result<Box<dyn Player>, NameError> {
        Engine::player(self, game, sample, spec, seed)
    }
    fn store(&self) -> &Store {
        &self.store
    }
}
