//! Inspection: whether the owner keeps a part by answering, without search.

use super::{Field, Part, Sets, ones, two};
use crate::area::bits;
use crate::eyes;

/// A region of a part between groups.
#[derive(Clone, Copy, Default)]
struct Room {
    region: u64,
    /// Its points that are not covered.
    left: u64,
    /// The groups around it.
    around: u32,
    /// The points next to these.
    near: u64,
    /// The attacker's stones.
    foe: u64,
}

/// With more points for eyes than this the attacker has too many ways to live.
const MOST_EYES: u32 = 8;

/// If a position is too broken for inspection, it is as far from being safe as this.
const FAR: u32 = 20;

impl Field {
    /// How far the owner is, roughly, from keeping a part by answering, with one disjoint pair of points for each thing that
    /// needs one (see `pairs`). Nothing means that he keeps it, although the attacker is to move; then all that has to be free
    /// of the attacker's stones for that are the points of the pairs, which are given as well.
    pub fn distance(&self, part: &Part) -> (u32, u64) {
        self.inspect(part, true)
    }

    /// The same, on request without counting eyes.
    pub(crate) fn inspect(&self, part: &Part, counts_eyes: bool) -> (u32, u64) {
        let empties = self.empties(part);
        // Groups: what lives outside is one, every block is one at first.
        let (mut groups, mut near) = (Sets::new(), Sets::new());
        let walled = part.wall != 0;
        if walled {
            groups.push(0);
            near.push(part.wall);
        }
        for block in self.components(part.own) {
            if !groups.push(block) {
                return (FAR, 0);
            }
            near.push(self.grown(block));
        }
        let mut regions = Sets::new();
        for region in self.components(part.points & self.region & !part.own) {
            if !regions.push(region) {
                return (FAR, 0);
            }
        }
        let (mut pairs, mut used) = (Sets::new(), 0);
        // Link groups by two common liberties.
        let mut i = 0;
        while i < groups.count {
            let mut j = i + 1;
            while j < groups.count {
                let common = near[i] & near[j] & empties & !used;
                if let Some(pair) = regions.iter().find_map(|region| two(common & region))
                    && pairs.push(pair)
                {
                    used |= pair;
                    groups.sets[i] |= groups[j];
                    near.sets[i] |= near[j];
                    groups.remove(j);
                    near.remove(j);
                    // What is larger may be linked to what came before.
                    i = 0;
                    j = 1;
                } else {
                    j += 1;
                }
            }
            i += 1;
        }
        // Stones that nothing depends on may be captured: the points they are on are like others then.
        let mut g = usize::from(walled);
        while g < groups.count {
            if groups[g] & self.precious == 0 {
                groups.remove(g);
                near.remove(g);
            } else {
                g += 1;
            }
        }
        // Which points of each region are covered, if all groups around it hold together.
        let mut eyes = [0u32; Sets::MOST];
        let mut found: [Room; Sets::MOST] = [Room::default(); Sets::MOST];
        let mut count = 0;
        let links = (pairs, used);
        for region in self.components(part.points & self.region & !groups.union()) {
            if count == Sets::MOST {
                return (FAR, 0);
            }
            let (mut around, mut all_near) = (0u32, 0);
            for g in 0..groups.count {
                if near[g] & region != 0 {
                    around |= 1 << g;
                    all_near |= near[g];
                }
            }
            let left = self.cover(region, region, empties, all_near, &mut pairs, &mut used);
            if around.count_ones() == 1 && left == 0 && region & empties != 0 {
                let candidates = region & empties & all_near;
                let cut =
                    if region & part.own == 0 { self.divides(region, candidates, &pairs) } else { None };
                used |= cut.unwrap_or(0);
                eyes[around.trailing_zeros() as usize] += if cut.is_some() { 2 } else { 1 };
            }
            found[count] = Room { region, around, near: all_near, foe: region & part.foe, left };
            count += 1;
        }
        let (mut alive, mut distance) = (0u32, 0);
        for (g, group) in groups.iter().enumerate() {
            if walled && g == 0 || eyes[g] + u32::from(group & part.guests != 0) >= 2 {
                alive |= 1 << g;
            } else {
                distance += 3;
            }
        }
        for room in &found[..count] {
            if room.around & !alive != 0 {
                distance += 1 + room.left.count_ones();
            } else if !self.is_one_eye(room.left) {
                let (shortage, zone) = match counts_eyes {
                    true => self.shortage(room, empties, links),
                    false => (1 + room.left.count_ones(), 0),
                };
                distance += shortage;
                used |= zone;
            }
        }
        (distance, used)
    }

    /// What is not covered if all stones of the attacker in a room are captured and he begins again.
    fn left_after_capture(&self, room: &Room, empties: u64, (mut pairs, mut used): (Sets, u64)) -> u64 {
        self.cover(room.region, room.region, empties | room.foe, room.near, &mut pairs, &mut used)
    }

