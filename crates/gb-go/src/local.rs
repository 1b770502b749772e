//! Local combinatorial game search: from an area to its exact value (M. Mueller, Decomposition search, IJCAI 1999,
//! sections 3.3 and 4.2).

use gb_value::{Halt, Kernel, Player, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::area::{Area, Key, bits};
use crate::graph::{Bounds, Graph};
use crate::memory::Memory;
use crate::proof::{self, PROOF_LIMIT, Proof};

/// How points are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scoring {
    /// Territory and prisoners; a neutral point is `*`, because somebody fills it.
    #[default]
    Territory,
    /// Territory and prisoners; neutral points count nothing.
    TerritoryNeutralZero,
    /// Stones and territory.
    Area,
}

impl Scoring {
    /// All of them.
    pub const ALL: [Scoring; 3] = [Scoring::Territory, Scoring::TerritoryNeutralZero, Scoring::Area];

    /// As options and files call it.
    pub fn name(self) -> &'static str {
        match self {
            Scoring::Territory => "territory",
            Scoring::TerritoryNeutralZero => "dame-zero",
            Scoring::Area => "area",
        }
    }

    /// What a stone is worth to the one who places it.
    fn per_stone(self) -> i64 {
        if self == Scoring::Area { 1 } else { 0 }
    }
}

/// Which moves may be left out. All rules are exact: they never change a value.
///
/// Under area scoring, a stone in one's own area costs nothing, so that a player who has everything can still gain a tempo,
/// which changes a value by an infinitesimal. Hence the first two are not applied there, and the last one always is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pruning {
    /// A move that settles the whole area for the mover makes his others needless.
    pub control: bool,
    /// In an empty area entered at one point, that point is the only move for both.
    pub entrance: bool,
    /// Of moves that lead to the same areas up to symmetry, one is enough.
    pub duplicates: bool,
    /// What has become one player's for good is a number, and nobody moves in it. Without this rule it stays part of the
    /// position as long as something else is open: its owner may fill it, and the opponent may intrude.
    pub settled: bool,
}

impl Pruning {
    /// Every rule.
    pub const ALL: Pruning = Pruning { control: true, entrance: true, duplicates: true, settled: true };
    /// No rule.
    pub const NONE: Pruning = Pruning { control: false, entrance: false, duplicates: false, settled: false };
}

/// Why an area has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocalFailure {
    /// More points than the search may take on.
    TooLarge {
        /// The number of points.
        points: usize,
        /// The limit of empty points.
        limit: usize,
    },
    /// It could not be found out whose the area, or a part of it, is.
    Unproven,
    /// A ko decides: the value is between these.
    Ko {
        /// What it is worth at least: if repetition is bad for Black.
        lower: Value,
        /// What it is worth at most: if repetition is bad for White.
        upper: Value,
    },
    /// The budget ran out, or a value grew too large.
    Stopped(Halt),
}

impl From<Halt> for LocalFailure {
    fn from(stop: Halt) -> Self {
        LocalFailure::Stopped(stop)
    }
}

/// One move in an area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalMove {
    /// The point in the area.
    pub point: usize,
    /// What the area is worth afterwards, prisoners included.
    pub to: Result<Value, LocalFailure>,
}

/// What a settled area is worth, positive for Black.
pub(crate) fn points_for(area: &Area, owner: Player) -> i64 {
    let dead = area.stones(owner.opponent()).count_ones() as i64;
    let points = area.empties().count_ones() as i64 + 2 * dead;
    if owner == Player::Left { points } else { -points }
}

/// A search with its memory. Values are relative to the stones on the board: under area scoring the stones that are there
/// already are not counted (see [`Area::stone_difference`]).
pub struct LocalSearch<'k> {
    kernel: &'k Kernel<'k>,
    scoring: Scoring,
    pruning: Pruning,
    pub(crate) graph: Graph,
    proofs: FxHashMap<Key, [Option<Proof>; 2]>,
    nodes: u64,
    memory: Option<Memory>,
}

