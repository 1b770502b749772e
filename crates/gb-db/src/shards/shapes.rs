//! Connected sets of cells within a rectangle, up to symmetry and shifts, and the boards on them.
//!
//! A board of one part is a connected set of cells and a colouring of it. Of sets that are images of each other the least is kept, and of two
//! colourings that differ in the colours of all stones the one in which the last cell is Right's. So the boards of a set are the numbers below a
//! power of two, and the place of a board in a table follows from its set and its colouring.
//!
//! Sets that are their own image keep boards that are images of each other: on 4x4 one board in nine is kept twice or more.

use gb_board::Codes;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::StoreError;
use crate::outcomes::{Form, Group, groups};

/// Rectangles have so many cells at most: all their sets are looked at once.
const MAX_CELLS: usize = 25;
/// The symmetries of a square.
const IMAGES: u8 = 8;

/// The sets of a rectangle that are kept.
pub(crate) struct Shapes {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) form: Form,
    groups: Vec<Group>,
    /// The cells that moves are about.
    placements: Vec<u32>,
    /// By size, then by number.
    sets: Vec<u32>,
    numbers: FxHashMap<u32, u32>,
    /// The place of the first board of each set, and of the end.
    first: Vec<u64>,
    /// Which sets have so many cells: from here to the next.
    layers: Vec<usize>,
}

/// A set as it is kept, and where each cell of the set that was asked about is in it.
struct Normal {
    least: u32,
    to: [u8; MAX_CELLS],
}

/// Where a board is, and whether its value is the negative of what is there.
pub(crate) type Place = (u64, bool);

fn cells(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(cell)
    })
}

/// Which variable of the colourings of a set a cell is.
fn variable(set: u32, cell: usize) -> usize {
    (set & ((1 << cell) - 1)).count_ones() as usize
}

impl Shapes {
    /// Finds the sets.
    pub(crate) fn new(rows: usize, cols: usize, form: Form) -> Result<Shapes, StoreError> {
        let mut shapes = Shapes::empty(rows, cols, form)?;
        let (top, left) = (shapes.row(0), shapes.col(0));
        let mut sets: Vec<u32> = (1..1u32 << (rows * cols))
            .filter(|set| set & top != 0 && set & left != 0 && set.count_ones() > 1)
            .filter(|&set| shapes.part_of(set) == set && shapes.normalise(set).least == set)
            .collect();
        sets.sort_unstable_by_key(|set| (set.count_ones(), *set));
        shapes.set_sets(sets);
        Ok(shapes)
    }

    /// With the sets that a table lists.
    pub(crate) fn read(rows: usize, cols: usize, form: Form, sets: Vec<u32>) -> Result<Shapes, StoreError> {
        let mut shapes = Shapes::empty(rows, cols, form)?;
        shapes.set_sets(sets);
        Ok(shapes)
    }

    fn empty(rows: usize, cols: usize, form: Form) -> Result<Shapes, StoreError> {
        let fits = rows.checked_mul(cols).is_some_and(|cells| (1..=MAX_CELLS).contains(&cells));
        if !fits {
            return Err(StoreError::Invalid(format!(
                "{rows}x{cols} is too large for a table of the parts within a rectangle: at most {MAX_CELLS} cells are possible"
            )));
        }
        let same: Vec<u8> = (0..(rows * cols) as u8).collect();
        let groups = groups(rows, cols, &form, &same);
        let mut placements: Vec<u32> =
            groups.iter().flat_map(|group| group.placements.iter().map(|found| found.cells)).collect();
        placements.sort_unstable();
        placements.dedup();
        Ok(Shapes {
            rows,
            cols,
            form,
            groups,
            placements,
            sets: vec![],
            numbers: FxHashMap::default(),
            first: vec![],
            layers: vec![],
        })
    }

    fn set_sets(&mut self, sets: Vec<u32>) {
        let mut end = 0;
        self.first = vec![0];
        self.first.extend(sets.iter().map(|set| {
            end += 1u64 << (set.count_ones() - 1);
            end
        }));
        let size = |set: &u32| set.count_ones() as usize;
        self.layers = (0..=self.rows * self.cols + 1)
            .map(|cells| sets.partition_point(|set| size(set) < cells))
            .collect();
        self.numbers = sets.iter().zip(0..).map(|(&set, number)| (set, number)).collect();
        self.sets = sets;
    }

    fn row(&self, row: usize) -> u32 {
        ((1 << self.cols) - 1) << (row * self.cols)
    }

    fn col(&self, col: usize) -> u32 {
        (0..self.rows).fold(0, |mask, row| mask | 1 << (row * self.cols + col))
    }

