//! Exact numbers on an axis: where they go and which of them get a label.

use gb_value::Dyadic;
use num_bigint::BigInt;
use num_integer::Integer;

/// Maps the numbers from `from` to `to` (not equal, in either order) onto the places from 0 to `length`.
pub(crate) struct Scale {
    pub(crate) from: Dyadic,
    pub(crate) to: Dyadic,
    pub(crate) length: i64,
}

impl Scale {
    /// The place of `x`, rounded to the nearest. Numbers beyond the ends get the nearer end.
    pub(crate) fn place(&self, x: &Dyadic) -> i64 {
        let place = self.place_beyond(x).clamp(BigInt::from(0), BigInt::from(self.length));
        i64::try_from(place).unwrap_or(self.length)
    }

    /// The place of `x`, rounded to the nearest, even if it lies beyond the ends.
    pub(crate) fn place_beyond(&self, x: &Dyadic) -> BigInt {
        let (part, whole) = over_one_denominator(&(x - &self.from), &(&self.to - &self.from));
        let twice: BigInt = part * (2 * self.length);
        (twice + &whole).div_floor(&(whole * 2))
    }

    /// The multiples of `step` between the ends, in ascending order.
    pub(crate) fn multiples(&self, step: &Dyadic) -> Vec<Dyadic> {
        let (lo, hi) = (self.from.clone().min(self.to.clone()), self.from.clone().max(self.to.clone()));
        let (num, den) = over_one_denominator(&lo, step);
        let mut tick = Dyadic::from(num.div_ceil(&den)) * step;
        let mut ticks = Vec::new();
        while tick <= hi {
            ticks.push(tick.clone());
            tick += step;
        }
        ticks
    }

    /// Round numbers to label, as many as keep `gap(one label, the next)` places between neighbours.
    pub(crate) fn ticks(&self, gap: impl Fn(&str, &str) -> i64) -> Vec<(i64, String)> {
        let range = (&self.to - &self.from).abs();
        let mut step = finest_step(&range);
        loop {
            let mut ticks: Vec<_> =
                self.multiples(&step).iter().map(|x| (self.place(x), x.to_string())).collect();
            ticks.sort_unstable();
            if ticks.windows(2).all(|pair| pair[1].0 - pair[0].0 >= gap(&pair[0].1, &pair[1].1)) {
                return ticks;
            }
            step = next_step(&step);
        }
    }
}

/// A round step that divides the range into about 10 to 100.
fn finest_step(range: &Dyadic) -> Dyadic {
    let log = log2(range);
    if log <= 6 {
        return Dyadic::new(1, (6 - log) as u32);
    }
    let digits = range.floor().numerator().to_string().len();
    Dyadic::from(BigInt::from(10).pow(digits as u32 - 2))
}

/// The least `n` with `x < 2^n`, for positive `x`.
pub(crate) fn log2(x: &Dyadic) -> i64 {
    x.numerator().bits() as i64 - i64::from(x.exponent())
}

/// ..., 1/4, 1/2, 1, 2, 5, 10, 20, ...: below 1 only powers of two are finite numbers.
fn next_step(step: &Dyadic) -> Dyadic {
    if !step.is_integer() {
        return step.double();
    }
    let twice = step.double();
    if step.numerator().to_string().starts_with('2') { &twice + step.half() } else { twice }
}

/// Numerators of both over the same denominator.
fn over_one_denominator(a: &Dyadic, b: &Dyadic) -> (BigInt, BigInt) {
    let exp = a.exponent().max(b.exponent());
    (a.numerator() << (exp - a.exponent()), b.numerator() << (exp - b.exponent()))
}
