//! Positions and moves as the engine sees them: plain words.

use std::borrow::Cow;
use std::hash::Hash;
use std::sync::Mutex;

use gb_board::Plain;
use gb_value::Player;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// A position, to the engine: `N` plain words that only its game understands. Equal keys are equal positions.
///
/// The engine is compiled once for each width, not once for each game. A board that is plain data becomes a key by copying
/// ([`Direct`]); one that is not is kept by its game, and the key is its number ([`Interned`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key<const N: usize>(pub [u64; N]);

/// A move, to the engine: a number that only its game understands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MoveKey(pub u64);

/// A move that is a number of at most 63 bits.
pub trait MoveCode: Sized {
    /// The number.
    fn code(&self) -> u64;
    /// The move with this number.
    fn of_code(code: u64) -> Self;
}

macro_rules! number {
    ($($number:ty),*) => {$(
        impl MoveCode for $number {
            #[inline]
            fn code(&self) -> u64 {
                (*self).into()
            }
            #[inline]
            fn of_code(code: u64) -> Self {
                code as $number
            }
        }
    )*};
}
number!(u8, u16, u32);

impl MoveCode for bool {
    #[inline]
    fn code(&self) -> u64 {
        (*self).into()
    }
    #[inline]
    fn of_code(code: u64) -> Self {
        code != 0
    }
}

impl MoveCode for (u8, u8) {
    #[inline]
    fn code(&self) -> u64 {
        u64::from(self.0) << 8 | u64::from(self.1)
    }
    #[inline]
    fn of_code(code: u64) -> Self {
        ((code >> 8) as u8, code as u8)
    }
}

impl MoveCode for (u8, bool) {
    #[inline]
    fn code(&self) -> u64 {
        u64::from(self.0) << 1 | u64::from(self.1)
    }
    #[inline]
    fn of_code(code: u64) -> Self {
        ((code >> 1) as u8, code & 1 != 0)
    }
}

/// The first number is below 2^31.
impl MoveCode for (u32, u32) {
    #[inline]
    fn code(&self) -> u64 {
        u64::from(self.0) << 32 | u64::from(self.1)
    }
    #[inline]
    fn of_code(code: u64) -> Self {
        ((code >> 32) as u32, code as u32)
    }
}

impl MoveCode for (usize, usize) {
    #[inline]
    fn code(&self) -> u64 {
        (self.0 as u64) << 32 | self.1 as u64
    }
    #[inline]
    fn of_code(code: u64) -> Self {
        ((code >> 32) as usize, code as u32 as usize)
    }
}

impl MoveCode for [u8; 3] {
    #[inline]
    fn code(&self) -> u64 {
        let [a, b, c] = self.map(u64::from);
        a << 16 | b << 8 | c
    }
    #[inline]
    fn of_code(code: u64) -> Self {
        [(code >> 16) as u8, (code >> 8) as u8, code as u8]
    }
}

/// A move with whose it is.
impl<M: MoveCode> MoveCode for (Player, M) {
    #[inline]
    fn code(&self) -> u64 {
        self.1.code() << 1 | u64::from(self.0 == Player::Right)
    }
    #[inline]
    fn of_code(code: u64) -> Self {
        (if code & 1 == 0 { Player::Left } else { Player::Right }, M::of_code(code >> 1))
    }
}

impl MoveCode for MoveKey {
    #[inline]
    fn code(&self) -> u64 {
        self.0
    }
    #[inline]
    fn of_code(code: u64) -> Self {
        MoveKey(code)
    }
}

/// How the boards of a game become keys.
pub trait Coding<B: Clone, const N: usize>: Send + Sync + 'static {
    /// Whether a board has the same key in every process, so that keys may be written into files.
    const LASTING: bool = false;
    /// The key of a board.
    fn key(&self, board: &B) -> Key<N>;
    /// The board of a key.
    fn board<'a>(&'a self, key: &'a Key<N>) -> Cow<'a, B>;
}

/// The words of the board are the key.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direct;

impl<B: Plain, const N: usize> Coding<B, N> for Direct {
    const LASTING: bool = true;

    #[inline]
    fn key(&self, board: &B) -> Key<N> {
        const { assert!(B::WORDS <= N, "the board has more words than the key") };
        let mut words = [0; N];
        board.write_words(&mut words);
        Key(words)
    }
    #[inline]
    fn board<'a>(&'a self, key: &'a Key<N>) -> Cow<'a, B> {
        Cow::Owned(B::read_words(&key.0))
    }
}

/// Boards are kept, and the key of one is its number.
pub struct Interned<B> {
    boards: boxcar::Vec<B>,
    numbers: Mutex<HashTable<u32>>,
}

impl<B> Default for Interned<B> {
    fn default() -> Self {
        Interned { boards: boxcar::Vec::new(), numbers: Mutex::default() }
    }
}

impl<B: Hash + Eq + Clone> Interned<B> {
    /// The number of a board.
    pub fn number(&self, board: &B) -> u32 {
        let hash = FxBuildHasher.hash_one(board);
        let mut numbers = self.numbers.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(&number) = numbers.find(hash, |&number| self.boards[number as usize] == *board) {
            return number;
        }
        let number = self.boards.push(board.clone()) as u32;
        numbers.insert_unique(hash, number, |&number| FxBuildHasher.hash_one(&self.boards[number as usize]));
        number
    }

    /// The board with a number.
    #[inline]
    pub fn numbered(&self, number: u32) -> &B {
        &self.boards[number as usize]
    }
}

impl<B: Hash + Eq + Clone + Send + Sync + 'static, const N: usize> Coding<B, N> for Interned<B> {
    fn key(&self, board: &B) -> Key<N> {
        let mut words = [0; N];
        words[0] = self.number(board).into();
        Key(words)
    }
    #[inline]
    fn board<'a>(&'a self, key: &'a Key<N>) -> Cow<'a, B> {
        Cow::Borrowed(self.numbered(key.0[0] as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comes_back<M: MoveCode + PartialEq + std::fmt::Debug + Clone>(mv: M) {
        assert_eq!(M::of_code(mv.code()), mv);
        for who in Player::BOTH {
            let owned = (who, mv.clone());
            assert_eq!(<(Player, M)>::of_code(owned.code()), owned);
        }
    }

    #[test]
    fn moves_are_numbers() {
        comes_back(255u8);
        comes_back(65_535u16);
        comes_back((3u8, 254u8));
        comes_back((200u8, true));
        comes_back((u32::MAX >> 1, u32::MAX));
        comes_back([1u8, 255, 7]);
        comes_back((Player::Right, 9u8));
    }

    #[test]
    fn equal_boards_have_one_number() {
        let boards: Interned<Vec<u8>> = Interned::default();
        let numbers: Vec<u32> = (0..1000u32).map(|i| boards.number(&i.to_le_bytes().to_vec())).collect();
        assert_eq!(numbers, (0..1000).collect::<Vec<_>>());
        assert_eq!(boards.number(&7u32.to_le_bytes().to_vec()), 7);
        assert_eq!(boards.numbered(300), &300u32.to_le_bytes().to_vec());
    }
}
