//! The tables of all games that were asked about, kept from one question to the next.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use gb_rules::{AnyGame, DynGame, Game, Key, WIDEST, with_game};
use gb_value::{Halt, Kernel, Value};

use crate::question::{ExactValue, Nimber, Reduced, ThreatTable, exact_value, threats};
use crate::search::{SearchContext, TableFor, search};
use crate::table::{Archive, Table};

/// What is known about the parts of one game.
pub struct GameTables<const N: usize> {
    /// Values.
    pub values: Table<Key<N>, Value>,
    /// Nimbers, for impartial games.
    pub nimbers: Table<Key<N>, u32>,
    /// Reduced values, for games that end in a score.
    pub reduced: TableFor<N, Reduced>,
    /// Result types and values, for games in which a player can win everywhere.
    pub threats: ThreatTable<N>,
}

impl<const N: usize> Default for GameTables<N> {
    fn default() -> Self {
        GameTables {
            values: Table::new(),
            nimbers: Table::new(),
            reduced: Table::new(),
            threats: Table::new(),
        }
    }
}

impl<const N: usize> GameTables<N> {
    /// Tables over an archive of values.
    pub fn over(archive: Arc<dyn Archive<Key<N>, Value>>) -> Self {
        let nimbers = Arc::new(Nimbers(archive.clone()));
        GameTables { values: Table::over(archive), nimbers: Table::over(nimbers), ..GameTables::default() }
    }

    /// The exact value of a position: by nimbers alone if the game is impartial, by the search for threats if a
    /// player can win everywhere.
    pub fn value(
        &self,
        game: &dyn DynGame<N>,
        at: &Key<N>,
        context: &SearchContext<'_>,
    ) -> Result<Value, Halt> {
        self.value_by(game, at, context, exact_value)
    }

    /// The same for those who need the values of all options as well: they are known afterwards.
    pub fn value_with_options(
        &self,
        game: &dyn DynGame<N>,
        at: &Key<N>,
        context: &SearchContext<'_>,
    ) -> Result<Value, Halt> {
        self.value_by(game, at, context, |game, values, at, context| {
            search(game, &ExactValue, values, at, context)
        })
    }

    fn value_by(
        &self,
        game: &dyn DynGame<N>,
        at: &Key<N>,
        context: &SearchContext<'_>,
        exact: impl Fn(&dyn DynGame<N>, &Table<Key<N>, Value>, &Key<N>, &SearchContext<'_>) -> Result<Value, Halt>,
    ) -> Result<Value, Halt> {
        if game.is_impartial() {
            let nimber = search(game, &Nimber, &self.nimbers, at, context)?;
            return Ok(context.store.kernel(context.budget).nimber(nimber));
        }
        if game.has_global_wins() {
            return Ok(threats(game, &self.threats, at, context)?.value);
        }
        exact(game, &self.values, at, context)
    }
}

/// The nimbers among archived values.
struct Nimbers<K>(Arc<dyn Archive<K, Value>>);

impl<K> Archive<K, u32> for Nimbers<K> {
    fn fact(&self, part: &K, kernel: &Kernel<'_>) -> Result<Option<u32>, Halt> {
        Ok(self.0.fact(part, kernel)?.and_then(|value| kernel.as_nimber(value)))
    }
}

/// A game with what is known about it. The game is kept because only it understands the keys in the tables.
pub struct Solved<const N: usize> {
    /// The game.
    pub game: Game<N>,
    /// What is known.
    pub tables: GameTables<N>,
}

impl<const N: usize> Solved<N> {
    /// A game of which nothing is known yet.
    pub fn new(game: Game<N>) -> Self {
        Solved { game, tables: GameTables::default() }
    }
}

/// A game of any width with what is known about it.
#[derive(Clone)]
pub enum AnySolved {
    /// See [`AnyGame::W2`].
    W2(Arc<Solved<2>>),
    /// See [`AnyGame::W3`].
    W3(Arc<Solved<3>>),
    /// See [`AnyGame::W4`].
    W4(Arc<Solved<4>>),
    /// See [`AnyGame::W9`].
    W9(Arc<Solved<9>>),
}

/// Does the same with a game of any width and what is known about it: `with_solved!(solved, s => s.game.info())`.
#[macro_export]
macro_rules! with_solved {
    ($any:expr, $solved:ident => $work:expr) => {
        match $any {
            $crate::AnySolved::W2($solved) => $work,
            $crate::AnySolved::W3($solved) => $work,
            $crate::AnySolved::W4($solved) => $work,
            $crate::AnySolved::W9($solved) => $work,
        }
    };
}

macro_rules! of_widths {
    ($($variant:ident $width:literal),*) => {$(
        impl From<Solved<$width>> for AnySolved {
            fn from(solved: Solved<$width>) -> AnySolved {
                AnySolved::$variant(Arc::new(solved))
            }
        }
    )*};
}
of_widths!(W2 2, W3 3, W4 4, W9 9);

impl AnySolved {
    /// The exact value of a position, by its key. Not generic, so that it is compiled here and nowhere else.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn value(&self, at: &Key<WIDEST>, context: &SearchContext<'_>) -> Result<Value, Halt> {
        with_solved!(self, solved => solved.tables.value(&*solved.game, &at.resized(), context))
    }
}

impl From<AnyGame> for AnySolved {
    /// A game of which nothing is known yet.
    fn from(game: AnyGame) -> AnySolved {
        with_game!(game, game => Solved::new(game).into())
    }
}

/// The games that were asked about, with their tables. All values in them belong to one store.
#[derive(Default)]
pub struct Tables(Mutex<HashMap<(usize, String), AnySolved>>);

impl Tables {
    /// A game with its tables, which `make` makes when they are asked for first. Games with other parameters, and so other
    /// names, have tables of their own. Keys of the game that is given must not be used with the one that is returned.
    pub fn of(&self, game: AnyGame, make: impl FnOnce(AnyGame) -> AnySolved) -> AnySolved {
        let key = (game.width(), game.info().name);
        let mut tables = self.0.lock().unwrap_or_else(|e| e.into_inner());
        tables.entry(key).or_insert_with(|| make(game)).clone()
    }
}
