//! Peg duotaire: peg solitaire for two. A peg hops over a peg beside, above or below it to the empty hole behind, and the
//! peg it jumped over is removed. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::Left;
//! let row = gb_games::game("peg-duotaire").unwrap().read(".xx.").unwrap();
//! assert_eq!(row.options(Left), ["...x", "x..."]);
//! ```

use gb_board::{LineMove, Triples};
use gb_rules::grid::prelude::*;

/// The rules of peg duotaire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PegDuotaire<W>(PhantomData<W>);

/// A peg (0) over a peg to an empty hole (1).
const HOPS: [LineMove; 4] = LineMove::all_ways([0, 0, 1], [1, 1, 0]);

impl<W: Word> GridRules for PegDuotaire<W> {
    type Board = BitGrid<W, 2>;
    /// The peg and its direction, as in [`Triples`].
    type Move = (u8, u8);
    const NAME: &'static str = "peg-duotaire";
    const TITLE: &'static str = "Peg duotaire";
    const RULES: &'static str = "A player hops with a peg over a peg beside, above or below it to the empty hole behind and \
        removes the peg jumped over. Who cannot move loses.";
    const EXAMPLE: &'static str = "xxx|x.x|xxx|.x.";
    const LETTERS: Alphabet = Alphabet(&[('#', "not part of the board"), ('x', "peg"), ('.', "empty hole")]);
    const IMPARTIAL: bool = true;
    const SYMMETRY: Symmetry = Symmetry::Images;

    /// Pegs everywhere but in the middle.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (rows, cols) = size.grid();
        BitGrid::fill(size, |r, c| if (r, c) == (rows / 2, cols / 2) { 2 } else { 1 })
    }
    #[inline]
    fn moves(&self, at: &Self::Board, _who: Player, emit: &mut impl Emit<(u8, u8)>) -> ControlFlow<()> {
        let [pegs, empty] = at.planes;
        for d in 0..4 {
            let able = Triples::starts(&at.frame(), d, pegs, pegs, empty);
            able.cells().try_for_each(|from| emit((from as u8, d as u8)))?;
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, _who: Player, &(from, d): &(u8, u8)) {
        let from = W::bit(from.into());
        let (over, land) = Triples::rest(&at.frame(), d.into(), from);
        at.planes = at.planes.map(|plane| plane ^ (from | over | land));
    }
    fn gesture(&self, at: &Self::Board, _who: Player, &(from, d): &(u8, u8)) -> Vec<Spot> {
        let (_, land) = Triples::rest(&at.frame(), d.into(), W::bit(from.into()));
        vec![at.spot(from.into()), at.spot(land.first())]
    }
    /// The classes of holes that hops which may ever come up could join.
    #[inline]
    fn split(&self, at: &Self::Board, emit: &mut impl FnMut(W)) {
        Triples::ever(&at.frame(), at.planes, &HOPS).classes(&at.frame(), emit);
    }
    gb_rules::has!(same_when_impartial);
}
