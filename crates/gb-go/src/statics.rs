//! Safety by inspection, if the owner answers every intrusion (M. Mueller, Playing it safe, 1997, section 3).
//!
//! Every answer lies in the region of the intrusion, and a region whose points are needed for answers becomes territory as
//! a whole. So no point is needed for two things, and proofs for different regions do not disturb each other.

use gb_value::Player;

use crate::benson::{Surroundings, survivors};
use crate::board::{Board, Point};
use crate::pairs::{self, Plan};
use crate::safety::{Reason, Safety};

/// What a rule proves: whose the points are is known from the question.
pub(crate) struct Claim {
    pub reason: Reason,
    pub points: Vec<Point>,
    /// Where to answer: if the opponent takes one point of a pair, the owner takes the other.
    pub pairs: Vec<(Point, Point)>,
}

/// What the static rules prove for a colour beyond what is known.
pub(crate) fn find(board: &Board, colour: Player, known: &Safety) -> Vec<Claim> {
    let around = Surroundings::new(board, colour);
    let is_safe: Vec<bool> =
        around.blocks.iter().map(|block| known.owner(block.stones[0]) == Some(colour)).collect();
    let is_settled: Vec<bool> =
        around.regions.iter().map(|r| r.points.iter().all(|&p| known.owner(p) == Some(colour))).collect();
    let inspection = Inspection { board, around, is_safe, is_settled };
    let chains = inspection.chains();
    // One rule at a time: two of them might want the same point for different answers.
    let is_new = |claim: &Claim| claim.points.iter().any(|&p| known.owner(p) != Some(colour));
    if chains.iter().any(is_new) { chains } else { inspection.surrounded() }
}

struct Inspection<'a> {
    board: &'a Board,
    around: Surroundings,
    is_safe: Vec<bool>,
    /// Regions that are territory already: their points may be needed for answers.
    is_settled: Vec<bool>,
}

/// Blocks that hold together, and what each region does for them.
struct Chains {
    chain_of: Vec<usize>,
    plans: Vec<Option<Plan>>,
}

