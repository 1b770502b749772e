//! Who wins a sum, without its value: a search of moves with a table of bounded size.
//!
//! A position is a sum. Parts that are small are valued exactly and added up; what remains is searched as one sum, in
//! which a part and its negative cancel and sums that differ by symmetries are one. The search asks only whether the
//! player to move wins, looks at all moves before it follows one, and keeps what it finds in a table of fixed size.

mod bands;
mod glances;
mod key;
mod search;
mod shared;
mod sum;
mod table;
mod trials;
mod witnesses;

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use gb_rules::{DynGame, Key, Player, Sign};
use gb_value::loopy::Ending;
use gb_value::{Budget, Halt, OutcomeClass, Value};

use self::bands::Bands;
use self::glances::Glances;
pub(super) use self::key::key_of;
use self::key::{SumKey, ValueKeys};
use self::search::{Heat, Searcher};
pub(super) use self::shared::Busy;
use self::shared::Leave;
use self::table::WORDS;
pub(super) use self::table::{Handle, Wins};
use self::trials::Trials;
use self::witnesses::Witnesses;
use crate::alphabeta::{Growth, ReplacingTable};
use crate::question::{ExactValue, ThreatSearch, ThreatTable};
use crate::repeat::endings;
use crate::search::{SearchContext, TableFor, first_to_finish};

/// Which rules the search uses. They change the time it takes, never the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Parts of at most this size (see [`gb_rules::Heuristics::size`]) are valued exactly.
    pub valued_size: usize,
    /// How many nodes the exact value of one part may take in the beginning; later a share of what the search has taken so far:
    /// what is small can be hard to value, and easy to decide.
    pub first_valued_nodes: u64,
    /// How many nodes it may take at most.
    pub valued_nodes: u64,
    /// How many nodes the exact value of a larger part may take in the beginning (0: larger parts are not valued).
    pub tried_nodes: u64,
    /// Keep values side by side that are dear to add.
    pub side_by_side: bool,
    /// Use what inspection says (see [`gb_rules::Theorems::static_result`]).
    pub static_results: bool,
    /// Use what is known of the summands alone.
    pub summands: bool,
    /// Use what is known of the same parts with other values.
    pub witnesses: bool,
    /// Cut boards into bands, which hinders one player (see [`gb_rules::Theorems::bands`]).
    pub bands: bool,
}

impl Settings {
    /// All that helps.
    pub const USUAL: Settings = Settings {
        valued_size: 10,
        first_valued_nodes: 60,
        valued_nodes: 20_000,
        tried_nodes: 150,
        side_by_side: true,
        static_results: true,
        summands: true,
        witnesses: true,
        bands: true,
    };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::USUAL
    }
}

/// What is known of the value of a small part.
#[derive(Clone, Copy, Debug)]
enum PartValue {
    Known(Value),
    /// It was not found with so many nodes.
    NotWith(u64),
}

/// Words of an entry of the table of winners, where it is written down.
pub(crate) const ENTRY_WORDS: usize = WORDS;

/// What a search keeps for the next one with the same rules and the same store: who wins which sums.
pub struct Memory {
    wins: Wins,
    /// One for each thread that ever took part.
    locals: Vec<Mutex<Local>>,
    max_bytes: u64,
}

/// What a thread keeps for itself.
struct Local {
    /// The values of small parts, and which of them have none that is quickly found.
    facts: ReplacingTable<SumKey, PartValue>,
    /// Sums of two values, and which are dear to find.
    sums: ReplacingTable<SumKey, Option<Value>>,
    /// Means and temperatures, and who has none.
    heats: RefCell<ReplacingTable<SumKey, Option<Heat>>>,
    value_keys: ValueKeys,
    /// Who wins with which values.
    witnesses: Witnesses,
    bands: Bands,
    trials: Trials,
    glances: Glances,
    /// The last sum whose value was found although it was dear, by its boards and the value beside them.
    total: Option<(SumKey, Value)>,
    /// Nodes of all its searches.
    nodes: u64,
}

