//! Plain data as machine words: what a board has to be to become a key of the search by copying.

use crate::{BitGrid, Wide, Word};

/// A value that is a few machine words, and equal to another one exactly if the words are.
pub trait Plain: Copy {
    /// How many words.
    const WORDS: usize;
    /// Writes the words to the beginning of `words`, which has room for them.
    fn write_words(self, words: &mut [u64]);
    /// Reads what [`write_words`](Plain::write_words) has written.
    fn read_words(words: &[u64]) -> Self;
}

impl Plain for u64 {
    const WORDS: usize = 1;

    #[inline]
    fn write_words(self, words: &mut [u64]) {
        words[0] = self;
    }
    #[inline]
    fn read_words(words: &[u64]) -> u64 {
        words[0]
    }
}

impl Plain for u128 {
    const WORDS: usize = 2;

    #[inline]
    fn write_words(self, words: &mut [u64]) {
        words[0] = self as u64;
        words[1] = (self >> 64) as u64;
    }
    #[inline]
    fn read_words(words: &[u64]) -> u128 {
        u128::from(words[0]) | u128::from(words[1]) << 64
    }
}

impl Plain for Wide {
    const WORDS: usize = 4;

    #[inline]
    fn write_words(self, words: &mut [u64]) {
        let [low, high] = self.halves();
        low.write_words(words);
        high.write_words(&mut words[2..]);
    }
    #[inline]
    fn read_words(words: &[u64]) -> Wide {
        Wide::of_halves([u128::read_words(words), u128::read_words(&words[2..])])
    }
}

impl<W: Word + Plain, const N: usize> Plain for BitGrid<W, N> {
    const WORDS: usize = N * W::WORDS + 1;

    #[inline]
    fn write_words(self, words: &mut [u64]) {
        for (i, plane) in self.planes.into_iter().enumerate() {
            plane.write_words(&mut words[i * W::WORDS..]);
        }
        words[N * W::WORDS] = u64::from(self.rows) << 8 | u64::from(self.cols);
    }
    #[inline]
    fn read_words(words: &[u64]) -> Self {
        let planes = std::array::from_fn(|i| W::read_words(&words[i * W::WORDS..]));
        let size = words[N * W::WORDS];
        BitGrid { planes, rows: (size >> 8) as u8, cols: size as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comes_back<T: Plain + PartialEq + std::fmt::Debug>(thing: T) {
        let mut words = [7; 9];
        thing.write_words(&mut words);
        assert_eq!(T::read_words(&words), thing);
        assert!(words[T::WORDS..].iter().all(|&word| word == 7), "no more words than it says");
    }

    #[test]
    fn words_are_what_was_written() {
        comes_back(u64::MAX - 3);
        comes_back(u128::MAX - 5);
        comes_back(Wide::bit(200) | Wide::bit(3));
        comes_back(BitGrid::<u64> { planes: [5], rows: 3, cols: 200 });
        comes_back(BitGrid::<u128, 3> { planes: [1 << 100, 2, 3 << 64], rows: 128, cols: 1 });
        comes_back(BitGrid::<Wide, 2> { planes: [Wide::bit(255), Wide::bit(0)], rows: 15, cols: 15 });
    }
}
