//! Probe.
use std::io::BufRead;
use std::time::{Duration, Instant};
fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(5.0);
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let budget = gb_value::Budget::unlimited().with_time(Duration::from_secs_f64(seconds));
        let start = Instant::now();
        let found = gb_chess::solve::probe(&line, &budget);
        println!("{line} => {found} {:.2?}", start.elapsed());
    }
}
