//! Alpha-beta on the whole board: principal variation search with late moves reduced, a table of positions, and captures
//! and promotions beyond the depth.
//!
//! Nothing is ever left out for good, and scores of decided games come from mate and from the rules only. So a win that is
//! reported does not depend on how deep a move was looked into, nor on repetitions, which count as draws.

use cozy_chess::{Board, Color, Move, Piece};
use gb_search::alphabeta::Bound;
use gb_value::{Budget, Halt};

use super::board::{Moves, after, is_capture, moves, way};
use super::estimate::estimate;
use super::rules::{Decided, Judge};
use super::table::{Seen, Table};

/// Mated in so many half-moves is worth that much less.
const MATE: i32 = 100_000;
/// The same for games that are won by a rule.
const RULE: i32 = 50_000;
/// Half-moves that a score may be away from the two.
const ROOM: i32 = 1_000;
/// No line is longer.
pub(super) const MAX_PLY: i32 = 120;

/// Whether a score is a win by rule or by mate, and not an estimate.
pub(super) fn is_decided(score: i32) -> bool {
    score.abs() > RULE - ROOM
}

pub(super) struct Search<'a> {
    table: Table,
    judge: Judge,
    /// Hashes of the positions on the way here.
    path: Vec<u64>,
    /// Quiet moves that cut before, by player, from and to.
    history: Vec<i32>,
    /// Quiet moves that cut at the same distance from the root.
    killers: Vec<[Option<Move>; 2]>,
    budget: &'a Budget,
    pub(super) nodes: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(budget: &'a Budget) -> Search<'a> {
        Search {
            table: Table::new(),
            judge: Judge::default(),
            path: vec![],
            history: vec![0; 2 * 64 * 64],
            killers: vec![[None; 2]; MAX_PLY as usize + 1],
            budget,
            nodes: 0,
        }
    }

    /// The score of a position for the player to move.
    pub(super) fn root(&mut self, at: &Board, depth: i32) -> Result<i32, Halt> {
        self.path.clear();
        self.history.iter_mut().for_each(|count| *count /= 8);
        self.value(at, depth, -MATE, MATE, 0)
    }

    fn count(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) {
            self.budget.spend(1024, 0)?;
        }
        Ok(())
    }

    /// What the rules say about a position, as a score.
    fn decided(&mut self, at: &Board, ply: i32) -> Option<i32> {
        Some(match self.judge.decide(at)? {
            Decided::Drawn => 0,
            Decided::Won(color, moves) => {
                let won = RULE - ply - 2 * moves;
                if color == at.side_to_move() { won } else { -won }
            }
        })
    }

    fn value(&mut self, at: &Board, depth: i32, low: i32, high: i32, ply: i32) -> Result<i32, Halt> {
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiet(at, low, high, ply);
        }
        self.count()?;
        let hash = at.hash();
        if ply > 0 {
            // A position cannot come back after a pawn has moved, and not before both have moved twice.
            let back = self.path.iter().rev().take(at.halfmove_clock().into()).skip(3).step_by(2);
            if back.into_iter().any(|&other| other == hash) {
                return Ok(0);
            }
            if let Some(score) = self.decided(at, ply) {
                return Ok(score);
            }
        }
        let mut first = None;
        if let Some(seen) = self.table.get(hash) {
            first = seen.best;
            let score = from_table(seen.score, ply);
            if ply > 0
                && (i32::from(seen.depth) >= depth || is_decided(score))
                && seen.bound.settles(&score, &low, &high)
            {
                return Ok(score);
            }
        }
        let in_check = !at.checkers().is_empty();
        // Near the end of the search a great lead is not lost again, and quiet moves of a king cannot make up for much. What
        // is left out this way counts as an estimate, never as won or lost.
        let mut hopeless = None;
        if depth <= 4 && !in_check && ply > 0 {
            let standing = estimate(at);
            if !is_decided(high) && standing - 70 * depth >= high {
                return Ok(standing);
            }
            hopeless = Some(standing + 60 * depth);
        }
        let mut list = moves(at);
        if list.is_empty() {
            return Ok(if in_check { ply - MATE } else { 0 });
        }
        let depth = if in_check { depth + 1 } else { depth };
        self.order(at, &mut list, first, ply);
        self.path.push(hash);
        let who = at.side_to_move();
        let (mut best, mut best_move, mut floor) = (-MATE, list[0], low);
        // Not `best_of`: moves without hope raise the score, but are no best move.
        for (index, &mv) in list.iter().enumerate() {
            let quiet = !is_capture(at, mv) && mv.promotion.is_none();
            let of_pawn = at.piece_on(mv.from) == Some(Piece::Pawn);
            if let Some(hope) = hopeless
                && index > 0
                && quiet
                && !of_pawn
                && hope <= floor
                && !is_decided(floor)
            {
                best = best.max(hope);
                continue;
            }
            let next = after(at, mv);
            // A pawn that is about to promote deserves a full look.
            let runs = of_pawn && way(who, mv.to) <= 1;
            let deep = depth - 1;
            let reduction = if index < 2 || depth < 3 || !quiet || runs || in_check {
                0
            } else {
                ((depth.ilog2() * index.ilog2()).div_ceil(2)) as i32
            };
            let score = if index == 0 {
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
            };
            if score > best {
                (best, best_move) = (score, mv);
            }
            floor = floor.max(score);
            if floor >= high {
                if quiet {
                    self.remember(who, mv, depth, ply);
                }
                break;
            }
        }
        self.path.pop();
        let bound = Bound::of(&best, &low, &high);
        let depth = depth.clamp(0, 255) as u8;
        self.table.put(hash, Seen { depth, score: to_table(best, ply), bound, best: Some(best_move) });
        Ok(best)
    }

    fn order(&self, at: &Board, list: &mut Moves, first: Option<Move>, ply: i32) {
        let who = at.side_to_move();
        let killers = self.killers[ply as usize];
        list.sort_by_cached_key(|&mv| {
            if Some(mv) == first {
                return i32::MIN;
            }
            if mv.promotion == Some(Piece::Queen) {
                return -(1 << 30);
            }
            if is_capture(at, mv) {
                let taken = at.piece_on(mv.to).map_or(0, |piece| piece as i32);
                return -(1 << 29) - taken;
            }
            if killers.contains(&Some(mv)) {
                return -(1 << 28);
            }
            -self.history[slot(who, mv)]
        });
    }

    fn remember(&mut self, who: Color, mv: Move, depth: i32, ply: i32) {
        let count = &mut self.history[slot(who, mv)];
        *count = (*count + depth * depth).min(1 << 24);
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Captures and promotions only, until nothing is left to take; everything where the king is in check.
    fn quiet(&mut self, at: &Board, low: i32, high: i32, ply: i32) -> Result<i32, Halt> {
        self.count()?;
        if let Some(score) = self.decided(at, ply) {
            return Ok(score);
        }
        let in_check = !at.checkers().is_empty();
        let mut best = estimate(at);
        if ply >= MAX_PLY {
            return Ok(best);
        }
        let list = moves(at);
        if list.is_empty() {
            return Ok(if in_check { ply - MATE } else { 0 });
        }
        if in_check {
            // The estimate is no floor for somebody who cannot stay where he is.
            best = -MATE;
        }
        if best >= high {
            return Ok(best);
        }
        let mut floor = low.max(best);
        for mv in list {
            if !in_check && mv.promotion != Some(Piece::Queen) && !is_capture(at, mv) {
                continue;
            }
            let score = -self.quiet(&after(at, mv), -high, -floor, ply + 1)?;
            best = best.max(score);
            floor = floor.max(score);
            if floor >= high {
                break;
            }
        }
        Ok(best)
    }
}

fn slot(who: Color, mv: Move) -> usize {
    (who as usize) << 12 | (mv.from as usize) << 6 | mv.to as usize
}

/// Wins are stored as seen from the position itself.
fn to_table(score: i32, ply: i32) -> i32 {
    if is_decided(score) { score + ply * score.signum() } else { score }
}

fn from_table(score: i32, ply: i32) -> i32 {
    if is_decided(score) { score - ply * score.signum() } else { score }
}
