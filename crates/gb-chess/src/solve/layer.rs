//! A layer: all placements of the kings, and of one piece, around pawns that stand still.

use std::sync::{Arc, RwLock};

use super::bits::{AROUND, bit, squares, way};
use super::cell::{Cell, FEAR, HOPE, LEVELS, OPEN, Plane, SURE};
use super::fixpoint::{Exits, Rounds, Sets, wins};
use super::ground::Ground;
use super::packed::Packed;
use super::structure::{Kind, PawnStep, Side, Structure};

/// The name of a layer. The piece is White's; where Black has it, the board is turned round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub(super) kind: Option<Kind>,
    pub(super) pawns: Structure,
}

/// A layer as somebody sees it: perhaps the board is turned round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    pub(super) key: Key,
    pub(super) flipped: bool,
}

impl Place {
    /// The layer of some pawns and one piece.
    pub(super) fn of(piece: Option<(Side, Kind)>, pawns: Structure) -> Place {
        let turned = pawns.flipped();
        match piece {
            None if pawns.is_kept_flipped() => {
                Place { key: Key { kind: None, pawns: turned }, flipped: true }
            }
            None => Place { key: Key { kind: None, pawns }, flipped: false },
            Some((Side::White, kind)) => Place { key: Key { kind: Some(kind), pawns }, flipped: false },
            Some((Side::Black, kind)) => {
                Place { key: Key { kind: Some(kind), pawns: turned }, flipped: true }
            }
        }
    }
}

/// What is known about a layer.
#[derive(Debug)]
pub(super) struct Solved {
    /// By side to move, square of the piece, and square of Black's king.
    pub(super) cells: Packed,
    /// Changes whenever something becomes known.
    pub(super) version: u64,
    /// The versions of everything it depends on, added up.
    pub(super) seen: u64,
    /// Nothing below it is left to be looked at.
    pub(super) closed: bool,
}

impl Solved {
    /// The cells of one square of the piece.
    pub(super) fn plane(&self, side: Side, piece: u8, places: usize, plane: &mut Plane) {
        self.cells.plane(side as usize * places + piece as usize % places, plane);
    }

    /// One of them.
    pub(super) fn cell(&self, side: Side, piece: u8, places: usize, king: u8) -> Cell {
        self.cells.cell(side as usize * places + piece as usize % places, king)
    }
}

/// A layer in the book.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) solved: RwLock<Arc<Solved>>,
}

/// What a layer can ask about the positions after a move that leaves it.
pub(super) trait Outside {
    /// Everything about one square of a piece. `piece` is whose it is, its kind, and where.
    fn plane(&self, piece: Option<(Side, Kind, u8)>, pawns: Structure, side: Side, scratch: &mut Plane);

    /// The same for a piece of each side without pawns, White's first; nothing is known if it returns false.
    fn duel(&self, pieces: [(Kind, u8); 2], side: Side, scratch: &mut Plane) -> bool;
}

/// Ways out of a layer, for all questions at once.
struct Ways {
    /// Whether White wins, at each level.
    white: [Exits; 4],
    black: [Exits; 4],
    /// The side to move has a way out.
    mobile: [Vec<u64>; 2],
}

impl Ways {
    fn new(size: usize) -> Ways {
        let exits = || Exits { winning: vec![0; size], escape: vec![0; size] };
        Ways {
            white: LEVELS.map(|_| exits()),
            black: LEVELS.map(|_| exits()),
            mobile: [vec![0; size], vec![0; size]],
        }
    }

    /// With White's king on the squares of `mask` this side can go to the positions of `cell`.
    #[inline]
    fn add(&mut self, side: Side, slot: usize, mask: u64, cell: &Cell) {
        let legal = mask & cell.valid;
        if legal == 0 {
            return;
        }
        self.mobile[side as usize][slot] |= legal;
        let (own, other) = match side {
            Side::White => (&mut self.white, &mut self.black),
            Side::Black => (&mut self.black, &mut self.white),
        };
        for level in LEVELS {
            own[level].winning[slot] |= legal & cell.wins(side)[level];
            other[level].escape[slot] |= legal & !cell.wins(side.other())[level];
        }
    }
}

