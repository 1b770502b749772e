//! Alpha-beta on the whole board: principal variation search with late moves reduced, a table of positions, and captures
//! and promotions beyond the depth.
//!
//! Nothing is ever left out for good, and scores of decided games come from mate and from the rules only. So a win that is
//! reported does not depend on how deep a move was looked into, nor on repetitions, which count as draws.

use gb_board::Word;
use gb_game::Player;
use gb_games::games::chess::{ChessBoard, Step};
use gb_value::{Budget, Stop};

use super::rules::{free_run, promotion_wins, way, winner_of_race};
use super::table::{Bound, Seen, Table};
use crate::complex::is_passed;

pub(super) const WON: i32 = 100_000;
/// Scores beyond this are wins in so many half-moves.
pub(super) const SURELY: i32 = WON - 1_000;
/// No line is longer.
pub(super) const MAX_PLY: i32 = 120;

pub(super) struct Search<'a> {
    table: Table,
    path: Vec<ChessBoard>,
    /// Quiet moves that cut before, by player, from and to.
    history: Vec<u32>,
    budget: &'a Budget,
    pub(super) nodes: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(budget: &'a Budget) -> Search<'a> {
        Search { table: Table::new(), path: vec![], history: vec![0; 2 * 64 * 64], budget, nodes: 0 }
    }

    /// The score of a position for the player to move.
    pub(super) fn root(&mut self, at: &ChessBoard, depth: i32) -> Result<i32, Stop> {
        self.path.clear();
        self.history.iter_mut().for_each(|count| *count /= 8);
        self.value(at, depth, -WON, WON, 0)
    }

    fn count(&mut self) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) {
            self.budget.spend(1024, 0)?;
        }
        Ok(())
    }

    fn repeats(&self, at: &ChessBoard) -> bool {
        let pawns = Player::BOTH.map(|who| at.pawns(who));
        let same_pawns = |other: &&ChessBoard| Player::BOTH.map(|who| other.pawns(who)) == pawns;
        self.path.iter().rev().take_while(same_pawns).any(|other| other == at)
    }

    fn value(&mut self, at: &ChessBoard, depth: i32, low: i32, high: i32, ply: i32) -> Result<i32, Stop> {
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiet(at, low, high, ply);
        }
        self.count()?;
        if ply > 0 && self.repeats(at) {
            return Ok(0);
        }
        let mut first = None;
        if let Some(seen) = self.table.get(at) {
            first = seen.best;
            let score = from_table(seen.score, ply);
            let decided = score.abs() > SURELY;
            if ply > 0 && (i32::from(seen.depth) >= depth || decided) {
                match seen.bound {
                    Bound::Exact => return Ok(score),
                    Bound::AtLeast if score >= high => return Ok(score),
                    Bound::AtMost if score <= low => return Ok(score),
                    _ => {}
                }
            }
        }
        let who = at.to_move();
        if ply > 0
            && let Some(winner) = winner_of_race(at)
        {
            let won = WON - ply - 2 * free_run(at, winner).unwrap_or(0);
            return Ok(if winner == who { won } else { -won });
        }
        let mut steps = at.legal_moves();
        let in_check = at.is_check(who);
        if steps.is_empty() {
            return Ok(if in_check { ply - WON } else { 0 });
        }
        let depth = if in_check { depth + 1 } else { depth };
        let theirs = at.pawns(who.opponent());
        let history = &self.history;
        steps.sort_by_cached_key(|&step| {
            let takes = theirs >> step.to & 1 == 1;
            let promotes = step.from != at.king(who) && way(who, step.to) == 0;
            (Some(step) != first, !promotes, !takes, u32::MAX - history[slot(who, step)])
        });
        if ply > 0
            && depth <= 4
            && !in_check
            && high.abs() < SURELY
            && let standing = estimate(at)
            && standing - 70 * depth >= high
        {
            return Ok(standing);
        }
        self.path.push(*at);
        // Near the end of the search quiet moves of a king cannot make up for much. What is left out this way counts as an
        // estimate, never as lost.
        let hopeless = if depth <= 4 && !in_check { Some(estimate(at) + 60 * depth) } else { None };
        let (mut best, mut best_step, mut floor) = (-WON, steps[0], low);
        for (index, &step) in steps.iter().enumerate() {
            let next = at.after(step);
            let takes = theirs >> step.to & 1 == 1;
            let runs = step.from != at.king(who) && way(who, step.to) <= 1;
            if let Some(hope) = hopeless
                && index > 0
                && !takes
                && step.from == at.king(who)
                && hope <= floor
                && floor.abs() < SURELY
            {
                best = best.max(hope);
                continue;
            }
            let score = if next.promoted().is_some() {
                promotion(at, step, ply)
            } else {
                let deep = depth - 1;
                // A pawn that is about to promote or was taken deserves a full look.
                let reduction = if index < 2 || depth < 3 || takes || runs || in_check {
                    0
                } else {
                    ((depth.ilog2() * index.ilog2()).div_ceil(2)) as i32
                };
                if index == 0 {
                    -self.value(&next, deep, -high, -floor, ply + 1)?
                } else {
                    let mut score = -self.value(&next, deep - reduction, -floor - 1, -floor, ply + 1)?;
                    if score > floor && reduction > 0 {
                        score = -self.value(&next, deep, -floor - 1, -floor, ply + 1)?;
                    }
                    if score > floor && score < high {
                        score = -self.value(&next, deep, -high, -floor, ply + 1)?;
                    }
                    score
                }
            };
            if score > best {
                (best, best_step) = (score, step);
            }
            floor = floor.max(score);
            if floor >= high {
                if !takes {
                    let count = &mut self.history[slot(who, step)];
                    *count = count.saturating_add((depth * depth) as u32).min(1 << 24);
                }
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
        let depth = depth.clamp(0, 255) as u8;
        self.table.put(at, Seen { depth, score: to_table(best, ply), bound, best: Some(best_step) });
        Ok(best)
    }

    /// Captures and promotions only, until nothing is left to take.
    fn quiet(&mut self, at: &ChessBoard, low: i32, high: i32, ply: i32) -> Result<i32, Stop> {
        self.count()?;
        let who = at.to_move();
        if let Some(winner) = winner_of_race(at) {
            let won = WON - ply - 2 * free_run(at, winner).unwrap_or(0);
            return Ok(if winner == who { won } else { -won });
        }
        let steps = at.legal_moves();
        let in_check = at.is_check(who);
        if steps.is_empty() {
            return Ok(if in_check { ply - WON } else { 0 });
        }
        let mut best = estimate(at);
        if best >= high || ply >= MAX_PLY {
            return Ok(best);
        }
        let mut floor = low.max(best);
        let theirs = at.pawns(who.opponent());
        for step in steps {
            let promotes = step.from != at.king(who) && way(who, step.to) == 0;
            if !promotes && theirs >> step.to & 1 == 0 {
                continue;
            }
            let score = if promotes {
                promotion(at, step, ply)
            } else {
                -self.quiet(&at.after(step), -high, -floor, ply + 1)?
            };
            best = best.max(score);
            floor = floor.max(score);
            if floor >= high {
                break;
            }
        }
        Ok(best)
    }

    /// The best line as far as the table remembers it.
    pub(super) fn line(&self, at: &ChessBoard) -> Vec<String> {
        let (mut board, mut line, mut before) = (*at, vec![], vec![]);
        while !before.contains(&board) && before.len() < MAX_PLY as usize {
            let Some(step) = self.table.get(&board).and_then(|seen| seen.best) else { break };
            line.push(board.step_text(step));
            before.push(board);
            board = board.after(step);
            if board.promoted().is_some() {
                break;
            }
        }
        line
    }
}

