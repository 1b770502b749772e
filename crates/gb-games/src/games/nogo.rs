//! NoGo: players place stones as in Go, but nothing is ever taken: a move after which any group, own or enemy, has no
//! liberty is illegal. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("nogo").unwrap().read("x..").unwrap();
//! assert_eq!(row.options(Left), ["xx.", "x.x"]);
//! assert_eq!(row.options(Right), ["x.o"]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{Alphabet, BitGrid, BoardError, Frame, Size, Spot, Word};
use gb_rules::{GridTraits, Heuristics, Info, Player, Rules, Sampling, Sign, Tabulation, Theorems};

use crate::shared::letters::{codes_of_grids, grid_of_letters};

/// The rules of NoGo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoGo<W>(PhantomData<W>);

/// Planes: not Right's stone, not Left's stone (both: empty), lasting. A cell that neither player will ever be allowed to
/// fill lasts as a liberty, and then the stones beside it are safe for good.
const LETTERS: Alphabet = Alphabet(&[
    ('#', "not part of the board"),
    ('x', "Left's stone"),
    ('o', "Right's stone"),
    ('.', "empty"),
    ('+', "(empty for good)"),
    ('X', "(Left's stone, safe)"),
    ('O', "(Right's stone, safe)"),
]);

/// The board as sets.
struct View<W> {
    frame: Frame<W>,
    /// Left's and Right's stones.
    stones: [W; 2],
    empty: W,
    /// Empty for good.
    plus: W,
    /// Safe stones.
    safe: W,
}

/// What the groups of one player say about moves.
struct Groups<W> {
    /// The last liberties of groups that have only one.
    last: W,
    /// The stones of groups that have more.
    rich: W,
    /// Some group has no liberty, so that no move is legal at all.
    dead: bool,
}

impl<W: Word> View<W> {
    #[inline]
    fn of(at: &BitGrid<W, 3>) -> View<W> {
        let [x, o, lasting] = at.planes;
        View {
            frame: at.frame(),
            stones: [x & !o, o & !x],
            empty: x & o,
            plus: lasting & !x & !o,
            safe: lasting & (x ^ o),
        }
    }

    #[inline]
    fn groups(&self, stones: W) -> Groups<W> {
        let mut found = Groups { last: W::ZERO, rich: W::ZERO, dead: false };
        // Stones beside a lasting liberty or between two liberties need no counting.
        let sure = stones & (self.safe | self.frame.around4(self.plus) | self.frame.between4(self.empty));
        found.rich = self.frame.flood4(sure, stones);
        let mut left = stones & !found.rich;
        while !left.is_empty() {
            let group = self.frame.flood4(W::bit(left.first()), left);
            left &= !group;
            let liberties = self.frame.around4(group) & self.empty;
            match liberties.len() {
                0 => found.dead = true,
                1 => found.last |= liberties,
                _ => found.rich |= group,
            }
        }
        found
    }

    /// Where Left and Right may move.
    #[inline]
    fn legal(&self) -> [W; 2] {
        let groups = self.stones.map(|stones| self.groups(stones));
        if groups.iter().any(|groups| groups.dead) {
            return [W::ZERO; 2];
        }
        let breath = self.frame.around4(self.empty | self.plus);
        let may = |own: usize| {
            let breath = breath | self.frame.around4(groups[own].rich);
            self.empty & breath & !groups[1 - own].last
        };
        [may(0), may(1)]
    }
}

impl<W: Word> Rules for NoGo<W> {
    type Board = BitGrid<W, 3>;
    /// The cell.
    type Move = u8;

