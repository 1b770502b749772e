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
        let mut rest = self;
        for _ in 0..n {
            rest = rest.without_first();
        }
        rest.first()
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
