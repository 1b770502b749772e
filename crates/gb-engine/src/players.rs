//! Players for games that are known by their names.

use gb_play::{Chosen, Limits, Player, PlayerCatalog, Spec, player};
use gb_rules::{Player as Side, Position};
use gb_search::with_solved;
use gb_value::Store;

use crate::engine::{Engine, open};

impl Engine {
    /// A player for positions of a game as large as `sample`. It plays with the store of this engine.
    ///
    /// # Errors
    /// A sentence if there is no such game.
    pub fn player(&self, game: &str, sample: &str, spec: Spec, seed: u64) -> Result<Box<dyn Player>, String> {
        Ok(with_solved!(self.solved(open(game, sample)?), solved => player(solved, spec, seed)))
    }

    /// One move in a position (or the starting position of a size) by a player such as `mcts+all`. Who wants more than one
    /// move of the same game had better keep a [`player`](Engine::player), which remembers what it thought about.
    ///
    /// # Errors
    /// A sentence if there is no such game, position or player, or if there is no move.
    pub fn choose(
        &self,
        game: &str,
        position: &str,
        to_move: Side,
        spec: &str,
        limits: &Limits,
    ) -> Result<Chosen, String> {
        let spec = spec.parse::<Spec>().map_err(|error| error.to_string())?;
        let position = self.open(game, position)?.show();
        let mut player = self.player(game, &position, spec, 1)?;
        player.choose(&position, 0, to_move, &self.store, limits).map_err(|error| error.to_string())
    }
}

impl PlayerCatalog for Engine {
    fn open(&self, game: &str, text: &str) -> Result<Position, String> {
        open(game, text)?.read_or_start(text).map_err(|error| error.to_string())
    }
    fn player(&self, game: &str, sample: &str, spec: Spec, seed: u64) -> Result<Box<dyn Player>, String> {
        Engine::player(self, game, sample, spec, seed)
    }
    fn store(&self) -> &Store {
        &self.store
    }
}
