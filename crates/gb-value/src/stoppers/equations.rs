//! A graph of positions as equations: each position is a game whose options are positions of the graph or known games.

use super::{Id, SidedId, StopperId};
use crate::player::Player;
use crate::value::Value;

/// An option of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opt {
    /// A position of the same graph, which may be pushed later.
    Node(u32),
    /// A game that is known.
    Known(SidedId),
}

impl Opt {
    /// A value as an option.
    pub fn of(value: Value) -> Opt {
        Opt::Known(value.into())
    }
}

const KNOWN: u32 = 1 << 31;

/// Positions and their options, packed: a graph may have a million of them.
#[derive(Clone, Debug, Default)]
pub struct Equations {
    /// Where the options of each player end, in the order of positions and players.
    ends: Vec<u32>,
    /// Positions, or places in `known` with the highest bit.
    options: Vec<u32>,
    known: Vec<SidedId>,
}

impl Equations {
    /// Adds a position and says its number: they are counted from 0.
    pub fn push(&mut self, left: &[Opt], right: &[Opt]) -> u32 {
        for side in [left, right] {
            for option in side {
                let packed = match *option {
                    Opt::Node(node) => node & !KNOWN,
                    Opt::Known(game) => self.known_number(game) | KNOWN,
                };
                self.options.push(packed);
            }
            self.ends.push(self.options.len() as u32);
        }
        (self.ends.len() / 2 - 1) as u32
    }

    fn known_number(&mut self, game: SidedId) -> u32 {
        // Mostly the same few (`on`, `off`) come again and again.
        let recent = self.known.len().saturating_sub(8);
        match self.known[recent..].iter().position(|&k| k == game) {
            Some(place) => (recent + place) as u32,
            None => {
                self.known.push(game);
                (self.known.len() - 1) as u32
            }
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.ends.len() / 2
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        4 * (self.ends.capacity() + self.options.capacity()) as u64
            + (self.known.capacity() * size_of::<SidedId>()) as u64
    }

    fn range(&self, list: usize) -> std::ops::Range<usize> {
        let start = if list == 0 { 0 } else { self.ends[list - 1] as usize };
        start..self.ends[list] as usize
    }

    fn unpack(&self, packed: u32) -> Opt {
        if packed & KNOWN == 0 {
            Opt::Node(packed)
        } else {
            Opt::Known(self.known[(packed & !KNOWN) as usize])
        }
    }

    /// The options of a player at a position.
    pub fn options(&self, node: u32, who: Player) -> impl ExactSizeIterator<Item = Opt> + '_ {
        self.options[self.range(2 * node as usize + who as usize)].iter().map(|&p| self.unpack(p))
    }

    /// The i-th position that `node` leads to, whoever moves, in the way components are looked for.
    pub(super) fn next(&self, node: u32, i: usize) -> Option<Option<u32>> {
        let both = self.range(2 * node as usize).start..self.range(2 * node as usize + 1).end;
        let packed = *self.options[both].get(i)?;
        Some((packed & KNOWN == 0).then_some(packed))
    }

    /// The first position that is named but was never pushed.
    pub(super) fn missing(&self) -> Option<u32> {
        self.options.iter().copied().find(|&p| p & KNOWN == 0 && p as usize >= self.len())
    }
}

/// One side of a two-sided game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    On,
    Off,
}

impl SidedId {
    pub(super) fn side(self, side: Side) -> Id {
        let StopperId(id) = match side {
            Side::On => self.onside,
            Side::Off => self.offside,
        };
        id
    }
}
