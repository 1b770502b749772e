//! Games that were played to the end.

use std::fs;
use std::path::Path;

use gb_go::{KoRule, Settings, analyse, follow, follow_text, likely, sgf};
use gb_value::{Budget, Dyadic, Store};

/// The records of testdata/games/go, made by scripts/go-corpus.py, with the counts of GNU Go.
fn games() -> Vec<(String, i64)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/games/go");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let result = text.split("RE[").nth(1).unwrap().split(']').next().unwrap();
        let points: i64 = result.trim_start_matches(['B', 'W', '+']).trim_end_matches(".0").parse().unwrap();
        (text.clone(), if result.starts_with('W') { -points } else { points })
    };
    paths.iter().map(read).collect()
}

#[test]
fn finished_games_count_what_they_count() {
    for (text, count) in games() {
        let game = sgf::read(&text, KoRule::Simple, None).unwrap();
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let proven = analyse(&kernel, &game, &Settings::default());
        let score = match &proven.score {
            Some(score) => score.clone(),
            None => likely(&kernel, &game, &Settings::default(), &proven).score.expect("a likely score"),
        };
        assert_eq!(score, [Dyadic::from(count), Dyadic::from(count)], "\n{}", game.board);
    }
}

#[test]
fn records_are_followed() {
    // The second of them is proven.
    let (text, count) = &games()[1];
    let moves = sgf::count_moves(text).unwrap();
    let steps = follow(text, KoRule::Simple, moves - 3, &Settings::default(), Budget::unlimited).unwrap();
    assert_eq!(steps.len(), 4);
    let last = steps.last().unwrap();
    assert_eq!((last.name.as_str(), last.is_exact), ("pass", true));
    assert_eq!(last.score, Some(Dyadic::from(*count)));
    assert_eq!(last.loss, Some(Dyadic::ZERO));
    let shown = follow_text(&steps);
    assert!(shown.contains("Of 4 moves"), "{shown}");
}
