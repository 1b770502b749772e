//! What is known about 64 positions at once: one for each square of White's king.

use super::bits::transpose;
use super::structure::Side;

/// Won: that is proved.
pub(super) const SURE: usize = 0;
/// Won, if everything that somebody could still look at is won, and nothing else: without this there is no hope for a proof.
pub(super) const HOPE: usize = 1;
/// Won, if everything that somebody could still look at is not, and all else is: with this there is no hope for a refutation.
pub(super) const FEAR: usize = 2;
/// Perhaps won: that is not excluded.
pub(super) const OPEN: usize = 3;
/// All of them.
pub(super) const LEVELS: [usize; 4] = [SURE, HOPE, FEAR, OPEN];

/// Black's king, the pieces and the pawns are given; each bit is a square of White's king.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Cell {
    /// Where the position is legal.
    pub(super) valid: u64,
    /// Where White wins.
    pub(super) white: [u64; 4],
    /// Where Black wins.
    pub(super) black: [u64; 4],
}

/// 64 cells: one for each square of Black's king.
pub(super) type Plane = [Cell; 64];

impl Cell {
    /// Nothing is known, but somebody could look at it. `can` says who may win at all.
    pub(super) fn unseen(valid: u64, can: [bool; 2]) -> Cell {
        let [white, black] = can.map(|can| if can { valid } else { 0 });
        Cell { valid, white: [0, white, 0, white], black: [0, black, 0, black] }
    }

    /// Nothing is known, and nobody is going to look at it.
    pub(super) fn beyond(valid: u64, can: [bool; 2]) -> Cell {
        let [white, black] = can.map(|can| if can { valid } else { 0 });
        Cell { valid, white: [0, 0, white, white], black: [0, 0, black, black] }
    }

    pub(super) fn wins(&self, who: Side) -> &[u64; 4] {
        match who {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }
}

/// How many words a cell has.
pub(super) const WORDS: usize = 1 + 2 * LEVELS.len();

/// A plane by words: which squares of White's king, for every square of Black's.
pub(super) type Rows = [[u64; 64]; WORDS];

impl Cell {
    /// Where it is legal, where White wins, where Black wins.
    fn words(&self) -> [u64; WORDS] {
        let ([a, b, c, d], [e, f, g, h]) = (self.white, self.black);
        [self.valid, a, b, c, d, e, f, g, h]
    }

    pub(super) fn from_words([valid, a, b, c, d, e, f, g, h]: [u64; WORDS]) -> Cell {
        Cell { valid, white: [a, b, c, d], black: [e, f, g, h] }
    }
}

pub(super) fn rows_of(plane: &Plane) -> Rows {
    let mut rows = [[0; 64]; WORDS];
    for (king, cell) in plane.iter().enumerate() {
        for (row, word) in rows.iter_mut().zip(cell.words()) {
            row[king] = word;
        }
    }
    rows
}

pub(super) fn plane_of(rows: &[&[u64; 64]; WORDS], plane: &mut Plane) {
    for (king, cell) in plane.iter_mut().enumerate() {
        *cell = Cell::from_words(rows.map(|row| row[king]));
    }
}

/// The same positions with colours exchanged and the board turned upside down.
pub(super) fn flipped(plane: &Plane) -> Plane {
    let rows = rows_of(plane);
    let mut turned = rows;
    for word in 0..WORDS {
        // Often all levels are the same.
        if let Some(same) = (0..word).find(|&other| rows[other] == rows[word]) {
            turned[word] = turned[same];
            continue;
        }
        if rows[word].iter().any(|&word| word != 0) {
            let mut matrix = rows[word];
            transpose(&mut matrix);
            turned[word] = std::array::from_fn(|king| matrix[king ^ 56].swap_bytes());
        }
    }
    let [valid, a, b, c, d, e, f, g, h] = &turned;
    let mut out = [Cell::default(); 64];
    plane_of(&[valid, e, f, g, h, a, b, c, d], &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_changes_nothing() {
        let mut plane = [Cell::default(); 64];
        for (index, cell) in plane.iter_mut().enumerate() {
            let word = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *cell = Cell {
                valid: word,
                white: [1, 2, 3, 4].map(|n| word >> n),
                black: [5, 6, 7, 8].map(|n| word >> n),
            };
        }
        let once = flipped(&plane);
        assert_eq!(flipped(&once), plane);
        // White's king on a1 and Black's on b8 become White's on b1 and Black's on a8.
        assert_eq!(plane[57].white[0] & 1, once[56].black[0] >> 1 & 1);
    }
}
