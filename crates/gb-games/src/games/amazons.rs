//! Amazons: an amazon moves like a chess queen and then shoots an arrow like one; the cell it hits is burned.
//! Neither may pass over burned cells or amazons. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::Left;
//! let row = gb_games::game("amazons").unwrap().read("x..").unwrap();
//! assert_eq!(row.options(Left), [".x#", "#x.", ".#x", "#.x"]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Frame, Size, Spot, Word};
use gb_rules::{GridTraits, Heuristics, Info, Player, Rules, Sign, Tabulation, Theorems};
use gb_value::{Halt, Kernel, Value};

use crate::shared::letters::{codes_of_grids, grid_of_letters};

/// The rules of Amazons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Amazons<W>(PhantomData<W>);

const LETTERS: Alphabet =
    Alphabet(&[('#', "burned"), ('x', "Left's amazon"), ('o', "Right's amazon"), ('.', "empty")]);

/// How many positions and moves [`alone`] looks at before it leaves a region to the search.
const ALONE: u32 = 40_000;

/// Calls `emit` with every empty cell that a queen on `from` sees, in the order of the directions.
#[inline]
fn rays<W: Word>(
    frame: &Frame<W>,
    empty: W,
    from: W,
    emit: &mut impl FnMut(W) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for direction in 0..8 {
        let mut at = frame.step(from, direction) & empty;
        while !at.is_empty() {
            emit(at)?;
            at = frame.step(at, direction) & empty;
        }
    }
    ControlFlow::Continue(())
}

#[inline]
fn amazons<W: Word>(at: &BitGrid<W, 2>, who: Player) -> W {
    let [x, o] = at.planes;
    if who == Player::Left { x & !o } else { o & !x }
}

impl<W: Word> Rules for Amazons<W> {
    type Board = BitGrid<W, 2>;
    /// From, to, arrow.
    type Move = [u8; 3];

    fn info(&self) -> Info {
        Info {
            name: "amazons".into(),
            title: "Amazons",
            rules: "A player moves an amazon like a chess queen and shoots an arrow from there, like a queen again, which \
                    burns the cell it hits. Burned cells and amazons are in the way. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "x...|....|...o",
            impartial: false,
            loopy: false,
        }
    }
    grid_of_letters!(LETTERS);
    /// Four amazons each, a third of the way along the edges, as on the usual 10x10 board; on boards with a side below 8
    /// two each, in opposite corners.
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        let (rows, cols) = size.grid();
        let (last_row, last_col) = (rows.saturating_sub(1), cols.saturating_sub(1));
        BitGrid::fill(size, |row, col| {
            if rows < 8 || cols < 8 {
                return match (row, col) {
                    (0, 0) => 1,
                    (r, c) if (r, c) == (last_row, last_col) => 1,
                    (0, c) if c == last_col => 2,
                    (r, 0) if r == last_row => 2,
                    _ => 3,
                };
            }
            let (down, across) = (last_row / 3, last_col / 3);
            let side = col == 0 || col == last_col;
            let beam = col == across || col == last_col - across;
            match row {
                0 if beam => 2,
                r if r == down && side => 2,
                r if r == last_row && beam => 1,
                r if r == last_row - down && side => 1,
                _ => 3,
            }
        })
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut([u8; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let frame = at.frame();
        let empty = at.planes[0] & at.planes[1];
        for from in amazons(at, who).cells() {
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
        // An amazon's cell lacks the plane of the other colour.
        let other = if who == Player::Left { 1 } else { 0 };
        at.planes[other] |= from;
        at.planes[other] &= !to;
        for plane in &mut at.planes {
            *plane &= !arrow;
        }
    }
    fn gesture(&self, at: &Self::Board, _who: Player, mv: &[u8; 3]) -> Vec<Spot> {
        mv.iter().map(|&cell| at.spot(cell.into())).collect()
    }

    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        split(at, &mut |set| emit(at.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        split(at, &mut |set| emit(at.cut(set), at.spots(set)));
    }
    /// The least of the eight images, with either player as Left.
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        let (least, exchanged) = at.least_wide_of_either();
        (least, if exchanged { Sign::Minus } else { Sign::Plus })
    }
    gb_rules::has!(theorems, tabulation, heuristics, same_when_impartial);
}

impl<W: Word> Theorems<BitGrid<W, 2>, [u8; 3]> for Amazons<W> {
    /// A region with amazons of one player is worth as many moves as that player can make there.
    fn known(&self, at: &BitGrid<W, 2>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        for who in Player::BOTH {
            if amazons(at, who.opponent()).is_empty() {
                let mut budget = ALONE;
                let count = alone(self, at, who, &mut budget).map(i64::from);
                // On a large board this takes longer than a node of a search.
                kernel.work((ALONE - budget) / 64)?;
                let sign = if who == Player::Left { 1 } else { -1 };
                return Ok(count.map(|count| kernel.integer(sign * count)));
            }
        }
        Ok(None)
    }
    /// Every move burns an empty cell.
    fn bounds(&self, at: &BitGrid<W, 2>) -> (Option<i64>, Option<i64>) {
        let empty = i64::from((at.planes[0] & at.planes[1]).len());
        let most = |who| if amazons(at, who).is_empty() { 0 } else { empty };
        (Some(-most(Player::Right)), Some(most(Player::Left)))
    }
}

impl<W: Word> Tabulation<BitGrid<W, 2>> for Amazons<W> {
    fn grid(&self) -> GridTraits {
        GridTraits {
            weights: &[0, 0, 0, 1],
            mirrors: true,
            transpose: Some(Sign::Plus),
            swap: Some(&[0, 2, 1, 3]),
        }
    }
    codes_of_grids!();
}

impl<W: Word> Heuristics<BitGrid<W, 2>, [u8; 3]> for Amazons<W> {
    /// Mobility after the move.
    #[inline]
    fn order_score(&self, at: &BitGrid<W, 2>, who: Player, mv: &[u8; 3]) -> i32 {
        let mut after = *at;
        self.play(&mut after, who, mv);
        let frame = after.frame();
        let empty = after.planes[0] & after.planes[1];
        let steps = |who| (frame.around8(amazons(&after, who)) & empty).len() as i32;
        steps(who) - steps(who.opponent())
    }
}

/// The greatest number of moves of a player who is alone in a region, unless finding it takes too long.
fn alone<W: Word>(rules: &Amazons<W>, at: &BitGrid<W, 2>, who: Player, budget: &mut u32) -> Option<u32> {
    *budget = budget.checked_sub(1)?;
    let mut total = 0;
    let mut within_budget = true;
    split(at, &mut |set| {
        let region = at.cut(set);
        let most = (region.planes[0] & region.planes[1]).len();
        let mut best = 0;
        let _ = rules.moves(&region, who, &mut |mv| {
            let mut after = region;
            rules.play(&mut after, who, &mv);
            *budget = budget.saturating_sub(1);
            match alone(rules, &after, who, budget) {
                None => within_budget = false,
                Some(more) => best = best.max(1 + more),
            }
            if within_budget && best < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        total += best;
    });
    within_budget.then_some(total)
}

/// Regions that a king could walk through, with amazons and with empty cells.
#[inline]
fn split<W: Word>(at: &BitGrid<W, 2>, emit: &mut impl FnMut(W)) {
    let frame = at.frame();
    let [x, o] = at.planes;
    let (empty, amazons) = (x & o, x ^ o);
    let mut left = x | o;
    while !left.is_empty() {
        let part = frame.flood8(W::bit(left.first()), left);
        left &= !part;
        if part.meets(amazons) && part.meets(empty) {
            emit(part);
        }
    }
}
