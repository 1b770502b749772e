//! A short look at the whole board by alpha-beta, as any chess program does it: a guess where nothing is proved.
//!
//! Iterative deepening with a table of positions; promoted pawns move on as queens. Rules of thumb ([`rules`]) cut lines short, so
//! what comes out is an estimate and never a proof.

mod board;
mod estimate;
mod kpk;
mod rules;
mod search;
mod table;

use gb_games::games::chess::ChessBoard;
use gb_value::Budget;

pub(crate) use board::{full_board, move_text};
use search::{MAX_PLY, Search, is_decided};

/// What counts as decided by a rule of thumb, in hundredths of a pawn.
const DECIDED: i32 = 1_000;

/// How a position looks, in hundredths of a pawn for White: the score of the last depth that was completed, at most so many
/// half-moves.
pub(crate) fn shallow_search(at: &ChessBoard, depth: u32, budget: &Budget) -> i32 {
    let Some(board) = full_board(at) else { return 0 };
    let mut search = Search::new(budget);
    let mut last = 0;
    for depth in 1..=depth.min(MAX_PLY as u32) {
        let Ok(score) = search.root(&board, depth as i32) else { break };
        last = score;
        if is_decided(score) {
            last = DECIDED * score.signum();
            break;
        }
    }
    if board.side_to_move() == cozy_chess::Color::White { last } else { -last }
}

/// Whether White wins king and pawn against king, by the table of the search.
#[cfg(test)]
pub(crate) fn pawn_against_king(at: &cozy_chess::Board) -> bool {
    use std::sync::OnceLock;
    static TABLE: OnceLock<kpk::PawnAgainstKing> = OnceLock::new();
    matches!(TABLE.get_or_init(kpk::PawnAgainstKing::new).decide(at), rules::Decided::Won(..))
}

#[cfg(test)]
mod tests {
    use gb_games::games::chess::Chess;
    use gb_rules::Rules;

    use super::*;

    #[test]
    fn simple_races() {
        let look = |fen: &str| {
            let board = Chess.read(fen).unwrap();
            shallow_search(&board, 12, &Budget::unlimited().with_nodes(100_000))
        };
        assert!(look("8/8/8/P6k/8/8/8/K7 w - - 0 1") > 500);
        assert!(look("8/8/8/8/P7/7p/8/K5k1 b - - 0 1") < -500);
        assert!(look("8/8/8/P3k3/8/8/8/7K b - - 0 1").abs() < 100);
    }

    #[test]
    fn limits_are_obeyed() {
        let board = Chess.read("8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1").unwrap();
        let budget = Budget::unlimited().with_nodes(20_000);
        shallow_search(&board, 200, &budget);
        assert!(budget.nodes() <= 22_000);
    }
}
