//! A region and the blocks around it as a small graph: the battlefield of a search for life.
//!
//! The points of the region are vertices, and each block around it that is not safe yet is a single vertex: if it falls,
//! everything is lost anyway. Safe stones are no vertices: the points next to them are the wall.

use crate::area::bits;
use crate::board::{Board, Point};

/// The graph, and what stands on it at the beginning.
pub(crate) struct Field {
    /// For each vertex those next to it.
    neighbours: Vec<u64>,
    /// The points of the region.
    pub region: u64,
    /// The blocks that must not be lost.
    pub precious: u64,
    /// Those of them that have an eye elsewhere.
    pub guests: u64,
    /// Vertices next to safe stones of the owner.
    pub wall: u64,
    /// The board points of the region, by vertex.
    pub points: Vec<Point>,
    /// The stones of the owner and of the attacker.
    pub start: Stones,
}

/// Stones of the owner and of the attacker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stones {
    pub own: u64,
    pub foe: u64,
}

/// A block around the region.
pub(crate) struct Bordering<'a> {
    /// Its stones, ascending.
    pub stones: &'a [Point],
    /// Whether it has an eye elsewhere.
    pub has_eye: bool,
}

/// What inspection says about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// The owner keeps everything, although the attacker is to move.
    pub is_safe: bool,
    /// The points where playing can matter: those that are not the owner's whatever he does.
    pub open: u64,
    /// How far the owner is from being safe, roughly.
    pub distance: u32,
}

