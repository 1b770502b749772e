//! Exact dyadic rationals `m / 2^k` of any size: the finite numbers among the games.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

#[cfg(test)]
mod tests;
mod text;

pub use text::ParseDyadicError;

/// An exact dyadic rational `numerator / 2^exponent`.
///
/// The representation is canonical (the numerator is odd unless the exponent is 0, and a boxed big numerator is used
/// only where an `i64` is too small), so equality and hashing are structural. The usual small numbers are two machine
/// words, and adding or comparing them allocates nothing; whatever does not fit moves to the big form by itself.
///
/// # Size
///
/// `+`, `-`, negation, [`half`](Self::half) and [`double`](Self::double) add at most one bit to the larger operand and
/// are always exact. Multiplication and shifting can double the size at every step; for numbers that come from a user
/// call [`checked_mul`](Self::checked_mul) and [`checked_shift`](Self::checked_shift), which refuse results of more than
/// [`MAX_BITS`](Self::MAX_BITS) bits, as parsing does. The operator `*` is exact without that bound. Operators panic
/// only where an exponent would pass `u32::MAX`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Dyadic(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small { num: i64, exp: u32 },
    Big(Box<Big>),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Big {
    num: BigInt,
    exp: u32,
}

/// The result would need more than [`Dyadic::MAX_BITS`] bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the number is too large: numerators and denominators have at most {} bits", Dyadic::MAX_BITS)]
pub struct TooLarge;

impl Dyadic {
    /// Parsing and the checked operations accept numerators and denominators of at most this many bits.
    pub const MAX_BITS: u32 = 1 << 20;
    /// 0
    pub const ZERO: Dyadic = Dyadic::integer(0);
    /// 1
    pub const ONE: Dyadic = Dyadic::integer(1);

    /// The integer `n`.
    #[inline]
    pub const fn integer(n: i64) -> Dyadic {
        Dyadic(Repr::Small { num: n, exp: 0 })
    }

    /// `num / 2^exp`, reduced.
    #[inline]
    pub const fn new(num: i64, exp: u32) -> Dyadic {
        if exp == 0 {
            return Dyadic::integer(num);
        }
        if num == 0 {
            return Dyadic::ZERO;
        }
        let twos = num.trailing_zeros();
        let twos = if twos < exp { twos } else { exp };
        Dyadic(Repr::Small { num: num >> twos, exp: exp - twos })
    }

    /// `num / 2^exp`, reduced.
    pub fn from_big(num: BigInt, exp: u32) -> Dyadic {
        let Some(twos) = num.trailing_zeros() else { return Dyadic::ZERO };
        let twos = twos.min(u64::from(exp)) as u32;
        let (num, exp) = if twos == 0 { (num, exp) } else { (num >> twos, exp - twos) };
        match num.to_i64() {
            Some(num) => Dyadic(Repr::Small { num, exp }),
            None => Dyadic(Repr::Big(Box::new(Big { num, exp }))),
        }
    }

    /// `num / 2^exp`, reduced, for results of small arithmetic.
    #[inline]
    fn from_i128(num: i128, exp: u32) -> Dyadic {
        if num == 0 {
            return Dyadic::ZERO;
        }
        let twos = num.trailing_zeros().min(exp);
        let (num, exp) = (num >> twos, exp - twos);
        match i64::try_from(num) {
            Ok(num) => Dyadic(Repr::Small { num, exp }),
            Err(_) => Dyadic(Repr::Big(Box::new(Big { num: BigInt::from(num), exp }))),
        }
    }

    /// Numerator and exponent in lowest terms, if the numerator fits.
    #[inline]
    pub fn as_small(&self) -> Option<(i64, u32)> {
        match self.0 {
            Repr::Small { num, exp } => Some((num, exp)),
            Repr::Big(_) => None,
        }
    }

