//! A piece of the board between safe walls: what local search works on.

use gb_value::Player::{self, Left, Right};

use crate::board::{Board, Point};

/// The largest piece that can be represented.
pub const MAX_POINTS: usize = 64;

/// Points between safe stones, with what is on them and which safe stones they touch. Sets of points are bits.
///
/// A stone that touches a safe stone of its own colour can never be captured.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Area {
    /// Row and column of each point, ascending.
    places: Vec<(u8, u8)>,
    /// For each point the points next to it.
    neighbours: Vec<u64>,
    /// Black stones, white stones.
    stones: [u64; 2],
    /// Points next to safe black stones, next to safe white stones.
    walls: [u64; 2],
}

/// The same for all pieces that differ by turning, mirroring or moving them, or by exchanging the colours.
pub type Key = Box<[u16]>;

/// Iterates over the points of a set.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            bit as usize
        })
    })
}

impl Area {
    /// Cuts a set of points (ascending) out of a board. `wall` says whose safe stone is on a point outside of it.
    /// `None` if the set has more than [`MAX_POINTS`] points.
    pub fn cut(board: &Board, points: &[Point], wall: impl Fn(Point) -> Option<Player>) -> Option<Area> {
        if points.len() > MAX_POINTS {
            return None;
        }
        let place = |p: Point| {
            let (x, y) = board.place(p);
            (y as u8, x as u8)
        };
        let mut area = Area::empty(points.iter().map(|&p| place(p)).collect());
        for (i, &point) in points.iter().enumerate() {
            if let Some(player) = board.at(point) {
                area.stones[player as usize] |= 1 << i;
            }
            for neighbour in board.neighbours(point).filter(|p| points.binary_search(p).is_err()) {
                if let Some(player) = wall(neighbour) {
                    area.walls[player as usize] |= 1 << i;
                }
            }
        }
        Some(area)
    }

