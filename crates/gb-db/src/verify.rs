//! Is a table what it says? All checksums, and a sample of boards valued again by somebody who sees their texts only.

use gb_board::{Codes, Random, sort_by_key};
use gb_rules::Sign;
use gb_value::{Kernel, Value};

use crate::error::StoreError;
use crate::fact::Fact;
use crate::game::TabulatedGame;
use crate::scope::Scope;
use crate::table::Table;

/// What was verified.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Boards that were valued again.
    pub boards: u64,
    /// Those of them whose value the table does not know: only what it says without it was compared.
    pub partial: u64,
    /// Boards about which the table is wrong.
    pub wrong: Vec<String>,
}

/// Checks all blocks, and compares `sample` boards with what `value_of` says about their texts. The sample depends on `seed`
/// alone. Of a table of parts it has parts of every size of frame, the largest first.
///
/// `value_of` must not use the boards of `game`: what is wrong with them is wrong in the table as well. It reads the text as
/// it would read a position that somebody typed. A part that would not be looked up where it is stored is wrong too.
///
/// # Errors
/// If the file is damaged, or the budget runs out.
pub fn verify(
    table: &Table,
    game: &TabulatedGame,
    sample: u64,
    seed: u64,
    value_of: &mut dyn FnMut(&str) -> Result<Value, StoreError>,
    kernel: &Kernel<'_>,
) -> Result<Verified, StoreError> {
    table.check()?;
    let mut found = Verified::default();
    let mut random = Random::new(seed, 0);
    let sample = sample.min(table.boards());
    let mut frames = table.frames();
    sort_by_key(&mut frames, |(size, _)| std::cmp::Reverse(size.0 * size.1));
    for i in 0..sample {
        let range = frames.get(i as usize).map_or(0..table.boards(), |(_, range)| range.clone());
        let place = range.start + random.next() % (range.end - range.start).max(1);
        let board = table.board(place)?;
        let text = game.show(&board);
        let value = value_of(&text)?;
        let fact = table.fact_at(place, kernel)?;
        let right = match &fact {
            Fact::Exact(stored) => *stored == value,
            Fact::Partial(partial) => {
                found.partial += 1;
                let mut known = Fact::Exact(value).partial(kernel)?;
                // A value may be all-small although the board is not: then the table does not say.
                known.small = known.small.filter(|_| partial.small.is_some());
                *partial == known
            }
        };
        found.boards += 1;
        if !right || !is_found(table, game, &board, place)? {
            found.wrong.push(text);
        }
    }
    Ok(found)
}

/// Whether a board that is asked about is looked up where it is stored.
fn is_found(table: &Table, game: &TabulatedGame, board: &Codes, place: u64) -> Result<bool, StoreError> {
    let normal = match table.scope() {
        Scope::Parts(_) => game.normal_form(board)?.0,
        _ => board.clone(),
    };
    Ok(table.place(&normal, &game.traits())? == Some((place, Sign::Plus)))
}
