//! A region and the blocks around it as a small graph: the battlefield of a search for life.
//!
//! The points of the region are vertices, and each block around it that is not safe yet is a single vertex: if it falls,
//! everything is lost anyway. Safe stones are no vertices: the points next to them are the wall.

use crate::area::bits;
use crate::board::{Board, Point};

mod inspect;

/// The graph, and what stands on it at the beginning.
pub(crate) struct Field {
    /// For each vertex those next to it.
    neighbours: [u64; 64],
    /// The points of the region.
    region: u64,
    /// The blocks that must not be lost.
    precious: u64,
    /// The board points of the region, by vertex.
    pub points: Vec<Point>,
    /// The whole region at the beginning.
    pub start: Part,
}

/// What lies between stones that live whatever happens. Parts do not touch each other, so that the owner keeps several of
/// them if he keeps each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Part {
    /// Its vertices.
    pub points: u64,
    /// The stones of the owner in it.
    pub own: u64,
    /// The stones of the attacker.
    pub foe: u64,
    /// The vertices next to stones that live whatever happens.
    pub wall: u64,
    /// Blocks that have an eye elsewhere, if that is kept as well.
    pub guests: u64,
}

/// A block around the region.
pub(crate) struct Bordering<'a> {
    /// Its stones, ascending.
    pub stones: &'a [Point],
    /// Whether it has an eye elsewhere.
    pub has_eye: bool,
}

/// A few sets of vertices.
#[derive(Clone, Copy)]
struct Sets {
    sets: [u64; Sets::MOST],
    count: usize,
}

impl Sets {
    const MOST: usize = 20;

    fn new() -> Sets {
        Sets { sets: [0; Sets::MOST], count: 0 }
    }

    /// Whether there was room for another.
    fn push(&mut self, set: u64) -> bool {
        let has_room = self.count < Sets::MOST;
        if has_room {
            self.sets[self.count] = set;
            self.count += 1;
        }
        has_room
    }

    fn remove(&mut self, index: usize) {
        self.count -= 1;
        self.sets[index] = self.sets[self.count];
    }

    fn union(&self) -> u64 {
        self.iter().fold(0, |all, set| all | set)
    }
}

impl std::ops::Deref for Sets {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.sets[..self.count]
    }
}

