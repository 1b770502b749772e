//! Values without the values of all options: an option that is no better than another one changes nothing, and to show
//! that it is no better takes a search for a winner (see [`Rivals`]) that sees a small share of the option's positions.
//!
//! In Domineering 4x6, 165 of 14,386 parts have to be valued if everything else is known to be dominated. Where options
//! are often incomparable, as in Clobber, the comparisons cost more than they save; then this way is left.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use gb_game::{Player, Rules, Sign, Verdict};
use gb_value::{Kernel, Stop, Value};

use super::ExactValue;
use super::rivals::{Rivals, Unvalued};
use crate::search::{Bench, TableFor, search};

/// One comparison takes at most so many nodes.
const NODES_OF_COMPARISON: u64 = 1 << 20;

/// What is kept when the search is interrupted, besides the table of values.
pub(super) struct Sparing<'a, R: Rules> {
    rules: &'a R,
    values: &'a TableFor<R, ExactValue>,
    /// Parts of at most this size are valued with all their options.
    small: usize,
    rivals: Rivals<'a, R>,
    /// How many comparisons were made,
    pub(super) comparisons: u64,
    /// and how many of them showed that an option is no better.
    pub(super) successes: u64,
}

impl<'a, R: Rules> Sparing<'a, R> {
    pub(super) fn new(
        rules: &'a R,
        values: &'a TableFor<R, ExactValue>,
        small: usize,
        bench: &Bench<'_>,
    ) -> Self {
        let rivals = Rivals::new(rules, values, small, bench);
        Sparing { rules, values, small, rivals, comparisons: 0, successes: 0 }
    }

    /// The value of a normalised part.
    pub(super) fn part(&mut self, part: &R::Board, bench: &Bench<'_>) -> Result<Value, Stop> {
        let kernel = bench.store.kernel(bench.budget);
        Turn { sparing: self, kernel, bench }.part(part)
    }
}

/// One go at a value, under its own budget.
struct Turn<'t, 'a, R: Rules> {
    sparing: &'t mut Sparing<'a, R>,
    kernel: Kernel<'t>,
    bench: &'t Bench<'t>,
}

impl<R: Rules> Turn<'_, '_, R> {
    /// The value of a normalised part.
    fn part(&mut self, part: &R::Board) -> Result<Value, Stop> {
        if let Some(value) = self.at_hand(part)? {
            return Ok(value);
        }
        self.kernel.step()?;
        let mut sides = [vec![], vec![]];
        for who in Player::BOTH {
            sides[who as usize] = stacker::maybe_grow(128 << 10, 8 << 20, || self.best_options(part, who))?;
        }
        let value = self.kernel.from_options(&sides[0], &sides[1])?;
        self.sparing.values.finish(part, value);
        Ok(value)
    }

    /// The value of a normalised part if it is known, or small.
    fn at_hand(&self, part: &R::Board) -> Result<Option<Value>, Stop> {
        if let Some(value) = self.sparing.values.recall(part, &self.kernel)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.sparing.rules.known(part, &self.kernel)? {
            return Ok(Some(value));
        }
        if self.sparing.rules.size(part) <= self.sparing.small {
            let alone = Bench::new(self.bench.store, self.bench.budget);
            return search(self.sparing.rules, &ExactValue, self.sparing.values, part, &alone).map(Some);
        }
        Ok(None)
    }

    /// The values of enough options of a player: every other one is no better than one of them.
    fn best_options(&mut self, part: &R::Board, who: Player) -> Result<Vec<Value>, Stop> {
        let mut best = vec![];
        let mut open = self.options(part, who);
        // Those that have not been compared with what is still open.
        let mut new = vec![];
        // What is known by chance is not compared with everything before the most promising option is known as well.
        let mut has_first = false;
        loop {
            let mut still_open = vec![];
            for option in open {
                match self.shorten(option)? {
                    Unvalued { value, parts } if parts.is_empty() => {
                        self.insert(value, who, &mut best, &mut new)?
                    }
                    option => still_open.push(option),
                }
            }
            open = still_open;
            let compared = if has_first { open.len() } else { open.len().min(1) };
            if compared > 0 && !new.is_empty() {
                let Sparing { rivals, comparisons, successes, .. } = &mut *self.sparing;
                let (refuted, count) =
                    rivals.refuted(who, &open[..compared], &new, NODES_OF_COMPARISON, self.bench)?;
                *comparisons += count;
                *successes += refuted.iter().filter(|&&refuted| refuted).count() as u64;
                let mut at = 0..;
                open.retain(|_| !at.next().and_then(|at| refuted.get(at)).is_some_and(|&refuted| refuted));
                if !has_first && refuted[0] {
                    continue;
                }
            }
            if open.is_empty() {
                return Ok(best);
            }
            if has_first {
                new.clear();
            }
            has_first = true;
            // The next loop finds its value, and those of others that turned up meanwhile.
            for (part, _) in open[0].parts.clone() {
                self.part(&part)?;
            }
        }
    }

    /// Adds the parts that are at hand to the value.
    fn shorten(&self, option: Unvalued<R::Board>) -> Result<Unvalued<R::Board>, Stop> {
        let Unvalued { mut value, parts } = option;
        let mut open = vec![];
        for (part, sign) in parts {
            match self.at_hand(&part)? {
                Some(known) => {
                    let known = if sign == Sign::Plus { known } else { self.kernel.neg(known)? };
                    value = self.kernel.add(value, known)?;
                }
                None => open.push((part, sign)),
            }
        }
        Ok(Unvalued { value, parts: open })
    }

    /// Keeps a value unless it is no better than another one.
    fn insert(
        &self,
        value: Value,
        who: Player,
        best: &mut Vec<Value>,
        new: &mut Vec<Value>,
    ) -> Result<(), Stop> {
        let no_better = |a: Value, b: Value| match who {
            Player::Left => self.kernel.le(a, b),
            Player::Right => self.kernel.le(b, a),
        };
        for &other in best.iter() {
            if no_better(value, other)? {
                return Ok(());
            }
        }
        for values in [&mut *best, &mut *new] {
            let mut kept = vec![];
            for &other in values.iter() {
                if !no_better(other, value)? {
                    kept.push(other);
                }
            }
            kept.push(value);
            *values = kept;
        }
        Ok(())
    }

    /// The options of a player, those first that look best.
    fn options(&self, part: &R::Board, who: Player) -> Vec<Unvalued<R::Board>> {
        let rules = self.sparing.rules;
        let mut options = vec![];
        let _ = rules.moves(part, who, &mut |mv| {
            let mut parts = vec![];
            let points = rules.parts_after(part, who, &mv, &mut |part| parts.push(rules.normalise(part)));
            let mut after = part.clone();
            rules.play(&mut after, who, &mv);
            let promise = match rules.verdict(&rules.chances(&after), (0, 0), who.opponent()) {
                Verdict::Lean(lean) => lean,
                Verdict::Winner(Player::Left) => i32::MAX,
                Verdict::Winner(Player::Right) => i32::MIN + 1,
            };
            let promise = if who == Player::Left { promise } else { -promise };
            options.push((promise, Unvalued { value: self.kernel.integer(points), parts }));
            ControlFlow::Continue(())
        });
        options.sort_by_key(|&(promise, _)| Reverse(promise));
        options.into_iter().map(|(_, option)| option).collect()
    }
}