    /// The sets.
    pub(crate) fn sets(&self) -> &[u32] {
        &self.sets
    }

    /// How many layers there are: the boards with 0, 1, 2 and so on stones.
    pub(crate) fn layers(&self) -> usize {
        self.rows * self.cols + 1
    }

    /// The places of the boards with so many stones.
    pub(crate) fn layer(&self, stones: usize) -> std::ops::Range<u64> {
        self.first[self.layers[stones]]..self.first[self.layers[stones + 1]]
    }

    /// How many boards are kept.
    pub(crate) fn boards(&self) -> u64 {
        self.first.last().copied().unwrap_or(0)
    }

    /// The number of the set to which the board at a place belongs, and the colouring.
    pub(crate) fn set_at(&self, place: u64) -> (usize, u32) {
        let set = self.first.partition_point(|&first| first <= place) - 1;
        (set, (place - self.first[set]) as u32)
    }

    /// Where the boards of a set are.
    pub(crate) fn places(&self, set: usize) -> std::ops::Range<u64> {
        self.first[set]..self.first[set + 1]
    }

    /// The connected part of a set to which its first cell belongs. A stone that no move can ever be about is a part.
    fn part_of(&self, set: u32) -> u32 {
        let mut part = set & set.wrapping_neg();
        loop {
            let with = |all: u32, &cells: &u32| {
                if set & cells == cells && all & cells != 0 { all | cells } else { all }
            };
            let larger = self.placements.iter().fold(part, with);
            if larger == part {
                return part;
            }
            part = larger;
        }
    }

    /// The connected parts of a set, without stones that no move can ever be about.
    pub(crate) fn parts(&self, mut set: u32) -> SmallVec<[u32; 4]> {
        let mut parts = SmallVec::new();
        while set != 0 {
            let part = self.part_of(set);
            if part.count_ones() > 1 {
                parts.push(part);
            }
            set &= !part;
        }
        parts
    }

    /// The least of the images of a set that fit into the upper left corner.
    fn normalise(&self, set: u32) -> Normal {
        let rows = |row: &usize| set & self.row(*row) != 0;
        let cols = |col: &usize| set & self.col(*col) != 0;
        let (top, left) = ((0..self.rows).find(rows).unwrap_or(0), (0..self.cols).find(cols).unwrap_or(0));
        let bottom = (0..self.rows).rev().find(rows).unwrap_or(0);
        let right = (0..self.cols).rev().find(cols).unwrap_or(0);
        let mut best = Normal { least: u32::MAX, to: [0; MAX_CELLS] };
        for image in 0..IMAGES {
            let (flip, mirror, turn) = (image & 1 != 0, image & 2 != 0, image & 4 != 0);
            if (flip || mirror) && !self.form.mirrors || turn && !self.form.transposes {
                continue;
            }
            let (mut height, mut width) = (bottom - top, right - left);
            if turn {
                (height, width) = (width, height);
            }
            if height >= self.rows || width >= self.cols {
                continue;
            }
            let (mut to, mut found) = ([0; MAX_CELLS], 0u32);
            for cell in cells(set) {
                let (mut row, mut col) = (cell / self.cols - top, cell % self.cols - left);
                if turn {
                    (row, col) = (col, row);
                }
                if flip {
                    row = height - row;
                }
                if mirror {
                    col = width - col;
                }
                to[cell] = (row * self.cols + col) as u8;
                found |= 1 << to[cell];
            }
            if found < best.least {
                best = Normal { least: found, to };
            }
        }
        best
    }

    /// The place of a board of one part: its stones, and which of them are Left's. `None` if it is none.
    pub(crate) fn place(&self, stones: u32, left: u32) -> Option<Place> {
        let normal = self.normalise(stones);
        let &number = self.numbers.get(&normal.least)?;
        let colouring = cells(stones & left)
            .fold(0, |bits, cell| bits | 1 << variable(normal.least, usize::from(normal.to[cell])));
        let (colouring, negative) = of_last_right(colouring, stones.count_ones());
        Some((self.first[number as usize] + u64::from(colouring), negative))
    }

