//! The disjoint union of some games: its boards are the boards of any of them, so that a sum of different games is searched like any
//! other sum.
//!
//! ```
//! use gb_rules::{Position, UnionGame};
//! # fn show(one: Position, other: Position) {
//! let (game, keys) = UnionGame::of_positions(&[one, other]);
//! assert_eq!(keys.len(), 2);
//! # }
//! ```

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{BoardError, Spot};
use gb_value::{Halt, Kernel, Player, Value};

use crate::{
    AnyGame, Capabilities, Coded, Coding, Game, GlobalWins, Heuristics, ImpartialForm, Info, Interned, Key,
    MoveKey, Notation, OwnImpartialForm, Position, Rules, Scoring, Sign, Theorems, WIDEST, with_game,
};

/// Several games as one. Keys of one of them mean nothing to another `UnionGame`.
#[derive(Clone, Debug)]
pub struct UnionGame {
    games: Vec<AnyGame>,
    has_global_wins: bool,
}

/// A board with the place of its game in the list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnionBoard {
    game: u32,
    key: Key<WIDEST>,
}

impl UnionGame {
    fn new(games: Vec<AnyGame>) -> UnionGame {
        let has_global_wins = games.iter().any(|game| with_game!(game, g => g.has_global_wins()));
        UnionGame { games, has_global_wins }
    }

    /// These games as one for the engine. Its boards are written with the names of their games.
    pub fn of_games(games: Vec<AnyGame>) -> Game<2> {
        Arc::new(Coded::new(UnionGame::new(games), Interned::default()))
    }

    /// The games of some positions as one for the engine, and the positions in it.
    pub fn of_positions(positions: &[Position]) -> (Game<2>, Vec<Key<2>>) {
        let keys = Interned::default();
        let boards = (0..).zip(positions).map(|(game, at)| keys.key(&UnionBoard { game, key: *at.key() }));
        let boards = boards.collect();
        let games = positions.iter().map(|at| at.game().clone()).collect();
        (Arc::new(Coded::new(UnionGame::new(games), keys)), boards)
    }

    fn game(&self, at: &UnionBoard) -> &AnyGame {
        &self.games[at.game as usize]
    }
}

/// Does something with the game and the key of a board.
macro_rules! on {
    ($union:expr, $at:expr, $game:ident, $key:ident => $work:expr) => {
        with_game!($union.game($at), $game => {
            let $key = &$at.key.resized();
            $work
        })
    };
}

impl Rules for UnionGame {
    type Board = UnionBoard;
    type Move = MoveKey;

    fn info(&self) -> Info {
        let infos: Vec<Info> = self.games.iter().map(|game| with_game!(game, g => g.info())).collect();
        Info {
            name: "union".into(),
            title: "Several games",
            rules: "A player moves in one of the boards by the rules of its game. Who cannot move anywhere loses.",
            alphabet: &[],
            example: "",
            impartial: infos.iter().all(|info| info.impartial),
            loopy: infos.iter().any(|info| info.loopy),
        }
    }
    /// Reads the name of a game and a position.
    fn read(&self, text: &str) -> Result<UnionBoard, BoardError> {
        let (name, position) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let names: Vec<String> = self.games.iter().map(|game| with_game!(game, g => g.info()).name).collect();
        match names.iter().position(|known| known == name) {
            Some(game) => {
                let key = with_game!(&self.games[game], g => g.read(position)?.resized());
                Ok(UnionBoard { game: game as u32, key })
            }
            None => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                Err(BoardError::Invalid(format!(
                    "`{name}` is none of the games of this sum: expected {}",
                    names.join(" or ")
                )))
            }
        }
    }
    fn show(&self, at: &UnionBoard) -> String {
        on!(self, at, game, key => format!("{} {}", game.info().name, game.show(key)))
    }
    fn moves(
        &self,
        at: &UnionBoard,
        who: Player,
        emit: &mut impl FnMut(MoveKey) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        on!(self, at, game, key => game.moves(key, who, emit))
    }
    fn play(&self, at: &mut UnionBoard, who: Player, mv: &MoveKey) {
        at.key = on!(self, at, game, key => game.play(key, who, *mv).0.resized());
    }
    fn parts(&self, at: &UnionBoard, emit: &mut impl FnMut(UnionBoard)) {
        on!(self, at, game, key => {
            let mut parts = vec![];
            game.parts(key, &mut parts);
            parts.into_iter().for_each(|part| emit(UnionBoard { key: part.resized(), ..*at }));
        });
    }
    fn normalise(&self, at: UnionBoard) -> (UnionBoard, Sign) {
        let (key, sign) = on!(self, &at, game, key => {
            let (key, sign) = game.normalise(key);
            (key.resized(), sign)
        });
        (UnionBoard { key, ..at }, sign)
    }
    fn capabilities(&self) -> Capabilities<'_, UnionBoard, MoveKey> {
        Capabilities {
            theorems: Some(self),
            scoring: Some(self),
            heuristics: Some(self),
            notation: Some(self),
            global_wins: self.has_global_wins.then_some(self as _),
            impartial_form: ImpartialForm::Own(self),
            ..Capabilities::default()
        }
    }
}

impl OwnImpartialForm<UnionBoard> for UnionGame {
    fn parts(&self, at: &UnionBoard, emit: &mut dyn FnMut(UnionBoard)) {
        on!(self, at, game, key => game.impartial_parts(key, &mut |part| {
            emit(UnionBoard { key: part.resized(), ..*at });
        }));
    }
    fn regions(&self, at: &UnionBoard, emit: &mut dyn FnMut(UnionBoard, Vec<Spot>)) {
        on!(self, at, game, key => for (part, spots) in game.impartial_regions(key) {
            emit(UnionBoard { key: part.resized(), ..*at }, spots);
        });
    }
    fn normalise(&self, at: UnionBoard) -> UnionBoard {
        let key = on!(self, &at, game, key => game.impartial_normalise(key).resized());
        UnionBoard { key, ..at }
    }
}

impl Theorems<UnionBoard, MoveKey> for UnionGame {
    fn known(&self, at: &UnionBoard, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        on!(self, at, game, key => game.known(key, kernel))
    }
    fn bounds(&self, at: &UnionBoard) -> (Option<i64>, Option<i64>) {
        on!(self, at, game, key => game.bounds(key))
    }
}

impl Scoring<UnionBoard, MoveKey> for UnionGame {
    fn points(&self, at: &UnionBoard, who: Player, mv: &MoveKey) -> i64 {
        on!(self, at, game, key => game.play(key, who, *mv).1)
    }
}

impl GlobalWins<UnionBoard> for UnionGame {
    fn global_win(&self, at: &UnionBoard) -> Option<Player> {
        on!(self, at, game, key => game.global_win(key))
    }
}

impl Heuristics<UnionBoard, MoveKey> for UnionGame {
    fn order_score(&self, at: &UnionBoard, who: Player, mv: &MoveKey) -> i32 {
        on!(self, at, game, key => game.order_score(key, who, *mv))
    }
    fn size(&self, at: &UnionBoard) -> Option<usize> {
        Some(on!(self, at, game, key => game.size(key)))
    }
}

impl Notation<UnionBoard, MoveKey> for UnionGame {
    fn move_text(&self, at: &UnionBoard, who: Player, mv: &MoveKey) -> Option<String> {
        Some(on!(self, at, game, key => game.move_text(key, who, *mv)))
    }
}
