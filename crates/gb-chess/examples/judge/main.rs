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

fn main() {
    let words: Vec<f64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let word = |index: usize, other: f64| words.get(index).copied().unwrap_or(other);
    let (count, first) = (word(0, 100.0) as u64, word(1, 0.0) as u64);
    let (seconds, nodes) = (word(2, 5.0), word(3, 400_000.0) as u64);
    let sveda = std::env::args().any(|word| word == "sveda");
    let mut program = if nodes > 0 { Program::find() } else { None };
    let folder = std::env::temp_dir().join("gamebench-chess");
    let tables = Tables::new(Some(&folder));
    // Boards by pawns: all, won by White, drawn, won by Black, not proved.
    let mut shares = [[0u32; 5]; 9];
    let (mut judged, mut wrong) = (0, 0);
    // What is only guessed: right, wrong, nothing said.
    let mut guesses = [0u32; 3];
    for seed in first..first + count {
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
        let row = &mut shares[pawns.min(8)];
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
            guesses[2] += 1;
        }
        if let (Some(program), Some(expected)) = (&mut program, told) {
            let mover = if fen.contains(" w ") { 1 } else { -1 };
            let agrees = |score: i32| match expected {
                0 => score.abs() < 150,
                _ => score * expected >= 150,
            };
            let mut score = mover * program.score(&fen, nodes);
            for factor in [10, 100] {
                if !agrees(score) {
                    score = mover * program.score(&fen, factor * nodes);
                }
            }
            if column == 4 {
                guesses[usize::from(!agrees(score))] += 1;
                let word = if agrees(score) { "right" } else { "WRONG" };
                remark = format!(" guess {expected} {word} (estimate {}, stockfish {score})", found.estimate);
            } else {
                judged += 1;
                if !agrees(score) {
                    wrong += 1;
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
    println!("pawns boards white draw black open proved");
    for (pawns, row) in shares.iter().enumerate().filter(|(_, row)| row[0] > 0) {
        let proved = 100.0 * f64::from(row[0] - row[4]) / f64::from(row[0]);
        println!("{pawns} {} {} {} {} {} {proved:.1}%", row[0], row[1], row[2], row[3], row[4]);
    }
    for most in [4, 6, 8] {
        let (all, open) = shares[..=most].iter().fold((0, 0), |sum, row| (sum.0 + row[0], sum.1 + row[4]));
        println!("up to {most}: {:.1}% of {all}", 100.0 * f64::from(all - open) / f64::from(all.max(1)));
    }
    println!("judged {judged}, disagreements {wrong}");
    let [right, not, none] = guesses;
    println!("not proved: {right} guesses right, {not} wrong, {none} without a guess");
}
