//! Groups and their liberties in NoGo: where stones may be placed, and what lasts.

use gb_board::{BitGrid, Frame, Word};
use gb_rules::Player;

/// The board as sets.
pub(super) struct View<W> {
    pub(super) frame: Frame<W>,
    /// Left's and Right's stones.
    pub(super) stones: [W; 2],
    pub(super) empty: W,
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
    pub(super) fn of(at: &BitGrid<W, 3>) -> View<W> {
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
        for group in self.frame.components4(stones & !found.rich) {
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
    pub(super) fn legal(&self) -> [W; 2] {
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

/// Where a player may move.
#[inline]
pub(super) fn legal<W: Word>(at: &BitGrid<W, 3>, who: Player) -> W {
    View::of(at).legal()[who as usize]
}

/// Calls `emit` with the board, in which lasting cells are marked, and with sets of cells: a part with the lasting cells
/// around it, and without them.
///
/// A move that is illegal stays illegal: liberties only go. So a cell that neither may fill is a liberty for good, and
/// stones beside it are safe for good. Two regions with only such cells between them cannot influence each other.
#[inline]
pub(super) fn split<W: Word>(at: &BitGrid<W, 3>, emit: &mut impl FnMut(&BitGrid<W, 3>, W, W)) {
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
