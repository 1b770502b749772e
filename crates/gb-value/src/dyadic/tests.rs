use std::collections::HashSet;

use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

use super::*;

/// Unreduced big fractions: the naive arithmetic everything is compared with.
#[derive(Clone, Debug)]
struct Fraction(BigInt, u32);

impl Fraction {
    fn over(&self, exp: u32) -> BigInt {
        &self.0 << (exp - self.1)
    }
    fn dyadic(&self) -> Dyadic {
        Dyadic::from_big(self.0.clone(), self.1)
    }
    fn check(&self, got: &Dyadic) {
        assert_canonical(got);
        let exp = self.1.max(got.exponent());
        assert_eq!(self.over(exp), got.numerator() << (exp - got.exponent()), "{self:?} against {got:?}");
    }
}

fn assert_canonical(x: &Dyadic) {
    match &x.0 {
        Repr::Small { num, exp } => assert!(*exp == 0 || num & 1 == 1, "not reduced: {num} / 2^{exp}"),
        Repr::Big(big) => {
            assert!(big.num.to_i64().is_none(), "should be small: {x}");
            assert!(big.exp == 0 || big.num.trailing_zeros() == Some(0), "not reduced: {x}");
        }
    }
}

fn fractions() -> impl Strategy<Value = Fraction> {
    let near_boundary =
        (-3i64..=3, prop::sample::select(vec![0u32, 1, 2, 61, 62, 63, 64, 65, 126, 127, 128])).prop_flat_map(
            |(d, bits)| {
                prop::bool::ANY.prop_map(move |minus| {
                    let edge = (BigInt::one() << bits) + d;
                    if minus { -edge } else { edge }
                })
            },
        );
    let num = prop_oneof![
        (-20i64..=20).prop_map(BigInt::from),
        any::<i64>().prop_map(BigInt::from),
        any::<i128>().prop_map(BigInt::from),
        near_boundary,
    ];
    let exp = prop_oneof![Just(0u32), 0u32..8, 58u32..70, 120u32..131];
    (num, exp).prop_map(|(num, exp)| Fraction(num, exp))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn arithmetic_equals_the_naive_one(a in fractions(), b in fractions()) {
        let (x, y) = (a.dyadic(), b.dyadic());
        let exp = a.1.max(b.1);
        a.check(&x);
        Fraction(a.over(exp) + b.over(exp), exp).check(&(&x + &y));
        Fraction(a.over(exp) - b.over(exp), exp).check(&(&x - &y));
        Fraction(&a.0 * &b.0, a.1 + b.1).check(&(&x * &y));
        Fraction(&a.0 * &b.0, a.1 + b.1).check(&x.checked_mul(&y).unwrap());
        Fraction(-&a.0, a.1).check(&-&x);
        Fraction(a.0.abs(), a.1).check(&x.abs());
        Fraction(a.0.clone(), a.1 + 1).check(&x.half());
        Fraction(&a.0 * 2, a.1).check(&x.double());
        prop_assert_eq!(x.cmp(&y), a.over(exp).cmp(&b.over(exp)));
        prop_assert_eq!(x == y, a.over(exp) == b.over(exp));
        prop_assert_eq!(x.is_integer(), (&a.0 % (BigInt::one() << a.1)).is_zero());
        prop_assert_eq!(x.signum(), a.0.signum().to_i32().unwrap());
        let mut z = x.clone();
        z += &y;
        z -= &y;
        prop_assert_eq!(z, x);
    }

    #[test]
    fn rounding_shifts_and_text(a in fractions(), by in -140i32..140) {
        let x = a.dyadic();
        let (floor, ceil) = (x.floor(), x.ceil());
        assert_canonical(&floor);
        prop_assert!(floor.is_integer() && ceil.is_integer());
        prop_assert!(floor <= x && x < &floor + Dyadic::ONE);
        prop_assert!(ceil >= x && x > &ceil - Dyadic::ONE);
        let shifted = x.checked_shift(by).unwrap();
        match by {
            ..0 => Fraction(a.0.clone(), a.1 + by.unsigned_abs()).check(&shifted),
            _ => Fraction(&a.0 << by, a.1).check(&shifted),
        }
        prop_assert_eq!(shifted.checked_shift(-by).unwrap(), x.clone());
        prop_assert_eq!(x.to_string().parse::<Dyadic>().unwrap(), x);
    }

    #[test]
    fn simplest_between_is_the_first_in_order_of_birth(
        a in -40i64..40, b in -40i64..40, ea in 0u32..5, eb in 0u32..5,
        ends in (prop::bool::ANY, prop::bool::ANY), open in (prop::bool::ANY, prop::bool::ANY),
    ) {
        let (lo, hi) = (Dyadic::new(a, ea), Dyadic::new(b, eb));
        let (lo, hi) = (ends.0.then_some(&lo), ends.1.then_some(&hi));
        let fits = |x: &Dyadic| {
            lo.is_none_or(|lo| if open.0 { x > lo } else { x >= lo })
                && hi.is_none_or(|hi| if open.1 { x < hi } else { x <= hi })
        };
        // Every candidate up to the grid of 1/64 beyond both ends, by birthday.
        let naive = (-64 * 42..=64 * 42)
            .map(|n| Dyadic::new(n, 6))
            .filter(fits)
            .min_by_key(|x| (x.birthday(), x.abs()));
        prop_assert_eq!(Dyadic::simplest_between(lo, open.0, hi, open.1), naive);
    }
}

