//! Boards of different games as boards of one game, so that a sum of them is searched like any other sum.
//!
//! ```
//! use gb_rules::AnyGame;
//! use gb_rules::mixed::Mixed;
//! # fn show(one: AnyGame, other: AnyGame) -> Result<(), gb_board::BoardError> {
//! let mut games = Mixed::default();
//! let (first, second) = (games.add(one), games.add(other));
//! let sum = [games.board(first, "xo.|.ox")?, games.board(second, "..|..")?];
//! let (game, keys) = games.game_of(&sum);
//! # Ok(())
//! # }
//! ```

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{BoardError, Spot};
use gb_value::{Halt, Kernel, Player, Value};

use crate::{
    AnyGame, Coded, Coding, Game, GlobalWins, Heuristics, Info, Interned, Key, MoveKey, Notation,
    OwnImpartialForm, Rules, Scoring, Sign, Theorems, WIDEST, with_game,
};

/// Several games as one. Boards of one of them must not be mixed with boards of another `Mixed`.
#[derive(Clone, Debug, Default)]
pub struct Mixed {
    games: Vec<AnyGame>,
}

/// A board with the place of its game in the list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MixedBoard {
    game: u32,
    key: Key<WIDEST>,
}

impl Mixed {
    /// Adds a game and says where it is in the list.
    pub fn add(&mut self, game: AnyGame) -> usize {
        self.games.push(game);
        self.games.len() - 1
    }

    /// Reads a board of the game at this place.
    ///
    /// # Errors
    /// If the text is no position of that game.
    pub fn board(&self, game: usize, text: &str) -> Result<MixedBoard, BoardError> {
        let key = with_game!(&self.games[game], g => g.read(text)?.resized());
        Ok(MixedBoard { game: game as u32, key })
    }

    /// A board of the game at this place, by its key.
    pub fn board_at(&self, game: usize, key: Key<WIDEST>) -> MixedBoard {
        MixedBoard { game: game as u32, key }
    }

    /// The games as one for the engine, and these boards of them.
    pub fn game_of(self, boards: &[MixedBoard]) -> (Game<2>, Vec<Key<2>>) {
        let keys = Interned::default();
        let found = boards.iter().map(|board| keys.key(board)).collect();
        (Arc::new(Coded::new(self, keys)), found)
    }

    fn game(&self, at: &MixedBoard) -> &AnyGame {
        &self.games[at.game as usize]
    }
}

/// Does something with the game and the key of a board.
macro_rules! on {
    ($mixed:expr, $at:expr, $game:ident, $key:ident => $work:expr) => {
        with_game!($mixed.game($at), $game => {
            let $key = &$at.key.resized();
            $work
        })
    };
}

impl Rules for Mixed {
    type Board = MixedBoard;
    type Move = MoveKey;

    fn info(&self) -> Info {
        let infos: Vec<Info> = self.games.iter().map(|game| with_game!(game, g => g.info())).collect();
        Info {
            name: "mixed".into(),
            title: "Several games",
            rules: "A player moves in one of the boards by the rules of its game. Who cannot move anywhere loses.",
            alphabet: &[],
            example: "",
            impartial: infos.iter().all(|info| info.impartial),
            loopy: infos.iter().any(|info| info.loopy),
        }
    }
    /// Reads the name of a game and a position.
    fn read(&self, text: &str) -> Result<MixedBoard, BoardError> {
        let (name, position) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let names: Vec<String> = self.games.iter().map(|game| with_game!(game, g => g.info()).name).collect();
        match names.iter().position(|known| known == name) {
            Some(game) => self.board(game, position),
            None => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                Err(BoardError::Invalid(format!(
                    "`{name}` is none of the games of this sum: expected {}",
                    names.join(" or ")
                )))
            }
        }
    }
    fn show(&self, at: &MixedBoard) -> String {
        on!(self, at, game, key => format!("{} {}", game.info().name, game.show(key)))
    }
    fn moves(
        &self,
        at: &MixedBoard,
        who: Player,
        emit: &mut impl FnMut(MoveKey) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        on!(self, at, game, key => game.moves(key, who, emit))
    }
    fn play(&self, at: &mut MixedBoard, who: Player, mv: &MoveKey) {
        at.key = on!(self, at, game, key => game.play(key, who, *mv).0.resized());
    }
    fn parts(&self, at: &MixedBoard, emit: &mut impl FnMut(MixedBoard)) {
        on!(self, at, game, key => {
            let mut parts = vec![];
            game.parts(key, &mut parts);
            parts.into_iter().for_each(|part| emit(MixedBoard { key: part.resized(), ..*at }));
        });
    }
    fn normalise(&self, at: MixedBoard) -> (MixedBoard, Sign) {
        let (key, sign) = on!(self, &at, game, key => {
            let (key, sign) = game.normalise(key);
            (key.resized(), sign)
        });
        (MixedBoard { key, ..at }, sign)
    }
    fn global_wins(&self) -> Option<&dyn GlobalWins<MixedBoard>> {
        let any = self.games.iter().any(|game| with_game!(game, g => g.has_global_wins()));
        any.then_some(self as _)
    }
    crate::has!(theorems, scoring, heuristics, notation, own_impartial_form);
}

impl OwnImpartialForm<MixedBoard> for Mixed {
    fn regions(&self, at: &MixedBoard, emit: &mut dyn FnMut(MixedBoard, Vec<Spot>)) {
        on!(self, at, game, key => for (part, spots) in game.impartial_regions(key) {
            emit(MixedBoard { key: part.resized(), ..*at }, spots);
        });
    }
    fn normalise(&self, at: MixedBoard) -> MixedBoard {
        let key = on!(self, &at, game, key => game.impartial_normalise(key).resized());
        MixedBoard { key, ..at }
    }
}

impl Theorems<MixedBoard, MoveKey> for Mixed {
    fn known(&self, at: &MixedBoard, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        on!(self, at, game, key => game.known(key, kernel))
    }
    fn bounds(&self, at: &MixedBoard) -> (Option<i64>, Option<i64>) {
        on!(self, at, game, key => game.bounds(key))
    }
}

impl Scoring<MixedBoard, MoveKey> for Mixed {
    fn points(&self, at: &MixedBoard, who: Player, mv: &MoveKey) -> i64 {
        on!(self, at, game, key => game.play(key, who, *mv).1)
    }
}

impl GlobalWins<MixedBoard> for Mixed {
    fn global_win(&self, at: &MixedBoard) -> Option<Player> {
        on!(self, at, game, key => game.global_win(key))
    }
}

impl Heuristics<MixedBoard, MoveKey> for Mixed {
    fn order_score(&self, at: &MixedBoard, who: Player, mv: &MoveKey) -> i32 {
        on!(self, at, game, key => game.order_score(key, who, *mv))
    }
    fn size(&self, at: &MixedBoard) -> Option<usize> {
        Some(on!(self, at, game, key => game.size(key)))
    }
}

impl Notation<MixedBoard, MoveKey> for Mixed {
    fn move_text(&self, at: &MixedBoard, who: Player, mv: &MoveKey) -> Option<String> {
        Some(on!(self, at, game, key => game.move_text(key, who, *mv)))
    }
}