/// The cell of a position in which nothing is known but what follows from the material.
pub(super) fn unknown(ground: &Ground, side: Side, piece: u8, black_king: u8) -> Cell {
    Cell::unseen(ground.valid(side, piece, black_king), can_win(ground))
}

/// A king alone cannot win, nor a bishop or knight without anything to help.
fn can_win(ground: &Ground) -> [bool; 2] {
    let pawns = ground.pawns;
    let white = match ground.kind {
        None => pawns.white != 0,
        Some(Kind::Queen | Kind::Rook) => true,
        Some(Kind::Bishop | Kind::Knight) => pawns.all() != 0,
    };
    [white, pawns.black != 0]
}

/// Solves one layer from what is known outside of it.
pub(super) struct Solver {
    ground: Ground,
    places: usize,
    ways: Ways,
    valid: Sets,
}

impl Solver {
    pub(super) fn new(key: Key, outside: &dyn Outside) -> Solver {
        let ground = Ground::new(key.pawns, key.kind);
        let places = ground.places();
        let size = 64 * places;
        let mut valid: Sets = [vec![0; size], vec![0; size]];
        for side in Side::BOTH {
            for king in 0..64u8 {
                for piece in 0..places as u8 {
                    valid[side as usize][king as usize * places + piece as usize] =
                        ground.valid(side, piece, king);
                }
            }
        }
        let mut solver = Solver { ground, places, ways: Ways::new(size), valid };
        for side in Side::BOTH {
            for step in key.pawns.steps(side) {
                solver.pawn_step(outside, side, &step);
            }
        }
        solver.captures_of_white(outside);
        solver.captures_of_black(outside);
        solver.stalemates();
        solver
    }

    fn slot(&self, piece: u8, king: u8) -> usize {
        king as usize * self.places + piece as usize
    }

    fn pieces(&self) -> impl Iterator<Item = u8> + use<> {
        0..self.places as u8
    }

    fn piece(&self, square: u8) -> Option<(Side, Kind, u8)> {
        self.ground.kind.map(|kind| (Side::White, kind, square))
    }

    fn pawn_step(&mut self, outside: &dyn Outside, side: Side, step: &PawnStep) {
        let mut plane = [Cell::default(); 64];
        for piece in self.pieces() {
            if self.ground.kind.is_some() && (step.gap | self.ground.pawns.all()) & bit(piece) != 0 {
                continue;
            }
            if step.promotes {
                for kind in Kind::ALL {
                    self.promotion(outside, side, step, piece, kind, &mut plane);
                    self.add_plane(side, piece, step.gap, &plane);
                }
                continue;
            }
            outside.plane(self.piece(piece), step.next, side.other(), &mut plane);
            if !step.passing.is_empty() {
                self.en_passant(outside, side, step, piece, &mut plane);
            }
            self.add_plane(side, piece, step.gap, &plane);
        }
    }

    fn add_plane(&mut self, side: Side, piece: u8, gap: u64, plane: &Plane) {
        for king in squares(!gap) {
            let slot = self.slot(piece, king);
            self.ways.add(side, slot, !gap, &plane[king as usize]);
        }
    }

