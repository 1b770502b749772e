//! The figures of docs/performance.md and docs/chess.md.
//!
//! `cargo run --release -p gb-chess --example figures -- nodes`: nodes, depth and time for the twelve endgames of F. Maeser's
//! thesis (2001, figure 7.7).
//!
//! `... -- popov 60 [STOCKFISH]`: the experiment of its section 7.3.2, with so many seconds for each search of the whole board,
//! and a chess program that speaks UCI, if one is named.
//!
//! `... -- checks 20 [IDS]`: the endgames with kings, searched on the whole board for so many seconds each; all, or some by the
//! names of the fact file, such as `G4,G5`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gb_board::testing::facts;
use gb_chess::{Ending, Request, Tables, analyse, prove};
use gb_games::games::pawns::Pawns;
use gb_rules::{Coding, Direct, Game, Rules, direct};
use gb_search::SearchContext;
use gb_search::question::{ThreatSearch, ThreatTable};
use gb_value::{Budget, Store};

/// Number, name, nodes and depth of figure 7.7.
const PUBLISHED: [(&str, &str, u64, usize); 12] = [
    ("G1", "Velimirovic - Smejkal", 715, 11),
    ("G2", "Turov - Jagupov", 342, 10),
    ("G3", "Spraggett - Eslon", 65, 6),
    ("G4", "Paoli - Michel", 1_736, 13),
    ("G5", "Bronstein - Rajna", 724, 11),
    ("G6", "Thomas - Maroczy", 1_021, 12),
    ("G7", "Pirc - Kolski", 10_845, 21),
    ("G8", "Ranits - Wirius", 57_042, 19),
    ("G9", "Nehlert - Precour", 4_011, 13),
    ("G10", "Jacek - Miler", 17_511, 15),
    ("G11", "Schuessler - King", 15_542, 15),
    ("G12", "Scheske - Kiefer", 231_195, 20),
];

const POPOV: &str = "8/pp4p1/7p/3k4/PP1Pp3/4K1P1/6P1/8 w - - 0 1";

/// Nodes, depth and time to find the values of some positions of pawns, with one table for all.
fn search(positions: &[String]) -> (u64, usize, Duration) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let context = SearchContext::new(&store, &budget);
    let game: Game<9> = direct(Pawns);
    let table = ThreatTable::new();
    let start = Instant::now();
    let (mut nodes, mut depth) = (0, 0);
    for text in positions {
        let mut search = ThreatSearch::new(&*game, &table, &context);
        let board = Pawns.read(text).expect("a position of the fact file");
        search.position(&Direct.key(&board)).expect("no limits were set");
        nodes += search.nodes();
        depth = depth.max(search.depth());
    }
    (nodes, depth, start.elapsed())
}

/// The fastest of several runs: other processes can only slow a run down.
fn fastest(positions: &[String]) -> (u64, usize, Duration) {
    (0..20).map(|_| search(positions)).min_by_key(|run| run.2).expect("there are runs")
}

fn nodes() {
    println!("| position | nodes then | depth then | nodes | depth | time |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (number, (id, name, nodes_then, depth_then)) in PUBLISHED.iter().enumerate() {
        let chunks: Vec<String> = facts("chess/endgames.tsv")
            .into_iter()
            .filter(|row| row[0].trim_end_matches(char::is_alphabetic) == *id && row[4] != "whole")
            .map(|row| row[2].clone())
            .collect();
        let (nodes, depth, time) = fastest(&chunks);
        let number = number + 1;
        println!("| {number} {name} | {nodes_then} | {depth_then} | {nodes} | {depth} | {time:.1?} |");
    }
}

