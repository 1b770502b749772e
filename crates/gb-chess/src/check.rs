//! The whole board with both kings, by alpha-beta: does it agree with the sum of the chunks?
//!
//! Iterative deepening with a table of positions, as in any chess program. Only what ends in mate or in a promotion that
//! cannot be answered counts as decided; everything else is an estimate.

use gb_board::Word;
use gb_game::Player;
use gb_games::games::chess::{ChessBoard, Step};
use gb_value::{Budget, Stop};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::names::player_name;

/// What the search says about the claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The search proves that the claimed player wins.
    Agreement,
    /// The search proves that the other player wins.
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
    /// The best line found.
    pub line: Vec<String>,
    /// The estimate in hundredths of a pawn, from White's side, where nothing is decided.
    pub estimate: Option<i32>,
    /// The depth that was completed, in half-moves.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
}

const WON: i32 = 100_000;
/// Scores beyond this are wins in so many half-moves.
const SURELY: i32 = WON - 1_000;
/// No line is longer.
const MAX_DEPTH: u32 = 200;
/// The table forgets everything beyond so many positions.
const MAX_SEEN: usize = 1 << 22;

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
    let mut search = Search { seen: FxHashMap::default(), path: vec![], budget, nodes: 0 };
    let (mut score, mut depth, mut line) = (0, 0, vec![]);
    for next in 1..=max_depth.min(MAX_DEPTH) {
        match search.value(at, next, -WON, WON, 0) {
            Ok(value) => {
                (score, depth, line) = (value, next, search.line(at, next));
                progress(depth, score, search.nodes, line.first().map_or("", String::as_str));
            }
            Err(_) => break,
        }
        if score.abs() > SURELY {
            break;
        }
    }
    let winner = match score {
        _ if score > SURELY => Some(at.to_move()),
        _ if score < -SURELY => Some(at.to_move().opponent()),
        _ => None,
    };
    let verdict = match winner {
        Some(winner) if winner == claim => Verdict::Agreement,
        Some(_) => Verdict::Refutation,
        None => Verdict::NotDecided,
    };
    let white = if at.to_move() == Player::Left { score } else { -score };
    let estimate = winner.is_none().then_some(white);
    Check { claim: player_name(claim), verdict, line, estimate, depth, nodes: search.nodes }
}

#[derive(Clone, Copy)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

struct Seen {
    depth: u32,
    score: i32,
    bound: Bound,
    best: Option<Step>,
}

struct Search<'a> {
    seen: FxHashMap<ChessBoard, Seen>,
    path: Vec<ChessBoard>,
    budget: &'a Budget,
    nodes: u64,
}

impl Search<'_> {
    /// The score for the player to move.
    fn value(&mut self, at: &ChessBoard, depth: u32, low: i32, high: i32, ply: i32) -> Result<i32, Stop> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) {
            self.budget.spend(1024, 0)?;
        }
        if self.path.contains(at) {
            return Ok(0);
        }
        let before = self.seen.get(at);
        let mut first = None;
        if let Some(seen) = before {
            first = seen.best;
            let score = from_table(seen.score, ply);
            let decided = score.abs() > SURELY;
            if seen.depth >= depth || decided {
                match seen.bound {
                    Bound::Exact => return Ok(score),
                    Bound::AtLeast if score >= high => return Ok(score),
                    Bound::AtMost if score <= low => return Ok(score),
                    _ => {}
                }
            }
        }
        let mut steps = at.legal_moves();
        if steps.is_empty() {
            return Ok(if at.is_check(at.to_move()) { ply - WON } else { 0 });
        }
        if depth == 0 {
            return Ok(estimate(at));
        }
        let who = at.to_move();
        let theirs = at.pawns(who.opponent());
        steps.sort_by_key(|&step| {
            let far = if who == Player::Left { step.to / 8 } else { 7 - step.to / 8 };
            let king = step.from == at.king(who);
            let takes = theirs >> step.to & 1 == 1;
            (Some(step) != first, !takes, king, 7 - far)
        });
        self.path.push(*at);
        let (mut best, mut best_step, mut floor) = (-WON, steps[0], low);
        for step in steps {
            let next = at.after(step);
            let score = match next.promoted() {
                Some(_) => promotion(at, step, ply),
                None => -self.value(&next, depth - 1, -high, -floor, ply + 1)?,
            };
            if score > best {
                (best, best_step) = (score, step);
            }
            floor = floor.max(score);
            if floor >= high {
                break;
            }
        }
        self.path.pop();
        let bound = if best >= high {
            Bound::AtLeast
        } else if best <= low {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        if self.seen.len() >= MAX_SEEN {
            self.seen.clear();
        }
        let seen = Seen { depth, score: to_table(best, ply), bound, best: Some(best_step) };
        self.seen.insert(*at, seen);
        Ok(best)
    }

    /// The best line as far as the table remembers it.
    fn line(&self, at: &ChessBoard, depth: u32) -> Vec<String> {
        let (mut board, mut line) = (*at, vec![]);
        for _ in 0..depth {
            let Some(step) = self.seen.get(&board).and_then(|seen| seen.best) else { break };
            line.push(board.step_text(step));
            board = board.after(step);
            if board.promoted().is_some() {
                break;
            }
        }
        line
    }
}

/// What a promotion is worth: everything, unless the queen can be taken or the opponent promotes as well.
fn promotion(at: &ChessBoard, step: Step, ply: i32) -> i32 {
    let who = at.to_move();
    let enemy = who.opponent();
    let taken = ChessBoard::around(at.king(enemy)) >> step.to & 1 == 1
        && ChessBoard::around(at.king(who)) >> step.to & 1 == 0;
    let seventh: u64 = if enemy == Player::Left { 0xff << 48 } else { 0xff << 8 };
    if taken || at.pawns(enemy) & seventh & !(1 << step.to) != 0 { 0 } else { WON - ply }
}

/// Wins are stored as seen from the position itself.
fn to_table(score: i32, ply: i32) -> i32 {
    if score > SURELY {
        score + ply
    } else if score < -SURELY {
        score - ply
    } else {
        score
    }
}

fn from_table(score: i32, ply: i32) -> i32 {
    if score > SURELY {
        score - ply
    } else if score < -SURELY {
        score + ply
    } else {
        score
    }
}

/// Material and how far the pawns have come, for the player to move.
fn estimate(at: &ChessBoard) -> i32 {
    let mut score = 0;
    for who in Player::BOTH {
        let mut side = 0;
        for square in at.pawns(who).cells() {
            let far = if who == Player::Left { square as i32 / 8 } else { 7 - square as i32 / 8 };
            side += 100 + 2 * far * far;
        }
        score += if who == at.to_move() { side } else { -side };
    }
    score
}
