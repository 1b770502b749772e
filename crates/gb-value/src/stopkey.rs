//! Stops as 32-bit keys whose order is the order of the numbers.

use std::cmp::Ordering;

use crate::dyadic::Dyadic;

/// A number in 31 bits: twice the greatest multiple of 1/128 that is not above it, plus one if there is a rest.
///
/// Different keys order their numbers strictly. Equal even keys mean equal numbers; equal odd keys say nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct StopKey(i32);

impl StopKey {
    /// The key of `on`, above all numbers.
    pub(crate) const ON: StopKey = StopKey(i32::MAX - 1);
    /// The key of `off`, below all numbers.
    pub(crate) const OFF: StopKey = StopKey(i32::MIN);
    const LARGE: StopKey = StopKey(i32::MAX - 2);
    const SMALL: StopKey = StopKey(i32::MIN + 1);

    /// Of a number given in units of 1/128.
    #[inline]
    pub(crate) fn of_scaled(scaled: i32) -> StopKey {
        StopKey(scaled * 2)
    }

    /// The key itself: twice the number in units of 1/128, and odd if there is a rest.
    #[inline]
    pub(crate) fn raw(self) -> i64 {
        self.0.into()
    }

    pub(crate) fn of(number: &Dyadic) -> StopKey {
        let too_large = if number.signum() > 0 { StopKey::LARGE } else { StopKey::SMALL };
        let Some((num, exp)) = number.as_small() else {
            return Self::of_big(number, too_large);
        };
        let (scaled, rest) = if exp <= 7 {
            (num.checked_mul(1 << (7 - exp)), false)
        } else if exp - 7 < 63 {
            (Some(num >> (exp - 7)), true)
        } else {
            (Some(if num < 0 { -1 } else { 0 }), true)
        };
        match scaled {
            Some(s) if s.abs() < 1 << 29 => StopKey(s as i32 * 2 + rest as i32),
            _ => too_large,
        }
    }

    fn of_big(number: &Dyadic, too_large: StopKey) -> StopKey {
        // Too large for 64 bits, or too fine: the integer below it decides.
        match number.floor().as_small() {
            Some((floor, 0)) if floor.abs() < 1 << 20 => {
                let rest = number - &Dyadic::from(floor);
                let cells = (&rest * &Dyadic::from(128)).floor();
                let cells = cells.as_small().map_or(0, |(n, _)| n as i32);
                StopKey((floor as i32 * 128 + cells) * 2 + 1)
            }
            _ => too_large,
        }
    }

    /// The number itself, unless only its neighbourhood is known.
    pub(crate) fn number(self) -> Option<Dyadic> {
        (self.0 & 1 == 0 && self != StopKey::ON && self != StopKey::OFF)
            .then(|| Dyadic::new((self.0 >> 1) as i64, 7))
    }

    /// How two numbers compare, if the keys know.
    pub(crate) fn compare(self, other: StopKey) -> Option<Ordering> {
        match self.cmp(&other) {
            Ordering::Equal if self.0 & 1 == 1 => None,
            order => Some(order),
        }
    }

    /// About the sum of two numbers: greater for greater ones.
    #[inline]
    pub(crate) fn sum_of_pair((left, right): (StopKey, StopKey)) -> i32 {
        (left.0 >> 1) + (right.0 >> 1)
    }

    pub(crate) fn pair_to_word((left, right): (StopKey, StopKey)) -> u64 {
        left.0 as u32 as u64 | (right.0 as u32 as u64) << 32
    }

    #[inline]
    pub(crate) fn pair_from_word(word: u64) -> (StopKey, StopKey) {
        (StopKey(word as u32 as i32), StopKey((word >> 32) as u32 as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_numbers() {
        let mut numbers: Vec<Dyadic> = vec![];
        for n in [0i64, 1, 2, 3, 5, 127, 128, 129, 4095, 1 << 21, (1 << 21) + 1, 1 << 22, 1 << 40, i64::MAX] {
            for e in [0u32, 1, 2, 7, 8, 9, 40, 62, 63, 64, 70, 200] {
                numbers.push(Dyadic::new(n, e));
                numbers.push(-&Dyadic::new(n, e));
                numbers.push(&Dyadic::new(n, e) + &Dyadic::from(17));
            }
        }
        for a in &numbers {
            for b in &numbers {
                if let Some(order) = StopKey::of(a).compare(StopKey::of(b)) {
                    assert_eq!(order, a.cmp(b), "{a} and {b}");
                }
            }
            if let Some(back) = StopKey::of(a).number() {
                assert_eq!(&back, a);
            }
            assert!(StopKey::of(a) < StopKey::ON && StopKey::of(a) > StopKey::OFF);
        }
    }
}
