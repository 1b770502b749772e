//! How much a server gives to those who ask.

use std::time::Duration;

use crate::error::ApiError;

/// Limits, and who may ask. Everything has a default that suits one machine and its owner.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Names under which the server may be addressed, besides those of this machine.
    pub hosts: Vec<String>,
    /// How many searches run at once.
    pub searches: usize,
    /// How many searches may wait for their turn.
    pub waiting: usize,
    /// How many searches one session may have, running or waiting.
    pub of_session: usize,
    /// Threads that one search uses.
    pub threads: usize,
    /// The longest time of a search.
    pub search_time: Duration,
    /// The longest time of a calculation.
    pub calculation_time: Duration,
    /// Bytes that one search may hold.
    pub search_memory: u64,
    /// How many sessions are kept; beyond that, the one that was not used for the longest time goes.
    pub sessions: usize,
    /// The largest body of a request, in bytes.
    pub body: usize,
    /// The longest time that a request may take to arrive.
    pub arrival: Duration,
    /// The largest board, in cells, tokens or characters.
    pub cells: usize,
    /// How many connections are open at once.
    pub connections: usize,
}

impl Default for Settings {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Settings {
            hosts: vec![],
            searches: cores.max(2),
            waiting: 64,
            of_session: 4,
            // One core stays free to answer clicks.
            threads: (cores - 1).clamp(1, 4),
            search_time: Duration::from_secs(600),
            calculation_time: Duration::from_secs(10),
            // All searches and calculations together take a quarter of the machine.
            search_memory: (gb_memory::quarter_of_machine() / (cores.max(2) as u64 + 1)).min(4 << 30),
            sessions: 256,
            body: 1 << 20,
            arrival: Duration::from_secs(10),
            cells: 2_500,
            connections: 512,
        }
    }
}

impl Settings {
    /// How long a search may take that was asked to take so many seconds.
    ///
    /// # Errors
    /// If the number is no time.
    pub fn time(&self, seconds: Option<f64>, usual: Duration) -> Result<Duration, ApiError> {
        match seconds.map(Duration::try_from_secs_f64) {
            None => Ok(usual.min(self.search_time)),
            Some(Ok(time)) => Ok(time.min(self.search_time)),
            Some(Err(_)) => Err(ApiError::input("`seconds` has to be a positive number")),
        }
    }

    /// A sentence if a position is larger than boards may be here.
    pub fn too_large(&self, position: &str) -> Option<String> {
        too_large(position, self.cells)
    }
}

/// A sentence if a position has more cells than this. Looks at the text alone, before anything is made of it: numbers count as
/// that many tokens, `4x7` as 28 cells, everything else by its length.
pub(crate) fn too_large(position: &str, most: usize) -> Option<String> {
    let count = |word: &str| {
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let product = word.split_once(['x', 'X']).and_then(|(a, b)| Some((number(a)?, number(b)?)));
        match (number(word), product) {
            (Some(tokens), _) => tokens,
            (_, Some((rows, cols))) => rows.saturating_mul(cols),
            _ => word.len(),
        }
    };
    // A record of Go may be pasted as a position; its own reader limits the board.
    if position.trim_start().starts_with('(') {
        return None;
    }
    let cells = position.split(',').map(count).fold(0, usize::saturating_add);
    (cells > most).then(|| format!("the position is too large to be shown here: at most {most} cells"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_boards_are_seen_before_they_are_made() {
        let settings = Settings::default();
        for fine in ["", "xo|ox", "3,5,7", "8x8", "4x7,2x2", "0-1B,1-2R", &".".repeat(2_500)] {
            assert_eq!(settings.too_large(fine), None, "{fine}");
        }
        for huge in ["65535", "2000,600", "100x100", "9999999x9999999", &".".repeat(2_501), "50x40,30x30"] {
            assert!(settings.too_large(huge).is_some_and(|s| s.contains("2500")), "{huge}");
        }
    }
}
