//! The text of a game, read but not yet turned into rules.

use gb_board::Look;
use gb_rules::Player;

use crate::error::Place;

/// A game as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameText {
    /// The name, as typed.
    pub name: String,
    /// The parameters with what they were given.
    pub parameters: Vec<Parameter>,
    /// The name as a headline.
    pub title: String,
    /// The rules in words.
    pub rules: String,
    /// A position worth looking at.
    pub example: Option<(Place, String)>,
    /// What it is played on.
    pub board: BoardKind,
    /// The letters of a board.
    pub cells: Vec<Letter>,
    /// The moves.
    pub moves: Vec<MoveRule>,
    /// What must hold after a move.
    pub legal: Vec<Legal>,
    /// The starting position of a size.
    pub start: Option<Start>,
    /// What is claimed and not derived.
    pub claims: Vec<Claim>,
    /// How the game is won.
    pub play: Play,
    /// What the board looks like.
    pub look: Look,
}

/// A parameter of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Where it is written.
    pub at: Place,
    /// Its name.
    pub name: String,
    /// Whether it takes all that is left.
    pub is_list: bool,
    /// What stands for it: what was given, or else the default.
    pub values: Vec<String>,
    /// Whether a move says something with it.
    pub used: bool,
}

/// A name with what stands for the parameters, as it is typed: `take(3)`.
pub(crate) fn name_with(name: &str, parameters: &[Parameter]) -> String {
    let values: Vec<&str> = parameters.iter().flat_map(|p| &p.values).map(String::as_str).collect();
    if values.is_empty() { name.to_string() } else { format!("{name}({})", values.join(",")) }
}

/// What a game is played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardKind {
    /// Squares; neighbours are above, below and beside.
    Grid,
    /// Rows, each for itself.
    Strip,
    /// Hexagons: as squares, and the squares to the upper right and to the lower left are neighbours too.
    Hex,
    /// Heaps, each of so many numbers.
    Heap(usize),
    /// Vertices with letters, joined by edges.
    Graph,
    /// Edges with letters that stand on the ground.
    Edges,
}

/// A letter of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// The letter.
    pub letter: char,
    /// What it means.
    pub meaning: String,
}

/// A set of letters: bit `i` is the letter `i` of the list.
pub type LetterSet = u16;

/// How the game is won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Play {
    /// Who cannot move loses.
    #[default]
    Normal,
    /// Who cannot move wins.
    Misere,
    /// Who has more points when nobody can move wins.
    Score,
}

/// A line of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRule {
    /// Where it is written.
    pub at: Place,
    /// Whose it is; nobody's is everybody's.
    pub who: Option<Player>,
    /// What is done.
    pub action: Action,
}

/// What a move does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A pattern is rewritten, on grids and strips, or along the edges of a graph.
    Rewrite(Box<Rewrite>),
    /// Something is done to a heap.
    Heap(HeapAction),
    /// An edge of one of these letters is cut, and with it what no longer hangs together with the ground; or only edges may be
    /// cut after which everything else still does.
    Cut(LetterSet, bool),
}

/// A pattern, what it becomes, where and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rewrite {
    /// The cells, row by row; all rows are equally long.
    pub cells: Vec<Vec<Symbol>>,
    /// Along which ways the pattern is laid.
    pub ways: Ways,
    /// How far it reaches.
    pub reach: Reach,
    /// Conditions.
    pub conditions: Vec<Condition>,
    /// What happens to the neighbours of the cells that change.
    pub neighbours: Option<(LetterSet, usize)>,
    /// The points it earns.
    pub points: Points,
    /// What is done from the last cell on, afterwards.
    pub then: Option<Box<Rewrite>>,
}

/// One cell of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The letters that may be there; `None`: anything, or no cell at all.
    pub before: Option<LetterSet>,
    /// The letter afterwards; `None`: what was there.
    pub after: Option<usize>,
    /// The letter afterwards depends on the one before.
    pub turn: Option<Turn>,
    /// Whether it stands for all cells of this kind that follow.
    pub all: bool,
}

/// What a letter becomes, whichever it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The one that follows in the list; the last stays.
    Next,
    /// The other one of two.
    Other,
}

impl Turn {
    /// What this letter becomes, if there are so many, and these may be there.
    pub fn of(self, letter: usize, letters: usize, set: LetterSet) -> usize {
        match self {
            Turn::Next => (letter + 1).min(letters - 1),
            Turn::Other => (set & !(1 << letter)).trailing_zeros() as usize,
        }
    }
}

