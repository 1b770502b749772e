//! How many random king and pawn endgames are proved, and whether a chess program agrees.
//!
//! `judge COUNT SEED SECONDS [NODES] [sveda] [FILE]`: so many boards from this seed on, seconds for each, nodes for Stockfish (0:
//! not asked); near variants of Sveda - Sika alone, if that is said. With a file every board is written there as soon as it is
//! done, boards that are there already are left out, and the figures are those of the whole file: a run can be ended at any time
//! and taken up again. `judge add FILE...` adds files up.
//!
//! A proof has SECONDS of the processor for each of its two threads, as the system counts them, so that a busy machine finds
//! what an idle one finds in as many seconds of the clock.

mod boards;
mod processor;
mod record;
mod stockfish;

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::time::Instant;

use boards::{Sort, board};
use gb_board::Random;
use gb_chess::{Ending, Request, Tables, prove};
use processor::limited;
use record::{Record, Tally, Word};
use stockfish::Program;

/// How often the figures so far are printed, in boards.
const OFTEN: u64 = 100;

/// Files from which boards are taken: none if there are none.
fn read(files: &[String]) -> Vec<Record> {
    let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap_or_default());
    texts.flat_map(|text| text.lines().filter_map(Record::read).collect::<Vec<_>>()).collect()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let files: Vec<String> = words
        .iter()
        .filter(|word| word.parse::<f64>().is_err() && *word != "sveda" && *word != "add")
        .cloned()
        .collect();
    let mut tally = Tally::default();
    let old = read(&files);
    let done: HashSet<u64> = old.iter().map(|record| record.seed).collect();
    old.iter().for_each(|record| tally.add(record));
    if words.first().is_some_and(|word| word == "add") {
        tally.print();
        return;
    }
    let number = |index: usize, other: f64| numbers.get(index).copied().unwrap_or(other);
    let (count, first) = (number(0, 100.0) as u64, number(1, 0.0) as u64);
    let (seconds, nodes) = (number(2, 5.0), number(3, 400_000.0) as u64);
    let sveda = words.iter().any(|word| word == "sveda");
    let mut file = files.first().map(|name| {
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(name)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    });
    let mut program = if nodes > 0 { Program::find() } else { None };
    let folder = std::env::temp_dir().join("gamebench-chess");
    let tables = Tables::new(Some(&folder));
    for seed in (first..first + count).filter(|seed| !done.contains(seed)) {
        if seed > first && (seed - first).is_multiple_of(OFTEN) {
            tally.print();
        }
        let record = examine(seed, seconds, nodes, sveda, &tables, &mut program);
        tally.add(&record);
        println!("{record}");
        if let Some(file) = &mut file {
            writeln!(file, "{record}").unwrap_or_else(|error| panic!("the file cannot be written: {error}"));
        }
    }
    tally.print();
}

/// One board: tried, and judged.
fn examine(
    seed: u64,
    seconds: f64,
    nodes: u64,
    sveda: bool,
    tables: &Tables,
    program: &mut Option<Program>,
) -> Record {
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
    let start = Instant::now();
    let (found, used) = limited(seconds, |budget| prove(&request.board, tables, budget));
    let clock = start.elapsed().as_secs_f64();
    let sign = |ending| match ending {
        Ending::White => 1,
        Ending::Draw => 0,
        Ending::Black => -1,
    };
    let proved = found.ending.is_some();
    let told = found.ending.or(found.guess).map(sign);
    let word = match (program, told) {
        (_, None) => Word::Silent,
        (None, _) => Word::NotAsked,
        (Some(program), Some(expected)) => {
            let mover = if fen.contains(" w ") { 1 } else { -1 };
            let agrees = |score: i32| match expected {
                0 => score.abs() < 150,
                _ => score * expected >= 150,
            };
            let mut score = mover * program.score(&fen, nodes);
            // What is only guessed is not worth so much time.
            for factor in if proved { &[10, 100][..] } else { &[10] } {
                if !agrees(score) {
                    score = mover * program.score(&fen, factor * nodes);
                }
            }
            match (proved, agrees(score)) {
                (true, true) => Word::Agreed,
                (true, false) => Word::Disagreed(score),
                (false, true) => Word::Right,
                (false, false) => Word::Wrong(expected, score),
            }
        }
    };
    let verdict = match found.ending {
        Some(Ending::White) => "white",
        Some(Ending::Draw) => "draw",
        Some(Ending::Black) => "black",
        None if found.stopped.is_some() => "open",
        // Everything was looked at that the solver knows how to look at.
        None => "beyond",
    };
    Record {
        seed,
        sort: format!("{sort:?}"),
        fen,
        verdict: verdict.into(),
        clock,
        used,
        word,
        line: found.line,
    }
}
