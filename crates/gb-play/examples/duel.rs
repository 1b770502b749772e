//! A match between two players with settings of their own, for trying settings out:
//! `cargo run --release -p gb-play --example duel -- clobber 8x8 mcts+all mcts --games 40 --ms 30`.
//! Settings follow a player after `@`: `mcts+all@puct=2,expand=2`.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use gb_board::Random;
use gb_board::Size;
use gb_games::games::{
    amazons::Amazons, clobber::Clobber, domineering::Domineering, konane::Konane, nogo::NoGo,
};
use gb_play::alphabeta::AlphaBeta;
use gb_play::mcts::{Mcts, Puct, Settings};
use gb_play::{Limits, PlayerKind, Spec, Timing};
use gb_rules::{Game, Key, Player as Side, direct};
use gb_search::GameTables;
use gb_value::Store;

struct Args {
    size: String,
    players: [String; 2],
    games: u64,
    ms: [u64; 2],
    nodes: Option<u64>,
    random: u32,
    seed: u64,
    threads: [usize; 2],
    verbose: bool,
    /// Milliseconds for each position of games that A lost, looking for its last mistake.
    oracle: u64,
    /// If not 0, games begin where a player who knows everything has proven the result in so many milliseconds a move, and
    /// A is the one who has lost.
    proven: u64,
    /// Time of the wall instead of processor time.
    wall: bool,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let all: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| all.iter().position(|a| a == name).and_then(|i| all.get(i + 1)).cloned();
    let number = |name: &str, usual: u64| flag(name).map_or(Ok(usual), |text| text.parse::<u64>());
    let args = Args {
        size: all[1].clone(),
        players: [all[2].clone(), all[3].clone()],
        games: number("--games", 40)?,
        ms: [number("--ms", 30)?, number("--msb", number("--ms", 30)?)?],
        nodes: flag("--nodes").map(|n| n.parse()).transpose()?,
        random: number("--random", 4)? as u32,
        seed: number("--seed", 1)?,
        threads: [number("--ta", 1)? as usize, number("--tb", 1)? as usize],
        wall: all.iter().any(|a| a == "--wall"),
        proven: number("--from-proof", 0)?,
        oracle: number("--oracle", 0)?,
        verbose: all.iter().any(|a| a == "-v"),
    };
    match all[0].as_str() {
        "clobber" => duel::<3>(direct(Clobber::<u64>::default()), &args),
        "konane" => duel::<3>(direct(Konane::<u64>::default()), &args),
        "nogo" => duel::<4>(direct(NoGo::<u64>::default()), &args),
        "amazons" => duel::<3>(direct(Amazons::<u64>::default()), &args),
        "domineering" => duel::<2>(direct(Domineering::<u64>::default()), &args),
        other => Err(format!("no game {other}").into()),
    }
}

enum Mind<const N: usize> {
    Mcts(Box<Mcts<N>>),
    AlphaBeta(Box<AlphaBeta<N>>),
}

fn mind<const N: usize>(
    rules: &Game<N>,
    text: &str,
    seed: u64,
) -> Result<Mind<N>, Box<dyn std::error::Error>> {
    let (name, rest) = text.split_once('@').unwrap_or((text, ""));
    let spec: Spec = name.parse()?;
    if spec.engine == PlayerKind::AlphaBeta {
        return Ok(Mind::AlphaBeta(Box::new(AlphaBeta::new(rules.clone(), spec.knowledge, seed))));
    }
    let mut settings = Settings::for_knowledge(spec.knowledge);
    for pair in rest.split(',').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').ok_or("key=value")?;
        match key {
            "exploration" => settings.exploration = value.parse()?,
            "first" => settings.first_play = value.parse()?,
            "puct" => settings.puct = Some(Puct { exploration: value.parse()?, fpu_reduction: 0.2 }),
            "even" => settings.puct = None,
            "expand" => settings.expand_after = value.parse()?,
            "caution" => settings.caution = value.parse()?,
            "leaf-nodes" => settings.leaf_nodes = value.parse()?,
            "leaf-moves" => settings.leaf_moves = value.parse()?,
            "separate" => settings.separate_trees = value.parse()?,
            "root-share" => settings.root_share = value.parse()?,
            other => return Err(format!("there is no setting {other}").into()),
        }
    }
    Ok(Mind::Mcts(Box::new(Mcts::new(rules.clone(), spec.knowledge, settings, seed))))
}

