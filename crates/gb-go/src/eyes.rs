//! Eyes that the attacker cannot have both, although nothing keeps either of them from him for sure.
//!
//! A living group of the attacker has two eyes, and in each of them is a point that no safe stone of the owner touches. For
//! two such points the attacker has to keep the owner from every point beside either: the owner, who answers one move
//! with one, needs a single one of them. That is a game of Maker and Breaker on the sets of these points, and if one half to
//! the power of their sizes adds up to less than one half, the second player breaks them all (P. Erdos and J. Selfridge, On
//! a combinatorial game, 1973).

use crate::area::bits;

/// With more sets than this nothing is claimed.
const MOST: usize = 96;

/// How many positions of the game on the sets are looked at.
const LOOKS: usize = 24;

/// What a set of no points weighs; each point halves it.
const WHOLE: u64 = 1 << 24;

/// Sets of points, of each of which the breaker wants one point.
#[derive(Clone)]
pub(crate) struct Sets {
    sets: Vec<u64>,
}

impl Sets {
    /// For each two of the points that are not next to each other the ways to spoil either; `None` if there are too many.
    pub fn of_eyes(
        points: u64,
        beside: impl Fn(usize) -> u64,
        spoils: impl Fn(usize) -> u64,
    ) -> Option<Sets> {
        let mut sets = Vec::new();
        for a in bits(points) {
            for b in bits(points).filter(|&b| b > a && beside(a) >> b & 1 == 0) {
                sets.push(spoils(a) | spoils(b));
                if sets.len() > 4 * MOST {
                    return None;
                }
            }
        }
        let sets = Sets { sets }.reduced();
        (sets.sets.len() <= MOST).then_some(sets)
    }

    /// Without those that contain another: who breaks the smaller one breaks both.
    fn reduced(mut self) -> Sets {
        self.sets.sort_unstable_by_key(|set| (set.count_ones(), *set));
        self.sets.dedup();
        let mut kept: Vec<u64> = Vec::with_capacity(self.sets.len());
        for set in self.sets {
            if !kept.iter().any(|&other| other & !set == 0) {
                kept.push(set);
            }
        }
        Sets { sets: kept }
    }

    fn weight(set: u64) -> u64 {
        WHOLE >> set.count_ones().min(24)
    }

    /// What all weigh together.
    fn sum(&self) -> u64 {
        self.sets.iter().map(|&set| Sets::weight(set)).sum()
    }

    /// All points that matter.
    pub fn all(&self) -> u64 {
        self.sets.iter().fold(0, |all, set| all | set)
    }

    /// Whether the second player breaks all of them, as far as a short look tells.
    pub fn are_broken(&self) -> bool {
        self.is_broken(&mut { LOOKS })
    }

    fn is_broken(&self, left: &mut usize) -> bool {
        if self.sum() < WHOLE / 2 {
            return true;
        }
        if self.sets.iter().any(|set| set.count_ones() < 2) || *left == 0 {
            return false;
        }
        *left -= 1;
        let all = self.sets.iter().fold(0, |all, set| all | set);
        // Heavy points first, for both: a refutation is found soon, and so is an answer.
        let heaviness = |sets: &[u64], point: usize| -> u64 {
            sets.iter().filter(|&&set| set >> point & 1 == 1).map(|&set| Sets::weight(set)).sum()
        };
        let mut tries: Vec<usize> = bits(all).collect();
        tries.sort_by_cached_key(|&point| std::cmp::Reverse(heaviness(&self.sets, point)));
        tries.into_iter().all(|taken| {
            let after = Sets { sets: self.sets.iter().map(|set| set & !(1 << taken)).collect() }.reduced();
            let forced = after.sets.iter().filter(|set| set.count_ones() == 1).fold(!0, |all, set| all & set);
            let mut answers: Vec<usize> = bits(all & !(1 << taken) & forced).collect();
            answers.sort_by_cached_key(|&point| std::cmp::Reverse(heaviness(&after.sets, point)));
            answers.truncate(3);
            answers.into_iter().any(|answer| {
                let sets = after.sets.iter().copied().filter(|set| set >> answer & 1 == 0).collect();
                Sets { sets }.is_broken(left)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(sets: &[u64]) -> Sets {
        Sets { sets: sets.to_vec() }.reduced()
    }

    /// Plain minimax on the game of Maker and Breaker.
    fn breaks(sets: &[u64], points: u64) -> bool {
        if sets.contains(&0) {
            return false;
        }
        bits(points).all(|taken| {
            let after: Vec<u64> = sets.iter().map(|set| set & !(1 << taken)).collect();
            let rest = points & !(1 << taken);
            !after.contains(&0)
                && (rest == 0
                    || bits(rest).any(|answer| {
                        let left: Vec<u64> =
                            after.iter().copied().filter(|set| set >> answer & 1 == 0).collect();
                        breaks(&left, rest & !(1 << answer))
                    }))
        })
    }

    #[test]
    fn what_is_broken_is_broken_by_minimax() {
        let mut random = gb_board::Xorshift(0x5EED_0E1E);
        let (mut broken, mut claimed) = (0, 0);
        for _ in 0..3000 {
            let points = 3 + random.below(5);
            let all: Vec<u64> = (0..2 + random.below(7))
                .map(|_| (0..2 + random.below(3)).fold(0, |set, _| set | 1 << random.below(points)))
                .collect();
            let truth = breaks(&all, (1 << points) - 1);
            let claim = sets(&all).are_broken();
            assert!(truth || !claim, "{all:?}");
            broken += usize::from(truth);
            claimed += usize::from(claim);
        }
        assert!(claimed > 500 && claimed * 10 > broken * 9, "{claimed} of {broken}");
    }
}
