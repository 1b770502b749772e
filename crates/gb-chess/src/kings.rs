//! What the kings have to do with the pawns.

use gb_board::Word;
use gb_games::games::chess::ChessBoard;
use gb_games::games::pawns::PawnBoard;
use gb_rules::Player;

/// Passed pawns that the enemy king can stop.
pub(crate) fn passed_and_held(at: &ChessBoard) -> u64 {
    let mut bound = 0;
    for who in Player::BOTH {
        for square in at.pawns(who).cells() {
            if is_passed(at, who, square as u8) && is_held(at, who, square as u8) {
                bound |= 1 << square;
            }
        }
    }
    bound
}

/// Some pawns, and all chunks of the others that a king touches, until no more is touched.
pub(crate) fn with_touched_chunks(at: &ChessBoard, mut bound: u64) -> u64 {
    let all = at.pawns(Player::Left) | at.pawns(Player::Right);
    // Chunks fall apart when pawns are taken out, so that each is looked at again.
    loop {
        let free = all & !bound;
        let near = touched(at, free);
        if near == 0 {
            return bound;
        }
        for chunk in at.pawn_board(free).chunks() {
            let set = squares(&chunk);
            if set & near != 0 {
                bound |= set;
            }
        }
    }
}

/// The squares of all pawns.
pub(crate) fn squares(board: &PawnBoard) -> u64 {
    let all = Player::BOTH.into_iter().flat_map(|who| board.squares(who));
    all.fold(0, |set, (file, rank)| set | 1 << (8 * rank + file))
}

/// No enemy pawn stands before it on its file or on a neighbouring one.
pub(crate) fn is_passed(at: &ChessBoard, who: Player, square: u8) -> bool {
    at.pawns(who.opponent()).cells().all(|other| {
        let other = other as u8;
        let beyond = if who == Player::Left { other / 8 > square / 8 } else { other / 8 < square / 8 };
        (other % 8).abs_diff(square % 8) > 1 || !beyond
    })
}

/// The enemy king can take it at once, or reaches the square of promotion in time even if it is not his move ("the rule
/// of the square").
fn is_held(at: &ChessBoard, who: Player, square: u8) -> bool {
    let king = at.king(who.opponent());
    let last: u8 = if who == Player::Left { 7 } else { 0 };
    let mut way = last.abs_diff(square / 8);
    if way == 6 {
        way = 5;
    }
    let distance = (king / 8).abs_diff(last).max((king % 8).abs_diff(square % 8));
    distance <= way || ChessBoard::around(king) >> square & 1 == 1
}

/// The kings' moves to the nearest of these pawns that a king of the other side can come to stand beside in time, even if
/// the pawns run; and these pawns.
pub(crate) fn reachable(at: &ChessBoard, free: u64) -> (Option<u8>, u64) {
    let (mut nearest, mut found) = (None, 0);
    for who in Player::BOTH {
        let king = at.king(who.opponent());
        for square in (at.pawns(who) & free).cells() {
            let (file, rank) = (square as u8 % 8, square as u8 / 8);
            let moves = (king % 8).abs_diff(file).max((king / 8).abs_diff(rank)).saturating_sub(1);
            let way = if who == Player::Left { 7 - rank } else { rank };
            if moves <= way {
                found |= 1 << square;
                nearest = nearest.into_iter().chain([moves]).min();
            }
        }
    }
    (nearest, found)
}

/// Pawns that kings have to do with: on a square beside a king, with a king right before them, or with a square beside a king
/// on their way.
pub(crate) fn touched(at: &ChessBoard, free: u64) -> u64 {
    let mut found = 0;
    for who in Player::BOTH {
        for square in (at.pawns(who) & free).cells() {
            let way = (0..8u32).filter(|rank| match who {
                Player::Left => *rank >= square / 8,
                Player::Right => *rank <= square / 8,
            });
            let way = way.fold(0u64, |set, rank| set | 1 << (8 * rank + square % 8));
            let meets = |who: Player| {
                let king = at.king(who);
                (ChessBoard::around(king) | 1 << king) & way != 0
            };
            if Player::BOTH.into_iter().any(meets) {
                found |= 1 << square;
            }
        }
    }
    found
}
