//! Boards of Domineering cut into bands, in which a player has fewer moves.

use gb_board::{BitGrid, Word};
use gb_rules::Player;

/// Every so many neighbouring rows for Left, columns for Right.
///
/// Who places dominoes across the lines may not place them over a cut, and the opponent is not hindered: with one hand tied a player does no better (M. Lachmann, C. Moore and
/// I. Rapaport, Who wins Domineering on rectangular boards?, 2002).
pub(super) fn emit<W: Word>(at: &BitGrid<W>, who: Player, width: u32, emit: &mut dyn FnMut(BitGrid<W>)) {
    let (frame, empty) = (at.frame(), at.planes[0]);
    let (line, step, lines) = match who {
        Player::Left => (W::low(frame.cols), frame.stride, frame.rows),
        Player::Right => {
            let column = (0..frame.rows).fold(W::ZERO, |line, row| line | W::bit(row * frame.stride));
            (column, 1, frame.cols)
        }
    };
    let width = width.min(lines);
    let band = (0..width).fold(W::ZERO, |band, i| band | line.up(i * step));
    for from in 0..=lines - width {
        emit(at.cut(empty & band.up(from * step)));
    }
}
