//! The kings and the pawns that are bound to them: is it mutual zugzwang?

use gb_board::Word;
use gb_games::games::chess::{ChessBoard, Step, square_name};
use gb_rules::Player;
use gb_value::{Budget, Halt};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::kings::{passed_and_held, with_touched_chunks};
use crate::names::player_name;

/// How many half-moves the local search looks ahead.
const DEPTH: u32 = 8;
/// The kings stay this near to where they and the bound pawns stand.
const REACH: u8 = 2;
/// A promoted pawn, in pawns.
const PROMOTED: i32 = 100;
/// A pawn is worth more than any ground that kings can win.
const PAWN: i32 = 100;
/// More than anything else.
const LIMIT: i32 = 1_000 * PAWN;

/// What a player's having to move there costs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cost {
    /// Who has to move.
    pub player: &'static str,
    /// What he loses compared with the opponent's having to move, in pawns; 100 and more is a promotion.
    pub pawns: i32,
    /// Where no pawn is lost: how many ranks the kings lose and win.
    pub ground: i32,
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
    pub(crate) fn examine(at: &ChessBoard, set: u64, named: bool, budget: &Budget) -> Result<Complex, Halt> {
        let mut search = LocalSearch::new(at, set, budget);
        let mut results = Vec::new();
        for who in Player::BOTH {
            // A position in which the waiting king is in check cannot be turned round: nobody can pass there.
            results.push(search.best(&at.with_move(who))?);
        }
        let [(white, white_line), (black, black_line)] = results.try_into().unwrap_or_default();
        let pawns = in_pawns(black) - in_pawns(white);
        let cost = |who: Player, balance: i32, line: Vec<String>| Cost {
            player: player_name(who),
            pawns,
            ground: if pawns == 0 { black - white } else { 0 },
            balance: in_pawns(balance),
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
    /// - Passed pawns that the enemy king is near enough to stop bind that king: were they left to a chunk, they would
    ///   simply run.
    /// - Else a pawn of each side beside the kings, if that is a mutual zugzwang in which neither pawn can move without
    ///   loss. Among several such pairs, the one with the fewest moves, and then the one nearest to both kings.
    /// - In a mutual zugzwang both kings are needed where they stand, and chunks that they touch as well stay chunks; the
    ///   report says which. Passed pawns without it bind all chunks that a king touches.
    /// - Else the kings may hold each other off alone; and where they do not, they fight for the chunks that they touch.
    pub(crate) fn find(at: &ChessBoard, budget: &Budget) -> Result<Complex, Halt> {
        let passed = passed_and_held(at);
        if passed != 0 {
            let complex = Complex::examine(at, passed, false, budget)?;
            let all = with_touched_chunks(at, passed);
            if complex.zugzwang || all == passed {
                return Ok(complex);
            }
            return Complex::examine(at, all, false, budget);
        }
        let mut locked: Option<((usize, u32), Complex)> = None;
        for pair in pairs_beside(at) {
            let Some(moves) = LocalSearch::new(at, pair, budget).locked(at)? else { continue };
            let key = (moves, way_to_kings(at, pair));
            if locked.as_ref().is_some_and(|(least, _)| key >= *least) {
                continue;
            }
            let complex = Complex::examine(at, pair, false, budget)?;
            if complex.zugzwang {
                locked = Some((key, complex));
            }
        }
        if let Some((_, complex)) = locked {
            return Ok(complex);
        }
        let alone = Complex::examine(at, 0, false, budget)?;
        let touched = with_touched_chunks(at, 0);
        if touched == 0 || alone.zugzwang && alone.costs[0].pawns > 0 {
            return Ok(alone);
        }
        Complex::examine(at, touched, false, budget)
    }
}

/// A pawn of each side, both beside a king.
fn pairs_beside(at: &ChessBoard) -> Vec<u64> {
    let beside = Player::BOTH.into_iter().fold(0, |set, who| set | ChessBoard::around(at.king(who)));
    let mut pairs = vec![];
    for white in (at.pawns(Player::Left) & beside).cells() {
        for black in (at.pawns(Player::Right) & beside).cells() {
            pairs.push(1 << white | 1 << black);
        }
    }
    pairs
}

/// How far pawns stand from both kings, along ranks and files.
fn way_to_kings(at: &ChessBoard, pawns: u64) -> u32 {
    let way = |a: u8, b: u8| u32::from((a / 8).abs_diff(b / 8) + (a % 8).abs_diff(b % 8));
    let both = |square: u32| Player::BOTH.into_iter().map(|who| way(at.king(who), square as u8)).sum::<u32>();
    pawns.cells().map(both).sum()
}

/// Who may do what in the kings' complex: bound pawns and kings move, and after the first move anybody may pass, since
/// there are moves elsewhere. Other pawns stand still, except that they take what comes before them.
struct LocalSearch<'a> {
    /// Pawns that may move.
    bound: u64,
    /// Pawns that kings may not take: they belong to chunks elsewhere.
    walls: u64,
    /// Where the kings may go.
    zone: u64,
    seen: FxHashMap<(Node, u32), (i32, Choice)>,
    budget: &'a Budget,
    nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    at: ChessBoard,
    bound: u64,
    /// The opponent has just passed.
    passed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Step(Step),
    Pass,
    Nothing,
}

