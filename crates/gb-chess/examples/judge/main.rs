//! How many random king and pawn endgames are proved, and whether a chess program agrees.
//!
//! `judge COUNT SEED SECONDS [NODES [sveda]]`: so many boards from this seed on, seconds for each, nodes for Stockfish (0: not
//! asked); near variants of Sveda - Sika alone, if that is said.

mod boards;
mod stockfish;

use std::time::{Duration, Instant};

use boards::{Sort, board};
use gb_board::Random;
use gb_chess::{Ending, Request, Tables, prove};
use gb_value::Budget;
use stockfish::Program;

/// How often the figures so far are printed, in boards.
const OFTEN: u64 = 100;

/// What was found.
#[derive(Default)]
struct Tally {
    /// Boards by pawns: all, won by White, drawn, won by Black, not proved.
    shares: [[u32; 5]; 9],
    /// Proved results that Stockfish was asked about, and those that it did not agree with.
    judged: u32,
    wrong: u32,
    /// What is only guessed: right, wrong, nothing said.
    guesses: [u32; 3],
}

impl Tally {
    fn print(&self) {
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
        println!("judged {}, disagreements {}", self.judged, self.wrong);
        let [right, not, none] = self.guesses;
        println!("not proved: {right} guesses right, {not} wrong, {none} without a guess");
    }
}

fn main() {
    let words: Vec<f64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let word = |index: usize, other: f64| words.get(index).copied().unwrap_or(other);
    let (count, first) = (word(0, 100.0) as u64, word(1, 0.0) as u64);
    let (seconds, nodes) = (word(2, 5.0), word(3, 400_000.0) as u64);
    let sveda = std::env::args().any(|word| word == "sveda");
    let mut program = if nodes > 0 { Program::find() } else { None };
    let folder = std::env::temp_dir().join("gamebench-chess");
    let tables = Tables::new(Some(&folder));
    let mut tally = Tally::default();
    for seed in first..first + count {
        if seed > first && (seed - first).is_multiple_of(OFTEN) {
            tally.print();
        }
        let mut random = Random::new(seed, 0);
        let sort = [Sort::Natural, Sort::Natural, Sort::Locked, Sort::Variant][random.below(4)];
        let sort = if sveda { Sort::Sveda } else { sort };
        let pawns = 2 + random.below(7);
        let (fen, request) = loop {
            let fen = board(sort, pawns, &mut random);
            if let Ok(request) = Request::new(&fen) {
                break (fen, request);
            }
        };
        let pawns = fen.split(' ').next().unwrap_or("").chars().filter(|c| matches!(c, 'P' | 'p')).count();
        let budget = Budget::unlimited().with_time(Duration::from_secs_f64(seconds));
        let start = Instant::now();
        let found = prove(&request.board, &tables, &budget);
        let time = start.elapsed();
        let row = &mut tally.shares[pawns.min(8)];
        row[0] += 1;
        let (verdict, column) = match found.ending {
            Some(Ending::White) => ("white", 1),
            Some(Ending::Draw) => ("draw", 2),
            Some(Ending::Black) => ("black", 3),
            None if found.stopped.is_some() => ("open", 4),
            // Everything was looked at, and two pieces beside pawns are not known.
            None => ("beyond", 4),
        };
        row[column] += 1;
        let mut remark = String::new();
        let sign = |ending| match ending {
            Ending::White => 1,
            Ending::Draw => 0,
            Ending::Black => -1,
        };
        let told = found.ending.or(found.guess).map(sign);
        if column == 4 && told.is_none() {
            tally.guesses[2] += 1;
        }
        if let (Some(program), Some(expected)) = (&mut program, told) {
            let mover = if fen.contains(" w ") { 1 } else { -1 };
            let agrees = |score: i32| match expected {
                0 => score.abs() < 150,
                _ => score * expected >= 150,
            };
            let mut score = mover * program.score(&fen, nodes);
            // What is only guessed is not worth so much time.
            for factor in if column == 4 { &[10][..] } else { &[10, 100] } {
                if !agrees(score) {
                    score = mover * program.score(&fen, factor * nodes);
                }
            }
            if column == 4 {
                tally.guesses[usize::from(!agrees(score))] += 1;
                let word = if agrees(score) { "right" } else { "WRONG" };
                remark = format!(" guess {expected} {word} (estimate {}, stockfish {score})", found.estimate);
            } else {
                tally.judged += 1;
                if !agrees(score) {
                    tally.wrong += 1;
                    remark = format!(" DISAGREES: stockfish {score}");
                }
            }
        }
        println!(
            "{seed} {sort:?} {pawns} {fen} => {verdict} {:.2} {}{remark}",
            time.as_secs_f64(),
            found.line.join(" ")
        );
    }
    tally.print();
}
