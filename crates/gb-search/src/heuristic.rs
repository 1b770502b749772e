//! Heuristic local search: values of local games that are searched to a limited depth only.
//!
//! F. Maeser, thesis 2001, section 8.3. At the limit a position counts as its points so far and its estimate, and every
//! node above is the reduced canonical form of its options. The root has depth 0. The depth is that of the whole local
//! game, also where it has fallen apart by then: only so does depth 2 mean a move and an answer.

use std::collections::BinaryHeap;
use std::sync::Mutex;

use gb_rules::{Player, Position, with_game};
use gb_value::{Halt, Kernel, Value, deeper};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::pool::{ComponentId, ComponentIds, Pool};
use crate::question::Flaw;
use crate::question::reduced::{best_scores, compose, reduce};
use crate::score::ScoreError;
use crate::search::SearchContext;

/// What a search to some depth has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The value, as a reduced canonical form.
    pub value: Value,
    /// No estimate was used: searching deeper would find the same.
    pub exact: bool,
}

/// A memo of depth-limited values of the local games of one [`Pool`].
///
/// It never holds more entries than it was allowed: when it is full it starts again.
pub struct HeuristicSearch {
    memo: FxHashMap<ComponentIds, Entry>,
    max_entries: usize,
    settle: bool,
    nodes: u64,
}

/// The value for each depth below the shown position, until it is exact.
#[derive(Default)]
struct Entry {
    by_depth: SmallVec<[Option<Judged>; 4]>,
}

impl Entry {
    fn at(&self, depth: usize) -> Option<Judged> {
        let here = self.by_depth.get(depth).copied().flatten();
        here.or_else(|| self.by_depth.iter().take(depth).flatten().copied().find(|judged| judged.exact))
    }

    fn set(&mut self, depth: usize, judged: Judged) {
        if self.by_depth.len() <= depth {
            self.by_depth.resize(depth + 1, None);
        }
        self.by_depth[depth] = Some(judged);
    }
}

impl HeuristicSearch {
    /// An empty memo for this many positions.
    pub fn new(max_entries: usize) -> HeuristicSearch {
        HeuristicSearch {
            memo: FxHashMap::default(),
            max_entries: max_entries.max(1),
            settle: false,
            nodes: 0,
        }
    }

    /// Parts that can be searched to their end within the depth are, and are added to what the others come to. That is
    /// nearer to the truth than sharing the depth, in which an odd single cell looks like a move to come, but it is no
    /// longer what a depth means in the literature.
    #[must_use]
    pub fn settling_small_parts(mut self) -> HeuristicSearch {
        self.settle = true;
        self
    }

    /// Positions expanded so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a local game searched to a depth.
    pub fn local(
        &mut self,
        at: ComponentId,
        depth: u32,
        pool: &mut Pool<'_>,
        kernel: &Kernel<'_>,
    ) -> Result<Judged, ScoreError> {
        self.together(&[at], depth, pool, kernel)
    }

    /// The values of a player's options in a local game that is searched to a depth, points included, in the order of
    /// [`Pool::moves`].
    pub fn options(
        &mut self,
        at: ComponentId,
        who: Player,
        depth: u32,
        pool: &mut Pool<'_>,
        kernel: &Kernel<'_>,
    ) -> Result<Vec<Judged>, ScoreError> {
        let below = depth.checked_sub(1).ok_or(ScoreError::DepthZero)?;
        let mut options = vec![];
        for mv in pool.moves(at, who).iter() {
            let rest = self.together(&mv.to, below, pool, kernel)?;
            options.push(Judged { value: kernel.add(rest.value, kernel.number(&mv.points))?, ..rest });
        }
        Ok(options)
    }