    /// The same for a board as letters; `None` if it is not of one part, or does not fit, however it is turned.
    pub(crate) fn place_of(&self, board: &Codes) -> Option<Place> {
        let filled = |row: usize, col: usize| board.cells[row * board.cols + col] != 0;
        let top = (0..board.rows).find(|&row| (0..board.cols).any(|col| filled(row, col)))?;
        let bottom = (0..board.rows).rev().find(|&row| (0..board.cols).any(|col| filled(row, col)))?;
        let first = (0..board.cols).find(|&col| (0..board.rows).any(|row| filled(row, col)))?;
        let last = (0..board.cols).rev().find(|&col| (0..board.rows).any(|row| filled(row, col)))?;
        let fits = |rows: usize, cols: usize| rows <= self.rows && cols <= self.cols;
        let (height, width) = (bottom - top + 1, last - first + 1);
        let turned = !fits(height, width);
        if turned && !(self.form.transposes && fits(width, height)) {
            return None;
        }
        let (mut stones, mut left) = (0, 0);
        for row in top..=bottom {
            for col in first..=last {
                let cell = match turned {
                    false => (row - top) * self.cols + col - first,
                    true => (col - first) * self.cols + row - top,
                };
                let code = board.cells[row * board.cols + col];
                stones |= u32::from(code != 0) << cell;
                left |= u32::from(code == 1) << cell;
            }
        }
        self.place(stones, left)
    }

    /// The board at a place.
    pub(crate) fn board(&self, place: u64) -> Codes {
        let (number, colouring) = self.set_at(place);
        let mut board = Codes::blank(self.rows, self.cols);
        for (variable, cell) in cells(self.sets[number]).enumerate() {
            board.cells[cell] = if colouring >> variable & 1 == 1 { 1 } else { 2 };
        }
        board
    }

    /// What Left's moves make of the boards of a set.
    pub(crate) fn plan(&self, number: usize) -> Plan {
        let set = self.sets[number];
        let size = set.count_ones();
        let spread = |mask: u32| cells(mask).fold(0u32, |bits, cell| bits | 1 << variable(set, cell));
        let mut plan = Plan { moves: vec![], results: vec![], stones: size };
        for group in self.groups.iter().filter(|group| set & group.removed == group.removed) {
            let moves: Vec<_> =
                group.placements.iter().filter(|found| set & found.cells == found.cells).collect();
            if moves.is_empty() {
                continue;
            }
            for found in moves {
                let stay = |of: &dyn Fn(&(u8, bool, bool)) -> bool| {
                    found.stay.iter().filter(|stay| of(stay)).fold(0u32, |mask, stay| mask | 1 << stay.0)
                };
                plan.moves.push(Move {
                    cells: spread(found.cells),
                    before: spread(group.left | stay(&|&(_, _, before)| before)),
                    changed: spread(stay(&|_| true)),
                    after: spread(stay(&|&(_, after, _)| after)),
                    result: plan.results.len(),
                });
            }
            let part = |cells: u32| self.colouring_map(set, cells);
            plan.results.push(self.parts(set & !group.removed).into_iter().filter_map(part).collect());
        }
        plan
    }

    /// How a colouring of a set becomes the place of one of its parts.
    fn colouring_map(&self, set: u32, part: u32) -> Option<PartMap> {
        let normal = self.normalise(part);
        let &number = self.numbers.get(&normal.least)?;
        let bits: Vec<u32> = cells(set)
            .map(|cell| match part >> cell & 1 {
                1 => 1 << variable(normal.least, usize::from(normal.to[cell])),
                _ => 0,
            })
            .collect();
        let half = bits.len() / 2;
        let sums = |bits: &[u32]| {
            let mut sums = vec![0];
            for bit in bits {
                let with: Vec<u32> = sums.iter().map(|sum| sum | bit).collect();
                sums.extend(with);
            }
            sums
        };
        let stones = part.count_ones();
        let first = self.first[number as usize] - self.layer(stones as usize).start;
        Some(PartMap { stones, first, half, low: sums(&bits[..half]), high: sums(&bits[half..]) })
    }
}

/// Colours are exchanged where the last stone is Left's.
fn of_last_right(colouring: u32, stones: u32) -> (u32, bool) {
    match colouring >> (stones - 1) & 1 {
        1 => (colouring ^ ((1 << stones) - 1), true),
        _ => (colouring, false),
    }
}

/// What Left's moves make of the boards of one set. Right's are those of the board with the colours exchanged, negated.
pub(crate) struct Plan {
    moves: Vec<Move>,
    /// The parts that are left.
    results: Vec<Vec<PartMap>>,
    stones: u32,
}

/// A move in terms of colourings.
struct Move {
    /// The stones it is about, and those of them that must be Left's.
    cells: u32,
    before: u32,
    /// The stones that stay, and those of them that are Left's afterwards.
    changed: u32,
    after: u32,
    result: usize,
}

