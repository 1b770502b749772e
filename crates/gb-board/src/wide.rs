//! Sets of up to 256 cells, for boards such as 15x15.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::Word;

/// A set of 256 cells in two words of 128: the high cells first, so that the order is that of numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Wide {
    high: u128,
    low: u128,
}

const HALF: u32 = u128::BITS;

impl Wide {
    /// The low and the high cells.
    #[inline]
    pub(crate) fn halves(self) -> [u128; 2] {
        [self.low, self.high]
    }

    /// The set of these low and high cells.
    #[inline]
    pub(crate) fn of_halves([low, high]: [u128; 2]) -> Wide {
        Wide { high, low }
    }

    #[inline]
    fn zip(self, other: Wide, change: impl Fn(u128, u128) -> u128) -> Wide {
        Wide { high: change(self.high, other.high), low: change(self.low, other.low) }
    }
}

macro_rules! operator {
    ($operator:ident $method:ident, $assign:ident $assign_method:ident) => {
        impl $operator for Wide {
            type Output = Wide;

            #[inline]
            fn $method(self, other: Wide) -> Wide {
                self.zip(other, u128::$method)
            }
        }
        impl $assign for Wide {
            #[inline]
            fn $assign_method(&mut self, other: Wide) {
                *self = self.$method(other);
            }
        }
    };
}
operator!(BitAnd bitand, BitAndAssign bitand_assign);
operator!(BitOr bitor, BitOrAssign bitor_assign);
operator!(BitXor bitxor, BitXorAssign bitxor_assign);

impl Not for Wide {
    type Output = Wide;

    #[inline]
    fn not(self) -> Wide {
        Wide { high: !self.high, low: !self.low }
    }
}

impl Word for Wide {
    const BITS: u32 = 2 * HALF;
    const BYTE_ROWS: bool = false;
    const ZERO: Wide = Wide { high: 0, low: 0 };

    #[inline]
    fn bit(index: u32) -> Wide {
        Wide { high: 0, low: 1 }.up(index)
    }
    #[inline]
    fn low(count: u32) -> Wide {
        Wide { high: u128::low(count.saturating_sub(HALF)), low: u128::low(count.min(HALF)) }
    }
    #[inline]
    fn up(self, by: u32) -> Wide {
        match by {
            0 => self,
            1..HALF => Wide { high: self.high << by | self.low >> (HALF - by), low: self.low << by },
            _ => Wide { high: self.low.up(by - HALF), low: 0 },
        }
    }
    #[inline]
    fn down(self, by: u32) -> Wide {
        match by {
            0 => self,
            1..HALF => Wide { high: self.high >> by, low: self.low >> by | self.high << (HALF - by) },
            _ => Wide { high: 0, low: self.high.down(by - HALF) },
        }
    }
    #[inline]
    fn len(self) -> u32 {
        self.high.count_ones() + self.low.count_ones()
    }
    #[inline]
    fn first(self) -> u32 {
        if self.low != 0 { self.low.trailing_zeros() } else { HALF + self.high.trailing_zeros() }
    }
    #[inline]
    fn last(self) -> u32 {
        if self.high != 0 { HALF + self.high.last() } else { self.low.last() }
    }
    #[inline]
    fn reversed(self) -> Wide {
        Wide { high: self.low.reverse_bits(), low: self.high.reverse_bits() }
    }
    #[inline]
    fn low64(self) -> u64 {
        self.low as u64
    }
    #[inline]
    fn from64(bits: u64) -> Wide {
        Wide { high: 0, low: bits.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BitGrid;

    fn set(cells: &[u32]) -> Wide {
        cells.iter().fold(Wide::ZERO, |all, &cell| all | Wide::bit(cell))
    }

    #[test]
    fn sets_are_lists_of_cells() {
        let cells = [0, 1, 63, 64, 127, 128, 129, 191, 200, 255];
        let all = set(&cells);
        assert_eq!(all.cells().collect::<Vec<_>>(), cells);
        assert_eq!((all.len(), all.first(), all.last()), (10, 0, 255));
        for by in [0, 1, 17, 127, 128, 129, 200, 255, 256, 300] {
            let up: Vec<u32> = cells.iter().map(|c| c + by).filter(|&c| c < 256).collect();
            let down: Vec<u32> = cells.iter().filter_map(|c| c.checked_sub(by)).collect();
            assert_eq!(all.up(by), set(&up), "up {by}");
            assert_eq!(all.down(by), set(&down), "down {by}");
        }
        let mirrored: Vec<u32> = cells.iter().map(|c| 255 - c).collect();
        assert_eq!(all.reversed(), set(&mirrored));
        for count in [0, 1, 64, 127, 128, 129, 255, 256] {
            assert_eq!(Wide::low(count), set(&(0..count).collect::<Vec<_>>()));
        }
        assert!(set(&[200]) > set(&[100, 199]));
    }

    #[test]
    fn neighbours_on_a_large_board() {
        let frame = BitGrid::<Wide>::blank(15, 15).unwrap().frame();
        for index in frame.full.cells() {
            let (row, col) = frame.place(index);
            let near = frame.full.cells().filter(|&other| {
                let (r, c) = frame.place(other);
                r.abs_diff(row) + c.abs_diff(col) == 1
            });
            assert_eq!(frame.around4(Wide::bit(index)), set(&near.collect::<Vec<_>>()));
        }
        assert_eq!(frame.flood4(Wide::bit(112), frame.full), frame.full);
    }
}
