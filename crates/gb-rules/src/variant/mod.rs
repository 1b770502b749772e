//! Changes of the rules that fit every game, as wrappers around the erased interface: so they are compiled once, and not once
//! for every game.

mod impartial;
mod negative;

use std::borrow::Cow;
use std::sync::Arc;

use self::impartial::Impartial;
use self::negative::Negative;
use crate::{AnyGame, Coded, Coding, Game, Key, Variant};

/// Keys are their own keys.
struct Same;

impl<const N: usize> Coding<Key<N>, N> for Same {
    #[inline]
    fn key(&self, key: &Key<N>) -> Key<N> {
        *key
    }
    #[inline]
    fn board<'a>(&'a self, key: &'a Key<N>) -> Cow<'a, Key<N>> {
        Cow::Borrowed(key)
    }
}

fn varied<const N: usize>(game: Game<N>, variant: Variant) -> Game<N> {
    match variant {
        Variant::Plain => game,
        Variant::Impartial => Arc::new(Coded::new(Impartial(game), Same)),
        Variant::Negative => Arc::new(Coded::new(Negative(game), Same)),
    }
}

impl AnyGame {
    /// A variant of the game.
    #[must_use]
    pub fn varied(self, variant: Variant) -> AnyGame {
        match self {
            AnyGame::W2(game) => AnyGame::W2(varied(game, variant)),
            AnyGame::W3(game) => AnyGame::W3(varied(game, variant)),
            AnyGame::W4(game) => AnyGame::W4(varied(game, variant)),
            AnyGame::W9(game) => AnyGame::W9(varied(game, variant)),
        }
    }
}
