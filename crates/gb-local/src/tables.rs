//! The tables of all games on a bench, kept from one question to the next.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use gb_game::Rules;
use gb_value::{Kernel, Stop, Value};

use crate::question::{ExactValue, Nimber, Reduced, ThreatTable, exact_value, threats};
use crate::search::{Bench, TableFor, search};
use crate::table::{Archive, Table};

/// What is known about the parts of one game.
pub struct GameTables<R: Rules> {
    /// Values.
    pub values: Table<R::Board, Value>,
    /// Nimbers, for impartial games.
    pub nimbers: Table<R::Board, u32>,
    /// Reduced values, for games that end in a score.
    pub reduced: TableFor<R, Reduced>,
    /// Result types and values, for games in which a player can win everywhere.
    pub threats: ThreatTable<R>,
}

impl<R: Rules> Default for GameTables<R> {
    fn default() -> Self {
        GameTables {
            values: Table::new(),
            nimbers: Table::new(),
            reduced: Table::new(),
            threats: Table::new(),
        }
    }
}

impl<R: Rules> GameTables<R> {
    /// Tables over an archive of values.
    pub fn over(archive: Arc<dyn Archive<R::Board, Value>>) -> Self {
        let nimbers = Arc::new(Nimbers(archive.clone()));
        GameTables { values: Table::over(archive), nimbers: Table::over(nimbers), ..GameTables::default() }
    }

    /// The exact value of a position: by nimbers alone if the game is impartial, by the search for threats if a
    /// player can win everywhere.
    pub fn value(&self, rules: &R, at: &R::Board, bench: &Bench<'_>) -> Result<Value, Stop> {
        self.value_by(rules, at, bench, exact_value)
    }

    /// The same for those who need the values of all options as well: they are known afterwards.
    pub fn value_with_options(&self, rules: &R, at: &R::Board, bench: &Bench<'_>) -> Result<Value, Stop> {
        self.value_by(rules, at, bench, |rules, values, at, bench| {
            search(rules, &ExactValue, values, at, bench)
        })
    }

    fn value_by(
        &self,
        rules: &R,
        at: &R::Board,
        bench: &Bench<'_>,
        exact: impl Fn(&R, &Table<R::Board, Value>, &R::Board, &Bench<'_>) -> Result<Value, Stop>,
    ) -> Result<Value, Stop> {
        if rules.info().impartial {
            let nimber = search(rules, &Nimber, &self.nimbers, at, bench)?;
            return Ok(bench.store.kernel(bench.budget).nimber(nimber));
        }
        if rules.has_global_wins() {
            return Ok(threats(rules, &self.threats, at, bench)?.value);
        }
        exact(rules, &self.values, at, bench)
    }
}

/// The nimbers among archived values.
struct Nimbers<K>(Arc<dyn Archive<K, Value>>);

impl<K> Archive<K, u32> for Nimbers<K> {
    fn fact(&self, part: &K, kernel: &Kernel<'_>) -> Result<Option<u32>, Stop> {
        Ok(self.0.fact(part, kernel)?.and_then(|value| kernel.as_nimber(value)))
    }
}

/// Tables for any number of games. All values in them belong to one store.
#[derive(Default)]
pub struct Tables(Mutex<HashMap<(TypeId, String), Arc<dyn Any + Send + Sync>>>);

impl Tables {
    /// The tables of a game. Games with other parameters, and so other names, have tables of their own.
    pub fn of<R: Rules>(&self, rules: &R) -> Arc<GameTables<R>> {
        self.of_or(rules, GameTables::default)
    }

    /// The tables of a game, which `make` makes when they are asked for first.
    pub fn of_or<R: Rules>(&self, rules: &R, make: impl FnOnce() -> GameTables<R>) -> Arc<GameTables<R>> {
        let mut tables = self.0.lock().unwrap_or_else(|e| e.into_inner());
        let key = (TypeId::of::<GameTables<R>>(), rules.info().name);
        let table = tables.entry(key).or_insert_with(|| Arc::new(make())).clone();
        // The key holds the type, so this is the table that was put in.
        table.downcast().unwrap_or_default()
    }
}