    /// The integer, if this is one and it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small { num, exp: 0 } => Some(num),
            _ => None,
        }
    }

    /// The numerator in lowest terms.
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Repr::Small { num, .. } => BigInt::from(*num),
            Repr::Big(big) => big.num.clone(),
        }
    }

    /// The `k` of the denominator `2^k` in lowest terms.
    #[inline]
    pub fn exponent(&self) -> u32 {
        match &self.0 {
            Repr::Small { exp, .. } => *exp,
            Repr::Big(big) => big.exp,
        }
    }

    /// Is this an integer?
    #[inline]
    pub fn is_integer(&self) -> bool {
        self.exponent() == 0
    }

    /// Is this 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small { num: 0, .. })
    }

    /// -1, 0 or 1 as the number is negative, zero or positive.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small { num, .. } => num.signum() as i32,
            Repr::Big(big) => match big.num.sign() {
                Sign::Minus => -1,
                Sign::NoSign => 0,
                Sign::Plus => 1,
            },
        }
    }

    /// The absolute value.
    #[inline]
    pub fn abs(&self) -> Dyadic {
        if self.signum() < 0 { -self } else { self.clone() }
    }

    /// Half of it.
    #[inline]
    pub fn half(&self) -> Dyadic {
        match self.0 {
            Repr::Small { num, exp: 0 } if num & 1 == 0 => Dyadic::integer(num >> 1),
            Repr::Small { num, exp } if exp < u32::MAX => Dyadic(Repr::Small { num, exp: exp + 1 }),
            _ => self.shift_down(1),
        }
    }

    /// Twice as much.
    #[inline]
    pub fn double(&self) -> Dyadic {
        match self.0 {
            Repr::Small { num, exp } if exp > 0 => Dyadic(Repr::Small { num, exp: exp - 1 }),
            _ => self + self,
        }
    }

    /// `self * 2^by`, where `by` may be negative.
    pub fn checked_shift(&self, by: i32) -> Result<Dyadic, TooLarge> {
        let down = by.unsigned_abs();
        if self.is_zero() {
            Ok(Dyadic::ZERO)
        } else if by < 0 {
            if u64::from(self.exponent()) + u64::from(down)
                > u64::from(Self::MAX_BITS) + self.trailing_zeros()
            {
                return Err(TooLarge);
            }
            Ok(self.shift_down(down))
        } else {
            let up = by as u32;
            let exp = self.exponent();
            if up <= exp {
                return Ok(Dyadic::from_big(self.numerator(), exp - up));
            }
            if self.bits() + u64::from(up - exp) > u64::from(Self::MAX_BITS) {
                return Err(TooLarge);
            }
            Ok(Dyadic::from_big(self.numerator() << (up - exp), 0))
        }
    }

    /// The product, unless it is too large.
    pub fn checked_mul(&self, other: &Dyadic) -> Result<Dyadic, TooLarge> {
        let max = u64::from(Self::MAX_BITS);
        let exp = u64::from(self.exponent()) + u64::from(other.exponent());
        if self.is_zero() || other.is_zero() {
            Ok(Dyadic::ZERO)
        } else if exp > max || self.bits() + other.bits() > max {
            Err(TooLarge)
        } else {
            Ok(self * other)
        }
    }

    /// The greatest integer that is not greater.
    pub fn floor(&self) -> Dyadic {
        match &self.0 {
            Repr::Small { num, exp } => Dyadic::integer(num >> (*exp).min(63)),
            // The shift of a `BigInt` rounds towards minus infinity.
            Repr::Big(big) => Dyadic::from_big(&big.num >> big.exp, 0),
        }
    }

    /// The least integer that is not less.
    pub fn ceil(&self) -> Dyadic {
        match self.is_integer() {
            true => self.clone(),
            false => self.floor() + Dyadic::ONE,
        }
    }

    /// The simplest number between two bounds: the integer of least absolute value if one fits, otherwise the number
    /// with the least denominator (there is only one then). A missing bound is infinite, an open one is excluded.
    /// `None` if nothing fits.
    ///
    /// This is the number born first (Conway, On Numbers and Games, 1976, theorem 11).
    pub fn simplest_between(
        lo: Option<&Dyadic>,
        lo_open: bool,
        hi: Option<&Dyadic>,
        hi_open: bool,
    ) -> Option<Dyadic> {
        let above = |x: &Dyadic| lo.is_none_or(|lo| if lo_open { x > lo } else { x >= lo });
        let below = |x: &Dyadic| hi.is_none_or(|hi| if hi_open { x < hi } else { x <= hi });
        match (above(&Dyadic::ZERO), below(&Dyadic::ZERO)) {
            (true, true) => return Some(Dyadic::ZERO),
            (false, false) => return None,
            (true, false) => {
                let (lo, hi) = (hi.map(|x| -x), lo.map(|x| -x));
                return Self::simplest_between(lo.as_ref(), hi_open, hi.as_ref(), lo_open).map(|x| -x);
            }
            (false, true) => {}
        }
        // Only positive numbers are left. The least multiple of 1/2^k above the lower bound fits, or no multiple does.
        let lo = lo?;
        let least = |k: u32| {
            let scaled = lo.shift_up(k);
            let ticks = if lo_open { scaled.floor() + Dyadic::ONE } else { scaled.ceil() };
            Some(ticks.shift_down(k)).filter(below)
        };
        if let Some(integer) = least(0) {
            return Some(integer);
        }
        // Multiples of 1/2^k are multiples of 1/2^(k+1): the least k that works is found by bisection.
        let hi = hi?;
        if lo > hi || lo == hi && (lo_open || hi_open) {
            return None;
        }
        let mut fails = 0;
        let mut works = lo.exponent().max(hi.exponent()) + 1;
        while works - fails > 1 {
            let k = fails + (works - fails) / 2;
            if least(k).is_some() {
                works = k;
            } else {
                fails = k;
            }
        }
        least(works)
    }

    /// The birthday: `|n|` of an integer, else the integers and the halvings on the way to it. `None` beyond `u64`.
    pub fn birthday(&self) -> Option<u64> {
        let whole = self.abs().floor().numerator().to_u64()?;
        match self.exponent() {
            0 => Some(whole),
            exp => whole.checked_add(1)?.checked_add(u64::from(exp)),
        }
    }

    fn bits(&self) -> u64 {
        match &self.0 {
            Repr::Small { num, .. } => u64::from(64 - num.unsigned_abs().leading_zeros()),
            Repr::Big(big) => big.num.bits(),
        }
    }

    fn trailing_zeros(&self) -> u64 {
        match &self.0 {
            Repr::Small { num, .. } => u64::from(num.trailing_zeros()),
            Repr::Big(big) => big.num.trailing_zeros().unwrap_or(0),
        }
    }

    fn shift_up(&self, by: u32) -> Dyadic {
        match self.exponent() {
            exp if by <= exp => match &self.0 {
                Repr::Small { num, .. } => Dyadic::new(*num, exp - by),
                Repr::Big(big) => Dyadic::from_big(big.num.clone(), exp - by),
            },
            exp => Dyadic::from_big(self.numerator() << (by - exp), 0),
        }
    }

    fn shift_down(&self, by: u32) -> Dyadic {
        let twos = self.trailing_zeros().min(u64::from(by)) as u32;
        let exp = self.exponent().checked_add(by - twos).expect("the exponent of a number must fit 32 bits");
        match &self.0 {
            Repr::Small { num: 0, .. } => Dyadic::ZERO,
            Repr::Small { num, .. } => Dyadic::new(num >> twos, exp),
            Repr::Big(big) => Dyadic::from_big(&big.num >> twos, exp),
        }
    }

    /// The numerators of both over their greater exponent.
    fn aligned(&self, other: &Dyadic) -> (BigInt, BigInt, u32) {
        let exp = self.exponent().max(other.exponent());
        let scale = |x: &Dyadic| x.numerator() << (exp - x.exponent());
        (scale(self), scale(other), exp)
    }

    #[cold]
    fn add_big(&self, other: &Dyadic) -> Dyadic {
        let (a, b, exp) = self.aligned(other);
        Dyadic::from_big(a + b, exp)
    }

    #[cold]
    fn sub_big(&self, other: &Dyadic) -> Dyadic {
        let (a, b, exp) = self.aligned(other);
        Dyadic::from_big(a - b, exp)
    }

    #[cold]
    fn cmp_big(&self, other: &Dyadic) -> Ordering {
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }

    #[inline]
    fn plus(&self, other: &Dyadic) -> Dyadic {
        if let (Repr::Small { num: a, exp: ea }, Repr::Small { num: b, exp: eb }) = (&self.0, &other.0) {
            if let Some((a, b, exp)) = align_tiny(*a, *ea, *b, *eb) {
                return Dyadic::new(a + b, exp);
            }
            if let Some((a, b, exp)) = align_small(*a, *ea, *b, *eb) {
                return Dyadic::from_i128(a + b, exp);
            }
        }
        self.add_big(other)
    }

    #[inline]
    fn minus(&self, other: &Dyadic) -> Dyadic {
        if let (Repr::Small { num: a, exp: ea }, Repr::Small { num: b, exp: eb }) = (&self.0, &other.0) {
            if let Some((a, b, exp)) = align_tiny(*a, *ea, *b, *eb) {
                return Dyadic::new(a - b, exp);
            }
            if let Some((a, b, exp)) = align_small(*a, *ea, *b, *eb) {
                return Dyadic::from_i128(a - b, exp);
            }
        }
        self.sub_big(other)
    }

    #[inline]
    fn times(&self, other: &Dyadic) -> Dyadic {
        let exp =
            self.exponent().checked_add(other.exponent()).expect("the exponent of a number must fit 32 bits");
        match (&self.0, &other.0) {
            (Repr::Small { num: a, .. }, Repr::Small { num: b, .. }) => {
                Dyadic::from_i128(i128::from(*a) * i128::from(*b), exp)
            }
            _ => Dyadic::from_big(self.numerator() * other.numerator(), exp),
        }
    }
}

