//! The board of one layer: where kings and a piece of White's may stand, and how they move there, 64 positions at a time.
//!
//! Rows are by the square of Black's king; in a row there is a word for every square of the piece (one word if there is none).

use super::bits::{AROUND, DIRECTIONS, bit, jumps, king_steps, squares, step, way};
use super::structure::{Kind, Side, Structure};

const NOWHERE: u8 = 64;

const fn make_next() -> [[u8; 64]; 8] {
    let mut table = [[NOWHERE; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut square = 0;
        while square < 64 {
            if let Some(next) = step(square as u8, DIRECTIONS[direction]) {
                table[direction][square] = next;
            }
            square += 1;
        }
        direction += 1;
    }
    table
}

/// The next square in each direction.
static NEXT: [[u8; 64]; 8] = make_next();

/// Pawns that stand still, and the kind of White's piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub(super) pawns: Structure,
    pub(super) kind: Option<Kind>,
    all: u64,
    attacks: [u64; 2],
}

impl Ground {
    pub(super) fn new(pawns: Structure, kind: Option<Kind>) -> Ground {
        let attacks = [pawns.attacks(Side::White), pawns.attacks(Side::Black)];
        Ground { pawns, kind, all: pawns.all(), attacks }
    }

    /// How many squares the piece can stand on; one if there is none.
    pub(super) fn places(&self) -> usize {
        if self.kind.is_some() { 64 } else { 1 }
    }

    /// Where White's king may be, with this side to move.
    pub(super) fn valid(&self, side: Side, piece: u8, black_king: u8) -> u64 {
        let king = bit(black_king);
        if self.all & king != 0 {
            return 0;
        }
        let mut free = !(self.all | king | AROUND[black_king as usize]);
        if let Some(kind) = self.kind {
            if piece == black_king || self.all & bit(piece) != 0 {
                return 0;
            }
            free &= !bit(piece);
            if side == Side::White
                && let Some(way) = way(kind, piece, black_king)
                && way & self.all == 0
            {
                // Black would be in check, unless White's king stands between.
                free &= way;
            }
        }
        match side {
            Side::White if self.attacks[0] & king != 0 => 0,
            Side::White => free,
            Side::Black => free & !self.attacks[1],
        }
    }

    /// Where White's king stands when the king of the side to move is in check.
    pub(super) fn check(&self, side: Side, piece: u8, black_king: u8) -> u64 {
        if side == Side::White {
            return self.attacks[1];
        }
        if self.attacks[0] & bit(black_king) != 0 {
            return u64::MAX;
        }
        match self.kind.and_then(|kind| way(kind, piece, black_king)) {
            Some(way) if way & self.all == 0 => !way,
            _ => 0,
        }
    }

    /// Adds to every word of a row from where White's king and piece reach the positions of `row`, with Black's king on
    /// `black_king`.
    pub(super) fn add_white_moves(&self, row: &[u64], black_king: u8, out: &mut [u64]) {
        for (out, &word) in out.iter_mut().zip(row) {
            *out |= king_steps(word);
        }
        let Some(kind) = self.kind else { return };
        if let (Ok(row), Ok(out)) = (row.try_into(), out.try_into()) {
            slide(kind, row, self.all | bit(black_king), out);
        }
    }

    /// Adds to every word of a row where Black's king reaches the positions of `table`.
    pub(super) fn add_black_moves(&self, table: &[u64], black_king: u8, out: &mut [u64]) {
        let places = self.places();
        for to in squares(AROUND[black_king as usize] & !self.all) {
            let row = &table[to as usize * places..][..places];
            for (out, &word) in out.iter_mut().zip(row) {
                *out |= word;
            }
        }
    }
}

/// Adds to every square of a piece what it reaches by one move over squares that are not blocked, White's king on a square of
/// each word standing in the way.
pub(super) fn slide(kind: Kind, row: &[u64; 64], blocked: u64, out: &mut [u64; 64]) {
    let directions = match kind {
        Kind::Queen => 0..8,
        Kind::Rook => 0..4,
        Kind::Bishop => 4..8,
        Kind::Knight => {
            for piece in squares(!blocked) {
                let to = squares(jumps(piece) & !blocked);
                out[piece as usize] |= to.fold(0, |set, to| set | row[to as usize]);
            }
            return;
        }
    };
    for direction in directions {
        let next = &NEXT[direction];
        // What can be reached from a square is what can be reached from the next one and the next one itself.
        let mut reach = [0u64; 64];
        let mut visit = |piece: usize| {
            let to = next[piece];
            if to != NOWHERE && blocked >> to & 1 == 0 {
                let found = (row[to as usize] | reach[to as usize]) & !bit(to);
                reach[piece] = found;
                out[piece] |= found;
            }
        };
        let (file, rank) = DIRECTIONS[direction];
        if 8 * rank + file > 0 { (0..64).rev().for_each(&mut visit) } else { (0..64).for_each(&mut visit) }
    }
}