    /// The positions after a double step can differ from those of the layer it leads to: the other side may take en passant.
    fn en_passant(&self, outside: &dyn Outside, side: Side, step: &PawnStep, piece: u8, plane: &mut Plane) {
        let taker = side.other();
        let ground = Ground::new(step.next, self.ground.kind);
        let mut captures = vec![[Cell::default(); 64]; step.passing.len()];
        for (after, &next) in captures.iter_mut().zip(&step.passing) {
            outside.plane(self.piece(piece), next, side, after);
        }
        for king in 0..64u8 {
            let cell = &mut plane[king as usize];
            let any = captures.iter().fold(0, |set, after| set | after[king as usize].valid) & cell.valid;
            if any == 0 {
                continue;
            }
            // Where nothing else can move, the capture is forced and there is no stalemate.
            let forced = any & self.without_king_moves(&ground, taker, piece, king);
            for level in [FEAR, OPEN] {
                match taker {
                    Side::White => cell.black[level] |= forced,
                    Side::Black => cell.white[level] |= forced,
                }
            }
            for after in &captures {
                let after = &after[king as usize];
                let legal = after.valid & cell.valid;
                for level in LEVELS {
                    let (own, other) = match taker {
                        Side::White => (&mut cell.white[level], &mut cell.black[level]),
                        Side::Black => (&mut cell.black[level], &mut cell.white[level]),
                    };
                    *own |= legal & after.wins(taker)[level];
                    *other &= !legal | after.wins(side)[level];
                }
            }
        }
    }

    /// Where White's king stands when the king (and the piece) of a side cannot move.
    fn without_king_moves(&self, ground: &Ground, side: Side, piece: u8, king: u8) -> u64 {
        let mut moves = 0;
        match side {
            Side::Black => {
                for to in squares(AROUND[king as usize]) {
                    moves |= ground.valid(Side::White, piece, to);
                }
            }
            Side::White => {
                let row: Vec<u64> =
                    self.pieces().map(|piece| ground.valid(Side::Black, piece, king)).collect();
                let mut out = vec![0; self.places];
                ground.add_white_moves(&row, king, &mut out);
                moves = out[piece as usize];
            }
        }
        !moves
    }

    /// The positions after a promotion.
    fn promotion(
        &self,
        outside: &dyn Outside,
        side: Side,
        step: &PawnStep,
        piece: u8,
        kind: Kind,
        plane: &mut Plane,
    ) {
        let Some(own) = self.ground.kind else {
            return outside.plane(Some((side, kind, step.to)), step.next, side.other(), plane);
        };
        let after = Ground::new(step.next, Some(own));
        if side == Side::White {
            // A second piece of White's: left open.
            for king in 0..64u8 {
                let valid =
                    if king == step.to { 0 } else { after.valid(Side::Black, piece, king) & !bit(step.to) };
                plane[king as usize] = Cell::beyond(valid, [true, step.next.black != 0]);
            }
            return;
        }
        if step.next.all() == 0 && outside.duel([(own, piece), (kind, step.to)], Side::White, plane) {
            return;
        }
        self.unknown_duel(outside, &after, own, piece, step.to, plane);
    }

    /// Black has promoted a pawn and White is to move: if White can take the new piece, that is what is known.
    fn unknown_duel(
        &self,
        outside: &dyn Outside,
        after: &Ground,
        own: Kind,
        piece: u8,
        new: u8,
        plane: &mut Plane,
    ) {
        let mut by_piece = [Cell::default(); 64];
        let mut by_king = [Cell::default(); 64];
        outside.plane(Some((Side::White, own, new)), after.pawns, Side::Black, &mut by_piece);
        outside.plane(Some((Side::White, own, piece)), after.pawns, Side::Black, &mut by_king);
        let bare = Ground::new(after.pawns, None);
        let reach = way(own, piece, new).filter(|way| way & after.pawns.all() == 0);
        for king in 0..64u8 {
            // The new piece may stand between White's piece and Black's king.
            let mut valid = if king == new || king == piece { 0 } else { bare.valid(Side::White, 0, king) };
            valid &= !(bit(piece) | bit(new));
            if let Some(way) = way(own, piece, king)
                && way & (after.pawns.all() | bit(new)) == 0
            {
                valid &= way;
            }
            let mut cell = Cell::beyond(valid, [true, true]);
            if let Some(way) = reach.filter(|way| way & bit(king) == 0) {
                let taken = &by_piece[king as usize];
                let legal = taken.valid & valid & !way;
                for level in LEVELS {
                    cell.white[level] |= legal & taken.white[level];
                    cell.black[level] &= !(legal & !taken.black[level]);
                }
            }
            let taken = &by_king[king as usize];
            if taken.valid & bit(new) != 0 {
                let near = AROUND[new as usize] & valid;
                for level in LEVELS {
                    if taken.white[level] & bit(new) != 0 {
                        cell.white[level] |= near;
                    }
                    if taken.black[level] & bit(new) == 0 {
                        cell.black[level] &= !near;
                    }
                }
            }
            plane[king as usize] = cell;
        }
    }

