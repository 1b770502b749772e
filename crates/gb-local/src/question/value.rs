//! The exact value.

use gb_game::{Player, Rules};
use gb_value::{Kernel, Stop, Value};

use crate::search::Question;

/// Asks for the canonical form. Where a player can win everywhere, that is `on` or `off`; [`threats`](crate::question::threats)
/// finds the same values faster.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactValue;

impl Question for ExactValue {
    type Fact = Value;
    const PLAYERS: &'static [Player] = &Player::BOTH;

    fn are_equal(a: &Value, b: &Value) -> bool {
        a == b
    }

    fn known<R: Rules>(
        &self,
        rules: &R,
        part: &R::Board,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Value>, Stop> {
        match rules.global_win(part) {
            Some(Player::Left) => Ok(Some(Value::ON)),
            Some(Player::Right) => Ok(Some(Value::OFF)),
            None => rules.known(part, kernel),
        }
    }

    fn negate(&self, fact: Value, kernel: &Kernel<'_>) -> Result<Value, Stop> {
        kernel.neg(fact)
    }

    fn sum(&self, points: i64, facts: &[Value], kernel: &Kernel<'_>) -> Result<Value, Stop> {
        let sum = kernel.sum(facts)?;
        if points == 0 { Ok(sum) } else { kernel.add(sum, kernel.integer(points)) }
    }

    fn compose(&self, lefts: &[Value], rights: &[Value], kernel: &Kernel<'_>) -> Result<Value, Stop> {
        kernel.from_options(lefts, rights)
    }
}
