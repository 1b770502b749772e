//! Products of games, and sums other than the usual one.
//!
//! All of these depend on the form of their arguments, not only on their value; they are taken of the canonical forms.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::budget::{Halt, Limit};
use crate::dyadic::Dyadic;
use crate::error::ValueError;
use crate::kernel::{Kernel, deeper};
use crate::player::Player::{self, Left, Right};
use crate::value::Value;

type Values = SmallVec<[Value; 16]>;
type Memo = FxHashMap<Value, Value>;
type PairMemo = FxHashMap<(Value, Value), Value>;

/// The nim product: the multiplication that makes the nimbers a field of characteristic 2 (Conway, On Numbers and Games,
/// 1976, chapter 6). All `n < 2^32` are a subfield.
pub fn nim_product(a: u32, b: u32) -> u32 {
    nim_product_in(u64::from(a), u64::from(b), 32) as u32
}

/// The nim product of numbers below `2^bits`, where `bits` is a power of two.
fn nim_product_in(a: u64, b: u64, bits: u32) -> u64 {
    if a < 2 || b < 2 {
        return a * b;
    }
    // With the Fermat power F = 2^half: F.x is the usual product for x < F, and F.F = F + F/2.
    let half = bits / 2;
    let low_bits = (1 << half) - 1;
    let ((a1, a0), (b1, b0)) = ((a >> half, a & low_bits), (b >> half, b & low_bits));
    let high = nim_product_in(a1, b1, half);
    let low = nim_product_in(a0, b0, half);
    let cross = nim_product_in(a1 ^ a0, b1 ^ b0, half) ^ low;
    cross << half ^ low ^ nim_product_in(high, 1 << (half - 1), half)
}

/// Which of the components a player moves in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    /// All of them.
    Conjunctive,
    /// As many as he likes, but at least one.
    Selective,
}

