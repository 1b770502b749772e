//! The central trait: [`Rules`].

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_value::Player;

use crate::capability::Capabilities;
use crate::key::MoveCode;

/// Whether a normal form stands for a position itself or for its negative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// The normal form has the value of the position.
    Plus,
    /// The normal form has the negative of the value of the position.
    Minus,
}

impl std::ops::Neg for Sign {
    type Output = Sign;

    fn neg(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }
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
    /// Play may come back to a position.
    pub loopy: bool,
}

/// What tables of all boards of a rectangle need to know about a game on grids whose positions are texts of letters, one a
/// cell. The first letter, code 0, is what lies around the board: blank rows and columns beside a position change nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridTraits {
    /// What each letter weighs: every move makes the sum of the weights smaller.
    pub weights: &'static [u8],
    /// Whether turning a board upside down, or left to right, keeps its value.
    pub mirrors: bool,
    /// What becomes of the value when rows become columns, if anything can be said.
    pub transpose: Option<Sign>,
    /// The codes after the players have changed places, which negates the value. Code 0 stays, and so do the weights.
    pub swap: Option<&'static [u8]>,
}

/// A move of Left as a pattern of stones, for tables of outcomes. Code 0 is empty, code 1 Left's stone, code 2 Right's.
///
/// The pattern lies anywhere on the board where all its cells hold the stones it asks for. Nothing else is looked at, at least one of its
/// stones goes, and none comes: so the cells with stones are fewer after every move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoneMove {
    /// Rows downwards and columns to the right from any one of the cells; the stone before, and the stone or nothing afterwards.
    pub cells: Vec<((i32, i32), u8, u8)>,
}

impl StoneMove {
    /// Whether it is what it must be.
    pub fn is_sound(&self) -> bool {
        let stones = self.cells.iter().all(|&(_, before, after)| matches!(before, 1 | 2) && after <= 2);
        let distinct = |i: usize| self.cells[..i].iter().all(|cell| cell.0 != self.cells[i].0);
        stones && (0..self.cells.len()).all(distinct) && self.cells.iter().any(|cell| cell.2 == 0)
    }
}

/// A place where a part may fall apart: if `end` and `longer_end` have the same value, then the part has the value of
/// `end` plus `rest`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bridge<B> {
    /// What is on one side of the bridge.
    pub end: B,
    /// The same with the bridge.
    pub longer_end: B,
    /// The bridge with what is on its other side.
    pub rest: B,
}

/// The rules of a game: the one trait to implement for a new game.
///
/// Required are only the types, [`info`](Rules::info), [`read`](Rules::read), [`show`](Rules::show),
/// [`moves`](Rules::moves) and [`play`](Rules::play). Every other method is a hook with a default that is right but
/// slower, or plainer. Rules are a value, so that they can have parameters (an octal code, a family of boards).
///
/// What a game knows beyond its rules are capabilities, each a trait of its own (see [`capability`](crate::capability)), which
/// [`capabilities`](Rules::capabilities) hands out.
pub trait Rules: Clone + Send + Sync + 'static {
    /// A position: a small plain value without history.
    type Board: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static;
    /// A move: something that is a number.
    type Move: MoveCode + Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    /// Name, title, rules, alphabet, example.
    fn info(&self) -> Info;
    /// Reads a position.
    fn read(&self, text: &str) -> Result<Self::Board, BoardError>;
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

    /// The spots of the [`scene`](Rules::scene) that are pointed at, in turn, to make a move. Different moves of a player
    /// have different gestures, and none begins with another. The text of a move is made from it: `a1-b1`. By default
    /// the cells that change, in reading order.
    fn gesture(&self, at: &Self::Board, who: Player, mv: &Self::Move) -> Vec<Spot> {
        let mut after = at.clone();
        self.play(&mut after, who, mv);
        Scene::of_text(&self.show(at)).changes(&Scene::of_text(&self.show(&after)))
    }
    /// What to draw for a position. By default a square for each letter of its text.
    fn scene(&self, at: &Self::Board) -> Scene {
        Scene::of_text(&self.show(at))
    }
    /// The usual starting position of a size; sizes are `8x8` or `12`, and a length stands for a single row.
    fn start(&self, _size: Size) -> Result<Self::Board, BoardError> {
        let Info { title, example, .. } = self.info();
        Err(BoardError::Invalid(format!(
            "{title} has no usual starting position: give a position such as `{example}`"
        )))
    }
    /// Takes a position apart: the sum of the emitted parts has the value of the position. Parts without moves may be
    /// left out, so that nothing is emitted for a finished position.
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        emit(at.clone());
    }
    /// As [`parts`](Rules::parts), with the spots that each part takes up on the board, for front ends: where that is
    /// not said (the default), no spots. Parts may be finer than regions, where some of them cancel by their values.
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        self.parts(at, &mut |part| emit(part, vec![]));
    }
    /// One representative of all positions with the same value, or its negative, under the symmetries of the game. Only
    /// ever called on single parts.
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        (at, Sign::Plus)
    }
    /// What the game knows beyond its rules: by default nothing. Written by [`has!`](crate::has).
    #[inline(always)]
    fn capabilities(&self) -> Capabilities<'_, Self::Board, Self::Move> {
        Capabilities::default()
    }
}
