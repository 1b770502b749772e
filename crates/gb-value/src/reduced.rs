//! Reduced canonical forms: the simplest game infinitesimally close to a given one.
//!
//! J. P. Grossman and A. N. Siegel, Reductions of partizan games, Games of No Chance 3, 2009. `G` is at most `H` up to an
//! infinitesimal, `G <= H (mod Inf)`, if and only if the Right stop of `H - G` is at least 0. The reduced canonical form
//! has no options that are dominated or reversible in this coarser order.

use std::cmp::Ordering;

use smallvec::SmallVec;

use crate::budget::Halt;
use crate::error::ValueError;
use crate::kernel::{Kernel, deeper};
use crate::player::Player::{self, Left, Right};
use crate::value::Value;

type Values = SmallVec<[Value; 16]>;

/// The two orders that decide each other. With a number `d > 0` smaller than every difference of two stops that occur:
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slack {
    /// `A <= B + d`, which is `A <= B (mod Inf)`.
    For,
    /// `A + d <= B`.
    Against,
}

impl Kernel<'_> {
    /// The reduced canonical form of a value.
    pub fn reduced(&self, value: Value) -> Result<Value, ValueError> {
        if self.store.has_on_or_off(value) {
            return Err(ValueError::NotShort("the reduced canonical form"));
        }
        Ok(self.reduce(value)?)
    }

    fn reduce(&self, value: Value) -> Result<Value, Halt> {
        if self.is_number(value) {
            return Ok(value);
        }
        if let Some(parts) = self.as_number_up_star(value) {
            return Ok(self.number(&parts.number));
        }
        if let Some(reduced) = self.store.reduced_forms.get(value) {
            return Ok(reduced);
        }
        self.step()?;
        let reduced = match self.number_close_to(value)? {
            Some(number) => number,
            None => deeper(|| {
                let mut lists = [Values::new(), Values::new()];
                for (list, player) in lists.iter_mut().zip(Player::BOTH) {
                    for option in self.options(value, player) {
                        list.push(self.reduce(option)?);
                    }
                }
                self.reduced_from_options(&lists[0], &lists[1])
            })?,
        };
        self.store.reduced_forms.set(value, reduced, 0);
        Ok(reduced)
    }

    /// The reduced canonical form of the game with these options, which must be reduced canonical forms themselves.
    ///
    /// As long as the game is hot, options may be replaced by their reduced forms. If it is a number, they may not:
    /// `{*|1}` is 0, but `{0|1}` is 1/2.
    pub fn reduced_from_options(&self, lefts: &[Value], rights: &[Value]) -> Result<Value, Halt> {
        let game = self.from_options(lefts, rights)?;
        if let Some(number) = self.number_close_to(game)? {
            return Ok(number);
        }
        let lefts = self.reduced_options(game, Left)?;
        let rights = self.reduced_options(game, Right)?;
        if lefts.len() == self.options(game, Left).len() && rights.len() == self.options(game, Right).len() {
            // An option can only have been replaced by several; the common case is that nothing was.
            let same = |list: &[Value], player| self.options(game, player).all(|v| list.contains(&v));
            if same(&lefts, Left) && same(&rights, Right) {
                return Ok(game);
            }
        }
        // Dominated or reversible in the usual order is so in the coarser one too: the form is canonical.
        self.intern_canonical(&mut { lefts }, &mut { rights })
    }

    /// The number that a value differs from by an infinitesimal, if there is one.
    pub(crate) fn number_close_to(&self, value: Value) -> Result<Option<Value>, Halt> {
        let (left, right) = self.store.stop_keys(value);
        if self.is_number(value) {
            return Ok(Some(value));
        }
        if left != right {
            return Ok(None);
        }
        let (left, right) = (self.stop(value, Left)?, self.stop(value, Right)?);
        Ok(left.filter(|l| right.as_ref() == Some(l)).map(|x| self.number(&x)))
    }

    /// Whether two values differ by an infinitesimal at most.
    pub fn is_close(&self, a: Value, b: Value) -> Result<bool, Halt> {
        Ok(self.le_close(a, b)? && self.le_close(b, a)?)
    }

    /// `a <= b (mod Inf)`: `a` is at most `b` plus some infinitesimal. Meant for short games.
    pub fn le_close(&self, a: Value, b: Value) -> Result<bool, Halt> {
        self.le_with(a, b, Slack::For)
    }

    /// A number is compared with `A + d` as with `A`, and nobody wants to move in numbers: the recursion of the usual
    /// order, in which the two cases change places because the sides do.
    fn le_with(&self, a: Value, b: Value, slack: Slack) -> Result<bool, Halt> {
        let ((a_left, a_right), (b_left, b_right)) = (self.store.stop_keys(a), self.store.stop_keys(b));
        let for_a = slack == Slack::For;
        if a == b {
            return Ok(for_a);
        }
        match a_left.compare(b_right) {
            Some(Ordering::Less) => return Ok(true),
            Some(Ordering::Equal) if for_a => return Ok(true),
            _ => {}
        }
        for (of_a, of_b) in [(a_left, b_left), (a_right, b_right)] {
            match of_a.compare(of_b) {
                Some(Ordering::Greater) => return Ok(false),
                Some(Ordering::Equal) if !for_a => return Ok(false),
                _ => {}
            }
        }
        let memo = if for_a { &self.store.close_memo } else { &self.store.apart_memo };
        if let Some(answer) = memo.get(a.0, b.0) {
            return Ok(answer);
        }
        let answer = deeper(|| self.le_with_by_options(a, b, slack))?;
        memo.set(a.0, b.0, answer);
        Ok(answer)
    }

    fn le_with_by_options(&self, a: Value, b: Value, slack: Slack) -> Result<bool, Halt> {
        self.step()?;
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            return Ok(if slack == Slack::For { x <= y } else { x < y });
        }
        let other = if slack == Slack::For { Slack::Against } else { Slack::For };
        if !self.is_number(a) {
            for left in self.options(a, Left) {
                if self.le_with(b, left, other)? {
                    return Ok(false);
                }
            }
        }
        if !self.is_number(b) {
            for right in self.options(b, Right) {
                if self.le_with(right, a, other)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn at_least_as_good_closely(&self, a: Value, b: Value, player: Player) -> Result<bool, Halt> {
        if player == Left { self.le_close(b, a) } else { self.le_close(a, b) }
    }

    /// The options of a hot game that are left when the dominated and the reversible ones (mod Inf) are gone.
    fn reduced_options(&self, game: Value, player: Player) -> Result<Values, Halt> {
        let mut unchecked: Values = self.options(game, player).collect();
        let mut kept = Values::new();
        while let Some(option) = unchecked.pop() {
            if self.is_dominated_closely(option, &kept, player)?
                || self.is_dominated_closely(option, &unchecked, player)?
            {
                continue;
            }
            match self.reply_reversing_closely(game, option, player)? {
                None => kept.push(option),
                // Options of a number are dominated here: the stop of the hot game on this side is better than it.
                Some(reply) => unchecked.extend(self.options(reply, player)),
            }
        }
        // An option that came in late may dominate one that was kept early.
        let mut i = 0;
        while i < kept.len() {
            let option = kept.swap_remove(i);
            if !self.is_dominated_closely(option, &kept, player)? {
                kept.push(option);
                let last = kept.len() - 1;
                kept.swap(i, last);
                i += 1;
            }
        }
        Ok(kept)
    }

    fn is_dominated_closely(&self, option: Value, others: &[Value], player: Player) -> Result<bool, Halt> {
        for &other in others {
            if self.at_least_as_good_closely(other, option, player)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reply_reversing_closely(
        &self,
        game: Value,
        option: Value,
        player: Player,
    ) -> Result<Option<Value>, Halt> {
        for reply in self.options(option, player.opponent()) {
            if self.at_least_as_good_closely(game, reply, player)? {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }
}