    /// White's king or piece takes a pawn.
    fn captures_of_white(&mut self, outside: &dyn Outside) {
        let mut plane = [Cell::default(); 64];
        for target in squares(self.ground.pawns.black) {
            let next = self.ground.pawns.without(target);
            for piece in self.pieces() {
                if self.ground.kind.is_some() && self.ground.pawns.all() & bit(piece) != 0 {
                    continue;
                }
                outside.plane(self.piece(piece), next, Side::Black, &mut plane);
                for king in 0..64u8 {
                    // The same move from every square around the pawn.
                    let at = &plane[king as usize];
                    let spread = |word: u64| if word & bit(target) != 0 { u64::MAX } else { 0 };
                    let cell = Cell {
                        valid: spread(at.valid),
                        white: at.white.map(spread),
                        black: at.black.map(spread),
                    };
                    let slot = self.slot(piece, king);
                    let mask = AROUND[target as usize] & self.valid[Side::White as usize][slot];
                    self.ways.add(Side::White, slot, mask, &cell);
                }
            }
            let Some(kind) = self.ground.kind else { continue };
            outside.plane(Some((Side::White, kind, target)), next, Side::Black, &mut plane);
            for piece in self.pieces() {
                let Some(way) = way(kind, piece, target).filter(|way| way & self.ground.pawns.all() == 0)
                else {
                    continue;
                };
                for king in squares(!way) {
                    let slot = self.slot(piece, king);
                    self.ways.add(Side::White, slot, !way, &plane[king as usize]);
                }
            }
        }
    }

    /// Black's king takes a pawn or the piece, or a pawn takes the piece.
    fn captures_of_black(&mut self, outside: &dyn Outside) {
        let mut plane = [Cell::default(); 64];
        for target in squares(self.ground.pawns.white) {
            let next = self.ground.pawns.without(target);
            for piece in self.pieces() {
                if self.ground.kind.is_some() && self.ground.pawns.all() & bit(piece) != 0 {
                    continue;
                }
                outside.plane(self.piece(piece), next, Side::White, &mut plane);
                for king in squares(AROUND[target as usize]) {
                    let slot = self.slot(piece, king);
                    self.ways.add(Side::Black, slot, u64::MAX, &plane[target as usize]);
                }
            }
        }
        if self.ground.kind.is_none() {
            return;
        }
        outside.plane(None, self.ground.pawns, Side::White, &mut plane);
        for piece in squares(!self.ground.pawns.all()) {
            for king in squares(AROUND[piece as usize]) {
                let slot = self.slot(piece, king);
                self.ways.add(Side::Black, slot, u64::MAX, &plane[piece as usize]);
            }
        }
        for from in squares(self.ground.pawns.black) {
            let left = self.ground.pawns.without(from);
            for piece in squares(super::bits::attacks_of_black(bit(from)) & !self.ground.pawns.all()) {
                if piece < 8 {
                    for kind in Kind::ALL {
                        outside.plane(Some((Side::Black, kind, piece)), left, Side::White, &mut plane);
                        self.add_plane(Side::Black, piece, 0, &plane);
                    }
                } else {
                    let next = Structure { black: left.black | bit(piece), ..left };
                    outside.plane(None, next, Side::White, &mut plane);
                    self.add_plane(Side::Black, piece, 0, &plane);
                }
            }
        }
    }

