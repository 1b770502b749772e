//! The figures of docs/performance.md and docs/experiments.md: nodes, depth and time for the twelve endgames of F. Maeser's
//! thesis (2001, figure 7.7), and the experiment of its section 7.3.2.
//!
//! `cargo run --release -p gb-chess --example figures -- [SECONDS]`, with the time for the search of the whole board.

use std::path::Path;
use std::time::{Duration, Instant};

use gb_chess::{Request, check};
use gb_game::{Player, Rules};
use gb_games::games::pawns::Pawns;
use gb_local::Bench;
use gb_local::question::{ThreatSearch, ThreatTable};
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
    let bench = Bench::new(&store, &budget);
    let table = ThreatTable::<Pawns>::new();
    let start = Instant::now();
    let (mut nodes, mut depth) = (0, 0);
    for text in positions {
        let mut search = ThreatSearch::new(&Pawns, &table, &bench);
        let board = Pawns.read(text).expect("a position of the fact file");
        search.position(&board).expect("no limits were set");
        nodes += search.nodes();
        depth = depth.max(search.depth());
    }
    (nodes, depth, start.elapsed())
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/chess/endgames.tsv");
    let facts = std::fs::read_to_string(path).expect("the fact file");
    println!("| position | nodes then | depth then | nodes | depth | time |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (number, (id, name, nodes_then, depth_then)) in PUBLISHED.iter().enumerate() {
        let chunks: Vec<String> = facts
            .lines()
            .map(|line| line.split('\t').collect::<Vec<_>>())
            .filter(|row| row[0].trim_end_matches(char::is_alphabetic) == *id && row[4] != "whole")
            .map(|row| row[2].to_string())
            .collect();
        let (nodes, depth, time) = search(&chunks);
        let number = number + 1;
        println!("| {number} {name} | {nodes_then} | {depth_then} | {nodes} | {depth} | {time:.1?} |");
    }
    println!("\nPopov - Dankov:");
    let parts = ["8/pp6/8/8/PP6/8/8/8".to_string(), "8/6p1/7p/8/8/6P1/6P1/8".to_string()];
    let (nodes, _, time) = search(&parts);
    println!("- decomposition: {nodes} nodes, {time:.1?}");
    let (nodes, _, time) = search(&["8/pp4p1/7p/8/PP6/6P1/6P1/8".to_string()]);
    println!("- one search of both wings: {nodes} nodes, {time:.1?}");
    let board = Request::new(POPOV).expect("a position of the fact file").board;
    let budget = Budget::unlimited().with_time(Duration::from_secs(seconds));
    println!("- the whole board with kings, alpha-beta for {seconds} s (depth, score, nodes, best move):");
    let found = check(&board, Player::Left, 200, &budget, &mut |depth, score, nodes, best| {
        println!("  {depth} {score} {nodes} {best}");
    });
    println!("  {:?} after {} nodes", found.verdict, found.nodes);
}
