//! The kings and the pawns that are bound to them: is it mutual zugzwang?

use gb_board::Word;
use gb_game::Player;
use gb_games::games::chess::{ChessBoard, Step, square_name};
use gb_games::games::pawns::PawnBoard;
use gb_value::{Budget, Stop};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::names::player_name;

/// How many half-moves the local search looks ahead.
const DEPTH: u32 = 8;
/// The kings stay this near to where they and the bound pawns stand.
const REACH: u8 = 2;
/// A promoted pawn, in pawns.
const PROMOTED: i32 = 100;

/// What a player's having to move there costs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cost {
    /// Who has to move.
    pub player: &'static str,
    /// What he loses compared with the opponent's having to move, in pawns; 100 and more is a promotion.
    pub pawns: i32,
    /// What White is ahead at the end of the best line, in pawns.
    pub balance: i32,
    /// The best line, in long algebraic notation.
    pub line: Vec<String>,
}

/// The kings' complex.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Complex {
    /// The bound pawns.
    pub bound: Vec<String>,
    /// They were named by the user.
    pub named: bool,
    /// Both players would rather pass.
    pub zugzwang: bool,
    /// What it costs White and Black to move there.
    pub costs: [Cost; 2],
    /// Positions looked at.
    pub nodes: u64,
    #[serde(skip)]
    pub(crate) set: u64,
}

impl Complex {
    /// Examines the complex of the kings and these pawns.
    pub(crate) fn examine(at: &ChessBoard, set: u64, named: bool, budget: &Budget) -> Result<Complex, Stop> {
        let mut search = LocalSearch::new(at, set, budget);
        let mut results = Vec::new();
        for who in Player::BOTH {
            // A position in which the waiting king is in check cannot be turned round: nobody can pass there.
            results.push(search.best(&at.with_move(who))?);
        }
        let [(white, white_line), (black, black_line)] = results.try_into().unwrap_or_default();
        let cost = |who: Player, balance: i32, line: Vec<String>| Cost {
            player: player_name(who),
            pawns: black - white,
            balance,
            line,
        };
        Ok(Complex {
            bound: set.cells().map(|square| square_name(square as u8)).collect(),
            named,
            zugzwang: white < black,
            costs: [cost(Player::Left, white, white_line), cost(Player::Right, black, black_line)],
            nodes: search.nodes,
            set,
        })
    }

    /// Finds the pawns bound to the kings.
    ///
    /// Passed pawns that the enemy king is near enough to stop bind that king: were they left to a chunk, they would
    /// simply run. Where there are none, the kings may hold each other off alone; and where they do not, they fight for
    /// the chunk of pawns they stand beside.
    pub(crate) fn find(at: &ChessBoard, budget: &Budget) -> Result<Complex, Stop> {
        let passed = passed_and_held(at);
        if passed != 0 {
            return Complex::examine(at, passed, false, budget);
        }
        let alone = Complex::examine(at, 0, false, budget)?;
        let beside = chunks_beside(at);
        if alone.zugzwang || beside == 0 {
            return Ok(alone);
        }
        Complex::examine(at, beside, false, budget)
    }
}

