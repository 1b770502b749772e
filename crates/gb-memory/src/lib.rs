//! Who holds how much memory.
//!
//! A search must stop before it takes more memory than it was given, whatever it takes the memory for: values, tables, lists of
//! moves, texts. Counting every structure by hand was tried, and what nobody had thought of (graphs of loopy games, the
//! frames of a deep search) ate gigabytes. So the allocator counts: a program that says
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: gb_memory::Counting = gb_memory::Counting;
//!
//! let before = gb_memory::Account::current().bytes();
//! let list = vec![0u64; 1 << 20];
//! assert!(gb_memory::Account::current().bytes() >= before + (8 << 20));
//! drop(list);
//! assert!(gb_memory::Account::current().bytes() < before + (1 << 20));
//! ```
//!
//! can ask at any time how much is held. Memory is charged to the [`Account`] that the allocating thread works for, so that
//! several searches in one program do not pay for each other. What does not come from the allocator (memory mapped from
//! the system, stacks) is charged by whoever takes it, with [`charge`].
//!
//! In a program without this allocator only the latter is counted, and searches go by the bytes they know of.

mod prefetch;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed};

pub use self::prefetch::prefetch;

/// How many accounts there can be. A program has one for each search that runs at the same time, and gets a new one only
/// where one has to be given up.
const ACCOUNTS: usize = 4096;
/// A thread tells its account what it took in portions of about this size.
const PORTION: i64 = 64 << 10;

static HELD: [AtomicI64; ACCOUNTS] = [const { AtomicI64::new(0) }; ACCOUNTS];
static NEXT: AtomicUsize = AtomicUsize::new(1);

thread_local! {
    /// The account this thread works for, and what it has not been told yet.
    static HERE: Cell<(usize, i64)> = const { Cell::new((0, 0)) };
}

/// Somebody who holds memory: a search, or a worker of a server with all it keeps. Threads work for the first account
/// until they [`enter`](Account::enter) another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Account(usize);

impl Account {
    /// An account of its own. When all are used up, the last one is shared.
    pub fn open() -> Account {
        Account(NEXT.fetch_add(1, Relaxed).min(ACCOUNTS - 1))
    }

    /// The account that this thread works for.
    pub fn current() -> Account {
        Account(HERE.with(Cell::get).0)
    }

    /// Bytes held, give or take what other threads have taken in the last moment.
    pub fn bytes(self) -> u64 {
        let (here, pending) = HERE.with(Cell::get);
        let own = if here == self.0 { pending } else { 0 };
        (HELD[self.0].load(Relaxed) + own).max(0) as u64
    }

    /// From now on this thread works for the account.
    pub fn adopt(self) {
        let (before, pending) = HERE.with(Cell::get);
        if before != self.0 {
            HELD[before].fetch_add(pending, Relaxed);
            HERE.with(|here| here.set((self.0, 0)));
        }
    }

    /// From now on this thread works for the account, until the guard is dropped.
    #[must_use]
    pub fn enter(self) -> Entered {
        let before = Account::current();
        self.adopt();
        Entered { before, _of_this_thread: std::marker::PhantomData }
    }
}

/// While it lives, this thread works for the account that was entered.
#[derive(Debug)]
pub struct Entered {
    before: Account,
    _of_this_thread: std::marker::PhantomData<*const ()>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.before.adopt();
    }
}

/// Charges the account of this thread with bytes that do not come from the allocator; negative if they are given back.
#[inline]
pub fn charge(bytes: i64) {
    // A thread that is ending has no account any more; the little it still gives back is forgotten.
    let _ = HERE.try_with(|here| {
        let (account, pending) = here.get();
        let pending = pending + bytes;
        if (-PORTION..=PORTION).contains(&pending) {
            here.set((account, pending));
        } else {
            HELD[account].fetch_add(pending, Relaxed);
            here.set((account, 0));
        }
    });
}

/// Bytes that are charged as long as it lives.
#[derive(Debug)]
pub struct Charged(i64);

impl Charged {
    /// Charges so many bytes.
    pub fn new(bytes: usize) -> Charged {
        charge(bytes as i64);
        Charged(bytes as i64)
    }
}

impl Drop for Charged {
    fn drop(&mut self) {
        charge(-self.0);
    }
}

/// What a program may take where nobody gave a limit: a quarter of the memory of the machine, or of what its control group
/// allows. Where neither can be found out, a gigabyte.
pub fn quarter_of_machine() -> u64 {
    let number = |text: &str| text.split_whitespace().find_map(|word| word.parse::<u64>().ok());
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemTotal:"))?.to_owned();
        number(&line).map(|kilobytes| kilobytes << 10)
    });
    let group = read("/sys/fs/cgroup/memory.max").and_then(|text| number(&text));
    machine.into_iter().chain(group).min().unwrap_or(4 << 30) / 4
}

/// Lets the system's allocator give back at once what a program has freed, as far as it can be told to; called once, before anything else.
///
/// glibc keeps the more for itself the larger the blocks are that a program has freed, up to 64 MB, while new stacks come
/// from the system: a process that has answered many questions then held 30 MB beyond what its accounts said.
#[allow(unsafe_code)]
pub fn give_back_early() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // Sound because `mallopt` only sets parameters of the allocator, under a lock of its own.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 1 << 20);
    }
}

/// Gives back what earlier work has freed: to be called where much has been, before the next work begins.
#[allow(unsafe_code)]
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // Sound because `malloc_trim` touches free blocks only, under the locks of the allocator.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Less stack than this is too little for one more level of recursion.
const RED_ZONE: usize = 128 << 10;
/// How much more is taken then.
const STACK: usize = 4 << 20;

/// Calls `work` with enough stack for one more level of recursion, however deep it is, and charges what that takes.
#[inline]
pub fn deeper<T>(work: impl FnOnce() -> T) -> T {
    if stacker::remaining_stack().is_some_and(|left| left >= RED_ZONE) {
        return work();
    }
    let _charged = Charged::new(STACK);
    stacker::grow(STACK, work)
}

/// The system's allocator, which also keeps the accounts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting;

// Sound because every call is handed on to `System` unchanged, and `charge` neither allocates nor unwinds: it touches a cell of
// the thread that needs no construction and no destruction, and an atomic.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        charge(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        charge(layout.size() as i64);
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        charge(-(layout.size() as i64));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        charge(new_size as i64 - layout.size() as i64);
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
