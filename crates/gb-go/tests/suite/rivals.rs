//! Decomposition search against other ways of playing: alpha-beta here, GNU Go outside.

use gb_go::gtp::Session;
use gb_go::{Area, Game, KoRule, Pruning, Rival, Scoring, Settings, Wanted, WholeBoard, analyse, endgame};
use gb_value::{Budget, Dyadic, Player, Store};

use crate::facts::load;

/// Alpha-beta on growing sets of areas finds the same scores, in more and more nodes.
#[test]
fn alpha_beta_agrees_on_growing_sets_of_areas() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let settings = Settings { scoring: Scoring::TerritoryNeutralZero, ..Settings::default() };
    for (name, most, paper) in [("c9_equiv_9x9", 6, 48), ("c11_equiv_19x19", 7, 420)] {
        let game = load(name);
        let analysis = analyse(&kernel, &game, &settings);
        let nodes: u64 = analysis.areas.iter().map(|area| area.facts.as_ref().unwrap().nodes).sum();
        assert!(nodes <= paper, "{nodes} nodes, {paper} in Mueller's paper");
        let areas: Vec<Area> =
            (0..most).map(|i| analysis.area(&game.board, i).expect("a small area")).collect();
        let mut last = 0;
        for count in 1..=most {
            let whole = WholeBoard::new(&kernel, &areas[..count], Pruning::ALL).unwrap().expect("no kos");
            let indices: Vec<usize> = (0..count).collect();
            let stops = analysis.stops_of(&kernel, &indices).unwrap().unwrap();
            for first in Player::BOTH {
                let solved = whole.solve(first, u64::MAX, 1 << 16).expect("no limit");
                assert_eq!(Dyadic::from(solved.score), stops[first as usize], "{name} {count} {first}");
                if first == game.to_play {
                    assert!(solved.nodes > last);
                    last = solved.nodes;
                }
            }
        }
        let whole = WholeBoard::new(&kernel, &areas, Pruning::ALL).unwrap().expect("no kos");
        assert_eq!(whole.solve(game.to_play, last - 1, 1 << 16), None, "a limit is kept");
    }
}

const WANTED: Wanted = Wanted { size: 9, areas: 4, points: (3, 6) };

pub fn generated(count: usize) -> Vec<Game> {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    (1..).filter_map(|seed| endgame(&kernel, seed, WANTED)).take(count).collect()
}

#[test]
fn generated_endgames_are_hard_and_solved() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    for game in generated(10) {
        for scoring in [Scoring::Territory, Scoring::TerritoryNeutralZero] {
            let analysis = analyse(&kernel, &game, &Settings { scoring, ..Settings::default() });
            assert!(analysis.areas.len() >= WANTED.areas && analysis.is_complete(), "\n{}", game.board);
            let all: Vec<usize> = (0..analysis.areas.len()).collect();
            let areas: Vec<Area> =
                all.iter().map(|&i| analysis.area(&game.board, i).expect("a small area")).collect();
            let whole = WholeBoard::new(&kernel, &areas, Pruning::ALL).unwrap().expect("no kos");
            let stops = analysis.stops_of(&kernel, &all).unwrap().unwrap();
            for first in Player::BOTH {
                let solved = whole.solve(first, u64::MAX, 1 << 16).expect("no limit");
                assert_eq!(Dyadic::from(solved.score), stops[first as usize], "{first}\n{}", game.board);
            }
        }
    }
    assert_eq!(generated(1)[0].board, generated(1)[0].board, "the same seed, the same board");
}

/// A few of the games that `cargo run --release -p gb-go --example match_gnugo` plays.
#[test]
fn gnugo_never_gets_more_than_was_predicted() {
    if let Err(error) = Rival::gnugo() {
        eprintln!("SKIPPED: no match, because GNU Go is not installed ({error})");
        return;
    }
    let positions = generated(2).into_iter().chain([load("c9_equiv_9x9")]);
    for game in positions {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let analysis = analyse(&store.kernel(&budget), &game, &Settings::default());
        let predicted = analysis.score.expect("a solved position")[game.to_play as usize].clone();
        for ours in Player::BOTH {
            let mut session = Session::new(Settings::default(), KoRule::Simple, Budget::unlimited);
            let result = Rival::gnugo().unwrap().play(&game, &mut session, ours).unwrap();
            let gained = if ours == Player::Left { &result - &predicted } else { &predicted - &result };
            assert!(gained.signum() >= 0, "{ours}: {result} instead of {predicted}\n{}", game.board);
        }
    }
}
