//! What became of one board, as a line of text, and of many.

use std::fmt;

/// What the chess program says.
pub enum Word {
    /// It agrees with what is proved.
    Agreed,
    /// It does not, and gives this score for White.
    Disagreed(i32),
    /// It agrees with a guess.
    Right,
    /// It does not agree with this guess, and gives this score for White.
    Wrong(i32, i32),
    /// Nothing was proved or guessed.
    Silent,
    /// It was not asked.
    NotAsked,
}

/// One board.
pub struct Record {
    pub seed: u64,
    pub sort: String,
    pub fen: String,
    /// `white`, `draw`, `black`, or why there is none: `open` (time was up) and `beyond` (nothing left to be tried).
    pub verdict: String,
    /// Seconds of the clock.
    pub clock: f64,
    /// Seconds of the processor, all threads together.
    pub used: f64,
    pub word: Word,
    pub line: Vec<String>,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Record { seed, sort, fen, verdict, clock, used, .. } = self;
        let word = match self.word {
            Word::Agreed => "agreed".into(),
            Word::Disagreed(score) => format!("DISAGREES:{score}"),
            Word::Right => "right".into(),
            Word::Wrong(guess, score) => format!("WRONG:{guess}:{score}"),
            Word::Silent => "silent".into(),
            Word::NotAsked => "-".to_string(),
        };
        write!(f, "{seed} {sort} {fen} => {verdict} {clock:.2} {used:.2} {word} {}", self.line.join(" "))
    }
}

impl Record {
    /// Reads what [`Display`](fmt::Display) wrote; `None` for other lines.
    pub fn read(text: &str) -> Option<Record> {
        let (board, found) = text.split_once(" => ")?;
        let mut board = board.splitn(3, ' ');
        let mut found = found.splitn(5, ' ');
        Some(Record {
            seed: board.next()?.parse().ok()?,
            sort: board.next()?.to_string(),
            fen: board.next()?.to_string(),
            verdict: found.next()?.to_string(),
            clock: found.next()?.parse().ok()?,
            used: found.next()?.parse().ok()?,
            word: {
                let mut parts = found.next()?.split(':');
                let name = parts.next()?;
                let mut number = || parts.next()?.parse().ok();
                match name {
                    "agreed" => Word::Agreed,
                    "DISAGREES" => Word::Disagreed(number()?),
                    "right" => Word::Right,
                    "WRONG" => Word::Wrong(number()?, number()?),
                    "silent" => Word::Silent,
                    "-" => Word::NotAsked,
                    _ => return None,
                }
            },
            line: found.next().unwrap_or("").split_whitespace().map(str::to_string).collect(),
        })
    }

    fn pawns(&self) -> usize {
        self.fen.split(' ').next().unwrap_or("").chars().filter(|c| matches!(c, 'P' | 'p')).count()
    }
}

/// What was found.
#[derive(Default)]
pub struct Tally {
    /// Boards by pawns: all, won by White, drawn, won by Black, not proved.
    shares: [[u32; 5]; 9],
    /// Boards on which nothing was left to be tried.
    beyond: u32,
    /// Proved results that Stockfish was asked about, and those that it did not agree with.
    judged: u32,
    wrong: u32,
    /// What is only guessed: right, wrong, nothing said.
    guesses: [u32; 3],
    /// Seconds of the clock and of the processor.
    clock: f64,
    used: f64,
}

impl Tally {
    pub fn add(&mut self, record: &Record) {
        let row = &mut self.shares[record.pawns().min(8)];
        row[0] += 1;
        row[match record.verdict.as_str() {
            "white" => 1,
            "draw" => 2,
            "black" => 3,
            _ => 4,
        }] += 1;
        self.beyond += u32::from(record.verdict == "beyond");
        self.clock += record.clock;
        self.used += record.used;
        match record.word {
            Word::Agreed => self.judged += 1,
            Word::Disagreed(_) => {
                self.judged += 1;
                self.wrong += 1;
            }
            Word::Right => self.guesses[0] += 1,
            Word::Wrong(..) => self.guesses[1] += 1,
            Word::Silent => self.guesses[2] += 1,
            Word::NotAsked => {}
        }
    }

    pub fn print(&self) {
        println!("pawns boards white draw black open proved");
        for (pawns, row) in self.shares.iter().enumerate().filter(|(_, row)| row[0] > 0) {
            let proved = 100.0 * f64::from(row[0] - row[4]) / f64::from(row[0]);
            println!("{pawns} {} {} {} {} {} {proved:.1}%", row[0], row[1], row[2], row[3], row[4]);
        }
        for most in [4, 6, 8] {
            let sum = |sum: (u32, u32), row: &[u32; 5]| (sum.0 + row[0], sum.1 + row[4]);
            let (all, open) = self.shares[..=most].iter().fold((0, 0), sum);
            println!("up to {most}: {:.1}% of {all}", 100.0 * f64::from(all - open) / f64::from(all.max(1)));
        }
        let [right, not, none] = self.guesses;
        println!("judged {}, disagreements {}, beyond the tables {}", self.judged, self.wrong, self.beyond);
        println!("not proved: {right} guesses right, {not} wrong, {none} without a guess");
        println!("{:.0} s of the clock, {:.0} s of the processor", self.clock, self.used);
    }
}
