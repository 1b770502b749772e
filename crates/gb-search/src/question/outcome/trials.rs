//! Which large parts are worth a try to value them: by what earlier tries have cost, and not by their size alone.

use super::Settings;

/// All tries together may take this share of the nodes of the search.
const SHARE: u64 = 32;
/// A single one may take this share.
const SHARE_OF_ONE: u64 = 128;
/// All values together may take so many nodes from the beginning. With 300, four rows of dominoes that topple took four times as many nodes; with 2000, Fission,
/// Konane and NoGo took 5 % more.
const FIRST: u64 = 600;
/// Beyond that, this share of the nodes of the search,
const SHARE_OF_VALUES: u64 = 4;
/// and so many nodes whenever one of them was of use.
const WORTH: u64 = 2;
/// Of these, so many may be in vain from the beginning,
const FIRST_IN_VAIN: u64 = 200;
/// and this share of the nodes of the search and of the times when a value was of use.
const SHARE_IN_VAIN: u64 = 2;
/// Two values are added if that takes no more than so many nodes; otherwise they stay side by side.
const NODES_OF_SUM: u64 = 16;
/// So few where many sums were not found with more. Always with so few, Blockbusting takes twenty times as long; always with more, rows of dominoes that topple
/// take twice as long.
const FEWEST_NODES_OF_SUM: u64 = 2;
/// So many nodes of sums may be in vain from the beginning, and beyond that as many as the search takes,
const FIRST_SUMS_IN_VAIN: u64 = 4000;
/// and so many for each sum that was found.
const WORTH_OF_SUM: u64 = 8;
/// So many tries are free.
const FREE: u64 = 8;

/// What tries to value large parts have brought. A row of thirty dominoes that topple is valued in no time, a board of
/// thirty cells of another game never is: only trying tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trials {
    /// Parts of this size and larger ones are hopeless.
    hopeless: usize,
    /// The largest size of a part that was valued.
    pub(super) largest: usize,
    /// Nodes that all tries have taken.
    spent: u64,
    /// Nodes that all values have taken, those of small parts included.
    spent_in_all: u64,
    /// Nodes after which a value was not found.
    in_vain: u64,
    /// How often a value was of use that had been found before.
    uses: u64,
    /// Nodes after which a sum of two values was not found.
    sums_in_vain: u64,
    /// Sums that were found.
    sums: u64,
}

impl Default for Trials {
    fn default() -> Trials {
        Trials {
            hopeless: usize::MAX,
            largest: 0,
            spent: 0,
            spent_in_all: 0,
            in_vain: 0,
            uses: 0,
            sums_in_vain: 0,
            sums: 0,
        }
    }
}

impl Trials {
    /// Whether a part of this size is to be valued, when the search has taken so many nodes.
    #[inline]
    pub(super) fn is_worth_it(&self, size: usize, nodes: u64, settings: &Settings) -> bool {
        size < self.hopeless
            && self.spent <= settings.tried_nodes * FREE + nodes / SHARE
            && settings.tried_nodes > 0
    }

    /// How many nodes the next try may take.
    pub(super) fn nodes(&self, nodes: u64, settings: &Settings) -> u64 {
        (nodes / SHARE_OF_ONE).clamp(settings.tried_nodes, settings.valued_nodes.max(settings.tried_nodes))
    }

    /// Whether values have taken too much already, by what they have brought. Where boards hardly fall apart, the value of a part is never
    /// asked for again, and plain search is faster: Konane 2.5 times, Fission 1.5 times. Rows of Toads and Frogs come back all the time.
    pub(super) fn is_too_much(&self, nodes: u64) -> bool {
        self.spent_in_all > FIRST + nodes / SHARE_OF_VALUES + WORTH * self.uses
            || self.in_vain > FIRST_IN_VAIN + (nodes + self.uses) / SHARE_IN_VAIN
    }

    /// How many nodes the sum of two values may take, when the search has taken so many nodes.
    pub(super) fn nodes_of_sum(&self, nodes: u64) -> u64 {
        let too_much = self.sums_in_vain > FIRST_SUMS_IN_VAIN + nodes + WORTH_OF_SUM * self.sums;
        if too_much { FEWEST_NODES_OF_SUM } else { NODES_OF_SUM }
    }

    /// Notes what the sum of two values has taken, and whether it was found.
    pub(super) fn add(&mut self, nodes: u64, found: bool) {
        if found {
            self.sums += 1;
        } else {
            self.sums_in_vain += nodes;
        }
    }

    /// Notes what the value of a part has taken, and whether it was found.
    pub(super) fn spend(&mut self, nodes: u64, found: bool) {
        self.spent_in_all += nodes;
        if !found {
            self.in_vain += nodes;
        }
    }

    /// Notes that the value of a part of this size was found by other means: smaller ones are known now, too.
    pub(super) fn is_valued(&mut self, size: usize) {
        self.largest = self.largest.max(size);
        self.hopeless = self.hopeless.max(size + 1);
    }

    /// Notes that a value was of use that had been found before.
    #[inline]
    pub(super) fn use_again(&mut self) {
        self.uses += 1;
    }

    /// What a try has taken, of so many nodes that were allowed, and whether it succeeded.
    pub(super) fn note(&mut self, size: usize, taken: u64, allowed: u64, found: bool) {
        self.spent += taken;
        if found {
            self.largest = self.largest.max(size);
        }
        if !found {
            self.hopeless = self.hopeless.min(size - size / 4);
        } else if taken * 4 < allowed && self.hopeless != usize::MAX {
            self.hopeless = self.hopeless.max(size + 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_make_it_modest_and_successes_bold() {
        let settings = Settings::default();
        let mut trials = Trials::default();
        assert!(trials.is_worth_it(1000, 0, &settings));
        trials.note(40, 150, 150, false);
        assert!(!trials.is_worth_it(30, 0, &settings) && trials.is_worth_it(29, 0, &settings));
        trials.note(29, 10, 150, true);
        assert!(trials.is_worth_it(30, 0, &settings) && !trials.is_worth_it(31, 0, &settings));
        trials.note(29, 100_000, 150, true);
        assert!(!trials.is_worth_it(20, 0, &settings) && trials.is_worth_it(20, 10_000_000, &settings));
        assert!(!Trials::default().is_worth_it(1, 0, &Settings { tried_nodes: 0, ..settings }));
    }

    #[test]
    fn values_that_are_used_may_cost_more() {
        let mut trials = Trials::default();
        trials.spend(600, true);
        assert!(!trials.is_too_much(0));
        trials.spend(100, true);
        assert!(trials.is_too_much(100) && !trials.is_too_much(400));
        (0..50).for_each(|_| trials.use_again());
        assert!(!trials.is_too_much(0));
        trials.spend(300, false);
        assert!(trials.is_too_much(100) && !trials.is_too_much(2000));
    }
}
