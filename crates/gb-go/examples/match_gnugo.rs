//! Plays endgames out against GNU Go, each position with either colour: `match_gnugo [--generated N] [FILE.sgf..]`.
//! Prints the predicted and the actual score of each game, positive for Black, and what was gained. Ends with an error if a
//! game was below its prediction.

use std::process::ExitCode;

use gb_go::gtp::Session;
use gb_go::{Game, KoRule, Rival, Settings, Wanted, analyse, endgame, sgf};
use gb_value::{Budget, Dyadic, Player, Store};

/// Areas as large as this are hard for people, too.
const WANTED: Wanted = Wanted { size: 13, areas: 7, points: (3, 8) };

fn generated(count: usize) -> Vec<(String, Game)> {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    (1..)
        .filter_map(|seed| Some((format!("generated {seed}"), endgame(&kernel, seed, WANTED)?)))
        .take(count)
        .collect()
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut games: Vec<(String, Game)> = vec![];
    while let Some(argument) = arguments.next() {
        if argument == "--generated" {
            games.extend(generated(arguments.next().and_then(|n| n.parse().ok()).expect("a number")));
        } else {
            let text = std::fs::read_to_string(&argument).expect("a file");
            games.push((argument.clone(), sgf::read(&text, KoRule::Simple, None).expect("a record")));
        }
    }
    let (mut total, mut played, mut below) = (Dyadic::ZERO, 0, 0);
    println!("| position | areas | points | begins | ours | predicted | result | gained |");
    println!("|---|---:|---:|---|---|---:|---:|---:|");
    for (name, game) in games {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let analysis = analyse(&store.kernel(&budget), &game, &Settings::default());
        let points: usize = analysis.areas.iter().map(|area| area.points.len()).sum();
        let predicted = analysis.score.expect("a solved position")[game.to_play as usize].clone();
        for ours in Player::BOTH {
            let mut session = Session::new(Settings::default(), KoRule::Simple, Budget::unlimited);
            let result =
                Rival::gnugo().map_err(Into::into).and_then(|mut r| r.play(&game, &mut session, ours));
            let (areas, first) = (analysis.areas.len(), colour(game.to_play));
            let row = format!("| {name} | {areas} | {points} | {first} | {} | {predicted} |", colour(ours));
            match result {
                Ok(result) => {
                    let gained =
                        if ours == Player::Left { &result - &predicted } else { &predicted - &result };
                    println!("{row} {result} | {gained} |");
                    below += u32::from(gained.signum() < 0);
                    (total, played) = (total + &gained, played + 1);
                }
                Err(error) => {
                    println!("{row} {error} | |");
                    below += 1;
                }
            }
        }
    }
    println!("\n{played} games, {total} points gained, {below} below the prediction");
    if below == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn colour(player: Player) -> &'static str {
    if player == Player::Left { "Black" } else { "White" }
}
