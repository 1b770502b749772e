//! How a position looks where the search ends.

use cozy_chess::{Board, Color, Piece, Square, get_pawn_attacks};

use super::board::{distance, goal, is_bare, is_passed, pawns, way};
use super::rules::{free_run, has_supported_pair};

/// In hundredths of a pawn, for the player to move: material; where nobody has a piece, passed pawns and how near the kings
/// are to pawns; where somebody has, how far the weaker king is driven back.
pub(super) fn estimate(at: &Board) -> i32 {
    let with_pieces = Color::ALL.iter().any(|&color| !is_bare(at, color));
    let sides = Color::ALL.map(|color| {
        material(at, color) + if with_pieces { runners(at, color) } else { pawn_structure(at, color) }
    });
    let mut white = sides[0] - sides[1];
    if with_pieces {
        let drive = |weak: Color| {
            let (king, other) = (at.king(weak), at.king(!weak));
            6 * from_centre(king) + 3 * (7 - distance(king, other))
        };
        white += if white > 0 { drive(Color::Black) } else { -drive(Color::White) };
    }
    // Without pawns or heavy pieces nobody wins.
    for color in Color::ALL {
        let heavy = at.pieces(Piece::Queen) | at.pieces(Piece::Rook) | at.pieces(Piece::Pawn);
        if (at.colors(color) & heavy).is_empty() {
            white = if color == Color::White { white.min(0) } else { white.max(0) };
        }
    }
    // A queen alone against pawns that their king supports: as often a draw as a win, and nothing to build a guess on.
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        if !is_bare(at, color) && is_bare(at, !color) && has_supported_pair(at, !color) {
            white = sign * (sign * white).min(UNCLEAR);
        }
    }
    if at.side_to_move() == Color::White { white } else { -white }
}

/// A lead that is neither enough for a win nor nothing.
const UNCLEAR: i32 = 100;

fn material(at: &Board, color: Color) -> i32 {
    let count = |piece| at.colored_pieces(color, piece).len() as i32;
    100 * count(Piece::Pawn)
        + 300 * (count(Piece::Knight) + count(Piece::Bishop))
        + 500 * count(Piece::Rook)
        + 950 * count(Piece::Queen)
}

/// Passed pawns beside queens: only how far they are.
fn runners(at: &Board, color: Color) -> i32 {
    let worth = |square: Square| {
        let far = 6 - way(color, square);
        if is_passed(at, color, square) { 10 + 5 * far * far } else { 2 * far }
    };
    pawns(at, color).iter().map(worth).sum()
}

fn pawn_structure(at: &Board, color: Color) -> i32 {
    let (own, theirs) = (at.king(color), at.king(!color));
    let mut side = 0;
    for square in pawns(at, color) {
        let far = 6 - way(color, square);
        side += 2 * far;
        if is_passed(at, color, square) {
            let last = goal(color, square);
            let kings = distance(theirs, last) - distance(own, last);
            side += 20 + 6 * far * far + 4 * kings;
            // A passed pawn that another pawn guards cannot be taken by a king.
            if !(get_pawn_attacks(square, !color) & pawns(at, color)).is_empty() {
                side += 30;
            }
        }
        // Kings should be near pawns.
        side += 3 * (distance(theirs, square) - distance(own, square));
    }
    if let Some(moves) = free_run(at, color) {
        side += 500 - 20 * moves;
    }
    // A last pawn against none is a draw as often as not.
    if pawns(at, color).len() == 1 && pawns(at, !color).is_empty() { side.min(50) } else { side }
}

fn from_centre(square: Square) -> i32 {
    let off = |x: i32| (2 * x - 7).abs() / 2;
    off(square.file() as i32) + off(square.rank() as i32)
}
