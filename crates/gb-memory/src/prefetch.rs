//! Memory that will be wanted soon.

/// Asks the processor to bring what this refers to near, and does not wait for it. A large table is read at random: whoever knows early where
/// he will read can do something else while the memory is on its way. (A plain load would do the same only as long as the
/// processor can look ahead, a few hundred instructions.)
///
/// `cargo bench -p gb-memory` compares both.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(wanted: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this kind has the instruction. It changes nothing that a program can see, and faults at no address; and
    // this one is that of a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(wanted).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = wanted;
}
