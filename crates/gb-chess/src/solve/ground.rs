//! The board of one layer: where kings and a piece of White's may stand, and how they move there, 64 positions at a time.
//!
//! Rows are by the square of Black's king; in a row there is a word for every square of the piece (one word if there is none).

use super::bits::{AROUND, bit, jumps, king_steps, squares, way};
use super::structure::{Kind, Side, Structure};

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
/// each word standing in the way. Blocked squares have empty words; what is added to them means nothing.
pub(super) fn slide(kind: Kind, row: &[u64; 64], blocked: u64, out: &mut [u64; 64]) {
    if kind == Kind::Knight {
        for piece in squares(!blocked) {
            let to = squares(jumps(piece) & !blocked);
            out[piece as usize] |= to.fold(0, |set, to| set | row[to as usize]);
        }
        return;
    }
    // Where White's king does not stand in the way.
    let mut open: [u64; 64] = std::array::from_fn(|square| !bit(square as u8));
    squares(blocked).for_each(|square| open[square as usize] = 0);
    let (straight, diagonal) = (kind != Kind::Bishop, kind != Kind::Rook);
    for up in [false, true] {
        if straight {
            slide_along(row, &open, up, out);
            slide_across(row, &open, up, 1, out);
        }
        if diagonal {
            slide_across(row, &open, up, 0, out);
            slide_across(row, &open, up, 2, out);
        }
    }
}

/// Along the ranks. What can be reached from a square is what can be reached from the next one and the next one itself.
fn slide_along(row: &[u64; 64], open: &[u64; 64], right: bool, out: &mut [u64; 64]) {
    for rank in 0..8 {
        let mut reach = 0;
        for step in 0..8 {
            let square = 8 * rank + if right { 7 - step } else { step };
            out[square] |= reach;
            reach = (row[square] | reach) & open[square];
        }
    }
}

/// From rank to rank, eight files at once: straight on with `shift` 1, and to the sides with 0 and 2.
fn slide_across(row: &[u64; 64], open: &[u64; 64], up: bool, shift: usize, out: &mut [u64; 64]) {
    let mut reach = [0u64; 8];
    for step in 0..8 {
        let start = 8 * if up { 7 - step } else { step };
        let mut next = [0u64; 10];
        for file in 0..8 {
            out[start + file] |= reach[file];
            next[file + 1] = (row[start + file] | reach[file]) & open[start + file];
        }
        reach.copy_from_slice(&next[shift..shift + 8]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gb_board::Xorshift;

    /// Move by move.
    fn naive(kind: Kind, row: &[u64; 64], blocked: u64) -> [u64; 64] {
        let mut out = [0; 64];
        for from in squares(!blocked) {
            for to in squares(!blocked) {
                if let Some(way) = way(kind, from, to)
                    && way & blocked == 0
                {
                    out[from as usize] |= row[to as usize] & !way & !bit(to);
                }
            }
        }
        out
    }

    #[test]
    fn slides_are_single_moves() {
        let mut random = Xorshift(0x51de);
        for kind in Kind::ALL {
            for _ in 0..200 {
                let blocked = random.next() & random.next() & random.next();
                let mut row: [u64; 64] = std::array::from_fn(|_| random.next());
                // White's king never stands where the piece stands.
                row.iter_mut().enumerate().for_each(|(square, word)| *word &= !bit(square as u8));
                squares(blocked).for_each(|square| row[square as usize] = 0);
                let mut out = [0; 64];
                slide(kind, &row, blocked, &mut out);
                squares(blocked).for_each(|square| out[square as usize] = 0);
                assert_eq!(out, naive(kind, &row, blocked), "{kind:?} {blocked:x}");
            }
        }
    }
}
