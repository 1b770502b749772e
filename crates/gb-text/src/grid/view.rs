//! Where patterns match: all places at once, by shifts.

use gb_board::{BitGrid, Frame, Word};
use smallvec::SmallVec;

use super::compile::{Compiled, GridProgram};
use crate::pattern::Step;
use crate::tree::LetterSet;

/// The cells of each set that patterns look for.
pub(crate) type Sets<W> = SmallVec<[W; 8]>;

/// The cells with one of these codes, none of which is 0.
#[inline]
pub(crate) fn cells_of<W: Word, const N: usize>(planes: &[W; N], codes: LetterSet) -> W {
    let mut found = W::ZERO;
    let mut left = codes;
    while left != 0 {
        let code = left.trailing_zeros();
        left &= left - 1;
        let mut cells = !W::ZERO;
        for (plane, &bits) in planes.iter().enumerate() {
            cells &= if code >> plane & 1 == 1 { bits } else { !bits };
        }
        found |= cells;
    }
    found
}

/// The cells of all sets of a game.
#[inline]
pub(crate) fn sets_of<W: Word, const N: usize>(program: &GridProgram, at: &BitGrid<W, N>) -> Sets<W> {
    program.sets.iter().map(|&set| cells_of(&at.planes, set)).collect()
}

/// The cells of the columns from one to another, that one left out, in all rows.
#[inline]
pub(crate) fn columns<W: Word>(frame: &Frame<W>, from: u32, to: u32) -> W {
    if from >= to {
        return W::ZERO;
    }
    let row = W::low(to) & !W::low(from);
    if W::BYTE_ROWS && frame.stride == 8 && frame.rows <= 8 {
        return W::from64(row.low64().wrapping_mul(0x0101_0101_0101_0101)) & frame.full;
    }
    let mut all = W::ZERO;
    for line in 0..frame.rows {
        all |= row.up(line * frame.stride);
    }
    all
}

/// Whether a pattern of this width that hangs over the edge of the board could meet cells of the next row: in a single row, or a short row of
/// bytes, it only meets empty bits.
#[inline]
pub(crate) fn may_hang_over<W: Word>(frame: &Frame<W>, width: u32) -> bool {
    frame.rows > 1 && !(W::BYTE_ROWS && frame.stride == 8 && frame.cols + width <= 9)
}

/// The cells from which a cell of the set is this step away.
#[inline]
pub(crate) fn seen_from<W: Word>(frame: &Frame<W>, set: W, (down, right): Step) -> W {
    let by = down * frame.stride as i32 + right;
    let moved = if by >= 0 { set.down(by as u32) } else { set.up(by.unsigned_abs()) };
    if right == 0 {
        return moved & frame.full;
    }
    let (from, to) = ((-right).max(0) as u32, (frame.cols as i32 - right.max(0)).max(0) as u32);
    moved & columns(frame, from.min(frame.cols), to)
}

/// The cells that are this step away from the set.
#[inline]
pub(crate) fn stepped<W: Word>(frame: &Frame<W>, set: W, (down, right): Step) -> W {
    seen_from(frame, set, (-down, -right))
}

impl Compiled {
    /// Where the base lies if the cells of the pattern match, whatever is around them.
    #[inline]
    pub(crate) fn bases<W: Word>(&self, frame: &Frame<W>, sets: &[W]) -> W {
        let mut found = if self.width > 1 {
            if self.width > frame.cols {
                return W::ZERO;
            }
            if may_hang_over(frame, self.width) {
                columns(frame, 0, frame.cols + 1 - self.width)
            } else {
                !W::ZERO
            }
        } else {
            !W::ZERO
        };
        for &(row, col, set) in &self.tests {
            found &= sets[usize::from(set)].down(row as u32 * frame.stride + col as u32);
        }
        found
    }

    /// The bases where the conditions on what is around hold too.
    pub(crate) fn matches<W: Word, const N: usize>(
        &self,
        frame: &Frame<W>,
        at: &BitGrid<W, N>,
        sets: &[W],
    ) -> W {
        let mut found = self.bases(frame, sets);
        if self.plain || found.is_empty() {
            return found;
        }
        for list in &self.shape.absent {
            let mut every = !W::ZERO;
            for &(step, letters) in list {
                every &= seen_from(frame, cells_of(&at.planes, letters), step);
            }
            found &= !every;
        }
        for list in &self.shape.present {
            let mut some = W::ZERO;
            for &(step, letters) in list {
                some |= seen_from(frame, cells_of(&at.planes, letters), step);
            }
            found &= some;
        }
        found
    }
}