/// How a colouring of a set becomes a board of a part of it: what either half of the bits contributes.
struct PartMap {
    stones: u32,
    /// Where the boards of its set begin in its layer.
    first: u64,
    half: usize,
    low: Vec<u32>,
    high: Vec<u32>,
}

/// A part in its layer: the number of stones, the place, and whether its value is to be negated.
pub(crate) type PartPlace = (usize, u64, bool);

impl Plan {
    /// Calls `emit` with the parts that each move of Left leaves of a board.
    pub(crate) fn options(&self, colouring: u32, mut emit: impl FnMut(&[PartPlace])) {
        for found in self.moves.iter().filter(|found| colouring & found.cells == found.before) {
            let after = colouring & !found.changed | found.after;
            let place = |map: &PartMap| {
                let (low, high) = (after & ((1 << map.half) - 1), after >> map.half);
                let bits = map.low[low as usize] | map.high[high as usize];
                let (bits, negative) = of_last_right(bits, map.stones);
                (map.stones as usize, map.first + u64::from(bits), negative)
            };
            let parts: SmallVec<[PartPlace; 4]> = self.results[found.result].iter().map(place).collect();
            emit(&parts);
        }
    }

    /// The board with the colours exchanged.
    pub(crate) fn exchanged(&self, colouring: u32) -> u32 {
        colouring ^ ((1 << self.stones) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn clobber() -> Form {
        Form::read("8 0,0:1>0+0,1:2>1 0,0:1>0+0,-1:2>1 0,0:1>0+1,0:2>1 0,0:1>0+-1,0:2>1").unwrap()
    }

    /// Free polyominoes by cells (OEIS A000105), where the rectangle is large enough for all of them.
    #[test]
    fn sets_are_free_polyominoes() {
        let shapes = Shapes::new(5, 5, clobber()).unwrap();
        let counts: Vec<usize> = (2..=3).map(|n| shapes.layers[n + 1] - shapes.layers[n]).collect();
        assert_eq!(counts, [1, 2]);
        assert_eq!(shapes.layers[5] - shapes.layers[4], 5);
        assert_eq!(shapes.layers[6] - shapes.layers[5], 12);
        assert_eq!(shapes.layers[26] - shapes.layers[25], 1);
    }

    /// Every board of one part has a place, which depends on its class alone, and places are of boards of their class.
    #[test]
    fn places_are_those_of_classes() {
        for (rows, cols) in [(1, 6), (2, 4), (3, 3)] {
            let shapes = Shapes::new(rows, cols, clobber()).unwrap();
            let mut used = HashSet::new();
            for number in 0..3u32.pow((rows * cols) as u32) {
                let mut board = Codes::blank(rows, cols);
                let mut rest = number;
                for cell in &mut board.cells {
                    *cell = (rest % 3) as u8;
                    rest /= 3;
                }
                let stones = (0..rows * cols).filter(|&c| board.cells[c] != 0).fold(0, |set, c| set | 1 << c);
                let parts = shapes.parts(stones);
                let one = parts.as_slice() == [stones];
                let place = shapes.place_of(&board);
                assert_eq!(place.is_some(), one && stones != 0);
                assert_eq!(shapes.place_of(&board.transpose()).is_some(), place.is_some());
                if let Some((place, _)) = place {
                    used.insert(place);
                    assert!(shapes.layer(stones.count_ones() as usize).contains(&place));
                }
            }
            // Those that are missing are images of others in a set that is its own image.
            assert!(used.len() as u64 <= shapes.boards());
            for place in 0..shapes.boards() {
                assert_eq!(shapes.place_of(&shapes.board(place)), Some((place, false)));
            }
        }
    }

    /// How much is kept twice because sets are their own images: compared with the least of the places of all images of each board.
    #[test]
    fn few_boards_are_kept_twice() {
        let shapes = Shapes::new(4, 4, clobber()).unwrap();
        let turned = |board: &Codes| {
            let mut turned = board.transpose();
            turned.cells.chunks_mut(4).for_each(<[u8]>::reverse);
            turned
        };
        let is_least = |&place: &u64| {
            let mut board = shapes.board(place);
            (0..8).all(|image| {
                board = if image == 4 { board.transpose() } else { turned(&board) };
                shapes.place_of(&board).is_some_and(|(other, _)| other >= place)
            })
        };
        // 158,048 of 1,350,914 in all; here every 16th.
        let asked = (0..shapes.boards()).step_by(16).count();
        let twice = asked - (0..shapes.boards()).step_by(16).filter(is_least).count();
        assert!(7 * twice < asked, "{twice} of {asked}");
    }
}
