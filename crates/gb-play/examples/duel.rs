//! Matches on 8x8 Clobber and others without the command line, for tuning: duel GAME SIZE A B GAMES MILLIS RANDOM
use std::sync::Arc;
use std::time::Duration;
use gb_game::erased::{Erase, Position};
use gb_game::{GameVisitor, Rules};
use gb_board::Size;
use gb_games::games::{clobber::Clobber, domineering::Domineering, amazons::Amazons, konane::Konane, nogo::NoGo};
use gb_local::GameTables;
use gb_play::*;
use gb_value::{Cancel, Store};

struct Home<R: Rules> { rules: R, tables: Arc<GameTables<R>>, store: Store }
impl<R: Rules> House for Home<R> {
    fn open(&self, _: &str, text: &str) -> Result<Box<dyn Position>, String> {
        let g = Erase.visit(self.rules.clone());
        match Size::read(text) { Ok(s) => g.start(s), Err(_) => g.read(text) }.map_err(|e| e.to_string())
    }
    fn player(&self, _: &str, _: &str, spec: Spec, seed: u64) -> Result<Box<dyn Player>, String> {
        Ok(player(self.rules.clone(), self.tables.clone(), spec, seed))
    }
    fn store(&self) -> &Store { &self.store }
}
fn go<R: Rules>(rules: R, a: &[String]) {
    let home = Home { rules, tables: Arc::default(), store: Store::new() };
    let millis: u64 = a[6].parse().unwrap();
    let limits = if millis >= 10_000 { Limits::nodes(millis) } else { Limits::time(Duration::from_millis(millis)) };
    let c = Contest { game: a[1].clone(), starts: vec![a[2].clone()], random_moves: a[7].parse().unwrap(),
        players: [a[3].parse().unwrap(), a[4].parse().unwrap()], limits, games: a[5].parse().unwrap(), seed: 1, at_a_time: 1, sprt: None, done: vec![] };
    let played = c.run(&home, &Cancel::default(), &|g| {
        let rate = |i: usize, half: bool| { let n = g.moves.len(); let r = if half { 0..n/2 } else { n/2..n };
            let (x, t) = g.moves[r].iter().filter(|m| m.0 == i).fold((0, 0), |s, m| (s.0 + m.1, s.1 + m.2)); 1000 * x / (t + 1) };
        eprintln!("{} score {} moves {} solved at {:?} k/s A {} {} B {} {} ", g.record.pairing.begins(), g.record.score_of(0), g.record.moves, g.solved_at, rate(0, true), rate(0, false), rate(1, true), rate(1, false));
    }).unwrap();
    println!("{}", Tally::of(played.iter().map(|p| &p.record)).table([&a[3], &a[4]]));
    println!("store {} MB, values {}", home.store.bytes() >> 20, home.tables.values.len());
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    match a[1].as_str() {
        "clobber" => go(Clobber::<u64>::default(), &a),
        "domineering" => go(Domineering::<u64>::default(), &a),
        "amazons" => go(Amazons::<u64>::default(), &a),
        "konane" => go(Konane::<u64>::default(), &a),
        _ => go(NoGo::<u64>::default(), &a),
    }
}
