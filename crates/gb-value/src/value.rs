//! [`Value`]: a 32-bit name of a canonical form, and the packed forms that need no memory at all.

use std::num::NonZeroU32;

use crate::dyadic::Dyadic;
use crate::store::HEADER;

/// A combinatorial game value in canonical form: a small name that means something together with its
/// [`Store`](crate::Store).
///
/// Two values of one store are equal as games if and only if they are `==`. Values of different stores must not be mixed.
///
/// Numbers, ups, stars and their sums are packed into the name itself as long as they are small (which is nearly
/// always): adding and comparing those touches no memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub(crate) u32);

// Layout of a packed value, from the top: 1 | numerator (13, signed) | exponent (3) | ups (7, signed) | star (8).
const PACKED: u32 = 1 << 31;
const NUM_SHIFT: u32 = 18;
const EXP_SHIFT: u32 = 15;
const UPS_SHIFT: u32 = 8;
const NUM_MAX: i64 = (1 << 12) - 1;
const NUM_MIN: i64 = -(1 << 12);
const EXP_MAX: u32 = 7;
const UPS_MAX: i64 = 63;
const UPS_MIN: i64 = -64;
pub(crate) const STAR_MAX: u32 = 255;
const NOT_NUMBER_MASK: u32 = (1 << EXP_SHIFT) - 1;

/// A sum of a number, ups and a nimber that is small enough to be packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Packed {
    pub(crate) num: i32,
    pub(crate) exp: u32,
    pub(crate) ups: i32,
    pub(crate) star: u32,
}

/// A sum of a number, ups and a nimber, of any size.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NumberUpStar {
    /// The number.
    pub number: Dyadic,
    /// How many ups (negative: downs).
    pub ups: i64,
    /// The index of the nimber, 0 for none.
    pub star: u32,
}

impl Value {
    /// The game without moves.
    pub const ZERO: Value = Value(PACKED);
    /// The nimber `*`.
    pub const STAR: Value = Value(PACKED | 1);
    /// `^`, the smallest simple positive infinitesimal, {0|*}.
    pub const UP: Value = Value(PACKED | 1 << UPS_SHIFT);
    /// `on`, from which Left can pass for ever.
    pub const ON: Value = Value(1);
    /// `off`, from which Right can pass for ever.
    pub const OFF: Value = Value(8);

    /// The integer 1.
    pub const ONE: Value = Value(PACKED | 1 << NUM_SHIFT);

    /// The name as a number, for those who keep many values in little memory.
    #[inline]
    pub fn to_bits(self) -> NonZeroU32 {
        // Packed values have the highest bit, and the first word of the arena is nobody's name.
        NonZeroU32::new(self.0).unwrap_or(NonZeroU32::MIN)
    }

    /// The value with this name, which [`to_bits`](Value::to_bits) has given, in the same store.
    #[inline]
    pub fn from_bits(bits: NonZeroU32) -> Value {
        Value(bits.get())
    }

    /// How many places there are: see [`place`](Value::place).
    pub const PLACES: usize = (1usize << 31).div_ceil(HEADER);

    /// A place in a table beside a store, for those who keep something about many of its values: different values that are not their own names have
    /// different places. Most values take up two or three.
    #[inline]
    pub fn place(self) -> Option<usize> {
        self.node().map(|name| name as usize / HEADER)
    }

    /// The name of a value that is its own name, with the highest bit set: it means the same in every store.
    #[inline]
    pub fn packed_bits(self) -> Option<u32> {
        self.is_packed().then_some(self.0)
    }

    /// The value with such a name; `None` if it is the name of none.
    #[inline]
    pub fn from_packed_bits(bits: u32) -> Option<Value> {
        let value = Value(bits);
        if !value.is_packed() {
            return None;
        }
        let Packed { num, exp, .. } = value.unpack();
        (exp == 0 || num & 1 == 1).then_some(value)
    }

    /// Whether this is the sum of a number, some ups and a star that is small enough to be its own name: such values are cheap to add.
    #[inline]
    pub fn is_packed(self) -> bool {
        self.0 & PACKED != 0
    }

    /// A number that is packed; numbers too large for that are found by the store.
    #[inline]
    pub(crate) fn is_packed_number(self) -> bool {
        self.0 & (PACKED | NOT_NUMBER_MASK) == PACKED
    }

    #[inline]
    pub(crate) fn node(self) -> Option<u32> {
        if self.is_packed() { None } else { Some(self.0) }
    }

    #[inline]
    pub(crate) fn pack_integer(n: i64) -> Option<Value> {
        let fits = (NUM_MIN..=NUM_MAX).contains(&n);
        fits.then(|| Packed { num: n as i32, exp: 0, ups: 0, star: 0 }.value())
    }

