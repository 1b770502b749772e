//! Tables of outcomes change how long an answer takes, and never the answer.

use std::sync::Arc;

use gb_board::Random;
use gb_db::{Library, Scope, Settings};
use gb_engine::Engine;
use gb_play::Limits;
use gb_rules::Player;
use gb_value::Budget;

/// An engine with who wins every board of Clobber 4x4.
fn with_outcomes(folder: &std::path::Path) -> Engine {
    let engine = Engine::new(1);
    let (game, scope) = (engine.tabulated_game("clobber", "4x4").unwrap(), Scope::Outcomes(4, 4));
    gb_db::build(game, scope, folder, Budget::unlimited(), &Settings::default(), &|_| {}).unwrap();
    engine.with_library(Library::open(folder, Arc::new(|error| panic!("{error}"))))
}

/// A board whose cells are drawn by lot, fewer of them empty than not.
fn board(rows: usize, cols: usize, random: &mut Random) -> String {
    let mut row = || (0..cols).map(|_| ['.', 'x', 'o', 'x', 'o'][random.below(5)]).collect::<String>();
    (0..rows).map(|_| row()).collect::<Vec<_>>().join("|")
}

#[test]
fn who_wins_is_the_same_with_tables() {
    let folder = tempfile::tempdir().unwrap();
    let (with, without) = (with_outcomes(folder.path()), Engine::new(1));
    let mut random = Random::new(11, 0);
    let mut searched = [0, 0];
    // Boards that are in the table, boards of which parts are, and boards of one large part.
    for (rows, cols) in [(4, 4), (3, 2), (2, 9), (3, 8), (1, 20), (4, 7)].repeat(12) {
        let text = board(rows, cols, &mut random);
        let budgets = [Budget::unlimited(), Budget::unlimited()];
        let [one, other] = [(&with, 0), (&without, 1)].map(|(engine, i)| {
            let winners = engine.winners("clobber", &text, &budgets[i]).unwrap().winners.unwrap();
            searched[i] += winners.nodes;
            winners.outcome().unwrap()
        });
        assert_eq!(one, other, "{text}");
    }
    assert!(searched[0] < searched[1], "{searched:?}");
}

#[test]
fn players_know_who_wins_single_parts() {
    let folder = tempfile::tempdir().unwrap();
    let (with, judge) = (with_outcomes(folder.path()), Engine::new(1));
    let mut random = Random::new(12, 0);
    let mut won = 0;
    for _ in 0..12 {
        let text = board(4, 4, &mut random);
        let first =
            judge.winners("clobber", &text, &Budget::unlimited()).unwrap().winners.unwrap().left_first;
        let Ok(chosen) = with.choose("clobber", &text, Player::Left, "ab+solved", &Limits::nodes(1)) else {
            continue;
        };
        let Some(winner) = chosen.winner else { continue };
        won += 1;
        assert_eq!(first.unwrap(), gb_value::loopy::Ending::won_by(winner), "{text}: {chosen:?}");
    }
    assert!(won > 3, "some are known at once");
}
