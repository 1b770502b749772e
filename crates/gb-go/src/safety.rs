//! Whose a point is for good, and why.

use std::collections::BTreeMap;

use gb_value::Player;

use crate::area::Area;
use crate::benson::{Surroundings, benson};
use crate::board::{Board, Point};
use crate::proof::{self, Proof};
use crate::statics;

/// Why a point is safe.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Its owner need not even answer.
    Unconditional,
    /// Its owner answers every intrusion, and so keeps blocks linked and eyes whole.
    Answered,
    /// One region gives two eyes, because its owner answers there.
    TwoEyes,
    /// The opponent cannot make two eyes in there.
    Surrounded,
    /// A search has answered every attack.
    Search,
}

impl Reason {
    /// All of them, the strongest first.
    pub const ALL: [Reason; 5] =
        [Reason::Unconditional, Reason::Answered, Reason::TwoEyes, Reason::Surrounded, Reason::Search];

    /// In a few words.
    pub fn text(self) -> &'static str {
        match self {
            Reason::Unconditional => "it needs no answer",
            Reason::Answered => "every intrusion can be answered",
            Reason::TwoEyes => "one region gives two eyes if intrusions are answered",
            Reason::Surrounded => "the opponent has no room for two eyes",
            Reason::Search => "a search has answered every attack",
        }
    }
}

/// How hard to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Use the static rules for answered intrusions.
    pub statics: bool,
    /// Search regions with at most so many empty points (0: no search).
    pub search_empties: usize,
    /// How many positions one such search may visit.
    pub search_nodes: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { statics: true, search_empties: 10, search_nodes: 50_000 }
    }
}

impl Effort {
    /// Benson's theorem alone.
    pub const BENSON: Effort = Effort { statics: false, search_empties: 0, search_nodes: 0 };
}

/// Safe stones and territories.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Safety {
    owners: Vec<Option<(Player, Reason)>>,
    /// Where the owner answers by rule.
    partners: BTreeMap<Point, Point>,
}

impl Safety {
    /// What is safe on a board.
    pub fn of(board: &Board, effort: &Effort) -> Safety {
        let mut safety = Safety { owners: vec![None; board.points().len()], partners: BTreeMap::new() };
        for colour in Player::BOTH {
            safety.add(colour, Reason::Unconditional, &benson(board, colour));
        }
        // What one rule proves helps the others.
        loop {
            let known = safety.count();
            for colour in Player::BOTH {
                if effort.statics {
                    for claim in statics::find(board, colour, &safety) {
                        safety.add(colour, claim.reason, &claim.points);
                        for (a, b) in claim.pairs {
                            safety.partners.extend([(a, b), (b, a)]);
                        }
                    }
                }
                if effort.search_empties > 0 {
                    safety.search(board, colour, effort);
                }
            }
            if safety.count() == known {
                return safety;
            }
        }
    }

    /// Whose the point is.
    pub fn owner(&self, point: Point) -> Option<Player> {
        self.owners[point as usize].map(|(player, _)| player)
    }

    /// Why it is.
    pub fn reason(&self, point: Point) -> Option<Reason> {
        self.owners[point as usize].map(|(_, reason)| reason)
    }

    /// Where the owner of a point answers if the opponent plays there; `None` if no rule says so.
    pub fn partner(&self, point: Point) -> Option<Point> {
        self.partners.get(&point).copied()
    }

    /// How many points are safe.
    pub fn count(&self) -> usize {
        self.owners.iter().flatten().count()
    }

    pub(crate) fn add(&mut self, colour: Player, reason: Reason, points: &[Point]) {
        for &point in points {
            self.owners[point as usize].get_or_insert((colour, reason));
        }
    }

    /// The owner of a safe stone on a point.
    pub fn wall(&self, board: &Board, point: Point) -> Option<Player> {
        self.owner(point).filter(|&owner| board.at(point) == Some(owner))
    }

    /// Tries to prove by search that regions of a colour are its own, with the blocks around them.
    fn search(&mut self, board: &Board, colour: Player, effort: &Effort) {
        let around = Surroundings::new(board, colour);
        for region in &around.regions {
            let unsafe_blocks: Vec<usize> = region
                .border
                .iter()
                .copied()
                .filter(|&b| self.owner(around.blocks[b].stones[0]) != Some(colour))
                .collect();
            let settled = region.points.iter().all(|&p| self.owner(p) == Some(colour));
            if region.empties.len() > effort.search_empties
                || region.border.is_empty()
                || settled && unsafe_blocks.is_empty()
                || region.points.iter().any(|&p| self.owner(p) == Some(colour.opponent()))
            {
                continue;
            }
            let blocks: Vec<&[Point]> =
                unsafe_blocks.iter().map(|&b| around.blocks[b].stones.as_slice()).collect();
            if let Some(attack) = Siege::new(board, &region.points, &blocks, |p| self.wall(board, p))
                && attack.settled(colour, effort.search_nodes) == Proof::Proven
            {
                self.add(colour, Reason::Search, &attack.points);
            }
        }
    }
}

/// A region and the unsafe blocks around it, cut out of the board. Liberties of these blocks elsewhere do not count: the
/// opponent may have filled them.
pub(crate) struct Siege {
    pub area: Area,
    pub points: Vec<Point>,
    pub precious: u64,
}

impl Siege {
    /// `None` if that is too large, or if a block has no liberty in the region.
    pub fn new(
        board: &Board,
        region: &[Point],
        blocks: &[&[Point]],
        wall: impl Fn(Point) -> Option<Player>,
    ) -> Option<Siege> {
        let has_liberty = |stones: &&[Point]| {
            let is_liberty = |p: Point| board.at(p).is_none() && region.binary_search(&p).is_ok();
            !board.around(stones, is_liberty).is_empty()
        };
        if !blocks.iter().all(has_liberty) {
            return None;
        }
        let mut points = region.to_vec();
        points.extend(blocks.iter().copied().flatten());
        points.sort_unstable();
        let area = Area::cut(board, &points, wall)?;
        let is_border = |p: &Point| region.binary_search(p).is_err();
        let precious =
            points.iter().enumerate().filter(|(_, p)| is_border(p)).fold(0, |set, (i, _)| set | 1 << i);
        Some(Siege { area, points, precious })
    }

    pub fn settled(&self, owner: Player, limit: usize) -> Proof {
        proof::settled(&self.area, owner, self.precious, limit)
    }
}
