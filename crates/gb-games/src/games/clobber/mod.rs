//! Clobber: a stone moves onto an enemy stone beside, above or below it, which is removed. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("clobber").unwrap().read("xxo").unwrap();
//! assert_eq!(row.options(Left), ["x.x"]);
//! assert_eq!(row.options(Right), ["xo."]);
//! ```

use gb_rules::grid::prelude::*;

mod heuristics;
mod priors;
mod theorems;

pub use priors::{ASPECTS, aspects};

/// The rules of Clobber.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clobber<W>(PhantomData<W>);

impl<W: Word> GridRules for Clobber<W> {
    type Board = BitGrid<W, 2>;
    /// From, to.
    type Move = (u8, u8);
    const NAME: &'static str = "clobber";
    const TITLE: &'static str = "Clobber";
    const RULES: &'static str = "A player moves a stone onto an enemy stone beside, above or below it and removes that. Who \
        cannot move loses.";
    const EXAMPLE: &'static str = "xoxo|oxox|xoxo|oxox";
    const LETTERS: Alphabet = Alphabet(&[('.', "empty"), ('x', "Left's stone"), ('o', "Right's stone")]);
    const SYMMETRY: Symmetry = Symmetry::ImagesAndColours;
    const WEIGHTS: Option<&'static [u8]> = Some(&[0, 1, 1]);

    /// The checkerboard.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        BitGrid::fill(size, |row, col| 1 + (row + col) % 2)
    }
    #[inline]
    fn moves(&self, at: &Self::Board, who: Player, emit: &mut impl Emit<(u8, u8)>) -> ControlFlow<()> {
        let [east, west, south, north] = movable(at, who);
        let (next, below) = (1, at.frame().stride);
        east.cells().try_for_each(|from| emit((from as u8, (from + next) as u8)))?;
        west.cells().try_for_each(|from| emit((from as u8, (from - next) as u8)))?;
        south.cells().try_for_each(|from| emit((from as u8, (from + below) as u8)))?;
        north.cells().try_for_each(|from| emit((from as u8, (from - below) as u8)))
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, &(from, to): &(u8, u8)) {
        let (from, to) = (W::bit(from.into()), W::bit(to.into()));
        at.planes[who as usize] ^= from | to;
        at.planes[who.opponent() as usize] ^= to;
    }
    fn gesture(&self, at: &Self::Board, _who: Player, &(from, to): &(u8, u8)) -> Vec<Spot> {
        vec![at.spot(from.into()), at.spot(to.into())]
    }
    /// Connected stones of both colours.
    #[inline]
    fn split(&self, at: &Self::Board, emit: &mut impl FnMut(W)) {
        let [x, o] = at.planes;
        at.frame().components4(x | o).filter(|part| part.meets(x) && part.meets(o)).for_each(emit);
    }
    fn tabulated(&self) -> Option<Tabulated> {
        let onto = |step| StoneMove { cells: vec![((0, 0), 1, 0), (step, 2, 1)] };
        Some(Tabulated::Going([(0, 1), (0, -1), (1, 0), (-1, 0)].map(onto).into()))
    }
    gb_rules::has!(theorems, heuristics, sampling, same_when_impartial);
}

/// The stones of a player that can move to the right, to the left, down and up.
#[inline]
fn movable<W: Word>(at: &BitGrid<W, 2>, who: Player) -> [W; 4] {
    let frame = at.frame();
    let (own, enemy) = (at.planes[who as usize], at.planes[who.opponent() as usize]);
    [frame.west(enemy), frame.east(enemy), frame.north(enemy), frame.south(enemy)].map(|beside| own & beside)
}
