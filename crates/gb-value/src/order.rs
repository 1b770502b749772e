//! The partial order: `G <= H` if and only if no `G^L >= H` and no `H^R <= G`.
//!
//! The tests are made in the order of their price: names, closed forms, stops, fingerprints, memory, and only then
//! recursion. `G - H` is never formed.

use std::cmp::Ordering;

use crate::budget::Halt;
use crate::kernel::{Kernel, deeper};
use crate::player::Player::{Left, Right};
use crate::value::{NumberUpStar, Value, ups_star_is_nonnegative};

/// Who wins a game that ends: see [`OutcomeClass`](crate::OutcomeClass) for those that need not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Left wins whoever begins: `G > 0`.
    L,
    /// Right wins whoever begins: `G < 0`.
    R,
    /// The next player (who begins) wins: `G || 0`.
    N,
    /// The previous player (who does not begin) wins: `G = 0`.
    P,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Outcome::L => "L",
            Outcome::R => "R",
            Outcome::N => "N",
            Outcome::P => "P",
        })
    }
}

impl Kernel<'_> {
    /// Whether `a <= b`.
    pub fn le(&self, a: Value, b: Value) -> Result<bool, Halt> {
        if a == b {
            return Ok(true);
        }
        if a.is_packed() && b.is_packed() {
            return Ok(a.le_packed(b));
        }
        match self.store.signature(a).le(&self.store.signature(b)) {
            Some(answer) => Ok(answer),
            None => self.le_beyond_faces(a, b),
        }
    }

    /// `a <= b` for different values whose signatures do not tell.
    pub(crate) fn le_beyond_faces(&self, a: Value, b: Value) -> Result<bool, Halt> {
        if let Some(answer) = self.store.order_memo.get(a.0, b.0) {
            return Ok(answer);
        }
        let answer = deeper(|| self.le_by_options(a, b))?;
        self.store.order_memo.set(a.0, b.0, answer);
        Ok(answer)
    }

    fn le_by_options(&self, a: Value, b: Value) -> Result<bool, Halt> {
        self.step()?;
        if self.store.has_on_or_off(a) && self.store.has_on_or_off(b) {
            return self.le_by_survival(a, b);
        }
        // Only these can have more options than anybody has time to go through.
        let is_wide = self.store.is_wide(a) || self.store.is_wide(b);
        if is_wide && let (Some(x), Some(y)) = (self.as_number_up_star(a), self.as_number_up_star(b)) {
            return Ok(le_number_up_stars(&x, &y));
        }
        // Nobody wants to move in a number (number avoidance), so its options need no test.
        if !self.is_number(a) {
            for left in self.options(a, Left) {
                if is_wide {
                    self.work(1)?;
                }
                if self.le(b, left)? {
                    return Ok(false);
                }
            }
        }
        if !self.is_number(b) {
            for right in self.options(b, Right) {
                if is_wide {
                    self.work(1)?;
                }
                if self.le(right, a)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// `a <= b` when `on` or `off` occurs in both: Left, moving second, must survive `b - a`, where play can go on for
    /// ever. The recursion ends because `on` and `off` repeat nothing but themselves.
    fn le_by_survival(&self, a: Value, b: Value) -> Result<bool, Halt> {
        if a == Value::OFF || b == Value::ON {
            return Ok(true);
        }
        for right in self.options(b, Right) {
            if !self.left_survives_first(a, right)? {
                return Ok(false);
            }
        }
        for left in self.options(a, Left) {
            if !self.left_survives_first(left, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether Left, moving first, survives `b - a`.
    pub(crate) fn left_survives_first(&self, a: Value, b: Value) -> Result<bool, Halt> {
        for left in self.options(b, Left) {
            if self.le(a, left)? {
                return Ok(true);
            }
        }
        for right in self.options(a, Right) {
            if self.le(right, b)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How two values compare: `None` when they are confused with each other (`||`).
    pub fn compare(&self, a: Value, b: Value) -> Result<Option<Ordering>, Halt> {
        if a == b {
            return Ok(Some(Ordering::Equal));
        }
        // Different values are never equal: the canonical form is unique.
        if self.le(a, b)? {
            return Ok(Some(Ordering::Less));
        }
        Ok(self.le(b, a)?.then_some(Ordering::Greater))
    }

    /// Who wins.
    pub fn outcome(&self, value: Value) -> Result<Outcome, Halt> {
        Ok(match self.compare(value, Value::ZERO)? {
            Some(Ordering::Equal) => Outcome::P,
            Some(Ordering::Greater) => Outcome::L,
            Some(Ordering::Less) => Outcome::R,
            None => Outcome::N,
        })
    }
}

fn le_number_up_stars(x: &NumberUpStar, y: &NumberUpStar) -> bool {
    match x.number.cmp(&y.number) {
        Ordering::Less => true,
        Ordering::Greater => false,
        Ordering::Equal => ups_star_is_nonnegative(y.ups.saturating_sub(x.ups), x.star ^ y.star),
    }
}

/// What tests compare fast paths with.
#[cfg(test)]
pub(crate) mod by_definition {
    use std::collections::HashMap;

    use crate::player::Player::{Left, Right};
    use crate::{Kernel, Value};

    /// `a <= b` by the definition alone.
    pub(crate) fn le(
        kernel: &Kernel<'_>,
        known: &mut HashMap<(Value, Value), bool>,
        a: Value,
        b: Value,
    ) -> bool {
        if let Some(&answer) = known.get(&(a, b)) {
            return answer;
        }
        let answer = !kernel.options(a, Left).any(|left| le(kernel, known, b, left))
            && !kernel.options(b, Right).any(|right| le(kernel, known, right, a));
        known.insert((a, b), answer);
        answer
    }
}
