//! How boards of Domineering fall apart: at dead ends, and into corridors, which are integers.

use gb_board::{BitGrid, Frame, Word};

/// Emits the parts that are no corridors, and one corridor that is worth as much as all others.
pub(super) fn parts<W: Word>(at: &BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>)) {
    let corridors = without_corridors(at, emit);
    let length = 2 * corridors.unsigned_abs() as u32;
    match corridors {
        0 => {}
        1.. => emit(BitGrid { planes: [W::low(length)], rows: 1, cols: length as u8 }.transpose()),
        _ => emit(BitGrid { planes: [W::low(length)], rows: 1, cols: length as u8 }),
    }
}

/// Emits the parts that are no corridors, and returns the sum of those that are.
#[inline]
pub(super) fn without_corridors<W: Word>(at: &BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>)) -> i64 {
    let mut corridors = 0;
    split(&at.frame(), at.planes[0], &mut |set| corridors += emit_or_count(at.cut(set), emit));
    corridors
}

/// Emits a connected part, unless it is a corridor, whose value is returned.
#[inline]
pub(super) fn emit_or_count<W: Word>(part: BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>)) -> i64 {
    if part.cols == 1 {
        i64::from(part.rows / 2)
    } else if part.rows == 1 {
        -i64::from(part.cols / 2)
    } else {
        emit(part);
        0
    }
}

/// Calls `emit` with sets of cells that are independent of each other: connected cells, without single ones, and the last
/// two cells of dead ends.
///
/// The latter is the simplest case of bridge splitting (see [`Theorems::bridges`](gb_rules::Theorems::bridges)): two cells lying in a row are worth -1,
/// and so are three.
#[inline]
pub(super) fn split<W: Word>(frame: &Frame<W>, cells: W, emit: &mut impl FnMut(W)) {
    let mut left = cells;
    while has_thin_three(frame, left) {
        let before = left;
        let (lying, upright) = thin(frame, left);
        cut_dead_ends(&mut left, lying, |set| frame.east(set), |set| frame.west(set), emit);
        cut_dead_ends(&mut left, lying, |set| frame.west(set), |set| frame.east(set), emit);
        cut_dead_ends(&mut left, upright, |set| frame.south(set), |set| frame.north(set), emit);
        cut_dead_ends(&mut left, upright, |set| frame.north(set), |set| frame.south(set), emit);
        if left == before {
            break;
        }
    }
    frame.components4(left).filter(|part| part.len() > 1).for_each(emit);
}

/// The cells without upright neighbours and those without lying ones.
#[inline]
pub(super) fn thin<W: Word>(frame: &Frame<W>, cells: W) -> (W, W) {
    let lying = cells & !(frame.north(cells) | frame.south(cells));
    let upright = cells & !(frame.east(cells) | frame.west(cells));
    (lying, upright)
}

/// Whether there are three thin cells in a row, without which there is no dead end to be cut.
#[inline]
pub(super) fn has_thin_three<W: Word>(frame: &Frame<W>, cells: W) -> bool {
    let (lying, upright) = thin(frame, cells);
    let lying = lying & frame.east(lying) & frame.west(lying);
    let upright = upright & frame.south(upright) & frame.north(upright);
    !(lying | upright).is_empty()
}

/// Emits and removes the first two cells of dead ends that begin with three thin cells, going `forth`.
#[inline]
fn cut_dead_ends<W: Word>(
    left: &mut W,
    thin: W,
    forth: impl Fn(W) -> W,
    back: impl Fn(W) -> W,
    emit: &mut impl FnMut(W),
) {
    let thin = thin & *left;
    let ends = thin & !forth(*left) & back(thin & back(thin));
    for cell in ends.cells() {
        emit(W::bit(cell) | forth(W::bit(cell)));
    }
    *left &= !(ends | forth(ends));
}
