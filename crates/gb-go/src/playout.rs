//! Games played to the end nearly at random: whose a point is likely to be, and which move is likely to be good, where nothing
//! is proven. What comes from here is a guess and is called so.

use gb_board::Xorshift;
use gb_value::{Budget, Player};

use crate::board::{Board, Point};
use crate::game::{Game, Move};

const EMPTY: u8 = 2;
const EDGE: u8 = 3;

/// A board with an edge around it, made for speed: a move takes no memory.
#[derive(Clone)]
struct Fast {
    width: usize,
    cells: Vec<u8>,
    ko: usize,
    seen: Vec<u32>,
    round: u32,
    stack: Vec<usize>,
}

impl Fast {
    fn new(board: &Board) -> Fast {
        let width = board.size() + 2;
        let mut cells = vec![EDGE; width * width];
        for point in board.points() {
            let (x, y) = board.place(point);
            cells[(y + 1) * width + x + 1] = board.at(point).map_or(EMPTY, |player| player as u8);
        }
        let seen = vec![0; cells.len()];
        Fast { width, cells, ko: 0, seen, round: 0, stack: vec![] }
    }

    fn at(&self, board: &Board, point: Point) -> usize {
        let (x, y) = board.place(point);
        (y + 1) * self.width + x + 1
    }

    fn around(&self, p: usize) -> [usize; 4] {
        [p - self.width, p - 1, p + 1, p + self.width]
    }

    /// How many liberties a block has, counted to two, and one of them.
    fn liberties(&mut self, p: usize) -> (u32, usize) {
        self.round += 1;
        let (colour, round) = (self.cells[p], self.round);
        let (mut count, mut one) = (0, 0);
        self.stack.clear();
        self.stack.push(p);
        self.seen[p] = round;
        while let Some(q) = self.stack.pop() {
            for n in self.around(q) {
                if self.seen[n] == round {
                    continue;
                }
                if self.cells[n] == EMPTY {
                    self.seen[n] = round;
                    count += 1;
                    one = n;
                    if count == 2 {
                        return (2, one);
                    }
                } else if self.cells[n] == colour {
                    self.seen[n] = round;
                    self.stack.push(n);
                }
            }
        }
        (count, one)
    }

    fn remove(&mut self, p: usize) -> u32 {
        let colour = self.cells[p];
        let mut stack = vec![p];
        self.cells[p] = EMPTY;
        let mut removed = 1;
        while let Some(q) = stack.pop() {
            for n in self.around(q) {
                if self.cells[n] == colour {
                    self.cells[n] = EMPTY;
                    removed += 1;
                    stack.push(n);
                }
            }
        }
        removed
    }

    fn play(&mut self, colour: u8, p: usize) -> bool {
        if self.cells[p] != EMPTY || p == self.ko {
            return false;
        }
        self.cells[p] = colour;
        let (mut removed, mut single) = (0, 0);
        for n in self.around(p) {
            if self.cells[n] == 1 - colour && self.liberties(n).0 == 0 {
                removed += self.remove(n);
                single = n;
            }
        }
        let (own, _) = self.liberties(p);
        if own == 0 {
            self.cells[p] = EMPTY;
            return false;
        }
        let is_lonely = self.around(p).iter().all(|&n| self.cells[n] != colour);
        self.ko = if removed == 1 && own == 1 && is_lonely { single } else { 0 };
        true
    }

    fn is_eye(&self, colour: u8, p: usize) -> bool {
        if self.around(p).iter().any(|&n| self.cells[n] != colour && self.cells[n] != EDGE) {
            return false;
        }
        let corners = [p - self.width - 1, p - self.width + 1, p + self.width - 1, p + self.width + 1];
        let foes = corners.iter().filter(|&&c| self.cells[c] == 1 - colour).count();
        let edges = corners.iter().filter(|&&c| self.cells[c] == EDGE).count();
        foes + usize::from(edges > 0) < 2
    }

    /// Captures and escapes beside the last move come first, then chance decides; own eyes are not filled.
    fn choose(&mut self, colour: u8, last: usize, empties: &mut Vec<usize>, random: &mut Xorshift) -> usize {
        if last != 0 && self.cells[last] == 1 - colour && random.below(8) != 0 {
            let (count, liberty) = self.liberties(last);
            if count == 1 && self.play(colour, liberty) {
                return liberty;
            }
            for n in self.around(last) {
                if self.cells[n] == colour {
                    let (count, liberty) = self.liberties(n);
                    let helps = |fast: &Fast| {
                        let near = fast.around(liberty);
                        near.iter().any(|&q| fast.cells[q] == EMPTY)
                    };
                    if count == 1 && helps(self) && self.play(colour, liberty) {
                        return liberty;
                    }
                }
            }
        }
        empties.clear();
        empties.extend((0..self.cells.len()).filter(|&p| self.cells[p] == EMPTY));
        while !empties.is_empty() {
            let p = empties.swap_remove(random.below(empties.len()));
            if !self.is_eye(colour, p) && self.play(colour, p) {
                return p;
            }
        }
        self.ko = 0;
        0
    }

