//! Limits that every command takes, and interrupts.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::Args;
use gb_engine::{Allowance, Engine};
use gb_value::{Budget, Cancel, Halt};

/// How many threads may work.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Threads {
    /// Threads to search with; all cores if not given
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

impl Threads {
    /// The number of threads.
    pub fn count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }

    /// An empty engine with so many threads.
    pub fn engine(&self) -> Engine {
        crate::game_files::engine(self.count())
    }
}

/// What an interrupt (Ctrl-C) ends: first the work that has the newest flag, with what is known, and everything if that
/// has been ended already.
#[derive(Clone)]
pub struct Interrupts(Arc<Mutex<Cancel>>);

impl Interrupts {
    /// Begins to listen.
    pub fn new() -> Interrupts {
        let interrupts = Interrupts(Arc::default());
        let heard = interrupts.clone();
        // Without a handler an interrupt simply ends the program.
        let _ = ctrlc::set_handler(move || {
            let cancel = heard.newest();
            if cancel.is_cancelled() {
                std::process::exit(130);
            }
            cancel.cancel();
        });
        interrupts
    }

    /// A flag for new work.
    pub fn fresh(&self) -> Cancel {
        let cancel = Cancel::default();
        *self.0.lock().unwrap_or_else(|e| e.into_inner()) = cancel.clone();
        cancel
    }

    fn newest(&self) -> Cancel {
        self.0.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }
}

/// A flag that the first interrupt raises; the next one ends everything.
pub fn interrupt() -> Cancel {
    Interrupts::new().newest()
}

/// How much may be spent on one input.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Time for one input, such as 500ms, 10s, 5m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Memory for one input, such as 500M, 2G; a quarter of the machine's if not given
    #[arg(long, value_name = "BYTES", value_parser = amount)]
    pub memory: Option<u64>,
    /// Nodes (positions searched, values built) for one input, such as 100000, 5M
    #[arg(long, value_name = "COUNT", value_parser = amount)]
    pub nodes: Option<u64>,
}

impl Limits {
    /// The memory that one input may take: where no limit is given, a quarter of what the machine has.
    pub fn bytes(&self) -> u64 {
        self.memory.unwrap_or_else(gb_memory::quarter_of_machine)
    }

    /// Which limit it was, where a search was stopped by one that nobody gave.
    pub fn remark(&self, stop: Option<Halt>) -> Option<String> {
        (stop == Some(Halt::Bytes) && self.memory.is_none()).then(|| {
            let gigabytes = self.bytes() as f64 / 1e9;
            format!(
                "The limit is a quarter of this machine's memory, {gigabytes:.1} GB; --memory sets another."
            )
        })
    }

    /// A fresh budget for one input; `default_time` counts where no time was given.
    pub fn budget(&self, default_time: Option<Duration>) -> Budget {
        let mut budget = Budget::unlimited().with_bytes(self.bytes());
        if let Some(time) = self.time.or(default_time) {
            budget = budget.with_time(time);
        }
        match self.nodes {
            Some(nodes) => budget.with_nodes(nodes),
            None => budget,
        }
    }
}

/// Time for showing values beyond the limit.
const TIME_FOR_TEXT: Duration = Duration::from_millis(60);

impl Limits {
    /// A budget for showing what was found since `start`, even if nothing is left of the time.
    pub fn budget_for_text(&self, start: Instant) -> Budget {
        match self.time {
            Some(time) => {
                let end = time.saturating_add(TIME_FOR_TEXT);
                Budget::unlimited().with_time(end.saturating_sub(start.elapsed()))
            }
            None => Budget::unlimited(),
        }
    }

    /// The same for a question in two steps: values, and what comes after them. The flag ends both.
    pub fn allowance(&self, cancel: &Cancel) -> Allowance {
        Allowance { time: self.time, bytes: self.bytes(), nodes: self.nodes, cancel: cancel.clone() }
    }
}

/// Splits `10ms` into 10 and `ms`.
fn number_and_unit(text: &str) -> Result<(f64, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().map_err(|_| format!("`{text}` does not begin with a number"))?;
    Ok((number, text[end..].trim()))
}

/// Reads a time such as `500ms`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = number_and_unit(text)?;
    let seconds = match unit {
        "" | "s" => number,
        "ms" => number / 1000.0,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Reads a time to think: not zero.
pub fn think_time(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("a time limit of zero: a player needs some time, such as 100ms".into()),
        time => Ok(time),
    }
}

/// Reads an amount such as `500M`.
pub fn amount(text: &str) -> Result<u64, String> {
    let (number, unit) = number_and_unit(text)?;
    let factor = match unit.trim_end_matches(['B', 'b', 'i']) {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        _ => return Err(format!("`{unit}` is no unit; use k, M, G or T")),
    };
    Ok((number * factor) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_understood_and_others_are_named() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert!(duration("1 week").unwrap_err().contains("week"));
        assert!(duration("soon").unwrap_err().contains("soon"));
        assert_eq!(amount("2G"), Ok(2_000_000_000));
        assert_eq!(amount("64MiB"), Ok(64_000_000));
        assert!(amount("3 apples").unwrap_err().contains("apples"));
    }
}
