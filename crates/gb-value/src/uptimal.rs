//! Uptimals: sums of powers of up.
//!
//! `^<n> = {0 | * - ^<1> - ... - ^<n-1>}` is the n-th power of up, infinitesimal compared with the one before it, and
//! `^[n] = ^<1> + ... + ^<n> = {^[n-1] | *}` (Conway and Ryba, The uptimal notation for infinitesimals, in Siegel,
//! Combinatorial Game Theory, 2013, section II.4).

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::budget::Halt;
use crate::dyadic::Dyadic;
use crate::kernel::{Kernel, deeper};
use crate::player::Player::{self, Left};
use crate::value::Value;

type Memo = FxHashMap<Value, Option<Uptimal>>;

/// Powers of up above this are not recognised.
const MAX_POWER: usize = 64;
/// Nor are powers beside greater nimbers: building the candidates takes time that grows with the third power of these.
const MAX_STAR: u32 = 31;

/// `number + a_1.^<1> + a_2.^<2> + ... + *star`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Uptimal {
    /// The number.
    pub number: Dyadic,
    /// How often each power of up occurs, the first power first; the last one is not 0.
    pub powers: SmallVec<[i64; 4]>,
    /// The index of the nimber, 0 for none.
    pub star: u32,
}

impl Kernel<'_> {
    /// `^<n>`, the n-th power of up. `^<1>` is `^`, and `^<0>` counts as 0.
    pub fn up_power(&self, n: u32) -> Result<Value, Halt> {
        if n == 0 {
            return Ok(Value::ZERO);
        }
        self.next_power(self.up_powers_sum(n - 1)?)
    }

    /// The next power of up, given the sum of those before it.
    fn next_power(&self, below: Value) -> Result<Value, Halt> {
        self.from_options(&[Value::ZERO], &[self.sub(Value::STAR, below)?])
    }

    /// `^[n] = ^<1> + ... + ^<n>`.
    pub fn up_powers_sum(&self, n: u32) -> Result<Value, Halt> {
        let mut sum = Value::ZERO;
        for _ in 0..n {
            self.step()?;
            sum = self.from_options(&[sum], &[Value::STAR])?;
        }
        Ok(sum)
    }

    /// The value of an uptimal.
    pub fn uptimal(&self, uptimal: &Uptimal) -> Result<Value, Halt> {
        let mut sum = self.add(self.number(&uptimal.number), self.nimber(uptimal.star))?;
        for (n, &times) in (1..).zip(&uptimal.powers) {
            if times != 0 {
                sum = self.add(sum, self.times(times, self.up_power(n)?)?)?;
            }
        }
        Ok(sum)
    }

    /// The uptimal that a value is, if it is one.
    pub fn as_uptimal(&self, value: Value) -> Result<Option<Uptimal>, Halt> {
        self.as_uptimal_with(value, &mut Memo::default())
    }

    fn as_uptimal_with(&self, value: Value, memo: &mut Memo) -> Result<Option<Uptimal>, Halt> {
        if let Some(parts) = self.as_number_up_star(value) {
            let powers = if parts.ups == 0 { smallvec![] } else { smallvec![parts.ups] };
            return Ok(Some(Uptimal { number: parts.number, powers, star: parts.star }));
        }
        let (left, right) = self.store.stop_keys(value);
        if left != right || !self.is_short(value) {
            return Ok(None);
        }
        if let Some(known) = memo.get(&value) {
            return Ok(known.clone());
        }
        let mut found = None;
        for player in Player::BOTH {
            if found.is_none() {
                found = deeper(|| self.as_uptimal_for(value, player, memo))?;
            }
        }
        memo.insert(value, found.clone());
        Ok(found)
    }

    /// If the last power of up in an uptimal occurs positively, Right has just one option, in which every power up to the
    /// last one occurs once less and the star is flipped. How many powers there are cannot be seen from that option, so
    /// the candidates are built and compared.
    fn as_uptimal_for(
        &self,
        value: Value,
        favoured: Player,
        memo: &mut Memo,
    ) -> Result<Option<Uptimal>, Halt> {
        self.step()?;
        let Some(reply) = self.only_option(value, favoured.opponent()) else { return Ok(None) };
        let Some(reply) = self.as_uptimal_with(reply, memo)? else { return Ok(None) };
        if reply.star > MAX_STAR {
            return Ok(None);
        }
        let sign = if favoured == Left { 1 } else { -1 };
        // What is left without the number: a large number is born late, and says nothing about powers.
        let rest = self.sub(value, self.number(&reply.number))?;
        let longest = usize::try_from(self.birthday(rest)?).unwrap_or(MAX_POWER).min(MAX_POWER);
        let (number, star) = (reply.number.clone(), reply.star ^ 1);
        let mut candidate = Uptimal { number, powers: SmallVec::new(), star };
        // Each is the one before with one power more, and powers follow from the sum of those below.
        let (mut sum, mut below) = (self.uptimal(&candidate)?, Value::ZERO);
        for place in 0..longest {
            let Some(times) = reply.powers.get(place).copied().unwrap_or(0).checked_add(sign) else {
                return Ok(None);
            };
            let power = self.next_power(below)?;
            below = self.from_options(&[below], &[Value::STAR])?;
            sum = self.add(sum, self.times(times, power)?)?;
            candidate.powers.push(times);
            let length = place + 1;
            if length >= reply.powers.len().max(2) && times * sign > 0 && sum == value {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }
}

impl Uptimal {
    /// `n`, if this is `number + ^<n> + star` (or its downwards image: then `n` is negative).
    pub fn as_power(&self) -> Option<i64> {
        let (&last, rest) = self.powers.split_last()?;
        (last.abs() == 1 && rest.iter().all(|&p| p == 0)).then_some(last * self.powers.len() as i64)
    }

    /// `n`, if this is `number + ^[n] + star` (or its downwards image: then `n` is negative).
    pub fn as_powers_sum(&self) -> Option<i64> {
        let first = *self.powers.first()?;
        (first.abs() == 1 && self.powers.iter().all(|&p| p == first))
            .then_some(first * self.powers.len() as i64)
    }
}
