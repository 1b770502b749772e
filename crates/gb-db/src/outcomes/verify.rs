//! Is a table of outcomes what it says? All checksums, the counts, and a sample of boards asked about again.

use gb_board::Random;
use gb_value::Outcome;

use super::table::OutcomeTable;
use crate::error::StoreError;
use crate::game::TabulatedGame;
use crate::verify::Verified;

/// Checks all blocks, and compares `sample` boards with what `outcome_of` says about their texts. The sample depends on `seed` alone.
///
/// `outcome_of` must not use the table: it reads the text as it would read a position that somebody typed.
///
/// # Errors
/// If the file is damaged, the rules are others now, or the budget runs out.
pub fn verify_outcomes(
    table: &OutcomeTable,
    game: &TabulatedGame,
    sample: u64,
    seed: u64,
    outcome_of: &mut dyn FnMut(&str) -> Result<Outcome, StoreError>,
) -> Result<Verified, StoreError> {
    if !table.is_about(game) {
        return Err(StoreError::Invalid(format!(
            "{}: built for other rules of {}; delete it and build it again with `gamebench db build`",
            table.path().display(),
            table.game()
        )));
    }
    table.check()?;
    let mut found = Verified::default();
    let mut random = Random::new(seed, 0);
    for _ in 0..sample.min(table.boards()) {
        let (stones, left) = table.draw(&mut |end| random.below(end));
        let board = table.board(stones, left)?;
        let text = game.show(&board);
        found.boards += 1;
        let is_found = table.sets_of(&board)? == Some((stones, left));
        if !is_found || outcome_of(&text)? != table.outcome_of(stones, left)? {
            found.wrong.push(text);
        }
    }
    Ok(found)
}
