//! Atomic weights: how many ups an all-small game is worth.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::budget::Halt;
use crate::dyadic::Dyadic;
use crate::error::ValueError;
use crate::kernel::{Kernel, deeper};
use crate::order::Outcome;
use crate::player::Player::{self, Left, Right};
use crate::value::Value;

type Values = SmallVec<[Value; 16]>;

/// What an atomic weight is built from, kept for every all-small value that was asked about.
#[derive(Clone, Copy)]
pub(crate) struct Atomic {
    weight: Value,
    /// The least `n` such that no position of the game is `*n`.
    remote: u32,
}

impl Kernel<'_> {
    /// The atomic weight of an all-small game.
    ///
    /// `{aw(G^L) - 2 | aw(G^R) + 2}` if that is no integer; otherwise, among the integers that no option rules out, the
    /// simplest, the greatest or the least one, if `G` is fuzzy with, above or below a remote star (Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 8; Siegel, Combinatorial Game Theory, 2013, section II.7).
    ///
    /// Atomic weights add, and a game of atomic weight 2 or more is positive.
    pub fn atomic_weight(&self, value: Value) -> Result<Value, ValueError> {
        self.require_all_small(value, "the atomic weight")?;
        Ok(self.atomic(value)?.weight)
    }

    /// The least `n` such that no position of an all-small game, itself included, is `*n`.
    ///
    /// All such remote stars compare with the game in the same way.
    pub fn remote_star(&self, value: Value) -> Result<u32, ValueError> {
        self.require_all_small(value, "a remote star")?;
        Ok(self.atomic(value)?.remote)
    }

    pub(crate) fn require_all_small(&self, value: Value, what: &'static str) -> Result<(), ValueError> {
        if self.store.is_all_small(value) { Ok(()) } else { Err(ValueError::NotAllSmall(what)) }
    }

    fn atomic(&self, value: Value) -> Result<Atomic, Halt> {
        if let Some(parts) = self.as_number_up_star(value) {
            // On the way from k.up + *m down to the nimbers, the last bit of m alternates.
            let largest = if parts.ups == 0 {
                parts.star
            } else {
                let last = parts.star ^ (parts.ups & 1) as u32;
                last.max(1)
            };
            return Ok(Atomic { weight: self.integer(parts.ups), remote: largest.saturating_add(1) });
        }
        if let Some(atomic) = self.store.atomic_weights.get(value) {
            return Ok(atomic);
        }
        let atomic = deeper(|| self.atomic_by_options(value))?;
        self.store.atomic_weights.set(value, atomic, 0);
        Ok(atomic)
    }

    fn atomic_by_options(&self, value: Value) -> Result<Atomic, Halt> {
        self.step()?;
        let mut remote = 0;
        let mut lists = [Values::new(), Values::new()];
        for (list, player) in lists.iter_mut().zip(Player::BOTH) {
            for option in self.options(value, player) {
                let atomic = self.atomic(option)?;
                remote = remote.max(atomic.remote);
                list.push(atomic.weight);
            }
        }
        let compare = || self.against_remote_star(value, remote);
        Ok(Atomic { weight: self.atomic_weight_by(&lists[0], &lists[1], compare)?, remote })
    }

    /// The atomic weight of an all-small game in any form, given the atomic weights of its options and who wins the sum of
    /// the game and a remote star. So it is found without the canonical form.
    pub fn atomic_weight_of_options(
        &self,
        lefts: &[Value],
        rights: &[Value],
        with_remote_star: Outcome,
    ) -> Result<Value, Halt> {
        self.atomic_weight_by(lefts, rights, || Ok(with_remote_star))
    }

    fn atomic_weight_by(
        &self,
        lefts: &[Value],
        rights: &[Value],
        with_remote_star: impl FnOnce() -> Result<Outcome, Halt>,
    ) -> Result<Value, Halt> {
        let taxed = |weights: &[Value], tax: i64| -> Result<Values, Halt> {
            weights.iter().map(|&weight| self.add(weight, self.integer(tax))).collect()
        };
        let (lefts, rights) = (taxed(lefts, -2)?, taxed(rights, 2)?);
        let simplest = self.from_options(&lefts, &rights)?;
        if !self.as_number(simplest).is_some_and(|x| x.is_integer()) {
            return Ok(simplest);
        }
        match with_remote_star()? {
            Outcome::L => self.furthest_integer(&rights, Right),
            Outcome::R => self.furthest_integer(&lefts, Left),
            Outcome::N | Outcome::P => Ok(simplest),
        }
    }

    fn against_remote_star(&self, value: Value, remote: u32) -> Result<Outcome, Halt> {
        let star = self.nimber(remote);
        Ok(if self.le(star, value)? {
            Outcome::L
        } else if self.le(value, star)? {
            Outcome::R
        } else {
            Outcome::N
        })
    }

    /// The greatest integer `n` with `n <| option` for all of Right's options, or the least with `option <| n` for all
    /// of Left's.
    fn furthest_integer(&self, options: &[Value], player: Player) -> Result<Value, Halt> {
        let mut furthest: Option<Dyadic> = None;
        for &option in options {
            let Some(stop) = self.stop(option, player.opponent())? else { continue };
            let mut n = if player == Right { stop.floor() } else { stop.ceil() };
            let at = self.number(&n);
            if player == Right && self.le(option, at)? {
                n -= &Dyadic::ONE;
            } else if player == Left && self.le(at, option)? {
                n += &Dyadic::ONE;
            }
            furthest = Some(match furthest {
                None => n,
                Some(m) if player == Right => m.min(n),
                Some(m) => m.max(n),
            });
        }
        Ok(furthest.map_or(Value::ZERO, |n| self.number(&n)))
    }

    /// The companion of an all-small game: `*` for 0, otherwise the companions of the options, and 0 as one more Left
    /// option if `G > 0`, as one more Right option if `G < 0` (Siegel, Combinatorial Game Theory, 2013, section II.7).
    pub fn companion(&self, value: Value) -> Result<Value, ValueError> {
        self.require_all_small(value, "the companion")?;
        Ok(self.companion_with(value, &mut FxHashMap::default())?)
    }

    fn companion_with(&self, value: Value, memo: &mut FxHashMap<Value, Value>) -> Result<Value, Halt> {
        if let Some(nimber) = self.as_nimber(value) {
            return Ok(if nimber < 2 { self.nimber(nimber ^ 1) } else { value });
        }
        if let Some(&known) = memo.get(&value) {
            return Ok(known);
        }
        self.step()?;
        self.check_size(value)?;
        let mut lists = [Values::new(), Values::new()];
        for (list, player) in lists.iter_mut().zip(Player::BOTH) {
            for option in self.options(value, player) {
                list.push(deeper(|| self.companion_with(option, memo))?);
            }
        }
        match self.outcome(value)? {
            Outcome::L => lists[0].push(Value::ZERO),
            Outcome::R => lists[1].push(Value::ZERO),
            Outcome::N | Outcome::P => {}
        }
        let companion = self.from_options(&lists[0], &lists[1])?;
        memo.insert(value, companion);
        Ok(companion)
    }
}
