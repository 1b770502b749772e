//! A piece of each side and no pawns: tables of all positions, made when they are first needed and kept on disk.

use std::path::Path;
use std::sync::{Mutex, OnceLock};

use gb_value::{Budget, Halt};

use super::bits::{AROUND, bit, king_steps, squares, way};
use super::cache::{Cache, CacheError};
use super::cell::{Cell, Plane, SURE, flipped};
use super::ground::slide;
use super::layer::{Key, Outside, Solver};
use super::structure::{Kind, Side, Structure};

/// By Black's king, White's piece, Black's piece.
const SIZE: usize = 64 * 64 * 64;

/// Which positions White wins, with White and with Black to move.
type Table = [Vec<u64>; 2];

/// The tables that were needed so far.
pub(super) struct Duels {
    cache: Option<Cache>,
    tables: [[OnceLock<Table>; 4]; 4],
    making: Mutex<()>,
    /// What went wrong with files.
    troubles: Mutex<Vec<CacheError>>,
}

fn index(king: u8, own: u8, other: u8) -> usize {
    (king as usize * 64 + own as usize) * 64 + other as usize
}

impl Duels {
    /// With tables kept in a folder, if there is one.
    pub(super) fn new(folder: Option<&Path>) -> Duels {
        Duels {
            cache: folder.map(Cache::new),
            tables: Default::default(),
            making: Mutex::default(),
            troubles: Mutex::default(),
        }
    }

