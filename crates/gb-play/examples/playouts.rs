//! Playouts a second of Monte-Carlo tree search on 8x8 Clobber, on one thread and on two that share a tree or have one each, for
//! the best of several rounds:
//! `cargo run --release -p gb-play --example playouts`. Where the system tells (`/proc`), also by processor time, which does not
//! depend on what else the machine is doing.

use std::time::{Duration, Instant};

use gb_board::Size;
use gb_games::games::clobber::Clobber;
use gb_play::mcts::{Mcts, Settings};
use gb_play::{Knowledge, Limits};
use gb_rules::{Game, Player, direct};
use gb_search::GameTables;
use gb_value::Store;

const ROUNDS: usize = 4;

/// Processor time of this process so far, in seconds.
fn processor_time() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may hold spaces; user and system time are the 12th and 13th numbers after it, in 1/100 s.
    let numbers: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some((numbers.get(11)?.parse::<f64>().ok()? + numbers.get(12)?.parse::<f64>().ok()?) / 100.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game: Game<3> = direct(Clobber::<u64>::default());
    let board = game.start(Size::read("8x8")?)?;
    let mut rates = vec![];
    for (threads, separate_trees) in [(1, false), (2, false), (2, true)] {
        let (mut best, mut playouts, begun) = (0.0f64, 0, processor_time());
        for round in 0..ROUNDS {
            let (tables, store) = (GameTables::default(), Store::new());
            let settings = Settings { separate_trees, ..Settings::default() };
            let mut player = Mcts::new(game.clone(), Knowledge::NONE, settings, round as u64);
            let limits = Limits { threads, ..Limits::time(Duration::from_secs(1)) };
            let clock = Instant::now();
            if let Some(choice) = player.choose(&board, 0, Player::Left, &tables, &store, &limits) {
                playouts += choice.playouts;
                best = best.max(choice.playouts as f64 / clock.elapsed().as_secs_f64());
            }
        }
        let trees = if separate_trees { "a tree each" } else { "one tree" };
        print!("{threads} threads, {trees}: {best:.0} playouts a second");
        if let Some(spent) = begun.zip(processor_time()).map(|(begun, now)| now - begun).filter(|s| *s > 0.0)
        {
            print!(", {:.0} a second of processor time", playouts as f64 / spent);
        }
        println!();
        rates.push(best);
    }
    println!("ratio {:.2} with one tree, {:.2} with a tree each", rates[1] / rates[0], rates[2] / rates[0]);
    Ok(())
}
