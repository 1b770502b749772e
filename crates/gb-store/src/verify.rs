//! Is a table what it says? All checksums, and a sample of boards searched again.

use gb_local::Bench;

use crate::error::StoreError;
use crate::fact::Fact;
use crate::game::GridGame;
use crate::table::Table;

/// What was verified.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Boards that were searched again.
    pub boards: u64,
    /// Those of them whose value the table does not know: only what it says without it was compared.
    pub partial: u64,
    /// Boards about which the table is wrong.
    pub wrong: Vec<String>,
}

/// Checks all blocks, and compares `sample` boards with plain search. The sample depends on `seed` alone.
///
/// # Errors
/// If the file is damaged, or the budget runs out.
pub fn verify(
    table: &Table,
    game: &dyn GridGame,
    sample: u64,
    seed: u64,
    bench: &Bench<'_>,
) -> Result<Verified, StoreError> {
    table.check()?;
    let kernel = bench.store.kernel(bench.budget);
    let mut found = Verified::default();
    let mut random = seed;
    for _ in 0..sample.min(table.boards()) {
        let place = next_random(&mut random) % table.boards();
        let board = table.board(place)?;
        let value = game.search(&board, bench)?;
        let fact = table.fact_at(place, &kernel)?;
        let right = match &fact {
            Fact::Exact(stored) => *stored == value,
            Fact::Partial(partial) => {
                found.partial += 1;
                let mut known = Fact::Exact(value).partial(&kernel)?;
                // A value may be all-small although the board is not: then the table does not say.
                known.small = known.small.filter(|_| partial.small.is_some());
                *partial == known
            }
        };
        found.boards += 1;
        if !right {
            found.wrong.push(game.show(&board));
        }
    }
    Ok(found)
}

/// The next number of a sequence that looks random (Steele, Lea and Flood, Fast splittable pseudorandom number generators,
/// 2014).
fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
