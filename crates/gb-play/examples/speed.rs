//! Playouts a second on 8x8 Clobber.
use std::time::{Duration, Instant};
use gb_board::Size;
use gb_game::{Player, Rules};
use gb_games::games::clobber::Clobber;
use gb_local::GameTables;
use gb_play::{Knowledge, Limits, mcts::{Mcts, Settings}};
use gb_value::Store;
fn main() {
    let rules = Clobber::<u64>::default();
    let board = rules.start(Size::read("8x8").unwrap()).unwrap();
    for (name, k) in [("plain", Knowledge::NONE), ("solved", "solved".parse().unwrap()), ("all", Knowledge::ALL)] {
        for threads in [1, 2] {
            let (tables, store) = (GameTables::default(), Store::new());
            let mut m = Mcts::new(rules, k, Settings::default(), 1);
            let limits = Limits { threads, ..Limits::time(Duration::from_secs(2)) };
            let clock = Instant::now();
            let c = m.choose(&board, 0, Player::Left, &tables, &store, &limits).unwrap();
            let s = clock.elapsed().as_secs_f64();
            println!("{name} {threads}: {:.0}/s {} positions chance {:.3}", c.playouts as f64 / s, c.positions, c.chance);
        }
    }
}
