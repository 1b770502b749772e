//! Rooms that are too large for canonical forms: what is found without them, against what canonical forms say about rooms that
//! are just small enough.

use gb_board::Xorshift;
use gb_go::{
    Analysis, AreaFacts, Board, Fraction, Game, KoReport, KoRule, LocalSearch, Pruning, Scoring, Settings,
    analyse, thermographs,
};
use gb_value::{Budget, Dyadic, PlayStop, Player, Store};

use crate::judge::{open_points, walled};

fn with(store: &Store, board: &Board, settings: &Settings) -> Analysis {
    let (budget, game) = (Budget::unlimited(), Game::new(board.clone(), Player::Left, KoRule::Simple));
    analyse(&store.kernel(&budget), &game, settings)
}

fn fraction(number: &Dyadic) -> Fraction {
    Fraction::of_dyadic(number).unwrap()
}

/// Compares thermographs that were found without canonical forms with those of the value: means, temperatures, and stops.
fn compare(report: &KoReport, facts: &AreaFacts, what: &str) {
    for found in &report.masters {
        let at_zero = found.walls.each_ref().map(|wall| wall.at(Fraction::ZERO).unwrap());
        let stops = facts.stops.each_ref().map(|stop| match stop {
            PlayStop::Number(number) => fraction(number),
            _ => panic!("{stop:?}"),
        });
        // Below 0 these thermographs say nothing.
        let temperature = fraction(&facts.temperature).max(Fraction::ZERO);
        let expected = (fraction(&facts.mean), temperature, stops);
        assert_eq!((found.mean, found.temperature, at_zero), expected, "{what}");
    }
}

#[test]
fn thermographs_without_canonical_forms_are_those_of_the_values() {
    let rounds = if std::env::var("GB_LONG_TESTS").is_ok() { 4_000 } else { 40 };
    for scoring in Scoring::ALL {
        let (mut random, mut compared, mut hot) = (Xorshift(0x5EED_0071), 0, 0);
        for _ in 0..rounds {
            let points = 3 + random.below(6);
            let board = walled(&mut random, points);
            let (store, budget) = (Store::new(), Budget::unlimited());
            let slow = with(&store, &board, &Settings { scoring, ..Settings::default() });
            if open_points(&board).is_none() {
                continue;
            }
            for (index, area) in slow.areas.iter().enumerate() {
                let Ok(facts) = &area.facts else { continue };
                let (kernel, area) = (store.kernel(&budget), slow.area(&board, index).unwrap());
                let mut search = LocalSearch::new(&kernel, scoring, Pruning::ALL);
                let Ok(Some(report)) = thermographs(&mut search, &area, scoring) else { continue };
                compare(&report, facts, &format!("{scoring:?}\n{board}"));
                compared += 1;
                hot += usize::from(facts.temperature > Dyadic::ZERO);
            }
        }
        println!("{scoring:?}: {compared} compared, {hot} hot");
        assert!(compared > 8 && hot > 4, "{scoring:?}: {compared} compared, {hot} hot");
    }
}

/// Scores that were searched for alone, because all rooms were said to be too large.
#[test]
fn scores_without_values_are_those_of_the_values() {
    let rounds = if std::env::var("GB_LONG_TESTS").is_ok() { 4_000 } else { 100 };
    for scoring in Scoring::ALL {
        let (mut random, mut compared, mut given_up) = (Xorshift(0x5EED_0072), 0, 0);
        for _ in 0..rounds {
            let points = 4 + random.below(7);
            let board = walled(&mut random, points);
            if open_points(&board).is_none() {
                continue;
            }
            let store = Store::new();
            let slow = with(&store, &board, &Settings { scoring, ..Settings::default() });
            if !slow.is_complete() || slow.areas.is_empty() {
                continue;
            }
            let Some(score) = slow.score else { continue };
            let fast = with(&store, &board, &Settings { scoring, max_area: 0, ..Settings::default() });
            match (&fast.score, &fast.searched) {
                (Some(found), Some(_)) => {
                    assert_eq!(*found, score, "{scoring:?}\n{board}");
                    compared += 1;
                }
                _ => given_up += 1,
            }
        }
        println!("{scoring:?}: {compared} compared, {given_up} given up");
        assert!(compared > 5 && compared > 10 * given_up, "{scoring:?}: {compared}, {given_up} given up");
    }
}
