//! Scores of whole boards on which kos decide, if it is said who is komaster.
//!
//! The rule is that of `ko`, for areas beside each other instead of coupons:
//!
//! - Where the komaster has taken a ko, the other may not take back, as long as both do nothing in that area but take kos.
//! - If the other then moves elsewhere, or passes, the komaster goes on in an area where something may not be taken back; or he answers in
//!   the area where the other has moved, which changes nothing. If he does something else, his threats are used up: from then on the other is
//!   komaster. (If the other has moved in the same area, the komaster may leave it, and only the ban is over.)
//! - If both pass, areas with kos count as they stand, and the rest is played to its end.
//!
//! So nobody has to do anything. A rule that only forbids to take kos cannot lead out of the bounds of `graph`: whoever wins although
//! play without end is bad for him takes no ko that can be taken back. And answers change nothing, so that a threat in another area
//! that is answered there is worth nothing, as canonical forms say.
//!
//! Areas without kos are known by their values, and their moves are the canonical ones. The areas with kos are searched
//! together. Positions that can come back (kos are not the only cycles) are valued by two fixpoints, one where play without end is bad
//! for Black and one where it is bad for White; nothing is told where these differ.

use gb_value::{PlayStop, Player, Value};
use rustc_hash::FxHashMap;

use crate::area::Area;
use crate::ko::Ground;
use crate::local::{LocalFailure, LocalSearch, Scoring};

/// More positions than this are not looked at.
const MOST_STATES: usize = 200_000;
/// After so many rounds through all positions nothing is told.
const ROUNDS: usize = 100;
/// Further than every score.
const FAR: i64 = 1 << 40;

/// What the player before has done, as far as the rule asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Last {
    /// A move, and it does not matter where.
    Moved,
    /// A move in one of the areas with kos.
    Here(usize),
    /// A move in an area without a ko, which is worth this now.
    There(Value),
    Passed,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    /// In the areas with kos.
    stones: [u64; 2],
    /// The number of the other areas' values, integers left out.
    rest: u32,
    mover: Player,
    master: Player,
    /// Where the one who is not komaster may not take back.
    bans: u64,
    last: Last,
}

/// An option: what it gains for Black, and where it leads to unless it is the end.
type Edge = (i64, Option<u32>);

struct Search<'a, 's> {
    ground: Ground<'a, 's>,
    /// The points of each area with a ko.
    groups: &'a [u64],
    rests: Vec<Vec<Value>>,
    rest_index: FxHashMap<Vec<Value>, u32>,
    stops: FxHashMap<(u32, Player), i64>,
    states: Vec<State>,
    index: FxHashMap<State, u32>,
    /// Of those states that were looked at.
    edges: Vec<Option<Vec<Edge>>>,
    /// Those after which states come that they lead to, as far as play does not come back.
    order: Vec<u32>,
}

/// `None` where something cannot be told.
type Told<T> = Result<Option<T>, LocalFailure>;

/// The scores with Black, with White as komaster, each if Black, if White begins, of an area that consists of some with kos, together
/// with other areas that have values. Relative to the stones that are there (see `LocalSearch`).
pub(crate) fn scores(
    search: &mut LocalSearch<'_>,
    area: &Area,
    groups: &[u64],
    values: &[Value],
    scoring: Scoring,
) -> Told<[[i64; 2]; 2]> {
    let (rests, rest_index, stops, states, index, edges, order) = Default::default();
    let ground = Ground::new(search, area, scoring);
    let mut search = Search { ground, groups, rests, rest_index, stops, states, index, edges, order };
    let Some((constant, rest)) = search.with_rest(values.to_vec()) else { return Ok(None) };
    let mut roots = [[0; 2]; 2];
    for master in Player::BOTH {
        for mover in Player::BOTH {
            let stones = Player::BOTH.map(|player| area.stones(player));
            let root = State { stones, rest, mover, master, bans: 0, last: Last::Moved };
            let root = search.number(root);
            roots[master as usize][mover as usize] = root;
            if search.explore(root)?.is_none() {
                return Ok(None);
            }
        }
    }
    let (Some(low), Some(high)) = (search.solve(-FAR), search.solve(FAR)) else { return Ok(None) };
    if roots.iter().flatten().any(|&root| low[root as usize] != high[root as usize]) {
        return Ok(None);
    }
    Ok(Some(roots.map(|both| both.map(|root| low[root as usize] + constant))))
}

impl Search<'_, '_> {
    /// The integers among some values, added up, and the number of the others; `None` if there is another number among them.
    fn with_rest(&mut self, values: Vec<Value>) -> Option<(i64, u32)> {
        let kernel = self.ground.search.kernel();
        let (mut constant, mut rest) = (0, vec![]);
        for value in values {
            match kernel.as_number(value) {
                Some(number) => constant += number.to_i64()?,
                None => rest.push(value),
            }
        }
        rest.sort_unstable();
        let next = self.rests.len() as u32;
        let number = *self.rest_index.entry(rest.clone()).or_insert(next);
        if number == next {
            self.rests.push(rest);
        }
        Some((constant, number))
    }

