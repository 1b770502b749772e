//! The central trait: [`Rules`].

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;

use gb_value::{Kernel, Stop, Value};

/// Who moves. Left is Black, Blue, vertical, `x`; Right is White, Red, horizontal, `o`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Player {
    /// Left, for whom positive values are good.
    Left,
    /// Right, for whom negative values are good.
    Right,
}

impl Player {
    /// Left and Right, in this order.
    pub const BOTH: [Player; 2] = [Player::Left, Player::Right];

    /// The other player.
    pub fn opponent(self) -> Player {
        match self {
            Player::Left => Player::Right,
            Player::Right => Player::Left,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Left => "Left",
            Player::Right => "Right",
        })
    }
}

/// Whether a normal form stands for a position itself or for its negative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// The normal form has the value of the position.
    Plus,
    /// The normal form has the negative of the value of the position.
    Minus,
}

/// What a front end shows about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// The name with its parameters, as typed: `clobber`, `octal(0.77)`.
    pub name: String,
    /// The name as a headline: `Clobber`.
    pub title: &'static str,
    /// The rules in about two sentences.
    pub rules: &'static str,
    /// The letters of the board text and what they mean, e.g. `x` -> `Left's stone`.
    pub alphabet: &'static [(char, &'static str)],
    /// A position worth looking at.
    pub example: &'static str,
    /// Both players have the same moves from every position.
    pub impartial: bool,
}

/// The rules of a game: the one trait to implement for a new game.
///
/// Required are only the types, [`info`](Rules::info), [`read`](Rules::read), [`show`](Rules::show),
/// [`moves`](Rules::moves) and [`play`](Rules::play). Every other method is a hook with a default that is right but
/// slower, or plainer. Rules are a value, so that they can have parameters (an octal code, a family of boards).
pub trait Rules: Clone + Send + Sync + 'static {
    /// A position: a small plain value without history.
    type Board: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static;
    /// A move.
    type Move: Clone + Eq + fmt::Debug + Send + Sync + 'static;

    /// Name, title, rules, alphabet, example.
    fn info(&self) -> Info;
    /// Reads a position.
    fn read(&self, text: &str) -> Result<Self::Board, gb_board::BoardError>;
    /// Writes a position so that [`read`](Rules::read) gives it back.
    fn show(&self, at: &Self::Board) -> String;
    /// Calls `emit` for every move of `who`, until it breaks.
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut(Self::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    /// Makes a move that [`moves`](Rules::moves) has emitted.
    fn play(&self, at: &mut Self::Board, who: Player, mv: &Self::Move);

    /// The points that a move earns for Left (negative: for Right), in games that keep a score: the option is this
    /// number plus the value of the board after the move.
    fn points(&self, _at: &Self::Board, _who: Player, _mv: &Self::Move) -> i64 {
        0
    }
    /// Takes a position apart: the sum of the emitted parts has the value of the position. Parts without moves may be
    /// left out, so that nothing is emitted for a finished position.
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        emit(at.clone());
    }
    /// One representative of all positions with the same value, or its negative, under the symmetries of the game. Only
    /// ever called on single parts.
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        (at, Sign::Plus)
    }
    /// The value of a single part by a theorem, where that is cheaper than search.
    fn known(&self, _at: &Self::Board, _kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        Ok(None)
    }
    /// Integers `lo <= G <= hi` that bound the value of a position by inspection (missing: unbounded).
    fn bounds(&self, _at: &Self::Board) -> (Option<i64>, Option<i64>) {
        (None, None)
    }
    /// Who wins when `first` moves first, if inspection proves it. Used by the search for outcomes only.
    fn winner(&self, _at: &Self::Board, _first: Player) -> Option<Player> {
        None
    }
    /// How promising a move looks, greater is better; the search for outcomes tries moves in this order.
    fn promise(&self, _at: &Self::Board, _who: Player, _mv: &Self::Move) -> i32 {
        0
    }
}