    /// What went wrong with files since it was last asked.
    pub(super) fn troubles(&self) -> Vec<CacheError> {
        std::mem::take(&mut *self.troubles.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    fn note(&self, error: CacheError) {
        self.troubles.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(error);
    }

    /// A table, made if it is not there yet; `None` if the budget is spent before it is finished.
    fn table(&self, own: Kind, other: Kind, budget: &Budget) -> Option<&Table> {
        let place = &self.tables[own as usize][other as usize];
        if let Some(table) = place.get() {
            return Some(table);
        }
        // One thread makes it, the others wait.
        let _making = self.making.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if place.get().is_none() {
            let _ = place.set(self.load(own, other, budget)?);
        }
        place.get()
    }

    fn load(&self, own: Kind, other: Kind, budget: &Budget) -> Option<Table> {
        // Reading and making take the words of a table twice over.
        if budget.spend(1, 0).is_err() || !budget.has_room(4 * (SIZE * size_of::<u64>()) as u64) {
            return None;
        }
        let letter = |kind: Kind| ['q', 'r', 'b', 'n'][kind as usize];
        let name = format!("k{}k{}", letter(own), letter(other));
        if let Some(cache) = &self.cache {
            match cache.read(&name, 2 * SIZE) {
                Ok(Some(mut words)) => {
                    let black = words.split_off(SIZE);
                    return Some([words, black]);
                }
                Ok(None) => {}
                Err(error) => self.note(error),
            }
        }
        let table = solve(own, other, budget).ok()?;
        if let Some(cache) = &self.cache
            && let Err(error) = cache.write(&name, &table.concat())
        {
            self.note(error);
        }
        Some(table)
    }

    /// All about the squares of a piece each, White's first; false if the tables could not be made in time.
    pub(super) fn plane(
        &self,
        pieces: [(Kind, u8); 2],
        side: Side,
        budget: &Budget,
        plane: &mut Plane,
    ) -> bool {
        let [(own, at), (other, there)] = pieces;
        let (Some(first), Some(second)) = (self.table(own, other, budget), self.table(other, own, budget))
        else {
            return false;
        };
        let white = half(first, own, at, other, there, side);
        let black = flipped(&half(second, other, there ^ 56, own, at ^ 56, side.other()));
        for ((cell, white), black) in plane.iter_mut().zip(&white).zip(&black) {
            *cell = Cell { valid: white.valid, white: white.white, black: black.black };
        }
        true
    }
}

/// Where White wins.
fn half(table: &Table, own: Kind, at: u8, other: Kind, there: u8, side: Side) -> Plane {
    let mut plane = [Cell::default(); 64];
    for king in 0..64u8 {
        let won = table[side as usize][index(king, at, there)];
        plane[king as usize] =
            Cell { valid: valid(own, at, other, there, side, king), white: [won; 4], black: [0; 4] };
    }
    plane
}

/// Where White's king may stand.
fn valid(own: Kind, at: u8, other: Kind, there: u8, side: Side, king: u8) -> u64 {
    if at == there || at == king || there == king {
        return 0;
    }
    let free = !(bit(at) | bit(there) | bit(king) | AROUND[king as usize]);
    match side {
        // Black's king must not be in check: White's own king or Black's piece may stand between.
        Side::White => match way(own, at, king) {
            Some(way) if way & bit(there) == 0 => free & way,
            _ => free,
        },
        Side::Black => {
            let attacked =
                |square: &u8| way(other, there, *square).is_some_and(|way| way & (bit(at) | bit(king)) == 0);
            free & !(0..64u8).filter(attacked).fold(0, |set, square| set | bit(square))
        }
    }
}

/// Nothing lies outside of a king and a piece against a king.
struct Nothing;

impl Outside for Nothing {
    fn plane(&self, _: Option<(Side, Kind, u8)>, pawns: Structure, side: Side, plane: &mut Plane) {
        // A king alone against a king.
        let ground = super::ground::Ground::new(pawns, None);
        for king in 0..64u8 {
            plane[king as usize] = Cell::unseen(ground.valid(side, 0, king), [false; 2]);
        }
    }

    fn duel(&self, _: [(Kind, u8); 2], _: Side, _: &mut Plane) -> bool {
        false
    }
}

/// Retrograde analysis of a piece against a piece: where White wins.
fn solve(own: Kind, other: Kind, budget: &Budget) -> Result<Table, Halt> {
    let alone = Solver::new(Key { kind: Some(own), pawns: Structure::default() }, &Nothing).cells(None);
    // White has taken Black's piece, and Black is to move.
    let taken = |at: u8, king: u8| alone.cell(64 + at as usize, king).white[SURE];
    let mut legal: Table = [vec![0; SIZE], vec![0; SIZE]];
    let (mut winning, mut escape) = (vec![0u64; SIZE], vec![0u64; SIZE]);
    for king in 0..64u8 {
        budget.spend(64, 0)?;
        for at in 0..64u8 {
            for there in 0..64u8 {
                let slot = index(king, at, there);
                for side in Side::BOTH {
                    legal[side as usize][slot] = valid(own, at, other, there, side, king);
                }
                if at == there || at == king || there == king {
                    continue;
                }
                if let Some(way) = way(own, at, there)
                    && way & bit(king) == 0
                {
                    winning[slot] |= taken(there, king) & !way;
                }
                if taken(at, king) & bit(there) != 0 {
                    winning[slot] |= AROUND[there as usize];
                }
                // Whoever takes White's last piece does not lose.
                if let Some(way) = way(other, there, at)
                    && way & bit(king) == 0
                {
                    escape[slot] |= !way;
                }
                if AROUND[king as usize] & bit(at) != 0 {
                    escape[slot] |= !AROUND[at as usize];
                }
            }
        }
    }
    let white = Side::White as usize;
    let black = Side::Black as usize;
    // Stalemate: no move and no check.
    let moves = black_moves(other, &legal[white]);
    for king in 0..64u8 {
        for at in 0..64u8 {
            for there in 0..64u8 {
                let slot = index(king, at, there);
                let check = match way(own, at, king) {
                    Some(way) if way & bit(there) == 0 => !way,
                    _ => 0,
                };
                escape[slot] |= legal[black][slot] & !moves[slot] & !escape[slot] & !check;
            }
        }
    }
    let mut won: Table = [vec![0; SIZE], vec![0; SIZE]];
    loop {
        budget.spend(1_000, 0)?;
        let mut changed = false;
        let reach = white_moves(own, &won[black]);
        for slot in 0..SIZE {
            let new = legal[white][slot] & (winning[slot] | reach[slot]);
            changed |= new != won[white][slot];
            won[white][slot] = new;
        }
        if !changed {
            return Ok(won);
        }
        let safe: Vec<u64> = legal[white].iter().zip(&won[white]).map(|(legal, won)| legal & !won).collect();
        let saved = black_moves(other, &safe);
        for slot in 0..SIZE {
            won[black][slot] = legal[black][slot] & !(escape[slot] | saved[slot]);
        }
    }
}

/// From where White's king and piece reach some positions.
fn white_moves(own: Kind, table: &[u64]) -> Vec<u64> {
    let mut out: Vec<u64> = table.iter().map(|&word| king_steps(word)).collect();
    for king in 0..64u8 {
        for there in 0..64u8 {
            let row: [u64; 64] = std::array::from_fn(|at| table[index(king, at as u8, there)]);
            let mut found = [0; 64];
            slide(own, &row, bit(king) | bit(there), &mut found);
            for (at, found) in found.into_iter().enumerate() {
                out[index(king, at as u8, there)] |= found;
            }
        }
    }
    out
}

/// From where Black's king and piece reach some positions.
fn black_moves(other: Kind, table: &[u64]) -> Vec<u64> {
    let mut out = vec![0u64; SIZE];
    for king in 0..64u8 {
        for at in 0..64u8 {
            let start = index(king, at, 0);
            let Ok(row) = table[start..start + 64].try_into() else { continue };
            let mut found = [0u64; 64];
            slide(other, row, bit(king) | bit(at), &mut found);
            for to in squares(AROUND[king as usize]) {
                let from = index(to, at, 0);
                found.iter_mut().zip(&table[from..from + 64]).for_each(|(found, word)| *found |= word);
            }
            out[start..start + 64].copy_from_slice(&found);
        }
    }
    out
}
