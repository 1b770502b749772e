//! Whether connected cells stay connected when one or two are taken away, seen from the cells around the hole.

use gb_board::{Frame, Word};

/// What was taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hole {
    /// One cell.
    Single,
    /// A cell and the one below it.
    Upright,
    /// A cell and the one to the right of it.
    Lying,
}

/// Whether the rest `left` of connected cells is surely connected by rook's steps, or empty: the cells beside the hole,
/// whose upper or left cell is `cell`, are connected around it. May say no where the connection is a longer one, and always
/// does on boards of more than 7x7 cells.
#[inline]
pub(crate) fn stays_whole<W: Word>(frame: &Frame<W>, left: W, cell: u32, hole: Hole) -> bool {
    if !(W::BYTE_ROWS && frame.rows <= 7 && frame.cols <= 7) {
        return false;
    }
    // The hole and the ring around it, from its upper left corner. What wraps around is empty: there is no eighth row and
    // no eighth column.
    let near = left.low64().rotate_right(cell.wrapping_sub(9) % 64);
    let (around, whole) = match hole {
        Hole::Single => (near & 0o7 | near >> 5 & 0o70 | near >> 10 & 0o700, &WHOLE_AROUND_SINGLE),
        Hole::Upright => {
            let pairs = near & 0x0707_0707 | near >> 5 & 0x0038_0038;
            (pairs & 0o77 | pairs >> 10 & 0o7700, &WHOLE_AROUND_UPRIGHT)
        }
        Hole::Lying => (near & 0xf | near >> 4 & 0xf0 | near >> 8 & 0xf00, &WHOLE_AROUND_LYING),
    };
    whole[around as usize / 64] >> (around % 64) & 1 == 1
}

/// One bit for each set of cells of a grid of 3 rows and 3 columns, of 4 rows and 3 columns, of 3 rows and 4 columns.
static WHOLE_AROUND_SINGLE: [u64; 64] = whole_around([0, 1, 2, 5, 8, 7, 6, 3], [0, 2, 6, 8]);
static WHOLE_AROUND_UPRIGHT: [u64; 64] = whole_around([0, 1, 2, 5, 8, 11, 10, 9, 6, 3], [0, 2, 9, 11]);
static WHOLE_AROUND_LYING: [u64; 64] = whole_around([0, 1, 2, 3, 7, 11, 10, 9, 8, 4], [0, 3, 8, 11]);

/// Whether the ring, given in its order, has at most one piece. Corners only join their neighbours, and are no pieces by
/// themselves.
const fn whole_around<const LENGTH: usize>(ring: [usize; LENGTH], corners: [usize; 4]) -> [u64; 64] {
    let corners = 1 << corners[0] | 1 << corners[1] | 1 << corners[2] | 1 << corners[3];
    let mut whole = [0; 64];
    let mut set = 0;
    while set < 1 << 12 {
        let (mut pieces, mut i) = (0, 0);
        while i < LENGTH {
            let (before, previous) = (ring[(i + LENGTH - 2) % LENGTH], ring[(i + LENGTH - 1) % LENGTH]);
            let joined = set >> previous & 1 == 1 && (corners >> previous & 1 == 0 || set >> before & 1 == 1);
            if set >> ring[i] & 1 == 1 && corners >> ring[i] & 1 == 0 && !joined {
                pieces += 1;
            }
            i += 1;
        }
        if pieces <= 1 {
            whole[set / 64] |= 1 << (set % 64);
        }
        set += 1;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_whole_is_connected() {
        // All connected sets on 4x4 cells, with each hole; here nothing is joined far away but around a second hole.
        let frame = Frame::<u64>::new(4, 4);
        let holes = [(Hole::Single, 0, 1), (Hole::Upright, 1, 1 << 8 | 1), (Hole::Lying, 2, 0b11)];
        let mut counts = [[0; 2]; 3];
        for cells in 1..1u64 << 16 {
            let set = (0..16).fold(0, |set, i| set | (cells >> i & 1) << frame.index(i / 4, i % 4));
            if frame.flood4(1 << set.trailing_zeros(), set) != set {
                continue;
            }
            for cell in set.cells() {
                for (hole, kind, shape) in holes {
                    let gone = shape << cell;
                    if set & gone != gone {
                        continue;
                    }
                    let left = set & !gone;
                    let whole = left == 0 || frame.flood4(1 << left.trailing_zeros(), left) == left;
                    let said = stays_whole(&frame, left, cell, hole);
                    assert!(whole || !said, "{set:b} {cell} {hole:?}");
                    counts[kind][said as usize] += (whole == said) as u32;
                    counts[kind][0] += (whole && !said) as u32;
                }
            }
        }
        // The shortcut is worth having: it rarely misses.
        for [no, yes] in counts {
            assert!(yes > no / 4, "{counts:?}");
        }
    }
}