fn slot(who: Player, step: Step) -> usize {
    (who as usize) << 12 | usize::from(step.from) << 6 | usize::from(step.to)
}

/// What a promotion is worth: everything by the rule, otherwise a queen.
fn promotion(at: &ChessBoard, step: Step, ply: i32) -> i32 {
    if promotion_wins(at, step) {
        return WON - ply - 1;
    }
    let next = at.after(step);
    let taken = ChessBoard::around(at.king(next.to_move())) >> step.to & 1 == 1
        && ChessBoard::around(at.king(at.to_move())) >> step.to & 1 == 0;
    if taken { estimate(at) - 150 } else { estimate(at) + 300 }
}

/// Wins are stored as seen from the position itself.
fn to_table(score: i32, ply: i32) -> i32 {
    if score.abs() > SURELY { score + ply * score.signum() } else { score }
}

fn from_table(score: i32, ply: i32) -> i32 {
    if score.abs() > SURELY { score - ply * score.signum() } else { score }
}

/// Material, passed pawns and how near the kings are to the pawns, for the player to move.
fn estimate(at: &ChessBoard) -> i32 {
    let mut score = 0;
    for who in Player::BOTH {
        let enemy = who.opponent();
        let (own, theirs) = (at.king(who), at.king(enemy));
        let mut side = 0;
        for square in at.pawns(who).cells() {
            let square = square as u8;
            let far = 6 - way(who, square);
            side += 100 + 2 * far;
            let last = square % 8 + if who == Player::Left { 56 } else { 0 };
            if is_passed(at, who, square) {
                let kings = distance(theirs, last) - distance(own, last);
                side += 20 + 6 * far * far + 4 * kings;
            }
            // Kings should be near pawns.
            side += 3 * (distance(theirs, square) - distance(own, square));
        }
        if let Some(moves) = free_run(at, who) {
            side += 500 - 20 * moves;
        }
        // A last pawn against none is a draw as often as not.
        if at.pawns(who).len() == 1 && at.pawns(enemy).is_empty() {
            side = side.min(150);
        }
        score += if who == at.to_move() { side } else { -side };
    }
    score
}

fn distance(a: u8, b: u8) -> i32 {
    i32::from((a / 8).abs_diff(b / 8).max((a % 8).abs_diff(b % 8)))
}
