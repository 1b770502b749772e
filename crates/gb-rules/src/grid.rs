//! Games on grids of letters: [`GridRules`], from which [`Rules`] follow.

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BoardError, Codes, Grid, Look, Scene, Size, Spot};
use gb_value::Player;

use crate::capability::{Capabilities, Tabulation};
use crate::key::MoveCode;
use crate::{GridTraits, Info, Rules, Sign, Tabulated};

/// What the file of a game on a grid needs: `use gb_rules::grid::prelude::*;`. [`Rules`] are not among it: their methods have the
/// same names.
pub mod prelude {
    pub use std::marker::PhantomData;
    pub use std::ops::ControlFlow;

    pub use gb_board::{Alphabet, BitGrid, BoardError, Size, Spot, Word};

    pub use super::{Emit, GridRules, Symmetry};
    pub use crate::{Coming, ComingRule, Filling, Player, StoneMove, Tabulated};
}

/// What is called for every move, until it breaks.
pub trait Emit<M>: FnMut(M) -> ControlFlow<()> {}

impl<M, F: FnMut(M) -> ControlFlow<()>> Emit<M> for F {}

/// The sets of cells of a game's boards.
pub type Cells<G> = <<G as GridRules>::Board as Grid>::Set;

/// Which boards have the same value, or its negative. Exchanging the colours exchanges the first two planes of a board: code 1
/// is Left's and code 2 is Right's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// Nothing is said.
    Unknown,
    /// All eight images have the same value.
    Images,
    /// The images have the same value, but rows that become columns exchange the players.
    TransposeNegates,
    /// All eight images have the same value, and exchanging the colours negates it.
    ImagesAndColours,
    /// A row has the same value from either end.
    Row,
    /// A row has the same value from either end, and exchanging the colours negates it.
    RowAndColours,
    /// A row seen from its other end, with the colours exchanged, is the negative.
    RowFromBehind,
}

impl Symmetry {
    /// The least of the boards that are alike.
    #[inline]
    pub fn normalise<B: Grid>(self, at: B) -> (B, Sign) {
        let sign = |minus: bool| if minus { Sign::Minus } else { Sign::Plus };
        let lesser = |kept: B, negated: B| (kept.min(negated), sign(negated < kept));
        match self {
            Symmetry::Unknown => (at, Sign::Plus),
            Symmetry::Images => (at.least_wide().0, Sign::Plus),
            Symmetry::TransposeNegates => {
                let (least, transposed) = at.least_wide();
                (least, sign(transposed))
            }
            Symmetry::ImagesAndColours => {
                let (least, exchanged) = at.least_wide_of_either();
                (least, sign(exchanged))
            }
            Symmetry::Row => (at.min(at.turn()), Sign::Plus),
            Symmetry::RowAndColours => {
                let exchanged = at.exchange();
                lesser(at.min(at.turn()), exchanged.min(exchanged.turn()))
            }
            Symmetry::RowFromBehind => lesser(at, at.turn().exchange()),
        }
    }

    /// The same for tables of boards whose letters have these weights.
    fn traits(self, weights: &'static [u8]) -> GridTraits {
        /// The codes with their two low bits exchanged.
        const EXCHANGED: &[u8] = &[0, 2, 1, 3, 4, 6, 5, 7];
        let unknown = GridTraits { weights, mirrors: false, transpose: None, swap: None };
        let images = GridTraits { mirrors: true, transpose: Some(Sign::Plus), ..unknown };
        match self {
            Symmetry::Images => images,
            Symmetry::TransposeNegates => GridTraits { transpose: Some(Sign::Minus), ..images },
            Symmetry::ImagesAndColours => GridTraits { swap: EXCHANGED.get(..weights.len()), ..images },
            _ => unknown,
        }
    }
}