struct Successor {
    point: usize,
    parts: Vec<Area>,
    /// Points for Black that come with the move.
    points: i64,
}

impl<'k> LocalSearch<'k> {
    /// A search without memories.
    pub fn new(kernel: &'k Kernel<'k>, scoring: Scoring, pruning: Pruning) -> Self {
        let (graph, proofs) = Default::default();
        LocalSearch { kernel, scoring, pruning, graph, proofs, nodes: 0, memory: None }
    }

    /// The same with what earlier searches found, and it remembers what it finds. Only searches with every rule do so.
    #[must_use]
    pub fn remembering(mut self, memory: Option<&Memory>) -> Self {
        self.memory = memory.filter(|_| self.pruning == Pruning::ALL).cloned();
        self
    }

    /// What is remembered about a position in its normal form.
    pub(crate) fn recall(&self, key: &Key) -> Result<Option<Bounds>, Halt> {
        match &self.memory {
            Some(memory) => memory.area(self.kernel, self.scoring, key),
            None => Ok(None),
        }
    }

    /// Remembers what was found.
    pub(crate) fn remember(&self, key: &Key, bounds: Bounds) {
        if let Some(memory) = &self.memory {
            memory.add_area(self.kernel, self.scoring, key.clone(), bounds);
        }
    }

    /// How many positions have been evaluated, leaves included.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of an area.
    pub fn value(&mut self, area: &Area) -> Result<Value, LocalFailure> {
        let Bounds { lower, upper } = self.bounds(area)?;
        if lower == upper { Ok(lower) } else { Err(LocalFailure::Ko { lower, upper }) }
    }

    /// What an area is worth at least and at most: the same, unless a ko decides.
    pub fn bounds(&mut self, area: &Area) -> Result<Bounds, LocalFailure> {
        let mut sum = Bounds::exactly(Value::ZERO);
        for part in area.split() {
            let bounds = self.part(&part)?;
            sum = sum.plus(self.kernel, bounds)?;
        }
        Ok(sum)
    }

    /// All legal moves of a player with what they lead to, pruned ones included. A move that leads to a position without a
    /// value says why.
    pub fn moves(&mut self, area: &Area, player: Player) -> Vec<LocalMove> {
        let successors = self.successors(area, player);
        successors.iter().map(|s| LocalMove { point: s.point, to: self.value_after(s) }).collect()
    }

    fn value_after(&mut self, successor: &Successor) -> Result<Value, LocalFailure> {
        let mut sum = Bounds::exactly(self.kernel.integer(successor.points));
        for part in &successor.parts {
            let bounds = self.bounds(part)?;
            sum = sum.plus(self.kernel, bounds)?;
        }
        let Bounds { lower, upper } = sum;
        if lower == upper { Ok(lower) } else { Err(LocalFailure::Ko { lower, upper }) }
    }

    /// What the settled parts of an area count, positive for Black, and which of its points are not settled.
    pub(crate) fn settled_points(&mut self, area: &Area) -> Result<(i64, u64), LocalFailure> {
        let (mut sum, mut open) = (0, 0);
        for part in area.split() {
            match self.settled_for(&part)? {
                Some(owner) => sum += points_for(&part, owner),
                None => {
                    let places = bits(part.all()).filter_map(|point| area.at_place(part.place(point)));
                    open |= places.fold(0, |all, point| all | 1 << point);
                }
            }
        }
        Ok((sum, open))
    }

    /// The moves of a player in the parts of an area that are open, pruned.
    pub(crate) fn open_moves(&mut self, area: &Area, player: Player) -> Result<Vec<usize>, LocalFailure> {
        let mut moves = vec![];
        for part in area.split() {
            if self.leaf(&part)?.is_none() {
                let successors = self.pruned_successors(&part, player, self.pruning)?;
                moves.extend(successors.iter().filter_map(|s| area.at_place(part.place(s.point))));
            }
        }
        Ok(moves)
    }

