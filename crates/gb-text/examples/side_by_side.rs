//! A game of the list and a text side by side, in turn: `side_by_side PAIRS [GAME FILE.game POSITION]...`.
//!
//! For each position the time on the processor (of one thread) for the values with all options, and for both winners: the medians of
//! so many pairs of runs, each with an empty store, and what each found. The game may be a text, too.

use gb_rules::{AnyGame, Player, Variant, with_game};
use gb_search::question::ExactValue;
use gb_search::question::outcome::{Memory, Settings, Sum, winner};
use gb_search::{SearchContext, Table, search};
use gb_text::TextGame;
use gb_value::{Budget, Store};

/// Seconds that this thread has been running: on a busy machine the clock measures the others.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|field| field.parse::<f64>().ok()).expect("nanoseconds") / 1e9
}

fn open(name: &str, at: &str) -> AnyGame {
    match name.strip_suffix(".game") {
        Some(_) => {
            let text = std::fs::read_to_string(name).expect("a file");
            TextGame::read(&text, &[])
                .unwrap_or_else(|error| panic!("{name}: {error}"))
                .open(Variant::Plain, at)
        }
        None => gb_games::open(name, at).expect("a game of the list"),
    }
}

/// Values with all options: what was found, nodes, seconds.
fn values(game: &AnyGame, at: &str) -> (String, u64, f64) {
    with_game!(game, game => {
        let board = read(&**game, at);
        let (store, budget, table) = (Store::new(), Budget::unlimited(), Table::new());
        let context = SearchContext::new(&store, &budget);
        let start = seconds();
        let value = search(&**game, &ExactValue, &table, &board, &context).expect("no limits");
        let time = seconds() - start;
        let kernel = store.kernel(&budget);
        let facts = format!("{} {:?}", kernel.outcome(value).expect("no limits"), kernel.birthday(value).ok());
        (facts, budget.nodes(), time)
    })
}

/// Both winners: what was found, nodes, seconds.
fn winners(game: &AnyGame, at: &str) -> (String, u64, f64) {
    with_game!(game, game => {
        let board = read(&**game, at);
        let (store, budget, table) = (Store::new(), Budget::unlimited(), Table::new());
        let context = SearchContext::new(&store, &budget);
        let (mut memory, settings) = (Memory::default(), Settings::default());
        let start = seconds();
        let (mut found, mut nodes) = (String::new(), 0);
        for first in Player::BOTH {
            let (who, more) = winner(&**game, &Sum::of(board), first, &settings, &table, &mut memory, &context);
            found += &who.expect("no limits").to_string();
            nodes += more;
        }
        (found, nodes, seconds() - start)
    })
}

fn read<const N: usize>(game: &dyn gb_rules::DynGame<N>, at: &str) -> gb_rules::Key<N> {
    match gb_board::Size::read(at) {
        Ok(size) => game.start(size).expect("a starting position"),
        Err(_) => game.read(at).expect("a position"),
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((pairs, rest)) =
        args.split_first().and_then(|(pairs, rest)| Some((pairs.parse::<usize>().ok()?, rest)))
    else {
        eprintln!("usage: side_by_side PAIRS [GAME FILE.game POSITION]...");
        std::process::exit(2);
    };
    println!("{:<56} {:>10} {:>10} {:>9} {:>9} {:>6}", "", "nodes", "nodes", "s", "s", "ratio");
    for case in rest.chunks(3) {
        let [list, text, at] = case else { panic!("a game, a file, and a position") };
        let games = [open(list, at), open(text, at)];
        type Way = fn(&AnyGame, &str) -> (String, u64, f64);
        for (word, way) in [("values", values as Way), ("winners", winners as Way)] {
            let mut times = [vec![], vec![]];
            let mut nodes = [0; 2];
            for _ in 0..pairs {
                let found = [0, 1].map(|which| {
                    let (found, count, time) = way(&games[which], at);
                    times[which].push(time);
                    nodes[which] = count;
                    found
                });
                assert_eq!(found[0], found[1], "{list} {at}: {word}");
            }
            let [a, b] = times.map(median);
            let name = format!("{list} {at} {word}");
            println!("{name:<56} {:>10} {:>10} {a:>9.4} {b:>9.4} {:>6.2}", nodes[0], nodes[1], b / a);
        }
    }
}
