//! Limits in seconds of the processor, which a busy machine does not change.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use gb_value::{Budget, Cancel};

/// How often the limits are looked at.
const PAUSE: Duration = Duration::from_millis(5);
/// Ticks of the system's clock a second (`getconf CLK_TCK`).
const TICKS: f64 = 100.0;

/// What the calling thread, and the whole process, have used so far, in seconds of the processor.
#[derive(Clone, Copy)]
struct Used {
    thread: f64,
    process: f64,
}

/// `None` where the system does not say: then the clock has to do.
fn used(thread: &str) -> Option<Used> {
    let text = fs::read_to_string(thread).ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    // Fields 14 and 15 are counted from the name of the program, which ends with the last bracket.
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(Used { thread: nanoseconds / 1e9, process: ticks / TICKS })
}

/// Does some work until it is finished, this thread has used so many seconds, or all threads together twice as many; and what
/// all threads used.
pub fn limited<T>(seconds: f64, work: impl FnOnce(&Budget) -> T) -> (T, f64) {
    let cancel = Cancel::default();
    let budget = Budget::unlimited().with_cancel(cancel.clone());
    let own = fs::read_link("/proc/thread-self")
        .map_or(String::new(), |path| format!("/proc/{}/schedstat", path.display()));
    let (before, start) = (used(&own), Instant::now());
    let since = || match (before, used(&own)) {
        (Some(before), Some(now)) => {
            Used { thread: now.thread - before.thread, process: now.process - before.process }
        }
        _ => Used { thread: start.elapsed().as_secs_f64(), process: 0.0 },
    };
    let finished = AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !finished.load(Relaxed) {
                let now = since();
                if now.thread >= seconds || now.process >= 2.0 * seconds {
                    cancel.cancel();
                    return;
                }
                std::thread::sleep(PAUSE);
            }
        });
        let result = work(&budget);
        finished.store(true, Relaxed);
        result
    });
    (result, since().process)
}
