//! Kos and other cycles: which area, which bounds, and when they do not matter.

use gb_board::Xorshift;
use gb_go::{
    AreaReport, Board, Game, KoRule, LocalFailure, LocalSearch, Pruning, Report, Scoring, Settings,
    WholeBoard, analyse, optimal_line,
};
use gb_value::{Budget, Player, Store};

use crate::judge::walled;
use crate::random::{is_sound, random_area};

/// Left of the middle Black, right of it White, two eyes each, and a ko between them.
const KO: &str = "XXXOOOO|X.XOO.O|XXXOOOO|XX.XOOO|XXXOOOO|X.XOO.O|XXXOOOO";

#[test]
fn a_ko_that_decides_is_reported_with_its_bounds() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let game = Game::new(Board::read(KO).unwrap(), Player::Left, KoRule::Simple);
    let analysis = analyse(&kernel, &game, &Settings::default());
    assert_eq!(analysis.areas.len(), 1);
    let area = &analysis.areas[0];
    assert_eq!(game.board.names(&area.points), "C4 D4");
    let Err(LocalFailure::Ko { lower, upper }) = area.facts else { panic!("{:?}", area.facts) };
    let text = Report { game: &game, analysis: &analysis, line: &[] }.text(&kernel);
    assert_eq!([lower, upper], ["0|-1", "0||0|-1"].map(|v| kernel.read(v).unwrap()));
    for part in [
        "A: a ko decides: between 0|-1 and Tiny(1)\n",
        "The score is open: areas without a value are A. It is even if Black begins, between White by 1 \
         and even if White begins. If Black is komaster: even, whoever begins; if White is: even if Black begins, White by 1 \
         if White begins. Settled so far: even.",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

/// Some areas in which play can repeat have a value all the same; where not, the bounds are in order.
#[test]
fn cycles_matter_or_not() {
    let store = Store::new();
    let mut random = Xorshift(0x5EED_0021);
    let (mut harmless, mut decisive) = (0, 0);
    for round in 0..600 {
        let area = random_area(&mut random, 3 + round % 4, 2 + round % 4);
        if !is_sound(&area) {
            continue;
        }
        let budget = Budget::unlimited().with_nodes(20_000);
        let kernel = store.kernel(&budget);
        let value = LocalSearch::new(&kernel, Scoring::Territory, Pruning::NONE).value(&area);
        let repeats =
            matches!(WholeBoard::new(&kernel, std::slice::from_ref(&area), Pruning::NONE), Ok(None));
        match value {
            Ok(_) if repeats => harmless += 1,
            Ok(_) => {}
            Err(LocalFailure::Ko { lower, upper }) => {
                decisive += 1;
                let unlimited = Budget::unlimited();
                let kernel = store.kernel(&unlimited);
                assert!(repeats);
                assert!(lower != upper && kernel.le_close(lower, upper).unwrap());
            }
            Err(_) => {}
        }
    }
    assert!(harmless > 10 && decisive > 10, "{harmless} harmless, {decisive} decisive");
}

/// Where values are known but for infinitesimals, because play may repeat, the line of best play is none the worse: it is
/// legal, repeats nothing, and ends with the score that was predicted.
#[test]
fn lines_of_best_play_where_play_may_repeat() {
    let room = "OOO...XXX|O.O...X.X|OOOOXXXXX|O.OOXX.XX|OOOOXXXXX|OOOOXXXXX|OOOOXXXXX|OOOOXXXXX|OOOOXXXXX";
    let mut random = Xorshift(0x5EED_0042);
    let mut boards = vec![Board::read(room).unwrap()];
    boards.extend((0..30).map(|_| walled(&mut random, 7)).filter(|b| b.without_liberty().is_none()));
    let (mut lines, mut reduced) = (0, 0);
    for board in boards {
        for first in Player::BOTH {
            let (store, budget) = (Store::new(), Budget::unlimited());
            let (kernel, settings) = (store.kernel(&budget), Settings::default());
            let mut game = Game::new(board.clone(), first, KoRule::Superko);
            let analysis = analyse(&kernel, &game, &settings);
            let Some(score) = &analysis.score else { continue };
            let predicted = score[first as usize].clone();
            let Ok(line) = optimal_line(&kernel, &board, &analysis, first, &settings) else { continue };
            lines += usize::from(!line.is_empty());
            let is_reduced = |area: &AreaReport| area.facts.as_ref().is_ok_and(|facts| facts.is_reduced);
            reduced += usize::from(!line.is_empty() && analysis.areas.iter().any(is_reduced));
            for step in &line {
                game.play(step.player, step.mv).unwrap_or_else(|error| panic!("{error}\n{board}"));
            }
            let end = analyse(&kernel, &game, &settings).score.expect("the end of a line is decided");
            assert_eq!(end[game.to_play as usize], predicted, "{first:?} first\n{board}");
        }
    }
    assert!(lines > 20 && reduced > 0, "{lines} lines, {reduced} of them where play may repeat");
}
