//! Exact values of boards: `gb-bench-engine GAME SIZE THREADS`, with time, nodes, values and memory. With `shortest` as a
//! fourth word the value is found as the command `value` does it, otherwise with the values of all options.

use std::time::Instant;

use gb_rules::{Game, with_game};
use gb_search::question::{ExactValue, exact_value};
use gb_search::{SearchContext, Table, search};
use gb_value::{Budget, Store};

struct Measure {
    at: String,
    threads: usize,
    shortest: bool,
}

impl Measure {
    fn run<const N: usize>(self, game: Game<N>) {
        let board = match gb_board::Size::read(&self.at) {
            Ok(size) => game.start(size).expect("a starting position"),
            Err(_) => game.read(&self.at).expect("a position"),
        };
        let (store, budget, table) = (Store::new(), Budget::unlimited(), Table::new());
        let context = SearchContext::new(&store, &budget).with_threads(self.threads);
        let start = Instant::now();
        let value = match self.shortest {
            true => exact_value(&*game, &table, &board, &context),
            false => search(&*game, &ExactValue, &table, &board, &context),
        };
        let value = value.expect("no limits");
        let time = start.elapsed().as_secs_f64();
        let kernel = store.kernel(&budget);
        println!(
            "{} {}: {value:?} {:?} {time:.3} s, {} parts, {} values, {:.0} bytes/value, {:.0} MB values, {:.0} MB table, {:.0} MB all of store",
            game.info().name,
            self.at,
            kernel.outcome(value),
            table.len(),
            store.len(),
            store.bytes_of_values() as f64 / store.len() as f64,
            store.bytes_of_values() as f64 / 1e6,
            table.bytes() as f64 / 1e6,
            store.bytes() as f64 / 1e6
        );
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (game, at, threads, shortest) = match args.as_slice() {
        [game, at, threads] => (game, at, threads, false),
        [game, at, threads, way] if way == "shortest" => (game, at, threads, true),
        _ => {
            eprintln!("usage: gb-bench-engine GAME SIZE|POSITION THREADS [shortest]");
            std::process::exit(2);
        }
    };
    let measure =
        Measure { at: at.clone(), threads: threads.parse().expect("a number of threads"), shortest };
    let game = gb_games::open(game, at).expect("a game of the list");
    with_game!(game, game => measure.run(game));
}
