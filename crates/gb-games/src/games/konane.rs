//! Konane: a stone jumps over an enemy stone beside, above or below it to the empty cell behind, and removes it; it may
//! go on jumping in the same direction. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("konane").unwrap().read("xo.o.").unwrap();
//! assert_eq!(row.options(Left), ["..xo.", "....x"]);
//! assert!(row.options(Right).is_empty());
//! ```

use gb_board::{LineMove, Triples};
use gb_rules::grid::prelude::*;

/// The rules of Konane.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Konane<W>(PhantomData<W>);

/// Left's stone (0) over Right's (1) to an empty cell (2), and the other way round.
const JUMPS: [[LineMove; 4]; 2] =
    [LineMove::all_ways([0, 1, 2], [2, 2, 0]), LineMove::all_ways([1, 0, 2], [2, 2, 1])];

impl<W: Word> GridRules for Konane<W> {
    type Board = BitGrid<W, 2>;
    /// From, to.
    type Move = (u8, u8);
    const NAME: &'static str = "konane";
    const TITLE: &'static str = "Konane";
    const RULES: &'static str = "A stone jumps over an enemy stone beside, above or below it to the empty cell behind and \
        removes it; it may go on jumping in the same direction. Who cannot move loses.";
    const EXAMPLE: &'static str = "xoxo|o..x|xoxo|oxox";
    const LETTERS: Alphabet = Alphabet(&[
        ('#', "not part of the board"),
        ('x', "Left's stone"),
        ('o', "Right's stone"),
        ('.', "empty"),
    ]);
    const SYMMETRY: Symmetry = Symmetry::ImagesAndColours;
    const WEIGHTS: Option<&'static [u8]> = Some(&[0, 1, 1, 0]);

    /// The checkerboard after the two opening moves, which take two neighbouring stones from the middle.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (rows, cols) = size.grid();
        let (row, col) = (rows.saturating_sub(1) / 2, cols.saturating_sub(1) / 2);
        BitGrid::fill(size, |r, c| if r == row && (c == col || c == col + 1) { 3 } else { 1 + (r + c) % 2 })
    }
    #[inline]
    fn moves(&self, at: &Self::Board, who: Player, emit: &mut impl Emit<(u8, u8)>) -> ControlFlow<()> {
        let (frame, empty, pieces) = (at.frame(), at.empty(), at.pieces());
        let (own, enemy) = (pieces[who as usize], pieces[who.opponent() as usize]);
        for d in 0..4 {
            for from in Triples::starts(&frame, d, own, enemy, empty).cells() {
                let (mut over, mut land) = Triples::rest(&frame, d, W::bit(from));
                while over.meets(enemy) && land.meets(empty) {
                    emit((from as u8, land.first() as u8))?;
                    (over, land) = Triples::rest(&frame, d, land);
                }
            }
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, &(from, to): &(u8, u8)) {
        let stride = at.frame().stride as u8;
        let step = if from / stride == to / stride { 1 } else { stride };
        // The stones that were jumped over.
        for cell in (from.min(to) + step..from.max(to)).step_by(2 * usize::from(step)) {
            at.clear(W::bit(cell.into()));
        }
        at.clear(W::bit(from.into()));
        at.put(who as usize, W::bit(to.into()));
    }
    fn gesture(&self, at: &Self::Board, _who: Player, &(from, to): &(u8, u8)) -> Vec<Spot> {
        vec![at.spot(from.into()), at.spot(to.into())]
    }
    /// The classes of cells that jumps which may ever come up could join.
    #[inline]
    fn split(&self, at: &Self::Board, emit: &mut impl FnMut(W)) {
        let ([x, o], frame) = (at.pieces(), at.frame());
        Triples::ever(&frame, [x, o, at.empty()], JUMPS.as_flattened()).classes(&frame, emit);
    }
    gb_rules::has!(same_when_impartial);
}
