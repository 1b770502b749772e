//! The line of progress on standard error.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
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
    if !std::io::stderr().is_terminal() {
        return work(&|_, _, _| {});
    }
    let (done, parts, all) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let start = Instant::now();
    let line = || {
        let (nodes, seconds) = (budget.nodes(), start.elapsed().as_secs_f64());
        let parts = match all.load(Relaxed) {
            0 => String::new(),
            all => format!(", {} of {all} parts", parts.load(Relaxed)),
        };
        format!(
            "{seconds:.0} s, {nodes} nodes, {:.0} thousand a second{parts}",
            nodes as f64 / seconds / 1000.0
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
        let result = work(&|_, count, _| {
            parts.fetch_add(1, Relaxed);
            all.store(count, Relaxed);
        });
        done.store(true, Relaxed);
        shower.thread().unpark();
        result
    })
}
