//! Two kings and pawns on eight times eight squares.

use gb_board::{Plain, Word};
use gb_rules::{MoveCode, Player};
use smallvec::SmallVec;

use crate::games::pawns::PawnBoard;

/// A position. Squares count from 0 (a1) along the ranks to 63 (h8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChessBoard {
    /// White's and Black's pawns.
    pub(super) pawns: [u64; 2],
    /// White's and Black's king.
    pub(super) kings: [u8; 2],
    pub(super) to_move: Player,
    /// Where the player to move can capture en passant.
    pub(super) passed: Option<u8>,
}

impl Plain for ChessBoard {
    const WORDS: usize = 3;

    fn write_words(self, words: &mut [u64]) {
        [words[0], words[1]] = self.pawns;
        let [white, black] = self.kings.map(u64::from);
        // 64 is no square.
        let passed = self.passed.map_or(64, u64::from);
        words[2] = white | black << 8 | passed << 16 | (self.to_move as u64) << 24;
    }
    fn read_words(words: &[u64]) -> ChessBoard {
        let rest = words[2];
        let passed = (rest >> 16) as u8;
        ChessBoard {
            pawns: [words[0], words[1]],
            kings: [rest as u8, (rest >> 8) as u8],
            to_move: Player::BOTH[(rest >> 24) as usize],
            passed: (passed < 64).then_some(passed),
        }
    }
}
gb_rules::keyed! { ChessBoard => W3 }

impl MoveCode for Step {
    fn code(&self) -> u64 {
        (self.from, self.to).code()
    }
    fn of_code(code: u64) -> Step {
        let (from, to) = MoveCode::of_code(code);
        Step { from, to }
    }
}

/// A move: from, to. A pawn on the last rank is promoted to a queen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// Where the piece stood.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
}

/// `e4`.
pub fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