impl Field {
    /// `None` if there are more than 64 vertices, or if a block has no liberty here.
    pub fn new(
        board: &Board,
        region: &[Point],
        blocks: &[Bordering<'_>],
        is_safe: impl Fn(Point) -> bool,
    ) -> Option<Field> {
        let count = region.len() + blocks.len();
        if count > 64 {
            return None;
        }
        let mut neighbours = vec![0u64; count];
        let (mut wall, mut own, mut foe, mut guests) = (0u64, 0u64, 0u64, 0u64);
        for (i, &point) in region.iter().enumerate() {
            foe |= u64::from(board.at(point).is_some()) << i;
            for next in board.neighbours(point) {
                if let Ok(j) = region.binary_search(&next) {
                    neighbours[i] |= 1 << j;
                } else if is_safe(next) {
                    wall |= 1 << i;
                } else if let Some(b) = blocks.iter().position(|b| b.stones.binary_search(&next).is_ok()) {
                    neighbours[i] |= 1 << (region.len() + b);
                    neighbours[region.len() + b] |= 1 << i;
                }
            }
        }
        let all = ones(region.len());
        for (b, block) in blocks.iter().enumerate() {
            let vertex = region.len() + b;
            own |= 1 << vertex;
            guests |= u64::from(block.has_eye) << vertex;
            if neighbours[vertex] & all & !foe == 0 {
                return None;
            }
        }
        let points = region.to_vec();
        let start = Stones { own, foe };
        Some(Field { neighbours, region: all, precious: own, guests, wall, points, start })
    }

    fn grown(&self, set: u64) -> u64 {
        bits(set).fold(set, |grown, vertex| grown | self.neighbours[vertex])
    }

    fn flood(&self, seed: u64, among: u64) -> u64 {
        let mut reached = seed & among;
        let mut edge = reached;
        while edge != 0 {
            let next = bits(edge).fold(0, |next, vertex| next | self.neighbours[vertex]) & among & !reached;
            reached |= next;
            edge = next;
        }
        reached
    }

    fn components(&self, set: u64) -> impl Iterator<Item = u64> + '_ {
        let mut rest = set;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let part = self.flood(rest & rest.wrapping_neg(), rest);
                rest &= !part;
                part
            })
        })
    }

    /// The points without stones.
    pub fn empties(&self, stones: Stones) -> u64 {
        self.region & !stones.own & !stones.foe
    }

    /// A stone of the owner or of the attacker; `None` if it is illegal. Kos are not forbidden.
    pub fn place(&self, stones: Stones, vertex: usize, by_owner: bool) -> Option<Stones> {
        let bit = 1u64 << vertex;
        let mut after = stones;
        if by_owner {
            after.own |= bit
        } else {
            after.foe |= bit
        }
        let empties = self.empties(after);
        let (mover, other) = if by_owner { (after.own, after.foe) } else { (after.foe, after.own) };
        let lives = |block: u64, is_owner: bool| {
            is_owner && block & (self.wall | self.guests) != 0 || self.grown(block) & empties != 0
        };
        let mut captured = 0;
        let mut rest = self.neighbours[vertex] & other;
        while rest != 0 {
            let block = self.flood(rest & rest.wrapping_neg(), other);
            rest &= !block;
            if !lives(block, !by_owner) {
                captured |= block;
            }
        }
        if captured == 0 && !lives(self.flood(bit, mover), by_owner) {
            return None;
        }
        if by_owner {
            after.foe &= !captured
        } else {
            after.own &= !captured
        }
        Some(after)
    }

    /// A block that must live is gone, or has no liberty here: with an eye elsewhere it is not captured yet, but has no
    /// second one.
    pub fn is_lost(&self, stones: Stones) -> bool {
        if self.precious & !stones.own != 0 {
            return true;
        }
        let empties = self.empties(stones);
        let held = self.flood(stones.own & self.wall, stones.own);
        let mut rest = self.precious & !held;
        while rest != 0 {
            let block = self.flood(rest & rest.wrapping_neg(), stones.own);
            rest &= !block;
            if self.grown(block) & empties == 0 {
                return true;
            }
        }
        false
    }

    /// The stones that live whatever happens: linked to the wall, or by Benson's rule.
    fn immortal(&self, stones: Stones) -> u64 {
        let held = self.flood(stones.own & self.wall, stones.own);
        let loose = stones.own & !held;
        if loose == 0 {
            return held;
        }
        let empties = self.empties(stones);
        let mut blocks: Vec<(u64, u64)> =
            self.components(loose).map(|block| (block, self.grown(block) & !block)).collect();
        let mut regions: Vec<(u64, u64)> = self
            .components(self.region & !stones.own)
            .map(|region| (region & empties, self.grown(region) & loose))
            .collect();
        loop {
            let before = blocks.len();
            blocks.retain(|&(block, around)| {
                let eyes = regions.iter().filter(|(free, _)| *free != 0 && free & !around == 0).count();
                eyes + usize::from(block & self.guests != 0) >= 2
            });
            if blocks.len() == before {
                return blocks.iter().fold(held, |all, (block, _)| all | block);
            }
            let alive = blocks.iter().fold(0, |all, (block, _)| all | block);
            regions.retain(|(_, border)| border & !alive == 0);
        }
    }

    /// At most one eye can be made of these points: one, or two next to each other.
    fn is_one_eye(&self, points: u64) -> bool {
        match points.count_ones() {
            0 | 1 => true,
            2 => self.neighbours[points.trailing_zeros() as usize] & points != 0,
            _ => false,
        }
    }

    /// Looks at a position without searching: what lives whatever happens, and what the owner keeps by answering, with one
    /// disjoint pair of points for each thing that needs one (see `pairs`).
    pub fn look(&self, stones: Stones) -> Look {
        let immortal = self.immortal(stones);
        // Parts between immortal stones without room for two eyes are settled for good.
        let mut open = 0;
        for part in self.components((self.region | stones.own) & !immortal) {
            let inside = part & self.region;
            let near = self.wall | self.grown(immortal);
            let is_settled = part & self.precious == 0 && self.is_one_eye(inside & !near);
            if !is_settled {
                open |= inside;
            }
        }
        if open == 0 && self.precious & !immortal == 0 {
            return Look { is_safe: true, open, distance: 0 };
        }
        let (is_safe, distance) = self.by_answers(stones, immortal);
        Look { is_safe, open, distance }
    }

    /// Whether pairs of answers keep everything, and how much they leave to be done.
    fn by_answers(&self, stones: Stones, immortal: u64) -> (bool, u32) {
        let empties = self.empties(stones);
        // Groups: what is immortal is one, every other block is one at first.
        let mut groups: Vec<u64> = vec![];
        let walled = self.wall != 0 || immortal != 0;
        if walled {
            groups.push(immortal);
        }
        groups.extend(self.components(stones.own & !immortal));
        let near = |groups: &[u64], g: usize| {
            let grown = self.grown(groups[g]);
            if walled && g == 0 { grown | self.wall } else { grown }
        };
        let regions: Vec<u64> = self.components(self.region & !stones.own).collect();
        let mut pairs: Vec<Vec<u64>> = vec![vec![]; regions.len()];
        // Link groups by two common liberties.
        'again: loop {
            for i in 0..groups.len() {
                for j in i + 1..groups.len() {
                    let common = near(&groups, i) & near(&groups, j) & empties;
                    for (r, region) in regions.iter().enumerate() {
                        let free = common & region & !union(&pairs[r]);
                        if let Some(pair) = two(free) {
                            pairs[r].push(pair);
                            groups[i] |= groups[j];
                            groups.swap_remove(j);
                            continue 'again;
                        }
                    }
                }
            }
            break;
        }
        let mut alive = vec![false; groups.len()];
        if walled {
            alive[0] = true;
        }
        // Which points of each region are covered, if all groups around it hold together.
        let mut eyes = vec![0u32; groups.len()];
        let mut uncovered = vec![0u64; regions.len()];
        let around: Vec<u64> = regions
            .iter()
            .map(|region| {
                (0..groups.len())
                    .filter(|&g| near(&groups, g) & region != 0)
                    .fold(0, |set, g| set | 1 << g.min(63))
            })
            .collect();
        for (r, &region) in regions.iter().enumerate() {
            let all_near = bits(around[r]).fold(0, |set, g| set | near(&groups, g));
            let left = self.cover(region, empties, all_near, &mut pairs[r]);
            uncovered[r] = left;
            if around[r].count_ones() == 1 && left == 0 && region & empties != 0 {
                let group = around[r].trailing_zeros() as usize;
                eyes[group] +=
                    if self.divides(region, region & empties & all_near, &pairs[r]) { 2 } else { 1 };
            }
        }
        for (g, group) in groups.iter().enumerate() {
            alive[g] |= eyes[g] + u32::from(group & self.guests != 0) >= 2;
        }
        let mut distance = 0;
        for (r, &left) in uncovered.iter().enumerate() {
            let is_held = bits(around[r]).all(|g| alive[g]);
            if !is_held || !self.is_one_eye(left) {
                distance += 1 + left.count_ones();
            }
        }
        for (g, group) in groups.iter().enumerate() {
            if group & self.precious != 0 && !alive[g] {
                distance += 3;
            }
        }
        (distance == 0 && groups.len() < 64, distance.max(1))
    }

    /// The points of a region that are not covered: not next to `near`, and without two free covered points next to them
    /// that can be a pair.
    fn cover(&self, region: u64, empties: u64, near: u64, pairs: &mut Vec<u64>) -> u64 {
        let mut covered = region & near;
        let mut used = union(pairs);
        loop {
            let before = covered;
            for vertex in bits(region & !covered) {
                if let Some(pair) = two(self.neighbours[vertex] & covered & empties & !used) {
                    pairs.push(pair);
                    used |= pair;
                    covered |= 1 << vertex;
                }
            }
            if covered == before {
                return region & !covered;
            }
        }
    }

    /// Whether two free points of a region cut it, each by itself, so that the parts stay eyes.
    fn divides(&self, region: u64, candidates: u64, pairs: &[u64]) -> bool {
        let free: Vec<usize> = bits(candidates & !union(pairs))
            .filter(|&vertex| {
                let rest = region & !(1 << vertex);
                rest != 0 && self.flood(rest & rest.wrapping_neg(), rest) != rest
            })
            .collect();
        // See `pairs`: the owner must not have to fill an eye.
        let makes_eyes = |cut: usize, lost: usize| {
            let used = union(pairs);
            self.components(region & !(1 << cut)).all(|part| {
                part & !used != 0 || part >> lost & 1 == 1 || pairs.iter().any(|pair| pair & !part == 0)
            })
        };
        free.iter()
            .enumerate()
            .any(|(i, &a)| free[i + 1..].iter().any(|&b| makes_eyes(a, b) && makes_eyes(b, a)))
    }
}

fn union(pairs: &[u64]) -> u64 {
    pairs.iter().fold(0, |all, pair| all | pair)
}

/// The first two of a set.
fn two(set: u64) -> Option<u64> {
    let rest = set & set.wrapping_sub(1);
    (rest != 0).then(|| (set & set.wrapping_neg()) | (rest & rest.wrapping_neg()))
}

fn ones(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
