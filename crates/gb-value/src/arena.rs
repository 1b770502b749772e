//! Append-only memory shared by threads: segments of doubling size that never move.
//!
//! All words are atomics, so no `unsafe` is needed: on today's machines a relaxed load is a plain load. Whoever hands an
//! index to another thread does so through a lock or a release store, which makes the words behind it visible.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use bytemuck::Zeroable;

const FIRST_BITS: u32 = 8;
const SEGMENTS: usize = 32;

/// An append-only array of zero-initialised cells.
pub(crate) struct Arena<T> {
    segments: [OnceLock<Box<[T]>>; SEGMENTS],
    len: AtomicUsize,
}

impl<T: Zeroable> Arena<T> {
    pub(crate) fn new() -> Self {
        Arena { segments: [const { OnceLock::new() }; SEGMENTS], len: AtomicUsize::new(0) }
    }

    fn place(index: usize) -> (usize, usize) {
        let shifted = index + (1 << FIRST_BITS);
        let segment = (usize::BITS - 1 - shifted.leading_zeros()) as usize;
        (segment - FIRST_BITS as usize, shifted - (1 << segment))
    }

    /// Reserves `count` cells next to each other and returns the index of the first.
    pub(crate) fn reserve(&self, count: usize) -> usize {
        loop {
            let start = self.len.fetch_add(count, Relaxed);
            if count <= 1 || Self::place(start).0 == Self::place(start + count - 1).0 {
                return start;
            }
        }
    }

    fn segment(&self, segment: usize) -> &[T] {
        self.segments[segment]
            .get_or_init(|| bytemuck::zeroed_slice_box(1 << (segment + FIRST_BITS as usize)))
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> &T {
        let (segment, offset) = Self::place(index);
        &self.segment(segment)[offset]
    }

    #[inline]
    pub(crate) fn slice(&self, start: usize, count: usize) -> &[T] {
        if count == 0 {
            return &[];
        }
        let (segment, offset) = Self::place(start);
        &self.segment(segment)[offset..offset + count]
    }

    pub(crate) fn len(&self) -> usize {
        self.len.load(Relaxed)
    }

    /// Bytes in use. Reserved but untouched pages at the end cost address space only.
    pub(crate) fn bytes(&self) -> u64 {
        (self.len() * size_of::<T>()) as u64
    }
}

/// One canonical form: see `store.rs` for the meaning of the words.
pub(crate) type NodeWords = [AtomicU64; 5];
/// One name in a list of options.
pub(crate) type OptionWord = AtomicU32;
