//! Comparing positions with values by searching who wins the difference: `G <= v` if and only if Left loses `G - v`
//! moving first. Far fewer positions are seen than `G` has, and no value of `G` is needed.

use std::sync::{Mutex, PoisonError};

use gb_rules::{DynGame, Key, Player, Sign};
use gb_value::{Halt, Outcome, Value};

use super::{ExactValue, within};
use crate::question::outcome::{Memory, Settings, Sum, winner};
use crate::search::{SearchContext, TableFor};

/// The share of the memory limit that one thread's table of winners may take: the rest is for values.
const SHARE_OF_BYTES: u64 = 8;
const MOST_BYTES: u64 = 256 << 20;

/// Parts whose values are not known, and a value for everything else.
pub(super) struct Unvalued<const N: usize> {
    pub(super) value: Value,
    pub(super) parts: Vec<(Key<N>, Sign)>,
}

/// Compares positions with values, on several threads at once if need be.
pub(super) struct Comparer<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    values: &'a TableFor<N, ExactValue>,
    settings: Settings,
    /// Tables of winners that no thread is using.
    memories: Mutex<Vec<Memory>>,
    max_bytes: u64,
}

impl<'a, const N: usize> Comparer<'a, N> {
    /// Parts of at most `valued_size` are valued on the way.
    pub(super) fn new(
        game: &'a dyn DynGame<N>,
        values: &'a TableFor<N, ExactValue>,
        valued_size: usize,
        context: &SearchContext<'_>,
    ) -> Self {
        // Values that a comparison finds are those that the next one needs.
        let usual = Settings::default();
        let settings = Settings {
            valued_size,
            first_valued_nodes: usual.valued_nodes,
            tried_nodes: 0,
            side_by_side: false,
            // They save a quarter of the nodes of Domineering 6x6, and no time.
            bands: false,
            ..usual
        };
        let max_bytes = (context.budget.max_bytes() / SHARE_OF_BYTES).min(MOST_BYTES);
        Comparer { game, values, settings, memories: Mutex::default(), max_bytes }
    }

    /// Who wins `at` minus `subtrahend`: `P` if they are equal.
    pub(super) fn compare(
        &self,
        at: &Key<N>,
        subtrahend: Value,
        context: &SearchContext<'_>,
    ) -> Result<Outcome, Halt> {
        let sum = Sum { subtrahend, ..Sum::of(*at) };
        let [left_first, right_first] = if context.threads > 1 {
            std::thread::scope(|scope| {
                let left_first = scope.spawn(|| self.winner(&sum, Player::Left, context));
                let right_first = self.winner(&sum, Player::Right, context);
                [left_first.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), right_first]
            })
        } else {
            Player::BOTH.map(|first| self.winner(&sum, first, context))
        };
        Ok(match (left_first?, right_first?) {
            (Player::Left, Player::Left) => Outcome::L,
            (Player::Right, Player::Right) => Outcome::R,
            (Player::Left, Player::Right) => Outcome::N,
            (Player::Right, Player::Left) => Outcome::P,
        })
    }

    /// Whether an option of `who` is no better than the subtrahend, as far as so many nodes tell.
    pub(super) fn refutes(
        &self,
        subtrahend: Value,
        option: &Unvalued<N>,
        who: Player,
        nodes: u64,
        context: &SearchContext<'_>,
    ) -> Result<bool, Halt> {
        let sum = Sum { boards: option.parts.clone(), value: option.value, subtrahend };
        let winner = within(context.budget.part(nodes), context, |context| self.winner(&sum, who, context))?;
        Ok(winner == Some(who.opponent()))
    }

    fn winner(&self, sum: &Sum<N>, first: Player, context: &SearchContext<'_>) -> Result<Player, Halt> {
        let memories = context.comparisons.unwrap_or(&self.memories);
        let memories = || memories.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = memories().pop();
        // Threads have searches of their own here.
        let context = &SearchContext::new(context.store, context.budget);
        let mut memory = memory.unwrap_or_else(|| Memory::new(self.max_bytes));
        let (winner, _) = winner(self.game, sum, first, &self.settings, self.values, &mut memory, context);
        memories().push(memory);
        winner
    }
}
