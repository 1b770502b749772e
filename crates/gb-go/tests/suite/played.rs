//! Games that were played to the end.

use std::fs;
use std::path::Path;

use gb_go::{Following, KoRule, Settings, analyse, follow_text, likely, sgf};
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
    let following = Following::new(text, KoRule::Simple, moves - 3, &Settings::default()).unwrap();
    assert_eq!(following.len(), 4);
    // In any order: the last positions are known first.
    let mut steps: Vec<_> = (0..4).rev().map(|index| following.step(index, Budget::unlimited)).collect();
    steps.reverse();
    assert_eq!(
        steps.iter().map(|step| step.number).collect::<Vec<_>>(),
        (moves - 3..=moves).collect::<Vec<_>>()
    );
    let last = steps.last().unwrap();
    assert_eq!((last.name.as_str(), last.is_exact), ("pass", true));
    assert_eq!(last.score, Some(Dyadic::from(*count)));
    assert_eq!(last.loss, Some(Dyadic::ZERO));
    let shown = follow_text(&steps);
    assert!(shown.contains("Of 4 moves"), "{shown}");
}

/// Each position before a move is the one that reading up to there gives.
#[test]
fn moves_come_with_the_positions_before_them() {
    let text = &games()[0].0;
    let moves = sgf::moves(text, KoRule::Simple, 5).unwrap();
    assert_eq!(moves.len() + 4, sgf::count_moves(text).unwrap());
    for (index, (game, player, mv)) in moves.iter().enumerate() {
        let before = sgf::read(text, KoRule::Simple, Some(index + 5)).unwrap();
        assert_eq!((&game.board, game.to_play, game.ko()), (&before.board, before.to_play, before.ko()));
        let mut after = before.clone();
        after.play(*player, *mv).unwrap();
        let next = moves.get(index + 1).map(|next| next.0.board.clone());
        assert_eq!(after.board, next.unwrap_or_else(|| sgf::read(text, KoRule::Simple, None).unwrap().board));
    }
}
