//! Literals: a number, ups and a star written in one piece, as in `-3/4^^*2`.

use crate::budget::Halt;
use crate::dyadic::Dyadic;
use crate::kernel::Kernel;
use crate::value::{NumberUpStar, Value};

/// What a literal such as `1/2^<2>*3` says: the sum of all its parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Literal {
    /// The number that is written, if one is.
    pub number: Option<Dyadic>,
    /// Ups, minus downs.
    pub ups: i64,
    /// `^<n>` and `v<n>`, of which there are few.
    pub uptimals: Vec<Uptimal>,
    /// The index of the nimber, 0 for none.
    pub star: u32,
}

/// An uptimal, a number of times: `^<n>`, or `^[n]`, the sum of `^<1>` to `^<n>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uptimal {
    /// `n`, at least 1.
    pub degree: u32,
    /// Written with square brackets.
    pub summed: bool,
    /// How often: negative if it is written with `v`.
    pub times: i64,
}

impl Literal {
    /// The same literal with its number, and nothing else, negated.
    #[must_use]
    pub fn with_number_negated(mut self) -> Literal {
        self.number = self.number.map(|x| -x);
        self
    }

    /// The value of the literal.
    pub fn value(&self, kernel: &Kernel<'_>) -> Result<Value, Halt> {
        let number = self.number.clone().unwrap_or_default();
        let mut total = kernel.number_up_star(&NumberUpStar { number, ups: self.ups, star: self.star });
        for uptimal in &self.uptimals {
            let value = match uptimal.summed {
                true => kernel.up_powers_sum(uptimal.degree)?,
                false => kernel.up_power(uptimal.degree)?,
            };
            total = kernel.add(total, kernel.times(uptimal.times, value)?)?;
        }
        Ok(total)
    }
}