/// Both numerators over the greater exponent, if they are so small that their sum fits into 64 bits: the usual case.
#[inline]
fn align_tiny(a: i64, ea: u32, b: i64, eb: u32) -> Option<(i64, i64, u32)> {
    let exp = ea.max(eb);
    let tiny = exp <= 30 && (a.unsigned_abs() | b.unsigned_abs()) < 1 << 31;
    tiny.then(|| (a << (exp - ea), b << (exp - eb), exp))
}

/// Both numerators over the greater exponent, unless the exponents are too far apart for 128 bits.
#[inline]
fn align_small(a: i64, ea: u32, b: i64, eb: u32) -> Option<(i128, i128, u32)> {
    let (a, b) = (i128::from(a), i128::from(b));
    if ea >= eb {
        (ea - eb < 63).then(|| (a, b << (ea - eb), ea))
    } else {
        (eb - ea < 63).then(|| (a << (eb - ea), b, eb))
    }
}

impl Ord for Dyadic {
    #[inline]
    fn cmp(&self, other: &Dyadic) -> Ordering {
        if let (Repr::Small { num: a, exp: ea }, Repr::Small { num: b, exp: eb }) = (&self.0, &other.0) {
            if ea == eb {
                return a.cmp(b);
            }
            if let Some((a, b, _)) = align_tiny(*a, *ea, *b, *eb) {
                return a.cmp(&b);
            }
            if let Some((a, b, _)) = align_small(*a, *ea, *b, *eb) {
                return a.cmp(&b);
            }
        }
        match self.signum().cmp(&other.signum()) {
            Ordering::Equal => self.cmp_big(other),
            unequal => unequal,
        }
    }
}