fn duel<const N: usize>(rules: Game<N>, args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let (tables, store) = (GameTables::<N>::default(), Store::new());
    let mut won = [0u64; 2];
    let mut rates: Vec<[(u64, f64); 2]> = vec![];
    let mut solved = [0u64; 2];
    let mut over = 0f64;
    for game in 0..args.games {
        let a_is = if game % 2 == 0 { Side::Left } else { Side::Right };
        let mut random = Random::new(args.seed, game / 2);
        let mut board = rules.start(Size::read(&args.size)?)?;
        let (mut who, mut points) = (Side::Left, 0);
        let moves = |board: &Key<N>, who: Side| {
            let mut moves = vec![];
            let _ = rules.moves(board, who, &mut |mv| {
                moves.push(mv);
                ControlFlow::Continue(())
            });
            moves
        };
        for _ in 0..args.random {
            let choices = moves(&board, who);
            let mv = &choices[random.index(choices.len() as u32) as usize];
            let (after, more) = rules.play(&board, who, *mv);
            (board, points) = (after, points + more);
            who = who.opponent();
        }
        let mut a_is = a_is;
        if args.proven > 0 {
            let Mind::Mcts(mut guide) = mind(&rules, "mcts+all", game)? else {
                return Err("no guide".into());
            };
            let time = Limits::time(Duration::from_millis(args.proven));
            let limits = Limits { timing: Timing::Processor, ..time };
            while let Some(choice) = guide.choose(&board, points, who, &tables, &store, &limits) {
                if let Some(winner) = choice.winner {
                    a_is = winner.opponent();
                    break;
                }
                let (after, more) = rules.play(&board, who, choice.mv);
                (board, points) = (after, points + more);
                who = who.opponent();
            }
        }
        let seed = args.seed.wrapping_mul(1000).wrapping_add(game);
        let mut minds =
            [mind(&rules, &args.players[0], 2 * seed)?, mind(&rules, &args.players[1], 2 * seed + 1)?];
        let (mut number, mut first_proof) = (0usize, [None; 2]);
        let (mut drops, mut positions) = (vec![], vec![]);
        let winner = loop {
            if moves(&board, who).is_empty() {
                break who.opponent();
            }
            let index = usize::from(who != a_is);
            let mut limits = match args.nodes {
                Some(nodes) => Limits::nodes(nodes),
                None => Limits::time(Duration::from_millis(args.ms[index])),
            };
            limits.threads = args.threads[index];
            limits.timing = if args.wall { Timing::Wall } else { Timing::Processor };
            let clock = Instant::now();
            let (mv, proven, nodes, note) = match &mut minds[index] {
                Mind::Mcts(mcts) => {
                    let choice = mcts.choose(&board, points, who, &tables, &store, &limits).unwrap();
                    (choice.mv, choice.winner, choice.playouts, format!("{:.2}", choice.chance))
                }
                Mind::AlphaBeta(search) => {
                    let choice = search.choose(&board, points, who, &tables, &store, &limits).unwrap();
                    (choice.mv, choice.winner, choice.nodes, format!("d{} {}", choice.depth, choice.score))
                }
            };
            let spent = clock.elapsed().as_secs_f64();
            if args.nodes.is_none() && args.wall {
                if spent > args.ms[index] as f64 / 1000.0 + 0.1 {
                    println!("late {:.0} ms: {} {who} {} nodes", spent * 1e3, rules.show(&board), nodes);
                }
                over = over.max(spent - args.ms[index] as f64 / 1000.0);
            }
            if args.verbose {
                let claim = proven.map_or("-".to_string(), |w| if w == who { "win" } else { "loss" }.into());
                drops.push(format!("{}:{}/{}/{}", ["A", "B"][index], nodes, note, claim));
            }
            while rates.len() <= number {
                rates.push([(0, 0.0); 2]);
            }
            rates[number][index].0 += nodes;
            rates[number][index].1 += spent;
            if proven.is_some() && first_proof[index].is_none() {
                first_proof[index] = Some((number, proven == Some(who)));
            }
            positions.push((board, points, who));
            let (after, more) = rules.play(&board, who, mv);
            (board, points) = (after, points + more);
            who = who.opponent();
            number += 1;
        };
        let index = usize::from(winner != a_is);
        won[index] += 1;
        for i in 0..2 {
            solved[i] += first_proof[i].map_or(0, |(at, _)| (number - at) as u64);
        }
        if index == 1 && args.oracle > 0 {
            let last = last_mistake(&rules, &positions, a_is, args.oracle, &tables, &store)?;
            println!(
                "game {game}: A lost after {number} moves, proofs {first_proof:?}; last mistake: {last}"
            );
        }
        if args.verbose {
            println!("game {game}: {} wins after {number} moves, proofs {first_proof:?}", ["A", "B"][index]);
            println!("   {}", drops.join(" "));
        }
    }
    let n = args.games as f64;
    let share = won[0] as f64 / n;
    println!(
        "{} {} vs {}: {}-{} = {:.1}% ± {:.1}; proofs {:.1} and {:.1} moves before the end; latest {:.0} ms over; {} MB",
        args.size,
        args.players[0],
        args.players[1],
        won[0],
        won[1],
        100.0 * share,
        196.0 * (share * (1.0 - share) / n).sqrt(),
        solved[0] as f64 / n,
        solved[1] as f64 / n,
        over * 1000.0,
        (store.bytes() + tables.values.bytes()) >> 20,
    );
    for (number, row) in rates.iter().enumerate().step_by(4) {
        let rate = |(nodes, time): (u64, f64)| if time > 0.0 { nodes as f64 / time / 1000.0 } else { 0.0 };
        print!(" {number}:{:.0}/{:.0}", rate(row[0]), rate(row[1]));
    }
    println!("  (thousands a second, A/B)");
    Ok(())
}

/// The last position in which a player who lost could still have won, as far as a longer search finds it.
fn last_mistake<const N: usize>(
    rules: &Game<N>,
    positions: &[(Key<N>, i64, Side)],
    loser: Side,
    ms: u64,
    tables: &GameTables<N>,
    store: &Store,
) -> Result<String, Box<dyn std::error::Error>> {
    let Mind::Mcts(mut oracle) = mind(rules, "mcts+all", 7)? else { return Err("no oracle".into()) };
    for (number, (board, points, who)) in positions.iter().enumerate().rev() {
        if *who == loser {
            let limits = Limits::time(Duration::from_millis(ms));
            let winner = oracle.choose(board, *points, *who, tables, store, &limits).and_then(|c| c.winner);
            let left = positions.len() - number;
            if winner.is_none() {
                return Ok(format!("not after move {number}, {left} before the end, which is not proven"));
            }
            if winner == Some(loser) {
                return Ok(format!("move {number}, {left} before the end"));
            }
        }
    }
    Ok("none".into())
}
