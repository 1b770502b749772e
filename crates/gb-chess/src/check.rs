//! The whole board with both kings, by alpha-beta: does it agree with the sum of the chunks?
//!
//! Iterative deepening with a table of positions, as in any chess program. Only mate, and what the [`rules`] of promotion
//! decide, counts as decided; everything else is an estimate.

mod rules;
mod search;
mod table;

use gb_game::Player;
use gb_games::games::chess::ChessBoard;
use gb_value::Budget;
use serde::Serialize;

use crate::names::player_name;
use search::{MAX_PLY, SURELY, Search};

/// What the search says about the claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claimed player wins.
    Agreement,
    /// The other player wins.
    Refutation,
    /// Neither within the limits.
    NotDecided,
}

/// The result of a search of the whole board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Check {
    /// Who should win.
    pub claim: &'static str,
    /// Whether he does.
    pub verdict: Verdict,
    /// The verdict does not rest on an estimate: the game is decided by mate or by the rules of promotion.
    pub proved: bool,
    /// The best line found.
    pub line: Vec<String>,
    /// The estimate in hundredths of a pawn, from White's side, where nothing is decided.
    pub estimate: Option<i32>,
    /// The depth that was completed, in half-moves.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
}

/// So far ahead, in hundredths of a pawn, a player counts as winning,
const LEAD: i32 = 200;
/// if he is at each of so many depths in a row.
const STEADY: usize = 4;

/// Searches the whole board until the game is decided, the budget is spent, or `max_depth` half-moves are completed.
/// `progress` is told of every completed depth: depth, score in hundredths of a pawn for the player to move, nodes, and the
/// best move.
pub fn check(
    at: &ChessBoard,
    claim: Player,
    max_depth: u32,
    budget: &Budget,
    progress: &mut dyn FnMut(u32, i32, u64, &str),
) -> Check {
    let mut search = Search::new(budget);
    let (mut scores, mut depth, mut line) = (vec![], 0, vec![]);
    for next in 1..=max_depth.min(MAX_PLY as u32) {
        match search.root(at, next as i32) {
            Ok(value) => {
                scores.push(value);
                (depth, line) = (next, search.line(at));
                progress(depth, value, search.nodes, line.first().map_or("", String::as_str));
            }
            Err(_) => break,
        }
        if scores.last().is_some_and(|score| score.abs() > SURELY) {
            break;
        }
    }
    let score = scores.last().copied().unwrap_or(0);
    let proved = score.abs() > SURELY;
    let steady = |beyond: &dyn Fn(i32) -> bool| {
        scores.len() >= STEADY && scores.iter().rev().take(STEADY).all(|&score| beyond(score))
    };
    let winner = match score {
        _ if score > SURELY || steady(&|score| score >= LEAD) => Some(at.to_move()),
        _ if score < -SURELY || steady(&|score| score <= -LEAD) => Some(at.to_move().opponent()),
        _ => None,
    };
    let verdict = match winner {
        Some(winner) if winner == claim => Verdict::Agreement,
        Some(_) => Verdict::Refutation,
        None => Verdict::NotDecided,
    };
    let white = if at.to_move() == Player::Left { score } else { -score };
    let estimate = (!proved).then_some(white);
    Check { claim: player_name(claim), verdict, proved, line, estimate, depth, nodes: search.nodes }
}
