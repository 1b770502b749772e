//! Moves of Domineering that need not be tried by who only wants to win.

use gb_board::{Frame, Word};

use super::race::Line;

/// The moves of `heads`, the first cells of all dominoes of a player, without those that win only if others win too.
///
/// *Safe dominoes*, on two cells that the opponent can never use (Bullock, Domineering: Solving Large Combinatorial Search Spaces, 2002).
/// Say Left wins by the safe domino `D`, in whatever sum, so that what it leaves, `H`, is at least 0. Let `M` be the domino at an end of
/// another line of cells, in which there is no safe domino. All dominoes of Left that `M` hinders contain the second cell from the end, so that Left
/// can place one of them at most, and a move to spare makes up for it: `H` with `M` placed, plus 1, is at least `H`. And with `D` still to be placed the
/// board is worth at least 1 more than without. So after `M` it is at least `H` with `M` placed plus 1, at least `H`, at least 0: `M` wins as well.
///
/// *The first two of three cells* `a`, `b`, `c`, where the opponent cannot use `a` and the line ends with `c`. To place `b`, `c` is no worse: that leaves `a`, which
/// only helps the player, and the other leaves `c`, which only helps the opponent.
#[inline]
pub(super) fn needed<W: Word>(frame: &Frame<W>, empty: W, heads: W, upright: bool) -> W {
    let line = Line { frame, upright };
    let own = empty & !line.beside(empty);
    let safe = own & line.back(own);
    let mut needed = heads;
    if !safe.is_empty() {
        let mut lines = safe | line.forth(safe);
        loop {
            let longer = (lines | line.forth(lines) | line.back(lines)) & empty;
            if longer == lines {
                break;
            }
            lines = longer;
        }
        if !(heads & !lines).is_empty() {
            needed &= !safe;
        }
    }
    let (first, last) = (empty & !line.forth(empty), empty & !line.back(empty));
    let downward = own & line.back(empty & line.back(last));
    let upward = line.forth(first) & line.back(own);
    // Of three cells both ends of which are of no use to the opponent, one domino stays.
    let both = downward & first & line.back(upward);
    needed & !(downward | (upward & !line.forth(both)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use gb_board::{BitGrid, Word};
    use gb_rules::Player;

    use super::super::{domino, places};
    use super::needed;

    type Known = HashMap<(u64, i64, Player), bool>;

    fn after(at: &BitGrid<u64>, who: Player, cell: u32) -> BitGrid<u64> {
        BitGrid { planes: [at.planes[0] & !domino(&at.frame(), who, cell)], ..*at }
    }

    /// Whether the player to move wins a board and an integer, by trying everything.
    fn wins(at: &BitGrid<u64>, number: i64, who: Player, known: &mut Known) -> bool {
        let key = (at.planes[0], number, who);
        if let Some(&wins) = known.get(&key) {
            return wins;
        }
        let one = if who == Player::Left { 1 } else { -1 };
        let wins =
            places(at, who).cells().any(|cell| !wins(&after(at, who, cell), number, who.opponent(), known))
                || number * one > 0 && !wins(at, number - one, who.opponent(), known);
        known.insert(key, wins);
        wins
    }

    /// On all boards of some sizes: if a move wins, a move wins that is not left out, and moves are left out.
    #[test]
    fn who_wins_needs_no_other_moves() {
        for (rows, cols) in [(3, 4), (4, 3), (2, 6), (5, 2), (6, 2)] {
            let (mut known, mut left_out) = (Known::new(), 0);
            for cells in 0..1u64 << (rows * cols) {
                let mut board = BitGrid::<u64>::blank(rows, cols).unwrap();
                for i in 0..rows * cols {
                    board.set((i / cols) as u32, (i % cols) as u32, (cells >> i & 1) as usize);
                }
                for (who, number) in Player::BOTH.into_iter().flat_map(|who| (-3..=3).map(move |n| (who, n)))
                {
                    let all = places(&board, who);
                    let tried = needed(&board.frame(), board.planes[0], all, who == Player::Left);
                    assert!(tried & !all == 0 && (tried != 0 || all == 0));
                    left_out += (all & !tried).len();
                    let mut one_of = |moves: u64| {
                        let mut moves = moves.cells();
                        moves.any(|cell| !wins(&after(&board, who, cell), number, who.opponent(), &mut known))
                    };
                    assert!(!one_of(all) || one_of(tried), "{board:?} {who} {number}");
                }
            }
            assert!(left_out > 1000, "{left_out}");
        }
    }
}
