//! Long arrays of words that threads share.
//!
//! The tables of a large search are read at random, and with pages of 4 KB the processor spends much of its time on finding
//! the pages. So long arrays ask for large pages, where the system has them.

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use gb_memory::Charged;
use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use zerocopy::FromBytes;

/// Arrays of fewer bytes are left to the allocator: they have few pages, and a page of 2 MB is slow to clear.
pub(crate) const LONG: usize = 8 << 20;
/// Bytes of a word.
const WORD: usize = size_of::<AtomicU64>();

/// An array of words, 0 at first.
pub struct Words {
    memory: Memory,
    /// What the allocator does not know of.
    _charged: Option<Charged>,
}

enum Memory {
    Short(Box<[AtomicU64]>),
    Long(Mapped),
}

type Slice<'a> = &'a [AtomicU64];

self_cell!(
    struct Mapped {
        owner: MutBorrow<MmapMut>,
        #[covariant]
        dependent: Slice,
    }
);

impl Words {
    /// So many words.
    pub fn new(len: usize) -> Words {
        let words = Words::charged_by_use(len);
        let _charged = matches!(words.memory, Memory::Long(_)).then(|| Charged::new(words.len() * WORD));
        Words { _charged, ..words }
    }

    /// The same for those who fill long arrays little by little, and charge what they use: pages that were never touched cost
    /// nothing. Only arrays of at least [`LONG`] bytes are to be charged.
    pub(crate) fn charged_by_use(len: usize) -> Words {
        let bytes = len.saturating_mul(WORD);
        let mapped = if bytes < LONG { None } else { Self::mapped(bytes) };
        let short = || Memory::Short(bytemuck::zeroed_slice_box(len));
        Words { memory: mapped.map_or_else(short, Memory::Long), _charged: None }
    }

    /// Memory straight from the system: all zero, and never moved. `None` if the system refuses.
    fn mapped(bytes: usize) -> Option<Mapped> {
        let map = MmapMut::map_anon(bytes).ok()?;
        #[cfg(target_os = "linux")]
        // Without large pages everything works as well.
        let _ = map.advise(memmap2::Advice::HugePage);
        Mapped::try_new(MutBorrow::new(map), |map| {
            <[AtomicU64]>::mut_from_bytes(map.borrow_mut()).map(|words| &*words).map_err(drop)
        })
        .ok()
    }
}

impl Deref for Words {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        match &self.memory {
            Memory::Short(words) => words,
            Memory::Long(mapped) => mapped.borrow_dependent(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn short_and_long_arrays_are_alike() {
        for len in [0, 1, 1000, (LONG >> 3) - 1, LONG >> 3, (LONG >> 3) + 12345] {
            let words = Words::new(len);
            assert_eq!(words.len(), len);
            assert!(words.iter().all(|word| word.load(Relaxed) == 0));
            std::thread::scope(|scope| {
                for thread in 0..2 {
                    let words = &words;
                    scope.spawn(move || {
                        (thread..len).step_by(2).for_each(|i| words[i].store(i as u64 + 1, Relaxed))
                    });
                }
            });
            assert!(words.iter().enumerate().all(|(i, word)| word.load(Relaxed) == i as u64 + 1));
        }
    }
}
