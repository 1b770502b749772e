//! Whether tables are right, by the way that positions go which people type.

use std::sync::Arc;

use gb_db::{OutcomeTable, StoreError, Table, Verified};
use gb_value::{Budget, Halt, Outcome, OutcomeClass, Value};

use crate::{Engine, Games};

/// Checks all checksums of a table, and values a sample of its boards again. Each is read from its text, which chooses the
/// kind of board by itself, and is taken apart and searched as any position is, without databases: nothing of the way in
/// which tables are built takes part.
///
/// # Errors
/// If the file is damaged, there is no such game, or the budget runs out.
pub fn verify_table(
    table: &Table,
    games: &Arc<Games>,
    sample: u64,
    seed: u64,
    budget: &Budget,
) -> Result<Verified, StoreError> {
    // A table remembers values of one store: this one may have been read with another.
    let (engine, table) = (Engine::new(1).with_games(games.clone()), &Table::open(table.path())?);
    let game = engine
        .tabulated_game(table.game(), &table.scope().sample())
        .map_err(|error| StoreError::Invalid(error.to_string()))?;
    let kernel = engine.store.kernel(budget);
    // Bounds are of no use here.
    let nothing = || Budget::unlimited().with_nodes(0);
    let mut value_of = |text: &str| {
        let answer = engine.value(table.game(), text, budget, &nothing, &|_, _, _| {});
        let examined = answer.map_err(|error| StoreError::Invalid(error.to_string()))?.examined;
        let unread = || StoreError::Invalid(format!("{text}: no position of {}", table.game()));
        let values: Result<Vec<Value>, Halt> =
            examined.ok_or_else(unread)?.components.iter().map(|component| component.value).collect();
        Ok(kernel.sum(&values?)?)
    };
    gb_db::verify(table, &game, sample, seed, &mut value_of, &kernel)
}

/// The same of a table of outcomes: who wins each board of the sample is found by the search for winners, without databases.
///
/// # Errors
/// If the file is damaged, there is no such game, or the budget runs out.
pub fn verify_outcome_table(
    table: &OutcomeTable,
    games: &Arc<Games>,
    sample: u64,
    seed: u64,
    budget: &Budget,
) -> Result<Verified, StoreError> {
    let engine = Engine::new(1).with_games(games.clone());
    let game = engine
        .tabulated_game(table.game(), &table.scope().sample())
        .map_err(|error| StoreError::Invalid(error.to_string()))?;
    let mut outcome_of = |text: &str| {
        let answer = engine.winners(table.game(), text, budget);
        let winners = answer.map_err(|error| StoreError::Invalid(error.to_string()))?.winners;
        let unread = || StoreError::Invalid(format!("{text}: no position of {}", table.game()));
        match winners.ok_or_else(unread)?.outcome()? {
            OutcomeClass::L => Ok(Outcome::L),
            OutcomeClass::R => Ok(Outcome::R),
            OutcomeClass::N => Ok(Outcome::N),
            OutcomeClass::P => Ok(Outcome::P),
            other => Err(StoreError::Invalid(format!("{text}: {other} is no outcome of a game that ends"))),
        }
    };
    gb_db::verify_outcomes(table, &game, sample, seed, &mut outcome_of)
}
