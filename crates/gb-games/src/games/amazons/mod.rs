//! Amazons: an amazon moves like a chess queen and then shoots an arrow like one; the cell it hits is burned.
//! Neither may pass over burned cells or amazons. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::Left;
//! let row = gb_games::game("amazons").unwrap().read("x..").unwrap();
//! assert_eq!(row.options(Left), [".x#", "#x.", ".#x", "#.x"]);
//! ```

use gb_board::Frame;
use gb_rules::grid::prelude::*;

mod theorems;

/// The rules of Amazons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Amazons<W>(PhantomData<W>);

impl<W: Word> GridRules for Amazons<W> {
    type Board = BitGrid<W, 2>;
    /// From, to, arrow.
    type Move = [u8; 3];
    const NAME: &'static str = "amazons";
    const TITLE: &'static str = "Amazons";
    const RULES: &'static str = "A player moves an amazon like a chess queen and shoots an arrow from there, like a queen again, \
        which burns the cell it hits. Burned cells and amazons are in the way. Who cannot move loses.";
    const EXAMPLE: &'static str = "x...|....|...o";
    const LETTERS: Alphabet =
        Alphabet(&[('#', "burned"), ('x', "Left's amazon"), ('o', "Right's amazon"), ('.', "empty")]);
    const SYMMETRY: Symmetry = Symmetry::ImagesAndColours;
    const WEIGHTS: Option<&'static [u8]> = Some(&[0, 0, 0, 1]);

    /// Four amazons each, a third of the way along the edges, as on the usual 10x10 board; on boards with a side below 8
    /// two each, in opposite corners.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (rows, cols) = size.grid();
        let (bottom, right) = (rows.saturating_sub(1), cols.saturating_sub(1));
        let (down, across) = (bottom / 3, right / 3);
        let [xs, os] = if rows < 8 || cols < 8 {
            [vec![(0, 0), (bottom, right)], vec![(0, right), (bottom, 0)]]
        } else {
            let [low, far] = [bottom - down, right - across];
            [
                vec![(bottom, across), (bottom, far), (low, 0), (low, right)],
                vec![(0, across), (0, far), (down, 0), (down, right)],
            ]
        };
        BitGrid::fill(size, |row, col| match (row, col) {
            cell if xs.contains(&cell) => 1,
            cell if os.contains(&cell) => 2,
            _ => 3,
        })
    }
    #[inline]
    fn moves(&self, at: &Self::Board, who: Player, emit: &mut impl Emit<[u8; 3]>) -> ControlFlow<()> {
        let (frame, empty) = (at.frame(), at.empty());
        for from in at.pieces()[who as usize].cells() {
            let start = W::bit(from);
            rays(&frame, empty, start, &mut |to| {
                rays(&frame, (empty | start) & !to, to, &mut |arrow| {
                    emit([from as u8, to.first() as u8, arrow.first() as u8])
                })
            })?;
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, mv: &[u8; 3]) {
        let [from, to, arrow] = mv.map(|cell| W::bit(cell.into()));
        at.clear(from);
        at.put(who as usize, to);
        at.remove(arrow);
    }
    fn gesture(&self, at: &Self::Board, _who: Player, mv: &[u8; 3]) -> Vec<Spot> {
        mv.iter().map(|&cell| at.spot(cell.into())).collect()
    }
    /// Regions that a king could walk through, with amazons and with empty cells.
    #[inline]
    fn split(&self, at: &Self::Board, emit: &mut impl FnMut(W)) {
        let ([x, o], empty) = (at.pieces(), at.empty());
        let regions = at.frame().components8(x | o | empty);
        regions.filter(|part| part.meets(x | o) && part.meets(empty)).for_each(emit);
    }
    gb_rules::has!(theorems, heuristics, same_when_impartial);
}

/// Calls `emit` with every empty cell that a queen on `from` sees, in the order of the directions.
#[inline]
fn rays<W: Word>(frame: &Frame<W>, empty: W, from: W, emit: &mut impl Emit<W>) -> ControlFlow<()> {
    for direction in 0..8 {
        let mut at = frame.step(from, direction) & empty;
        while !at.is_empty() {
            emit(at)?;
            at = frame.step(at, direction) & empty;
        }
    }
    ControlFlow::Continue(())
}
