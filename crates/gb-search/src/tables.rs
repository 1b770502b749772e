//! The tables of all games that were asked about, kept from one question to the next.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use gb_rules::{AnyGame, DynGame, Key, Player};
use gb_value::{Halt, Kernel, Thermograph, Value};

use crate::AnySolved;
use crate::question::outcome::{Memory, Settings, Sum, winner};
use crate::question::{ExactValue, Excluded, Nimber, Reduced, ThreatTable, exact_value, nimber_of, threats};
use crate::search::{SearchContext, TableFor, search};
use crate::table::{Archive, Table};

/// What is known about the parts of one game.
pub struct GameTables<const N: usize> {
    /// Values.
    pub values: Table<Key<N>, Value>,
    /// Nimbers, for impartial games.
    pub nimbers: Table<Key<N>, u32>,
    /// What nimbers are not.
    pub excluded: Table<Key<N>, Excluded>,
    /// Reduced values, for games that end in a score.
    pub reduced: TableFor<N, Reduced>,
    /// Result types and values, for games in which a player can win everywhere.
    pub threats: ThreatTable<N>,
    /// Thermographs that were computed at another time.
    pub(crate) thermographs: Option<Arc<dyn Archive<Key<N>, Arc<Thermograph>>>>,
    // Pointers, so that only the crate that makes tables compiles the searches, and not everyone who asks.
    find: FindValue<N>,
    find_winner: FindWinner<N>,
}

type FindValue<const N: usize> =
    fn(&GameTables<N>, &dyn DynGame<N>, &Key<N>, &SearchContext<'_>) -> Result<Value, Halt>;

type FindWinner<const N: usize> = fn(
    &dyn DynGame<N>,
    &Sum<N>,
    Player,
    &Settings,
    &TableFor<N, ExactValue>,
    &mut Memory,
    &SearchContext<'_>,
) -> (Result<Player, Halt>, u64);

/// What was computed at another time about the parts of one game.
pub struct Archives<const N: usize> {
    /// Values.
    pub values: Arc<dyn Archive<Key<N>, Value>>,
    /// Thermographs.
    pub thermographs: Arc<dyn Archive<Key<N>, Arc<Thermograph>>>,
}

impl<const N: usize> Default for GameTables<N> {
    fn default() -> Self {
        GameTables {
            find: |tables, game, at, context| {
                if game.is_impartial() {
                    let nimber = nimber_of(game, &tables.nimbers, &tables.excluded, at, context)?;
                    return Ok(context.store.kernel(context.budget).nimber(nimber));
                }
                tables.value_by(game, at, context, exact_value)
            },
            find_winner: winner,
            thermographs: None,
            values: Table::new(),
            nimbers: Table::new(),
            excluded: Table::new(),
            reduced: Table::new(),
            threats: Table::new(),
        }
    }
}

impl<const N: usize> GameTables<N> {
    /// Tables over archives.
    pub fn over(Archives { values, thermographs }: Archives<N>) -> Self {
        GameTables {
            nimbers: Table::over(Arc::new(Nimbers(values.clone()))),
            values: Table::over(values),
            thermographs: Some(thermographs),
            ..GameTables::default()
        }
    }

    /// The exact value of a position: by nimbers alone if the game is impartial, by the search for threats if a
    /// player can win everywhere.
    pub fn value(
        &self,
        game: &dyn DynGame<N>,
        at: &Key<N>,
        context: &SearchContext<'_>,
    ) -> Result<Value, Halt> {
        (self.find)(self, game, at, context)
    }

    /// Who wins a sum if `first` begins: see [`winner`].
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn winner(
        &self,
        game: &dyn DynGame<N>,
        sum: &Sum<N>,
        first: Player,
        settings: &Settings,
        memory: &mut Memory,
        context: &SearchContext<'_>,
    ) -> Result<Player, Halt> {
        (self.find_winner)(game, sum, first, settings, &self.values, memory, context).0
    }

    /// As [`value`](GameTables::value), for those who need the values of all options as well: they are known afterwards.
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