/// The rules of a game on a grid of letters: the short way to [`Rules`], which every type with `GridRules` has.
///
/// Required are the two types, a few constants, [`moves`](GridRules::moves) and [`play`](GridRules::play); all else has a default.
/// The board is a [`BitGrid`](gb_board::BitGrid), whose codes are the places of the letters in the alphabet; reading, showing and
/// drawing follow from that. This is a whole game, in which Left fills a cell and Right two cells side by side:
///
/// ```
/// use gb_rules::grid::prelude::*;
/// use gb_rules::{Rules, conformance};
///
/// #[derive(Clone)]
/// struct OneOrTwo;
///
/// impl GridRules for OneOrTwo {
///     type Board = BitGrid<u64>;
///     /// The cell, or the left one of two.
///     type Move = u32;
///     const NAME: &'static str = "one-or-two";
///     const TITLE: &'static str = "One or Two";
///     const RULES: &'static str = "Left fills a cell, Right two side by side. Who cannot move loses.";
///     const EXAMPLE: &'static str = "...|.#.";
///     const LETTERS: Alphabet = Alphabet(&[('#', "filled"), ('.', "empty")]);
///
///     fn moves(&self, at: &BitGrid<u64>, who: Player, emit: &mut impl Emit<u32>) -> ControlFlow<()> {
///         let empty = at.planes[0];
///         let open = if who == Player::Left { empty } else { empty & at.frame().west(empty) };
///         open.cells().try_for_each(emit)
///     }
///     fn play(&self, at: &mut BitGrid<u64>, who: Player, cell: &u32) {
///         at.planes[0] &= !(u64::low(1 + who as u32) << cell);
///     }
///     /// Runs of empty cells. Without this method, the board would stay in one piece.
///     fn split(&self, at: &BitGrid<u64>, emit: &mut impl FnMut(u64)) {
///         at.frame().runs(at.planes[0]).for_each(emit);
///     }
/// }
///
/// let game = gb_rules::direct::<2, _>(OneOrTwo);
/// conformance::check(&*game, &["...|.#.", "....#..."], 1_000).unwrap();
/// let mut parts = vec![];
/// Rules::regions(&OneOrTwo, &Rules::read(&OneOrTwo, "...|.#.").unwrap(), &mut |part, spots| {
///     parts.push((Rules::show(&OneOrTwo, &part), spots[0].to_string()));
/// });
/// let expected = [("...", "a1"), (".", "a2"), (".", "c2")];
/// assert_eq!(parts, expected.map(|(part, spot)| (part.to_string(), spot.to_string())));
/// ```
pub trait GridRules: Clone + Send + Sync + 'static {
    /// A position: a [`BitGrid`](gb_board::BitGrid).
    type Board: Grid;
    /// A move: something that is a number.
    type Move: MoveCode + Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    /// The name, as typed: `clobber`.
    const NAME: &'static str;
    /// The name as a headline: `Clobber`.
    const TITLE: &'static str;
    /// The rules in about two sentences.
    const RULES: &'static str;
    /// A position worth looking at.
    const EXAMPLE: &'static str;
    /// The letters of a board. Their places are the codes of the cells; code 0 is what lies around the board.
    const LETTERS: Alphabet;
    /// Both players have the same moves from every position.
    const IMPARTIAL: bool = false;
    /// Play may come back to a position.
    const LOOPY: bool = false;
    /// Rows may have different lengths.
    const RAGGED: bool = false;
    /// What the board looks like.
    const LOOK: Look = Look::Cells;
    /// Which boards are alike.
    const SYMMETRY: Symmetry = Symmetry::Unknown;
    /// What each letter weighs, if every move makes the sum of the weights smaller: then all boards of a size can be numbered,
    /// for databases (see [`Tabulation`]).
    const WEIGHTS: Option<&'static [u8]> = None;

    /// Calls `emit` for every move of `who`, until it breaks.
    fn moves(&self, at: &Self::Board, who: Player, emit: &mut impl Emit<Self::Move>) -> ControlFlow<()>;
    /// Makes a move that [`moves`](GridRules::moves) has emitted.
    fn play(&self, at: &mut Self::Board, who: Player, mv: &Self::Move);

    /// What is wrong with a board of the right letters.
    ///
    /// # Errors
    /// If something is.
    fn check(&self, _at: &Self::Board) -> Result<(), BoardError> {
        Ok(())
    }
    /// As [`Rules::show`].
    fn show(&self, at: &Self::Board) -> String {
        at.show(&Self::LETTERS, Self::RAGGED)
    }
    /// As [`Rules::gesture`]: by default the cells that change.
    fn gesture(&self, at: &Self::Board, who: Player, mv: &Self::Move) -> Vec<Spot> {
        let mut after = *at;
        self.play(&mut after, who, mv);
        at.spots(at.changes(&after))
    }
    /// As [`Rules::start`].
    ///
    /// # Errors
    /// If the game has no such position.
    fn start(&self, _size: Size) -> Result<Self::Board, BoardError> {
        Err(BoardError::Invalid(format!(
            "{} has no usual starting position: give a position such as `{}`",
            Self::TITLE,
            Self::EXAMPLE
        )))
    }
    /// Calls `emit` with sets of cells: the boards that are left when each of them is cut out have the value of the position
    /// together. Those without moves may be left out.
    #[inline]
    fn split(&self, at: &Self::Board, emit: &mut impl FnMut(Cells<Self>)) {
        emit(at.all());
    }
    /// As [`Rules::parts`]: by default as [`split`](GridRules::split) says.
    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        self.split(at, &mut |set| emit(at.cut(set)));
    }
    /// As [`Rules::regions`]: by default as [`split`](GridRules::split) says.
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        self.split(at, &mut |set| emit(at.cut(set), at.spots(set)));
    }
    /// As [`Rules::normalise`]: by default as the [`SYMMETRY`](GridRules::SYMMETRY) says.
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        Self::SYMMETRY.normalise(at)
    }

    /// As [`Tabulation::tabulated`].
    fn tabulated(&self) -> Option<Tabulated> {
        None
    }

    /// As [`Rules::capabilities`], but for tables.
    #[inline(always)]
    fn capabilities(&self) -> Capabilities<'_, Self::Board, Self::Move> {
        Capabilities::default()
    }
}

