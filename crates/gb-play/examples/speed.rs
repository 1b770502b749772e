//! Playouts a second on 8x8 Clobber after so many random moves.
use std::time::{Duration, Instant};
use gb_board::Size;
use gb_game::{Player, Rules};
use gb_games::games::clobber::Clobber;
use gb_local::GameTables;
use gb_play::{Knowledge, Limits, mcts::{Mcts, Settings}};
use gb_sum::arena::Random;
use gb_value::Store;
fn main() {
    let rules = Clobber::<u64>::default();
    let args: Vec<String> = std::env::args().collect();
    let k: Knowledge = args[1].parse().unwrap();
    let skip: u32 = args[2].parse().unwrap();
    let mut board = rules.start(Size::read("8x8").unwrap()).unwrap();
    let mut random = Random::new(3, 3);
    let mut who = Player::Left;
    for _ in 0..skip {
        let mv = rules.random_move(&board, who, &mut |n| random.index(n)).unwrap();
        rules.play(&mut board, who, &mv);
        who = who.opponent();
    }
    let (tables, store) = (GameTables::default(), Store::new());
    let mut m = Mcts::new(rules, k, Settings { root_share: 0.0, ..Settings::for_knowledge(k) }, 1);
    for round in 0..3 {
        let limits = Limits::time(Duration::from_secs(2));
        let clock = Instant::now();
        let c = m.choose(&board, 0, who, &tables, &store, &limits).unwrap();
        let s = clock.elapsed().as_secs_f64();
        println!("{k} round {round}: {:.0}/s {} positions chance {:.3} {:?} values {} store {} MB", c.playouts as f64 / s, c.positions, c.chance, c.winner, tables.values.len(), store.bytes() >> 20);
    }
}