fn popov(seconds: u64, program: Option<&str>) {
    let parts = ["8/pp6/8/8/PP6/8/8/8".to_string(), "8/6p1/7p/8/8/6P1/6P1/8".to_string()];
    let (nodes, _, time) = fastest(&parts);
    println!("decomposition: {nodes} nodes, {time:.1?}");
    let (nodes, _, time) = fastest(&["8/pp4p1/7p/8/PP6/6P1/6P1/8".to_string()]);
    println!("one search of both wings: {nodes} nodes, {time:.1?}");
    let board = Request::new(POPOV).expect("a position of the fact file").board;
    let budget = Budget::unlimited().with_time(Duration::from_secs(seconds));
    let tables = Tables::new(Some(&std::env::temp_dir().join("gamebench-chess")));
    let start = Instant::now();
    let found = prove(&board, &tables, &budget);
    println!(
        "the whole board with kings: {:?} by {} layers, {:.1?}",
        found.ending,
        found.layers,
        start.elapsed()
    );
    if let Some(program) = program {
        println!("{program} (depth, score, nodes, best move):");
        ask_program(program, seconds).expect("a chess program that speaks UCI");
    }
}

/// Prints every completed depth of a chess program.
fn ask_program(program: &str, seconds: u64) -> std::io::Result<()> {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().expect("it was asked for");
    let output = BufReader::new(child.stdout.take().expect("it was asked for"));
    writeln!(input, "setoption name Threads value 1\nsetoption name Hash value 256")?;
    writeln!(input, "position fen {POPOV}\ngo movetime {}", 1000 * seconds)?;
    for line in output.lines() {
        let line = line?;
        if line.starts_with("bestmove") {
            break;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |name: &str, skip: usize| {
            words.iter().position(|word| *word == name).and_then(|at| words.get(at + skip)).copied()
        };
        if let (Some(depth), Some(score), Some(nodes), Some(best)) =
            (after("depth", 1), after("score", 2), after("nodes", 1), after("pv", 1))
        {
            println!("  {depth} {score} {nodes} {best}");
        }
    }
    writeln!(input, "quit")?;
    child.wait().map(|_| ())
}

fn checks(seconds: u64) {
    println!("| position | White to move | Black to move |");
    println!("|---|---|---|");
    let tables = Tables::new(Some(&std::env::temp_dir().join("gamebench-chess")));
    let only = std::env::args().nth(3);
    for row in facts("chess/endgames.tsv").iter().filter(|row| {
        row[4] == "whole" && only.as_ref().is_none_or(|only| only.split(',').any(|id| id == row[0]))
    }) {
        let mut cells = vec![];
        for side in ["w", "b"] {
            let mut fields: Vec<&str> = row[2].split_whitespace().collect();
            fields[1] = side;
            let request = Request::new(&fields.join(" ")).expect("a position of the fact file");
            let found = analyse(&request, &Budget::unlimited()).expect("no limits were set");
            let budget = Budget::unlimited().with_time(Duration::from_secs(seconds));
            let start = Instant::now();
            let proof = prove(&request.board, &tables, &budget);
            let claim = Ending::won_by(found.claim());
            let verdict = match proof.ending {
                Some(ending) if ending == claim => "agreement, proved".to_string(),
                Some(ending) => format!("refuted, proved: {}", ending.text()),
                None => format!("not proved, guess: {}", proof.guess.map_or("none", Ending::text)),
            };
            let zugzwang = if found.complex.zugzwang { "" } else { " (no zugzwang)" };
            eprintln!(
                "{} {side}: {verdict}{zugzwang}, {} layers, {:.1?}",
                row[0],
                proof.layers,
                start.elapsed()
            );
            cells.push(format!("{verdict}{zugzwang}"));
        }
        println!("| {} | {} |", row[1], cells.join(" | "));
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let seconds = words.get(1).and_then(|text| text.parse().ok()).unwrap_or(20);
    match words.first().map(String::as_str) {
        Some("nodes") => nodes(),
        Some("popov") => popov(seconds, words.get(2).map(String::as_str)),
        Some("checks") => checks(seconds),
        _ => eprintln!("expected `nodes`, `popov SECONDS [STOCKFISH]` or `checks SECONDS`"),
    }
}
