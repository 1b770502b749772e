//! The line of progress on standard error.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use gb_search::sum::ExaminedComponent;
use gb_value::Budget;

/// How often the progress line changes, and how long it waits at first: short work needs none.
const TICK: Duration = Duration::from_millis(200);

/// Does some work, and meanwhile shows time, nodes and parts on standard error, if that is a terminal. The work is handed
/// what it has to call each time a part is done: with its index, and how many there are.
pub fn with_progress<T>(
    budget: &Budget,
    work: impl FnOnce(&dyn Fn(usize, usize, &ExaminedComponent)) -> T,
) -> T {
    let (parts, all) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let about = || match all.load(Relaxed) {
        0 => String::new(),
        all => format!(", {} of {all} parts", parts.load(Relaxed)),
    };
    with_progress_about(budget, about, || {
        work(&|_, count, _| {
            parts.fetch_add(1, Relaxed);
            all.store(count, Relaxed);
        })
    })
}

/// The same, with what else there is to say about how far the work is.
pub fn with_progress_about<T>(
    budget: &Budget,
    about: impl Fn() -> String + Sync,
    work: impl FnOnce() -> T,
) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let done = AtomicBool::new(false);
    let start = Instant::now();
    let line = || {
        let (nodes, seconds) = (budget.nodes(), start.elapsed().as_secs_f64());
        format!(
            "{seconds:.0} s, {nodes} nodes, {:.0} thousand a second{}",
            nodes as f64 / seconds / 1000.0,
            about()
        )
    };
    std::thread::scope(|scope| {
        let shower = scope.spawn(|| {
            let mut shown = false;
            while !done.load(Relaxed) {
                std::thread::park_timeout(TICK);
                if start.elapsed() > 4 * TICK && !done.load(Relaxed) {
                    eprint!("\r{:79}", line());
                    shown = true;
                }
            }
            if shown {
                eprint!("\r{:79}\r", "");
            }
        });
        let result = work();
        done.store(true, Relaxed);
        shower.thread().unpark();
        result
    })
}

/// A file that counts the bytes which were written to it, or read from it.
pub struct Counted<'a, F> {
    pub file: F,
    pub bytes: &'a AtomicU64,
}

impl<F: Write> Write for Counted<'_, F> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = self.file.write(buffer)?;
        self.bytes.fetch_add(count as u64, Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl<F: Read> Read for Counted<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.bytes.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}