fn beside(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

fn around(square: u8) -> u64 {
    let row = 1 << square | beside(1 << square);
    (row | row << 8 | row >> 8) & !(1 << square)
}

fn ahead(set: u64, who: Player) -> u64 {
    if who == Player::Left { set << 8 } else { set >> 8 }
}

fn last_rank(who: Player) -> u64 {
    if who == Player::Left { 0xff << 56 } else { 0xff }
}

impl ChessBoard {
    /// The player to move.
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// The same position with this player to move. When the turn changes, the right to capture en passant lapses.
    #[must_use]
    pub fn with_move(&self, who: Player) -> ChessBoard {
        let passed = if who == self.to_move { self.passed } else { None };
        ChessBoard { to_move: who, passed, ..*self }
    }

    /// The pawns of a player as a set of squares.
    pub fn pawns(&self, who: Player) -> u64 {
        self.pawns[who as usize]
    }

    /// The square of a player's king.
    pub fn king(&self, who: Player) -> u8 {
        self.kings[who as usize]
    }

    /// The squares around a square.
    pub fn around(square: u8) -> u64 {
        around(square)
    }

    /// The pawns of a set as a board of their own.
    pub fn pawn_board(&self, set: u64) -> PawnBoard {
        let mut board = PawnBoard::empty(8, 8).expect("eight files and ranks are allowed");
        for who in Player::BOTH {
            for square in (self.pawns[who as usize] & set).cells() {
                board.put(who, square as usize % 8, square as usize / 8);
            }
        }
        if let Some(square) = self.passed {
            let pawn = 1u64 << self.passer(square);
            let takers = ahead(1 << square, self.to_move.opponent());
            if pawn & set != 0 && beside(takers) & self.pawns[self.to_move as usize] & set != 0 {
                board.mark_passed(square as usize % 8, square as usize / 8);
            }
        }
        board
    }

    /// The player who has promoted a pawn.
    pub fn promoted(&self) -> Option<Player> {
        Player::BOTH.into_iter().find(|&who| self.pawns[who as usize] & last_rank(who) != 0)
    }

    /// Whether a player's king is attacked.
    pub fn is_check(&self, who: Player) -> bool {
        self.attacks(who.opponent()) >> self.king(who) & 1 == 1
    }

    fn attacks(&self, who: Player) -> u64 {
        beside(ahead(self.pawns[who as usize], who)) | around(self.king(who))
    }

    /// The enemy pawn that has just passed a square.
    fn passer(&self, square: u8) -> u8 {
        if self.to_move == Player::Left { square - 8 } else { square + 8 }
    }

    /// The pawns of the player to move that can take en passant on `square`.
    pub(super) fn takers(&self, square: u8) -> u64 {
        beside(ahead(1 << square, self.to_move.opponent())) & self.pawns[self.to_move as usize]
    }

    /// All legal moves of the player to move; none if the enemy king could be taken or a pawn is promoted.
    ///
    /// There is nothing that attacks along lines, so no piece is ever pinned.
    pub fn legal_moves(&self) -> SmallVec<[Step; 32]> {
        let mut steps = SmallVec::new();
        let (who, enemy) = (self.to_move, self.to_move.opponent());
        if self.promoted().is_some() || self.is_check(enemy) {
            return steps;
        }
        let own = self.pawns[who as usize];
        let king = self.king(who);
        let theirs = self.pawns[enemy as usize];
        let all = own | theirs | 1 << king | 1 << self.king(enemy);
        let checkers = beside(ahead(1 << king, who)) & theirs;
        // In check by one pawn, other pieces can only take it; by two, only the king can move.
        let (may_push, may_take) = match checkers.len() {
            0 => (true, theirs),
            1 => (false, checkers),
            _ => (false, 0),
        };
        for from in own.cells() {
            let to = ahead(1 << from, who);
            for target in (beside(to) & may_take).cells() {
                steps.push(Step { from: from as u8, to: target as u8 });
            }
            if may_push && to & all == 0 {
                steps.push(Step { from: from as u8, to: to.first() as u8 });
                let two = ahead(to, who);
                let home = if who == Player::Left { from / 8 == 1 } else { from / 8 == 6 };
                if home && two & all == 0 {
                    steps.push(Step { from: from as u8, to: two.first() as u8 });
                }
            }
        }
        if let Some(square) = self.passed
            && may_take >> self.passer(square) & 1 == 1
        {
            for from in self.takers(square).cells() {
                steps.push(Step { from: from as u8, to: square });
            }
        }
        for to in (around(king) & !own & !self.attacks(enemy)).cells() {
            steps.push(Step { from: king, to: to as u8 });
        }
        steps
    }

    /// The position after a legal move of the player to move.
    #[must_use]
    pub fn after(&self, step: Step) -> ChessBoard {
        let (who, enemy) = (self.to_move, self.to_move.opponent());
        let mut next = ChessBoard { to_move: enemy, passed: None, ..*self };
        if step.from == self.king(who) {
            next.kings[who as usize] = step.to;
        } else {
            next.pawns[who as usize] ^= 1 << step.from | 1 << step.to;
            if self.passed == Some(step.to) && step.from % 8 != step.to % 8 {
                next.pawns[enemy as usize] &= !(1 << self.passer(step.to));
            }
        }
        next.pawns[enemy as usize] &= !(1 << step.to);
        if step.from != self.king(who) && step.from.abs_diff(step.to) == 16 {
            let square = step.from.midpoint(step.to);
            if next.takers(square) != 0 {
                next.passed = Some(square);
            }
        }
        next
    }

    /// A move in long algebraic notation: `e2-e4`, `Ke4xd5`, `b7-b8Q`, with `+` for check.
    pub fn step_text(&self, step: Step) -> String {
        let is_king = step.from == self.king(self.to_move);
        let takes = self.pawns[self.to_move.opponent() as usize] >> step.to & 1 == 1
            || !is_king && step.from % 8 != step.to % 8;
        let next = self.after(step);
        format!(
            "{}{}{}{}{}{}",
            if is_king { "K" } else { "" },
            square_name(step.from),
            if takes { 'x' } else { '-' },
            square_name(step.to),
            if next.promoted().is_some() { "Q" } else { "" },
            if next.is_check(next.to_move) { "+" } else { "" }
        )
    }

    /// The letter of the piece on a square.
    pub fn letter(&self, square: u8) -> Option<char> {
        for who in Player::BOTH {
            let letter = if self.king(who) == square {
                'K'
            } else if self.pawns[who as usize] >> square & 1 == 1 {
                if last_rank(who) >> square & 1 == 1 { 'Q' } else { 'P' }
            } else {
                continue;
            };
            return Some(if who == Player::Left { letter } else { letter.to_ascii_lowercase() });
        }
        None
    }
}
