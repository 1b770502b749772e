//! Starting positions by number.

use gb_rules::AnyGame;
use gb_search::pool::Pool;
use gb_value::{Budget, Dyadic, Halt, Kernel, Store, Value};

use crate::sum::Sum;
use gb_board::{BoardError, Random};

/// Why a starting position was not set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    /// The text is no position.
    #[error(transparent)]
    Position(#[from] BoardError),
    /// The budget ran out.
    #[error(transparent)]
    Halt(#[from] Halt),
}

/// Starting positions, each known by its number: the same number gives the same position in every run.
pub trait Starts: Sync {
    /// Sets a position up.
    ///
    /// # Errors
    /// If the text is none, or the budget runs out.
    fn start<'s>(
        &self,
        number: u64,
        store: &'s Store,
        budget: &'s Budget,
    ) -> Result<(Pool<'s>, Sum), StartError>;
}

/// Positions of a game, by their texts.
pub struct BoardStarts<T> {
    /// The game.
    pub game: AnyGame,
    /// The text of each position.
    pub text: T,
}

impl<T: Fn(u64) -> String + Sync> Starts for BoardStarts<T> {
    fn start<'s>(&self, number: u64, _: &'s Store, _: &'s Budget) -> Result<(Pool<'s>, Sum), StartError> {
        let board = self.game.read(&(self.text)(number))?;
        let (pool, components) = Pool::of_board(&board);
        Ok((pool, Sum::new(components, Dyadic::ZERO)))
    }
}

/// Random sums of hot values: `{a|b}`, `{{a|b}|c}`, `{a|{b|c}}` and `{{a|b}|{c|d}}` with `a > b > c > d`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HotSums {
    /// How many values.
    pub parts: u32,
    /// The temperatures of the values are at most about this.
    pub spread: u32,
    /// Different seeds give different sums.
    pub seed: u64,
}

impl HotSums {
    /// The values of a sum.
    pub fn values(&self, number: u64, kernel: &Kernel<'_>) -> Result<Vec<Value>, Halt> {
        let mut random = Random::new(self.seed, number);
        (0..self.parts).map(|_| self.value(&mut random, kernel)).collect()
    }

    fn value(&self, random: &mut Random, kernel: &Kernel<'_>) -> Result<Value, Halt> {
        let spread = i64::from(self.spread.max(2));
        let mut leaves = vec![];
        while leaves.len() < 4 {
            let leaf = random.between(-spread, spread);
            if !leaves.contains(&leaf) {
                leaves.push(leaf);
            }
        }
        leaves.sort_unstable_by(|a, b| b.cmp(a));
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| kernel.integer(leaves[i]));
        let switch = |a, b| kernel.from_options(&[a], &[b]);
        match random.below(4) {
            0 => switch(a, d),
            1 => switch(switch(a, b)?, c),
            2 => switch(b, switch(c, d)?),
            _ => switch(switch(a, b)?, switch(c, d)?),
        }
    }
}

impl Starts for HotSums {
    fn start<'s>(
        &self,
        number: u64,
        store: &'s Store,
        budget: &'s Budget,
    ) -> Result<(Pool<'s>, Sum), StartError> {
        let kernel = store.kernel(budget);
        let values = self.values(number, &kernel)?;
        let (pool, components, score) = Pool::of_values(kernel, &values);
        Ok((pool, Sum::new(components, score)))
    }
}

/// A grid of `.` that walls of `#` cut into `parts` pieces at random: again and again a wall goes straight through the
/// largest piece, with a few more holes. The text of a board in many games.
pub fn cut_grid(rows: usize, cols: usize, parts: usize, seed: u64, number: u64) -> String {
    let mut random = Random::new(seed, number);
    let mut grid = vec![vec![true; cols]; rows];
    for _ in 0..rows * cols / 40 {
        let (row, col) = (random.below(rows), random.below(cols));
        grid[row][col] = false;
    }
    // Every wall takes a cell at least, so this ends.
    loop {
        let pieces = pieces(&grid);
        let Some(largest) = pieces.iter().max_by_key(|piece| piece.len()) else { break };
        if pieces.len() >= parts || largest.len() < 3 {
            break;
        }
        let &(row, col) = &largest[random.below(largest.len())];
        // Across the longer side, so that pieces stay compact.
        let extent = |of: fn(&(usize, usize)) -> usize| {
            let (low, high) = (largest.iter().map(of).min(), largest.iter().map(of).max());
            high.unwrap_or(0) - low.unwrap_or(0)
        };
        let along_row = extent(|cell| cell.0) > extent(|cell| cell.1);
        for &(r, c) in largest {
            if if along_row { r == row } else { c == col } {
                grid[r][c] = false;
            }
        }
    }
    let line = |row: &Vec<bool>| row.iter().map(|&free| if free { '.' } else { '#' }).collect::<String>();
    grid.iter().map(line).collect::<Vec<_>>().join("|")
}

/// The connected pieces of the free cells.
fn pieces(grid: &[Vec<bool>]) -> Vec<Vec<(usize, usize)>> {
    let mut rest = grid.to_vec();
    let mut pieces = vec![];
    for row in 0..grid.len() {
        for col in 0..grid[row].len() {
            if !rest[row][col] {
                continue;
            }
            rest[row][col] = false;
            let mut piece = vec![(row, col)];
            let mut seen = 0;
            while let Some(&(r, c)) = piece.get(seen) {
                seen += 1;
                for (r, c) in [(r.wrapping_sub(1), c), (r + 1, c), (r, c.wrapping_sub(1)), (r, c + 1)] {
                    if rest.get(r).and_then(|row| row.get(c)) == Some(&true) {
                        rest[r][c] = false;
                        piece.push((r, c));
                    }
                }
            }
            pieces.push(piece);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_cut_into_as_many_pieces_as_asked_for() {
        for number in 0..40 {
            let parts = 9 + number as usize % 16;
            let text = cut_grid(15, 15, parts, 1, number);
            let grid: Vec<Vec<bool>> =
                text.split('|').map(|row| row.chars().map(|c| c == '.').collect()).collect();
            let found = pieces(&grid).len();
            assert!((parts..parts + 3).contains(&found), "{found} of {parts} pieces: {text}");
            assert_eq!(text, cut_grid(15, 15, parts, 1, number));
        }
        assert_ne!(cut_grid(15, 15, 9, 1, 0), cut_grid(15, 15, 9, 2, 0));
        assert_eq!(cut_grid(1, 1, 5, 1, 0), ".");
    }
}