    fn number(&mut self, state: State) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.index.entry(state).or_insert(next);
        if number == next {
            self.states.push(state);
            self.edges.push(None);
        }
        number
    }

    /// Looks at everything that can be reached, depth first.
    fn explore(&mut self, root: u32) -> Told<()> {
        let mut line = vec![];
        if self.edges[root as usize].is_none() {
            line.push((root, 0));
        }
        while let Some((state, next)) = line.last_mut() {
            let number = *state as usize;
            if self.edges[number].is_none() {
                let Some(edges) = self.options(self.states[number])? else { return Ok(None) };
                self.edges[number] = Some(edges);
            }
            let edges = self.edges[number].as_deref().unwrap_or_default();
            match edges.get(*next) {
                None => {
                    self.order.push(*state);
                    line.pop();
                }
                Some((_, target)) => {
                    *next += 1;
                    if let Some(target) = target.filter(|&to| self.edges[to as usize].is_none()) {
                        line.push((target, 0));
                    }
                }
            }
        }
        Ok(Some(()))
    }

    /// What all states are worth, if what never ends is worth `endless`; `None` if that is not found out.
    fn solve(&self, endless: i64) -> Option<Vec<i64>> {
        let mut scores = vec![endless; self.states.len()];
        for _ in 0..ROUNDS {
            let mut has_changed = false;
            for &state in &self.order {
                let score = |&(gain, target): &Edge| match target.map(|to| scores[to as usize]) {
                    Some(score) if score.abs() >= FAR => score,
                    Some(score) => score + gain,
                    None => gain,
                };
                let all = self.edges[state as usize].iter().flatten().map(score);
                let is_black = self.states[state as usize].mover == Player::Left;
                let best = if is_black { all.max() } else { all.min() }?;
                has_changed |= scores[state as usize] != best;
                scores[state as usize] = best;
            }
            if !has_changed {
                return Some(scores);
            }
        }
        None
    }

    /// All that the mover can do: one may always pass.
    fn options(&mut self, state: State) -> Told<Vec<Edge>> {
        if self.states.len() > MOST_STATES {
            return Ok(None);
        }
        self.ground.search.count()?;
        let mut edges = vec![];
        let bans = if state.mover == state.master { 0 } else { state.bans };
        for mv in self.ground.moves(state.stones, state.mover, bans)? {
            let group = self.groups.iter().position(|points| points >> mv.point & 1 == 1);
            let Some(group) = group else { continue };
            let place = Last::Here(group);
            let (master, mut bans) = self.rights_after(state, place);
            match mv.ko {
                Some(point) if master == state.mover => bans |= 1 << point,
                Some(_) => {}
                None => bans &= !self.groups[group],
            }
            let next = State { stones: mv.stones, master, bans, ..state };
            edges.push((mv.gain, Some(self.turned(next, place))));
        }
        let kernel = self.ground.search.kernel();
        let values = self.rests[state.rest as usize].clone();
        for (place, &value) in values.iter().enumerate() {
            // Of areas with the same value, one is enough.
            if place > 0 && values[place - 1] == value {
                continue;
            }
            let (master, bans) = self.rights_after(state, Last::There(value));
            for option in kernel.options(value, state.mover) {
                let mut after = values.clone();
                after[place] = option;
                let Some((gain, rest)) = self.with_rest(after) else { return Ok(None) };
                let place = if kernel.is_number(option) { Last::Moved } else { Last::There(option) };
                edges.push((gain, Some(self.turned(State { rest, master, bans, ..state }, place))));
            }
        }
        edges.push(match state.last {
            Last::Passed => {
                let rest = self.stop(state.rest, state.mover.opponent())?;
                let Some(rest) = rest else { return Ok(None) };
                (self.ground.end(state.stones)?.0 + rest, None)
            }
            _ => {
                let (master, bans) = self.rights_after(state, Last::Passed);
                (0, Some(self.turned(State { master, bans, ..state }, Last::Passed)))
            }
        });
        Ok(Some(edges))
    }

    /// Who is komaster after a move, and what still may not be taken back, the move itself not looked at.
    fn rights_after(&self, state: State, place: Last) -> (Player, u64) {
        let State { mover, master, bans, last, .. } = state;
        if mover != master || bans == 0 {
            return (master, bans);
        }
        let is_answer = place == last && place != Last::Passed;
        let goes_on = matches!(place, Last::Here(group) if self.groups[group] & bans != 0);
        if is_answer || goes_on {
            return (master, bans);
        }
        // If the other was there as well, the komaster has not been left alone with his kos.
        match last {
            Last::Here(group) if bans & !self.groups[group] == 0 => (master, 0),
            _ => (master.opponent(), 0),
        }
    }

    /// The same with the other to move, who finds that the mover was at `place`.
    fn turned(&mut self, state: State, place: Last) -> u32 {
        let mover = state.mover.opponent();
        let asks = mover == state.master && state.bans != 0;
        let last = if asks || place == Last::Passed { place } else { Last::Moved };
        self.number(State { mover, last, ..state })
    }

    /// What the areas without kos count if they alone are left.
    fn stop(&mut self, rest: u32, first: Player) -> Told<i64> {
        if let Some(&known) = self.stops.get(&(rest, first)) {
            return Ok(Some(known));
        }
        let kernel = self.ground.search.kernel();
        let mut sum = Value::ZERO;
        for &value in &self.rests[rest as usize] {
            sum = kernel.add(sum, value)?;
        }
        let PlayStop::Number(stop) = kernel.play_stop(sum, first)? else { return Ok(None) };
        let Some(stop) = stop.to_i64() else { return Ok(None) };
        self.stops.insert((rest, first), stop);
        Ok(Some(stop))
    }
}
