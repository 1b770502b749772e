//! The nimbers of all heaps up to a size, found one after the other.
//!
//! Where heaps may be split, a heap of n tokens has about n/2 options for each number of tokens that may be taken, so that a sequence of a
//! million would take hours by the mex rule. *Sparse spaces* (Berlekamp, Conway and Guy, Winning Ways, chapter 4) help: let a nimber be *rare*
//! if it has an even number of bits in common with a mask, and *common* otherwise. The sum of two common nimbers is rare, that of a rare
//! and a common one is common. So all common options of a heap have a rare heap in them, and a sequence with a good mask has few of those:
//! the least common nimber that no option has is found by looking at them alone. It is the nimber of the heap if options have all
//! rare nimbers below it, and these turn up after a few of the other options. This is exact whatever the mask is; a good mask makes it fast.

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

/// What the heaps of a game can become.
pub(crate) trait HeapOptions {
    /// Marks the nimber of every single heap that the next one can become, given the nimbers of all smaller heaps.
    fn mark_single(&self, smaller: &[u32], seen: &mut Seen);
    /// How many tokens may be taken if two heaps are left.
    fn splitting_takes(&self) -> impl Iterator<Item = usize>;
    /// The most tokens that may be taken.
    fn longest_take(&self) -> usize;
}

/// What is looked up in a sequence.
#[derive(Debug, Default)]
struct Known {
    nimbers: Vec<u32>,
    /// The greatest of them.
    most: u32,
    /// Rare nimbers have an even number of bits in common with it; 0 as long as there is no good one.
    mask: u32,
    /// The heaps with rare nimbers, but not that of nothing; none as long as there is no mask.
    rare: Vec<u32>,
    /// A better mask is looked for when there are so many nimbers.
    next_mask: usize,
    seen: Seen,
    /// From this heap on the nimbers repeat after so many.
    period: Option<(usize, usize)>,
    /// A period is looked for when there are so many nimbers.
    next_look: usize,
}

/// Where the nimbers of the options of one heap are marked.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The last heap that has an option with this nimber.
    last: Vec<u32>,
    stamp: u32,
    count: usize,
}

impl Seen {
    #[inline]
    pub(crate) fn mark(&mut self, nimber: u32) {
        let at = nimber as usize;
        if at >= self.last.len() {
            self.last.resize(at + 1, 0);
        }
        self.last[at] = self.stamp;
        self.count += 1;
    }

    /// Marks sums of two nimbers that are both at most `most`.
    fn mark_all(&mut self, nimbers: impl Iterator<Item = u32>, most: u32) {
        let bound = (most as usize + 1).next_power_of_two();
        if self.last.len() < bound {
            self.last.resize(bound, 0);
        }
        let (last, stamp) = (&mut self.last[..bound], self.stamp);
        for nimber in nimbers {
            last[nimber as usize] = stamp;
            self.count += 1;
        }
    }

    fn has(&self, nimber: u32) -> bool {
        self.last.get(nimber as usize) == Some(&self.stamp)
    }

    /// The least nimber of a kind that is not marked.
    fn least_without(&self, is_of_kind: impl Fn(u32) -> bool) -> u32 {
        (0..).find(|&nimber| is_of_kind(nimber) && !self.has(nimber)).unwrap_or(u32::MAX)
    }
}

/// So many options are looked at before the others may look at the sequence, and the budget is asked: less than a millisecond.
const OPTIONS_AT_ONCE: usize = 500_000;
/// So many options are a unit of work.
const OPTIONS_OF_A_UNIT: usize = 1_000;
/// Where a period is looked for first.
const FIRST_LOOK: usize = 128;
/// Where a mask is looked for first.
const FIRST_MASK: usize = 256;
/// A mask pays if fewer than one heap in so many is rare: the nimber of a rare heap takes all options, twice as dear as by the mex rule.
const RARE_IN: i64 = 12;

impl NimSequence {
    /// The nimber of a heap.
    ///
    /// # Errors
    /// If the budget runs out.
    pub(crate) fn nimber(
        &self,
        size: u32,
        kernel: &Kernel<'_>,
        options: &impl HeapOptions,
    ) -> Result<u32, Halt> {
        let size = size as usize;
        loop {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(nimber) = known.recall(size) {
                return Ok(nimber);
            }
            let mut done = 0;
            while done < OPTIONS_AT_ONCE && known.recall(size).is_none() {
                done += known.extend(options);
                known.look_for_mask();
                known.look_for_period(options.longest_take());
            }
            drop(known);
            kernel.work((done / OPTIONS_OF_A_UNIT) as u32 + 1)?;
        }
    }
}