impl Field {
    /// `None` if there are more than 64 vertices, or if a block has no liberty here and no eye elsewhere.
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
        let mut neighbours = [0u64; 64];
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
            if neighbours[vertex] & all & !foe == 0 && !block.has_eye {
                return None;
            }
        }
        let start = Part { points: all | own, own, foe, wall, guests };
        Some(Field { neighbours, region: all, precious: own, points: region.to_vec(), start })
    }

    /// Everything that a search of the beginning depends on, the same however the region is turned, mirrored or moved and
    /// whoever owns it: how many points and blocks there are, which of them are the attacker's stones, walled, or guests, and
    /// for each point those next to it.
    pub fn key(&self, board: &Board) -> Box<[u64]> {
        let count = self.points.len();
        let places: Vec<(i32, i32)> =
            self.points.iter().map(|&p| board.place(p)).map(|(x, y)| (x as i32, y as i32)).collect();
        let image = |v: usize, image: u32| {
            let (x, y) = places[v];
            let x = if image & 1 == 0 { x } else { -x };
            let y = if image & 2 == 0 { y } else { -y };
            if image & 4 == 0 { (y, x) } else { (x, y) }
        };
        let block_count = u64::from(self.precious.count_ones());
        let key = |turned: u32| {
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by_key(|&v| image(v, turned));
            // Blocks have no places of their own: those that touch the same points are alike.
            let mut blocks: Vec<usize> = bits(self.precious).collect();
            blocks.sort_by_key(|&v| (renamed(&order, self.neighbours[v]), self.start.guests >> v & 1));
            order.extend(blocks);
            let renamed = |set: u64| renamed(&order, set);
            let Part { foe, wall, guests, .. } = self.start;
            let mut key = vec![count as u64, block_count, renamed(foe), renamed(wall), renamed(guests)];
            key.extend(order[..count].iter().map(|&v| renamed(self.neighbours[v])));
            key
        };
        (0..8).map(key).min().unwrap_or_default().into_boxed_slice()
    }

    pub fn grown(&self, set: u64) -> u64 {
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

    pub fn components(&self, set: u64) -> impl Iterator<Item = u64> + '_ {
        let mut rest = set;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let part = self.flood(rest & rest.wrapping_neg(), rest);
                rest &= !part;
                part
            })
        })
    }

    /// Whether there are blocks in a part that must not be lost.
    pub fn has_precious(&self, part: &Part) -> bool {
        self.precious & part.points != 0
    }

    /// The points without stones.
    pub fn empties(&self, part: &Part) -> u64 {
        part.points & self.region & !part.own & !part.foe
    }

    /// A stone of the owner or of the attacker; `None` if it is illegal. Kos are not forbidden.
    pub fn place(&self, part: &Part, vertex: usize, by_owner: bool) -> Option<Part> {
        let bit = 1u64 << vertex;
        let mut after = *part;
        if by_owner {
            after.own |= bit
        } else {
            after.foe |= bit
        }
        let empties = self.empties(&after);
        let (mover, other) = if by_owner { (after.own, after.foe) } else { (after.foe, after.own) };
        let lives = |block: u64, is_owner: bool| {
            is_owner && block & (part.wall | part.guests) != 0 || self.grown(block) & empties != 0
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

    /// A block that must live is gone, or has no liberty here although the attacker is to move: with an eye elsewhere it is
    /// not captured yet, but has no second one. If the owner is to move, he may make a liberty again.
    pub fn is_lost(&self, part: &Part, owner_to_move: bool) -> bool {
        if self.precious & part.points & !part.own != 0 {
            return true;
        }
        if owner_to_move {
            return false;
        }
        let empties = self.empties(part);
        let held = self.flood(part.own & part.wall, part.own);
        let mut rest = self.precious & part.points & !held;
        while rest != 0 {
            let block = self.flood(rest & rest.wrapping_neg(), part.own);
            rest &= !block;
            if self.grown(block) & empties == 0 {
                return true;
            }
        }
        false
    }

    /// The stones that live whatever happens: linked to the wall, or by Benson's rule; and the stones of the attacker that have
    /// to be where they are for that.
    pub fn immortal(&self, part: &Part) -> (u64, u64) {
        let held = self.flood(part.own & part.wall, part.own);
        let loose = part.own & !held;
        if loose == 0 {
            return (held, 0);
        }
        let empties = self.empties(part);
        let (mut blocks, mut regions) = (Sets::new(), Sets::new());
        for block in self.components(loose) {
            if !blocks.push(block) {
                return (held, 0);
            }
        }
        for region in self.components(part.points & self.region & !part.own) {
            if region & empties != 0 && !regions.push(region) {
                return (held, 0);
            }
        }
        let mut is_good = u32::MAX;
        loop {
            let (before, mut relied_on) = (blocks.count, 0);
            let mut index = 0;
            while index < blocks.count {
                let block = blocks[index];
                let near = self.grown(block);
                let (mut eyes, mut filled) = (u32::from(block & part.guests != 0), 0);
                for r in (0..regions.count).filter(|&r| is_good >> r & 1 == 1) {
                    if regions[r] & empties & !near == 0 {
                        eyes += 1;
                        filled |= regions[r] & part.foe & !near;
                    }
                }
                if eyes >= 2 {
                    relied_on |= filled;
                    index += 1;
                } else {
                    blocks.remove(index);
                }
            }
            let alive = blocks.union();
            if blocks.count == before {
                return (held | alive, relied_on);
            }
            for r in 0..regions.count {
                if self.grown(regions[r]) & loose & !alive != 0 {
                    is_good &= !(1 << r);
                }
            }
        }
    }

    /// Liberties that keep the owner's blocks on the board whatever stands elsewhere: two for each that is not held, or all
    /// that is around it, if it has no two. And the points where it is captured at once.
    pub fn liberties(&self, part: &Part) -> (u64, u64) {
        let empties = self.empties(part);
        let held = self.flood(part.own & part.wall, part.own);
        let (mut needed, mut last) = (0, 0);
        for block in self.components(part.own & !held) {
            let liberties = self.grown(block) & empties;
            match two(liberties) {
                Some(pair) => needed |= pair,
                None if block & part.guests != 0 => needed |= liberties,
                None => {
                    needed |= self.grown(block) & !block;
                    last |= liberties;
                }
            }
        }
        (needed, last)
    }

    /// A zone with a liberty for each block of the attacker that is in it: what has to be there must not have been captured.
    pub fn with_liberties(&self, part: &Part, zone: u64) -> u64 {
        let empties = self.empties(part);
        self.components(part.foe).filter(|block| block & zone != 0).fold(zone, |zone, block| {
            let liberties = self.grown(block) & empties;
            if liberties & zone == 0 { zone | (liberties & liberties.wrapping_neg()) } else { zone }
        })
    }

    /// What decides that the attacker may not play on a point: the blocks of his around it that would be captured with it, and
    /// what is around these.
    pub fn forbidding(&self, part: &Part, vertex: usize) -> u64 {
        let bit = 1u64 << vertex;
        self.grown(self.flood(bit, part.foe | bit))
    }

    /// Whether stones of the attacker live whatever happens, by Benson's rule.
    pub fn is_lived_in(&self, part: &Part) -> bool {
        if part.foe.count_ones() < 5 {
            return false;
        }
        let empties = self.empties(part);
        let (mut blocks, mut regions) = (Sets::new(), Sets::new());
        for block in self.components(part.foe) {
            if !blocks.push(block) {
                return false;
            }
        }
        // What touches the wall or a block around the region goes on outside.
        for region in self.components(part.points & !part.foe) {
            if region & (part.wall | self.precious) == 0 && region & empties != 0 && !regions.push(region) {
                return false;
            }
        }
        let mut is_good = u32::MAX;
        loop {
            let before = blocks.count;
            let mut index = 0;
            while index < blocks.count {
                let near = self.grown(blocks[index]);
                let is_eye = |&r: &usize| is_good >> r & 1 == 1 && regions[r] & empties & !near == 0;
                if (0..regions.count).filter(is_eye).count() >= 2 {
                    index += 1;
                } else {
                    blocks.remove(index);
                }
            }
            if blocks.count == before {
                return before > 0;
            }
            let alive = blocks.union();
            for r in 0..regions.count {
                if self.grown(regions[r]) & part.foe & !alive != 0 {
                    is_good &= !(1 << r);
                }
            }
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

    /// The parts of a part that are open: what lives whatever happens goes, and so do parts between such stones in which
    /// there is no room for two eyes.
    ///
    /// With `is_finer`, blocks that must not be lost cut it as well. Such a block has an eye in each part that it touches, if
    /// the owner keeps them, and so is a guest with an eye elsewhere in every one of two or more (see `Safety::search`).
    /// Sometimes that asks too much: both eyes may be in one of the parts.
    pub fn split(&self, part: &Part, is_finer: bool) -> Vec<Part> {
        self.split_at(part, self.immortal(part).0, is_finer)
    }

    /// The same if the stones that live whatever happens are known.
    pub fn split_at(&self, part: &Part, immortal: u64, is_finer: bool) -> Vec<Part> {
        let wall = part.wall | self.grown(immortal);
        let rest = part.points & !immortal;
        let mut cutting = 0;
        let mut seeds = if is_finer { self.precious & rest & part.own } else { 0 };
        while seeds != 0 {
            let block = self.flood(seeds & seeds.wrapping_neg(), part.own);
            seeds &= !block;
            cutting |= block;
        }
        let mut parts: Vec<Part> = vec![];
        for room in self.components(rest & !cutting) {
            let blocks = if cutting == 0 { 0 } else { self.flood(self.grown(room) & cutting, cutting) };
            let points = room | blocks;
            if points & self.precious == 0 && self.is_one_eye(room & self.region & !wall) {
                continue;
            }
            let guests = part.guests & points;
            let (own, foe) = (part.own & points, part.foe & points);
            parts.push(Part { points, own, foe, wall: wall & points, guests });
        }
        if cutting != 0 && parts.len() > 1 {
            for block in self.components(cutting) {
                if parts.iter().filter(|part| part.points & block != 0).count() > 1 {
                    parts
                        .iter_mut()
                        .filter(|part| part.points & block != 0)
                        .for_each(|part| part.guests |= block & self.precious);
                }
            }
        }
        parts
    }
}

/// A set of vertices in another order.
fn renamed(order: &[usize], set: u64) -> u64 {
    order.iter().enumerate().fold(0, |all, (new, &old)| all | (set >> old & 1) << new)
}

/// The first two of a set.
fn two(set: u64) -> Option<u64> {
    let rest = set & set.wrapping_sub(1);
    (rest != 0).then(|| (set & set.wrapping_neg()) | (rest & rest.wrapping_neg()))
}

fn ones(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
