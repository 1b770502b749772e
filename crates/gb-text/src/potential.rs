//! Whether play ends: a number that every move makes smaller.
//!
//! First the letters are given weights, so that every move makes the sum of them smaller: that also numbers all boards of a size for
//! databases. Where pieces only walk, a weight may also grow or shrink with the row and the column.
//! If nothing of this kind is found, play may go on for ever as far as we know.

use crate::pattern::{Pattern, PatternCell, Shape, Span, Step};
use crate::tree::LetterSet;

/// The weight of a letter on a cell: a constant, and so much for each row and column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Weight {
    constant: i64,
    down: i64,
    right: i64,
}

/// The greatest weight of a letter that is tried.
const MOST: u8 = 3;
/// Up to so many letters are tried with weights that depend on the place.
const MAX_WALKING: usize = 4;
/// Up to so many choices of weights are tried, times patterns.
const MAX_TRIALS: usize = 3_000_000;

fn members(set: LetterSet) -> impl Iterator<Item = usize> {
    (0..16).filter(move |i| set >> i & 1 == 1)
}

/// Weights of the letters, 0 for the first, such that every move makes a board lighter.
pub(crate) fn weights(patterns: &[Pattern], letters: usize) -> Option<Vec<u8>> {
    let mut weights = vec![0u8; letters];
    let mut trials = 0;
    loop {
        let plain: Vec<Weight> =
            weights.iter().map(|&w| Weight { constant: w.into(), ..Weight::default() }).collect();
        if patterns.iter().all(|pattern| shrinks(&pattern.shape, &plain)) {
            return Some(weights);
        }
        trials += patterns.len();
        // The next choice, as a number of digits.
        let digit = (1..letters).find(|&i| weights[i] < MOST)?;
        weights[1..digit].fill(0);
        weights[digit] += 1;
        if trials > MAX_TRIALS {
            return None;
        }
    }
}

/// Whether weights that depend on the place show that play ends.
pub(crate) fn walks_end(patterns: &[Pattern], letters: usize) -> bool {
    if letters > MAX_WALKING + 1 {
        return false;
    }
    let choices: Vec<Weight> = (0..=2)
        .flat_map(|constant| {
            (-1..=1).flat_map(move |down| (-1..=1).map(move |right| Weight { constant, down, right }))
        })
        .collect();
    let mut places = vec![0; letters];
    let mut trials = 0;
    loop {
        let weights: Vec<Weight> = places
            .iter()
            .enumerate()
            .map(|(letter, &i)| if letter == 0 { Weight::default() } else { choices[i] })
            .collect();
        if patterns.iter().all(|pattern| shrinks(&pattern.shape, &weights)) {
            return true;
        }
        trials += patterns.len();
        let Some(digit) = (1..letters).find(|&i| places[i] + 1 < choices.len()) else { return false };
        places[1..digit].fill(0);
        places[digit] += 1;
        if trials > MAX_TRIALS {
            return false;
        }
    }
}

/// Whether a move of this shape makes the sum of the weights smaller, wherever it is made.
fn shrinks(shape: &Shape, weights: &[Weight]) -> bool {
    let own = change(shape, weights);
    if shape.then.is_empty() {
        return own.is_some_and(|change| change < 0);
    }
    shape.then.iter().all(|then| match (own, change(then, weights)) {
        (Some(first), Some(second)) => first + second < 0,
        _ => false,
    })
}

/// The greatest change of the sum of the weights by a move of this shape, if there is one for all places.
fn change(shape: &Shape, weights: &[Weight]) -> Option<i64> {
    let neighbours_grow = shape
        .neighbours
        .as_ref()
        .is_some_and(|(_, set, to)| members(*set).any(|from| !lighter(weights, from, usize::from(*to))));
    if neighbours_grow {
        return None;
    }
    match shape.span {
        Span::Once | Span::Repeat(_) => of_cells(&shape.cells, weights),
        Span::Slide(step, _) => {
            // Longer slides must not be worse than short ones.
            let far: Vec<PatternCell> = shape
                .cells
                .iter()
                .map(|cell| PatternCell {
                    at: if cell.at == shape.last { further(cell.at, step) } else { cell.at },
                    ..*cell
                })
                .collect();
            let (short, long) = (of_cells(&shape.cells, weights)?, of_cells(&far, weights)?);
            (long <= short).then_some(short)
        }
        Span::Sweep(_, set, after) => {
            let grows =
                after.is_some_and(|to| members(set).any(|from| !lighter(weights, from, usize::from(to))));
            if grows { None } else { of_cells(&shape.cells, weights) }
        }
        Span::Push((down, right), set) => {
            let cell = shape.cells.first()?;
            let left_behind = weights[usize::from(cell.after?)];
            let walks = |letter: usize| {
                weights[letter].down * i64::from(down) + weights[letter].right * i64::from(right)
            };
            // What is pushed over the edge, or over something else, must have weighed something everywhere.
            let never_negative = weights.iter().all(|w| w.constant >= 0 && w.down >= 0 && w.right >= 0);
            let first = members(cell.before).map(walks).max()?;
            let pushed = members(set).map(walks).max().unwrap_or(0);
            (left_behind == Weight::default() && never_negative && first < 0 && pushed <= 0).then_some(first)
        }
    }
}

fn further((row, col): Step, (down, right): Step) -> Step {
    (row + down, col + right)
}

/// Whether one letter never weighs less than another, wherever they are.
fn lighter(weights: &[Weight], from: usize, to: usize) -> bool {
    let (from, to) = (weights[from], weights[to]);
    to.constant <= from.constant && to.down == from.down && to.right == from.right
}

fn of_cells(cells: &[PatternCell], weights: &[Weight]) -> Option<i64> {
    let (mut total, mut by_row, mut by_col) = (0, 0, 0);
    for cell in cells {
        let Some(after) = cell.after else { continue };
        let to = weights[usize::from(after)];
        let mut worst: Option<i64> = None;
        let mut slopes: Option<(i64, i64)> = None;
        for from in members(cell.before).map(|letter| weights[letter]) {
            let (down, right) = (to.down - from.down, to.right - from.right);
            if slopes.is_some_and(|known| known != (down, right)) {
                return None;
            }
            slopes = Some((down, right));
            let here =
                to.constant - from.constant + down * i64::from(cell.at.0) + right * i64::from(cell.at.1);
            worst = Some(worst.map_or(here, |known| known.max(here)));
        }
        let (down, right) = slopes?;
        total += worst?;
        by_row += down;
        by_col += right;
    }
    // Where the pattern lies must not matter.
    (by_row == 0 && by_col == 0).then_some(total)
}
