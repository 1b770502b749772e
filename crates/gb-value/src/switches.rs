//! What a game is compared with fifty-five switches, in two words: fingerprints for hot games.
//!
//! The test games are `T = {a|b}` for half-integers a > b between -5/2 and 5/2. As in `fingerprint.rs`, bit `T` of `below`
//! says `G <= T`, of `above` `T <= G`, and both words follow from those of the options. The options of the test games are
//! numbers; how a game compares with a number follows from its stops, and where the number is a stop itself from one more
//! bit.

use crate::fingerprint::{Fingerprint, form};
use crate::small;
use crate::stopkey::StopKey;
use crate::value::ups_star_is_nonnegative;

/// The numbers are -5/2, -2 ... 5/2.
const NUMBERS: usize = 11;
/// The distance of two neighbours, as stop keys count.
const STEP: i64 = 128;
const LEAST: i64 = -(NUMBERS as i64 / 2) * STEP;
const TESTS: u64 = (1 << (NUMBERS * (NUMBERS - 1) / 2)) - 1;
/// Above the tests, in both words: the game is all-small, and the tests are those of `small.rs`.
const ALL_SMALL: u64 = 1 << 62;
/// Above the tests: in `below`, that the game is at most its Left stop; in `above`, that it is at least its Right stop.
const REACHES: u64 = 1 << 63;

/// Which switches are above and below a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Switches {
    pub(crate) below: u64,
    pub(crate) above: u64,
}

/// The test games by their greater number and by their lesser number: entry `i` of the first table has those with
/// `a` at least the `i`th number, of the second those with `b` less than the `i`th.
const BY_NUMBER: ([u64; NUMBERS + 1], [u64; NUMBERS + 1]) = {
    let (mut at_least, mut less) = ([0; NUMBERS + 1], [0; NUMBERS + 1]);
    let (mut test, mut a) = (0, 0);
    while a < NUMBERS {
        let mut b = 0;
        while b < a {
            let mut i = 0;
            while i <= NUMBERS {
                at_least[i] |= ((a >= i) as u64) << test;
                less[i] |= ((b < i) as u64) << test;
                i += 1;
            }
            test += 1;
            b += 1;
        }
        a += 1;
    }
    (at_least, less)
};

/// The index of the first number that is greater than `stop`, or, if `closed`, at least `stop`.
#[inline]
fn first_beyond(stop: StopKey, closed: bool) -> usize {
    let distance = stop.raw() - LEAST + STEP - closed as i64;
    (distance >> STEP.ilog2()).clamp(0, NUMBERS as i64) as usize
}

impl Switches {
    /// Of a game that is no number, from its stops, the unions of its Left options' `above` and of its Right options'
    /// `below`, and whether some Left option is at least the Left stop, some Right option at most the Right stop.
    #[inline]
    pub(crate) fn of_options(
        (left_stop, right_stop): (StopKey, StopKey),
        some_left_above: u64,
        some_right_below: u64,
        left_reaches: bool,
        right_reaches: bool,
    ) -> Switches {
        // G <= T unless some G^L >= T or T^R = b <= G; b <= G if b is less than the Right stop, or is that and G reaches it.
        let not_below = some_left_above | BY_NUMBER.1[first_beyond(right_stop, right_reaches)];
        let not_above = some_right_below | BY_NUMBER.0[first_beyond(left_stop, !left_reaches)];
        Switches {
            below: !not_below & TESTS | if left_reaches { 0 } else { REACHES },
            above: !not_above & TESTS | if right_reaches { 0 } else { REACHES },
        }
    }

    /// Of an all-small game, from its fingerprint, the unions of its Left options' `above` and of its Right options' `below`,
    /// all of them all-small, and whether the game is at most 0, at least 0.
    #[inline]
    pub(crate) fn of_all_small_options(
        game: Fingerprint,
        some_left_above: u64,
        some_right_below: u64,
        at_most_zero: bool,
        at_least_zero: bool,
    ) -> Switches {
        Switches::all_small(
            small::of_options(game, some_left_above, some_right_below),
            at_most_zero,
            at_least_zero,
        )
    }

    #[inline]
    fn all_small((below, above): (u64, u64), at_most_zero: bool, at_least_zero: bool) -> Switches {
        Switches {
            below: below | ALL_SMALL | (at_most_zero as u64) << 63,
            above: above | ALL_SMALL | (at_least_zero as u64) << 63,
        }
    }

    /// Of a number with this key plus ups and a star. The options of these never are on the other side of a switch.
    #[inline]
    pub(crate) fn of_number_up_star(number: StopKey, ups: i64, star: u32) -> Switches {
        let at_most = ups_star_is_nonnegative(ups.saturating_neg(), star);
        let at_least = ups_star_is_nonnegative(ups, star);
        if number == StopKey::of_scaled(0) {
            let (row, column) = form(ups, star);
            return Switches::all_small(small::WORDS[row][column], at_most, at_least);
        }
        Switches::of_options((number, number), 0, 0, !at_most, !at_least)
    }