impl Node {
    fn after(&self, choice: Choice) -> Node {
        match choice {
            Choice::Step(step) => {
                Node { at: self.at.after(step), bound: moved(self.bound, step), passed: false }
            }
            Choice::Pass | Choice::Nothing => {
                Node { at: self.at.with_move(self.at.to_move().opponent()), passed: true, ..*self }
            }
        }
    }
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

    /// White's balance when the player to move has to move here, and the line.
    fn best(&mut self, at: &ChessBoard) -> Result<(i32, Vec<String>), Halt> {
        let mut node = Node { at: *at, bound: self.bound, passed: false };
        let balance = self.value(&node, DEPTH, -LIMIT, LIMIT)?;
        let mut line = vec![];
        for depth in (1..=DEPTH).rev() {
            let Some(&(_, choice)) = self.seen.get(&(node, depth)) else { break };
            match choice {
                Choice::Step(step) => line.push(node.at.step_text(step)),
                Choice::Pass => line.push("pass".into()),
                Choice::Nothing => break,
            }
            node = node.after(choice);
        }
        while line.last().is_some_and(|text| text == "pass") {
            line.pop();
        }
        Ok((balance, line))
    }

    /// How many moves the bound pawns have, if each of them loses a pawn or more.
    fn locked(&mut self, at: &ChessBoard) -> Result<Option<usize>, Halt> {
        let mut moves = 0;
        for who in Player::BOTH {
            let node = Node { at: at.with_move(who), bound: self.bound, passed: false };
            for choice in self.choices(&node, true) {
                let Choice::Step(step) = choice else { continue };
                if self.bound >> step.from & 1 == 0 {
                    continue;
                }
                let loss = in_pawns(standing(at))
                    - in_pawns(self.value(&node.after(choice), DEPTH - 1, -LIMIT, LIMIT)?);
                let loss = if who == Player::Left { loss } else { -loss };
                if loss <= 0 {
                    return Ok(None);
                }
                moves += 1;
            }
        }
        Ok(Some(moves))
    }

    fn value(&mut self, node: &Node, depth: u32, low: i32, high: i32) -> Result<i32, Halt> {
        let at = &node.at;
        if let Some(winner) = at.promoted() {
            // Sooner is better.
            let won = (PROMOTED + depth as i32) * PAWN;
            return Ok(if winner == Player::Left { won } else { -won });
        }
        if depth == 0 {
            return Ok(standing(at));
        }
        if let Some(&(value, _)) = self.seen.get(&(*node, depth)) {
            return Ok(value);
        }
        self.nodes += 1;
        self.budget.spend(1, 0)?;
        let who = at.to_move();
        let (mut low, mut high) = (low, high);
        let (full_low, full_high) = (low, high);
        let mut best: Option<(i32, Choice)> = None;
        for choice in self.choices(node, depth == DEPTH) {
            let value = match choice {
                // Both are content.
                Choice::Pass if node.passed => standing(at),
                _ => self.value(&node.after(choice), depth - 1, low, high)?,
            };
            let better = match (best, who) {
                (None, _) => true,
                (Some((old, _)), Player::Left) => value > old,
                (Some((old, _)), Player::Right) => value < old,
            };
            if better {
                best = Some((value, choice));
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
        let (value, choice) = best.unwrap_or((standing(at), Choice::Nothing));
        if full_low < value && value < full_high {
            self.seen.insert((*node, depth), (value, choice));
        }
        Ok(value)
    }

    /// What may be done, captures first.
    fn choices(&self, node: &Node, must_move: bool) -> Vec<Choice> {
        let at = &node.at;
        let who = at.to_move();
        let theirs = at.pawns(who.opponent());
        let allowed = |step: &Step| {
            if step.from == at.king(who) {
                self.zone >> step.to & 1 == 1 && self.walls >> step.to & 1 == 0
            } else {
                node.bound >> step.from & 1 == 1 || (node.bound & theirs) >> step.to & 1 == 1
            }
        };
        let mut steps = at.legal_moves();
        steps.retain(|step| allowed(step));
        steps.sort_by_key(|step| theirs >> step.to & 1 == 0);
        let mut choices: Vec<Choice> = steps.into_iter().map(Choice::Step).collect();
        if !must_move && !at.is_check(who) {
            choices.push(Choice::Pass);
        }
        choices
    }
}

/// How White stands: pawns first, then the ground the kings have won.
fn standing(at: &ChessBoard) -> i32 {
    let pawns = at.pawns(Player::Left).len() as i32 - at.pawns(Player::Right).len() as i32;
    let ground = Player::BOTH.map(|who| i32::from(at.king(who) / 8));
    pawns * PAWN + ground[0] + ground[1] - 7
}

fn in_pawns(standing: i32) -> i32 {
    (standing + PAWN / 2).div_euclid(PAWN)
}

fn moved(bound: u64, step: Step) -> u64 {
    let rest = bound & !(1 << step.to);
    if rest >> step.from & 1 == 1 { rest & !(1 << step.from) | 1 << step.to } else { rest }
}
