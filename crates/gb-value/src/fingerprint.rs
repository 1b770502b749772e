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

/// The test games in an order in which options come first, and for each the sets of its options.
struct Tests {
    order: [usize; TESTS],
    lefts: [u64; TESTS],
    rights: [u64; TESTS],
}

const fn index(k: i64, m: usize) -> usize {
    (k + MAX_UPS) as usize * STARS + m
}

const TABLE: Tests = {
    let mut t = Tests { order: [0; TESTS], lefts: [0; TESTS], rights: [0; TESTS] };
    let (mut at, mut size) = (0, 0);
    while size <= MAX_UPS {
        let mut m = 0;
        while m < STARS {
            t.order[at] = index(size, m);
            at += 1;
            let nimbers = (1u64 << m) - 1;
            if size == 0 {
                t.lefts[index(0, m)] = nimbers << index(0, 0);
                t.rights[index(0, m)] = nimbers << index(0, 0);
            } else {
                t.order[at] = index(-size, m);
                at += 1;
                // k.up + *m = {0 | (k-1).up + *(m^1)}, and ^* has the Left option * besides.
                let easy = if size == 1 && m == 1 { 3u64 } else { 1 } << index(0, 0);
                t.lefts[index(size, m)] = easy;
                t.rights[index(size, m)] = 1 << index(size - 1, m ^ 1);
                t.rights[index(-size, m)] = easy;
                t.lefts[index(-size, m)] = 1 << index(1 - size, m ^ 1);
            }
            m += 1;
        }
        size += 1;
    }
    t
};

impl Fingerprint {
    /// Of everything greater than all test games.
    pub(crate) const HIGH: Fingerprint = Fingerprint { below: 0, above: ALL };
    /// Of everything less than all test games.
    pub(crate) const LOW: Fingerprint = Fingerprint { below: ALL, above: 0 };

    /// Of `k.up + *m`.
    pub(crate) fn of_ups_star(k: i64, m: u32) -> Fingerprint {
        let (k, m) = (k.clamp(-MAX_UPS - 2, MAX_UPS + 2), (m as usize).min(STARS));
        CLOSED_FORMS[(k + MAX_UPS + 2) as usize][m]
    }

    /// Of a game, from the unions of its Left options' `above` and of its Right options' `below`.
    pub(crate) fn of_options(some_left_above: u64, some_right_below: u64) -> Fingerprint {
        let (mut below, mut above) = (0u64, 0u64);
        for &i in &TABLE.order {
            let is_below = some_left_above >> i & 1 == 0 && above & TABLE.rights[i] == 0;
            let is_above = some_right_below >> i & 1 == 0 && below & TABLE.lefts[i] == 0;
            below |= (is_below as u64) << i;
            above |= (is_above as u64) << i;
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

const CLOSED_FORMS: [[Fingerprint; STARS + 1]; 2 * MAX_UPS as usize + 5] = {
    let mut table = [[Fingerprint { below: 0, above: 0 }; STARS + 1]; 2 * MAX_UPS as usize + 5];
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
