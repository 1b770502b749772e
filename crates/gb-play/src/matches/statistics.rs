//! Records as lines of text, and what many of them say. Only here are there numbers that are not exact: averages.

use gb_board::sort_by_key;
use gb_value::{Dyadic, Player};

use super::{Pairing, Record};

/// The first line of a file of records.
pub const CSV_HEADER: &str = "start,left,first,parts,score,moves,nodes_a,nodes_b,micros_a,micros_b";

impl Record {
    /// The record as a line of comma-separated values.
    pub fn to_csv(&self) -> String {
        let Record { pairing, parts, score, moves, nodes, micros } = self;
        let left = ["A", "B"][pairing.left.min(1)];
        format!(
            "{},{left},{},{parts},{score},{moves},{},{},{},{}",
            pairing.start, pairing.first, nodes[0], nodes[1], micros[0], micros[1]
        )
    }

    /// Reads what [`to_csv`](Record::to_csv) writes.
    ///
    /// # Errors
    /// If the line is no record, for instance because it was not written to its end.
    pub fn from_csv(line: &str) -> Result<Record, RecordError> {
        let wrong = |field: &str| RecordError { line: line.into(), field: field.into() };
        let fields: Vec<&str> = line.trim_end().split(',').collect();
        let names: Vec<&str> = CSV_HEADER.split(',').collect();
        if fields.len() != names.len() {
            return Err(wrong(&format!("{} fields", names.len())));
        }
        let number = |i: usize| fields[i].parse::<u64>().map_err(|_| wrong(names[i]));
        let pairing = Pairing {
            start: number(0)?,
            left: ["A", "B"].iter().position(|name| *name == fields[1]).ok_or_else(|| wrong("left"))?,
            first: Player::BOTH
                .into_iter()
                .find(|player| player.to_string() == fields[2])
                .ok_or_else(|| wrong("first"))?,
        };
        Ok(Record {
            pairing,
            parts: number(3)? as usize,
            score: fields[4].parse().map_err(|_| wrong("score"))?,
            moves: number(5)? as u32,
            nodes: [number(6)?, number(7)?],
            micros: [number(8)?, number(9)?],
        })
    }
}

/// Why a line is no record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{line}` is no record of a game: expected {field} as in `{CSV_HEADER}`")]
pub struct RecordError {
    line: String,
    field: String,
}

/// An average, and how far from it the truth may be: with a probability of 95 % not more than `error`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Interval {
    /// The average.
    pub mean: f64,
    /// Half the width of the interval.
    pub error: f64,
}

impl Interval {
    /// Of a sample, by the normal approximation.
    pub fn of(sample: &[f64]) -> Interval {
        let n = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / n.max(1.0);
        let variance = sample.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        Interval { mean, error: 1.96 * (variance / n.max(1.0)).sqrt() }
    }
}

/// Games won, drawn and lost by A, moving first and moving second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Moving first, moving second: won, drawn, lost.
    pub games: [[u64; 3]; 2],
    /// The moves of all those games.
    pub moves: [[u64; 3]; 2],
}

