//! Keeping a region by answering (M. Mueller, Playing it safe, 1997, sections 3.2 to 3.4).
//!
//! A plan is a set of disjoint pairs of empty points. If the opponent takes one point of a pair, the owner takes the other;
//! to everything else he need not answer. What holds as long as he has one point of each pair, holds for good.

use crate::benson::Region;
use crate::board::{Board, Point};

/// Regions with more empty points are left to other rules: there are too many pairs to try.
const MAX_EMPTIES: usize = 32;

/// How a region is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// Disjoint pairs of empty points.
    pub pairs: Vec<(Point, Point)>,
    /// How many eyes it gives to the groups around it.
    pub eyes: usize,
}

/// A region, and which groups touch each of its points. Groups are blocks, or chains of blocks that hold together because
/// of what is in other regions.
struct Planner<'a> {
    board: &'a Board,
    region: &'a Region,
    /// For each point of the region the groups next to it.
    touching: Vec<Vec<usize>>,
    pairs: Vec<(Point, Point)>,
    /// For each point of the region: it touches a group, or will, whatever the opponent does.
    is_covered: Vec<bool>,
}

/// A plan that links all groups around a region into one, covers every point of the region, and makes one eye or two.
///
/// - Two groups are linked by a pair of points that touch both.
/// - A point is covered if it touches a group, or both points of a pair which themselves are covered. An opponent who lives
///   in there would need an eye, and an eye is a point that cannot be covered. So the region is an eye for the owner.
/// - If each point of a pair touches a group and cuts the region in two, both pieces become eyes.
///
/// `group_of` gives the group of each block, `border` the groups around the region.
pub(crate) fn plan(
    board: &Board,
    region: &Region,
    border: &[usize],
    group_of: impl Fn(Point) -> Option<usize>,
) -> Option<Plan> {
    let mut planner = Planner::new(board, region, group_of)?;
    if !planner.link(border) || !planner.cover() {
        return None;
    }
    let eyes = if planner.divide() { 2 } else { 1 };
    Some(Plan { pairs: planner.pairs, eyes })
}

/// A plan that gives an eye to every group around a region without linking them: a point next to all of them that has one
/// way in. An intruder there is captured from the entry; if he takes the entry, the point links all groups.
pub(crate) fn guard(
    board: &Board,
    region: &Region,
    border: &[usize],
    group_of: impl Fn(Point) -> Option<usize>,
) -> Option<Plan> {
    let planner = Planner::new(board, region, group_of)?;
    if planner.is_covered.contains(&false) {
        return None;
    }
    region.empties.iter().find_map(|&point| {
        let inside: Vec<Point> = board.neighbours(point).filter(|&n| planner.index(n).is_some()).collect();
        match inside[..] {
            [entry] if board.at(entry).is_none() && planner.groups_at(point).len() == border.len() => {
                Some(Plan { pairs: vec![(point, entry)], eyes: 1 })
            }
            _ => None,
        }
    })
}

