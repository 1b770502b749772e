//! Safety by inspection, if the owner answers every intrusion (M. Mueller, Playing it safe, 1997, section 3).

use gb_value::Player;

use crate::benson::{Surroundings, survivors};
use crate::board::{Board, Point};
use crate::safety::{Reason, Safety};

/// What the static rules prove for a colour beyond what is known.
pub(crate) fn find(board: &Board, colour: Player, known: &Safety) -> Vec<(Reason, Vec<Point>)> {
    let around = Surroundings::new(board, colour);
    let is_safe: Vec<bool> =
        around.blocks.iter().map(|block| known.owner(block.stones[0]) == Some(colour)).collect();
    vec![
        (Reason::Chains, chains(&around, &is_safe)),
        (Reason::Surrounded, surrounded(board, &around, &is_safe)),
    ]
}

/// Blocks that keep two common liberties in a region are one chain: if the opponent takes one, the owner takes the other.
/// All empty points of the region must be liberties of the blocks around it; then the intruder dies there, and the region
/// is an eye of the chain as well. With chains for blocks, Benson's elimination follows.
fn chains(around: &Surroundings, is_safe: &[bool]) -> Vec<Point> {
    let mut chain_of: Vec<usize> = (0..around.blocks.len()).collect();
    loop {
        let mut merged = false;
        for region in &around.regions {
            let mut border: Vec<usize> = region.border.iter().map(|&b| chain_of[b]).collect();
            border.sort_unstable();
            border.dedup();
            if border.len() < 2 {
                continue;
            }
            let is_liberty = |p: &Point, chain: usize| {
                region
                    .border
                    .iter()
                    .any(|&b| chain_of[b] == chain && around.blocks[b].liberties.binary_search(p).is_ok())
            };
            let all_liberties = region.empties.iter().all(|p| border.iter().any(|&c| is_liberty(p, c)));
            let common = region.empties.iter().filter(|p| border.iter().all(|&c| is_liberty(p, c))).count();
            if all_liberties && common >= 2 {
                let first = border[0];
                chain_of.iter_mut().filter(|c| border.contains(c)).for_each(|c| *c = first);
                merged = true;
            }
        }
        if !merged {
            break;
        }
    }
    let regions: Vec<(Vec<usize>, Vec<usize>)> = around
        .regions
        .iter()
        .map(|region| {
            let mut border: Vec<usize> = region.border.iter().map(|&b| chain_of[b]).collect();
            border.sort_unstable();
            border.dedup();
            let serves = |chain: &usize| {
                !region.empties.is_empty()
                    && region.empties.iter().all(|p| {
                        region.border.iter().any(|&b| {
                            chain_of[b] == *chain && around.blocks[b].liberties.binary_search(p).is_ok()
                        })
                    })
            };
            let served = border.iter().copied().filter(serves).collect();
            (border, served)
        })
        .collect();
    let mut safe_chain = vec![false; around.blocks.len()];
    for (block, &safe) in is_safe.iter().enumerate() {
        // A chain with a safe block in it is safe: the link holds.
        safe_chain[chain_of[block]] |= safe;
    }
    let alive = survivors(&safe_chain, &regions);
    let mut points: Vec<Point> = vec![];
    for (block, content) in around.blocks.iter().enumerate() {
        if alive.groups[chain_of[block]] {
            points.extend(&content.stones);
        }
    }
    for (i, region) in around.regions.iter().enumerate() {
        if alive.regions[i] && regions[i].1.iter().any(|&chain| alive.groups[chain]) {
            points.extend(&region.points);
        }
    }
    points
}

/// Regions between safe stones alone in which the opponent finds no two eyes: an eye needs a point that touches no safe
/// stone, and two such points next to each other make one eye only.
fn surrounded(board: &Board, around: &Surroundings, is_safe: &[bool]) -> Vec<Point> {
    let mut points = vec![];
    for region in &around.regions {
        if region.border.is_empty() || !region.border.iter().all(|&b| is_safe[b]) {
            continue;
        }
        let touches = |p: Point| board.neighbours(p).any(|n| region.points.binary_search(&n).is_err());
        let interior: Vec<Point> = region.points.iter().copied().filter(|&p| !touches(p)).collect();
        let one_eye = match interior[..] {
            [] | [_] => true,
            [a, b] => board.neighbours(a).any(|n| n == b),
            _ => false,
        };
        if one_eye {
            points.extend(&region.points);
        }
    }
    points
}
