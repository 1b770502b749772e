//! Changes of the rules that fit every game, as wrappers around the erased interface: so they are compiled once, and not once
//! for every game.

mod impartial;
mod misere;
mod negative;

use std::borrow::Cow;
use std::sync::Arc;

use self::impartial::Impartial;
use self::misere::{Misere, WithEnd};
use self::negative::Negative;
use crate::{AnyGame, Coded, Coding, Game, Key, Variant, with_game};

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
        Variant::Negative => Arc::new(Coded::new(Negative::new(game), Same)),
    }
}

fn played_misere<const N: usize, const M: usize>(game: Game<N>, is_named: bool) -> Game<M> {
    Arc::new(Coded::new(Misere { game, is_named }, WithEnd))
}

/// Why a game has no misère play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMisere {
    /// Points decide, or are moves to spare.
    #[error("points are counted in it, so that it is not decided by who cannot move")]
    Points,
    /// A player can win everywhere.
    #[error("it can be won before a player is stuck")]
    GlobalWins,
    /// It is a misère game already.
    #[error("it is played misère already")]
    Already,
}

impl AnyGame {
    /// Misère play of the game: who cannot move wins. The name of the game says so, or (not `is_named`) its rules do.
    ///
    /// # Errors
    /// If the game is not decided by who cannot move.
    pub fn misere(self, is_named: bool) -> Result<AnyGame, NoMisere> {
        with_game!(&self, game => if game.counts_points() {
            return Err(NoMisere::Points);
        } else if game.has_global_wins() {
            return Err(NoMisere::GlobalWins);
        } else if game.is_misere() {
            return Err(NoMisere::Already);
        });
        Ok(match self {
            AnyGame::W2(game) => AnyGame::W3(played_misere(game, is_named)),
            AnyGame::W3(game) => AnyGame::W4(played_misere(game, is_named)),
            AnyGame::W4(game) => AnyGame::W9(played_misere(game, is_named)),
            AnyGame::W9(game) => AnyGame::W9(played_misere(game, is_named)),
        })
    }

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
