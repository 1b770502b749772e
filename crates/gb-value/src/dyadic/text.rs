//! Numbers as text: `-3/4`.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::{Dyadic, Repr, TooLarge};

/// Why a text is not a dyadic rational. Columns count characters from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseDyadicError {
    /// Something else stands where a digit must be.
    #[error("unexpected {found} in column {column} of a number: expected a digit, as in `-3/4`")]
    ExpectedDigit {
        /// The character found, in quotes, or "end of text".
        found: String,
        /// Where.
        column: usize,
    },
    /// The denominator is zero.
    #[error("the denominator of a number must not be 0")]
    ZeroDenominator,
    /// The denominator is not a power of two.
    #[error(
        "the denominator {0} is not a power of two: finite games have only numbers such as 1/2, 3/4 or 5/8"
    )]
    NotPowerOfTwo(String),
    /// See [`TooLarge`].
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0, self.exponent()) {
            (Repr::Small { num, .. }, 0) => f.pad(&num.to_string()),
            (Repr::Small { num, .. }, exp) if exp < 64 => f.pad(&format!("{num}/{}", 1u64 << exp)),
            (_, 0) => f.pad(&self.numerator().to_string()),
            (_, exp) => f.pad(&format!("{}/{}", self.numerator(), BigInt::one() << exp)),
        }
    }
}

impl fmt::Debug for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Dyadic {
    type Err = ParseDyadicError;

    /// Reads `["-"] digits ["/" digits]`, without spaces; the fraction need not be in lowest terms.
    fn from_str(text: &str) -> Result<Dyadic, ParseDyadicError> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let start = 1 + usize::from(negative);
        let (above, below) = match unsigned.split_once('/') {
            Some((above, below)) => (above, Some(below)),
            None => (unsigned, None),
        };
        let num = digits(above, start)?;
        let exp = match below {
            None => 0,
            Some(below) => {
                let den = digits(below, start + above.len() + 1)?;
                let twos = den.trailing_zeros().ok_or(ParseDyadicError::ZeroDenominator)?;
                if !(&den >> twos).is_one() {
                    return Err(ParseDyadicError::NotPowerOfTwo(shortened(below)));
                }
                twos as u32
            }
        };
        Ok(Dyadic::from_big(if negative { -num } else { num }, exp))
    }
}

/// Reads a non-empty run of digits that begins in the given column.
fn digits(text: &str, column: usize) -> Result<BigInt, ParseDyadicError> {
    let wrong = text.chars().enumerate().find(|(_, c)| !c.is_ascii_digit());
    match wrong {
        Some((at, c)) => {
            return Err(ParseDyadicError::ExpectedDigit { found: format!("`{c}`"), column: column + at });
        }
        None if text.is_empty() => {
            return Err(ParseDyadicError::ExpectedDigit { found: "end".into(), column });
        }
        None => {}
    }
    // More than 3 bits a digit, so this is decided before any work is done.
    let significant = text.trim_start_matches('0');
    if significant.len() as u64 * 3 > u64::from(Dyadic::MAX_BITS) + 3 {
        return Err(TooLarge.into());
    }
    let number = BigInt::parse_bytes(significant.as_bytes(), 10).unwrap_or_else(BigInt::zero);
    // One bit more, so that the denominator 2^MAX_BITS itself is read.
    if number.bits() > u64::from(Dyadic::MAX_BITS) + 1 { Err(TooLarge.into()) } else { Ok(number) }
}

/// A long run of digits as it should appear in a message.
fn shortened(digits: &str) -> String {
    if digits.len() <= 24 {
        digits.to_owned()
    } else {
        format!("{}... ({} digits)", &digits[..20], digits.len())
    }
}
