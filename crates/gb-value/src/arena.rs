//! Append-only memory shared by threads: segments of doubling size that never move.
//!
//! All words are atomics, so no `unsafe` is needed: on today's machines a relaxed load is a plain load. Whoever hands an
//! index to another thread does so through a lock or a release store, which makes the words behind it visible.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::words::{LONG, Words};

const FIRST_BITS: u32 = 8;
const SEGMENTS: usize = 32;
/// The first word of the segments that are charged by use.
const FIRST_CHARGED: usize = (LONG >> 3) - (1 << FIRST_BITS);

/// An append-only array of zero-initialised words.
pub(crate) struct Arena {
    segments: [OnceLock<Words>; SEGMENTS],
    len: AtomicUsize,
}

impl Arena {
    pub(crate) fn new() -> Self {
        Arena { segments: [const { OnceLock::new() }; SEGMENTS], len: AtomicUsize::new(0) }
    }

    #[inline]
    fn place(index: usize) -> (usize, usize) {
        let shifted = index + (1 << FIRST_BITS);
        let segment = (usize::BITS - 1 - shifted.leading_zeros()) as usize;
        (segment - FIRST_BITS as usize, shifted - (1 << segment))
    }

    /// Reserves `count` words next to each other and returns the index of the first.
    pub(crate) fn reserve(&self, count: usize) -> usize {
        loop {
            let start = self.len.fetch_add(count, Relaxed);
            if start >= FIRST_CHARGED {
                gb_memory::charge((count * size_of::<AtomicU64>()) as i64);
            }
            if count <= 1 || Self::place(start).0 == Self::place(start + count - 1).0 {
                return start;
            }
        }
    }

    #[inline]
    fn segment(&self, segment: usize) -> &[AtomicU64] {
        self.segments[segment].get_or_init(|| Words::charged_by_use(1 << (segment + FIRST_BITS as usize)))
    }

    /// The words from `start` to the end of its segment.
    #[inline]
    pub(crate) fn from(&self, start: usize) -> &[AtomicU64] {
        let (segment, offset) = Self::place(start);
        &self.segment(segment)[offset..]
    }

    pub(crate) fn len(&self) -> usize {
        self.len.load(Relaxed)
    }

    /// Bytes in use. Reserved but untouched pages at the end cost address space only.
    pub(crate) fn bytes(&self) -> u64 {
        (self.len() * size_of::<AtomicU64>()) as u64
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let charged = self.len().saturating_sub(FIRST_CHARGED);
        gb_memory::charge(-((charged * size_of::<AtomicU64>()) as i64));
    }
}
