//! Blocks that live even if their owner never moves again (D. Benson, Life in the game of Go, Information Sciences 10, 1976).

use gb_value::Player;

use crate::board::{Block, Board, Point};

/// A maximal connected set of points without stones of one colour.
pub struct Region {
    /// All points, ascending.
    pub points: Vec<Point>,
    /// Those without a stone.
    pub empties: Vec<Point>,
    /// The blocks around it, as places in [`Surroundings::blocks`].
    pub border: Vec<usize>,
}

/// The board as one colour sees it: its blocks, and the regions between them.
pub struct Surroundings {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The regions.
    pub regions: Vec<Region>,
}

impl Surroundings {
    /// The blocks and regions of a colour.
    pub fn new(board: &Board, colour: Player) -> Surroundings {
        let mut block_of = vec![usize::MAX; board.points().len()];
        let mut blocks = vec![];
        for stones in board.components(|p| board.at(p) == Some(colour)) {
            stones.iter().for_each(|&p| block_of[p as usize] = blocks.len());
            let liberties = board.around(&stones, |p| board.at(p).is_none());
            blocks.push(Block { stones, liberties });
        }
        let regions = board.components(|p| board.at(p) != Some(colour)).into_iter().map(|points| {
            let around = board.around(&points, |_| true);
            let mut border: Vec<usize> = around.iter().map(|&p| block_of[p as usize]).collect();
            border.sort_unstable();
            border.dedup();
            let empties = points.iter().copied().filter(|&p| board.at(p).is_none()).collect();
            Region { points, empties, border }
        });
        Surroundings { regions: regions.collect(), blocks }
    }

    /// For each point of the board the block of the stone on it, as a place in [`Surroundings::blocks`].
    pub(crate) fn block_of(&self, board: &Board) -> Vec<Option<usize>> {
        let mut block_of = vec![None; board.points().len()];
        for (index, block) in self.blocks.iter().enumerate() {
            block.stones.iter().for_each(|&p| block_of[p as usize] = Some(index));
        }
        block_of
    }

    /// Whether every empty point of a region is a liberty of a block.
    pub fn is_vital(&self, region: usize, block: usize) -> bool {
        let liberties = &self.blocks[block].liberties;
        let empties = &self.regions[region].empties;
        !empties.is_empty() && empties.iter().all(|p| liberties.binary_search(p).is_ok())
    }
}

/// Which groups live, and which regions are theirs.
pub(crate) struct Survivors {
    pub groups: Vec<bool>,
    pub regions: Vec<bool>,
}

/// Benson's elimination. `regions` gives for each region the groups around it and those to which it gives an eye: groups
/// with fewer than two eyes go, then regions that such a group borders, until nothing changes.
/// Groups in `safe` stay in any case.
pub(crate) fn survivors(safe: &[bool], regions: &[(Vec<usize>, Vec<usize>)]) -> Survivors {
    let groups = safe.len();
    let mut alive = Survivors { groups: vec![true; groups], regions: vec![true; regions.len()] };
    loop {
        let mut eyes = vec![0; groups];
        for (_, (_, served)) in regions.iter().enumerate().filter(|&(i, _)| alive.regions[i]) {
            served.iter().for_each(|&group| eyes[group] += 1);
        }
        let mut changed = false;
        for group in 0..groups {
            if alive.groups[group] && eyes[group] < 2 && !safe[group] {
                alive.groups[group] = false;
                changed = true;
            }
        }
        for (i, (border, _)) in regions.iter().enumerate() {
            alive.regions[i] &= border.iter().all(|&group| alive.groups[group]);
        }
        if !changed {
            return alive;
        }
    }
}

/// The points that are unconditionally a colour's: stones of living blocks, and all points of the regions that are vital to
/// one of them.
pub fn benson(board: &Board, colour: Player) -> Vec<Point> {
    let around = Surroundings::new(board, colour);
    let regions: Vec<(Vec<usize>, Vec<usize>)> = (0..around.regions.len())
        .map(|r| {
            let border = around.regions[r].border.clone();
            let vital = border.iter().copied().filter(|&b| around.is_vital(r, b)).collect();
            (border, vital)
        })
        .collect();
    let alive = survivors(&vec![false; around.blocks.len()], &regions);
    let blocks = around.blocks.iter().zip(&alive.groups).filter(|(_, alive)| **alive).map(|(b, _)| &b.stones);
    let territory = around
        .regions
        .iter()
        .enumerate()
        .filter(|(r, _)| alive.regions[*r] && regions[*r].1.iter().any(|&b| alive.groups[b]));
    let mut points: Vec<Point> = blocks.flatten().copied().collect();
    points.extend(territory.flat_map(|(_, region)| region.points.iter().copied()));
    points.sort_unstable();
    points
}
