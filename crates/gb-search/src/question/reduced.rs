//! The value of a game that ends in a score, up to infinitesimals.
//!
//! A finished position is the number of its score, and every other one the reduced canonical form of its options
//! (F. Maeser, thesis 2001, section 8.2.3). That is right as long as nobody would rather not move.

use gb_rules::{DynGame, Key, Player};
use gb_value::{Dyadic, Halt, Kernel, Value};

use crate::search::Question;

/// Asks for the reduced canonical form of a game that ends in a score.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reduced;

/// Why a position has no value that keeps its scores. A position from which such a one can be reached has none either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// Whoever moves first does worse than moving second: mutual zugzwang. As a combinatorial game this would be a
    /// number, in which nobody has to move (section 8.2.2).
    Zugzwang,
    /// One player can move and the other cannot, so that it is not clear what the score is.
    OneSided,
}

impl Question for Reduced {
    type Fact = Result<Value, Flaw>;
    const PLAYERS: &'static [Player] = &Player::BOTH;

    fn known<const N: usize>(
        &self,
        _: &dyn DynGame<N>,
        _: &Key<N>,
        _: &Kernel<'_>,
    ) -> Result<Option<Self::Fact>, Halt> {
        // Theorems are about exact values, and say nothing about zugzwang.
        Ok(None)
    }

    fn negate(&self, fact: Self::Fact, kernel: &Kernel<'_>) -> Result<Self::Fact, Halt> {
        Ok(match fact {
            Ok(value) => Ok(kernel.neg(value)?),
            flaw => flaw,
        })
    }

    /// The sum of reduced canonical forms is reduced again, since that can make it simpler.
    fn sum(&self, points: i64, facts: &[Self::Fact], kernel: &Kernel<'_>) -> Result<Self::Fact, Halt> {
        let mut sum = kernel.integer(points);
        for &fact in facts {
            match fact {
                Ok(value) => sum = kernel.add(sum, value)?,
                Err(flaw) => return Ok(Err(flaw)),
            }
        }
        Ok(Ok(if facts.len() > 1 { reduce(sum, kernel)? } else { sum }))
    }

    fn compose(
        &self,
        lefts: &[Self::Fact],
        rights: &[Self::Fact],
        kernel: &Kernel<'_>,
    ) -> Result<Self::Fact, Halt> {
        let all = |facts: &[Self::Fact]| facts.iter().copied().collect::<Result<Vec<Value>, Flaw>>();
        match (all(lefts), all(rights)) {
            (Ok(lefts), Ok(rights)) => compose(&lefts, &rights, kernel),
            (Err(flaw), _) | (_, Err(flaw)) => Ok(Err(flaw)),
        }
    }
}

/// The reduced canonical form of a value without `on` and `off`, which scores never are.
pub(crate) fn reduce(value: Value, kernel: &Kernel<'_>) -> Result<Value, Halt> {
    match kernel.reduced(value) {
        Ok(value) => Ok(value),
        Err(gb_value::ValueError::Halt(stop)) => Err(stop),
        Err(_) => Err(Halt::Loopy),
    }
}

/// The position with these options, which are reduced canonical forms.
pub(crate) fn compose(
    lefts: &[Value],
    rights: &[Value],
    kernel: &Kernel<'_>,
) -> Result<Result<Value, Flaw>, Halt> {
    Ok(match best_scores(lefts, rights, kernel)? {
        (None, None) => Ok(Value::ZERO),
        (Some(left), Some(right)) if left < right => Err(Flaw::Zugzwang),
        (Some(_), Some(_)) => Ok(kernel.reduced_from_options(lefts, rights)?),
        _ => Err(Flaw::OneSided),
    })
}

/// The scores that Left and Right reach by moving first.
pub(crate) fn best_scores(
    lefts: &[Value],
    rights: &[Value],
    kernel: &Kernel<'_>,
) -> Result<(Option<Dyadic>, Option<Dyadic>), Halt> {
    let stops = |options: &[Value], next: Player| -> Result<Vec<Dyadic>, Halt> {
        options.iter().map(|&option| kernel.stop(option, next)?.ok_or(Halt::Loopy)).collect()
    };
    let left = stops(lefts, Player::Right)?.into_iter().max();
    let right = stops(rights, Player::Left)?.into_iter().min();
    Ok((left, right))
}