impl Local {
    fn new(max_bytes: u64) -> Local {
        let bits =
            |entry: usize| (max_bytes / entry as u64).clamp(1 << 10, 1 << 20).next_power_of_two().ilog2();
        let facts = bits(size_of::<Option<(SumKey, PartValue)>>());
        let sums = bits(size_of::<Option<(SumKey, Option<Value>)>>());
        let heats = bits(size_of::<Option<(SumKey, Option<Heat>)>>());
        Local {
            facts: ReplacingTable::new(10, facts, Growth::Written),
            sums: ReplacingTable::new(6, sums, Growth::Written),
            heats: RefCell::new(ReplacingTable::new(6, heats, Growth::Written)),
            value_keys: ValueKeys::default(),
            witnesses: Witnesses::new(max_bytes),
            bands: Bands::new(max_bytes),
            trials: Trials::default(),
            glances: Glances::default(),
            total: None,
            nodes: 0,
        }
    }

    fn bytes(&self) -> u64 {
        let tables = self.facts.bytes() + self.sums.bytes() + self.heats.borrow().bytes();
        tables + self.value_keys.bytes() + self.witnesses.bytes() + self.bands.bytes()
    }
}

impl Memory {
    /// A memory that never takes more than about `max_bytes`.
    pub fn new(max_bytes: u64) -> Memory {
        Memory { wins: Wins::new(max_bytes - max_bytes / 8), locals: vec![], max_bytes }
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let locals =
            self.locals.iter().map(|local| local.lock().unwrap_or_else(PoisonError::into_inner).bytes());
        self.wins.bytes() + locals.sum::<u64>()
    }

    /// All winners that are known, as entries that another memory understands.
    pub(crate) fn entries(&self, emit: &mut dyn FnMut([u64; ENTRY_WORDS])) {
        self.wins.entries(emit);
    }

    /// Takes such entries, as far as there is room.
    pub(crate) fn restorer(&mut self, budget: &Budget) -> impl FnMut([u64; ENTRY_WORDS]) {
        let mut wins = self.wins.handle();
        move |entry| wins.restore(entry, budget)
    }

    /// Makes place for so many threads.
    fn prepare(&mut self, threads: usize) {
        while self.locals.len() < threads {
            self.locals.push(Mutex::new(Local::new(self.max_bytes / 16)));
        }
    }
}

impl Default for Memory {
    /// A memory of at most 512 MB.
    fn default() -> Memory {
        Memory::new(512 << 20)
    }
}

/// A sum of boards of one game, some of them negated, and of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum<const N: usize> {
    /// The boards.
    pub boards: Vec<(Key<N>, Sign)>,
    /// Everything else.
    pub value: Value,
    /// What the rest is compared with, that is, subtracted from it; kept apart, since comparing is cheaper than adding.
    pub subtrahend: Value,
}

impl<const N: usize> Sum<N> {
    /// One board alone.
    pub fn of(board: Key<N>) -> Sum<N> {
        Sum { boards: vec![(board, Sign::Plus)], value: Value::ZERO, subtrahend: Value::ZERO }
    }
}

/// Who wins, for each player moving first, as far as the budget went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Winners {
    /// How play ends if Left begins, or why that is not known.
    pub left_first: Result<Ending, Halt>,
    /// How play ends if Right begins, or why that is not known.
    pub right_first: Result<Ending, Halt>,
    /// How many nodes were searched: sums, and what the values of their parts took.
    pub nodes: u64,
}

impl Winners {
    /// The outcome class, if both are known.
    pub fn outcome(&self) -> Result<OutcomeClass, Halt> {
        Ok(OutcomeClass::of(self.left_first?, self.right_first?))
    }

    /// How play ends if this player begins.
    pub fn ending(&self, first: Player) -> Result<Ending, Halt> {
        match first {
            Player::Left => self.left_first,
            Player::Right => self.right_first,
        }
    }
}

/// Finds who wins a sum, whoever begins. Where play can repeat, by retrograde analysis (see [`endings`]), with draws.
///
/// `values` and `memory` are kept between calls; both must have been used with the same rules and the same store only.
pub fn winners<const N: usize>(
    game: &dyn DynGame<N>,
    sum: &Sum<N>,
    settings: &Settings,
    values: &TableFor<N, ExactValue>,
    memory: &mut Memory,
    context: &SearchContext<'_>,
) -> Winners {
    let before = context.budget.nodes();
    let mut search = |first| {
        let (winner, _) = winner(game, sum, first, settings, values, memory, context);
        winner.map(Ending::won_by)
    };
    let left_first = search(Player::Left);
    // Where one search goes round in a circle, the other does too, mostly.
    let repeats = |ending| matches!(ending, Err(Halt::Repetition | Halt::Loopy));
    let right_first = if repeats(left_first) { left_first } else { search(Player::Right) };
    if repeats(left_first) || repeats(right_first) {
        let found = endings(game, sum, context);
        let known = |plain: Result<Ending, Halt>, found| if plain.is_ok() { plain } else { found };
        return Winners {
            left_first: known(left_first, found.left_first),
            right_first: known(right_first, found.right_first),
            nodes: context.budget.nodes() - before,
        };
    }
    Winners { left_first, right_first, nodes: context.budget.nodes() - before }
}

