//! Fingerprints: what a game is compared with sixty small infinitesimals, in two words.
//!
//! The test games are `T = k.up + *m` with |k| <= 7 and m <= 3. Bit `T` of `below` says `G <= T`, of `above` `T <= G`. The
//! set is closed under options, so that both words follow from the words of the options alone. If `G <= H`, then every
//! `T` above `H` is above `G`, and every `T` below `G` is below `H`: most comparisons end here.

use crate::value::ups_star_is_nonnegative;

const MAX_UPS: i64 = 7;
const STARS: usize = 4;
const TESTS: usize = (2 * MAX_UPS as usize + 1) * STARS;
const ALL: u64 = (1 << TESTS) - 1;

/// Which test games are above and below a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fingerprint {
    /// Bit `i`: `G <= T_i`.
    pub(crate) below: u64,
    /// Bit `i`: `T_i <= G`.
    pub(crate) above: u64,
}

pub(crate) const fn index(k: i64, m: usize) -> usize {
    (k + MAX_UPS) as usize * STARS + m
}

/// Row and column of `k.up + *m` in [`CLOSED_FORMS`].
#[inline]
pub(crate) fn form(k: i64, m: u32) -> (usize, usize) {
    let k = k.clamp(-MAX_UPS - 2, MAX_UPS + 2);
    ((k + MAX_UPS + 2) as usize, (m as usize).min(STARS))
}

/// One bit for each star with the same ups.
const LEVEL: u64 = (1 << STARS) - 1;

/// Moves the bit of `*m` to `*(m^1)` in one level.
#[inline]
fn flip_star(level: u64) -> u64 {
    (level & 0b0101) << 1 | (level & 0b1010) >> 1
}

impl Fingerprint {
    /// Of everything greater than all test games.
    pub(crate) const HIGH: Fingerprint = Fingerprint { below: 0, above: ALL };
    /// Of everything less than all test games.
    pub(crate) const LOW: Fingerprint = Fingerprint { below: ALL, above: 0 };

    /// Of `k.up + *m`.
    #[inline]
    pub(crate) fn of_ups_star(k: i64, m: u32) -> Fingerprint {
        let (row, column) = form(k, m);
        CLOSED_FORMS[row][column]
    }

    /// Of a game, from the unions of its Left options' `above` and of its Right options' `below`.
    ///
    /// `G <= T` if no `G^L >= T` and no `T^R <= G`, level by level: `k.up + *m = {0 | (k-1).up + *(m^1)}`, where `^*` has the
    /// Left option `*` besides.
    pub(crate) fn of_options(some_left_above: u64, some_right_below: u64) -> Fingerprint {
        let level = |set: u64, k: i64| set >> index(k, 0) & LEVEL;
        let (not_below, not_above) = (|k| level(some_left_above, k), |k| level(some_right_below, k));
        let (mut below0, mut above0) = (0u64, 0u64);
        for m in 0..STARS {
            let smaller_stars = (1 << m) - 1;
            let is_below = not_below(0) >> m & 1 == 0 && above0 & smaller_stars == 0;
            let is_above = not_above(0) >> m & 1 == 0 && below0 & smaller_stars == 0;
            below0 |= (is_below as u64) << m;
            above0 |= (is_above as u64) << m;
        }
        let (mut below, mut above) = (below0 << index(0, 0), above0 << index(0, 0));
        // What 0 (and for ^* and v* also *) forbids as an option of the test game.
        let forbidden = |zero_level: u64, k: i64| match (zero_level & 1, k) {
            (1, _) => LEVEL,
            (_, 1) => zero_level & 0b0010,
            _ => 0,
        };
        let (mut above_up, mut below_down) = (above0, below0);
        for k in 1..=MAX_UPS {
            let below_up = !not_below(k) & !flip_star(above_up) & LEVEL;
            above_up = !not_above(k) & !forbidden(below0, k) & LEVEL;
            let above_down = !not_above(-k) & !flip_star(below_down) & LEVEL;
            below_down = !not_below(-k) & !forbidden(above0, k) & LEVEL;
            below |= below_up << index(k, 0) | below_down << index(-k, 0);
            above |= above_up << index(k, 0) | above_down << index(-k, 0);
        }
        Fingerprint { below, above }
    }

    /// What two fingerprints say about `self <= other`.
    #[inline]
    pub(crate) fn le(self, other: Fingerprint) -> Option<bool> {
        if other.below & !self.below != 0 || self.above & !other.above != 0 {
            Some(false)
        } else if self.below & other.above != 0 {
            Some(true)
        } else {
            None
        }
    }
}

/// Further ups and further stars compare with the test games as the last that are listed.
pub(crate) const FORMS_OF_UPS: usize = 2 * MAX_UPS as usize + 5;
pub(crate) const FORMS_OF_STARS: usize = STARS + 1;

/// The fingerprints of `k.up + *m`, by ups and by star.
pub(crate) const CLOSED_FORMS: [[Fingerprint; FORMS_OF_STARS]; FORMS_OF_UPS] = {
    let mut table = [[Fingerprint { below: 0, above: 0 }; FORMS_OF_STARS]; FORMS_OF_UPS];
    let mut row = 0;
    while row < table.len() {
        let k = row as i64 - MAX_UPS - 2;
        let mut m = 0;
        while m <= STARS {
            let mut i = 0;
            while i < TESTS {
                let (tk, tm) = ((i / STARS) as i64 - MAX_UPS, i % STARS);
                // Stars beyond the tested ones differ from each of those by a star of at least 4.
                let difference = if m == STARS { STARS as u32 } else { (m ^ tm) as u32 };
                if ups_star_is_nonnegative(tk - k, difference) {
                    table[row][m].below |= 1 << i;
                }
                if ups_star_is_nonnegative(k - tk, difference) {
                    table[row][m].above |= 1 << i;
                }
                i += 1;
            }
            m += 1;
        }
        row += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_agree_with_options() {
        let zero = Fingerprint::of_options(0, 0);
        assert_eq!(zero, Fingerprint::of_ups_star(0, 0));
        let mut nimbers = vec![zero];
        for m in 1..7u32 {
            let above = nimbers.iter().fold(0, |a, f| a | f.above);
            let below = nimbers.iter().fold(0, |a, f| a | f.below);
            nimbers.push(Fingerprint::of_options(above, below));
            assert_eq!(nimbers[m as usize], Fingerprint::of_ups_star(0, m), "*{m}");
        }
        for k in 1..12i64 {
            for m in 0..7u32 {
                let star = Fingerprint::of_ups_star(0, 1);
                let left = zero.above | if k == 1 && m == 1 { star.above } else { 0 };
                let right = Fingerprint::of_ups_star(k - 1, m ^ 1).below;
                assert_eq!(Fingerprint::of_options(left, right), Fingerprint::of_ups_star(k, m), "^{k}*{m}");
                let left = Fingerprint::of_ups_star(1 - k, m ^ 1).above;
                let right = zero.below | if k == 1 && m == 1 { star.below } else { 0 };
                assert_eq!(Fingerprint::of_options(left, right), Fingerprint::of_ups_star(-k, m), "v{k}*{m}");
            }
        }
    }
}