    /// How many moves the owner is short of in a room between stones that live, roughly: with none the attacker does not get
    /// two eyes there (see `eyes`). As many points are covered by pairs as is best for that.
    fn shortage(&self, room: &Room, empties: u64, (mut pairs, mut used): (Sets, u64)) -> (u32, u64) {
        let mut covered = room.region & room.near;
        let least = 1 + room.left.count_ones();
        // Stones of the attacker are no eyes of his unless they are captured, and then he has to begin again.
        let is_poor_later =
            room.foe != 0 && self.is_one_eye(self.left_after_capture(room, empties, (pairs, used)));
        let wanted = if is_poor_later { room.region & !room.foe } else { room.region };
        let relied_on = room.region & room.foe & !wanted;
        loop {
            let open = wanted & !covered;
            if self.is_one_eye(open) {
                return (0, used | relied_on);
            }
            let spoils = |eye: usize| self.neighbours[eye] & covered & empties & !used;
            if open.count_ones() <= MOST_EYES
                && let Some(sets) = eyes::Sets::of_eyes(open, |eye| self.neighbours[eye], spoils)
                && sets.are_broken()
            {
                return (0, used | relied_on | sets.all());
            }
            match self.cover_one(open, covered, empties, &mut pairs, &mut used) {
                Some(vertex) => covered |= 1 << vertex,
                None => return (least, 0),
            }
        }
    }

    /// The points of a region that are not covered: not next to `near`, and without two free covered points next to them
    /// that can be a pair.
    fn cover(
        &self,
        region: u64,
        wanted: u64,
        empties: u64,
        near: u64,
        pairs: &mut Sets,
        used: &mut u64,
    ) -> u64 {
        let mut covered = region & near;
        while let Some(vertex) = self.cover_one(wanted & !covered, covered, empties, pairs, used) {
            covered |= 1 << vertex;
        }
        wanted & !covered
    }

    /// A point more that can be covered.
    fn cover_one(
        &self,
        open: u64,
        covered: u64,
        empties: u64,
        pairs: &mut Sets,
        used: &mut u64,
    ) -> Option<usize> {
        // Who has least to choose from, chooses first.
        let (mut best, mut least) = (None, u32::MAX);
        for vertex in bits(open) {
            let beside = self.neighbours[vertex] & covered;
            if pairs.iter().any(|pair| pair & !beside == 0) {
                return Some(vertex);
            }
            let free = beside & empties & !*used;
            let choice = free.count_ones();
            if choice >= 2 && choice < least {
                (best, least) = (Some((vertex, free)), choice);
            }
        }
        let (vertex, mut free) = best?;
        // The points that help others least.
        let mut pair = 0;
        for _ in 0..2 {
            let help = |v: &usize| (self.neighbours[*v] & open).count_ones();
            let point = bits(free).min_by_key(help)?;
            pair |= 1 << point;
            free &= !(1 << point);
        }
        if !pairs.push(pair) {
            return None;
        }
        *used |= pair;
        Some(vertex)
    }

    /// Two points of a region that cut it, each by itself, so that the parts stay eyes.
    fn divides(&self, region: u64, candidates: u64, pairs: &Sets) -> Option<u64> {
        let used = pairs.union();
        let mut cuts = 0;
        for vertex in bits(candidates & !used) {
            let rest = region & !(1 << vertex);
            if rest != 0 && self.flood(rest & rest.wrapping_neg(), rest) != rest {
                cuts |= 1 << vertex;
            }
        }
        // See `pairs`: the owner must not have to fill an eye. `own` is the pair itself, if it is an old one.
        let makes_eyes_with = |cut: usize, lost: usize, own: u64| {
            let rest = region & !(1 << cut);
            self.flood(rest & rest.wrapping_neg(), rest) != rest
                && self.components(rest).all(|part| {
                    part & !(used & !own) != 0
                        || part >> lost & 1 == 1
                        || pairs.iter().any(|&pair| pair != own && pair & !part == 0)
                })
        };
        let makes_eyes = |cut: usize, lost: usize| makes_eyes_with(cut, lost, 0);
        // A pair that is there for another reason may do both.
        let near = candidates & used;
        let is_old = |pair: u64| {
            pair & !near == 0 && {
                let (a, b) = (pair.trailing_zeros() as usize, 63 - pair.leading_zeros() as usize);
                makes_eyes_with(a, b, pair) && makes_eyes_with(b, a, pair)
            }
        };
        pairs.iter().copied().find(|&pair| is_old(pair)).or_else(|| {
            bits(cuts).find_map(|a| {
                let b = bits(cuts & !ones(a + 1)).find(|&b| makes_eyes(a, b) && makes_eyes(b, a))?;
                Some(1 << a | 1 << b)
            })
        })
    }
}