fn is_rare(nimber: u32, mask: u32) -> bool {
    (nimber & mask).count_ones().is_multiple_of(2)
}

impl Known {
    fn recall(&self, size: usize) -> Option<u32> {
        match self.period {
            Some((from, period)) if size >= from => Some(self.nimbers[from + (size - from) % period]),
            _ => self.nimbers.get(size).copied(),
        }
    }

    /// Finds the next nimber: the least that no option has. How much was looked at.
    fn extend(&mut self, options: &impl HeapOptions) -> usize {
        let Known { nimbers, most, mask, rare, seen, .. } = self;
        let (size, mask) = (nimbers.len(), *mask);
        (seen.stamp, seen.count) = (size as u32 + 1, 1);
        options.mark_single(nimbers, seen);
        // What is left besides the tokens taken, and can be split.
        let lefts =
            || options.splitting_takes().filter_map(|take| size.checked_sub(take)).filter(|left| *left > 1);
        // The pairs 1 and left - 1, 2 and left - 2, and so on to the middle.
        let pairs = |left: usize| {
            let (low, high) = (&nimbers[1..=left / 2], &nimbers[left - left / 2..left]);
            low.iter().zip(high.iter().rev()).map(|(a, b)| a ^ b)
        };
        let nimber = if mask == 0 {
            lefts().for_each(|left| seen.mark_all(pairs(left), *most));
            seen.least_without(|_| true)
        } else {
            for left in lefts() {
                let rare = rare.iter().take_while(|heap| (**heap as usize) < left);
                seen.mark_all(
                    rare.map(|&heap| nimbers[heap as usize] ^ nimbers[left - heap as usize]),
                    *most,
                );
            }
            let common = seen.least_without(|nimber| !is_rare(nimber, mask));
            let mut wanted = (0..common).filter(|&nimber| is_rare(nimber, mask) && !seen.has(nimber)).count();
            'all: for left in lefts() {
                for nimber in pairs(left) {
                    if wanted == 0 {
                        break 'all;
                    }
                    seen.count += 1;
                    // Common options are marked already, so this one is rare.
                    if nimber < common && !seen.has(nimber) {
                        seen.mark(nimber);
                        wanted -= 1;
                    }
                }
            }
            if wanted == 0 { common } else { seen.least_without(|_| true) }
        };
        if size > 0 && mask != 0 && is_rare(nimber, mask) {
            rare.push(size as u32);
        }
        nimbers.push(nimber);
        *most = nimber.max(*most);
        seen.count
    }

    /// Looks for the mask that makes the fewest heaps rare. How many have an even number of bits in common with each mask follows from the
    /// Walsh transform of how often each nimber occurs.
    fn look_for_mask(&mut self) {
        let count = self.nimbers.len();
        if count < self.next_mask.max(FIRST_MASK) {
            return;
        }
        self.next_mask = 2 * count;
        let mut spectrum = vec![0i64; (self.most as usize + 1).next_power_of_two()];
        self.nimbers.iter().for_each(|&nimber| spectrum[nimber as usize] += 1);
        let mut half = 1;
        while half < spectrum.len() {
            for block in spectrum.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (a, b) in low.iter_mut().zip(high) {
                    (*a, *b) = (*a + *b, *a - *b);
                }
            }
            half *= 2;
        }
        let mask = (0..spectrum.len()).min_by_key(|&mask| spectrum[mask]).unwrap_or(0);
        let rare = (count as i64 + spectrum[mask]) / 2;
        self.mask = if rare * RARE_IN < count as i64 { mask as u32 } else { 0 };
        self.rare.clear();
        if self.mask != 0 {
            let rare = (1..count as u32).filter(|&size| is_rare(self.nimbers[size as usize], self.mask));
            self.rare.extend(rare);
        }
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
    fn sparse_spaces_give_the_nimbers_of_the_mex_rule() {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        // Codes without a known period: chosen as those for which the sequence goes on growing.
        let mut masks = 0;
        for code in ["0.007", "0.6", "0.06", "4.16", "0.16", "0.165", "0.376"] {
            let octal = Octal::new(code).unwrap();
            let expected = by_mex(code, 2_500);
            for heap in (0..=2_500).rev() {
                let found = octal.known(&[heap].into_iter().collect(), &kernel).unwrap();
                assert_eq!(found, Some(kernel.nimber(expected[heap as usize])), "{code}: {heap}");
            }
            let known = octal.nimbers.0.lock().unwrap();
            masks += usize::from(known.mask != 0);
        }
        assert!(masks > 1, "{masks} masks");
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
