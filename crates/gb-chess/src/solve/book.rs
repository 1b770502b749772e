//! All layers that were looked at, shared by the threads that work on one question.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, RwLock};

use gb_value::{Budget, Halt};
use rustc_hash::FxHashMap;

use super::bits::{AROUND, attacks_of_black, bit, squares};
use super::cell::{Cell, HOPE, LEVELS, Plane, flipped};
use super::duel::Duels;
use super::ground::Ground;
use super::layer::{Key, Layer, Outside, Place, Solved, Solver, unknown};
use super::structure::{Kind, Side, Structure};

/// The layers.
pub(super) struct Book<'d> {
    layers: RwLock<FxHashMap<Key, Arc<Layer>>>,
    duels: &'d Duels,
    /// For making tables.
    budget: &'d Budget,
    bytes: AtomicU64,
    solved: AtomicU64,
    /// Versions are numbers that never come back.
    clock: AtomicU64,
}

impl<'d> Book<'d> {
    pub(super) fn new(duels: &'d Duels, budget: &'d Budget) -> Book<'d> {
        Book {
            layers: RwLock::default(),
            duels,
            budget,
            bytes: AtomicU64::new(0),
            solved: AtomicU64::new(0),
            clock: AtomicU64::new(0),
        }
    }

    pub(super) fn get(&self, key: &Key) -> Option<Arc<Solved>> {
        let layers = self.layers.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        let solved = layers.get(key)?.solved.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        Some(Arc::clone(&solved))
    }

    /// What is known of a piece each and no pawns.
    pub(super) fn duel(&self, pieces: [(Kind, u8); 2], side: Side, plane: &mut Plane) -> bool {
        self.duels.plane(pieces, side, self.budget, plane)
    }

    /// How many layers there are, and how often one was solved.
    pub(super) fn counts(&self) -> (usize, u64) {
        (self.layers.read().unwrap_or_else(|poisoned| poisoned.into_inner()).len(), self.solved.load(Relaxed))
    }

    /// Bytes held by layers.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Brings a layer up to date, making it first if it is new; and what it was solved with, if there was anything to do.
    pub(super) fn refresh(&self, key: Key, budget: &Budget) -> Result<(Arc<Solved>, Option<Solver>), Halt> {
        let before = self.get(&key);
        if before.as_ref().is_some_and(|before| before.closed) {
            return Ok((before.expect("it is there"), None));
        }
        // Asked before the work: what others find meanwhile counts the next time.
        let (seen, closed) = self.versions(key);
        if let Some(before) = &before
            && before.seen == seen
        {
            return Ok((Arc::clone(before), None));
        }
        let words = if key.kind.is_some() { 64 * 128 } else { 128 };
        budget.spend(words, self.bytes())?;
        let outside = Outlook::new(self);
        let solver = Solver::new(key, &outside);
        let cells = solver.cells(before.as_deref());
        let changed = before.as_ref().is_none_or(|before| before.cells != cells);
        let version = match &before {
            Some(before) if !changed && !closed => before.version,
            _ => self.clock.fetch_add(1, Relaxed) + 1,
        };
        let solved = Arc::new(Solved { cells, version, seen, closed });
        self.solved.fetch_add(1, Relaxed);
        let mut layers = self.layers.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        match layers.get(&key) {
            Some(layer) => {
                let mut current = layer.solved.write().unwrap_or_else(|poisoned| poisoned.into_inner());
                // Another thread may have worked on it meanwhile, from more or from less: then its result stands, and
                // whoever needs the layer brings it up to date again.
                if before.is_none_or(|before| before.version != current.version) {
                    return Ok((Arc::clone(&current), None));
                }
                self.bytes.fetch_add(solved.cells.bytes(), Relaxed);
                self.bytes.fetch_sub(current.cells.bytes(), Relaxed);
                *current = Arc::clone(&solved);
            }
            None => {
                self.bytes.fetch_add(solved.cells.bytes(), Relaxed);
                layers.insert(key, Arc::new(Layer { solved: RwLock::new(Arc::clone(&solved)) }));
            }
        }
        Ok((solved, Some(solver)))
    }

    /// The versions of everything a layer depends on, added up, and whether nothing of it is left to be looked at.
    fn versions(&self, key: Key) -> (u64, bool) {
        let (mut sum, mut closed) = (0u64, true);
        for child in &all_children(key) {
            let solved = self.get(child);
            let version = solved.as_ref().map_or(0, |solved| solved.version);
            sum = (sum ^ version).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
            closed &= solved.is_some_and(|solved| solved.closed);
        }
        (sum, closed)
    }
}

