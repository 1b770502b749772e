//! Stopping a match when its result is decided: the sequential probability ratio test (Wald 1945).

/// Is A's share of the points `low` or less, or `high` or more?
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The share under the first hypothesis.
    pub low: f64,
    /// The share under the second one.
    pub high: f64,
    /// The probability of accepting the wrong one.
    pub error: f64,
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Not enough games.
    Open,
    /// The share is `low` rather than `high`.
    Low,
    /// The share is `high` rather than `low`.
    High,
}

/// Why a text is no test.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}`: expected two shares in percent, the lower one first, such as 50:60")]
pub struct SprtError {
    /// The text.
    pub text: String,
}

impl Sprt {
    /// Reads `50:60`, shares in percent.
    ///
    /// # Errors
    /// If that is no pair of percentages, the lower one first.
    pub fn read(text: &str) -> Result<Sprt, SprtError> {
        let wrong = || SprtError { text: text.to_owned() };
        let (low, high) = text.split_once(':').ok_or_else(wrong)?;
        let percent = |text: &str| text.trim().parse::<f64>().map(|x| x / 100.0);
        match (percent(low), percent(high)) {
            (Ok(low), Ok(high)) if 0.0 < low && low < high && high < 1.0 => {
                Ok(Sprt { low, high, error: 0.05 })
            }
            _ => Err(wrong()),
        }
    }

    /// The logarithm of how much likelier the result is under the second hypothesis. A draw is half a win and half a loss.
    pub fn log_ratio(&self, won: u64, drawn: u64, lost: u64) -> f64 {
        let (won, lost) = (won as f64 + drawn as f64 / 2.0, lost as f64 + drawn as f64 / 2.0);
        won * (self.high / self.low).ln() + lost * ((1.0 - self.high) / (1.0 - self.low)).ln()
    }

    /// What so many games say.
    pub fn verdict(&self, won: u64, drawn: u64, lost: u64) -> Verdict {
        let (ratio, bound) = (self.log_ratio(won, drawn, lost), ((1.0 - self.error) / self.error).ln());
        if ratio >= bound {
            Verdict::High
        } else if ratio <= -bound {
            Verdict::Low
        } else {
            Verdict::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_results_end_early_and_close_ones_do_not() {
        let test = Sprt::read("50:60").unwrap();
        assert_eq!(test.verdict(0, 0, 0), Verdict::Open);
        assert_eq!(test.verdict(20, 0, 0), Verdict::High);
        assert_eq!(test.verdict(0, 0, 20), Verdict::Low);
        assert_eq!(test.verdict(55, 0, 45), Verdict::Open);
        assert_eq!(test.verdict(0, 500, 0), Verdict::Low);
        assert!(Sprt::read("60:50").is_err() && Sprt::read("50").is_err() && Sprt::read("0:50").is_err());
    }

    #[test]
    fn the_share_of_wrong_decisions_is_as_promised() {
        // A player with exactly the lower share should be taken for the better one at most once in twenty tests.
        let test = Sprt::read("50:70").unwrap();
        let mut random = gb_board::Random::new(5, 5);
        let mut high = 0;
        for _ in 0..2000 {
            let (mut won, mut lost) = (0, 0);
            while test.verdict(won, 0, lost) == Verdict::Open {
                if random.below(2) == 0 { won += 1 } else { lost += 1 }
            }
            high += usize::from(test.verdict(won, 0, lost) == Verdict::High);
        }
        assert!(high < 120, "{high} of 2000");
    }
}
