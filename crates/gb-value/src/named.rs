//! Games that have names of their own: switches, tiny and miny.

use rustc_hash::FxHashSet;

use crate::budget::Halt;
use crate::kernel::Kernel;
use crate::player::Player::{self, Left, Right};
use crate::value::Value;

impl Kernel<'_> {
    /// `+-{a,b}`: the game in which Left moves to one of these and Right to one of their negatives.
    pub fn plus_minus(&self, lefts: &[Value]) -> Result<Value, Halt> {
        let rights = lefts.iter().map(|&v| self.neg(v)).collect::<Result<Vec<_>, _>>()?;
        self.from_options(lefts, &rights)
    }

    /// Tiny-G: `{0||0|-G}`.
    pub fn tiny(&self, value: Value) -> Result<Value, Halt> {
        let threat = self.from_options(&[Value::ZERO], &[self.neg(value)?])?;
        self.from_options(&[Value::ZERO], &[threat])
    }

    /// The G >= 0 for which this value is tiny-G (and no sum of a number, ups and a star).
    pub fn as_tiny(&self, value: Value) -> Result<Option<Value>, Halt> {
        let Some(negative) = self.tiny_threat(value, Left) else { return Ok(None) };
        let of = self.neg(negative)?;
        Ok(self.le(Value::ZERO, of)?.then_some(of))
    }

    /// The G >= 0 for which this value is miny-G, the negative of tiny-G.
    pub fn as_miny(&self, value: Value) -> Result<Option<Value>, Halt> {
        let Some(of) = self.tiny_threat(value, Right) else { return Ok(None) };
        Ok(self.le(Value::ZERO, of)?.then_some(of))
    }

    /// What the opponent threatens in a game where `player` can only move to 0: the X of `{0||0|X}`.
    fn tiny_threat(&self, value: Value, player: Player) -> Option<Value> {
        if self.as_number_up_star(value).is_some() {
            return None;
        }
        let only = |v, p| self.only_option(v, p);
        let threat = only(value, player.opponent())?;
        let to_zero = only(value, player)? == Value::ZERO && only(threat, player)? == Value::ZERO;
        if to_zero { only(threat, player.opponent()) } else { None }
    }

    /// The option of a player who has just one.
    pub(crate) fn only_option(&self, value: Value, player: Player) -> Option<Value> {
        let mut options = self.options(value, player);
        options.next().filter(|_| options.len() == 0)
    }

    /// Whether a value is `+-{a,b,...}`: Right's options are the negatives of Left's.
    pub fn is_plus_minus(&self, value: Value) -> Result<bool, Halt> {
        let mut rights: FxHashSet<Value> = self.options(value, Right).collect();
        let lefts = self.options(value, Left);
        if lefts.len() == 0 || lefts.len() != rights.len() {
            return Ok(false);
        }
        // Cheap to know, and true of all switches.
        if self.stop(value, Left)? != self.stop(value, Right)?.map(|x| -x) {
            return Ok(false);
        }
        for left in lefts {
            if !rights.remove(&self.neg(left)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