    /// Whether the game is all-small.
    #[inline]
    pub(crate) fn is_of_all_small(self) -> bool {
        self.below & ALL_SMALL != 0
    }

    /// How the game compares with the switches. If it is all-small, its options never are on the other side of a switch, and
    /// only how the game compares with 0 counts.
    #[inline]
    pub(crate) fn with_switches(self) -> Switches {
        if !self.is_of_all_small() {
            return self;
        }
        let zero = StopKey::of_scaled(0);
        let (at_most, at_least) = (self.at_most_left_stop(), self.at_least_right_stop());
        Switches::of_options((zero, zero), 0, 0, !at_most, !at_least)
    }

    /// Whether the game is at most its Left stop.
    #[inline]
    pub(crate) fn at_most_left_stop(self) -> bool {
        self.below & REACHES != 0
    }

    /// Whether the game is at least its Right stop.
    #[inline]
    pub(crate) fn at_least_right_stop(self) -> bool {
        self.above & REACHES != 0
    }

    /// What two games say about `self <= other`.
    #[inline]
    pub(crate) fn le(self, other: Switches) -> Option<bool> {
        let (mut a, mut b, mut tests) = (self, other, TESTS);
        if (self.below | other.below) & ALL_SMALL != 0 {
            if self.below & other.below & ALL_SMALL != 0 {
                tests = small::TESTS;
            } else {
                (a, b) = (a.with_switches(), b.with_switches());
            }
        }
        if (b.below & !a.below | a.above & !b.above) & tests != 0 {
            Some(false)
        } else if a.below & b.above & tests != 0 {
            Some(true)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::order::by_definition::le;
    use crate::player::Player::{Left, Right};
    use crate::{Budget, Dyadic, Store, Value};

    #[test]
    fn switches_are_compared_as_the_definition_says() {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let half = |n: i64| kernel.number(&Dyadic::new(n, 1));
        let mut tests = vec![];
        for a in -5..=5 {
            for b in -5..a {
                tests.push(kernel.from_options(&[half(a)], &[half(b)]).unwrap());
            }
        }
        assert_eq!(1 << tests.len(), TESTS + 1);
        // Small games, what can be built from two of them, and sums.
        let mut games: Vec<Value> = (-6..=6).map(half).collect();
        games.extend([
            Value::STAR,
            Value::UP,
            kernel.ups(-3),
            kernel.nimber(2),
            kernel.number(&Dyadic::new(3, 8)),
        ]);
        games.push(kernel.add(half(3), Value::UP).unwrap());
        games.push(kernel.add(half(-4), Value::STAR).unwrap());
        let first = games.clone();
        for (i, &a) in first.iter().enumerate() {
            for (j, &b) in first.iter().enumerate() {
                let both = if (i + j) % 3 == 0 { vec![a, first[(i * j) % first.len()]] } else { vec![a] };
                games.push(kernel.from_options(&both, &[b]).unwrap());
            }
        }
        let second = games.clone();
        for i in 0..second.len() {
            let (a, b) = (second[i], second[(i * 7 + 3) % second.len()]);
            games.push(kernel.from_options(&[a], &[b]).unwrap());
            games.push(kernel.add(a, b).unwrap());
        }
        let mut known = HashMap::new();
        for &game in &games {
            let signature = store.signature(game);
            for (i, &test) in tests.iter().enumerate() {
                let switches = signature.switches.with_switches();
                let (below, above) = (switches.below >> i & 1 == 1, switches.above >> i & 1 == 1);
                assert_eq!(below, le(&kernel, &mut known, game, test), "{game:?} <= {test:?}");
                assert_eq!(above, le(&kernel, &mut known, test, game), "{test:?} <= {game:?}");
            }
            for (stop, reaches) in [
                (Left, signature.switches.at_most_left_stop()),
                (Right, signature.switches.at_least_right_stop()),
            ] {
                let number = kernel.stop(game, stop).unwrap().unwrap();
                if StopKey::of(&number).number().is_none() {
                    continue;
                }
                let number = kernel.number(&number);
                let (a, b) = if stop == Left { (game, number) } else { (number, game) };
                assert_eq!(reaches, le(&kernel, &mut known, a, b), "{game:?} and its stop {number:?}");
            }
        }
        for &a in &games[..300] {
            for &b in &games[..300] {
                if let Some(answer) = store.signature(a).le(&store.signature(b)) {
                    assert_eq!(answer, le(&kernel, &mut known, a, b), "{a:?} <= {b:?}");
                }
            }
        }
    }
}
