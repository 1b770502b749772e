//! Comparing positions with values by searching who wins the difference: `G <= v` if and only if Left loses `G - v`
//! moving first. Far fewer positions are seen than `G` has, and no value of `G` is needed.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use gb_game::{Player, Rules, Sign};
use gb_value::{Outcome, Stop, Value};

use super::{ExactValue, within};
use crate::question::outcome::{Memory, Settings, Sum, Winners, winner};
use crate::search::{Bench, TableFor};

/// Fewer comparisons than this are not worth another thread.
const FEW: usize = 4;
/// The share of the memory limit that one thread's table of winners may take: the rest is for values.
const SHARE_OF_BYTES: u64 = 8;
const MOST_BYTES: u64 = 256 << 20;

/// Parts whose values are not known, and a value for everything else.
pub(super) struct Unvalued<B> {
    pub(super) value: Value,
    pub(super) parts: Vec<(B, Sign)>,
}

/// Compares positions with values.
pub(super) struct Rivals<'a, R: Rules> {
    rules: &'a R,
    values: &'a TableFor<R, ExactValue>,
    settings: Settings,
    /// One for each thread.
    memories: Vec<Memory>,
}

impl<'a, R: Rules> Rivals<'a, R> {
    /// Parts of at most `valued_size` are valued on the way.
    pub(super) fn new(
        rules: &'a R,
        values: &'a TableFor<R, ExactValue>,
        valued_size: usize,
        bench: &Bench<'_>,
    ) -> Self {
        let bytes = (bench.budget.max_bytes() / SHARE_OF_BYTES).min(MOST_BYTES);
        Rivals {
            rules,
            values,
            settings: Settings { valued_size, ..Settings::default() },
            memories: (0..bench.threads).map(|_| Memory::new(bytes)).collect(),
        }
    }

    /// Who wins `at` minus `rival`: `P` if they are equal.
    pub(super) fn compare(
        &mut self,
        at: &R::Board,
        rival: Value,
        bench: &Bench<'_>,
    ) -> Result<Outcome, Stop> {
        let sum = Sum { rival, ..Sum::of(at.clone()) };
        let Rivals { rules, values, settings, memories } = self;
        let find =
            |first, memory: &mut Memory| winner(*rules, &sum, first, settings, values, memory, bench).0;
        let [left_first, right_first] = match memories.as_mut_slice() {
            [one, other, ..] => std::thread::scope(|scope| {
                let left_first = scope.spawn(|| find(Player::Left, one));
                let right_first = find(Player::Right, other);
                [left_first.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), right_first]
            }),
            memories => Player::BOTH.map(|first| find(first, &mut memories[0])),
        };
        Winners { left_first, right_first, nodes: 0 }.outcome()
    }

    /// Which of these options of `who` are no better than one of the rivals, as far as `nodes` nodes for each
    /// comparison tell; and how many comparisons that took.
    pub(super) fn refuted(
        &mut self,
        who: Player,
        options: &[Unvalued<R::Board>],
        rivals: &[Value],
        nodes: u64,
        bench: &Bench<'_>,
    ) -> Result<(Vec<bool>, u64), Stop> {
        let Rivals { rules, values, settings, memories } = self;
        let is_refuted = |option: &Unvalued<R::Board>, memory: &mut Memory, tests: &mut u64| {
            for &rival in rivals {
                *tests += 1;
                let sum = Sum { boards: option.parts.clone(), value: option.value, rival };
                let winner = within(bench.budget.part(nodes), bench, |bench| {
                    winner(*rules, &sum, who, settings, values, memory, bench).0
                })?;
                if winner == Some(who.opponent()) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let next = AtomicUsize::new(0);
        let work = |memory: &mut Memory| {
            let (mut found, mut tests) = (vec![], 0);
            while let Some((at, option)) = {
                let at = next.fetch_add(1, Relaxed);
                options.get(at).map(|option| (at, option))
            } {
                if is_refuted(option, memory, &mut tests)? {
                    found.push(at);
                }
            }
            Ok((found, tests))
        };
        let threads = if options.len() < FEW { 1 } else { memories.len() };
        let (first, others) = memories[..threads].split_at_mut(1);
        let shares: Vec<Result<(Vec<usize>, u64), Stop>> = std::thread::scope(|scope| {
            let others: Vec<_> = others.iter_mut().map(|memory| scope.spawn(|| work(memory))).collect();
            let mut shares = vec![work(&mut first[0])];
            let join = |share: std::thread::ScopedJoinHandle<'_, _>| {
                share.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            shares.extend(others.into_iter().map(join));
            shares
        });
        let (mut refuted, mut tests) = (vec![false; options.len()], 0);
        for share in shares {
            let (found, tested) = share?;
            tests += tested;
            found.into_iter().for_each(|at| refuted[at] = true);
        }
        Ok((refuted, tests))
    }
}
