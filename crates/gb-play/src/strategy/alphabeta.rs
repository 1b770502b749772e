//! Alpha-beta search of all local games together, with iterative deepening, a hash table and ordered moves.
//!
//! A position is worth what is still to be earned, so that lines which reach the same local games meet in the hash table
//! whatever the score. Values are from the mover's side (negamax).

use gb_board::sort_by;
use gb_search::ScoreError;
use gb_search::alphabeta::{Best, Bound, Growth, ReplacingTable, TableKey, best_of};
use gb_search::pool::{ComponentId, Pool};
use gb_value::{Dyadic, Halt, Player, deeper};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Decision, Strategy, StrategyContext, StrategyError, Sure, gain};
use crate::sum::Sum;
use gb_search::sum::SumMove;

/// What a search knows about positions besides their moves.
pub(crate) trait Guide {
    /// Whether the search is for games like these.
    fn check(&self, _: &Pool<'_>) -> Result<(), StrategyError> {
        Ok(())
    }

    /// Bounds for the mover and a guess between them, where something is known. Bounds that rest on estimates are no
    /// proofs.
    fn inspect(
        &mut self,
        components: &[ComponentId],
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Option<Inspected>, StrategyError>;

    /// How promising a move is: greater ones are searched first.
    fn order_score(
        &mut self,
        local: ComponentId,
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
pub(crate) struct Plain;

impl Guide for Plain {
    fn inspect(
        &mut self,
        _: &[ComponentId],
        _: Player,
        _: &mut StrategyContext<'_, '_>,
    ) -> Result<Option<Inspected>, StrategyError> {
        Ok(None)
    }

    fn order_score(
        &mut self,
        local: ComponentId,
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

/// A value, or more or less than any: the ends of a window.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Least,
    At(Dyadic),
    Most,
}

impl End {
    /// The same for the opponent after a move that gains so much.
    fn after(&self, gain: &Dyadic) -> End {
        match self {
            End::Least => End::Most,
            End::At(value) => End::At(gain - value),
            End::Most => End::Least,
        }
    }
}

/// Between these values the mover's result is of interest.
#[derive(Clone)]
struct Window {
    low: End,
    high: End,
}

impl Window {
    const OPEN: Window = Window { low: End::Least, high: End::Most };

    /// What is of interest to the opponent after a move that gains so much.
    fn after(&self, gain: &Dyadic) -> Window {
        Window { low: self.high.after(gain), high: self.low.after(gain) }
    }
}

/// What a position is known by in the table.
#[derive(Clone, Copy, PartialEq, Eq)]
struct SumKey(u128);

impl TableKey for SumKey {
    fn place(self, bits: u32) -> usize {
        (self.0 >> 64) as usize & ((1 << bits) - 1)
    }
}

struct Entry {
    depth: u32,
    bound: Bound,
    found: Found,
    best: (ComponentId, usize),
}

type Position = SmallVec<[ComponentId; 32]>;

/// A move with how promising it is.
struct Candidate {
    order_score: Dyadic,
    at: usize,
    index: usize,
}

/// The table has so many places at first, as a power of two.
const BITS_AT_FIRST: u32 = 10;

/// Searches the whole sum.
pub(crate) struct Search<G> {
    depth: u32,
    table: ReplacingTable<SumKey, Entry>,
    estimates: FxHashMap<ComponentId, Dyadic>,
    guide: G,
    nodes: u64,
}

impl<G: Guide> Strategy for Search<G> {
    /// Deeper and deeper, until the depth is reached, nothing is left to find, or the budget runs out.
    fn choose(
        &mut self,
        sum: &Sum,
        who: Player,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<Decision, StrategyError> {
        self.guide.check(context.pool)?;
        let position: Position = sum.components.iter().copied().collect();
        let mut best: Option<Decision> = None;
        for depth in 1..=self.depth {
            let (found, mv) = match self.visit(&position, who, depth, Window::OPEN, true, context) {
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
                sum.components.iter().position(|&l| l == local).ok_or(StrategyError::NoMove { who })?;
            let sure = if found.sure { Sure::Best } else { Sure::Depth(depth) };
            best = Some(Decision { at: SumMove { component, index }, sure });
            if found.sure {
                break;
            }
        }
        best.ok_or(StrategyError::NoMove { who })
    }

    fn nodes(&self) -> u64 {
        self.nodes + self.guide.nodes()
    }
}

impl<G: Guide> Search<G> {
    pub(crate) fn new(depth: u32, entries: usize, guide: G) -> Search<G> {
        let max_bits = (entries.max(2) / 2 + 1).next_power_of_two().ilog2();
        let table = ReplacingTable::new(BITS_AT_FIRST, max_bits, Growth::Filled);
        Search { depth, table, estimates: FxHashMap::default(), guide, nodes: 0 }
    }

    fn key(position: &[ComponentId], who: Player) -> SumKey {
        let seed = if who == Player::Left { 0 } else { 1 << 100 };
        SumKey(position.iter().fold(seed, |key: u128, local| key.wrapping_add(mix(local))))
    }

    /// The value of a position for the mover, and the best move if one was looked for.
    fn visit(
        &mut self,
        position: &Position,
        who: Player,
        depth: u32,
        window: Window,
        at_root: bool,
        context: &mut StrategyContext<'_, '_>,
    ) -> Result<(Found, Option<(ComponentId, usize)>), StrategyError> {
        self.count(context)?;
        let key = Self::key(position, who);
        let mut hint = None;
        if let Some(entry) = self.table.get(key) {
            hint = Some(entry.best);
            let value = End::At(entry.found.value.clone());
            if (entry.depth >= depth || entry.found.sure)
                && entry.bound.settles(&value, &window.low, &window.high)
            {
                return Ok((entry.found.clone(), hint));
            }
        }
        // At the root a move is needed, whatever is known.
        if !at_root && let Some(known) = self.guide.inspect(position, who, context)? {
            let settled = if known.low == known.high || End::At(known.low.clone()) >= window.high {
                Some(known.low)
            } else if End::At(known.high.clone()) <= window.low {
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
        sort_by(&mut candidates, |a, b| {
            b.order_score.cmp(&a.order_score).then((a.at, a.index).cmp(&(b.at, b.index)))
        });
        if let Some((local, index)) = hint
            && let Some(first) = candidates.iter().position(|c| position[c.at] == local && c.index == index)
        {
            candidates[..=first].rotate_right(1);
        }
        let mut sure = true;
        let best = best_of(&candidates, &window.low, &window.high, |_, candidate, low| {
            let mv = &context.pool.moves(position[candidate.at], who)[candidate.index];
            let gain = gain(&mv.points, who);
            let mut next = position.clone();
            next.remove(candidate.at);
            next.extend_from_slice(&mv.to);
            let found = if depth > 1 {
                let window = Window { low: low.clone(), high: window.high.clone() };
                self.deeper(&next, who.opponent(), depth - 1, window.after(&gain), context)?
            } else {
                self.leaf(&next, who.opponent(), context)?
            };
            sure &= found.sure;
            Ok::<End, StrategyError>(End::At(gain - found.value))
        })?;
        let Some(Best { score: End::At(value), index, bound }) = best else {
            return Err(StrategyError::NoMove { who });
        };
        let (found, best) =
            (Found { value, sure }, (position[candidates[index].at], candidates[index].index));
        self.table.set(key, Entry { depth, bound, found: found.clone(), best });
        Ok((found, Some(best)))
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

    fn estimate(&mut self, local: ComponentId, pool: &mut Pool<'_>) -> Result<Dyadic, StrategyError> {
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
fn mix(local: &ComponentId) -> u128 {
    let half = |seed: u64| {
        let mut x = u64::from(local.number()).wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    u128::from(half(1)) << 64 | u128::from(half(1 << 40))
}