impl Inspection<'_> {
    fn border(&self, region: usize, chain_of: &[usize]) -> Vec<usize> {
        let mut border: Vec<usize> =
            self.around.regions[region].border.iter().map(|&b| chain_of[b]).collect();
        border.sort_unstable();
        border.dedup();
        border
    }

    /// Links blocks into chains wherever a region has a plan for it, and makes plans for the other regions with the chains
    /// that result.
    fn link(&self) -> Chains {
        let block_of = self.around.block_of(self.board);
        let mut chain_of: Vec<usize> = (0..self.around.blocks.len()).collect();
        let mut plans: Vec<Option<Plan>> = vec![None; self.around.regions.len()];
        loop {
            let mut linked = false;
            for (r, region) in self.around.regions.iter().enumerate() {
                let border = self.border(r, &chain_of);
                if border.len() < 2 || self.is_settled[r] {
                    continue;
                }
                let group_of = |p: Point| block_of[p as usize].map(|block| chain_of[block]);
                if let Some(plan) = pairs::plan(self.board, region, &border, group_of) {
                    plans[r] = Some(plan);
                    chain_of.iter_mut().filter(|c| border.contains(c)).for_each(|c| *c = border[0]);
                    linked = true;
                }
            }
            if !linked {
                break;
            }
        }
        for (r, region) in self.around.regions.iter().enumerate() {
            let border = self.border(r, &chain_of);
            if plans[r].is_some() || border.is_empty() || self.is_settled[r] {
                continue;
            }
            let group_of = |p: Point| block_of[p as usize].map(|block| chain_of[block]);
            plans[r] = match border.len() {
                1 => pairs::plan(self.board, region, &border, group_of),
                _ => pairs::guard(self.board, region, &border, group_of),
            };
        }
        Chains { chain_of, plans }
    }

    /// Benson's elimination, with chains for blocks and with the eyes that plans give.
    fn chains(&self) -> Vec<Claim> {
        let Chains { chain_of, plans } = self.link();
        let regions: Vec<(Vec<usize>, Vec<usize>)> = (0..self.around.regions.len())
            .map(|r| {
                let border = self.border(r, &chain_of);
                let vital = border.iter().copied().filter(|&chain| self.is_vital(r, chain, &chain_of));
                let served = match &plans[r] {
                    Some(plan) => border.iter().flat_map(|&chain| vec![chain; plan.eyes]).collect(),
                    None => vital.collect(),
                };
                (border, served)
            })
            .collect();
        let mut safe_chain = vec![false; self.around.blocks.len()];
        for (block, &safe) in self.is_safe.iter().enumerate() {
            // A chain with a safe block in it is safe: the link holds.
            safe_chain[chain_of[block]] |= safe;
        }
        let alive = survivors(&safe_chain, &regions);
        let kept: Vec<usize> = (0..regions.len())
            .filter(|&r| alive.regions[r] && regions[r].1.iter().any(|&chain| alive.groups[chain]))
            .collect();
        // Where one region makes both eyes, that is the reason for its border too.
        let has_both_eyes = |r: &usize| plans[*r].as_ref().is_some_and(|plan| plan.eyes == 2);
        let double: Vec<usize> = kept.iter().copied().filter(has_both_eyes).collect();
        let mut claims = vec![];
        for &r in &double {
            let border = &self.around.regions[r].border;
            claims.push(self.claim(Reason::TwoEyes, &[r], border, plans[r].as_ref()));
        }
        for &r in kept.iter().filter(|&r| !double.contains(r)) {
            claims.push(self.claim(Reason::Answered, &[r], &[], plans[r].as_ref()));
        }
        let blocks: Vec<usize> =
            (0..self.around.blocks.len()).filter(|&b| alive.groups[chain_of[b]]).collect();
        claims.push(self.claim(Reason::Answered, &[], &blocks, None));
        claims
    }

    fn is_vital(&self, region: usize, chain: usize, chain_of: &[usize]) -> bool {
        let region = &self.around.regions[region];
        !region.empties.is_empty()
            && region.empties.iter().all(|p| {
                region.border.iter().any(|&b| {
                    chain_of[b] == chain && self.around.blocks[b].liberties.binary_search(p).is_ok()
                })
            })
    }

    fn claim(&self, reason: Reason, regions: &[usize], blocks: &[usize], plan: Option<&Plan>) -> Claim {
        let mut points: Vec<Point> =
            regions.iter().flat_map(|&r| self.around.regions[r].points.iter().copied()).collect();
        points.extend(blocks.iter().flat_map(|&b| self.around.blocks[b].stones.iter().copied()));
        Claim { reason, points, pairs: plan.map_or_else(Vec::new, |plan| plan.pairs.clone()) }
    }

    /// Single regions, and if none of them yields anything new, pairs of regions that share a block which is not safe yet.
    fn surrounded(&self) -> Vec<Claim> {
        let open: Vec<usize> = (0..self.around.regions.len()).filter(|&r| !self.is_settled[r]).collect();
        let single: Vec<Claim> = open.iter().filter_map(|&r| self.surrounded_in(&[r])).collect();
        if !single.is_empty() {
            return single;
        }
        for (i, &first) in open.iter().enumerate() {
            for &second in &open[i + 1..] {
                let border = &self.around.regions[second].border;
                let share = |b: &usize| !self.is_safe[*b] && border.contains(b);
                if self.around.regions[first].border.iter().any(share)
                    && let Some(claim) = self.surrounded_in(&[first, second])
                {
                    return vec![claim];
                }
            }
        }
        vec![]
    }

    /// Regions between safe stones, or stones that can be linked to them, in which the opponent finds no two eyes: an eye
    /// needs a point that touches none of these stones, and two such points next to each other make one eye only.
    fn surrounded_in(&self, regions: &[usize]) -> Option<Claim> {
        let border: Vec<usize> =
            regions.iter().flat_map(|&r| self.around.regions[r].border.iter().copied()).collect();
        let inside =
            |p: Point| regions.iter().any(|&r| self.around.regions[r].points.binary_search(&p).is_ok());
        let is_interior = |p: &Point| self.board.neighbours(*p).all(inside);
        let points = || regions.iter().flat_map(|&r| &self.around.regions[r].points);
        let interior: Vec<Point> = points().copied().filter(is_interior).collect();
        let has_one_eye_at_most = match interior[..] {
            [] | [_] => true,
            [a, b] => self.board.neighbours(a).any(|n| n == b),
            _ => false,
        };
        if !has_one_eye_at_most {
            return None;
        }
        let pairs = self.linked_to_safe(regions, &border)?;
        Some(Claim { pairs, ..self.claim(Reason::Surrounded, regions, &border, None) })
    }

    /// Pairs of liberties by which every block around the regions is linked to a safe one.
    fn linked_to_safe(&self, regions: &[usize], border: &[usize]) -> Option<Vec<(Point, Point)>> {
        let liberties = |b: usize| &self.around.blocks[b].liberties;
        let mut held: Vec<usize> = border.iter().copied().filter(|&b| self.is_safe[b]).collect();
        let mut loose: Vec<usize> = border.iter().copied().filter(|&b| !self.is_safe[b]).collect();
        loose.sort_unstable();
        loose.dedup();
        let mut pairs: Vec<(Point, Point)> = vec![];
        while !loose.is_empty() {
            let before = loose.len();
            loose.retain(|&block| {
                let ways: Vec<Point> = regions
                    .iter()
                    .flat_map(|&r| self.around.regions[r].empties.iter().copied())
                    .filter(|p| liberties(block).binary_search(p).is_ok())
                    .filter(|p| held.iter().any(|&safe| liberties(safe).binary_search(p).is_ok()))
                    .collect();
                let shared = pairs.iter().any(|(a, b)| ways.contains(a) && ways.contains(b));
                let is_free = |p: &Point| pairs.iter().all(|(a, b)| a != p && b != p);
                let free: Vec<Point> = ways.into_iter().filter(is_free).collect();
                match free[..] {
                    _ if shared => {}
                    [a, b, ..] => pairs.push((a, b)),
                    _ => return true,
                }
                held.push(block);
                false
            });
            if loose.len() == before {
                return None;
            }
        }
        // A region without any safe stone around it is not surrounded.
        held.iter().any(|&b| self.is_safe[b]).then_some(pairs)
    }
}
