//! Who wins: nodes and time for the positions that other solvers have published figures for, one thread.
//!
//! `outcome` prints the table; `outcome GAME SIZE|POSITION [SECONDS]` searches one position. Time is time on the
//! processor, since the machine may be busy with other things.

use std::time::Duration;

use gb_rules::{Game, Player, with_game};
use gb_search::question::outcome::{Memory, Settings, Sum, winner};
use gb_search::{SearchContext, Table};
use gb_value::{Budget, Store};

/// Game, position, and another solver's name, nodes and seconds.
const TABLE: &[(&str, &str, &str, f64, f64)] = &[
    ("clobber", "4x4", "MCGS", 11e3, 0.03),
    ("clobber", "4x5", "MCGS", 200e3, 0.6),
    ("clobber", "5x5", "MCGS", 40e6, 200.0),
    ("clobber", "xoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxo", "MCGS", 1.85e6, 2.3),
    ("domineering", "6x6", "MCGS", 1.25e6, 3.8),
    ("domineering", "6x6", "Obsequi", 908.0, 0.02),
    ("domineering", "6x8", "Obsequi", 189_381.0, 0.14),
    ("domineering", "8x8", "Obsequi", 2_021_154.0, 1.42),
    ("nogo", "1x16", "MCGS", 46e3, 0.08),
    ("nogo", "4x4", "MCGS", 0.94e6, 12.0),
    ("amazons", "x..o|....|....|o..x", "MCGS", 6.5e6, 25.0),
];

/// How often short searches are repeated.
const RUNS: u32 = 20;

/// What one search took.
struct Taken {
    winner: String,
    nodes: u64,
    seconds: f64,
}

/// Seconds that this process has been on a processor.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|field| field.parse::<f64>().ok()).expect("nanoseconds") / 1e9
}

/// Both searches, Left first and Right first, the second with what the first has found.
fn measure<const N: usize>(rules: &Game<N>, at: &str, seconds: u64) -> [Taken; 2] {
    let board = match gb_board::Size::read(at) {
        Ok(size) => rules.start(size).expect("a starting position"),
        Err(_) => rules.read(at).expect("a position"),
    };
    let (store, values, settings) = (Store::new(), Table::new(), Settings::default());
    let mut memory = Memory::default();
    Player::BOTH.map(|first| {
        let budget = Budget::unlimited().with_time(Duration::from_secs(seconds));
        let bench = SearchContext::new(&store, &budget);
        let start = processor_time();
        let sum = Sum::of(board);
        let (found, nodes) = winner(&**rules, &sum, first, &settings, &values, &mut memory, &bench);
        let winner = found.map_or_else(|stop| stop.to_string(), |winner| winner.to_string());
        Taken { winner, nodes, seconds: processor_time() - start }
    })
}

/// As [`measure`]; short searches are repeated, since the clock of the processor time is coarse.
fn measure_well<const N: usize>(rules: &Game<N>, at: &str, seconds: u64) -> [Taken; 2] {
    let [left, right] = measure(rules, at, seconds);
    if left.seconds + right.seconds > 0.5 {
        return [left, right];
    }
    let start = processor_time();
    for _ in 0..RUNS {
        std::hint::black_box(measure(rules, at, seconds));
    }
    let time = (processor_time() - start) / f64::from(RUNS);
    let share = left.nodes as f64 / (left.nodes + right.nodes).max(1) as f64;
    [Taken { seconds: time * share, ..left }, Taken { seconds: time * (1.0 - share), ..right }]
}

fn search(game: &str, at: &str, seconds: u64) -> [Taken; 2] {
    let game = gb_games::open(game, at).expect("a game of the list");
    with_game!(&game, game => measure_well(game, at, seconds))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [game, at, rest @ ..] = args.as_slice() {
        let seconds = rest.first().map_or(600, |seconds| seconds.parse().expect("seconds"));
        for (first, taken) in Player::BOTH.into_iter().zip(search(game, at, seconds)) {
            println!("{first} first: {}, {} nodes, {:.4} s", taken.winner, taken.nodes, taken.seconds);
        }
        return;
    }
    println!(
        "{:<12} {:<38} {:>5} {:>5} {:>9} {:>9} {:>9} {:>8}   {:<8} {:>10} {:>8} {:>6}",
        "game", "position", "Left", "Right", "nodes", "nodes", "s", "s", "solver", "nodes", "s", "ratio"
    );
    for &(game, at, solver, nodes, seconds) in TABLE {
        let [left, right] = search(game, at, 600);
        println!(
            "{game:<12} {at:<38} {:>5} {:>5} {:>9} {:>9} {:>9.4} {:>8.4}   {solver:<8} {nodes:>10} {seconds:>8} {:>6.1}",
            left.winner,
            right.winner,
            left.nodes,
            right.nodes,
            left.seconds,
            right.seconds,
            seconds / (left.seconds + right.seconds)
        );
    }
}