fn passed_and_held(at: &ChessBoard) -> u64 {
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

/// The chunks with a pawn that a king touches.
fn chunks_beside(at: &ChessBoard) -> u64 {
    let touched = Player::BOTH.into_iter().fold(0, |set, who| set | ChessBoard::around(at.king(who)));
    let all = at.pawns(Player::Left) | at.pawns(Player::Right);
    let mut bound = 0;
    for chunk in at.pawn_board(all).chunks() {
        let set = squares(&chunk);
        if set & touched != 0 {
            bound |= set;
        }
    }
    bound
}

/// The squares of all pawns.
pub(crate) fn squares(board: &PawnBoard) -> u64 {
    let all = Player::BOTH.into_iter().flat_map(|who| board.squares(who));
    all.fold(0, |set, (file, rank)| set | 1 << (8 * rank + file))
}

/// No enemy pawn stands before it on its file or on a neighbouring one.
fn is_passed(at: &ChessBoard, who: Player, square: u8) -> bool {
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

struct LocalSearch<'a> {
    /// Pawns that may move.
    bound: u64,
    /// Pawns that kings may not take: they belong to chunks elsewhere.
    walls: u64,
    /// Where the kings may go.
    zone: u64,
    seen: FxHashMap<(ChessBoard, u64, u32), (i32, Option<Step>)>,
    budget: &'a Budget,
    nodes: u64,
}

impl<'a> LocalSearch<'a> {
    fn new(at: &ChessBoard, bound: u64, budget: &'a Budget) -> Self {
        let kings = 1u64 << at.king(Player::Left) | 1 << at.king(Player::Right);
        let mut zone = kings | bound;
        let mut touched = 0;
        for king in kings.cells() {
            touched |= ChessBoard::around(king as u8);
        }
        for _ in 0..REACH {
            zone = zone.cells().fold(zone, |set, square| set | ChessBoard::around(square as u8));
        }
        let all = at.pawns(Player::Left) | at.pawns(Player::Right);
        let walls = all & !bound & !touched;
        LocalSearch { bound, walls, zone, seen: FxHashMap::default(), budget, nodes: 0 }
    }

    /// White's balance in pawns with best local play, and the line.
    fn best(&mut self, at: &ChessBoard) -> Result<(i32, Vec<String>), Stop> {
        let balance = self.value(at, self.bound, DEPTH, -1000, 1000)?;
        let (mut board, mut bound, mut line) = (*at, self.bound, vec![]);
        for depth in (1..=DEPTH).rev() {
            let Some(&(_, Some(step))) = self.seen.get(&(board, bound, depth)) else { break };
            line.push(board.step_text(step));
            bound = moved(bound, step);
            board = board.after(step);
        }
        Ok((balance, line))
    }

    fn value(&mut self, at: &ChessBoard, bound: u64, depth: u32, low: i32, high: i32) -> Result<i32, Stop> {
        if let Some(winner) = at.promoted() {
            // Sooner is better.
            let won = PROMOTED + depth as i32;
            return Ok(if winner == Player::Left { won } else { -won });
        }
        let material = at.pawns(Player::Left).len() as i32 - at.pawns(Player::Right).len() as i32;
        if depth == 0 {
            return Ok(material);
        }
        if let Some(&(value, _)) = self.seen.get(&(*at, bound, depth)) {
            return Ok(value);
        }
        self.nodes += 1;
        self.budget.spend(1, 0)?;
        let who = at.to_move();
        let (mut low, mut high) = (low, high);
        let (full_low, full_high) = (low, high);
        let mut best: Option<(i32, Step)> = None;
        let mut steps = at.legal_moves();
        let theirs = at.pawns(who.opponent());
        steps.sort_by_key(|step| theirs >> step.to & 1 == 0);
        for step in steps {
            let king = step.from == at.king(who);
            let allowed = if king {
                self.zone >> step.to & 1 == 1 && self.walls >> step.to & 1 == 0
            } else {
                bound >> step.from & 1 == 1
            };
            if !allowed {
                continue;
            }
            let value = self.value(&at.after(step), moved(bound, step), depth - 1, low, high)?;
            let better = match (best, who) {
                (None, _) => true,
                (Some((old, _)), Player::Left) => value > old,
                (Some((old, _)), Player::Right) => value < old,
            };
            if better {
                best = Some((value, step));
            }
            match who {
                Player::Left => low = low.max(value),
                Player::Right => high = high.min(value),
            }
            if low >= high {
                break;
            }
        }
        // Nothing can move here: nothing changes.
        let (value, step) = best.map_or((material, None), |(value, step)| (value, Some(step)));
        if full_low < value && value < full_high {
            self.seen.insert((*at, bound, depth), (value, step));
        }
        Ok(value)
    }
}

fn moved(bound: u64, step: Step) -> u64 {
    let rest = bound & !(1 << step.to);
    if rest >> step.from & 1 == 1 { rest & !(1 << step.from) | 1 << step.to } else { rest }
}
