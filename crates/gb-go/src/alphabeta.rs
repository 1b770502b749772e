//! Plain alpha-beta search of several areas at once: what decomposition search is compared with (M. Mueller, Decomposition
//! search, 1999, section 5.1).
//!
//! It is given the same knowledge: settled parts are constants, and the same moves are left out. It may pass, and it has a
//! transposition table. It does not know that the areas are independent.

use gb_search::alphabeta::{Best, Bound, Growth, ReplacingTable, best_of};
use gb_value::{Kernel, Player};
use rustc_hash::FxHashMap;

use crate::area::Area;
use crate::local::{LocalFailure, LocalSearch, Pruning, Scoring};

/// One position of one area.
struct Place {
    /// Points for Black in settled parts.
    constant: i32,
    /// For Black and for White: the position after a move, and the prisoners it makes, positive for Black.
    moves: [Vec<(u32, i32)>; 2],
}

/// All positions of several areas, to be searched together.
pub struct WholeBoard {
    areas: Vec<Vec<Place>>,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solved {
    /// Points for Black with best play.
    pub score: i64,
    /// Positions visited, leaves included.
    pub nodes: u64,
}

#[derive(Clone, Copy)]
struct Entry {
    value: i32,
    bound: Bound,
    best: u16,
}

/// More nodes are needed than there may be.
struct OutOfNodes;

struct Search<'a> {
    board: &'a WholeBoard,
    table: ReplacingTable<u64, Entry>,
    nodes: u64,
    limit: u64,
    places: Vec<u32>,
}

/// A number that depends on an area and its position, evenly spread (the finaliser of SplitMix64).
fn scramble(area: usize, place: u32) -> u64 {
    let mut x = ((area as u64) << 32 | place as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

impl WholeBoard {
    /// Finds all positions of the areas; neutral points count nothing. `None` if an area can repeat.
    ///
    /// # Errors
    /// If it cannot be found out what is settled.
    pub fn new(
        kernel: &Kernel<'_>,
        areas: &[Area],
        pruning: Pruning,
    ) -> Result<Option<WholeBoard>, LocalFailure> {
        let mut search = LocalSearch::new(kernel, Scoring::TerritoryNeutralZero, pruning);
        let mut all = vec![];
        for area in areas {
            let places = explore(&mut search, area)?;
            if !is_acyclic(&places) {
                return Ok(None);
            }
            all.push(places);
        }
        Ok(Some(WholeBoard { areas: all }))
    }

    /// The score if `first` begins, or `None` if more than `limit` nodes are needed. The table has `table` entries.
    pub fn solve(&self, first: Player, limit: u64, table: usize) -> Option<Solved> {
        let bits = table.next_power_of_two().ilog2();
        let table = ReplacingTable::new(bits, bits, Growth::Written);
        let mut search = Search { board: self, table, nodes: 0, limit, places: vec![0; self.areas.len()] };
        let key = (0..self.areas.len()).fold(0, |key, area| key ^ scramble(area, 0));
        let score = i64::from(search.best(first, false, -10_000, 10_000, key).ok()?);
        Some(Solved { score: if first == Player::Left { score } else { -score }, nodes: search.nodes })
    }
}

/// All positions that can be reached in an area, the first one first.
fn explore(search: &mut LocalSearch<'_>, area: &Area) -> Result<Vec<Place>, LocalFailure> {
    let mut known: FxHashMap<Area, u32> = FxHashMap::from_iter([(area.clone(), 0)]);
    let (mut order, mut places) = (vec![area.clone()], vec![]);
    while let Some(position) = order.get(places.len()).cloned() {
        let (constant, mut moves) = (search.settled_points(&position)?.0 as i32, [vec![], vec![]]);
        for player in Player::BOTH {
            let sign = if player == Player::Left { 1 } else { -1 };
            for point in search.open_moves(&position, player)? {
                let Some((after, captured)) = position.play(player, point) else { continue };
                let index = *known.entry(after.clone()).or_insert_with(|| {
                    order.push(after);
                    order.len() as u32 - 1
                });
                moves[player as usize].push((index, sign * captured as i32));
            }
        }
        places.push(Place { constant, moves });
    }
    Ok(places)
}

/// Whether no position comes up twice in a line of play: positions without predecessors are taken away until none is left.
fn is_acyclic(places: &[Place]) -> bool {
    let mut before = vec![0u32; places.len()];
    let next = |place: usize| places[place].moves.iter().flatten().map(|&(to, _)| to as usize);
    (0..places.len()).flat_map(next).for_each(|to| before[to] += 1);
    let mut open: Vec<usize> = (0..places.len()).filter(|&i| before[i] == 0).collect();
    let mut taken = 0;
    while let Some(place) = open.pop() {
        taken += 1;
        for to in next(place) {
            before[to] -= 1;
            if before[to] == 0 {
                open.push(to);
            }
        }
    }
    taken == places.len()
}

impl Search<'_> {
    fn place(&self, area: usize) -> &Place {
        &self.board.areas[area][self.places[area] as usize]
    }

    /// What the player to move gains from here on, seen from his side.
    fn best(
        &mut self,
        player: Player,
        passed: bool,
        alpha: i32,
        beta: i32,
        key: u64,
    ) -> Result<i32, OutOfNodes> {
        self.nodes += 1;
        if self.nodes > self.limit {
            return Err(OutOfNodes);
        }
        let sign = if player == Player::Left { 1 } else { -1 };
        let constants = |search: &Self| -> i32 {
            sign * (0..search.places.len()).map(|area| search.place(area).constant).sum::<i32>()
        };
        let is_open = |search: &Self| {
            (0..search.places.len()).any(|a| search.place(a).moves.iter().any(|moves| !moves.is_empty()))
        };
        if !is_open(self) {
            return Ok(constants(self));
        }
        let state = key ^ [0x5851_F42D_4C95_7F2D, 0x1405_7B7E_F767_814F][player as usize];
        let state = if passed { state.rotate_left(17) } else { state };
        let known = self.table.get(state).copied();
        if let Some(Entry { value, .. }) = known.filter(|e| e.bound.settles(&e.value, &alpha, &beta)) {
            return Ok(value);
        }
        let mut moves: Vec<(usize, u32, i32)> = vec![];
        for area in 0..self.places.len() {
            let options = &self.place(area).moves[player as usize];
            moves.extend(options.iter().map(|&(to, points)| (area, to, points)));
        }
        let pass = moves.len();
        let first = known.map(|entry| usize::from(entry.best));
        let order: Vec<usize> = first.into_iter().chain((0..=pass).filter(|&i| Some(i) != first)).collect();
        let best = best_of(&order, &alpha, &beta, |_, &index, &alpha| {
            Ok(match moves.get(index) {
                Some(&(area, to, points)) => {
                    let from = std::mem::replace(&mut self.places[area], to);
                    let next = key ^ scramble(area, from) ^ scramble(area, to);
                    let gain = sign * points;
                    let score = self.best(player.opponent(), false, gain - beta, gain - alpha, next);
                    self.places[area] = from;
                    gain - score?
                }
                None if passed => constants(self),
                None => -self.best(player.opponent(), true, -beta, -alpha, key)?,
            })
        })?;
        // There is always the pass.
        let Some(Best { score, index, bound }) = best else { return Ok(constants(self)) };
        self.table.set(state, Entry { value: score, bound, best: order[index] as u16 });
        Ok(score)
    }
}