    /// The value of local games side by side that are searched as one: the depth counts the moves in all of them.
    pub fn together(
        &mut self,
        components: &[ComponentId],
        depth: u32,
        pool: &mut Pool<'_>,
        kernel: &Kernel<'_>,
    ) -> Result<Judged, ScoreError> {
        if components.is_empty() {
            return Ok(Judged { value: Value::ZERO, exact: true });
        }
        let mut key = ComponentIds::from_slice(components);
        key.sort_unstable();
        if let Some(known) = self.memo.get(&key).and_then(|entry| entry.at(depth as usize)) {
            return Ok(known);
        }
        let judged = deeper(|| {
            let settled = if self.settle { self.settle(&key, depth, pool, kernel)? } else { None };
            settled.map_or_else(|| self.look_into(&key, depth, pool, kernel), Ok)
        })?;
        if self.memo.len() >= self.max_entries {
            self.memo.clear();
        }
        self.memo.entry(key).or_default().set(depth as usize, judged);
        Ok(judged)
    }

    /// The value of several local games by the exact values of those that have one at this depth, if any has.
    fn settle(
        &mut self,
        components: &ComponentIds,
        depth: u32,
        pool: &mut Pool<'_>,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Judged>, ScoreError> {
        if components.len() < 2 || depth == 0 {
            return Ok(None);
        }
        let (mut settled, mut rest) = (Value::ZERO, ComponentIds::new());
        for &local in components {
            let alone = self.local(local, depth, pool, kernel)?;
            if alone.exact {
                settled = kernel.add(settled, alone.value)?;
            } else {
                rest.push(local);
            }
        }
        if rest.len() == components.len() {
            return Ok(None);
        }
        let rest = self.together(&rest, depth, pool, kernel)?;
        let value = reduce(kernel.add(settled, rest.value)?, kernel)?;
        Ok(Some(Judged { value, exact: rest.exact }))
    }

    fn look_into(
        &mut self,
        components: &ComponentIds,
        depth: u32,
        pool: &mut Pool<'_>,
        kernel: &Kernel<'_>,
    ) -> Result<Judged, ScoreError> {
        kernel.step()?;
        self.nodes += 1;
        let Some(below) = depth.checked_sub(1) else {
            let mut guess = gb_value::Dyadic::ZERO;
            for &local in components {
                guess += &pool.estimate(local)?;
            }
            return Ok(Judged { value: kernel.number(&guess), exact: false });
        };
        let mut sides: [Vec<Value>; 2] = Default::default();
        let mut exact = true;
        for (i, &local) in components.iter().enumerate() {
            if i > 0 && components[i - 1] == local {
                continue;
            }
            for who in Player::BOTH {
                for mv in pool.moves(local, who).iter() {
                    let mut rest = components.clone();
                    rest.remove(i);
                    rest.extend_from_slice(&mv.to);
                    let rest = self.together(&rest, below, pool, kernel)?;
                    exact &= rest.exact;
                    sides[who as usize].push(kernel.add(rest.value, kernel.number(&mv.points))?);
                }
            }
        }
        for side in &mut sides {
            side.sort_unstable();
            side.dedup();
        }
        let [lefts, rights] = &sides;
        match compose(lefts, rights, kernel)? {
            Ok(value) => Ok(Judged { value, exact }),
            Err(flaw) => {
                let shown: Vec<String> = components.iter().map(|&local| pool.show(local)).collect();
                let position = shown.join(" + ");
                Err(match (flaw, best_scores(lefts, rights, kernel)?) {
                    (Flaw::Zugzwang, (Some(left), Some(right))) => {
                        ScoreError::Zugzwang { position, left, right }
                    }
                    (_, (left, _)) => {
                        let who = if left.is_some() { Player::Left } else { Player::Right };
                        ScoreError::OneSided { position, who }
                    }
                })
            }
        }
    }
}

/// The value of a whole position searched to a depth as one local game, even if it has several parts.
///
/// # Errors
/// If the game does not end in a score or has no estimate, if the depth is 0, at mutual zugzwang, and if the budget runs
/// out.
pub fn value_at_depth(
    position: &Position,
    depth: u32,
    context: &SearchContext<'_>,
) -> Result<Judged, ScoreError> {
    check(position, depth)?;
    let (mut pool, components) = Pool::of_board(position);
    let kernel = context.store.kernel(context.budget);
    HeuristicSearch::new(MEMO_OF_A_PART).together(&components, depth, &mut pool, &kernel)
}

