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

/// A move, and what random games say about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Tried {
    pub mv: Move,
    /// The mean of the area scores after it, positive for Black.
    pub mean: f64,
    /// The standard error of that.
    pub error: f64,
}

#[derive(Clone, Copy, Default)]
struct Sample {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sample {
    fn mean(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    fn error(&self) -> f64 {
        let variance = self.squares / self.count.max(1.0) - self.mean().powi(2);
        (variance.max(0.0) / self.count.max(1.0)).sqrt()
    }
}

/// What a player may do that is not plainly bad, of what is `wanted`; passing is always among it, and comes last.
pub(crate) fn sensible_moves(game: &Game, player: Player, wanted: impl Fn(Point) -> bool) -> Vec<Move> {
    let board = &game.board;
    let start = Fast::new(board);
    let legal = board.points().filter(|&p| {
        let is_eye = || start.is_eye(player as u8, start.at(board, p));
        wanted(p) && board.at(p).is_none() && !is_eye() && game.is_legal(player, p)
    });
    legal.map(Move::Stone).chain([Move::Pass]).collect()
}

/// Tries moves of a player in random games, and after each round only the better half of them: those that are left, the best
/// first. Empty if there was no time for any.
pub(crate) fn try_moves(
    game: &Game,
    player: Player,
    moves: Vec<Move>,
    playouts: usize,
    budget: &Budget,
) -> Vec<Tried> {
    let board = &game.board;
    let start = Fast::new(board);
    let mut random = Xorshift(0x2545_F491_4F6C_DD1D);
    let colour = player as u8;
    let sign = if player == Player::Left { 1.0 } else { -1.0 };
    let mut moves: Vec<(Move, Sample)> = moves.into_iter().map(|mv| (mv, Sample::default())).collect();
    let mut left = playouts;
    while left > 0 && !moves.is_empty() {
        let each = (playouts / 4 / moves.len()).max(4);
        let mut is_over = false;
        for (mv, sample) in &mut moves {
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
                sample.count += 1.0;
                sample.sum += f64::from(score);
                sample.squares += f64::from(score).powi(2);
            }
        }
        left = left.saturating_sub(each * moves.len());
        moves.retain(|(_, sample)| sample.count > 0.0);
        moves.sort_by(|(_, a), (_, b)| (sign * b.mean()).total_cmp(&(sign * a.mean())));
        if is_over {
            break;
        }
        // Two are kept to the end, so that the best can be compared with something.
        moves.truncate(moves.len().div_ceil(2).max(2));
    }
    moves.iter().map(|&(mv, sample)| Tried { mv, mean: sample.mean(), error: sample.error() }).collect()
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
