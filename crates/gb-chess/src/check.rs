//! The whole board with both kings, by alpha-beta: does it agree with the sum of the chunks?
//!
//! Iterative deepening with a table of positions, as in any chess program; promoted pawns move on as queens. Only mate, and
//! what the [`rules`] decide, counts as decided; everything else is an estimate.

mod board;
mod estimate;
mod kpk;
mod rules;
mod search;
mod table;

use gb_game::Player;
use gb_games::games::chess::ChessBoard;
use gb_value::Budget;
use serde::Serialize;

use crate::names::player_name;
pub(crate) use board::{full_board, move_text};
use search::{MAX_PLY, Search, is_decided, is_mate};

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

/// What a verdict rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Mate: a proof.
    Mate,
    /// Every line ends in mate or in a position that a rule takes as won: a queen against pawns that are far from
    /// promotion, a pawn that no king can catch, or king and pawn against king.
    Rule,
    /// How the positions look at the end of the search.
    Estimate,
}

/// The result of a search of the whole board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Check {
    /// Who should win.
    pub claim: &'static str,
    /// Whether he does.
    pub verdict: Verdict,
    /// What that rests on.
    pub basis: Basis,
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
    let Some(board) = board::full_board(at) else { return already_over(at, claim) };
    let mut search = Search::new(budget);
    let (mut scores, mut depth, mut line) = (vec![], 0, vec![]);
    for next in 1..=max_depth.min(MAX_PLY as u32) {
        let Ok(score) = search.root(&board, next as i32) else { break };
        scores.push(score);
        (depth, line) = (next, search.line(&board));
        progress(depth, score, search.nodes, line.first().map_or("", String::as_str));
        if is_decided(score) {
            break;
        }
    }
    let score = scores.last().copied().unwrap_or(0);
    let steady = |beyond: &dyn Fn(i32) -> bool| {
        is_decided(score)
            || scores.len() >= STEADY && scores.iter().rev().take(STEADY).all(|&score| beyond(score))
    };
    let mover = board::player(board.side_to_move());
    let winner = if steady(&|score| score >= LEAD) && score > 0 {
        Some(mover)
    } else if steady(&|score| score <= -LEAD) && score < 0 {
        Some(mover.opponent())
    } else {
        None
    };
    let basis = match score {
        _ if is_mate(score) => Basis::Mate,
        _ if is_decided(score) => Basis::Rule,
        _ => Basis::Estimate,
    };
    let white = if mover == Player::Left { score } else { -score };
    Check {
        claim: player_name(claim),
        verdict: verdict(winner, claim),
        basis,
        line,
        estimate: (basis == Basis::Estimate).then_some(white),
        depth,
        nodes: search.nodes,
    }
}

fn verdict(winner: Option<Player>, claim: Player) -> Verdict {
    match winner {
        Some(winner) if winner == claim => Verdict::Agreement,
        Some(_) => Verdict::Refutation,
        None => Verdict::NotDecided,
    }
}

/// A pawn stands on the last rank: there is nothing to search.
fn already_over(at: &ChessBoard, claim: Player) -> Check {
    let winner = at.promoted();
    let basis = if winner.is_some() { Basis::Rule } else { Basis::Estimate };
    let estimate = winner.is_none().then_some(0);
    let verdict = verdict(winner, claim);
    Check { claim: player_name(claim), verdict, basis, line: vec![], estimate, depth: 0, nodes: 0 }
}
