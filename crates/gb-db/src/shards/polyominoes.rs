//! All connected parts up to a number of cells, of any shape: enumerated in shards, numbered in files, looked up in finished layers.
//!
//! Layer 0 is the enumeration: each of its shards is a part of Redelmeier's walk, and leaves the keys of the parts that it has met in a file.
//! Merged they are the keys of the other layers, which are the parts of 1, 2 and so on cells. The value of a part follows from those of the parts that
//! its moves leave.

use std::ops::Range;
use std::sync::OnceLock;

use gb_board::Codes;
use gb_rules::{Player, Sign};
use gb_value::Budget;
use smallvec::SmallVec;

use super::files::Folder;
use super::keys::{Keys, merge_keys, write_found};
use super::shapes::PartPlace;
use crate::error::StoreError;
use crate::game::TabulatedGame;
use crate::parts::{Key, check_cells, polyominoes_after};

/// Cells of the beginnings that shards of the enumeration go on from. There are 2,725 of 8 cells.
const PREFIX: usize = 8;
/// The budget is asked after so many shapes.
const SHAPES_AT_ONCE: u64 = 1 << 10;

/// All parts up to a number of cells.
pub(super) struct Polyominoes {
    pub(super) game: TabulatedGame,
    pub(super) cells: usize,
    /// How many parts each layer has, once they are enumerated.
    counts: OnceLock<Vec<u64>>,
}

impl Polyominoes {
    pub(super) fn new(game: TabulatedGame, cells: usize) -> Result<Polyominoes, StoreError> {
        check_cells(&game, cells)?;
        Ok(Polyominoes { game, cells, counts: OnceLock::new() })
    }

    /// Layers: the enumeration, and the parts of each number of cells.
    pub(super) fn layers(&self) -> usize {
        self.cells + 1
    }

    /// Shards of the enumeration: about as many parts are in each, whatever the number of cells.
    pub(super) fn walks(&self) -> u64 {
        match self.cells {
            ..14 => 1,
            cells => 4u64.pow(cells as u32 - 13).min(1 << 11),
        }
    }

    /// Whether the parts are enumerated.
    pub(super) fn is_enumerated(&self, folder: &Folder) -> bool {
        (1..=self.cells).all(|layer| folder.keys(layer).exists())
    }

    /// How many parts each layer has; none if they are not enumerated yet.
    fn counts(&self, folder: &Folder) -> &[u64] {
        if let Some(counts) = self.counts.get() {
            return counts;
        }
        if !self.is_enumerated(folder) {
            return &[];
        }
        let count = |layer: usize| match layer {
            0 => Ok(0),
            layer => Keys::open(folder, layer).map(|keys| keys.count),
        };
        match (0..=self.cells).map(count).collect::<Result<Vec<u64>, _>>() {
            Ok(counts) => self.counts.get_or_init(|| counts),
            Err(_) => &[],
        }
    }

    /// The places of the parts of a layer.
    pub(super) fn layer(&self, layer: usize, folder: &Folder) -> Range<u64> {
        let counts = self.counts(folder);
        let end = |layer: usize| counts.iter().take(layer).sum::<u64>();
        end(layer)..end(layer + 1)
    }

    /// Finds the parts that a shard of the walk meets, and writes their keys to its file.
    pub(super) fn walk(&self, folder: &Folder, walk: u64, budget: &Budget) -> Result<(), StoreError> {
        let letters = self.game.letters();
        let mut layers: Vec<Vec<Key>> = vec![vec![]; self.cells + 1];
        let mut shapes = 0u64;
        let chosen = |beginning: u64| beginning % self.walks() == walk;
        polyominoes_after(self.cells, PREFIX, &chosen, &mut |shape| {
            shapes += 1;
            if shapes.is_multiple_of(SHAPES_AT_ONCE) {
                let bytes = layers.iter().map(|keys| keys.capacity() * size_of::<Key>()).sum::<usize>();
                budget.spend(0, bytes as u64)?;
            }
            crate::parts::for_each_normal(&self.game, shape, letters, &mut |cells, key| {
                layers[cells].push(key)
            })
        })?;
        write_found(folder, &folder.found(0, walk), &mut layers)
    }

    /// Ends the enumeration.
    pub(super) fn merge_walks(&self, folder: &Folder, memory: u64) -> Result<(), StoreError> {
        let found: Vec<_> = (0..self.walks()).map(|walk| folder.found(0, walk)).collect();
        (1..=self.cells)
            .try_for_each(|layer| merge_keys(folder, &found, (layer, self.game.letters()), memory))
    }
}

/// The keys of the layers before one, and of it.
pub(super) struct KeyLayers {
    /// By the number of cells, from 1 on.
    layers: Vec<Keys>,
}

/// The parts that a move leaves.
pub(super) type Parts = SmallVec<[PartPlace; 4]>;

impl KeyLayers {
    /// Opens the layers up to one, to look up parts of those before it with about so much memory.
    pub(super) fn open(folder: &Folder, last: usize, memory: u64) -> Result<KeyLayers, StoreError> {
        let mut layers = (1..=last).map(|layer| Keys::open(folder, layer)).collect::<Result<Vec<_>, _>>()?;
        let earlier = last.saturating_sub(1);
        let total: u64 = layers[..earlier].iter().map(|keys| keys.count).sum();
        for keys in &mut layers[..earlier] {
            // Short files are taken in pieces that are larger.
            keys.index(
                (u128::from(memory) * u128::from(keys.count) / u128::from(total.max(1))) as u64 + (1 << 16),
            )?;
        }
        Ok(KeyLayers { layers })
    }

    /// The keys of a layer.
    pub(super) fn of(&self, layer: usize) -> &Keys {
        &self.layers[layer - 1]
    }

    /// What the moves of a player in a part leave.
    pub(super) fn options(
        &self,
        game: &TabulatedGame,
        board: &Codes,
        who: Player,
        found: &mut Vec<Parts>,
    ) -> Result<(), StoreError> {
        found.clear();
        let mut result = Ok(());
        game.options_in_parts(board, who, &mut |parts| {
            if result.is_ok() {
                let places: Result<Parts, StoreError> =
                    parts.iter().map(|(part, sign)| self.place(game, part, *sign)).collect();
                result = places.map(|places| found.push(places));
            }
        })?;
        result
    }

    fn place(&self, game: &TabulatedGame, part: &Codes, sign: Sign) -> Result<PartPlace, StoreError> {
        let cells = part.cells.iter().filter(|&&code| code != 0).count();
        let missing = || StoreError::Foreign(format!("the part {} is not in the table", game.show(part)));
        let key = Key::of(part, game.letters()).ok_or_else(missing)?;
        let keys = cells.checked_sub(1).and_then(|layer| self.layers.get(layer)).ok_or_else(missing)?;
        let place = keys.place(&key)?.ok_or_else(missing)?;
        Ok((cells, place, sign == Sign::Minus))
    }
}
