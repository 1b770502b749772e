//! Sums and negatives.

use smallvec::SmallVec;

use crate::budget::{Halt, Limit};
use crate::dyadic::Dyadic;
use crate::kernel::{Kernel, deeper};
use crate::player::Player;
use crate::store::{HAS_OFF, HAS_ON};
use crate::value::Value;

type Values = SmallVec<[Value; 16]>;

impl Kernel<'_> {
    /// `-value`.
    #[inline]
    pub fn neg(&self, value: Value) -> Result<Value, Halt> {
        if value.is_packed() {
            if let Some(negative) = value.neg_packed() {
                return Ok(negative);
            }
        } else if let Some(negative) = self.store.stored_negative(value) {
            return Ok(negative);
        }
        deeper(|| self.build_negative(value))
    }

    fn build_negative(&self, value: Value) -> Result<Value, Halt> {
        self.step()?;
        if let Some(parts) = self.as_number_up_star(value) {
            let ups = parts.ups.checked_neg().ok_or(Halt::TooLarge(Limit::Ups))?;
            return Ok(self.store.number_up_star(&-parts.number, ups, parts.star));
        }
        let mut lists = [Values::new(), Values::new()];
        for (list, player) in lists.iter_mut().zip(Player::BOTH) {
            for option in self.options(value, player.opponent()) {
                list.push(self.neg(option)?);
            }
        }
        let [mut lefts, mut rights] = lists;
        let negative = self.intern_canonical(&mut lefts, &mut rights)?;
        self.store.set_negatives(value, negative);
        Ok(negative)
    }

    /// `a + b`. Fails with [`Halt::Loopy`] if `on` meets `off` in the sum.
    pub fn add(&self, a: Value, b: Value) -> Result<Value, Halt> {
        if a == Value::ZERO {
            return Ok(b);
        }
        if b == Value::ZERO {
            return Ok(a);
        }
        if a.is_packed()
            && b.is_packed()
            && let Some(sum) = a.add_packed(b)
        {
            return Ok(sum);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if let Some(name) = self.store.sum_memo.get(a.0, b.0) {
            return Ok(Value(name));
        }
        let sum = deeper(|| self.build_sum(a, b))?;
        self.store.sum_memo.set(a.0, b.0, sum.0);
        Ok(sum)
    }

    fn build_sum(&self, a: Value, b: Value) -> Result<Value, Halt> {
        self.step()?;
        let closed = |v: Value| v.is_packed() || self.store.is_wide(v);
        if closed(a)
            && closed(b)
            && let (Some(x), Some(y)) = (self.as_number_up_star(a), self.as_number_up_star(b))
        {
            return self.add_number_up_stars(&x, &y);
        }
        if self.store.stored_negative(a) == Some(b) && !self.store.has_on_or_off(a) {
            return Ok(Value::ZERO);
        }
        for (loop_, other) in [(a, b), (b, a)] {
            let (name, opposite) = match loop_ {
                Value::ON => (Value::ON, HAS_OFF),
                Value::OFF => (Value::OFF, HAS_ON),
                _ => continue,
            };
            return if self.store.flags(other) & opposite == 0 { Ok(name) } else { Err(Halt::Loopy) };
        }
        match (self.is_number(a), self.is_number(b)) {
            (true, _) => self.translate(b, a),
            (_, true) => self.translate(a, b),
            _ => {
                let mut lists = [Values::new(), Values::new()];
                for (list, player) in lists.iter_mut().zip(Player::BOTH) {
                    for option in self.options(a, player) {
                        list.push(self.add(option, b)?);
                    }
                    for option in self.options(b, player) {
                        list.push(self.add(a, option)?);
                    }
                }
                self.from_options(&lists[0], &lists[1])
            }
        }
    }

    /// `value + number` for a value that is no number: the options move along, and the form stays canonical (number
    /// translation).
    fn translate(&self, value: Value, number: Value) -> Result<Value, Halt> {
        let mut lists = [Values::new(), Values::new()];
        for (list, player) in lists.iter_mut().zip(Player::BOTH) {
            for option in self.options(value, player) {
                list.push(self.add(option, number)?);
            }
        }
        let [mut lefts, mut rights] = lists;
        self.intern_canonical(&mut lefts, &mut rights)
    }

    /// `a - b`.
    pub fn sub(&self, a: Value, b: Value) -> Result<Value, Halt> {
        if a == b && !self.store.has_on_or_off(a) {
            return Ok(Value::ZERO);
        }
        self.add(a, self.neg(b)?)
    }

    /// The sum of many values: small ones first, numbers last.
    pub fn sum(&self, values: &[Value]) -> Result<Value, Halt> {
        match *values {
            [] => return Ok(Value::ZERO),
            [a] => return Ok(a),
            [a, b] => return self.add(a, b),
            _ => {}
        }
        let mut small = Value::ZERO;
        let mut large = Values::new();
        for &value in values {
            if value.is_packed() {
                small = self.add(small, value)?;
            } else {
                large.push(value);
            }
        }
        self.cancel_inverse_pairs(&mut large);
        let mut total = Value::ZERO;
        for value in large {
            total = self.add(total, value)?;
        }
        self.add(total, small)
    }

    /// Drops pairs of values that are known to be negatives of each other.
    fn cancel_inverse_pairs(&self, values: &mut Values) {
        let mut i = 0;
        while i < values.len() {
            let negative =
                self.store.stored_negative(values[i]).filter(|_| !self.store.has_on_or_off(values[i]));
            match negative.and_then(|n| values[i + 1..].iter().position(|&v| v == n)) {
                Some(at) => {
                    values.swap_remove(i + 1 + at);
                    values.swap_remove(i);
                }
                None => i += 1,
            }
        }
    }

    /// `n` copies of a value (negative `n`: of its negative).
    pub fn times(&self, n: i64, value: Value) -> Result<Value, Halt> {
        if let Some(parts) = self.as_number_up_star(value) {
            let ups = parts.ups.checked_mul(n).ok_or(Halt::TooLarge(Limit::Ups))?;
            let star = if n % 2 == 0 { 0 } else { parts.star };
            return Ok(self.store.number_up_star(&(&parts.number * &Dyadic::from(n)), ups, star));
        }
        let mut power = if n < 0 { self.neg(value)? } else { value };
        let (mut rest, mut total) = (n.unsigned_abs(), Value::ZERO);
        while rest > 0 {
            if rest & 1 == 1 {
                total = self.add(total, power)?;
            }
            rest >>= 1;
            if rest > 0 {
                power = self.add(power, power)?;
            }
        }
        Ok(total)
    }
}
