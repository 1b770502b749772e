//! Games of any width.

use gb_board::{BitGrid, BoardError, Plain, Size, Wide};

use crate::{Game, Info, Key, Position, Rules, Variant, interned};

/// A game of one of the widths that the engine is compiled for.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// Keys of two words: grids of one plane of 64 cells, and everything that is interned.
    W2(Game<2>),
    /// Three words: two planes of 64 cells, or one of 128.
    W3(Game<3>),
    /// Four words: three planes of 64 cells.
    W4(Game<4>),
    /// Nine words: two or three planes of 128 cells, two of 256.
    W9(Game<9>),
}

/// How many words the longest key has.
pub const WIDEST: usize = 9;

/// Does the same with a game of any width: `with_game!(game, g => g.info())`.
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident => $work:expr) => {
        match $any {
            $crate::AnyGame::W2($game) => $work,
            $crate::AnyGame::W3($game) => $work,
            $crate::AnyGame::W4($game) => $work,
            $crate::AnyGame::W9($game) => $work,
        }
    };
}

macro_rules! of_widths {
    ($($variant:ident $width:literal),*) => {$(
        impl From<Game<$width>> for AnyGame {
            fn from(game: Game<$width>) -> AnyGame {
                AnyGame::$variant(game)
            }
        }
    )*};
}
of_widths!(W2 2, W3 3, W4 4, W9 9);

impl<const N: usize> Key<N> {
    /// The key as one of another width: the words that are missing are 0, and so must be those for
    /// which there is no room.
    #[inline]
    pub fn resized<const M: usize>(&self) -> Key<M> {
        let mut words = [0; M];
        let common = N.min(M);
        debug_assert!(self.0[common..].iter().all(|&word| word == 0), "a key of another game");
        words[..common].copy_from_slice(&self.0[..common]);
        Key(words)
    }
}

impl AnyGame {
    /// A game whose boards are plain data, in keys of the width that its boards say, or a variant of it.
    pub fn direct<R: Rules<Board: Keyed>>(variant: Variant, rules: R) -> AnyGame {
        R::Board::any(rules).varied(variant)
    }

    /// A game whose boards are kept, and their numbers are the keys, or a variant of it.
    pub fn interned<R: Rules>(variant: Variant, rules: R) -> AnyGame {
        AnyGame::W2(interned(rules)).varied(variant)
    }

    /// How many words its keys have.
    pub fn width(&self) -> usize {
        fn width<const N: usize>(_: &Game<N>) -> usize {
            N
        }
        with_game!(self, game => width(game))
    }

    /// Name, title, rules, alphabet, example.
    pub fn info(&self) -> Info {
        with_game!(self, game => game.info())
    }

    /// Reads a position.
    ///
    /// # Errors
    /// If the text is none.
    pub fn read(&self, text: &str) -> Result<Position, BoardError> {
        let key = with_game!(self, game => game.read(text)?.resized());
        Ok(Position::new(self.clone(), key))
    }

    /// The usual starting position of a size.
    ///
    /// # Errors
    /// If the game has none.
    pub fn start(&self, size: Size) -> Result<Position, BoardError> {
        let key = with_game!(self, game => game.start(size)?.resized());
        Ok(Position::new(self.clone(), key))
    }

    /// Reads a position, or a size, of which it is the starting position.
    ///
    /// # Errors
    /// If the text is neither.
    pub fn read_or_start(&self, text: &str) -> Result<Position, BoardError> {
        match (self.read(text), Size::read(text)) {
            (Ok(position), _) => Ok(position),
            (Err(_), Ok(size)) => self.start(size),
            (Err(error), Err(_)) => Err(error),
        }
    }
}

/// A board that is plain data, with the width of its keys.
pub trait Keyed: Plain {
    /// The game of these rules, for the engine of that width.
    fn any<R: Rules<Board = Self>>(rules: R) -> AnyGame;
}

/// Says which width the keys of a board have: `keyed! { ChessBoard => W3 }`. Too narrow ones do not compile.
#[macro_export]
macro_rules! keyed {
    ($($board:ty => $width:ident),* $(,)?) => {$(
        impl $crate::Keyed for $board {
            fn any<R: $crate::Rules<Board = Self>>(rules: R) -> $crate::AnyGame {
                $crate::AnyGame::$width($crate::direct(rules))
            }
        }
    )*};
}

keyed! {
    BitGrid<u64> => W2,
    BitGrid<u64, 2> => W3,
    BitGrid<u64, 3> => W4,
    BitGrid<u128> => W3,
    BitGrid<u128, 2> => W9,
    BitGrid<u128, 3> => W9,
    BitGrid<Wide, 2> => W9,
}
