//! Probe.
use std::io::BufRead;
use std::time::{Duration, Instant};
use gb_chess::{Request, Tables, prove};
fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(5.0);
    let folder = std::env::temp_dir().join("gamebench-chess");
    let tables = Tables::new(Some(&folder));
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let budget = gb_value::Budget::unlimited().with_time(Duration::from_secs_f64(seconds));
        let start = Instant::now();
        let found = prove(&Request::new(&line).unwrap().board, &tables, &budget);
        println!("{line} => {:?} {:?} guess {:?} layers {} {:.2?} {} {:?}", found.ending, found.excluded, found.guess, found.layers, start.elapsed(), found.line.join(" "), found.stopped);
    }
}