impl<'a> Planner<'a> {
    fn new(
        board: &'a Board,
        region: &'a Region,
        group_of: impl Fn(Point) -> Option<usize>,
    ) -> Option<Planner<'a>> {
        if region.empties.is_empty() || region.empties.len() > MAX_EMPTIES {
            return None;
        }
        let groups = |p: Point| {
            let mut groups: Vec<usize> = board.neighbours(p).filter_map(&group_of).collect();
            groups.sort_unstable();
            groups.dedup();
            groups
        };
        let touching: Vec<Vec<usize>> = region.points.iter().map(|&p| groups(p)).collect();
        let is_covered = touching.iter().map(|groups| !groups.is_empty()).collect();
        Some(Planner { board, region, touching, pairs: vec![], is_covered })
    }

    fn index(&self, point: Point) -> Option<usize> {
        self.region.points.binary_search(&point).ok()
    }

    fn groups_at(&self, point: Point) -> &[usize] {
        self.index(point).map_or(&[], |i| &self.touching[i])
    }

    fn is_free(&self, point: Point) -> bool {
        self.board.at(point).is_none() && self.pairs.iter().all(|&(a, b)| a != point && b != point)
    }

    /// Links the groups around the region by pairs of common liberties.
    fn link(&mut self, border: &[usize]) -> bool {
        let mut name: Vec<(usize, usize)> = border.iter().map(|&group| (group, group)).collect();
        let linked = |name: &[(usize, usize)], groups: &[usize]| {
            let mut names: Vec<usize> =
                name.iter().filter(|(group, _)| groups.contains(group)).map(|&(_, name)| name).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        while name.iter().any(|&(_, n)| n != name[0].1) {
            let mut best: Option<(Vec<usize>, (Point, Point))> = None;
            for (i, &p) in self.region.empties.iter().enumerate().filter(|&(_, &p)| self.is_free(p)) {
                let at_p = linked(&name, self.groups_at(p));
                for &q in self.region.empties[i + 1..].iter().filter(|&&q| self.is_free(q)) {
                    let at_q = linked(&name, self.groups_at(q));
                    let both: Vec<usize> = at_p.iter().copied().filter(|n| at_q.contains(n)).collect();
                    if both.len() >= 2 && best.as_ref().is_none_or(|(most, _)| both.len() > most.len()) {
                        best = Some((both, (p, q)));
                    }
                }
            }
            let Some((both, pair)) = best else { return false };
            self.pairs.push(pair);
            name.iter_mut().filter(|(_, n)| both.contains(n)).for_each(|(_, n)| *n = both[0]);
        }
        true
    }

    /// Covers the points that touch no group, opposing stones included: they may be captured.
    fn cover(&mut self) -> bool {
        loop {
            let before = self.is_covered.iter().filter(|&&covered| covered).count();
            if before == self.is_covered.len() {
                return true;
            }
            for i in 0..self.region.points.len() {
                if self.is_covered[i] {
                    continue;
                }
                let near: Vec<Point> = self
                    .board
                    .neighbours(self.region.points[i])
                    .filter(|&n| self.index(n).is_some_and(|j| self.is_covered[j]))
                    .collect();
                let shared = self.pairs.iter().any(|(a, b)| near.contains(a) && near.contains(b));
                let free: Vec<Point> = near.into_iter().filter(|&n| self.is_free(n)).collect();
                match free[..] {
                    _ if shared => self.is_covered[i] = true,
                    [a, b, ..] => {
                        self.pairs.push((a, b));
                        self.is_covered[i] = true;
                    }
                    _ => {}
                }
            }
            if self.is_covered.iter().filter(|&&covered| covered).count() == before {
                return false;
            }
        }
    }

    /// Finds a pair, an old one or a new one, each point of which cuts the region in two.
    fn divide(&mut self) -> bool {
        let touches = |&p: &Point| !self.groups_at(p).is_empty();
        let is_good = |a: Point, b: Point| self.makes_eyes(a, b) && self.makes_eyes(b, a);
        if self.pairs.iter().any(|(a, b)| touches(a) && touches(b) && is_good(*a, *b)) {
            return true;
        }
        let free: Vec<Point> =
            self.region.empties.iter().copied().filter(|p| self.is_free(*p) && touches(p)).collect();
        let new = free
            .iter()
            .enumerate()
            .find_map(|(i, &a)| free[i + 1..].iter().copied().find(|&b| is_good(a, b)).map(|b| (a, b)));
        self.pairs.extend(new);
        new.is_some()
    }

    /// Whether the region without `cut`, which the owner takes because the opponent has taken `lost`, is several eyes. The
    /// owner must not have to fill one of them: it has a point that no other pair wants, or both points of a pair.
    fn makes_eyes(&self, cut: Point, lost: Point) -> bool {
        let parts = self.board.components(|q| q != cut && self.index(q).is_some());
        let others: Vec<(Point, Point)> =
            self.pairs.iter().copied().filter(|&pair| pair != (cut, lost) && pair != (lost, cut)).collect();
        let stays = |part: &Vec<Point>| {
            let has = |p: &Point| part.binary_search(p).is_ok();
            part.iter().any(|&p| p == lost || others.iter().all(|&(a, b)| a != p && b != p))
                || others.iter().any(|(a, b)| has(a) && has(b))
        };
        parts.len() >= 2 && parts.iter().all(stays)
    }
}
