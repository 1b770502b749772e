//! The nimbers of all heaps up to a size, found one after the other.

use std::sync::{Arc, Mutex, PoisonError};

use gb_value::{Halt, Kernel};

/// The nimbers of the heaps of a game, as far as somebody has asked. Copies share what they know.
#[derive(Clone, Debug, Default)]
pub(crate) struct NimSequence(Arc<Mutex<Known>>);

/// What is known does not tell sequences apart: they belong to rules, and those do.
impl PartialEq for NimSequence {
    fn eq(&self, _: &NimSequence) -> bool {
        true
    }
}

impl Eq for NimSequence {}

#[derive(Debug, Default)]
struct Known {
    nimbers: Vec<u16>,
    /// The last heap that has an option with this nimber.
    last_seen: Vec<u32>,
    /// From this heap on the nimbers repeat after so many.
    period: Option<(usize, usize)>,
    /// A period is looked for when there are so many nimbers.
    next_look: usize,
}

/// Where the nimbers of the options of one heap are marked.
pub(crate) struct Seen<'a> {
    last_seen: &'a mut Vec<u32>,
    stamp: u32,
    count: usize,
}

impl Seen<'_> {
    #[inline]
    pub(crate) fn mark(&mut self, nimber: u16) {
        let nimber = usize::from(nimber);
        if nimber >= self.last_seen.len() {
            self.last_seen.resize(nimber + 1, 0);
        }
        self.last_seen[nimber] = self.stamp;
        self.count += 1;
    }
}

/// So many options are looked at before the others may look at the sequence, and the budget is asked: less than a millisecond.
const OPTIONS_AT_ONCE: usize = 500_000;
/// So many options are a unit of work.
const OPTIONS_OF_A_UNIT: usize = 1_000;
/// Where a period is looked for first.
const FIRST_LOOK: usize = 128;

impl NimSequence {
    /// The nimber of a heap. `options` tells what a heap can become: it is given the nimbers of all smaller heaps and marks
    /// that of every option. Where heaps are split in two and no more than `longest_take` tokens are
    /// taken, periods are found and proven; otherwise that is `None`.
    ///
    /// # Errors
    /// If the budget runs out.
    pub(crate) fn nimber(
        &self,
        size: u32,
        longest_take: Option<usize>,
        kernel: &Kernel<'_>,
        options: impl Fn(&[u16], &mut Seen<'_>),
    ) -> Result<u32, Halt> {
        let size = size as usize;
        loop {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(nimber) = known.recall(size) {
                return Ok(nimber.into());
            }
            let mut done = 0;
            while done < OPTIONS_AT_ONCE && known.recall(size).is_none() {
                done += known.extend(&options);
                if let Some(longest_take) = longest_take {
                    known.look_for_period(longest_take);
                }
            }
            drop(known);
            kernel.work((done / OPTIONS_OF_A_UNIT) as u32 + 1)?;
        }
    }
}

impl Known {
    fn recall(&self, size: usize) -> Option<u16> {
        match self.period {
            Some((from, period)) if size >= from => Some(self.nimbers[from + (size - from) % period]),
            _ => self.nimbers.get(size).copied(),
        }
    }

    /// Finds the next nimber, by the mex rule. How many options there were.
    fn extend(&mut self, options: &impl Fn(&[u16], &mut Seen<'_>)) -> usize {
        let Known { nimbers, last_seen, .. } = self;
        let stamp = nimbers.len() as u32 + 1;
        let mut seen = Seen { last_seen, stamp, count: 1 };
        options(nimbers, &mut seen);
        let count = seen.count;
        let mex = last_seen.iter().position(|seen| *seen != stamp).unwrap_or(last_seen.len());
        nimbers.push(mex as u16);
        count
    }

    /// The nimbers repeat after `p` from the heap `f` on if they do so for all heaps below `2 f + p + t`, where no more than `t`
    /// tokens are taken: what a heap `n + p` beyond that becomes has at least `2 f + 2 p` tokens, so one of the two heaps has at least
    /// `f + p`, and less `p` it has the same nimber and is left by the same move from `n`; and the other way round. (Guy and Smith, The
    /// G-values of various games, 1956.)
    fn look_for_period(&mut self, longest_take: usize) {
        let count = self.nimbers.len();
        if self.period.is_some() || count < self.next_look.max(FIRST_LOOK) {
            return;
        }
        self.next_look = count + count / 4;
        // How far the sequence, read from its end, agrees with itself when it is shifted (the Z function).
        let from_end = |i: usize| self.nimbers[count - 1 - i];
        let mut agrees = vec![0; count];
        let (mut left, mut right) = (0, 0);
        for shift in 1..count {
            let mut same: usize = if shift < right { agrees[shift - left].min(right - shift) } else { 0 };
            while shift + same < count && from_end(same) == from_end(shift + same) {
                same += 1;
            }
            agrees[shift] = same;
            if shift + same > right {
                (left, right) = (shift, shift + same);
            }
        }
        let proven = |&period: &usize| {
            let from = count - period - agrees[period];
            count >= 2 * from + 2 * period + longest_take
        };
        self.period = (1..count).find(proven).map(|period| (count - period - agrees[period], period));
    }
}

#[cfg(test)]
mod tests {
    use gb_value::{Budget, Store};

    use crate::games::octal::Octal;
    use gb_rules::Theorems;

    /// Every heap by the mex rule alone, from the definition of the code.
    fn by_mex(code: &str, most: usize) -> Vec<u32> {
        let digits: Vec<u32> = code.chars().filter_map(|c| c.to_digit(8)).collect();
        let mut nimbers: Vec<u32> = vec![];
        for heap in 0..=most {
            let mut seen = vec![false; 1024];
            for (take, digit) in digits.iter().enumerate().take(heap + 1) {
                let left = heap - take;
                for first in 0..=left {
                    let heaps = usize::from(first > 0) + usize::from(left - first > 0);
                    if (take > 0 || heaps == 2) && digit >> heaps & 1 != 0 {
                        seen[(nimbers[first] ^ nimbers[left - first]) as usize] = true;
                    }
                }
            }
            nimbers.push(seen.iter().position(|seen| !seen).unwrap() as u32);
        }
        nimbers
    }

    #[test]
    fn sequences_and_their_periods_are_those_of_the_mex_rule() {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let mut periods = 0;
        for code in (0..512u32).map(|code| format!("{}.{:03o}", 4 * (code / 7 % 2), code)) {
            let Some(octal) = Octal::new(&code) else { panic!("{code}") };
            let expected = by_mex(&code, 700);
            // The last first: so all others are there, or a period says them.
            for heap in (0..=700).rev() {
                let found = octal.known(&[heap].into_iter().collect(), &kernel).unwrap();
                assert_eq!(found, Some(kernel.nimber(expected[heap as usize])), "{code}: {heap}");
            }
            periods += usize::from(octal.nimbers.0.lock().unwrap().period.is_some());
        }
        assert!(periods > 300, "{periods} sequences have a proven period");
    }

    #[test]
    fn published_periods() {
        // Winning Ways, chapter 4: Kayles and Dawson's Kayles.
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        for (code, period) in [("0.77", 12), ("0.07", 34)] {
            let octal = Octal::new(code).unwrap();
            octal.known(&[60_000].into_iter().collect(), &kernel).unwrap();
            assert_eq!(
                octal.nimbers.0.lock().unwrap().period.map(|(_, period)| period),
                Some(period),
                "{code}"
            );
        }
    }
}
