//! Values without the values of all options: an option that is no better than another one changes nothing, and to show
//! that it is no better takes a search for a winner (see [`Comparer`]) that sees a small share of the option's positions.
//!
//! In Domineering 4x6, 165 of 14,386 parts have to be valued if everything else is known to be dominated. Where options
//! are often incomparable, as in Clobber, the comparisons cost more than they save; then this way is left.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicIsize, AtomicU64, Ordering::Relaxed};

use gb_board::sort_by_key;
use gb_rules::{BoundFeatures, DynGame, Expansion, Inspection, Key, Player, Sign, StaticResult};
use gb_value::{Halt, Kernel, Value, deeper};

use super::ExactValue;
use super::comparer::{Comparer, Unvalued};
use crate::search::{SearchContext, TableFor, search};

/// One comparison takes at most so many nodes.
const NODES_OF_COMPARISON: u64 = 1 << 20;

/// What is kept when the search is interrupted, besides the table of values.
pub(super) struct DominancePruning<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    values: &'a TableFor<N, ExactValue>,
    /// Parts of at most this size are valued with all their options.
    small: usize,
    comparer: Comparer<'a, N>,
    /// How many threads have nothing to do.
    idle: AtomicIsize,
    comparisons: AtomicU64,
    successes: AtomicU64,
}

impl<'a, const N: usize> DominancePruning<'a, N> {
    pub(super) fn new(
        game: &'a dyn DynGame<N>,
        values: &'a TableFor<N, ExactValue>,
        small: usize,
        context: &SearchContext<'_>,
    ) -> Self {
        DominancePruning {
            game,
            values,
            small,
            comparer: Comparer::new(game, values, small, context),
            idle: AtomicIsize::new(context.threads as isize - 1),
            comparisons: AtomicU64::new(0),
            successes: AtomicU64::new(0),
        }
    }

    /// How many comparisons were made so far, and how many of them showed that an option is no better.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.comparisons.load(Relaxed), self.successes.load(Relaxed))
    }

    /// The value of a normalised part.
    pub(super) fn part(&self, part: &Key<N>, context: &SearchContext<'_>) -> Result<Value, Halt> {
        Turn::new(self, context).part(part)
    }
}

/// What one thread does, under the budget of one turn.
struct Turn<'t, 'a, const N: usize> {
    pruning: &'t DominancePruning<'a, N>,
    kernel: Kernel<'t>,
    context: &'t SearchContext<'t>,
}

impl<'t, 'a, const N: usize> Turn<'t, 'a, N> {
    fn new(pruning: &'t DominancePruning<'a, N>, context: &'t SearchContext<'t>) -> Self {
        Turn { pruning, kernel: context.store.kernel(context.budget), context }
    }

    /// The value of a normalised part.
    fn part(&self, part: &Key<N>) -> Result<Value, Halt> {
        if let Some(value) = self.at_hand(part)? {
            return Ok(value);
        }
        self.kernel.step()?;
        let [lefts, rights] = deeper(|| self.sides(part))?;
        let value = self.kernel.from_options(&lefts, &rights)?;
        self.pruning.values.finish(part, value);
        Ok(value)
    }

    /// The best options of either player, found by two threads if one is idle.
    fn sides(&self, part: &Key<N>) -> Result<[Vec<Value>; 2], Halt> {
        let (lefts, rights) = (self.options(part, Player::Left)?, self.options(part, Player::Right)?);
        if self.are_mirrored(&lefts, &rights)? {
            let lefts = self.best(lefts, Player::Left)?;
            let rights: Result<_, Halt> = lefts.iter().map(|&value| self.kernel.neg(value)).collect();
            return Ok([lefts, rights?]);
        }
        let idle = &self.pruning.idle;
        if idle.fetch_sub(1, Relaxed) < 1 {
            idle.fetch_add(1, Relaxed);
            return Ok([self.best(lefts, Player::Left)?, self.best(rights, Player::Right)?]);
        }
        std::thread::scope(|scope| {
            let helper = scope.spawn(|| {
                let rights = Turn::new(self.pruning, self.context).best(rights, Player::Right);
                idle.fetch_add(1, Relaxed);
                rights
            });
            let lefts = self.best(lefts, Player::Left);
            // While this thread waits, the other one may have help.
            idle.fetch_add(1, Relaxed);
            let rights = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            idle.fetch_sub(1, Relaxed);
            Ok([lefts?, rights?])
        })
    }

    /// Whether the options of Right are the negatives of those of Left.
    fn are_mirrored(&self, lefts: &[Unvalued<N>], rights: &[Unvalued<N>]) -> Result<bool, Halt> {
        if lefts.len() != rights.len() {
            return Ok(false);
        }
        let mut unmatched: Vec<&Unvalued<N>> = rights.iter().collect();
        for left in lefts {
            let value = self.kernel.neg(left.value)?;
            let negative: Vec<_> = left.parts.iter().map(|(part, sign)| (*part, -*sign)).collect();
            let is_negative =
                |right: &&Unvalued<N>| right.value == value && are_same(&right.parts, &negative);
            match unmatched.iter().position(is_negative) {
                Some(at) => unmatched.swap_remove(at),
                None => return Ok(false),
            };
        }
        Ok(true)
    }