/// What a layer sees of the others.
pub(super) struct Outlook<'a> {
    book: &'a Book<'a>,
    found: RefCell<Vec<(Key, Option<Arc<Solved>>)>>,
}

impl<'a> Outlook<'a> {
    pub(super) fn new(book: &'a Book<'a>) -> Outlook<'a> {
        Outlook { book, found: RefCell::default() }
    }

    fn look_up(&self, key: Key) -> Option<Arc<Solved>> {
        let mut found = self.found.borrow_mut();
        if let Some((_, solved)) = found.iter().find(|(known, _)| *known == key) {
            return solved.clone();
        }
        let solved = self.book.get(&key);
        found.push((key, solved.clone()));
        solved
    }

    /// What is known of a layer that was not looked at. A piece that can be taken at once is no gain.
    fn blank(&self, key: Key, piece: u8, side: Side, plane: &mut Plane) {
        let ground = Ground::new(key.pawns, key.kind);
        for king in 0..64u8 {
            plane[king as usize] = unknown(&ground, side, piece, king);
        }
        if key.kind.is_some_and(|kind| kind != Kind::Queen) {
            // Nobody hopes to win with less than a queen; where that is the point, it comes out when the layer is looked at
            // in order to refute it.
            plane.iter_mut().for_each(|cell| cell.white[HOPE] = 0);
        }
        if key.kind.is_none() || side == Side::White {
            return;
        }
        let mut taken = [Cell::default(); 64];
        self.plane(None, key.pawns, Side::White, &mut taken);
        let after = taken[piece as usize];
        for king in squares(AROUND[piece as usize]) {
            let cell = &mut plane[king as usize];
            let legal = after.valid & cell.valid;
            for level in LEVELS {
                cell.white[level] &= !(legal & !after.white[level]);
                cell.black[level] |= legal & after.black[level];
            }
        }
    }
}

impl Outside for Outlook<'_> {
    fn plane(&self, piece: Option<(Side, Kind, u8)>, pawns: Structure, side: Side, plane: &mut Plane) {
        let place = Place::of(piece.map(|(side, kind, _)| (side, kind)), pawns);
        let (mut side, mut square) = (side, piece.map_or(0, |piece| piece.2));
        if place.flipped {
            (side, square) = (side.other(), square ^ 56);
        }
        let solved = self.look_up(place.key);
        match solved {
            Some(solved) => {
                let places = if place.key.kind.is_some() { 64 } else { 1 };
                solved.plane(side, square, places, plane);
            }
            None => self.blank(place.key, square, side, plane),
        }
        if place.flipped {
            *plane = flipped(plane);
        }
    }

    fn duel(&self, pieces: [(Kind, u8); 2], side: Side, plane: &mut Plane) -> bool {
        self.book.duel(pieces, side, plane)
    }
}

/// The layers that can be reached by one move, as far as they are worth a look. A side with a piece may leave its pawns alone.
pub(super) fn children(key: Key) -> Vec<Key> {
    let mut keys = vec![];
    let piece = key.kind.map(|kind| (Side::White, kind));
    let pawns = key.pawns;
    let mut push = |piece, pawns| {
        let place = Place::of(piece, pawns);
        if !keys.contains(&place.key) {
            keys.push(place.key);
        }
    };
    for side in Side::BOTH {
        if piece.is_some() && side == Side::White {
            continue;
        }
        for step in pawns.steps(side) {
            if !step.promotes {
                push(piece, step.next);
                step.passing.iter().for_each(|&next| push(piece, next));
            } else if piece.is_none() {
                Kind::ALL.into_iter().for_each(|kind| push(Some((side, kind)), step.next));
            }
        }
    }
    for target in squares(pawns.all()) {
        push(piece, pawns.without(target));
    }
    if key.kind.is_some() {
        push(None, pawns);
        for from in squares(pawns.black) {
            let left = pawns.without(from);
            for to in squares(attacks_of_black(bit(from)) & !pawns.all()) {
                if to < 8 {
                    Kind::ALL.into_iter().for_each(|kind| push(Some((Side::Black, kind)), left));
                } else {
                    push(None, Structure { black: left.black | bit(to), ..left });
                }
            }
        }
    }
    keys
}

/// All layers that can be reached by one move.
fn all_children(key: Key) -> Vec<Key> {
    let mut keys = children(key);
    if let Some(kind) = key.kind {
        for step in key.pawns.steps(Side::White) {
            for pawns in std::iter::once(step.next).chain(step.passing.iter().copied()) {
                let child = Key { kind: Some(kind), pawns };
                if !keys.contains(&child) {
                    keys.push(child);
                }
            }
        }
    }
    keys
}