    fn info(&self) -> Info {
        Info {
            name: "nogo".into(),
            title: "NoGo",
            rules: "A player places a stone on an empty cell such that all groups, own and enemy, keep a liberty (an empty \
                    cell beside, above or below). Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "...|...|...",
            impartial: false,
            loopy: false,
        }
    }
    grid_of_letters!(LETTERS);
    fn start(&self, size: Size) -> Result<Self::Board, BoardError> {
        BitGrid::fill(size, |_, _| 3)
    }
    #[inline]
    fn moves(
        &self,
        at: &Self::Board,
        who: Player,
        emit: &mut impl FnMut(u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [left, right] = View::of(at).legal();
        for cell in (if who == Player::Left { left } else { right }).cells() {
            emit(cell as u8)?;
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u8) {
        let other = if who == Player::Left { 1 } else { 0 };
        at.planes[other] &= !W::bit(u32::from(*mv));
    }
    fn gesture(&self, at: &Self::Board, _who: Player, mv: &u8) -> Vec<Spot> {
        vec![at.spot(u32::from(*mv))]
    }

    #[inline]
    fn parts(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board)) {
        split(at, &mut |board, set, _| emit(board.cut(set)));
    }
    fn regions(&self, at: &Self::Board, emit: &mut impl FnMut(Self::Board, Vec<Spot>)) {
        split(at, &mut |board, set, own| emit(board.cut(set), board.spots(own)));
    }
    /// The least of the eight images, with either player as Left.
    #[inline]
    fn normalise(&self, at: Self::Board) -> (Self::Board, Sign) {
        let swapped = BitGrid { planes: [at.planes[1], at.planes[0], at.planes[2]], ..at };
        let (kept, swapped) = (at.least_wide().0, swapped.least_wide().0);
        if swapped < kept { (swapped, Sign::Minus) } else { (kept, Sign::Plus) }
    }
    gb_rules::has!(theorems, tabulation, heuristics, sampling, same_when_impartial);
}

impl<W: Word> Theorems<BitGrid<W, 3>, u8> for NoGo<W> {
    fn bounds(&self, at: &BitGrid<W, 3>) -> (Option<i64>, Option<i64>) {
        let [left, right] = View::of(at).legal().map(|cells| i64::from(cells.len()));
        (Some(-right), Some(left))
    }
}

impl<W: Word> Tabulation<BitGrid<W, 3>> for NoGo<W> {
    fn grid(&self) -> GridTraits {
        GridTraits {
            weights: &[0, 0, 0, 1, 0, 0, 0],
            mirrors: true,
            transpose: Some(Sign::Plus),
            swap: Some(&[0, 2, 1, 3, 4, 6, 5]),
        }
    }
    codes_of_grids!();
}

impl<W: Word> Heuristics<BitGrid<W, 3>, u8> for NoGo<W> {
    /// Free cells around a stone may become the player's own, most of all if the player stands on their other side, and
    /// stones of the enemy are hemmed in. This order of moves saves two nodes of three on strips of 13 to 18 cells.
    fn order_score(&self, at: &BitGrid<W, 3>, who: Player, mv: &u8) -> i32 {
        let view = View::of(at);
        let own = usize::from(who == Player::Right);
        let beside = view.frame.around4(W::bit(u32::from(*mv)));
        let count = |set: W| set.len() as i32;
        let across = view.frame.around4(beside) & view.stones[own];
        8 * count(beside & view.empty) + 4 * count(beside & view.stones[1 - own]) + 8 * count(across)
    }
}

impl<W: Word> Sampling<BitGrid<W, 3>, u8> for NoGo<W> {
    #[inline]
    fn count_moves(&self, at: &BitGrid<W, 3>, who: Player) -> u32 {
        View::of(at).legal()[usize::from(who == Player::Right)].len()
    }
    #[inline]
    fn random_move(&self, at: &BitGrid<W, 3>, who: Player, below: &mut dyn FnMut(u32) -> u32) -> Option<u8> {
        let cells = View::of(at).legal()[usize::from(who == Player::Right)];
        (!cells.is_empty()).then(|| cells.nth(below(cells.len())) as u8)
    }
}

/// Calls `emit` with the board, in which lasting cells are marked, and with sets of cells: a part with the lasting cells
/// around it, and without them.
///
/// A move that is illegal stays illegal: liberties only go. So a cell that neither may fill is a liberty for good, and
/// stones beside it are safe for good. Two regions with only such cells between them cannot influence each other.
#[inline]
fn split<W: Word>(at: &BitGrid<W, 3>, emit: &mut impl FnMut(&BitGrid<W, 3>, W, W)) {
    let mut view = View::of(at);
    let [left, right] = view.legal();
    let open = left | right;
    if open.is_empty() {
        return;
    }
    let mut board = *at;
    view.plus |= view.empty & !open;
    view.empty = open;
    for stones in view.stones {
        let sure = stones & (view.safe | view.frame.around4(view.plus));
        view.safe |= view.frame.flood4(sure, stones);
    }
    board.planes[2] = view.plus | view.safe;
    for plane in &mut board.planes[..2] {
        *plane &= !view.plus;
    }
    let lasting = board.planes[2];
    let mortal = (view.stones[0] | view.stones[1]) & !view.safe;
    let mut rest = open;
    while !rest.is_empty() {
        let part = view.frame.flood4(W::bit(rest.first()), open | mortal);
        rest &= !part;
        emit(&board, part | (view.frame.around4(part) & lasting), part);
    }
}
