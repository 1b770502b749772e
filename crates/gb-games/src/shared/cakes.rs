//! Rectangular cakes, side by side: `2x3,1x4` (rows x columns).

use gb_board::{BoardError, Item, Scene, Size, Spot};
use smallvec::{SmallVec, smallvec};

/// Rows and columns of a cake.
pub(crate) type Cake = (u32, u32);
/// The cakes on the table.
pub(crate) type Cakes = SmallVec<[Cake; 2]>;

/// How many squares a cake may have; a front end draws them all.
const MAX_SQUARES: u64 = 10_000;

fn cake(rows: usize, cols: usize) -> Result<Cake, BoardError> {
    if (rows as u64).saturating_mul(cols as u64) > MAX_SQUARES {
        return Err(BoardError::TooLarge {
            found: format!("a cake of {rows}x{cols}"),
            limit: format!("at most {MAX_SQUARES} squares"),
        });
    }
    Ok((rows as u32, cols as u32))
}

pub(crate) fn read(text: &str) -> Result<Cakes, BoardError> {
    const EXPECTED: &str = "a cake such as `2x3` (rows x columns)";
    if text.trim().is_empty() {
        return Err(BoardError::Empty { expected: EXPECTED.into() });
    }
    let mut at = 0;
    let mut cakes = Cakes::new();
    for word in text.split(',') {
        match Size::read(word.trim()) {
            Ok(Size::Grid(rows, cols)) => cakes.push(cake(rows, cols)?),
            _ => return Err(BoardError::syntax(text, at, EXPECTED)),
        }
        at += word.len() + 1;
    }
    Ok(cakes)
}

pub(crate) fn show(cakes: &Cakes) -> String {
    cakes.iter().map(|(rows, cols)| format!("{rows}x{cols}")).collect::<Vec<_>>().join(",")
}

pub(crate) fn start(size: Size) -> Result<Cakes, BoardError> {
    let (rows, cols) = size.grid();
    Ok(smallvec![cake(rows, cols)?])
}

/// The first column of a cake in the scene: cakes stand side by side with a gap.
fn offset(cakes: &Cakes, index: usize) -> u32 {
    cakes[..index].iter().map(|(_, cols)| cols + 1).sum()
}

pub(crate) fn scene(cakes: &Cakes) -> Scene {
    let mut items = vec![];
    for (index, &(rows, cols)) in cakes.iter().enumerate() {
        let left = offset(cakes, index);
        for row in 0..rows {
            for col in left..left + cols {
                items.push(Item::square(Spot::Cell { row, col }, col as i32, row as i32, '.'));
            }
        }
    }
    Scene { items }
}

/// The squares on both sides of a cut through a cake: after `at` columns (`upright`) or after `at` rows.
pub(crate) fn cut(cakes: &Cakes, index: usize, upright: bool, at: u32) -> Vec<Spot> {
    let left = offset(cakes, index);
    let spot = |k| {
        if upright { Spot::Cell { row: 0, col: left + k } } else { Spot::Cell { row: k, col: left } }
    };
    vec![spot(at - 1), spot(at)]
}

/// Each cake that can be cut is a part.
pub(crate) fn regions(cakes: &Cakes, emit: &mut impl FnMut(Cakes, Vec<Spot>)) {
    for (index, &(rows, cols)) in cakes.iter().enumerate().filter(|(_, cake)| **cake != (1, 1)) {
        let left = offset(cakes, index);
        let spots = (0..rows).flat_map(|row| (left..left + cols).map(move |col| Spot::Cell { row, col }));
        emit(smallvec![(rows, cols)], spots.collect());
    }
}

pub(crate) fn parts(cakes: &Cakes, emit: &mut impl FnMut(Cakes)) {
    for &cake in cakes.iter().filter(|cake| **cake != (1, 1)) {
        emit(smallvec![cake]);
    }
}
