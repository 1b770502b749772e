//! Rules that decide a game before it is over.
//!
//! - A queen wins, if it cannot be taken at once, nobody is stalemated, and the opponent's pawns are all at least
//!   [`FAR`] moves from promotion with him to move.
//! - A pawn that nobody can stop becomes such a queen ("the rule of the square"), also when the opponent gets a move more
//!   for each of his pawns that could give check on its way.
//!
//! Both hold in practice, but they are rules and no proofs.

use gb_board::Word;
use gb_game::Player;
use gb_games::games::chess::{ChessBoard, Step};

use crate::complex::is_passed;

/// So many moves are enough for a queen to stop pawns.
pub(crate) const FAR: i32 = 3;

/// How many moves a pawn needs to promote if nothing is in its way.
pub(crate) fn way(who: Player, square: u8) -> i32 {
    let ranks = i32::from(if who == Player::Left { 7 - square / 8 } else { square / 8 });
    if ranks == 6 { 5 } else { ranks }
}

/// The fewest moves any pawn of a player needs; `None` without pawns.
pub(crate) fn shortest_way(at: &ChessBoard, who: Player) -> Option<i32> {
    at.pawns(who).cells().map(|square| way(who, square as u8)).min()
}

fn distance(a: u8, b: u8) -> i32 {
    i32::from((a / 8).abs_diff(b / 8).max((a % 8).abs_diff(b % 8)))
}

/// The squares before a pawn on its file.
fn before(who: Player, square: u8) -> u64 {
    let file = 0x0101_0101_0101_0101u64 << (square % 8);
    let beyond = match who {
        Player::Left => u64::MAX.checked_shl(8 * (u32::from(square) / 8 + 1)).unwrap_or(0),
        Player::Right => (1u64 << (8 * (square / 8))) - 1,
    };
    file & beyond
}

/// In how many moves a player promotes a pawn that the opponent's king cannot catch and no piece stands before.
pub(crate) fn free_run(at: &ChessBoard, who: Player) -> Option<i32> {
    let king = at.king(who.opponent());
    let to_move = at.to_move() == who;
    let pieces = at.pawns(Player::Left)
        | at.pawns(Player::Right)
        | 1 << at.king(Player::Left)
        | 1 << at.king(Player::Right);
    let mut best: Option<i32> = None;
    for square in at.pawns(who).cells() {
        let square = square as u8;
        if before(who, square) & pieces != 0 || !is_passed(at, who, square) {
            continue;
        }
        let moves = way(who, square);
        let last = square % 8 + if who == Player::Left { 56 } else { 0 };
        let caught = distance(king, last) <= moves + i32::from(!to_move)
            || !to_move && ChessBoard::around(king) >> square & 1 == 1;
        if !caught && best.is_none_or(|best| moves < best) {
            best = Some(moves);
        }
    }
    best
}

/// A player who wins by a pawn that cannot be stopped.
pub(crate) fn winner_of_race(at: &ChessBoard) -> Option<Player> {
    Player::BOTH.into_iter().find(|&who| {
        let Some(moves) = free_run(at, who) else { return false };
        if at.is_check(who) {
            return false;
        }
        let enemy = who.opponent();
        let Some(theirs) = shortest_way(at, enemy) else { return true };
        let rank = at.king(who) / 8;
        let ahead = |square: u32| {
            let other = square as u8 / 8;
            if who == Player::Left { other > rank } else { other < rank }
        };
        let checks = at.pawns(enemy).cells().filter(|&square| ahead(square)).count() as i32;
        let made = if at.to_move() == who { moves - 1 } else { moves };
        theirs - made - checks >= FAR
    })
}

/// Whether the player to move wins by promoting a pawn with this step.
pub(crate) fn promotion_wins(at: &ChessBoard, step: Step) -> bool {
    let who = at.to_move();
    let enemy = who.opponent();
    let (own, theirs) = (at.king(who), at.king(enemy));
    let next = at.after(step);
    if ChessBoard::around(theirs) >> step.to & 1 == 1 && ChessBoard::around(own) >> step.to & 1 == 0 {
        return false;
    }
    if shortest_way(&next, enemy).is_some_and(|moves| moves < FAR) {
        return false;
    }
    !may_be_stalemate(&next, step.to)
}

/// Whether the player to move is not in check and his king cannot move, with an enemy queen on this square. Pawns might
/// still move, unless they are pinned: better no rule than a wrong one.
fn may_be_stalemate(at: &ChessBoard, queen: u8) -> bool {
    let who = at.to_move();
    let enemy = who.opponent();
    let king = at.king(who);
    let pieces = at.pawns(Player::Left) | at.pawns(Player::Right) | 1 << at.king(enemy);
    // The king does not hide squares behind himself.
    let attacked = lines(queen, pieces);
    if attacked >> king & 1 == 1 {
        return false;
    }
    let pawns = at.pawns(enemy).cells().fold(0, |set, square| set | pawn_attacks(enemy, square as u8));
    let guarded = attacked | ChessBoard::around(at.king(enemy)) | pawns;
    ChessBoard::around(king) & !at.pawns(who) & !guarded == 0
}

fn pawn_attacks(who: Player, square: u8) -> u64 {
    let next = if who == Player::Left { 0xff << 8 } else { 0xffu64 << 48 };
    let rank = if who == Player::Left { next << (8 * (square / 8)) } else { next >> (8 * (7 - square / 8)) };
    ChessBoard::around(square) & rank & !(0x0101_0101_0101_0101 << (square % 8))
}

/// What a queen attacks.
fn lines(queen: u8, pieces: u64) -> u64 {
    let mut set = 0;
    for (up, right) in [(0i8, 1i8), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
        let (mut rank, mut file) = (queen as i8 / 8 + up, queen as i8 % 8 + right);
        while (0..8).contains(&rank) && (0..8).contains(&file) {
            let square = 8 * rank + file;
            set |= 1 << square;
            if pieces >> square & 1 == 1 {
                break;
            }
            (rank, file) = (rank + up, file + right);
        }
    }
    set
}
