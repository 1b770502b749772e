//! Which move is made, and why: the three cases of the paper, and what happens when something is missing.

use gb_go::{
    Analysis, Board, Effort, Estimate, Game, KoRule, Move, Safety, Settings, Why, analyse, choose, dominant,
    estimates,
};
use gb_value::{Budget, Player, Store};

use crate::facts::load;
use crate::rivals::generated;

fn pick(game: &Game, before: Option<&Safety>, budget: &Budget) -> (String, Why) {
    let store = Store::new();
    let choice = choose(&store.kernel(budget), game, game.to_play, before, &Settings::default());
    let name = match choice.mv {
        Move::Stone(point) => game.board.name(point),
        Move::Pass => "pass".into(),
    };
    (name, choice.why)
}

#[test]
fn threats_to_territory_are_answered_and_others_ignored() {
    // Black has four points in a row. In the middle White threatens, at the end he does not.
    let board = Board::read("....X|XXXXX|OOOOO|O.OO.|OOOOO").unwrap();
    let before = Safety::of(&board, &Effort::default());
    for (intrusion, answer) in
        [("B5", ("C5", Why::Reply)), ("C5", ("B5", Why::Reply)), ("A5", ("pass", Why::Finished))]
    {
        let mut game = Game::new(board.clone(), Player::Right, KoRule::Simple);
        game.play(Player::Right, Move::Stone(board.point_of(intrusion).unwrap())).unwrap();
        let (name, why) = pick(&game, Some(&before), &Budget::unlimited());
        assert_eq!((name.as_str(), why), answer, "{intrusion}");
    }
}

#[test]
fn searched_territory_is_defended_by_search() {
    let effort = Effort { statics: false, ..Effort::default() };
    let settings = Settings { effort, ..Settings::default() };
    let board = Board::read("....X|XXXXX|OOOOO|O.OO.|OOOOO").unwrap();
    let before = Safety::of(&board, &effort);
    let mut game = Game::new(board.clone(), Player::Right, KoRule::Simple);
    game.play(Player::Right, Move::Stone(board.point_of("C5").unwrap())).unwrap();
    let (store, budget) = (Store::new(), Budget::unlimited());
    let choice = choose(&store.kernel(&budget), &game, Player::Left, Some(&before), &settings);
    assert_eq!((choice.mv, choice.why), (Move::Stone(board.point_of("B5").unwrap()), Why::Reply));
}

#[test]
fn neutral_points_are_filled_last() {
    let board = |text| Game::new(Board::read(text).unwrap(), Player::Left, KoRule::Simple);
    // A corridor in the middle and a neutral point on the right, then the neutral point alone, then nothing.
    let mut game = board("OOOOOOO|O.OOO.O|OOOOOO.|XXX.XXX|XXX.XXX|X.X.X.X|XXXXXXX");
    for expected in [("D4", Why::Sum), ("G5", Why::Neutral), ("pass", Why::Finished)] {
        let (name, why) = pick(&game, None, &Budget::unlimited());
        assert_eq!((name.as_str(), why), expected);
        let mv = game.board.point_of(&name).map_or(Move::Pass, Move::Stone);
        game.play(game.to_play, mv).unwrap();
    }
}

/// In a ko nothing is certain but what one move makes so: Black connects, White takes, and connects in his turn.
#[test]
fn kos_are_fought_when_nothing_else_is_left() {
    let ko = Board::read("XXXOOOO|X.XOO.O|XXXOOOO|XX.XOOO|XXXOOOO|X.XOO.O|XXXOOOO").unwrap();
    let mut game = Game::new(ko.clone(), Player::Left, KoRule::Simple);
    assert_eq!(pick(&game, None, &Budget::unlimited()), ("C4".into(), Why::Ko));
    game.to_play = Player::Right;
    assert_eq!(pick(&game, None, &Budget::unlimited()), ("C4".into(), Why::Ko));
    game.play(Player::Right, Move::Stone(ko.point_of("C4").unwrap())).unwrap();
    // Black may not take back at once.
    assert_eq!(pick(&game, None, &Budget::unlimited()), ("pass".into(), Why::Undecided));
    game.play(Player::Left, Move::Pass).unwrap();
    assert_eq!(pick(&game, None, &Budget::unlimited()), ("D4".into(), Why::Ko));
}

/// Where one incentive dominates all others, the move is among those that lose nothing.
#[test]
fn dominant_incentives_are_best_moves() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let mut found = 0;
    for game in generated(10).into_iter().chain([load("c9_equiv_9x9"), load("c11_equiv_19x19")]) {
        let analysis: Analysis = analyse(&kernel, &game, &Settings::default());
        for player in Player::BOTH {
            if let Some(point) = dominant(&kernel, &analysis, player) {
                let mv = analysis.moves[player as usize].iter().find(|mv| mv.point == point).unwrap();
                assert!(
                    mv.loss.as_ref().unwrap().is_zero(),
                    "{player} {}\n{}",
                    game.board.name(point),
                    game.board
                );
                found += 1;
            }
        }
    }
    assert!(found > 3, "{found}");
}

/// With a budget for the areas but not for their sum, the move comes from incentives or from the hottest area.
#[test]
fn a_sum_that_is_too_large_is_played_all_the_same() {
    let game = load("c11_equiv_19x19");
    let (_, why) = pick(&game, None, &Budget::unlimited().with_nodes(0));
    assert_eq!(why, Why::Playouts);
    for nodes in [2_000, 10_000] {
        let (name, why) = pick(&game, None, &Budget::unlimited().with_nodes(nodes));
        assert!(matches!(why, Why::Hottest | Why::Incentive), "{nodes}: {name} {why:?}");
    }
}

/// Guesses are about the areas without values only, come in the order of their temperatures, and say what is certain.
#[test]
fn areas_without_values_are_estimated() {
    // Two walls without eyes, between them a line that either would like to have.
    let board = Board::read("..X.O..|..X.O..|..X.O..|..X.O..|..X.O..|..X.O..|..X.O..").unwrap();
    let game = Game::new(board, Player::Left, KoRule::Simple);
    let (store, budget) = (Store::new(), Budget::unlimited());
    let settings = Settings { effort: Effort::BENSON, ..Settings::default() };
    let analysis = analyse(&store.kernel(&budget), &game, &settings);
    let found = estimates(&game, &analysis, &budget);
    assert_eq!(found.len(), 1);
    assert!(found.is_sorted_by(|a, b| a.temperature >= b.temperature));
    let Estimate { temperature, error, bounds, .. } = found[0];
    assert!(error > 0.0 && error < 2.0 && temperature.abs() < 20.0, "{found:?}");
    // 35 empty points, and twice the 7 stones of the loser.
    assert_eq!(bounds, (-49, 49));
    let solved = Board::read("OOOOOOO|O.OOO.O|OOOOOOO|XXX.XXX|X.X.XXX|XXX.X.X|XXXXXXX").unwrap();
    let game = Game::new(solved, Player::Left, KoRule::Simple);
    let analysis = analyse(&store.kernel(&budget), &game, &settings);
    assert!(estimates(&game, &analysis, &budget).is_empty());
}