    fn empty(places: Vec<(u8, u8)>) -> Area {
        let mut neighbours = vec![0; places.len()];
        for (i, &(y, x)) in places.iter().enumerate() {
            for next in [(y, x + 1), (y + 1, x)] {
                if let Ok(j) = places.binary_search(&next) {
                    neighbours[i] |= 1 << j;
                    neighbours[j] |= 1 << i;
                }
            }
        }
        Area { places, neighbours, stones: [0; 2], walls: [0; 2] }
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// All points.
    pub fn all(&self) -> u64 {
        if self.len() == MAX_POINTS { u64::MAX } else { (1 << self.len()) - 1 }
    }

    /// The stones of a player.
    pub fn stones(&self, player: Player) -> u64 {
        self.stones[player as usize]
    }

    /// The points that touch safe stones of a player outside.
    pub fn walls(&self, player: Player) -> u64 {
        self.walls[player as usize]
    }

    /// The points without stones.
    pub fn empties(&self) -> u64 {
        self.all() & !self.stones[0] & !self.stones[1]
    }

    /// Row and column of a point on the board.
    pub fn place(&self, point: usize) -> (usize, usize) {
        let (y, x) = self.places[point];
        (y as usize, x as usize)
    }

    /// The point in a row and a column of the board.
    pub(crate) fn at_place(&self, (row, column): (usize, usize)) -> Option<usize> {
        self.places.binary_search(&(row as u8, column as u8)).ok()
    }

    /// The points next to a point.
    pub fn neighbours(&self, point: usize) -> u64 {
        self.neighbours[point]
    }

    /// The points of a set and those next to it.
    pub(crate) fn grown(&self, set: u64) -> u64 {
        bits(set).fold(set, |grown, point| grown | self.neighbours[point])
    }

    /// What can be reached from `seed` within `among`.
    pub(crate) fn flood(&self, seed: u64, among: u64) -> u64 {
        let mut reached = seed & among;
        loop {
            let next = self.grown(reached) & among;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The board after a stone, and how many stones it captured; `None` if it is illegal. Kos are not forbidden: elsewhere
    /// there may be threats.
    pub fn play(&self, player: Player, point: usize) -> Option<(Area, u32)> {
        let (stones, captured) = self.place_stone(self.stones, player, point)?;
        Some((Area { stones, ..self.clone() }, captured.count_ones()))
    }

    /// The same area with other stones in it.
    pub(crate) fn with_stones(&self, stones: [u64; 2]) -> Area {
        Area { stones, ..self.clone() }
    }

    /// As [`play`](Area::play), on bare stones; returns the captured ones.
    pub(crate) fn place_stone(
        &self,
        mut stones: [u64; 2],
        player: Player,
        point: usize,
    ) -> Option<([u64; 2], u64)> {
        let bit = 1u64 << point;
        if (stones[0] | stones[1]) & bit != 0 {
            return None;
        }
        let (own, other) = (player as usize, player.opponent() as usize);
        stones[own] |= bit;
        let occupied = stones[0] | stones[1];
        let alive = |block: u64, colour: usize| {
            block & self.walls[colour] != 0 || self.grown(block) & self.all() & !occupied != 0
        };
        let mut captured = 0;
        let mut rest = self.neighbours[point] & stones[other];
        while rest != 0 {
            let block = self.flood(rest & rest.wrapping_neg(), stones[other]);
            rest &= !block;
            if !alive(block, other) {
                captured |= block;
            }
        }
        if captured == 0 && !alive(self.flood(bit, stones[own]), own) {
            return None;
        }
        stones[other] &= !captured;
        Some((stones, captured))
    }

    /// Stones connected with safe stones become safe stones themselves; what is left falls apart into areas.
    pub fn split(&self) -> Vec<Area> {
        let joined = [Left, Right]
            .map(|p| self.flood(self.stones[p as usize] & self.walls[p as usize], self.stones[p as usize]));
        let walls = [0, 1].map(|i| self.walls[i] | self.grown(joined[i]));
        let mut rest = self.all() & !joined[0] & !joined[1];
        let mut parts = vec![];
        while rest != 0 {
            let part = self.flood(rest & rest.wrapping_neg(), rest);
            rest &= !part;
            parts.push(self.part(part, walls));
        }
        parts
    }

    /// Areas of one board that do not touch each other, as one.
    pub(crate) fn union(parts: &[&Area]) -> Area {
        let mut points: Vec<(&Area, usize)> =
            parts.iter().flat_map(|&part| (0..part.len()).map(move |i| (part, i))).collect();
        points.sort_unstable_by_key(|&(part, i)| part.places[i]);
        let mut union = Area::empty(points.iter().map(|&(part, i)| part.places[i]).collect());
        for (to, &(part, from)) in points.iter().enumerate() {
            for colour in [0, 1] {
                union.stones[colour] |= (part.stones[colour] >> from & 1) << to;
                union.walls[colour] |= (part.walls[colour] >> from & 1) << to;
            }
        }
        union
    }

    fn part(&self, set: u64, walls: [u64; 2]) -> Area {
        if set == self.all() {
            return Area { walls, ..self.clone() };
        }
        let mut part = Area::empty(bits(set).map(|i| self.places[i]).collect());
        for (to, from) in bits(set).enumerate() {
            for colour in [0, 1] {
                part.stones[colour] |= (self.stones[colour] >> from & 1) << to;
                part.walls[colour] |= (walls[colour] >> from & 1) << to;
            }
        }
        part
    }

    /// The same area with the colours exchanged.
    #[must_use]
    pub fn swapped(&self) -> Area {
        let [b, w] = self.stones;
        let [bw, ww] = self.walls;
        Area { stones: [w, b], walls: [ww, bw], ..self.clone() }
    }

    /// The normal form, and whether the colours had to be exchanged for it.
    pub fn normal_form(&self) -> (Key, bool) {
        let rows = self.places.iter().map(|p| p.0);
        let columns = self.places.iter().map(|p| p.1);
        let (y0, y1) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
        let (x0, x1) = (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0));
        let mut best: Option<(Vec<u16>, bool)> = None;
        for swap in [false, true] {
            for image in 0..8 {
                let mut codes: Vec<u16> = (0..self.len())
                    .map(|i| {
                        let (y, x) = self.places[i];
                        let y = if image & 1 == 0 { y - y0 } else { y1 - y } as u16;
                        let x = if image & 2 == 0 { x - x0 } else { x1 - x } as u16;
                        let (y, x) = if image & 4 == 0 { (y, x) } else { (x, y) };
                        let bit = |sets: [u64; 2], first: usize| {
                            ((sets[first] >> i & 1) | (sets[1 - first] >> i & 1) << 1) as u16
                        };
                        y << 9
                            | x << 4
                            | bit(self.stones, swap as usize) << 2
                            | bit(self.walls, swap as usize)
                    })
                    .collect();
                codes.sort_unstable();
                if best.as_ref().is_none_or(|(champion, _)| codes < *champion) {
                    best = Some((codes, swap));
                }
            }
        }
        let (codes, swap) = best.unwrap_or_default();
        (codes.into_boxed_slice(), swap)
    }

    /// Empty points that only Black reaches minus those that only White reaches.
    pub(crate) fn surrounded_difference(&self) -> i64 {
        let (mut rest, mut difference) = (self.empties(), 0);
        while rest != 0 {
            let room = self.flood(rest & rest.wrapping_neg(), rest);
            rest &= !room;
            let around = self.grown(room);
            let touches = [0, 1].map(|i| around & self.stones[i] != 0 || room & self.walls[i] != 0);
            difference += match touches {
                [true, false] => room.count_ones() as i64,
                [false, true] => -(room.count_ones() as i64),
                _ => 0,
            };
        }
        difference
    }

    /// Black stones minus white stones.
    pub fn stone_difference(&self) -> i64 {
        self.stones[0].count_ones() as i64 - self.stones[1].count_ones() as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(text: &str, points: &[&str]) -> Area {
        let board = Board::read(text).unwrap();
        let mut points: Vec<Point> = points.iter().map(|p| board.point_of(p).unwrap()).collect();
        points.sort_unstable();
        Area::cut(&board, &points, |p| board.at(p)).unwrap()
    }

    #[test]
    fn stones_on_own_walls_become_walls() {
        let corridor = area("OOOOO|XX.XX|XX.XX|XX.XX|XXXXX", &["C4", "C3", "C2"]);
        let (after, captured) = corridor.play(Right, 0).unwrap();
        assert_eq!(captured, 0);
        let parts = after.split();
        assert_eq!(parts.len(), 1);
        assert_eq!((parts[0].walls(Left), parts[0].walls(Right)), (0b11, 0b01));
        // A move of Black in the middle leaves a point for both, and one for Black alone.
        assert_eq!(corridor.play(Left, 1).unwrap().0.split().len(), 2);
    }

    #[test]
    fn dead_stones_are_captured_and_suicide_is_illegal() {
        let eye = area(".OOOO|OXXXX|OX.OX|OXXXX|OOOOO", &["C3", "D3"]);
        assert!(eye.play(Right, 0).is_none());
        let (after, captured) = eye.play(Left, 0).unwrap();
        assert_eq!((captured, after.stones(Right)), (1, 0));
    }

    #[test]
    fn normal_forms_know_symmetry_and_colours() {
        let a = area("OOOOO|XX.XX|XX.XX|XXXXX|XXXXX", &["C4", "C3"]);
        let b = area("XOOOO|XOOOO|X..OO|XOOOO|XOOOO", &["B3", "C3"]);
        let (key_a, swap_a) = a.normal_form();
        let (key_b, swap_b) = b.normal_form();
        assert_eq!(key_a, key_b);
        assert_ne!(swap_a, swap_b);
    }
}
