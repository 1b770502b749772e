//! Games that end in a score: their values, and the positions that have none.

use std::ops::ControlFlow;

use gb_game::{Player, Rules};
use gb_value::{Dyadic, Stop, Value};

use crate::question::reduced::best_scores;
use crate::question::{Flaw, Reduced};
use crate::search::{Bench, TableFor, search};

/// Why a game that ends in a score was not given a value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScoreError {
    /// The search was stopped.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// A position in which moving first is worse than moving second for both players.
    #[error(
        "mutual zugzwang in `{position}`: Left moving first ends with {left}, Right moving first with {right}, so both \
         would rather not move, and no combinatorial game has these scores"
    )]
    Zugzwang {
        /// The position.
        position: String,
        /// The score if Left moves first.
        left: Dyadic,
        /// The score if Right moves first.
        right: Dyadic,
    },
    /// A position in which only one player can move.
    #[error("in `{position}` only {who} can move: expected a game that goes on until nobody can move")]
    OneSided {
        /// The position.
        position: String,
        /// Who can move.
        who: Player,
    },
    /// The last mover wins this game.
    #[error("{game} does not end in a score: who cannot move loses; ask for its exact value instead")]
    NoScore {
        /// The name of the game.
        game: String,
    },
    /// The rules have no estimate.
    #[error(
        "{game} has no estimate for positions that are not searched to their end: ask for the exact value instead"
    )]
    NoEstimate {
        /// The name of the game.
        game: String,
    },
    /// Nothing would be searched.
    #[error("the depth must be at least 1: at depth 0 no move is looked at")]
    DepthZero,
}

/// The reduced canonical form of a position of a game that ends in a score.
///
/// # Errors
/// If a position of mutual zugzwang can be reached, in which the scores are lost; and if the budget runs out.
pub fn reduced_value<R: Rules>(
    rules: &R,
    at: &R::Board,
    table: &TableFor<R, Reduced>,
    bench: &Bench<'_>,
) -> Result<Value, ScoreError> {
    if !rules.ends_in_score() {
        return Err(ScoreError::NoScore { game: rules.info().name });
    }
    match search(rules, &Reduced, table, at, bench)? {
        Ok(value) => Ok(value),
        Err(flaw) => Err(find_flaw(rules, at.clone(), flaw, table, bench)),
    }
}

/// Goes down from a position that can reach a flaw to one that has it itself.
fn find_flaw<R: Rules>(
    rules: &R,
    mut at: R::Board,
    flaw: Flaw,
    table: &TableFor<R, Reduced>,
    bench: &Bench<'_>,
) -> ScoreError {
    let ask = |board: &R::Board| search(rules, &Reduced, table, board, bench);
    'down: loop {
        let mut parts = vec![];
        rules.parts(&at, &mut |part| parts.push(part));
        for part in parts {
            match ask(&part) {
                Err(stop) => return stop.into(),
                Ok(Ok(_)) => continue,
                Ok(Err(_)) => at = part,
            }
            break;
        }
        let mut options = [vec![], vec![]];
        for who in Player::BOTH {
            let mut after = vec![];
            let _ = rules.moves(&at, who, &mut |mv| {
                let mut next = at.clone();
                rules.play(&mut next, who, &mv);
                after.push((next, rules.points(&at, who, &mv)));
                ControlFlow::Continue(())
            });
            for (next, points) in after {
                match ask(&next) {
                    Err(stop) => return stop.into(),
                    Ok(Err(_)) => {
                        at = next;
                        continue 'down;
                    }
                    Ok(Ok(value)) => options[who as usize].push((value, points)),
                }
            }
        }
        return describe(rules.show(&at), &options, flaw, bench);
    }
}

fn describe(position: String, options: &[Vec<(Value, i64)>; 2], flaw: Flaw, bench: &Bench<'_>) -> ScoreError {
    let kernel = bench.store.kernel(bench.budget);
    let with_points = |options: &[(Value, i64)]| -> Result<Vec<Value>, Stop> {
        options.iter().map(|&(value, points)| kernel.add(value, kernel.integer(points))).collect()
    };
    let scores = || best_scores(&with_points(&options[0])?, &with_points(&options[1])?, &kernel);
    match scores() {
        Err(stop) => stop.into(),
        Ok((Some(left), Some(right))) => ScoreError::Zugzwang { position, left, right },
        Ok((left, _)) => {
            debug_assert_eq!(flaw, Flaw::OneSided);
            ScoreError::OneSided { position, who: if left.is_some() { Player::Left } else { Player::Right } }
        }
    }
}