impl Tally {
    /// Of records.
    pub fn of<'r>(records: impl IntoIterator<Item = &'r Record>) -> Tally {
        let mut tally = Tally::default();
        for record in records {
            let second = usize::from(record.pairing.begins() != 0);
            let result = (1 - record.score_of(0).signum()) as usize;
            tally.games[second][result] += 1;
            tally.moves[second][result] += u64::from(record.moves);
        }
        tally
    }

    /// Won, drawn, lost.
    pub fn all(&self) -> (u64, u64, u64) {
        let sum = |i: usize| self.games[0][i] + self.games[1][i];
        (sum(0), sum(1), sum(2))
    }

    /// How many games.
    pub fn count(&self) -> u64 {
        self.games.iter().flatten().sum()
    }

    /// A's share of the points with its interval of 95 %, by the normal approximation: moving first, second, and together.
    pub fn shares(&self) -> [Interval; 3] {
        let [first, second] = self.games;
        let both = [0, 1, 2].map(|i| first[i] + second[i]);
        [first, second, both].map(|[won, drawn, lost]| {
            let sample = [(1.0, won), (0.5, drawn), (0.0, lost)];
            let sample = sample.iter().flat_map(|&(points, count)| vec![points; count as usize]);
            Interval::of(&sample.collect::<Vec<f64>>())
        })
    }

    /// As in the tables of Claessen (2011), chapter 6: share of A, interval, moves of games won and lost.
    pub fn table(&self, names: [&str; 2]) -> String {
        let (won, drawn, lost) = self.all();
        let mut lines = vec![
            format!("A = {}, B = {}: {} games", names[0], names[1], self.count()),
            format!("{:13}  {:>7}  {:>8}  {:>9}  {:>10}", "", "share", "95 %", "moves/win", "moves/loss"),
        ];
        let (games, moves) = (self.games, self.moves);
        let all = |counts: [[u64; 3]; 2]| [0, 1, 2].map(|i| counts[0][i] + counts[1][i]);
        let rows = [
            ("A moves first", games[0], moves[0]),
            ("A second", games[1], moves[1]),
            ("total", all(games), all(moves)),
        ];
        for ((name, games, moves), share) in rows.into_iter().zip(self.shares()) {
            let average = |i: usize| match games[i] {
                0 => "-".to_string(),
                n => format!("{:.1}", moves[i] as f64 / n as f64),
            };
            lines.push(format!(
                "{name:13}  {:>6.1}%  {:>7.1}%  {:>9}  {:>10}",
                100.0 * share.mean,
                100.0 * share.error,
                average(0),
                average(2)
            ));
        }
        lines.push(format!("won {won}, drawn {drawn}, lost {lost}"));
        lines.join("\n")
    }
}

/// The games from positions where both strategies have had the same side: how A did compared with B.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paired {
    /// A scored more than B did in A's place.
    pub better: u64,
    /// As much.
    pub equal: u64,
    /// Less.
    pub worse: u64,
}

/// What the records of a match say.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// Games that A has won, drawn and lost.
    pub tally: Tally,
    /// A's score, over all games.
    pub score: Interval,
    /// The score of each strategy where it moved first.
    pub moving_first: [Interval; 2],
    /// The score of A less that of B in the same place.
    pub difference: Interval,
    /// How often that is positive, zero and negative.
    pub paired: Paired,
    /// The geometric mean of nodes of A and of B in a game.
    pub nodes: [f64; 2],
    /// The geometric mean of nodes of A by nodes of B.
    pub node_ratio: f64,
    /// Seconds in all.
    pub seconds: [f64; 2],
}

impl Summary {
    /// Of records in any order.
    pub fn of(records: &[Record]) -> Summary {
        // In the order of the games: floats add up differently in another one.
        let mut records: Vec<&Record> = records.iter().collect();
        sort_by_key(&mut records, |Record { pairing: Pairing { start, left, first }, .. }| {
            (*start, *first, *left)
        });
        let scores: Vec<f64> = records.iter().map(|record| float(&record.score_of(0))).collect();
        let first = |strategy: usize| {
            let mine = records.iter().filter(|record| record.pairing.begins() == strategy);
            Interval::of(&mine.map(|record| float(&record.score_of(strategy))).collect::<Vec<_>>())
        };
        let mut differences = vec![];
        let mut paired = Paired::default();
        for record in records.iter().filter(|record| record.pairing.left == 0) {
            let swapped = Pairing { left: 1, ..record.pairing };
            let Some(other) = records.iter().find(|other| other.pairing == swapped) else { continue };
            let (a, b) = (&record.score, &other.score);
            // Whoever plays Left wants much, and both games are seen from Left's side.
            match a.cmp(b) {
                std::cmp::Ordering::Greater => paired.better += 1,
                std::cmp::Ordering::Equal => paired.equal += 1,
                std::cmp::Ordering::Less => paired.worse += 1,
            }
            differences.push(float(a) - float(b));
        }
        let logs = |strategy: usize| {
            let sum: f64 = records.iter().map(|r| (r.nodes[strategy].max(1) as f64).ln()).sum();
            sum / (records.len() as f64).max(1.0)
        };
        let seconds = |strategy: usize| records.iter().map(|r| r.micros[strategy]).sum::<u64>() as f64 / 1e6;
        Summary {
            tally: Tally::of(records.iter().copied()),
            score: Interval::of(&scores),
            moving_first: [first(0), first(1)],
            difference: Interval::of(&differences),
            paired,
            nodes: [logs(0).exp(), logs(1).exp()],
            node_ratio: (logs(0) - logs(1)).exp(),
            seconds: [seconds(0), seconds(1)],
        }
    }

