//! Machine words as sets of cells.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of cells in one machine word: `u64` where the board fits, `u128` otherwise, [`Wide`](crate::Wide) for the few games
/// that are played on larger boards.
pub trait Word:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// How many cells fit.
    const BITS: u32;
    /// Lay boards of at most 8x8 cells out in bytes, so that images and boxes are a few instructions.
    const BYTE_ROWS: bool;
    /// The empty set.
    const ZERO: Self;

    /// The set of the cell `index` alone.
    fn bit(index: u32) -> Self;
    /// The set of the cells below `count`.
    fn low(count: u32) -> Self;
    /// Towards greater indices; what leaves the word is lost.
    fn up(self, by: u32) -> Self;
    /// Towards smaller indices; what leaves the word is lost.
    fn down(self, by: u32) -> Self;
    /// How many cells.
    fn len(self) -> u32;
    /// The least cell. Meaningless for the empty set.
    fn first(self) -> u32;
    /// The greatest cell. Meaningless for the empty set.
    fn last(self) -> u32;
    /// All cells in opposite order.
    fn reversed(self) -> Self;
    /// The low 64 cells.
    fn low64(self) -> u64;
    /// A set of the low 64 cells.
    fn from64(bits: u64) -> Self;

    /// No cell.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }
    /// Whether `index` is in the set.
    #[inline]
    fn has(self, index: u32) -> bool {
        !(self & Self::bit(index)).is_empty()
    }
    /// Whether the sets share a cell.
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }
    /// All cells but the least.
    #[inline]
    fn without_first(self) -> Self {
        self ^ Self::bit(self.first())
    }
    /// The cell with `n` cells of the set before it; there must be one.
    #[inline]
    fn nth(self, n: u32) -> u32 {
        let (mut rest, mut n, mut before) = (self, n, 0);
        loop {
            let low = rest.low64();
            let here = low.count_ones();
            if n < here || Self::BITS <= 64 {
                return before + nth_of_64(low, n);
            }
            (n, before, rest) = (n - here, before + 64, rest.down(64));
        }
    }
    /// The cells in ascending order.
    #[inline]
    fn cells(self) -> Bits<Self> {
        Bits(self)
    }
}

macro_rules! word {
    ($word:ty, $byte_rows:expr) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const BYTE_ROWS: bool = $byte_rows;
            const ZERO: Self = 0;

            #[inline]
            fn bit(index: u32) -> Self {
                1 << index
            }
            #[inline]
            fn low(count: u32) -> Self {
                if count == 0 { 0 } else { <$word>::MAX >> (<$word>::BITS - count) }
            }
            #[inline]
            fn up(self, by: u32) -> Self {
                self.checked_shl(by).unwrap_or(0)
            }
            #[inline]
            fn down(self, by: u32) -> Self {
                self.checked_shr(by).unwrap_or(0)
            }
            #[inline]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn last(self) -> u32 {
                (<$word>::BITS - 1).wrapping_sub(self.leading_zeros())
            }
            #[inline]
            fn reversed(self) -> Self {
                self.reverse_bits()
            }
            #[inline]
            fn low64(self) -> u64 {
                self as u64
            }
            #[inline]
            fn from64(bits: u64) -> Self {
                bits as $word
            }
        }
    };
}
word!(u64, true);
word!(u128, false);

/// The bit with `n` set bits below it; there must be one. In all bytes at once and without branches, because random moves come here and no
/// processor can foresee them (S. Vigna, *Broadword implementation of rank/select queries*, 2008).
#[inline]
fn nth_of_64(bits: u64, n: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pairs = bits - ((bits >> 1) & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    // In each byte, how many bits are set in it and below it.
    let up_to = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    let full = (((u64::from(n) * ONES) | HIGH) - up_to) & HIGH;
    let byte = ((full >> 7).wrapping_mul(ONES) >> 56) * 8;
    let rest = u64::from(n) - (((up_to << 8) >> byte) & 0xff);
    // The same with the bits of this byte, each in a byte of its own.
    let spread = ((bits >> byte) & 0xff).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    let up_to = (((spread + (HIGH - ONES)) & HIGH) >> 7).wrapping_mul(ONES);
    let full = (((rest * ONES) | HIGH) - up_to) & HIGH;
    (byte + ((full >> 7).wrapping_mul(ONES) >> 56)) as u32
}

/// The cells of a set in ascending order.
#[derive(Clone, Debug)]
pub struct Bits<W>(W);

impl<W: Word> Iterator for Bits<W> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let cell = self.0.first();
        self.0 = self.0.without_first();
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Random, Wide};

    fn check<W: Word>(random: &mut Random) {
        for sparse in 0..4 {
            for _ in 0..500 {
                let mut set = W::ZERO;
                for cell in 0..W::BITS {
                    if random.below(1 << sparse) == 0 {
                        set |= W::bit(cell);
                    }
                }
                for (n, cell) in set.cells().enumerate() {
                    assert_eq!(set.nth(n as u32), cell);
                }
            }
        }
    }

    #[test]
    fn the_nth_cell_is_the_one_that_comes_nth() {
        let mut random = Random::new(1, 0);
        check::<u64>(&mut random);
        check::<u128>(&mut random);
        check::<Wide>(&mut random);
    }
}
