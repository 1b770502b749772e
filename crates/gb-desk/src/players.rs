//! Players for games that are known by their names.

use gb_board::Size;
use gb_game::erased::Position;
use gb_game::{Game, GameVisitor, Player as Side};
use gb_play::{Chosen, House, Limits, Player, Spec, player};
use gb_value::Store;

use crate::desk::{Desk, visit};

impl Desk {
    /// A player for positions of a game as large as `sample`. It plays with the store of this desk.
    ///
    /// # Errors
    /// A sentence if there is no such game.
    pub fn player(&self, game: &str, sample: &str, spec: Spec, seed: u64) -> Result<Box<dyn Player>, String> {
        visit(game, sample, SeatAt { desk: self, spec, seed })
    }

    /// One move in a position (or the starting position of a size) by a player such as `mcts+all`. Who wants more than one
    /// move of the same game had better keep a [`player`](Desk::player), which remembers what it thought about.
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

impl House for Desk {
    fn open(&self, game: &str, text: &str) -> Result<Box<dyn Position>, String> {
        let opened = gb_games::open(game, text).map_err(|error| error.to_string())?;
        let position = match (opened.read(text), Size::read(text)) {
            (Ok(position), _) => Ok(position),
            (Err(_), Ok(size)) => opened.start(size),
            (Err(error), Err(_)) => Err(error),
        };
        position.map_err(|error| error.to_string())
    }
    fn player(&self, game: &str, sample: &str, spec: Spec, seed: u64) -> Result<Box<dyn Player>, String> {
        Desk::player(self, game, sample, spec, seed)
    }
    fn store(&self) -> &Store {
        &self.store
    }
}

struct SeatAt<'a> {
    desk: &'a Desk,
    spec: Spec,
    seed: u64,
}

impl GameVisitor for SeatAt<'_> {
    type Out = Box<dyn Player>;

    fn visit<const N: usize>(self, game: Game<N>) -> Box<dyn Player> {
        player(self.desk.solved(&game), self.spec, self.seed)
    }
}