    fn finish(&mut self, mut colour: u8, mut last: usize, random: &mut Xorshift) {
        let (mut passes, mut empties) = (0, vec![]);
        for _ in 0..3 * self.cells.len() {
            last = self.choose(colour, last, &mut empties, random);
            passes = if last == 0 { passes + 1 } else { 0 };
            if passes == 2 {
                break;
            }
            colour = 1 - colour;
        }
    }

    /// Whose a point is when nothing is left but eyes.
    fn owner(&self, p: usize) -> i32 {
        let sign = |cell: u8| [1, -1, 0, 0][cell as usize];
        match self.cells[p] {
            EMPTY => {
                let near = self.around(p).map(|n| sign(self.cells[n]));
                let (black, white) = (near.contains(&1), near.contains(&-1));
                i32::from(black) - i32::from(white)
            }
            stone => sign(stone),
        }
    }
}

/// For each point how often it ends up Black's minus how often White's, from -1 to 1; both players begin equally often.
pub(crate) fn ownership(board: &Board, playouts: usize, budget: &Budget) -> Vec<f64> {
    let start = Fast::new(board);
    let mut random = Xorshift(0x9E37_79B9_7F4A_7C15);
    let mut sums = vec![0i32; board.points().len()];
    let mut played = 0;
    for round in 0..playouts {
        if budget.spend(1, 0).is_err() && round >= 32 {
            break;
        }
        let mut fast = start.clone();
        fast.finish((round % 2) as u8, 0, &mut random);
        for point in board.points() {
            sums[point as usize] += fast.owner(fast.at(board, point));
        }
        played += 1;
    }
    sums.into_iter().map(|sum| f64::from(sum) / f64::from(played.max(1))).collect()
}

/// The move after which random play goes best for a player; pass if nothing is better than that.
pub(crate) fn best_move(game: &Game, player: Player, playouts: usize, budget: &Budget) -> Move {
    let board = &game.board;
    let start = Fast::new(board);
    let mut random = Xorshift(0x2545_F491_4F6C_DD1D);
    let colour = player as u8;
    let sign = if player == Player::Left { 1 } else { -1 };
    let legal = board.points().filter(|&p| {
        board.at(p).is_none() && !start.is_eye(colour, start.at(board, p)) && game.is_legal(player, p)
    });
    let mut moves: Vec<(Move, i64, i64)> = legal.map(|p| (Move::Stone(p), 0, 0)).collect();
    moves.push((Move::Pass, 0, 0));
    let mut left = playouts;
    // Halve the field after each round.
    while moves.len() > 1 && left > 0 {
        let each = (playouts / 8 / moves.len()).max(4);
        let mut is_over = false;
        for (mv, sum, count) in &mut moves {
            is_over |= budget.spend(each as u64, 0).is_err();
            for _ in 0..if is_over { 0 } else { each } {
                let mut fast = start.clone();
                let last = match *mv {
                    Move::Stone(p) => fast.at(board, p),
                    Move::Pass => 0,
                };
                if last != 0 && !fast.play(colour, last) {
                    continue;
                }
                fast.finish(1 - colour, last, &mut random);
                let score: i32 = board.points().map(|p| fast.owner(fast.at(board, p))).sum();
                *sum += i64::from(sign * score);
                *count += 1;
            }
        }
        left = left.saturating_sub(each * moves.len());
        if moves.iter().any(|&(.., count)| count > 0) {
            moves.retain(|&(.., count)| count > 0);
        }
        moves.sort_by(|a, b| (b.1 * a.2.max(1)).cmp(&(a.1 * b.2.max(1))));
        if is_over {
            break;
        }
        let keep = moves.len().div_ceil(2);
        moves.truncate(if keep == moves.len() { 1 } else { keep });
    }
    moves.first().map_or(Move::Pass, |&(mv, ..)| mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_plain_is_seen() {
        let board = Board::read("..X.O..|..X.O..|..X.O..|..X.O..|..X.O..|..X.O..|..X.O..").unwrap();
        let owners = ownership(&board, 200, &Budget::unlimited());
        for point in board.points() {
            let (x, _) = board.place(point);
            match x {
                0..=2 => assert!(owners[point as usize] > 0.5, "{owners:?}"),
                4.. => assert!(owners[point as usize] < -0.5, "{owners:?}"),
                _ => {}
            }
        }
    }
}