impl Kernel<'_> {
    /// The Norton product `G.U` for `U > 0`: an integer is that many copies of `U`, and otherwise it is
    /// `{G^L.U + (U + I) | G^R.U - (U + I)}` with all incentives `I` of `U`.
    ///
    /// Additive and order preserving in `G` (Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 8).
    pub fn norton(&self, value: Value, unit: Value) -> Result<Value, ValueError> {
        if self.store.has_on_or_off(value) || self.store.has_on_or_off(unit) {
            return Err(ValueError::NotShort("the Norton product"));
        }
        if unit == Value::ZERO || !self.le(Value::ZERO, unit)? {
            return Err(ValueError::UnitNotPositive);
        }
        // U + I is 2U - U^R or U^L: a dominated incentive gives a dominated option.
        let mut steps = Values::new();
        for incentive in self.all_incentives(unit)? {
            steps.push(self.add(unit, incentive)?);
        }
        Ok(self.norton_with(value, unit, &steps, &mut Memo::default())?)
    }

    fn norton_with(
        &self,
        value: Value,
        unit: Value,
        steps: &[Value],
        memo: &mut Memo,
    ) -> Result<Value, Halt> {
        if let Some(copies) = self.copies(value, unit) {
            return copies;
        }
        if let Some(&known) = memo.get(&value) {
            return Ok(known);
        }
        self.step()?;
        self.check_size(value)?;
        let mut lists = [Values::new(), Values::new()];
        for (list, player) in lists.iter_mut().zip(Player::BOTH) {
            for option in self.options(value, player) {
                let product = deeper(|| self.norton_with(option, unit, steps, memo))?;
                for &step in steps {
                    list.push(if player == Left {
                        self.add(product, step)?
                    } else {
                        self.sub(product, step)?
                    });
                }
            }
        }
        let product = self.from_options(&lists[0], &lists[1])?;
        memo.insert(value, product);
        Ok(product)
    }

    /// `n` copies of `unit`, if `value` is the integer `n`.
    pub(crate) fn copies(&self, value: Value, unit: Value) -> Option<Result<Value, Halt>> {
        let integer = self.as_number(value).filter(Dyadic::is_integer)?;
        Some(match (self.as_number(unit), integer.to_i64()) {
            (Some(x), _) => self.number_product(&integer, &x),
            (None, Some(n)) => self.times(n, unit),
            (None, None) => Err(Halt::TooLarge(Limit::Number)),
        })
    }

    fn number_product(&self, x: &Dyadic, y: &Dyadic) -> Result<Value, Halt> {
        Ok(self.number(&x.checked_mul(y).map_err(|_| Halt::TooLarge(Limit::Number))?))
    }

    /// The Conway product (On Numbers and Games, 1976, chapter 0):
    /// `{G^L.H + G.H^L - G^L.H^L, G^R.H + G.H^R - G^R.H^R | G^L.H + G.H^R - G^L.H^R, G^R.H + G.H^L - G^R.H^L}`.
    ///
    /// The usual product for numbers, the nim product for nimbers; an integer gives copies. Elsewhere equal games in
    /// different forms have different products.
    pub fn conway(&self, a: Value, b: Value) -> Result<Value, ValueError> {
        if self.store.has_on_or_off(a) || self.store.has_on_or_off(b) {
            return Err(ValueError::NotShort("the Conway product"));
        }
        Ok(self.conway_with(a, b, &mut PairMemo::default())?)
    }

    fn conway_with(&self, a: Value, b: Value, memo: &mut PairMemo) -> Result<Value, Halt> {
        if let (Some(x), Some(y)) = (self.as_nimber(a), self.as_nimber(b)) {
            return Ok(self.nimber(nim_product(x, y)));
        }
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            return self.number_product(&x, &y);
        }
        // The distributive law holds even for forms: n = {n-1|} is the sum of n ones.
        if let Some(copies) = self.copies(a, b).or_else(|| self.copies(b, a)) {
            return copies;
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(&known) = memo.get(&(a, b)) {
            return Ok(known);
        }
        self.step()?;
        self.check_size(a)?;
        self.check_size(b)?;
        let mut lists = [Values::new(), Values::new()];
        for mine in Player::BOTH {
            for theirs in Player::BOTH {
                let list = &mut lists[usize::from(mine != theirs)];
                for x in self.options(a, mine) {
                    let x_b = deeper(|| self.conway_with(x, b, memo))?;
                    for y in self.options(b, theirs) {
                        let a_y = deeper(|| self.conway_with(a, y, memo))?;
                        let x_y = deeper(|| self.conway_with(x, y, memo))?;
                        list.push(self.sub(self.add(x_b, a_y)?, x_y)?);
                    }
                }
            }
        }
        let product = self.from_options(&lists[0], &lists[1])?;
        memo.insert((a, b), product);
        Ok(product)
    }

    /// The ordinal sum `G:H = {G^L, G:H^L | G^R, G:H^R}`: a move in the base `G` ends everything above it.
    pub fn ordinal_sum(&self, base: Value, top: Value) -> Result<Value, ValueError> {
        if self.store.has_on_or_off(base) || self.store.has_on_or_off(top) {
            return Err(ValueError::NotShort("the ordinal sum"));
        }
        let base = [Left, Right].map(|player| self.options(base, player).collect());
        Ok(self.ordinal_sum_with(&base, top, &mut Memo::default())?)
    }

    fn ordinal_sum_with(&self, base: &[Values; 2], top: Value, memo: &mut Memo) -> Result<Value, Halt> {
        if let Some(&known) = memo.get(&top) {
            return Ok(known);
        }
        if let Some(n) = self.as_number(top).filter(Dyadic::is_integer) {
            let sum = self.ordinal_sum_with_integer(base, &n)?;
            memo.insert(top, sum);
            return Ok(sum);
        }
        self.step()?;
        self.check_size(top)?;
        let mut lists = base.clone();
        for (list, player) in lists.iter_mut().zip(Player::BOTH) {
            for option in self.options(top, player) {
                list.push(deeper(|| self.ordinal_sum_with(base, option, memo))?);
            }
        }
        let sum = self.from_options(&lists[0], &lists[1])?;
        memo.insert(top, sum);
        Ok(sum)
    }

    /// One move above another instead of recursion: integers can be large.
    fn ordinal_sum_with_integer(&self, base: &[Values; 2], n: &Dyadic) -> Result<Value, Halt> {
        let mut sum = self.from_options(&base[0], &base[1])?;
        if base.iter().all(|side| side.is_empty()) {
            return Ok(self.number(n));
        }
        let Some(count) = n.to_i64() else { return Err(Halt::TooLarge(Limit::Number)) };
        for _ in 0..count.unsigned_abs() {
            self.step()?;
            let mut lists = base.clone();
            lists[usize::from(count < 0)].push(sum);
            sum = self.from_options(&lists[0], &lists[1])?;
        }
        Ok(sum)
    }

    /// The conjunctive sum: a move is a move in both components, and who cannot move in one of them has lost
    /// (Winning Ways, chapter 9, calls it the rapid join).
    pub fn conjunctive_sum(&self, a: Value, b: Value) -> Result<Value, ValueError> {
        self.join(a, b, Join::Conjunctive, "the conjunctive sum")
    }

    /// The selective sum: a move is a move in one component or in both (Winning Ways, chapter 10, the union).
    pub fn selective_sum(&self, a: Value, b: Value) -> Result<Value, ValueError> {
        self.join(a, b, Join::Selective, "the selective sum")
    }

    fn join(&self, a: Value, b: Value, rule: Join, what: &'static str) -> Result<Value, ValueError> {
        if self.store.has_on_or_off(a) || self.store.has_on_or_off(b) {
            return Err(ValueError::NotShort(what));
        }
        Ok(self.join_with(a, b, rule, &mut PairMemo::default())?)
    }

    fn join_with(&self, a: Value, b: Value, rule: Join, memo: &mut PairMemo) -> Result<Value, Halt> {
        if let Some(joined) = self.join_integers(a, b, rule) {
            return Ok(joined);
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(&known) = memo.get(&(a, b)) {
            return Ok(known);
        }
        self.step()?;
        if rule == Join::Selective {
            self.check_size_with_integers(a)?;
            self.check_size_with_integers(b)?;
        } else {
            self.check_size(a)?;
            self.check_size(b)?;
        }
        let mut lists = [Values::new(), Values::new()];
        for (list, player) in lists.iter_mut().zip(Player::BOTH) {
            for x in self.options(a, player) {
                for y in self.options(b, player) {
                    list.push(deeper(|| self.join_with(x, y, rule, memo))?);
                }
                if rule == Join::Selective {
                    list.push(deeper(|| self.join_with(x, b, rule, memo))?);
                }
            }
            if rule == Join::Selective {
                for y in self.options(b, player) {
                    list.push(deeper(|| self.join_with(a, y, rule, memo))?);
                }
            }
        }
        let joined = self.from_options(&lists[0], &lists[1])?;
        memo.insert((a, b), joined);
        Ok(joined)
    }

    /// Two integers joined: with the same sign there are so many moves for one player and none for the other.
    fn join_integers(&self, a: Value, b: Value, rule: Join) -> Option<Value> {
        let x = self.as_number(a).filter(Dyadic::is_integer)?;
        let y = self.as_number(b).filter(Dyadic::is_integer)?;
        let same_sign = x.signum() * y.signum() >= 0;
        match rule {
            Join::Conjunctive if same_sign => Some(self.number(if x.abs() < y.abs() { &x } else { &y })),
            // Neither player can move in both.
            Join::Conjunctive => Some(Value::ZERO),
            // Nobody can move in the other's component, so the choice is no choice.
            Join::Selective => Some(self.number(&(&x + &y))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a.b = mex { a'b + ab' + a'b' }`, the definition.
    fn by_definition(table: &[Vec<u32>], a: usize, b: usize) -> u32 {
        let mut seen = std::collections::BTreeSet::new();
        for x in 0..a {
            for y in 0..b {
                seen.insert(table[x][b] ^ table[a][y] ^ table[x][y]);
            }
        }
        (0..).find(|n| !seen.contains(n)).unwrap_or(0)
    }

    #[test]
    fn nim_products_are_the_defined_ones() {
        let mut table = vec![vec![0; 24]; 24];
        for a in 0..24 {
            for b in 0..24 {
                table[a][b] = by_definition(&table, a, b);
                assert_eq!(nim_product(a as u32, b as u32), table[a][b], "{a}.{b}");
            }
        }
    }

    #[test]
    fn nimbers_are_a_field() {
        let numbers = [3, 17, 255, 65_535, 65_536, 1 << 31, u32::MAX, 0x1234_5678];
        for a in numbers {
            assert_eq!(nim_product(a, 1), a);
            for b in numbers {
                assert_eq!(nim_product(a, b), nim_product(b, a));
                assert_ne!(nim_product(a, b), 0);
                for c in numbers {
                    assert_eq!(nim_product(a, nim_product(b, c)), nim_product(nim_product(a, b), c));
                    assert_eq!(nim_product(a, b ^ c), nim_product(a, b) ^ nim_product(a, c));
                }
            }
        }
    }
}
