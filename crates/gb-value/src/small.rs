//! What an all-small game is compared with sixty-two others, in two words: fingerprints where all stops are 0.
//!
//! The test games are `T = {A|B}`, where A and B are sums of ups and a star that `fingerprint.rs` tests. As there, bit `T` of
//! `below` says `G <= T`, of `above` `T <= G`. Both words follow from those of the options and from the fingerprint of the
//! game itself, which says how it compares with A and B. The two bits above the tests are left alone for `Switches`.

use crate::fingerprint::{CLOSED_FORMS, FORMS_OF_STARS, FORMS_OF_UPS, Fingerprint, index};

/// Ups and star of A. Those of B are the negatives, in the same order; the last pairs, which would be tests 62 and 63, are
/// equal to 0 and test nothing new.
const WINGS: [(i64, usize); 8] = [(2, 0), (2, 1), (1, 0), (1, 1), (0, 0), (0, 1), (0, 2), (-1, 0)];

pub(crate) const TESTS: u64 = (1 << 62) - 1;

/// The tests with the first A, and those with the first B.
const ROW: u64 = 0xff;
const COLUMN: u64 = 0x0101_0101_0101_0101;

/// The words of an all-small game that is not 0, from its fingerprint, the union of its Left options' `above`, and that of
/// its Right options' `below`.
#[inline]
pub(crate) const fn of_options(game: Fingerprint, some_left_above: u64, some_right_below: u64) -> (u64, u64) {
    let (mut not_below, mut not_above) = (some_left_above, some_right_below);
    let mut i = 0;
    while i < WINGS.len() {
        let (ups, star) = WINGS[i];
        // G <= T unless some G^L >= T or B <= G; T <= G unless some G^R <= T or G <= A.
        not_below |= (game.above >> index(-ups, star) & 1) * (COLUMN << i);
        not_above |= (game.below >> index(ups, star) & 1) * (ROW << (8 * i));
        i += 1;
    }
    (!not_below & TESTS, !not_above & TESTS)
}

/// The words of `k.up + *m`, by row and column of [`CLOSED_FORMS`].
pub(crate) const WORDS: [[(u64, u64); FORMS_OF_STARS]; FORMS_OF_UPS] = {
    let mut words = [[(0, 0); FORMS_OF_STARS]; FORMS_OF_UPS];
    let zero = FORMS_OF_UPS / 2;
    let (mut above, mut below) = (0, 0);
    let mut m = 0;
    while m < FORMS_OF_STARS {
        words[zero][m] = of_options(CLOSED_FORMS[zero][m], above, below);
        below |= words[zero][m].0;
        above |= words[zero][m].1;
        m += 1;
    }
    let mut k = 1;
    while k <= zero {
        let mut m = 0;
        while m < FORMS_OF_STARS {
            // k.up + *m = {0 | (k-1).up + *(m^1)}; ^* has the Left option * besides. The last column stands for all
            // stars that are greater than those of the tests.
            let other = if m == FORMS_OF_STARS - 1 { m } else { m ^ 1 };
            let (mut below, mut above) = words[zero][0];
            if k == 1 && m == 1 {
                below |= words[zero][1].0;
                above |= words[zero][1].1;
            }
            words[zero + k][m] = of_options(CLOSED_FORMS[zero + k][m], above, words[zero + k - 1][other].0);
            words[zero - k][m] = of_options(CLOSED_FORMS[zero - k][m], words[zero - k + 1][other].1, below);
            m += 1;
        }
        k += 1;
    }
    words
};

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::order::by_definition::le;
    use crate::{Budget, Store, Value};

    #[test]
    fn all_small_games_are_compared_as_the_definition_says() {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let up_star = |k: i64, m: usize| kernel.add(kernel.ups(k), kernel.nimber(m as u32)).unwrap();
        let mut tests = vec![];
        for (a, m) in WINGS {
            for (b, n) in WINGS {
                tests.push(kernel.from_options(&[up_star(a, m)], &[up_star(-b, n)]).unwrap());
            }
        }
        assert_eq!(tests[62..], [Value::ZERO; 2]);
        let mut games = vec![];
        for k in -10..=10 {
            for m in [0, 1, 2, 3, 4, 5, 9] {
                games.push(up_star(k, m));
            }
        }
        // What can be built from two or three of them, and from those again.
        for round in 0..3 {
            let before = games.clone();
            for i in 0..if round == 0 { before.len() } else { 250 } {
                let pick = |n: usize| before[(i * n + n * n) % before.len()];
                games.push(kernel.from_options(&[pick(5), pick(11)], &[pick(7), pick(13)]).unwrap());
                games.push(kernel.from_options(&[pick(3)], &[pick(17)]).unwrap());
                games.push(kernel.add(pick(2), pick(19)).unwrap());
            }
        }
        let mut known = HashMap::new();
        for &game in &games {
            let signature = store.signature(game);
            assert!(signature.switches.is_of_all_small(), "{game:?}");
            for (i, &test) in tests[..62].iter().enumerate() {
                let below = signature.switches.below >> i & 1 == 1;
                let above = signature.switches.above >> i & 1 == 1;
                assert_eq!(below, le(&kernel, &mut known, game, test), "{game:?} <= {test:?}");
                assert_eq!(above, le(&kernel, &mut known, test, game), "{test:?} <= {game:?}");
            }
        }
        // Beside them games that are not all-small.
        let half = kernel.read("1/2").unwrap();
        games.extend(
            ["{1|-1}", "{2|0}", "{0|-1}", "{0||0|-1}", "{1|0||0}", "{1/2|0}", "1^", "-1*"]
                .map(|text| kernel.read(text).unwrap()),
        );
        for i in 0..60 {
            games.push(kernel.from_options(&[games[i * 3], half], &[games[i * 5]]).unwrap());
        }
        for i in (0..games.len()).step_by(5) {
            for j in (0..games.len()).rev().step_by(3) {
                let (a, b) = (games[i], games[j]);
                for (a, b) in [(a, b), (b, a)] {
                    if let Some(answer) = store.signature(a).le(&store.signature(b)) {
                        assert_eq!(answer, le(&kernel, &mut known, a, b), "{a:?} <= {b:?}");
                    }
                }
            }
        }
    }
}
