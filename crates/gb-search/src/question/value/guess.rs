//! Guessing a value and proving it: large positions are often worth zero, a number, or a number and little more, and to
//! show that takes a few searches for a winner (see [`Comparer`]).

use gb_rules::{DynGame, Key};
use gb_value::{Dyadic, Halt, NumberUpStar, Outcome, Value};

use super::comparer::Comparer;
use crate::search::SearchContext;

/// So many numbers are tried at most,
const NUMBERS: usize = 24;
/// with denominators up to two to this power;
const LARGEST_EXPONENT: u32 = 5;
/// and up to so many `^` beside a number.
const UPS: i64 = 3;

/// The value of a part if it is a number, or a number with `*` or a few `^`; nothing if it is something else.
pub(super) fn guess<const N: usize>(
    game: &dyn DynGame<N>,
    comparer: &Comparer<'_, N>,
    part: &Key<N>,
    context: &SearchContext<'_>,
) -> Result<Option<Value>, Halt> {
    let kernel = context.store.kernel(context.budget);
    let against = |number: &Dyadic, ups: i64, star: u32| {
        let value = kernel.number_up_star(&NumberUpStar { number: number.clone(), ups, star });
        let found = comparer.compare(part, value, context)?;
        Ok::<_, Halt>((found, value))
    };
    let (low, high) = game.bounds(part);
    // Bounds, and whether the value is known to be none of them.
    let mut above = low.map(|low| (Dyadic::from(low), false));
    let mut below = high.map(|high| (Dyadic::from(high), false));
    for _ in 0..NUMBERS {
        let (lowest, highest) = (above.as_ref(), below.as_ref());
        let number = Dyadic::simplest_between(
            lowest.map(|(x, _)| x),
            lowest.is_some_and(|&(_, open)| open),
            highest.map(|(x, _)| x),
            highest.is_some_and(|&(_, open)| open),
        );
        let Some(number) = number else { return Ok(None) };
        if number.exponent() > LARGEST_EXPONENT {
            break;
        }
        match against(&number, 0, 0)? {
            (Outcome::P, value) => return Ok(Some(value)),
            (Outcome::L, _) => above = Some((number, true)),
            (Outcome::R, _) => below = Some((number, true)),
            (Outcome::N, _) => {
                for ups in [0, 1, -1] {
                    if let (Outcome::P, value) = against(&number, ups, 1)? {
                        return Ok(Some(value));
                    }
                }
                return Ok(None);
            }
        }
    }
    // Between two numbers that are close together: infinitesimally close to the simpler one?
    let (Some((above, _)), Some((below, _))) = (above, below) else { return Ok(None) };
    let (number, sign) = if above.exponent() < below.exponent() { (above, 1) } else { (below, -1) };
    for (ups, star) in (1..=UPS).flat_map(|ups| [(ups, 0), (ups, 1)]) {
        if let (Outcome::P, value) = against(&number, sign * ups, star)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}