    /// Whoever cannot move and is not in check has not lost.
    fn stalemates(&mut self) {
        for king in 0..64u8 {
            let row = self.slot(0, king)..self.slot(0, king) + self.places;
            for side in Side::BOTH {
                let mut moves = self.ways.mobile[side as usize][row.clone()].to_vec();
                match side {
                    Side::White => {
                        let to = &self.valid[Side::Black as usize][row.clone()];
                        self.ground.add_white_moves(to, king, &mut moves);
                    }
                    Side::Black => {
                        self.ground.add_black_moves(&self.valid[Side::White as usize], king, &mut moves);
                    }
                }
                for (piece, moves) in self.pieces().zip(moves) {
                    let slot = self.slot(piece, king);
                    let safe = !moves & !self.ground.check(side, piece, king);
                    let stale = self.valid[side as usize][slot] & safe;
                    let questions =
                        if side == Side::White { &mut self.ways.black } else { &mut self.ways.white };
                    questions.iter_mut().for_each(|exits| exits.escape[slot] |= stale);
                }
            }
        }
    }

    /// All cells. What was known before stays known.
    pub(super) fn cells(&self, before: Option<&Solved>) -> Packed {
        let size = 64 * self.places;
        let known = |who: Side| -> Sets {
            let mut sets = [vec![0; size], vec![0; size]];
            let Some(before) = before else { return sets };
            let mut plane = [Cell::default(); 64];
            for side in Side::BOTH {
                for piece in self.pieces() {
                    before.plane(side, piece, self.places, &mut plane);
                    for king in 0..64u8 {
                        sets[side as usize][self.slot(piece, king)] = plane[king as usize].wins(who)[SURE];
                    }
                }
            }
            sets
        };
        let solve = |who: Side| -> [Sets; 4] {
            let ways = if who == Side::White { &self.ways.white } else { &self.ways.black };
            let mut sure = known(who);
            let go = |level: usize, sets: &mut Sets| {
                wins(&self.ground, who, &self.valid, &ways[level], sets, None);
            };
            go(SURE, &mut sure);
            // Each of these sets contains the ones before, and where the ways out are the same, so is the set.
            let further = |level: usize, known: &[(usize, &Sets)]| -> Sets {
                if let Some((_, same)) = known.iter().find(|(other, _)| ways[*other] == ways[level]) {
                    return (*same).clone();
                }
                let mut sets = sure.clone();
                for (_, part) in known {
                    for (sets, part) in sets.iter_mut().zip(part.iter()) {
                        sets.iter_mut().zip(part).for_each(|(word, part)| *word |= part);
                    }
                }
                go(level, &mut sets);
                sets
            };
            let hope = further(HOPE, &[(SURE, &sure)]);
            let fear = further(FEAR, &[(SURE, &sure)]);
            let open = further(OPEN, &[(SURE, &sure), (HOPE, &hope), (FEAR, &fear)]);
            [sure, hope, fear, open]
        };
        let (white, black) = (solve(Side::White), solve(Side::Black));
        let mut cells = Packed::with_room(2 * self.places);
        for side in Side::BOTH {
            for piece in self.pieces() {
                cells.push(&std::array::from_fn(|king| {
                    let (side, slot) = (side as usize, self.slot(piece, king as u8));
                    let sure = [white[SURE][side][slot], black[SURE][side][slot]];
                    Cell {
                        valid: self.valid[side][slot],
                        white: LEVELS.map(|level| white[level][side][slot] & !sure[1]),
                        black: LEVELS.map(|level| black[level][side][slot] & !sure[0]),
                    }
                }));
            }
        }
        cells.finish()
    }

    /// The rounds of retrograde analysis for one question.
    pub(super) fn rounds(&self, who: Side, level: usize) -> Rounds {
        let size = 64 * self.places;
        let mut rounds = Rounds::with_room(size);
        let ways = if who == Side::White { &self.ways.white } else { &self.ways.black };
        let mut sets = [vec![0; size], vec![0; size]];
        wins(&self.ground, who, &self.valid, &ways[level], &mut sets, Some(&mut rounds));
        rounds
    }
}
