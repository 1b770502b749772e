//! The nimber of an impartial game, by the mex rule alone (Sprague 1935, Grundy 1939).

use gb_rules::{DynGame, Key, Player};
use gb_value::{Halt, Kernel};

use crate::search::Question;

/// Asks for the nimber. Only for games in which both players have the same moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nimber;

impl Question for Nimber {
    type Fact = u32;
    const PLAYERS: &'static [Player] = &[Player::Left];

    fn known<const N: usize>(
        &self,
        game: &dyn DynGame<N>,
        part: &Key<N>,
        kernel: &Kernel<'_>,
    ) -> Result<Option<u32>, Halt> {
        Ok(game.known(part, kernel)?.and_then(|value| kernel.as_nimber(value)))
    }

    fn negate(&self, fact: u32, _: &Kernel<'_>) -> Result<u32, Halt> {
        Ok(fact)
    }

    fn sum(&self, _: i64, facts: &[u32], _: &Kernel<'_>) -> Result<u32, Halt> {
        Ok(facts.iter().fold(0, |sum, n| sum ^ n))
    }

    fn compose(&self, options: &[u32], _: &[u32], _: &Kernel<'_>) -> Result<u32, Halt> {
        let mut seen = vec![false; options.len() + 1];
        for &n in options {
            if let Some(place) = seen.get_mut(n as usize) {
                *place = true;
            }
        }
        Ok(seen.iter().position(|&s| !s).unwrap_or(0) as u32)
    }
}