#[test]
fn is_two_words() {
    assert_eq!(size_of::<Dyadic>(), 16);
    assert_eq!(size_of::<Option<Dyadic>>(), 16);
}

#[test]
fn reduces_and_hashes_by_value() {
    assert_eq!(Dyadic::new(6, 3), Dyadic::new(3, 2));
    assert_eq!(Dyadic::new(i64::MIN, 63), Dyadic::integer(-1));
    assert_eq!(Dyadic::new(i64::MIN, 64).as_small(), Some((-1, 1)));
    assert_eq!(Dyadic::new(0, 9).as_small(), Some((0, 0)));
    let big = Dyadic::integer(i64::MAX) + Dyadic::ONE;
    assert_eq!(big.as_small(), None);
    assert_eq!((&big - Dyadic::ONE).as_small(), Some((i64::MAX, 0)));
    assert_eq!((-&big).as_small(), Some((i64::MIN, 0)));
    assert_eq!(-Dyadic::integer(i64::MIN), big);
    assert_eq!(
        HashSet::from([big.clone(), -Dyadic::integer(i64::MIN), Dyadic::new(1, 1), Dyadic::new(2, 2)]).len(),
        2
    );
}

#[test]
fn birthdays() {
    for (text, birthday) in [("0", 0), ("-3", 3), ("1/2", 2), ("3/4", 3), ("-5/4", 4), ("100002", 100002)] {
        assert_eq!(text.parse::<Dyadic>().unwrap().birthday(), Some(birthday), "{text}");
    }
    assert_eq!(Dyadic::from_big(BigInt::one() << 64, 0).birthday(), None);
    assert_eq!(Dyadic::from_big(BigInt::from(u64::MAX), 0).birthday(), Some(u64::MAX));
}

#[test]
fn simplest_between_far_out() {
    let tiny = Dyadic::ONE.checked_shift(-1_000_000).unwrap();
    let found = Dyadic::simplest_between(Some(&tiny), true, Some(&tiny.double()), true);
    assert_eq!(found, Some(&tiny + tiny.half()));
    assert_eq!(Dyadic::simplest_between(Some(&tiny), true, Some(&tiny), false), None);
    assert_eq!(Dyadic::simplest_between(Some(&tiny), false, Some(&tiny), false), Some(tiny.clone()));
    let huge = Dyadic::from_big(BigInt::one() << 100, 0);
    let found = Dyadic::simplest_between(None, false, Some(&-&huge), true);
    assert_eq!(found, Some(-(huge + Dyadic::ONE)));
}

#[test]
fn reads_fractions_and_explains_errors() {
    for (text, printed) in [("-6/8", "-3/4"), ("4/1", "4"), ("-0", "0"), ("0/16", "0"), ("007/2", "7/2")] {
        assert_eq!(text.parse::<Dyadic>().unwrap().to_string(), printed);
    }
    let message = |text: &str| text.parse::<Dyadic>().unwrap_err().to_string();
    assert_eq!(
        message("1/3"),
        "the denominator 3 is not a power of two: finite games have only numbers such as 1/2, 3/4 or 5/8"
    );
    assert_eq!(message("1/0"), "the denominator of a number must not be 0");
    assert_eq!(message("-1/x"), "unexpected `x` in column 4 of a number: expected a digit, as in `-3/4`");
    assert_eq!(message(""), "unexpected end in column 1 of a number: expected a digit, as in `-3/4`");
    assert_eq!(message("--1"), "unexpected `-` in column 2 of a number: expected a digit, as in `-3/4`");
    assert_eq!(message("1/2/4"), "unexpected `/` in column 4 of a number: expected a digit, as in `-3/4`");
    assert_eq!(message("½"), "unexpected `½` in column 1 of a number: expected a digit, as in `-3/4`");
    assert!(message(&"9".repeat(400_000)).starts_with("the number is too large"));
    let not_a_power = format!("1/{}", "7".repeat(50));
    assert!(message(&not_a_power).contains("77777777777777777777... (50 digits)"));
}

#[test]
fn size_is_bounded_where_it_could_explode() {
    let finest = Dyadic::ONE.checked_shift(-(Dyadic::MAX_BITS as i32)).unwrap();
    assert_eq!(finest.checked_mul(&Dyadic::new(1, 1)), Err(TooLarge));
    assert_eq!(finest.checked_shift(-1), Err(TooLarge));
    assert_eq!(finest.checked_shift(i32::MIN), Err(TooLarge));
    assert_eq!(Dyadic::ONE.checked_shift(i32::MAX), Err(TooLarge));
    assert_eq!(Dyadic::ZERO.checked_shift(i32::MAX), Ok(Dyadic::ZERO));
    assert_eq!(finest.checked_mul(&Dyadic::ZERO), Ok(Dyadic::ZERO));
    // Sums and halves of the finest numbers are still exact.
    assert_eq!((Dyadic::ONE + finest.half()) - Dyadic::ONE, finest.half());
    assert_eq!(finest.to_string().parse::<Dyadic>().unwrap(), finest);
}
