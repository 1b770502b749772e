//! What can be known about an all-small game without its canonical form: its atomic weight.
//!
//! The atomic weight follows from those of the options and from who wins the sum with a remote star (Berlekamp, Conway, Guy,
//! Winning Ways, 1982, chapter 8; Siegel, Combinatorial Game Theory, 2013, section II.7). Who wins the sums with all nimbers
//! follows from the same about the options.

use std::sync::Arc;

use gb_value::{Halt, Kernel, Outcome, Value, ValueError};

/// What is known about a game in which, down to the end, both players can move or neither.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AllSmall {
    /// How many ups the game is worth.
    pub atomic_weight: Value,
    /// Who wins the sums of the game with `*0`, `*1`, `*2` and so on. The last one holds for all larger nimbers as well, and
    /// differs from the one before it.
    pub with_nimbers: Arc<[Outcome]>,
}

impl AllSmall {
    /// What is known about a value; `None` if it is not all-small.
    pub fn of_value(value: Value, kernel: &Kernel<'_>) -> Result<Option<AllSmall>, Halt> {
        let stop = |error: ValueError| match error {
            ValueError::Halt(stop) => Some(stop),
            _ => None,
        };
        let found = (|| Ok((kernel.atomic_weight(value)?, kernel.remote_star(value)?)))();
        let (atomic_weight, remote) = match found.map_err(stop) {
            Ok(found) => found,
            Err(None) => return Ok(None),
            Err(Some(stop)) => return Err(stop),
        };
        let with_nimber = |n: u32| -> Result<Outcome, Halt> {
            Ok(match kernel.compare(value, kernel.nimber(n))? {
                Some(std::cmp::Ordering::Greater) => Outcome::L,
                Some(std::cmp::Ordering::Less) => Outcome::R,
                Some(std::cmp::Ordering::Equal) => Outcome::P,
                None => Outcome::N,
            })
        };
        let outcomes = (0..=remote).map(with_nimber).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(AllSmall { atomic_weight, with_nimbers: shortest(outcomes) }))
    }

    /// What follows from what is known about the options; `None` if only one player can move.
    pub fn of_options(
        lefts: &[&AllSmall],
        rights: &[&AllSmall],
        kernel: &Kernel<'_>,
    ) -> Result<Option<AllSmall>, Halt> {
        if lefts.is_empty() != rights.is_empty() {
            return Ok(None);
        }
        // From here on nothing changes about the options, and after one more nimber nothing about the game.
        let last = lefts.iter().chain(rights).map(|option| option.with_nimbers.len()).max().unwrap_or(1);
        let mut outcomes: Vec<Outcome> = vec![];
        for n in 0..=last {
            let by = |options: &[&AllSmall], winner: Outcome| {
                let wins = |outcome: Outcome| outcome == winner || outcome == Outcome::P;
                options.iter().any(|option| wins(option.with_nimber(n))) || outcomes.iter().any(|&o| wins(o))
            };
            outcomes.push(outcome(by(lefts, Outcome::L), by(rights, Outcome::R)));
        }
        let far = outcomes[last];
        let weights =
            |options: &[&AllSmall]| options.iter().map(|option| option.atomic_weight).collect::<Vec<_>>();
        let atomic_weight = kernel.atomic_weight_of_options(&weights(lefts), &weights(rights), far)?;
        Ok(Some(AllSmall { atomic_weight, with_nimbers: shortest(outcomes) }))
    }

    /// The same about the negative.
    pub fn negate(&self, kernel: &Kernel<'_>) -> Result<AllSmall, Halt> {
        let with_nimbers = self.with_nimbers.iter().map(|&outcome| negative(outcome)).collect();
        Ok(AllSmall { atomic_weight: kernel.neg(self.atomic_weight)?, with_nimbers })
    }

    fn with_nimber(&self, n: usize) -> Outcome {
        self.with_nimbers[n.min(self.with_nimbers.len() - 1)]
    }
}

/// Leaves out what follows from the last one, so that equal games are described equally.
fn shortest(mut outcomes: Vec<Outcome>) -> Arc<[Outcome]> {
    while let [.., before, last] = outcomes[..]
        && before == last
    {
        outcomes.pop();
    }
    outcomes.into()
}

/// Who wins, given whether each player wins moving first.
pub(crate) fn outcome(left_wins: bool, right_wins: bool) -> Outcome {
    match (left_wins, right_wins) {
        (true, true) => Outcome::N,
        (true, false) => Outcome::L,
        (false, true) => Outcome::R,
        (false, false) => Outcome::P,
    }
}

/// Who wins the negative.
pub(crate) fn negative(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::L => Outcome::R,
        Outcome::R => Outcome::L,
        same => same,
    }
}

#[cfg(test)]
mod tests {
    use gb_value::{Budget, Player, Store};
    use proptest::prelude::*;

    use super::*;

    /// A game in some form: how its options are made from games that come before it in a list.
    type Form = (Vec<usize>, Vec<usize>);

    fn forms() -> impl Strategy<Value = Vec<Form>> {
        let side = || prop::collection::vec(0usize..1000, 1..4);
        prop::collection::vec((side(), side()), 1..14)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Forms with dominated and reversible options have the same atomic weight as their canonical forms.
        #[test]
        fn forms_are_like_their_canonical_forms(forms in forms()) {
            let (store, budget) = (Store::new(), Budget::unlimited());
            let kernel = store.kernel(&budget);
            let none = AllSmall::of_options(&[], &[], &kernel).unwrap().unwrap();
            let mut games = vec![(Value::ZERO, none)];
            for (lefts, rights) in forms {
                let [lefts, rights] = [lefts, rights].map(|side| {
                    side.iter().map(|n| games[n % games.len()].clone()).collect::<Vec<_>>()
                });
                let values = |side: &[(Value, AllSmall)]| side.iter().map(|g| g.0).collect::<Vec<_>>();
                let value = kernel.from_options(&values(&lefts), &values(&rights)).unwrap();
                let refs = |side: &'_ [(Value, AllSmall)]| side.iter().map(|g| g.1.clone()).collect::<Vec<_>>();
                let (l, r) = (refs(&lefts), refs(&rights));
                let small = AllSmall::of_options(
                    &l.iter().collect::<Vec<_>>(), &r.iter().collect::<Vec<_>>(), &kernel).unwrap().unwrap();
                let known = AllSmall::of_value(value, &kernel).unwrap().unwrap();
                prop_assert_eq!(&small, &known, "{:?}", value);
                prop_assert_eq!(kernel.atomic_weight(value).unwrap(), small.atomic_weight);
                let negative = kernel.neg(value).unwrap();
                prop_assert_eq!(AllSmall::of_value(negative, &kernel).unwrap().unwrap(), small.negate(&kernel).unwrap());
                games.push((value, small));
            }
        }
    }

    #[test]
    fn what_is_not_all_small_has_none() {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        assert_eq!(AllSmall::of_value(Value::ONE, &kernel), Ok(None));
        let zero = AllSmall::of_value(Value::ZERO, &kernel).unwrap().unwrap();
        assert_eq!(AllSmall::of_options(&[&zero], &[], &kernel), Ok(None));
        assert_eq!(zero.with_nimbers[..], [Outcome::P, Outcome::N]);
        let up = AllSmall::of_value(Value::UP, &kernel).unwrap().unwrap();
        assert_eq!(up.with_nimbers[..], [Outcome::L, Outcome::N, Outcome::L]);
        assert_eq!(up.atomic_weight, Value::ONE);
        assert_eq!(kernel.options(Value::UP, Player::Left).len(), 1);
    }
}
