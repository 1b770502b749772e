//! Boards of different games as boards of one game, so that a sum of them is searched like any other sum.
//!
//! ```
//! use gb_game::mixed::Mixed;
//! # fn show<R: gb_game::Rules, S: gb_game::Rules>(one: R, other: S) -> Result<(), gb_board::BoardError> {
//! let (mut games, text, other_text) = (Mixed::default(), one.info().example, other.info().example);
//! let (first, second) = (games.add(one.clone()), games.add(other.clone()));
//! let sum = [games.board::<R>(first, one.read(text)?), games.board::<S>(second, other.read(other_text)?)];
//! # Ok(())
//! # }
//! ```

use std::ops::ControlFlow;

use gb_board::BoardError;
use gb_value::{Kernel, Player, Stop, Value};

use crate::boxed::{Boxed, BoxedBoard, BoxedMove};
use crate::{Info, Rules, Sign};

/// Several games as one. Boards of one of them must not be mixed with boards of another `Mixed`.
#[derive(Clone, Debug, Default)]
pub struct Mixed {
    games: Vec<Boxed>,
}

/// A board with the place of its game in the list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MixedBoard {
    game: usize,
    board: BoxedBoard,
}

impl Mixed {
    /// Adds a game and says where it is in the list.
    pub fn add<R: Rules>(&mut self, rules: R) -> usize {
        self.games.push(Boxed::new(rules));
        self.games.len() - 1
    }

    /// A board of the game at this place, which must have been added with the same type.
    pub fn board<R: Rules>(&self, game: usize, board: R::Board) -> MixedBoard {
        MixedBoard { game, board: BoxedBoard::new(board) }
    }

    fn game(&self, at: &MixedBoard) -> &Boxed {
        &self.games[at.game]
    }
}

impl Rules for Mixed {
    type Board = MixedBoard;
    type Move = BoxedMove;

    fn info(&self) -> Info {
        Info {
            name: "mixed".into(),
            title: "Several games",
            rules: "A player moves in one of the boards by the rules of its game. Who cannot move anywhere loses.",
            alphabet: &[],
            example: "",
            impartial: self.games.iter().all(|game| game.info().impartial),
            loopy: self.games.iter().any(|game| game.info().loopy),
        }
    }
    /// Reads the name of a game and a position.
    fn read(&self, text: &str) -> Result<MixedBoard, BoardError> {
        let (name, position) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        match self.games.iter().position(|game| game.info().name == name) {
            Some(game) => Ok(MixedBoard { game, board: self.games[game].read(position)? }),
            None => Err(BoardError::Senseless(format!(
                "`{name}` is none of the games of this sum: expected {}",
                self.games
                    .iter()
                    .map(|game| format!("`{}`", game.info().name))
                    .collect::<Vec<_>>()
                    .join(" or ")
            ))),
        }
    }
    fn show(&self, at: &MixedBoard) -> String {
        let game = self.game(at);
        format!("{} {}", game.info().name, game.show(&at.board))
    }
    fn moves(
        &self,
        at: &MixedBoard,
        who: Player,
        emit: &mut impl FnMut(BoxedMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.game(at).moves(&at.board, who, emit)
    }
    fn play(&self, at: &mut MixedBoard, who: Player, mv: &BoxedMove) {
        self.games[at.game].play(&mut at.board, who, mv);
    }
    fn move_text(&self, at: &MixedBoard, who: Player, mv: &BoxedMove) -> String {
        self.game(at).move_text(&at.board, who, mv)
    }
    fn points(&self, at: &MixedBoard, who: Player, mv: &BoxedMove) -> i64 {
        self.game(at).points(&at.board, who, mv)
    }
    fn promise(&self, at: &MixedBoard, who: Player, mv: &BoxedMove) -> i32 {
        self.game(at).promise(&at.board, who, mv)
    }
    fn parts(&self, at: &MixedBoard, emit: &mut impl FnMut(MixedBoard)) {
        self.game(at).parts(&at.board, &mut |board| emit(MixedBoard { game: at.game, board }));
    }
    fn normalise(&self, at: MixedBoard) -> (MixedBoard, Sign) {
        let (board, sign) = self.games[at.game].normalise(at.board);
        (MixedBoard { game: at.game, board }, sign)
    }
    fn known(&self, at: &MixedBoard, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        self.game(at).known(&at.board, kernel)
    }
    fn bounds(&self, at: &MixedBoard) -> (Option<i64>, Option<i64>) {
        self.game(at).bounds(&at.board)
    }
    fn size(&self, at: &MixedBoard) -> usize {
        self.game(at).size(&at.board)
    }
    fn has_global_wins(&self) -> bool {
        self.games.iter().any(|game| game.has_global_wins())
    }
    fn global_win(&self, at: &MixedBoard) -> Option<Player> {
        self.game(at).global_win(&at.board)
    }
}
