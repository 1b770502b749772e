//! Positions that count as decided before they are over, so that the search need not mate with every queen:
//!
//! - **Queen.** A queen wins against king and pawns, if it cannot be taken at once, nobody is stalemated, and the pawns are
//!   all at least [`FAR`] moves from promotion when it is their side's move (one less when it is the queen's), and no two of them
//!   stand side by side with their king behind.
//! - **Runner.** A pawn that nobody can stop ("the rule of the square") becomes such a queen, also when the opponent gets a
//!   move more for each of his pawns that could give check on its way.
//! - **King and pawn against king** are known exactly, from a table of all such positions.
//!
//! The first two are rules of thumb and can be wrong: they serve a guess only.

use cozy_chess::{Board, Color, Piece, Square};

use super::board::{before, distance, goal, has_no_moves, is_bare, is_passed, pawns, way};
use super::kpk::PawnAgainstKing;

/// So many moves are enough for a queen to stop pawns.
const FAR: i32 = 3;
/// Pawns that are no further from promotion keep a queen busy if their king helps.
const NEAR: i32 = 4;

/// What the rules say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decided {
    /// This side wins, in about so many moves of its own.
    Won(Color, i32),
    /// Nobody can win.
    Drawn,
}

/// Applies the rules. The table is made when it is first needed.
#[derive(Default)]
pub(super) struct Judge {
    pawn_against_king: Option<PawnAgainstKing>,
}

impl Judge {
    pub(super) fn decide(&mut self, at: &Board) -> Option<Decided> {
        let colors = Color::ALL;
        if at.pieces(Piece::King) == at.occupied() {
            return Some(Decided::Drawn);
        }
        let bare = colors.map(|color| is_bare(at, color));
        if bare == [true, true] {
            if at.occupied().len() == 3 {
                let table = self.pawn_against_king.get_or_insert_with(PawnAgainstKing::new);
                return Some(table.decide(at));
            }
            return colors.into_iter().find_map(|color| Some(Decided::Won(color, runs_home(at, color)?)));
        }
        let queens = |color: Color| at.colored_pieces(color, Piece::Queen);
        let winner = colors.into_iter().find(|&color| !queens(color).is_empty() && bare[!color as usize])?;
        queen_wins(at, winner).then_some(Decided::Won(winner, 10))
    }
}

/// The fewest moves any pawn of a side needs.
fn shortest_way(at: &Board, color: Color) -> Option<i32> {
    pawns(at, color).iter().map(|square| way(color, square)).min()
}

/// Whether two passed pawns of a side stand side by side, at most [`NEAR`] moves from promotion and near their king: such pawns often hold out
/// against a queen.
pub(super) fn has_supported_pair(at: &Board, color: Color) -> bool {
    let king = at.king(color);
    let near = |square: &Square| {
        way(color, *square) <= NEAR && distance(king, *square) <= 2 && is_passed(at, color, *square)
    };
    let near: Vec<Square> = pawns(at, color).iter().filter(near).collect();
    let is_beside =
        |a: Square, b: Square| (a.file() as i32).abs_diff(b.file() as i32) == 1 && distance(a, b) <= 1;
    near.iter().enumerate().any(|(i, &a)| near[..i].iter().any(|&b| is_beside(a, b)))
}

/// Whether the side with the queen wins by rule against king and pawns.
fn queen_wins(at: &Board, color: Color) -> bool {
    let to_move = at.side_to_move() == color;
    if has_supported_pair(at, !color) {
        return false;
    }
    if shortest_way(at, !color).is_some_and(|moves| moves + i32::from(to_move) < FAR) {
        return false;
    }
    if to_move {
        return !has_no_moves(at);
    }
    let queens = at.colored_pieces(color, Piece::Queen);
    let mut can_move = false;
    let loses_queen = at.generate_moves(|set| {
        can_move = true;
        !(set.to & queens).is_empty()
    });
    // A second queen would do as well, but such positions are rare.
    !loses_queen && (can_move || !at.checkers().is_empty())
}

/// In how many moves a side promotes a pawn that the enemy king cannot catch, with nothing in its way.
pub(super) fn free_run(at: &Board, color: Color) -> Option<i32> {
    let king = at.king(!color);
    let waits = i32::from(at.side_to_move() != color);
    let mut best: Option<i32> = None;
    for square in pawns(at, color) {
        let moves = way(color, square);
        if best.is_some_and(|best| best <= moves)
            || !is_passed(at, color, square)
            || !(before(color, square) & at.occupied()).is_empty()
        {
            continue;
        }
        let caught =
            distance(king, goal(color, square)) <= moves + waits || waits == 1 && distance(king, square) == 1;
        if !caught {
            best = Some(moves);
        }
    }
    best
}

/// In how many moves a side wins by a pawn that cannot be stopped.
fn runs_home(at: &Board, color: Color) -> Option<i32> {
    let moves = free_run(at, color)?;
    let to_move = at.side_to_move() == color;
    if to_move && !at.checkers().is_empty() || has_supported_pair(at, !color) {
        return None;
    }
    let Some(theirs) = shortest_way(at, !color) else { return Some(moves) };
    let rank = at.king(color).rank().relative_to(color);
    let ahead = |square: &cozy_chess::Square| square.rank().relative_to(color) > rank;
    let checks = pawns(at, !color).iter().filter(ahead).count() as i32;
    let made = if to_move { moves - 1 } else { moves };
    (theirs - made - checks >= FAR).then_some(moves)
}
