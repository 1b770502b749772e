//! Scores of areas without values, judged by brute force.

use gb_board::Xorshift;
use gb_go::gtp::Session;
use gb_go::{Area, Board, Game, KoRule, Point, Scoring, Settings, analyse, area_scores};
use gb_value::{Budget, Dyadic, Player, Store};

use crate::judge::{open_points, scores, walled};

/// What a search may take for each question.
const NODES: usize = 20_000;

/// The two lowest lines of a small board below White's living wall, nearly full of stones: fights, and sekis among them.
fn fight(random: &mut Xorshift, size: usize) -> Board {
    let mut board = Board::new(size);
    for point in board.points() {
        let (x, y) = board.place(point);
        let stone = match (y, random.below(20)) {
            (0, _) if x == 0 || x + 1 == size => None,
            (y, _) if y + 2 < size => Some(Player::Right),
            // Black's chances are better if he holds what divides the rest from the wall.
            (y, 0..15) if y + 2 == size => Some(Player::Left),
            (_, 0..3) => Some(Player::Left),
            (_, 3..13) => Some(Player::Right),
            _ => None,
        };
        board.set(point, stone);
    }
    board
}

#[derive(Default, Debug)]
struct Verdict {
    unique: usize,
    decided: usize,
    sekis: usize,
}

/// Compares the scores of a board's open points with those of brute force.
fn judge(board: &Board, scoring: Scoring, limit: usize, verdict: &mut Verdict) {
    let Some(open) = open_points(board) else { return };
    let Some(mut truth) = scores(board, &open, scoring, limit) else { return };
    let area = Area::cut(board, &open, |p| board.at(p)).unwrap();
    if scoring == Scoring::Area {
        // The judge counts the whole board, and a search what changes.
        let others: i64 = {
            let mut rest = board.clone();
            open.iter().for_each(|&p| rest.set(p, None));
            let is_open = |p: Point| open.contains(&p);
            let sign = |p: Point| match rest.at(p) {
                Some(Player::Left) => 1,
                Some(Player::Right) => -1,
                None => rest
                    .neighbours(p)
                    .find_map(|n| rest.at(n))
                    .map_or(0, |s| if s == Player::Left { 1 } else { -1 }),
            };
            board.points().filter(|&p| !is_open(p)).map(sign).sum()
        };
        truth = truth.map(|(low, high)| {
            (low - others - area.stone_difference(), high - others - area.stone_difference())
        });
    }
    let found = area_scores(&area, scoring, NODES, &Budget::unlimited()).unwrap();
    let is_unique = truth.iter().all(|(low, high)| low == high);
    verdict.unique += usize::from(is_unique);
    if let Some(found) = found {
        assert_eq!(found.scores.map(|s| (s, s)), truth, "{scoring:?} {found:?}\n{board}");
        verdict.decided += 1;
        verdict.sekis += usize::from(found.is_seki);
        if found.is_seki && std::env::var("GB_SHOW").is_ok() {
            println!("{scoring:?} {:?}\n{board}", found.scores);
        }
    }
}

#[test]
fn scores_are_those_of_brute_force() {
    let rounds = if std::env::var("GB_LONG_TESTS").is_ok() { 1000 } else { 30 };
    for scoring in Scoring::ALL {
        let (mut random, mut rooms, mut fights) =
            (Xorshift(0x5EED_0051), Verdict::default(), Verdict::default());
        for _ in 0..rounds {
            let points = 4 + random.below(6);
            judge(&walled(&mut random, points), scoring, 4_000, &mut rooms);
        }
        // Where dead stones have to be agreed on, the judge takes long.
        let (small, large) = if scoring == Scoring::Area { (rounds, rounds / 10) } else { (rounds / 5, 0) };
        for _ in 0..small {
            judge(&fight(&mut random, 4), scoring, 10_000, &mut fights);
        }
        for _ in 0..large {
            judge(&fight(&mut random, 5), scoring, 60_000, &mut fights);
        }
        println!("{scoring:?}: {rooms:?} {fights:?}");
        for verdict in [&rooms, &fights] {
            assert!(verdict.decided * 100 >= verdict.unique * 95, "{scoring:?}: {verdict:?}");
        }
    }
}

/// Sekis with two shared liberties. Both searches, the one for values and the one for scores, find that nobody moves; in
/// territory scoring nothing in them counts, in area scoring stones do.
#[test]
fn sekis_are_recognised_and_counted() {
    for (text, territory, by_area, stones) in [
        (".OOO.|OOOOO|OOOOO|XXXXX|.OOO.", -2, -13, 8),
        // Turned, with the colours exchanged.
        (".XXO.|XXXOX|XXXOX|XXXOX|.XXO.", 2, 13, 8),
    ] {
        let board = Board::read(text).unwrap();
        for scoring in Scoring::ALL {
            let expected = if scoring == Scoring::Area { by_area } else { territory };
            // So does brute force, which takes long where dead stones have to be agreed on.
            if scoring == Scoring::Area || std::env::var("GB_LONG_TESTS").is_ok() {
                let open = open_points(&board).unwrap();
                let others = if scoring == Scoring::Area { 0 } else { territory };
                let truth = scores(&board, &open, scoring, 60_000).unwrap();
                assert_eq!(truth.map(|(low, high)| (low + others, high + others)), [(expected, expected); 2]);
            }
            let (store, budget) = (Store::new(), Budget::unlimited());
            let kernel = store.kernel(&budget);
            let game = Game::new(board.clone(), Player::Left, KoRule::Simple);
            for max_area in [12, 1] {
                let settings = Settings { scoring, max_area, ..Settings::default() };
                let analysis = analyse(&kernel, &game, &settings);
                let score = analysis.score.clone().unwrap_or_else(|| panic!("{scoring:?}\n{board}"));
                assert_eq!(score, [Dyadic::from(expected), Dyadic::from(expected)], "{scoring:?}\n{board}");
                let seki = analysis.seki_points();
                let count = seki.iter().filter(|&&p| board.at(p).is_some()).count();
                assert_eq!(count, stones, "{scoring:?} {max_area}\n{board}");
                assert_eq!(analysis.searched.is_some(), max_area == 1);
            }
        }
        let mut session = Session::new(Settings::default(), KoRule::Simple, Budget::unlimited);
        session.set_game(Game::new(board.clone(), Player::Left, KoRule::Simple));
        let answer = session.answer("final_status_list seki").unwrap();
        assert_eq!(answer.split_whitespace().count(), stones + 1, "{answer}");
        assert_eq!(session.answer("genmove b").unwrap().trim(), "= pass");
    }
}
