//! The board: stones, blocks, liberties, and placing a stone.

use gb_value::Player;

/// A point of the board, counted row by row from the top left corner.
pub type Point = u16;

/// The smallest board.
pub const MIN_SIZE: usize = 2;
/// The largest board.
pub const MAX_SIZE: usize = 19;

/// Why a stone may not be placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// There is a stone already.
    #[error("there is a stone already")]
    Occupied,
    /// The stone would have no liberty and capture nothing.
    #[error("suicide: the stone would have no liberty, and captures nothing")]
    Suicide,
    /// The stone would take a ko back at once.
    #[error("ko: the single stone may not be taken back at once")]
    Ko,
    /// The position would be one that was on the board before.
    #[error("superko: the position was on the board before")]
    Superko,
}

/// Stones on a square board. A position without history: whose turn it is, kos and prisoners are kept by [`Game`](crate::Game).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    size: usize,
    cells: Vec<Option<Player>>,
}

/// Connected stones of one colour, and the empty points next to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The stones, in ascending order.
    pub stones: Vec<Point>,
    /// The liberties, in ascending order.
    pub liberties: Vec<Point>,
}

impl Board {
    /// An empty board.
    ///
    /// # Panics
    /// If the size is not between [`MIN_SIZE`] and [`MAX_SIZE`]: readers of input check it first.
    pub fn new(size: usize) -> Board {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&size), "a board has 2 to 19 lines");
        Board { size, cells: vec![None; size * size] }
    }

    /// How many lines the board has.
    pub fn size(&self) -> usize {
        self.size
    }

    /// All points.
    pub fn points(&self) -> std::ops::Range<Point> {
        0..self.cells.len() as Point
    }

    /// Column and row of a point, from the top left corner, from 0.
    pub fn place(&self, point: Point) -> (usize, usize) {
        (point as usize % self.size, point as usize / self.size)
    }

    /// The point in a column and a row, from the top left corner, from 0.
    pub fn point(&self, column: usize, row: usize) -> Point {
        (row * self.size + column) as Point
    }

    /// The stone on a point.
    pub fn at(&self, point: Point) -> Option<Player> {
        self.cells[point as usize]
    }

    /// Puts a stone on a point, or takes it away, regardless of the rules.
    pub fn set(&mut self, point: Point, stone: Option<Player>) {
        self.cells[point as usize] = stone;
    }

    /// The points next to a point: up, left, right, down.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let size = self.size as Point;
        let (column, row) = (point % size, point / size);
        [
            (row > 0).then(|| point - size),
            (column > 0).then(|| point - 1),
            (column + 1 < size).then(|| point + 1),
            (row + 1 < size).then(|| point + size),
        ]
        .into_iter()
        .flatten()
    }

    /// All points that can be reached from `start` over points that satisfy `belongs`, in ascending order.
    pub fn connected(&self, start: Point, belongs: impl Fn(Point) -> bool) -> Vec<Point> {
        let mut seen = vec![false; self.cells.len()];
        seen[start as usize] = true;
        let mut found = vec![start];
        let mut next = 0;
        while let Some(&point) = found.get(next) {
            next += 1;
            for neighbour in self.neighbours(point) {
                if !seen[neighbour as usize] && belongs(neighbour) {
                    seen[neighbour as usize] = true;
                    found.push(neighbour);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The connected sets of all points that satisfy `belongs`, each in ascending order, by their first points.
    pub fn components(&self, belongs: impl Fn(Point) -> bool) -> Vec<Vec<Point>> {
        let mut seen = vec![false; self.cells.len()];
        let mut found = vec![];
        for point in self.points() {
            if !seen[point as usize] && belongs(point) {
                let component = self.connected(point, &belongs);
                component.iter().for_each(|&p| seen[p as usize] = true);
                found.push(component);
            }
        }
        found
    }

    /// The block of the stone on a point; an empty block if there is no stone.
    pub fn block(&self, point: Point) -> Block {
        let Some(colour) = self.at(point) else { return Block { stones: vec![], liberties: vec![] } };
        let stones = self.connected(point, |p| self.at(p) == Some(colour));
        let liberties = self.around(&stones, |p| self.at(p).is_none());
        Block { stones, liberties }
    }

    /// A stone whose block has no liberty, if there is one: the rules leave none.
    pub fn without_liberty(&self) -> Option<Point> {
        let blocks =
            Player::BOTH.into_iter().flat_map(|player| self.components(|p| self.at(p) == Some(player)));
        blocks.into_iter().find(|b| self.around(b, |p| self.at(p).is_none()).is_empty()).map(|block| block[0])
    }

    /// The points outside a set and next to it that satisfy `wanted`, in ascending order.
    pub fn around(&self, set: &[Point], wanted: impl Fn(Point) -> bool) -> Vec<Point> {
        let mut found: Vec<Point> =
            set.iter().flat_map(|&p| self.neighbours(p)).filter(|&p| wanted(p)).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|p| set.binary_search(p).is_err());
        found
    }

    /// Places a stone and removes the blocks it captures; returns the prisoners. Knows no ko.
    ///
    /// # Errors
    /// [`Illegal::Occupied`] or [`Illegal::Suicide`]; the board is then as it was.
    pub fn play(&mut self, player: Player, point: Point) -> Result<Vec<Point>, Illegal> {
        if self.at(point).is_some() {
            return Err(Illegal::Occupied);
        }
        self.set(point, Some(player));
        let mut captured = vec![];
        for neighbour in self.neighbours(point) {
            if self.at(neighbour) == Some(player.opponent()) {
                let block = self.block(neighbour);
                if block.liberties.is_empty() {
                    block.stones.iter().for_each(|&p| self.set(p, None));
                    captured.extend(block.stones);
                }
            }
        }
        if captured.is_empty() && self.block(point).liberties.is_empty() {
            self.set(point, None);
            return Err(Illegal::Suicide);
        }
        Ok(captured)
    }

    /// The area score, positive for Black: stones, and empty points that only one colour reaches.
    pub fn area_score(&self) -> i64 {
        let sign = |player| if player == Player::Left { 1 } else { -1 };
        let stones: i64 = self.cells.iter().flatten().map(|&p| sign(p)).sum();
        let empty = self.components(|p| self.at(p).is_none());
        let regions = empty.iter().map(|region| {
            let touches = |player| !self.around(region, |p| self.at(p) == Some(player)).is_empty();
            match (touches(Player::Left), touches(Player::Right)) {
                (true, false) => region.len() as i64,
                (false, true) => -(region.len() as i64),
                _ => 0,
            }
        });
        stones + regions.sum::<i64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_corner_edge_and_centre() {
        let board = Board::new(3);
        assert_eq!(board.neighbours(0).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(board.neighbours(5).collect::<Vec<_>>(), [2, 4, 8]);
        assert_eq!(board.neighbours(4).collect::<Vec<_>>(), [1, 3, 5, 7]);
    }

    #[test]
    fn capture_comes_before_suicide() {
        let mut board = Board::read(".X..|X...|....|....").unwrap();
        assert_eq!(board.play(Player::Right, 0), Err(Illegal::Suicide));
        assert_eq!(board.play(Player::Left, 1), Err(Illegal::Occupied));
        let mut board = Board::read(".OX.|OXX.|XX..|....").unwrap();
        assert_eq!(board.play(Player::Left, 0), Ok(vec![1, 4]));
        assert_eq!(board, Board::read("X.X.|.XX.|XX..|....").unwrap());
    }
}