impl<G: GridRules> Rules for G {
    type Board = G::Board;
    type Move = G::Move;

    fn info(&self) -> Info {
        Info {
            name: G::NAME.into(),
            title: G::TITLE,
            rules: G::RULES,
            alphabet: G::LETTERS.0,
            example: G::EXAMPLE,
            impartial: G::IMPARTIAL,
            loopy: G::LOOPY,
        }
    }
    fn read(&self, text: &str) -> Result<G::Board, BoardError> {
        let board = G::Board::read(text, &G::LETTERS, G::RAGGED)?;
        self.check(&board).map(|()| board)
    }
    fn show(&self, at: &G::Board) -> String {
        GridRules::show(self, at)
    }
    #[inline]
    fn moves(
        &self,
        at: &G::Board,
        who: Player,
        emit: &mut impl FnMut(G::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        GridRules::moves(self, at, who, emit)
    }
    #[inline]
    fn play(&self, at: &mut G::Board, who: Player, mv: &G::Move) {
        GridRules::play(self, at, who, mv);
    }
    fn gesture(&self, at: &G::Board, who: Player, mv: &G::Move) -> Vec<Spot> {
        GridRules::gesture(self, at, who, mv)
    }
    fn scene(&self, at: &G::Board) -> Scene {
        Scene { look: G::LOOK, ..at.scene(&G::LETTERS) }
    }
    fn start(&self, size: Size) -> Result<G::Board, BoardError> {
        GridRules::start(self, size)
    }
    #[inline]
    fn parts(&self, at: &G::Board, emit: &mut impl FnMut(G::Board)) {
        GridRules::parts(self, at, emit);
    }
    fn regions(&self, at: &G::Board, emit: &mut impl FnMut(G::Board, Vec<Spot>)) {
        GridRules::regions(self, at, emit);
    }
    #[inline]
    fn normalise(&self, at: G::Board) -> (G::Board, Sign) {
        GridRules::normalise(self, at)
    }
    #[inline(always)]
    fn capabilities(&self) -> Capabilities<'_, G::Board, G::Move> {
        let tabulation: Option<&dyn Tabulation<G::Board>> =
            if G::WEIGHTS.is_some() { Some(self) } else { None };
        Capabilities { tabulation, ..GridRules::capabilities(self) }
    }
}

/// Given out only if there are [`WEIGHTS`](GridRules::WEIGHTS).
impl<G: GridRules> Tabulation<G::Board> for G {
    fn grid(&self) -> GridTraits {
        G::SYMMETRY.traits(G::WEIGHTS.unwrap_or_default())
    }
    #[inline]
    fn codes(&self, at: &G::Board) -> Option<Codes> {
        Some(at.codes())
    }
    #[inline]
    fn of_codes(&self, codes: &Codes) -> Option<Result<G::Board, BoardError>> {
        Some(G::Board::of_codes(codes))
    }
    fn tabulated(&self) -> Option<Tabulated> {
        GridRules::tabulated(self)
    }
}
