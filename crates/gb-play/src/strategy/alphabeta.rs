//! Alpha-beta search of all local games together, with iterative deepening, a hash table and ordered moves.
//!
//! A position is worth what is still to be earned, so that lines which reach the same local games meet in the hash table
//! whatever the score. Values are from the mover's side (negamax).

use gb_search::ScoreError;
use gb_search::pool::{Local, Pool};
use gb_value::{Dyadic, Halt, Player, deeper};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Decision, Strategy, StrategyContext, StrategyError, Sure, gain};
use crate::sum::Sum;
use gb_search::sum::SumMove;

/// Searches the whole sum.
pub struct AlphaBeta {
    search: Search<Plain>,
}

impl AlphaBeta {
    pub(crate) fn new(depth: u32, entries: usize) -> AlphaBeta {
        AlphaBeta { search: Search::new(depth, entries, Plain) }
    }
}

impl Strategy for AlphaBeta {
    fn choose(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Decision, StrategyError> {
        self.search.choose(sum, who, context)
    }

    fn nodes(&self) -> u64 {
        self.search.nodes
    }
}

/// What a search knows about positions besides their moves.
pub(crate) trait Guide {
    /// Bounds for the mover and a guess between them, where something is known. Bounds that rest on estimates are no
    /// proofs.
    fn inspect(
        &mut self,
        locals: &[Local],
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Option<Inspected>, StrategyError>;

    /// How promising a move is: greater ones are searched first.
    fn order_score(
        &mut self,
        local: Local,
        index: usize,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Dyadic, StrategyError>;

    /// Positions looked at on the side.
    fn nodes(&self) -> u64 {
        0
    }
}

/// What is known about a position without searching the sum.
pub(crate) struct Inspected {
    pub(crate) low: Dyadic,
    pub(crate) high: Dyadic,
    pub(crate) guess: Dyadic,
    pub(crate) sure: bool,
}

/// Knows nothing: the estimates of the game at the end of the search, and most points first.
struct Plain;

impl Guide for Plain {
    fn inspect(
        &mut self,
        _: &[Local],
        _: Player,
        _: &mut StrategyContext<'_, '_>,
    ) -> Result<Option<Inspected>, StrategyError> {
        Ok(None)
    }

    fn order_score(
        &mut self,
        local: Local,
        index: usize,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Dyadic, StrategyError> {
        Ok(gain(&context.pool.moves(local, who)[index].points, who))
    }
}

/// What a search has found about a position.
#[derive(Clone)]
struct Found {
    value: Dyadic,
    /// No estimate was used.
    sure: bool,
}

/// Between these values the mover's result is of interest; `None` is infinite.
#[derive(Clone, Default)]
struct Window {
    low: Option<Dyadic>,
    high: Option<Dyadic>,
}

impl Window {
    /// What is of interest to the opponent after a move that gains so much.
    fn after(&self, gain: &Dyadic) -> Window {
        let flip = |bound: &Option<Dyadic>| bound.as_ref().map(|x| gain - x);
        Window { low: flip(&self.high), high: flip(&self.low) }
    }
    fn is_cut_by(&self, value: &Dyadic) -> bool {
        self.high.as_ref().is_some_and(|high| value >= high)
    }
    fn is_below(&self, value: &Dyadic) -> bool {
        self.low.as_ref().is_some_and(|low| value <= low)
    }
    fn raise(&mut self, value: &Dyadic) {
        if self.low.as_ref().is_none_or(|low| value > low) {
            self.low = Some(value.clone());
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

struct Entry {
    key: u128,
    depth: u32,
    bound: Bound,
    found: Found,
    best: Option<(Local, usize)>,
}

type Position = SmallVec<[Local; 32]>;

/// A move with how promising it is.
struct Candidate {
    order_score: Dyadic,
    at: usize,
    index: usize,
}

const SLOTS_AT_FIRST: usize = 1 << 10;

pub(crate) struct Search<G> {
    depth: u32,
    table: Vec<Option<Entry>>,
    filled: usize,
    max_entries: usize,
    estimates: FxHashMap<Local, Dyadic>,
    pub(crate) guide: G,
    pub(crate) nodes: u64,
}

impl<G: Guide> Search<G> {
    pub(crate) fn new(depth: u32, entries: usize, guide: G) -> Search<G> {
        let max_entries = (entries.max(2) / 2 + 1).next_power_of_two();
        let mut table = vec![];
        table.resize_with(max_entries.min(SLOTS_AT_FIRST), || None);
        Search { depth, table, filled: 0, max_entries, estimates: FxHashMap::default(), guide, nodes: 0 }
    }

    /// Makes room as the table fills up, so that small games do not pay for a large table.
    fn grow(&mut self) {
        self.filled = 0;
        let old = std::mem::take(&mut self.table);
        self.table.resize_with((old.len() * 4).min(self.max_entries), || None);
        for entry in old.into_iter().flatten() {
            let place = self.place(entry.key);
            self.filled += usize::from(self.table[place].is_none());
            self.table[place] = Some(entry);
        }
    }

    fn place(&self, key: u128) -> usize {
        (key >> 64) as usize & (self.table.len() - 1)
    }

    /// Deeper and deeper, until the depth is reached, nothing is left to find, or the budget runs out.
    pub(crate) fn choose(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Decision, StrategyError> {
        let position: Position = sum.locals.iter().copied().collect();
        let mut best: Option<Decision> = None;
        for depth in 1..=self.depth {
            let (found, mv) = match self.visit(&position, who, depth, Window::default(), true, context) {
                Ok(result) => result,
                Err(StrategyError::Score(ScoreError::Halt(Halt::Time | Halt::Nodes | Halt::Cancelled)))
                    if best.is_some() =>
                {
                    break;
                }
                Err(error) => return Err(error),
            };
            let (local, index) = mv.ok_or(StrategyError::NoMove { who })?;
            let component =
                sum.locals.iter().position(|&l| l == local).ok_or(StrategyError::NoMove { who })?;
            let sure = if found.sure { Sure::Best } else { Sure::Depth(depth) };
            best = Some(Decision { at: SumMove { component, index }, sure });
            if found.sure {
                break;
            }
        }
        best.ok_or(StrategyError::NoMove { who })
    }

    /// What a position is known by in the table.
    fn key(position: &[Local], who: Player) -> u128 {
        let seed = if who == Player::Left { 0 } else { 1 << 100 };
        position.iter().fold(seed, |key: u128, local| key.wrapping_add(mix(local)))
    }

    /// The value of a position for the mover, and the best move if one was looked for.
    fn visit(
        &mut self,
        position: &Position,
        who: Player,
        depth: u32,
        mut window: Window,
        at_root: bool,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<(Found, Option<(Local, usize)>), StrategyError> {
        self.count(context)?;
        let key = Self::key(position, who);
        let mut hint = None;
        if let Some(entry) = self.table[self.place(key)].as_ref().filter(|entry| entry.key == key) {
            hint = entry.best;
            if entry.depth >= depth || entry.found.sure {
                let enough = match entry.bound {
                    Bound::Exact => true,
                    Bound::AtLeast => window.is_cut_by(&entry.found.value),
                    Bound::AtMost => window.is_below(&entry.found.value),
                };
                if enough {
                    return Ok((entry.found.clone(), hint));
                }
            }
        }
        // At the root a move is needed, whatever is known.
        if !at_root && let Some(known) = self.guide.inspect(position, who, context)? {
            let settled = if known.low == known.high || window.is_cut_by(&known.low) {
                Some(known.low)
            } else if window.is_below(&known.high) {
                Some(known.high)
            } else {
                None
            };
            if let Some(value) = settled {
                return Ok((Found { value, sure: known.sure }, hint));
            }
        }
        let mut candidates = self.candidates(position, who, context)?;
        if candidates.is_empty() {
            return Ok((self.without_moves(position, who, depth, &window, context)?, None));
        }
        candidates
            .sort_by(|a, b| b.order_score.cmp(&a.order_score).then((a.at, a.index).cmp(&(b.at, b.index))));
        if let Some((local, index)) = hint
            && let Some(first) = candidates.iter().position(|c| position[c.at] == local && c.index == index)
        {
            candidates[..=first].rotate_right(1);
        }
        let low = window.low.clone();
        let mut best: Option<(Dyadic, (Local, usize))> = None;
        let mut sure = true;
        for candidate in &candidates {
            let local = position[candidate.at];
            let mv = &context.pool.moves(local, who)[candidate.index];
            let gain = gain(&mv.points, who);
            let mut next = position.clone();
            next.remove(candidate.at);
            next.extend_from_slice(&mv.to);
            let found = if depth > 1 {
                self.deeper(&next, who.opponent(), depth - 1, window.after(&gain), context)?
            } else {
                self.leaf(&next, who.opponent(), context)?
            };
            sure &= found.sure;
            let value = gain - found.value;
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                window.raise(&value);
                let cut = window.is_cut_by(&value);
                best = Some((value, (local, candidate.index)));
                if cut {
                    break;
                }
            }
        }
        let (value, mv) = best.ok_or(StrategyError::NoMove { who })?;
        let bound = if window.is_cut_by(&value) {
            Bound::AtLeast
        } else if low.is_some_and(|low| value <= low) {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        let found = Found { value, sure };
        // The newest entry wins its place: iterative deepening has just made its deepest one.
        if self.filled * 2 >= self.table.len() && self.table.len() < self.max_entries {
            self.grow();
        }
        let place = self.place(key);
        self.filled += usize::from(self.table[place].is_none());
        self.table[place] = Some(Entry { key, depth, bound, found: found.clone(), best: Some(mv) });
        Ok((found, Some(mv)))
    }

    fn deeper(
        &mut self,
        position: &Position,
        who: Player,
        depth: u32,
        window: Window,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Found, StrategyError> {
        deeper(|| self.visit(position, who, depth, window, false, context)).map(|(found, _)| found)
    }

    fn count(&mut self, context: &StrategyContext<'_, '_>) -> Result<(), StrategyError> {
        self.nodes += 1;
        Ok(context.kernel.step()?)
    }

    fn candidates(
        &mut self,
        position: &Position,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Vec<Candidate>, StrategyError> {
        let mut candidates = vec![];
        for (at, &local) in position.iter().enumerate() {
            if position[..at].contains(&local) {
                continue;
            }
            for index in 0..context.pool.moves(local, who).len() {
                let order_score = self.guide.order_score(local, index, who, context)?;
                candidates.push(Candidate { order_score, at, index });
            }
        }
        Ok(candidates)
    }

    /// Nobody can move, or the mover has to pass, or has lost.
    fn without_moves(
        &mut self,
        position: &Position,
        who: Player,
        depth: u32,
        window: &Window,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Found, StrategyError> {
        if !context.pool.ends_in_score() {
            return Ok(Found { value: Dyadic::integer(-1), sure: true });
        }
        let opponent = who.opponent();
        if position.iter().all(|&local| context.pool.moves(local, opponent).is_empty()) {
            return Ok(Found { value: Dyadic::ZERO, sure: true });
        }
        let found = self.deeper(position, opponent, depth, window.after(&Dyadic::ZERO), context)?;
        Ok(Found { value: -found.value, ..found })
    }

    /// The guess at a position that is not looked into.
    fn leaf(
        &mut self,
        position: &Position,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Found, StrategyError> {
        self.count(context)?;
        if position.is_empty() && context.pool.ends_in_score() {
            return Ok(Found { value: Dyadic::ZERO, sure: true });
        }
        if let Some(known) = self.guide.inspect(position, who, context)? {
            return Ok(Found { value: known.guess, sure: known.sure && known.low == known.high });
        }
        let mut guess = Dyadic::ZERO;
        for &local in position {
            guess += &self.estimate(local, context.pool)?;
        }
        Ok(Found { value: gain(&guess, who), sure: false })
    }

    fn estimate(&mut self, local: Local, pool: &mut Pool<'_>) -> Result<Dyadic, StrategyError> {
        if !pool.ends_in_score() {
            // Won or lost, nobody knows.
            return Ok(Dyadic::ZERO);
        }
        if let Some(known) = self.estimates.get(&local) {
            return Ok(known.clone());
        }
        let guess = pool.estimate(local)?;
        self.estimates.insert(local, guess.clone());
        Ok(guess)
    }
}

/// A number without pattern for each local game (splitmix, Steele, Lea and Flood 2014, twice): sums of these tell
/// positions apart, whatever the order of the local games.
fn mix(local: &Local) -> u128 {
    let half = |seed: u64| {
        let mut x = u64::from(local.number()).wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    u128::from(half(1)) << 64 | u128::from(half(1 << 40))
}