impl PartialOrd for Dyadic {
    #[inline]
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    #[inline]
    fn neg(self) -> Dyadic {
        match &self.0 {
            Repr::Small { num, exp } => match num.checked_neg() {
                Some(num) => Dyadic(Repr::Small { num, exp: *exp }),
                None => Dyadic::from_big(-BigInt::from(*num), *exp),
            },
            Repr::Big(big) => Dyadic::from_big(-&big.num, big.exp),
        }
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;
    #[inline]
    fn neg(self) -> Dyadic {
        -&self
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $by:ident) => {
        impl $trait<&Dyadic> for &Dyadic {
            type Output = Dyadic;
            #[inline]
            fn $method(self, other: &Dyadic) -> Dyadic {
                self.$by(other)
            }
        }
        impl $trait<Dyadic> for &Dyadic {
            type Output = Dyadic;
            #[inline]
            fn $method(self, other: Dyadic) -> Dyadic {
                self.$by(&other)
            }
        }
        impl $trait<&Dyadic> for Dyadic {
            type Output = Dyadic;
            #[inline]
            fn $method(self, other: &Dyadic) -> Dyadic {
                self.$by(other)
            }
        }
        impl $trait<Dyadic> for Dyadic {
            type Output = Dyadic;
            #[inline]
            fn $method(self, other: Dyadic) -> Dyadic {
                self.$by(&other)
            }
        }
    };
}
operator!(Add, add, plus);
operator!(Sub, sub, minus);
operator!(Mul, mul, times);

impl AddAssign<&Dyadic> for Dyadic {
    #[inline]
    fn add_assign(&mut self, other: &Dyadic) {
        *self = self.plus(other);
    }
}

impl SubAssign<&Dyadic> for Dyadic {
    #[inline]
    fn sub_assign(&mut self, other: &Dyadic) {
        *self = self.minus(other);
    }
}

impl Default for Dyadic {
    fn default() -> Dyadic {
        Dyadic::ZERO
    }
}

impl From<i64> for Dyadic {
    #[inline]
    fn from(n: i64) -> Dyadic {
        Dyadic::integer(n)
    }
}

impl From<BigInt> for Dyadic {
    fn from(n: BigInt) -> Dyadic {
        Dyadic::from_big(n, 0)
    }
}
