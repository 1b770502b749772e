//! Playouts a second of Monte-Carlo tree search on 8x8 Clobber, on one thread and on two, for the best of several rounds:
//! `cargo run --release -p gb-play --example playouts`.

use std::time::{Duration, Instant};

use gb_board::Size;
use gb_game::{Player, Rules};
use gb_games::games::clobber::Clobber;
use gb_local::GameTables;
use gb_play::mcts::{Mcts, Settings};
use gb_play::{Knowledge, Limits};
use gb_value::Store;

const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Clobber::<u64>::default();
    let board = rules.start(Size::read("8x8")?)?;
    let mut rates = vec![];
    for threads in [1, 2] {
        let mut best: f64 = 0.0;
        for round in 0..ROUNDS {
            let (tables, store) = (GameTables::default(), Store::new());
            let mut player = Mcts::new(rules, Knowledge::NONE, Settings::default(), round as u64);
            let limits = Limits { threads, ..Limits::time(Duration::from_secs(1)) };
            let clock = Instant::now();
            if let Some(choice) = player.choose(&board, 0, Player::Left, &tables, &store, &limits) {
                best = best.max(choice.playouts as f64 / clock.elapsed().as_secs_f64());
            }
        }
        println!("{threads} threads: {best:.0} playouts a second");
        rates.push(best);
    }
    println!("ratio {:.2}", rates[1] / rates[0]);
    Ok(())
}
