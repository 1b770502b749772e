//! Heaps of tokens, side by side.

use gb_board::{BoardError, Size, Spot};
use smallvec::{SmallVec, smallvec};

/// Heap sizes.
pub(crate) type Heaps = SmallVec<[u32; 4]>;

pub(crate) fn read(text: &str) -> Result<Heaps, BoardError> {
    Ok(gb_board::read_heaps(text)?.into())
}

pub(crate) fn show(at: &Heaps) -> String {
    gb_board::show_heaps(at)
}

/// A single heap.
pub(crate) fn start(size: Size) -> Result<Heaps, BoardError> {
    read(&size.length()?.to_string())
}

/// Each heap with tokens is a part.
pub(crate) fn parts(at: &Heaps, emit: &mut impl FnMut(Heaps)) {
    for &size in at.iter().filter(|size| **size > 0) {
        emit(smallvec![size]);
    }
}

/// The parts with their tokens.
pub(crate) fn regions(at: &Heaps, emit: &mut impl FnMut(Heaps, Vec<Spot>)) {
    for (heap, &size) in at.iter().enumerate().filter(|(_, size)| **size > 0) {
        let spots = (0..size).map(|index| Spot::Token { heap: heap as u32, index });
        emit(smallvec![size], spots.collect());
    }
}
