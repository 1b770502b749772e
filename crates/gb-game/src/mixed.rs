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

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::BoardError;
use gb_value::{Kernel, Player, Stop, Value};

use crate::{Info, Rules, Sign};

/// Several games as one. Boards of one of them must not be mixed with boards of another `Mixed`.
#[derive(Clone, Default)]
pub struct Mixed {
    games: Vec<Arc<dyn Game>>,
}

/// A board with the place of its game in the list.
#[derive(Clone)]
pub struct MixedBoard {
    game: usize,
    board: Arc<dyn Board>,
}

/// A move: what becomes of the board, and what the game says of the move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MixedMove {
    after: MixedBoard,
    points: i64,
    promise: i32,
}

trait Board: Send + Sync + fmt::Debug {
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Board) -> bool;
    fn hash_into(&self, state: &mut dyn Hasher);
}

/// A board that has forgotten its type.
#[derive(Debug)]
struct Held<B>(B);

impl<B: Eq + Hash + fmt::Debug + Send + Sync + 'static> Board for Held<B> {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn equals(&self, other: &dyn Board) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| other.0 == self.0)
    }
    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.0.hash(&mut state);
    }
}

impl PartialEq for MixedBoard {
    fn eq(&self, other: &Self) -> bool {
        self.game == other.game && self.board.equals(other.board.as_ref())
    }
}

impl Eq for MixedBoard {}

impl Hash for MixedBoard {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.game);
        self.board.hash_into(state);
    }
}

impl fmt::Debug for MixedBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}: {:?}", self.game, self.board)
    }
}

/// What [`Rules`] needs of a game that has forgotten its type. `id` is the place of the game.
trait Game: Send + Sync {
    fn info(&self) -> Info;
    fn read(&self, id: usize, text: &str) -> Result<MixedBoard, BoardError>;
    fn show(&self, at: &MixedBoard) -> String;
    fn moves(
        &self,
        at: &MixedBoard,
        who: Player,
        emit: &mut dyn FnMut(MixedMove) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    fn parts(&self, at: &MixedBoard, emit: &mut dyn FnMut(MixedBoard));
    fn normalise(&self, at: &MixedBoard) -> (MixedBoard, Sign);
    fn known(&self, at: &MixedBoard, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop>;
    fn bounds(&self, at: &MixedBoard) -> (Option<i64>, Option<i64>);
    fn size(&self, at: &MixedBoard) -> usize;
    fn has_global_wins(&self) -> bool;
    fn global_win(&self, at: &MixedBoard) -> Option<Player>;
}

fn hold<R: Rules>(game: usize, board: R::Board) -> MixedBoard {
    MixedBoard { game, board: Arc::new(Held(board)) }
}

/// The board with its type.
///
/// # Panics
/// If the board was made by another [`Mixed`].
fn typed<R: Rules>(at: &MixedBoard) -> &R::Board {
    match at.board.as_any().downcast_ref::<Held<R::Board>>() {
        Some(held) => &held.0,
        None => panic!("a board of one list of games was used with another list"),
    }
}

impl<R: Rules> Game for R {
    fn info(&self) -> Info {
        Rules::info(self)
    }
    fn read(&self, id: usize, text: &str) -> Result<MixedBoard, BoardError> {
        Ok(hold::<R>(id, Rules::read(self, text)?))
    }
    fn show(&self, at: &MixedBoard) -> String {
        Rules::show(self, typed::<R>(at))
    }
    fn moves(
        &self,
        at: &MixedBoard,
        who: Player,
        emit: &mut dyn FnMut(MixedMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let board = typed::<R>(at);
        Rules::moves(self, board, who, &mut |mv| {
            let mut after = board.clone();
            Rules::play(self, &mut after, who, &mv);
            let (points, promise) = (self.points(board, who, &mv), self.promise(board, who, &mv));
            emit(MixedMove { after: hold::<R>(at.game, after), points, promise })
        })
    }
    fn parts(&self, at: &MixedBoard, emit: &mut dyn FnMut(MixedBoard)) {
        Rules::parts(self, typed::<R>(at), &mut |part| emit(hold::<R>(at.game, part)));
    }
    fn normalise(&self, at: &MixedBoard) -> (MixedBoard, Sign) {
        let (normal, sign) = Rules::normalise(self, typed::<R>(at).clone());
        (hold::<R>(at.game, normal), sign)
    }
    fn known(&self, at: &MixedBoard, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        Rules::known(self, typed::<R>(at), kernel)
    }
    fn bounds(&self, at: &MixedBoard) -> (Option<i64>, Option<i64>) {
        Rules::bounds(self, typed::<R>(at))
    }
    fn size(&self, at: &MixedBoard) -> usize {
        Rules::size(self, typed::<R>(at))
    }
    fn has_global_wins(&self) -> bool {
        Rules::has_global_wins(self)
    }
    fn global_win(&self, at: &MixedBoard) -> Option<Player> {
        Rules::global_win(self, typed::<R>(at))
    }
}

impl fmt::Debug for Mixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.games.iter().map(|game| game.info().name)).finish()
    }
}

impl Mixed {
    /// Adds a game and says where it is in the list.
    pub fn add<R: Rules>(&mut self, rules: R) -> usize {
        self.games.push(Arc::new(rules));
        self.games.len() - 1
    }

    /// A board of the game at this place, which must have been added with the same type.
    pub fn board<R: Rules>(&self, game: usize, board: R::Board) -> MixedBoard {
        hold::<R>(game, board)
    }

    fn game(&self, at: &MixedBoard) -> &dyn Game {
        self.games[at.game].as_ref()
    }
}

impl Rules for Mixed {
    type Board = MixedBoard;
    type Move = MixedMove;

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
            Some(id) => self.games[id].read(id, position),
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
        format!("{} {}", game.info().name, game.show(at))
    }
    fn moves(
        &self,
        at: &MixedBoard,
        who: Player,
        emit: &mut impl FnMut(MixedMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.game(at).moves(at, who, emit)
    }
    fn play(&self, at: &mut MixedBoard, _who: Player, mv: &MixedMove) {
        *at = mv.after.clone();
    }
    fn points(&self, _at: &MixedBoard, _who: Player, mv: &MixedMove) -> i64 {
        mv.points
    }
    fn promise(&self, _at: &MixedBoard, _who: Player, mv: &MixedMove) -> i32 {
        mv.promise
    }
    fn parts(&self, at: &MixedBoard, emit: &mut impl FnMut(MixedBoard)) {
        self.game(at).parts(at, emit);
    }
    fn normalise(&self, at: MixedBoard) -> (MixedBoard, Sign) {
        self.game(&at).normalise(&at)
    }
    fn known(&self, at: &MixedBoard, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        self.game(at).known(at, kernel)
    }
    fn bounds(&self, at: &MixedBoard) -> (Option<i64>, Option<i64>) {
        self.game(at).bounds(at)
    }
    fn size(&self, at: &MixedBoard) -> usize {
        self.game(at).size(at)
    }
    fn has_global_wins(&self) -> bool {
        self.games.iter().any(|game| game.has_global_wins())
    }
    fn global_win(&self, at: &MixedBoard) -> Option<Player> {
        self.game(at).global_win(at)
    }
}
