//! Sets of squares as 64 bits: how kings, pieces and pawns move on them. Squares count from 0 (a1) along the ranks to 63 (h8).

use super::structure::Kind;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The set of one square.
pub(super) const fn bit(square: u8) -> u64 {
    1 << square
}

/// The squares one step to the left and to the right of a set.
pub(super) const fn beside(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

/// Where kings on the squares of a set can go; squares of the set only if another of them is beside.
pub(super) const fn king_steps(set: u64) -> u64 {
    let side = beside(set);
    let row = set | side;
    side | row << 8 | row >> 8
}

/// What pawns attack.
pub(super) const fn attacks_of_white(pawns: u64) -> u64 {
    beside(pawns << 8)
}

/// What pawns attack.
pub(super) const fn attacks_of_black(pawns: u64) -> u64 {
    beside(pawns >> 8)
}

const fn make_around() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = king_steps(1 << square) & !(1 << square);
        square += 1;
    }
    table
}

/// The squares around each square.
pub(super) const AROUND: [u64; 64] = make_around();

const fn make_jumps() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let mut other = 0;
        while other < 64 {
            let across = usize::abs_diff(other % 8, file);
            let along = usize::abs_diff(other / 8, rank);
            if across * along == 2 {
                table[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
}

/// Where a knight can jump.
const JUMPS: [u64; 64] = make_jumps();

/// The eight directions as steps of file and rank, straight ones first.
pub(super) const DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// The next square in a direction.
pub(super) const fn step(square: u8, direction: (i8, i8)) -> Option<u8> {
    let (file, rank) = ((square % 8) as i8 + direction.0, (square / 8) as i8 + direction.1);
    if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some((8 * rank + file) as u8) }
}

const fn make_between() -> ([[u64; 64]; 64], [[u8; 64]; 64]) {
    let (mut between, mut lines) = ([[0; 64]; 64], [[0; 64]; 64]);
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (mut at, mut way) = (from as u8, 0u64);
            while let Some(next) = step(at, DIRECTIONS[direction]) {
                between[from][next as usize] = way;
                lines[from][next as usize] = if direction < 4 { 1 } else { 2 };
                way |= 1 << next;
                at = next;
            }
            direction += 1;
        }
        from += 1;
    }
    (between, lines)
}

const LINES: ([[u64; 64]; 64], [[u8; 64]; 64]) = make_between();
static BETWEEN: [[u64; 64]; 64] = LINES.0;
static LINE: [[u8; 64]; 64] = LINES.1;

/// The squares between two squares of a line.
pub(super) fn between(from: u8, to: u8) -> u64 {
    BETWEEN[from as usize][to as usize]
}

/// The squares that must be free for a piece to go from one square to another; `None` if it cannot go there at all.
pub(super) fn way(kind: Kind, from: u8, to: u8) -> Option<u64> {
    let line = LINE[from as usize][to as usize];
    let can = match kind {
        Kind::Queen => line != 0,
        Kind::Rook => line == 1,
        Kind::Bishop => line == 2,
        Kind::Knight => JUMPS[from as usize] >> to & 1 == 1,
    };
    can.then(|| between(from, to))
}

/// Where a knight can jump from a square.
pub(super) fn jumps(square: u8) -> u64 {
    JUMPS[square as usize]
}

/// The squares of a set.
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(square)
    })
}

/// The matrix of bits with rows and columns exchanged (H. S. Warren, Hacker's Delight, section 7-3).
pub(super) fn transpose(rows: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffffu64);
    while width != 0 {
        let mut k = 0;
        while k < 64 {
            let swap = (rows[k] >> width ^ rows[k + width]) & mask;
            rows[k] ^= swap << width;
            rows[k + width] ^= swap;
            k = (k + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_lines() {
        assert_eq!(AROUND[0], 1 << 1 | 1 << 8 | 1 << 9);
        assert_eq!(king_steps(1 << 63), 1 << 62 | 1 << 55 | 1 << 54);
        assert_eq!(king_steps(1 << 27 | 1 << 28) >> 27 & 3, 3);
        assert_eq!(way(Kind::Rook, 0, 24), Some(1 << 8 | 1 << 16));
        assert_eq!(way(Kind::Rook, 0, 9), None);
        assert_eq!(way(Kind::Bishop, 0, 18), Some(1 << 9));
        assert_eq!(way(Kind::Knight, 0, 17), Some(0));
        assert_eq!(way(Kind::Queen, 0, 17), None);
    }

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        let mut rows = [0u64; 64];
        for (index, row) in rows.iter_mut().enumerate() {
            *row = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let before = rows;
        transpose(&mut rows);
        for (i, before) in before.iter().enumerate() {
            for (j, after) in rows.iter().enumerate() {
                assert_eq!(before >> j & 1, after >> i & 1);
            }
        }
    }
}