/// Along which ways a pattern is laid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ways {
    /// A single row of cells along each of these directions (rows downwards, columns to the right).
    Along(Vec<(i32, i32)>),
    /// The images of a pattern of several rows: for each whether it is transposed, upside down, and reversed.
    Images(Vec<(bool, bool, bool)>),
}

/// How far a pattern reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// As it is written.
    Once,
    /// Again and again from the last cell on, in the same direction.
    Repeat,
    /// The last cell is any number of steps away, over cells of these letters; nothing said: over cells like it.
    Slide(Option<LetterSet>),
    /// The first cell moves one step, and pushes a run of these before it; the last falls off the edge.
    Push(LetterSet),
}

/// A condition on the neighbours of the cells that change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The letters; `None`: the edge of the board, where no cell is.
    pub letters: Option<LetterSet>,
    /// Whether one of them must be there, or none.
    pub wanted: bool,
    /// Which neighbours count.
    pub near: Near,
}

/// Which neighbours a condition is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Near {
    /// Those that cells touch.
    Beside,
    /// Diagonal ones as well.
    Around,
    /// The one in this direction (rows downwards, columns to the right).
    Toward(i32, i32),
}

/// The points of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Points {
    /// So many,
    pub each: u32,
    /// times these.
    pub per: Per,
}

/// What points are counted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Per {
    /// The move.
    #[default]
    Move,
    /// Every cell that changes.
    Cell,
    /// Every neighbour of the cells that change with one of these letters.
    Beside(LetterSet),
}

/// What must hold after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Legal {
    /// Every group of these letters touches one of those.
    Touches(LetterSet, LetterSet),
    /// Every cell of the first letters with one of the second in this direction from it: one of the two touches one of the last.
    Pairs(LetterSet, LetterSet, (i32, i32), LetterSet),
    /// Nothing of the first is put beside the second.
    Apart(LetterSet, LetterSet),
}

/// The starting position of a size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// What covers the board.
    pub ground: Ground,
    /// What is put into the middle of it.
    pub middle: Vec<usize>,
}

/// What covers the board in the beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    /// One letter.
    Fill(usize),
    /// Two letters in turn.
    Checker(usize, usize),
    /// The first third of every row, the middle, and the last third.
    Thirds([usize; 3]),
    /// Two opposite corners, the two others, and the rest.
    Corners([usize; 3]),
    /// The first row, the rows between, the last row, each repeated as often as it fits.
    Rows([Vec<usize>; 3]),
}

/// What is claimed about a game, and checked when it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Where it is written.
    pub at: Place,
    /// As it is written.
    pub text: String,
    /// What it says.
    pub kind: ClaimKind,
}

/// A claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimKind {
    /// Turning a board upside down, or left to right, keeps its value.
    Mirrors,
    /// Exchanging rows and columns keeps the value.
    Transpose,
    /// Exchanging two letters negates the value.
    Swap(usize, usize),
    /// Cells of these letters that touch hang together, and nothing else does.
    Parts(LetterSet, bool),
    /// Play ends.
    Ends,
}

/// What is done to a heap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeapAction {
    /// `n -> n - k where k in 1..3`: the heap becomes other heaps.
    Becomes(HeapRule),
    /// The digits of an octal code.
    Code(Vec<u8>),
}

/// What a heap, a few numbers, becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeapRule {
    /// The heaps afterwards, each with how many of it.
    pub heaps: Vec<(Expression, Vec<Expression>)>,
    /// The variables that may be chosen, with their ranges. They follow the numbers of the heap.
    pub choices: Vec<Range>,
    /// What must hold.
    pub conditions: Vec<Comparison>,
}

/// What a chosen number may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Range {
    /// From the one to the other.
    Between(Expression, Expression),
    /// One of these.
    OneOf(Vec<i64>),
}

/// A number that is computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// A number.
    Number(i64),
    /// A number of the heap, or a chosen one.
    Variable(usize),
    /// Two numbers combined.
    Of(Box<(Expression, Operation, Expression)>),
}

/// What is done with two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// The sum.
    Plus,
    /// The difference.
    Minus,
    /// The product.
    Times,
    /// The quotient, rounded down.
    Over,
    /// What is left by the quotient.
    Mod,
    /// The lesser.
    Min,
    /// The greater.
    Max,
}

/// A condition on numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison(pub Expression, pub Relation, pub Expression);

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// They are equal.
    Equal,
    /// They are not.
    Unequal,
    /// The first is less.
    Less,
    /// It is not greater.
    AtMost,
    /// The first divides the second.
    Divides,
}
