//! Learns which moves strong players make in Clobber (`PRIORS` in `gb-games/src/games/clobber/priors.rs`), from games of players who
//! know everything: `cargo run --release -p gb-play --example priors -- 500 30` (games, milliseconds a move).

use std::ops::ControlFlow;
use std::time::Duration;

use gb_board::Random;
use gb_board::Size;
use gb_games::games::clobber::{ASPECTS, Clobber, aspects};
use gb_play::mcts::{Mcts, Settings};
use gb_play::{Knowledge, Limits, Timing};
use gb_rules::{Coding, Direct, MoveCode, MoveKey, Player, Rules, direct};
use gb_search::GameTables;
use gb_value::Store;

/// As if every aspect had been seen so often without any preference.
const DOUBT: f32 = 1.0;
const ROUNDS: u32 = 400;
/// No position has a move whose aspects are more.
const MOST_ASPECTS: f32 = 7.0;
const THREADS: u64 = 2;

/// For each move of a position its aspects, and how often it was tried.
type Sample = Vec<(Vec<usize>, f32)>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<u64> = std::env::args().skip(1).map(|arg| arg.parse()).collect::<Result<_, _>>()?;
    let [games, ms] = args[..] else { return Err("expected a number of games and of milliseconds".into()) };
    let (tables, store) = (GameTables::default(), Store::new());
    let samples: Vec<Sample> = std::thread::scope(|scope| {
        let (tables, store) = (&tables, &store);
        let work = |thread: u64| {
            let games = (0..games).filter(move |game| game % THREADS == thread);
            scope.spawn(move || games.flat_map(|game| play(game, ms, tables, store)).collect::<Vec<_>>())
        };
        let threads: Vec<_> = (0..THREADS).map(work).collect();
        let joined = |thread: std::thread::ScopedJoinHandle<'_, Vec<Sample>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(joined).collect()
    });
    let priors = learn(&samples);
    println!("{:?}", priors.iter().map(|prior| (prior * 16.0).round() as i8).collect::<Vec<_>>());
    Ok(())
}

/// The positions of a game, until the winner is known.
fn play(game: u64, ms: u64, tables: &GameTables<3>, store: &Store) -> Vec<Sample> {
    let rules = Clobber::<u64>::default();
    let mut random = Random::new(1, game);
    let Ok(mut board) = Size::read("8x8").and_then(|size| rules.start(size)) else { return vec![] };
    let mut who = Player::Left;
    for _ in 0..2 + 2 * (game % 3) {
        let mut moves = vec![];
        let _ = rules.moves(&board, who, &mut |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        rules.play(&mut board, who, &moves[random.index(moves.len() as u32) as usize]);
        who = who.opponent();
    }
    let settings = Settings::for_knowledge(Knowledge::ALL);
    let mut players = [0, 1].map(|i| Mcts::new(direct(rules), Knowledge::ALL, settings, 2 * game + i));
    let limits = Limits { timing: Timing::Processor, ..Limits::time(Duration::from_millis(ms)) };
    let mut samples = vec![];
    while let Some(choice) = players[who as usize].choose(&Direct.key(&board), 0, who, tables, store, &limits)
    {
        if choice.winner.is_some() {
            break;
        }
        let all: u32 = choice.tried.iter().map(|&(_, visits, _)| visits).sum();
        let of_move = |(mv, visits, _): &(MoveKey, u32, f32)| {
            let mut list = vec![];
            aspects(&board, who, &MoveCode::of_code(mv.0), &mut |aspect| list.push(aspect));
            (list, *visits as f32 / all as f32)
        };
        samples.push(choice.tried.iter().map(of_move).collect());
        rules.play(&mut board, who, &MoveCode::of_code(choice.mv.0));
        who = who.opponent();
    }
    samples
}

/// The weights of aspects under which what was tried most is likeliest: each move as likely as the exponential of the sum of its
/// weights.
fn learn(samples: &[Sample]) -> Vec<f32> {
    let mut weights = vec![0f32; ASPECTS];
    for round in 0..=ROUNDS {
        let (mut slope, mut seen, mut fit) = (vec![0f32; ASPECTS], vec![DOUBT; ASPECTS], 0.0);
        for moves in samples {
            let chances: Vec<f32> =
                moves.iter().map(|(list, _)| list.iter().map(|&i| weights[i]).sum::<f32>().exp()).collect();
            let sum: f32 = chances.iter().sum();
            for ((list, share), chance) in moves.iter().zip(chances) {
                fit += f64::from(share * (chance / sum).ln());
                for &aspect in list {
                    slope[aspect] += share - chance / sum;
                    seen[aspect] += chance / sum;
                }
            }
        }
        if round % 100 == 0 {
            let even: f64 = samples.iter().map(|moves| -(moves.len() as f64).ln()).sum();
            let n = samples.len() as f64;
            eprintln!(
                "round {round}: {:.4} for each of {n} positions, {:.4} without priors",
                fit / n,
                even / n
            );
        }
        for ((weight, slope), seen) in weights.iter_mut().zip(slope).zip(seen) {
            *weight += (slope - DOUBT * *weight) / seen / MOST_ASPECTS;
        }
    }
    weights
}