/// Finds who wins a sum if `first` begins, and says how many sums were searched.
///
/// `values` and `memory` are as in [`winners`].
pub fn winner<const N: usize>(
    game: &dyn DynGame<N>,
    sum: &Sum<N>,
    first: Player,
    settings: &Settings,
    values: &TableFor<N, ExactValue>,
    memory: &mut Memory,
    context: &SearchContext<'_>,
) -> (Result<Player, Halt>, u64) {
    if game.has_global_wins() {
        return winner_by_threats(game, sum, first, context);
    }
    // Of a whole board that is in an archive nothing is searched, however many parts it has.
    if let [(board, sign)] = sum.boards.as_slice()
        && sum.value == sum.subtrahend
        && let Some(wins) = values.wins(board, sum::as_whom(first, *sign))
    {
        return (Ok(if wins { first } else { first.opponent() }), 0);
    }
    memory.prepare(context.threads);
    let memory = &*memory;
    let (over, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
    let run = |id: usize, busy: Option<&Busy>| {
        let mut local = memory.locals[id].lock().unwrap_or_else(PoisonError::into_inner);
        let mut searcher = Searcher::new(game, settings, values, memory, &mut local, context, busy, &over);
        let wins = searcher.decide(sum, first, id == 0);
        let searched = searcher.nodes;
        drop(searcher);
        local.nodes += searched;
        nodes.fetch_add(searched, Relaxed);
        wins
    };
    let wins = match run(0, None) {
        Ok(wins) => Ok(wins),
        Err(Leave::Halted(stop)) => Err(stop),
        Err(_) => {
            let busy = Busy::new();
            first_to_finish(context.threads, &over, |id| match run(id, Some(&busy)) {
                Ok(wins) => Some(Ok(wins)),
                Err(Leave::Halted(stop)) => Some(Err(stop)),
                Err(_) => None,
            })
        }
    };
    (wins.map(|wins| if wins { first } else { first.opponent() }), nodes.into_inner())
}

/// Who wins a sum if `first` begins, if that is seen at once or was found before with the same memory: nothing is searched but the values of small parts.
///
/// # Errors
/// If the budget runs out.
pub fn known_winner<const N: usize>(
    game: &dyn DynGame<N>,
    sum: &Sum<N>,
    first: Player,
    settings: &Settings,
    values: &TableFor<N, ExactValue>,
    memory: &mut Memory,
    context: &SearchContext<'_>,
) -> Result<Option<Player>, Halt> {
    if game.has_global_wins() {
        return Ok(None);
    }
    memory.prepare(1);
    let (memory, over) = (&*memory, AtomicBool::new(false));
    let mut local = memory.locals[0].lock().unwrap_or_else(PoisonError::into_inner);
    let mut searcher = Searcher::new(game, settings, values, memory, &mut local, context, None, &over);
    let state = searcher.state(&sum.boards, sum.value, sum.subtrahend)?;
    Ok(searcher.known(&state, first)?.map(|wins| if wins { first } else { first.opponent() }))
}

/// Where a player can win everywhere, a part and its negative do not cancel and parts are not independent: the values with
/// their threats decide.
fn winner_by_threats<const N: usize>(
    game: &dyn DynGame<N>,
    sum: &Sum<N>,
    first: Player,
    context: &SearchContext<'_>,
) -> (Result<Player, Halt>, u64) {
    let (kernel, table) = (context.store.kernel(context.budget), ThreatTable::<N>::new());
    let mut search = ThreatSearch::new(game, &table, context);
    let mut loses = || {
        let mut total = kernel.sub(sum.value, sum.subtrahend)?;
        for (board, sign) in &sum.boards {
            let value = search.position(board)?.value;
            let value = if *sign == Sign::Plus { value } else { kernel.neg(value)? };
            total = kernel.add(total, value)?;
        }
        match first {
            Player::Left => kernel.le(total, Value::ZERO),
            Player::Right => kernel.le(Value::ZERO, total),
        }
    };
    let winner = loses().map(|loses| if loses { first.opponent() } else { first });
    (winner, search.nodes())
}