    /// Whether the area is `owner`'s although the opponent begins.
    pub fn is_settled(&mut self, area: &Area, owner: Player) -> Result<bool, LocalFailure> {
        let (key, swapped) = area.normal_form();
        let slot = if swapped { owner.opponent() } else { owner } as usize;
        let known = self.proofs.get(&key).and_then(|proofs| proofs[slot]);
        let proof = match known {
            Some(proof) => proof,
            None => {
                let proof = proof::settled_within(area, owner, PROOF_LIMIT, self.kernel.budget())?;
                self.proofs.entry(key).or_default()[slot] = Some(proof);
                proof
            }
        };
        match proof {
            Proof::Proven => Ok(true),
            Proof::Refuted => Ok(false),
            Proof::Unknown => Err(LocalFailure::Unproven),
        }
    }

    /// The value of a position that needs no search.
    pub(crate) fn leaf(&mut self, area: &Area) -> Result<Option<Value>, LocalFailure> {
        match self.settled_value(area)? {
            Some(value) => Ok(Some(value)),
            None => self.idle_value(area),
        }
    }

    /// Whether there are stones of both colours in a part of the area that is not one player's for good. If nobody gains by
    /// moving there, it is a seki.
    pub(crate) fn is_seki(&mut self, area: &Area) -> Result<bool, LocalFailure> {
        for part in area.split() {
            let has_both = Player::BOTH.iter().all(|&player| part.stones(player) != 0);
            if has_both && self.settled_for(&part)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whose the area is for good.
    fn settled_for(&mut self, area: &Area) -> Result<Option<Player>, LocalFailure> {
        for owner in Player::BOTH {
            if self.is_settled(area, owner)? {
                return Ok(Some(owner));
            }
        }
        Ok(None)
    }

    /// The value of a position that is one player's for good.
    fn settled_value(&mut self, area: &Area) -> Result<Option<Value>, LocalFailure> {
        let owner = self.settled_for(area)?;
        Ok(owner.map(|owner| self.kernel.integer(points_for(area, owner))))
    }

    /// The value of a position in which there is nothing to be had: neutral points, or no move for anybody.
    fn idle_value(&self, area: &Area) -> Result<Option<Value>, LocalFailure> {
        let stones = area.stones(Player::Left) | area.stones(Player::Right);
        if stones == 0 && area.walls(Player::Left) & area.walls(Player::Right) == area.all() {
            if area.len().is_multiple_of(2) {
                return Ok(Some(Value::ZERO));
            }
            return Ok(Some(match self.scoring {
                Scoring::Territory => Value::STAR,
                Scoring::TerritoryNeutralZero => Value::ZERO,
                Scoring::Area => self.kernel.plus_minus(&[Value::ONE])?,
            }));
        }
        let stuck =
            Player::BOTH.iter().all(|&p| bits(area.empties()).all(|point| area.play(p, point).is_none()));
        Ok(stuck.then_some(Value::ZERO))
    }

    /// Counts a position.
    pub(crate) fn count(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        self.kernel.step()
    }

    pub(crate) fn kernel(&self) -> &'k Kernel<'k> {
        self.kernel
    }

    /// What a position counts if nobody moves in it any more: with area scoring what each player has surrounded, stones that
    /// are there already not counted; else what is settled.
    pub(crate) fn rest(&mut self, area: &Area) -> Result<i64, LocalFailure> {
        match self.scoring {
            Scoring::Area => Ok(area.surrounded_difference()),
            _ if self.pruning.settled => Ok(0),
            _ => Ok(self.settled_points(area)?.0),
        }
    }

    /// The moves of a player that may matter, as what each leaves: something known, and parts.
    pub(crate) fn options(
        &mut self,
        area: &Area,
        player: Player,
    ) -> Result<Vec<(Value, Vec<Area>)>, LocalFailure> {
        let mut options = vec![];
        for successor in self.pruned_successors(area, player, self.pruning)? {
            let (known, parts) = self.known_and_open(successor.parts)?;
            options.push((self.kernel.add(self.kernel.integer(successor.points), known)?, parts));
        }
        Ok(options)
    }

    /// With the rule for settled parts, parts are just parts. Without it, settled ones stay with those that are open.
    fn known_and_open(&mut self, parts: Vec<Area>) -> Result<(Value, Vec<Area>), LocalFailure> {
        if self.pruning.settled || self.scoring == Scoring::Area {
            return Ok((Value::ZERO, parts));
        }
        let (mut settled, mut open) = (vec![], vec![]);
        let (mut certain, mut idle) = (Value::ZERO, Value::ZERO);
        for part in &parts {
            if let Some(value) = self.settled_value(part)? {
                certain = self.kernel.add(certain, value)?;
                settled.push(part);
            } else if let Some(value) = self.idle_value(part)? {
                idle = self.kernel.add(idle, value)?;
            } else {
                open.push(part);
            }
        }
        if open.is_empty() {
            return Ok((self.kernel.add(certain, idle)?, vec![]));
        }
        open.extend(settled);
        Ok((idle, vec![Area::union(&open)]))
    }

    fn successors(&self, area: &Area, player: Player) -> Vec<Successor> {
        let sign = if player == Player::Left { 1 } else { -1 };
        let successor = |point| {
            let (after, captured) = area.play(player, point)?;
            let points = sign * (captured as i64 + self.scoring.per_stone());
            Some(Successor { point, parts: after.split(), points })
        };
        bits(area.empties()).filter_map(successor).collect()
    }

    fn pruned_successors(
        &mut self,
        area: &Area,
        player: Player,
        pruning: Pruning,
    ) -> Result<Vec<Successor>, LocalFailure> {
        let mut all = self.successors(area, player);
        let stones_cost = self.scoring.per_stone() == 0;
        if stones_cost
            && pruning.entrance
            && let Some(entrance) = self.entrance(area)?
        {
            all.retain(|s| s.point == entrance);
            return Ok(all);
        }
        if stones_cost && pruning.control {
            for i in 0..all.len() {
                if self.all_settled(&all[i].parts, player)? {
                    return Ok(vec![all.swap_remove(i)]);
                }
            }
        }
        if pruning.duplicates {
            let mut seen = FxHashSet::default();
            all.retain(|s| {
                let mut parts: Vec<(Key, bool)> = s.parts.iter().map(Area::normal_form).collect();
                parts.sort_unstable();
                seen.insert((parts, s.points))
            });
        }
        Ok(all)
    }

    fn all_settled(&mut self, parts: &[Area], player: Player) -> Result<bool, LocalFailure> {
        for part in parts {
            if !self.is_settled(part, player)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The only way into an area without stones that is otherwise one player's: a path or a tree all of whose points touch
    /// his walls, and one of whose points touches the other's. He takes everything by closing it, and the other can enter
    /// only there.
    fn entrance(&mut self, area: &Area) -> Result<Option<usize>, LocalFailure> {
        if area.empties() != area.all() || area.flood(1, area.all()) != area.all() {
            return Ok(None);
        }
        for owner in Player::BOTH {
            let open = area.walls(owner.opponent());
            let edges: u32 = (0..area.len()).map(|i| area.neighbours(i).count_ones()).sum();
            if open.count_ones() != 1 || edges as usize != 2 * (area.len() - 1) {
                continue;
            }
            let entrance = open.trailing_zeros() as usize;
            if (area.all() & !open) & !area.walls(owner) != 0 {
                continue;
            }
            let Some((closed, _)) = area.play(owner, entrance) else { continue };
            if self.all_settled(&closed.split(), owner)? {
                return Ok(Some(entrance));
            }
        }
        Ok(None)
    }
}