    /// The summary as a table.
    pub fn table(&self, names: [&str; 2]) -> String {
        let interval = |i: &Interval| format!("{:+.3} ± {:.3}", i.mean, i.error);
        let (Summary { tally, paired, .. }, games) = (self, self.tally.count());
        let (won, drawn, lost) = tally.all();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
        let mut lines = vec![
            format!("A = {}, B = {}: {games} games", names[0], names[1]),
            format!("{:width$}  {:>18}  {:>14}  {:>10}", "", "score moving first", "nodes a game", "seconds"),
        ];
        for (i, name) in names.iter().enumerate() {
            lines.push(format!(
                "{name:width$}  {:>18}  {:>14.0}  {:>10.2}",
                interval(&self.moving_first[i]),
                self.nodes[i],
                self.seconds[i]
            ));
        }
        lines.push(format!(
            "score of A {} a game; won {won}, drawn {drawn}, lost {lost}",
            interval(&self.score)
        ));
        lines.push(format!(
            "A in the place of B scores {} a game: more {}, as much {}, less {}",
            interval(&self.difference),
            paired.better,
            paired.equal,
            paired.worse
        ));
        lines.push(format!("nodes of A by nodes of B, geometric mean: {:.3}", self.node_ratio));
        lines.join("\n")
    }
}

/// For averages only.
fn float(x: &Dyadic) -> f64 {
    match x.as_small() {
        Some((num, exp)) => num as f64 / 2f64.powi(exp.min(1100) as i32),
        None => {
            let (whole, sign) = (x.numerator().to_string(), f64::from(x.signum()));
            whole.trim_start_matches('-').parse::<f64>().unwrap_or(f64::INFINITY) * sign
                / 2f64.powi(x.exponent().min(1100) as i32)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        let record = Record {
            pairing: Pairing { start: 7, left: 1, first: Player::Right },
            parts: 12,
            score: Dyadic::new(-3, 1),
            moves: 40,
            nodes: [1, 2],
            micros: [3, 4],
        };
        let line = record.to_csv();
        assert_eq!(line, "7,B,Right,12,-3/2,40,1,2,3,4");
        assert_eq!(Record::from_csv(&line).unwrap(), record);
        assert_eq!(record.score_of(0), Dyadic::new(3, 1));
        assert_eq!(
            Record::from_csv("7,C,Right,12,-3/2,40,1,2,3,4").unwrap_err().to_string(),
            format!(
                "`7,C,Right,12,-3/2,40,1,2,3,4` is no record of a game: expected left as in `{CSV_HEADER}`"
            )
        );
        assert!(Record::from_csv("7,B,Rig").unwrap_err().to_string().contains("expected 10 fields"));
    }

    #[test]
    fn averages() {
        let interval = Interval::of(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(interval.mean, 2.5);
        assert!((interval.error - 1.265).abs() < 0.001, "{interval:?}");
        let game = |start, left, score| Record {
            pairing: Pairing { start, left, first: Player::Left },
            parts: 2,
            score: Dyadic::integer(score),
            moves: 3,
            nodes: [10, 1000],
            micros: [0, 0],
        };
        let summary = Summary::of(&[game(0, 0, 3), game(0, 1, 2), game(1, 0, 1), game(1, 1, 1)]);
        assert_eq!((summary.tally.count(), summary.tally.all()), (4, (2, 0, 2)));
        assert_eq!(summary.moving_first[0].mean, 2.0);
        assert_eq!(summary.moving_first[1].mean, 1.5);
        assert_eq!(summary.paired, Paired { better: 1, equal: 1, worse: 0 });
        assert!((summary.node_ratio - 0.01).abs() < 1e-9);
    }
}
