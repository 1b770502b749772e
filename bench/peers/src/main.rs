//! Runs peers and the Game Bench on the same work in one process, and prints how many times faster the bench is.

mod games;
mod kernel;

fn main() {
    println!("{:<44} {:>12} {:>12} {:>8}", "work (one thread)", "cgt 0.11", "gamebench", "ratio");
    let only = std::env::args().nth(1);
    let wanted = |name: &str| only.as_deref().is_none_or(|only| name.contains(only));
    if wanted("kernel") {
        kernel::run();
    }
    games::run(&wanted);
}

/// The least time of several runs, each on fresh data, in seconds.
fn least_time<T>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..runs {
        let start = std::time::Instant::now();
        let result = std::hint::black_box(work());
        best = best.min(start.elapsed().as_secs_f64());
        last = Some(result);
    }
    (best, last.expect("at least one run"))
}

fn row(work: &str, peer: f64, ours: f64) {
    println!("{work:<44} {:>10.4} s {:>10.6} s {:>7.0}x", peer, ours, peer / ours);
}