    /// The value of a normalised part if it is known, or small.
    fn at_hand(&self, part: &Key<N>) -> Result<Option<Value>, Halt> {
        if let Some(value) = self.pruning.values.recall(part, &self.kernel)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.pruning.game.known(part, &self.kernel)? {
            return Ok(Some(value));
        }
        if self.pruning.game.size(part) <= self.pruning.small {
            let alone = SearchContext::new(self.context.store, self.context.budget);
            return search(self.pruning.game, &ExactValue, self.pruning.values, part, &alone).map(Some);
        }
        Ok(None)
    }

    /// The values of enough of these options of a player: every other one is no better than one of them.
    fn best(&self, options: Vec<Unvalued<N>>, who: Player) -> Result<Vec<Value>, Halt> {
        let mut best = vec![];
        let mut open = vec![];
        for option in options {
            match self.shorten(option)? {
                Unvalued { value, parts } if parts.is_empty() => self.insert(value, who, &mut best)?,
                option => open.push(option),
            }
        }
        for mut option in open {
            // Something may have turned up meanwhile.
            option = self.shorten(option)?;
            if !option.parts.is_empty() {
                if self.is_refuted(&option, who, &mut best)? {
                    continue;
                }
                for (part, _) in &option.parts {
                    self.part(part)?;
                }
                option = self.shorten(option)?;
            }
            self.insert(option.value, who, &mut best)?;
        }
        Ok(best)
    }

    /// Whether one of the rivals is shown to be at least as good; that one comes to the front.
    fn is_refuted(&self, option: &Unvalued<N>, who: Player, rivals: &mut [Value]) -> Result<bool, Halt> {
        let DominancePruning { comparer, comparisons, successes, .. } = self.pruning;
        for i in 0..rivals.len() {
            comparisons.fetch_add(1, Relaxed);
            if comparer.refutes(rivals[i], option, who, NODES_OF_COMPARISON, self.context)? {
                successes.fetch_add(1, Relaxed);
                rivals[..=i].rotate_right(1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds the parts that are at hand to the value.
    fn shorten(&self, option: Unvalued<N>) -> Result<Unvalued<N>, Halt> {
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

    /// Keeps a value, in front, unless it is no better than another one.
    fn insert(&self, value: Value, who: Player, best: &mut Vec<Value>) -> Result<(), Halt> {
        let no_better = |a: Value, b: Value| match who {
            Player::Left => self.kernel.le(a, b),
            Player::Right => self.kernel.le(b, a),
        };
        let mut kept = vec![value];
        for &other in best.iter() {
            if no_better(value, other)? {
                return Ok(());
            }
            if !no_better(other, value)? {
                kept.push(other);
            }
        }
        *best = kept;
        Ok(())
    }

    /// The options of a player, those first that look best.
    fn options(&self, part: &Key<N>, who: Player) -> Result<Vec<Unvalued<N>>, Halt> {
        let game = self.pruning.game;
        let mut expansion = Expansion::default();
        game.expand(part, who, &self.kernel, &mut expansion)?;
        let mut order_scores = vec![];
        let (others, first) = (BoundFeatures::default(), who.opponent());
        let inspection = Inspection { others: &others, sign: Sign::Plus, rest: (0, 0), first, to_win: false };
        let _ = game.successors(part, who, Some(&inspection), false, &mut |next| {
            let order_score = match next.result {
                StaticResult::Eval(eval) => eval,
                StaticResult::Winner(Player::Left) => i32::MAX,
                StaticResult::Winner(Player::Right) => i32::MIN + 1,
            };
            order_scores.push(if who == Player::Left { order_score } else { -order_score });
            ControlFlow::Continue(())
        });
        let unvalued = |option| {
            let parts = expansion.parts_of(option).iter().map(|part| game.normalise(part)).collect();
            Unvalued { value: self.kernel.integer(option.points), parts }
        };
        let options = expansion.options.iter().map(unvalued);
        let mut options: Vec<(i32, Unvalued<N>)> = order_scores.into_iter().zip(options).collect();
        sort_by_key(&mut options, |&(order_score, _)| Reverse(order_score));
        Ok(options.into_iter().map(|(_, option)| option).collect())
    }
}

/// Whether two lists hold the same things as often, in any order.
fn are_same<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    let mut rest: Vec<&T> = b.iter().collect();
    a.len() == b.len()
        && a.iter().all(|thing| match rest.iter().position(|&other| other == thing) {
            Some(at) => {
                rest.swap_remove(at);
                true
            }
            None => false,
        })
}

#[cfg(test)]
mod tests {
    use super::are_same;

    #[test]
    fn how_often_counts() {
        assert!(are_same(&[1, 2, 1], &[2, 1, 1]));
        assert!(!are_same(&[1, 1, 2], &[1, 2, 2]));
        assert!(!are_same(&[1], &[1, 1]));
    }
}