    pub(crate) fn pack(number: &Dyadic, ups: i64, star: u32) -> Option<Value> {
        let (num, exp) = number.as_small()?;
        let fits = (NUM_MIN..=NUM_MAX).contains(&num)
            && exp <= EXP_MAX
            && (UPS_MIN..=UPS_MAX).contains(&ups)
            && star <= STAR_MAX;
        fits.then(|| Packed { num: num as i32, exp, ups: ups as i32, star }.value())
    }

    #[inline]
    pub(crate) fn unpack(self) -> Packed {
        debug_assert!(self.is_packed());
        let bits = self.0 as i32;
        Packed {
            num: (bits << 1) >> (NUM_SHIFT + 1),
            exp: self.0 >> EXP_SHIFT & EXP_MAX,
            ups: (bits << (32 - EXP_SHIFT)) >> (32 - EXP_SHIFT + UPS_SHIFT),
            star: self.0 & STAR_MAX,
        }
    }

    /// Adds two packed values if the sum can be packed.
    #[inline]
    pub(crate) fn add_packed(self, other: Value) -> Option<Value> {
        let (a, b) = (self.unpack(), other.unpack());
        let exp = a.exp.max(b.exp);
        let mut num = (a.num << (exp - a.exp)) + (b.num << (exp - b.exp));
        let twos = if num == 0 { exp } else { num.trailing_zeros().min(exp) };
        num >>= twos;
        let (exp, ups) = (exp - twos, a.ups + b.ups);
        let fits = (NUM_MIN as i32..=NUM_MAX as i32).contains(&num)
            && (UPS_MIN as i32..=UPS_MAX as i32).contains(&ups);
        fits.then(|| Packed { num, exp, ups, star: a.star ^ b.star }.value())
    }

    /// The negative of a packed value if that can be packed.
    #[inline]
    pub(crate) fn neg_packed(self) -> Option<Value> {
        let p = self.unpack();
        let fits = p.num > NUM_MIN as i32 && p.ups > UPS_MIN as i32;
        fits.then(|| Packed { num: -p.num, ups: -p.ups, ..p }.value())
    }

    /// `self <= other` for packed values.
    #[inline]
    pub(crate) fn le_packed(self, other: Value) -> bool {
        let (a, b) = (self.unpack(), other.unpack());
        let (x, y) = (a.num << (EXP_MAX - a.exp), b.num << (EXP_MAX - b.exp));
        if x != y { x < y } else { ups_star_is_nonnegative((b.ups - a.ups) as i64, a.star ^ b.star) }
    }

    /// The number part of a packed value in units of 1/128: comparing numbers is comparing integers.
    pub(crate) fn packed_number_scaled(self) -> i32 {
        let p = self.unpack();
        p.num << (EXP_MAX - p.exp)
    }
}

/// Whether `k` ups plus `*m` is at least 0 (Berlekamp, Conway, Guy, Winning Ways, ch. 8: `^` is fuzzy with `*` alone).
pub(crate) const fn ups_star_is_nonnegative(k: i64, m: u32) -> bool {
    match k {
        0 => m == 0,
        1 => m != 1,
        _ => k > 1,
    }
}

impl Packed {
    #[inline]
    pub(crate) fn value(self) -> Value {
        debug_assert!(self.exp == 0 || self.num & 1 == 1);
        let num = (self.num as u32) << NUM_SHIFT;
        let ups = (self.ups as u32) << (32 - 7) >> (32 - 7 - UPS_SHIFT);
        Value(PACKED | num & !PACKED | self.exp << EXP_SHIFT | ups | self.star)
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (*self, self.is_packed()) {
            (Value::ON, _) => f.write_str("on"),
            (Value::OFF, _) => f.write_str("off"),
            (v, true) => {
                let p = v.unpack();
                write!(f, "{}/{}^{}*{}", p.num, 1 << p.exp, p.ups, p.star)
            }
            (v, false) => write!(f, "#{}", v.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_four_bytes() {
        assert_eq!(size_of::<Value>(), 4);
        assert_eq!(size_of::<Option<Value>>(), 8);
    }

    #[test]
    fn packing_round_trips() {
        for num in [-4096, -4095, -3, -1, 0, 1, 2, 5, 4095] {
            for exp in [0, 1, 7] {
                if exp > 0 && num % 2 == 0 {
                    continue;
                }
                for ups in [-64, -1, 0, 1, 2, 63] {
                    for star in [0, 1, 2, 255] {
                        let p = Packed { num, exp, ups, star };
                        assert_eq!(p.value().unpack(), p);
                        assert!(p.value().is_packed());
                        assert_eq!(Value::from_bits(p.value().to_bits()), p.value());
                        let bits = p.value().packed_bits().unwrap();
                        assert_eq!(Value::from_packed_bits(bits), Some(p.value()));
                        assert_eq!(p.value().is_packed_number(), ups == 0 && star == 0);
                    }
                }
            }
        }
    }
}