/// Whether a game can be searched this way at all.
fn check(position: &Position, depth: u32) -> Result<(), ScoreError> {
    let name = || position.info().name;
    if depth == 0 {
        return Err(ScoreError::DepthZero);
    }
    if !position.ends_in_score() {
        return Err(ScoreError::NoScore { game: name() });
    }
    let estimate = with_game!(position.game(), game => game.estimate(&position.key().resized()));
    if estimate.is_none() {
        return Err(ScoreError::NoEstimate { game: name() });
    }
    Ok(())
}

/// What is known about a part of a position when the search ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deepened {
    /// The part as text.
    pub part: String,
    /// The value for each finished depth, from depth 1 on.
    pub by_depth: Vec<Judged>,
    /// Positions expanded.
    pub nodes: u64,
    /// Why it was not searched deeper, if not because the value is exact or the depth was reached.
    pub stopped: Option<ScoreError>,
}

impl Deepened {
    /// The result of the last finished depth.
    pub fn last(&self) -> Option<Judged> {
        self.by_depth.last().copied()
    }
}

/// How many positions the memo of one part may hold.
const MEMO_OF_A_PART: usize = 1 << 20;

/// A part that is searched deeper and deeper.
struct Process {
    index: usize,
    pool: Pool<'static>,
    search: HeuristicSearch,
    local: ComponentId,
    so_far: Deepened,
}

impl PartialEq for Process {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Process {}
impl PartialOrd for Process {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Process {
    /// The shallowest is served first, then in the order of the parts.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |process: &Process| (process.so_far.by_depth.len(), process.index);
        key(other).cmp(&key(self))
    }
}

/// Searches the parts of a position deeper and deeper, each independently of the others, until all values are exact,
/// `max_depth` is reached or the budget runs out.
///
/// `finished` is told of every depth that is finished, with the index of the part, so that the results so far can be had
/// at any moment; they are returned in the end, also where the search was stopped.
///
/// # Errors
/// If the game does not end in a score or has no estimate, or if the depth is 0.
pub fn deepen(
    position: &Position,
    max_depth: u32,
    context: &SearchContext<'_>,
    finished: &(dyn Fn(usize, u32, Judged) + Sync),
) -> Result<Vec<Deepened>, ScoreError> {
    check(position, max_depth)?;
    let parts = position.parts();
    let mut waiting = BinaryHeap::new();
    let mut done: Vec<Option<Deepened>> = vec![None; parts.len()];
    for (index, (part, _)) in parts.iter().enumerate() {
        let so_far = Deepened { part: part.show(), by_depth: vec![], nodes: 0, stopped: None };
        match Pool::of_board(part) {
            (pool, components) if components.len() == 1 => {
                let search = HeuristicSearch::new(MEMO_OF_A_PART);
                waiting.push(Process { index, pool, search, local: components[0], so_far });
            }
            // A part without moves.
            _ => {
                let by_depth = vec![Judged { value: Value::ZERO, exact: true }];
                done[index] = Some(Deepened { by_depth, ..so_far });
            }
        }
    }
    let shared = Mutex::new((waiting, done));
    let lock = || shared.lock().unwrap_or_else(|e| e.into_inner());
    let work = || {
        let kernel = context.store.kernel(context.budget);
        loop {
            // A part that another thread is busy with comes back later; whoever holds it goes on with it.
            let Some(mut process) = lock().0.pop() else { return };
            let depth = process.so_far.by_depth.len() as u32 + 1;
            let result = process.search.local(process.local, depth, &mut process.pool, &kernel);
            process.so_far.nodes = process.search.nodes();
            let over = match result {
                Ok(judged) => {
                    process.so_far.by_depth.push(judged);
                    finished(process.index, depth, judged);
                    judged.exact || depth == max_depth
                }
                Err(error) => {
                    process.so_far.stopped = Some(error);
                    true
                }
            };
            let mut shared = lock();
            if over {
                shared.1[process.index] = Some(process.so_far);
            } else {
                shared.0.push(process);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..context.threads.min(parts.len()) {
            scope.spawn(work);
        }
        work();
    });
    let (_, done) = shared.into_inner().unwrap_or_else(|e| e.into_inner());
    done.into_iter().map(|part| part.ok_or(ScoreError::Halt(Halt::Cancelled))).collect()
}
