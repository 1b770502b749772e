//! Random positions: clever ways against plain ones.

use gb_board::Xorshift;
use gb_go::{
    Area, Board, Effort, Game, KoRule, LocalSearch, Move, Point, Pruning, Reason, Safety, Scoring, Settings,
    analyse,
};
use gb_value::{Budget, Dyadic, Player, Store};

/// A board in which every block has a liberty, with about `empty` of 10 points empty.
pub fn random_board(random: &mut Xorshift, size: usize, empty: usize) -> Board {
    let mut board = Board::new(size);
    for point in board.points() {
        let stone = match random.below(10) {
            n if n < empty => None,
            n if n % 2 == 0 => Some(Player::Left),
            _ => Some(Player::Right),
        };
        board.set(point, stone);
    }
    for point in board.points() {
        if board.at(point).is_some() && board.block(point).liberties.is_empty() {
            board.set(point, None);
        }
    }
    board
}

/// An area as a random walk of `size` points in the middle of a board of walls.
pub fn random_area(random: &mut Xorshift, size: usize, stones: usize) -> Area {
    let mut board = Board::new(7);
    for point in board.points() {
        // Mostly one colour above and another below, as at real borders.
        let upper = point < 24 + random.below(3) as u16;
        board.set(point, Some(if upper { Player::Right } else { Player::Left }));
    }
    let mut points: Vec<Point> = vec![24];
    while points.len() < size {
        let from = points[random.below(points.len())];
        let next: Vec<Point> = board
            .neighbours(from)
            .filter(|&p| {
                let (x, y) = board.place(p);
                (1..6).contains(&x) && (1..6).contains(&y) && !points.contains(&p)
            })
            .collect();
        if let Some(&point) = next.get(random.below(4)) {
            points.push(point);
        }
    }
    points.sort_unstable();
    let mut inside = board.clone();
    for &point in &points {
        let stone = match random.below(10) {
            n if n < stones => Some(if n % 2 == 0 { Player::Left } else { Player::Right }),
            _ => None,
        };
        inside.set(point, stone);
    }
    Area::cut(&inside, &points, |p| board.at(p)).expect("a small area")
}

/// Whether every block in it has a liberty or touches its own wall.
pub fn is_sound(area: &Area) -> bool {
    let parts = area.split();
    !parts.is_empty()
        && parts.iter().all(|part| {
            part.empties() != 0
                && Player::BOTH.iter().all(|&p| {
                    (0..part.len()).filter(|&i| part.stones(p) >> i & 1 == 1).all(|i| {
                        // Within a part, a stone is alive if it can reach an empty point over its own colour.
                        let mut reach = 1u64 << i;
                        loop {
                            let grown = (0..part.len())
                                .filter(|&j| reach >> j & 1 == 1)
                                .fold(reach, |r, j| r | part.neighbours(j));
                            if grown & part.empties() != 0 {
                                return true;
                            }
                            let next = grown & part.stones(p);
                            if next == reach {
                                return false;
                            }
                            reach = next;
                        }
                    })
                })
        })
}

#[test]
fn pruning_never_changes_a_value() {
    let store = Store::new();
    let mut random = Xorshift(0x5EED_0002);
    let prunings = [
        Pruning { control: true, ..Pruning::NONE },
        Pruning { entrance: true, ..Pruning::NONE },
        Pruning { duplicates: true, ..Pruning::NONE },
        Pruning { settled: true, ..Pruning::NONE },
        Pruning::ALL,
    ];
    let (mut valued, mut failed, mut different) = (0, 0, [0; 5]);
    for round in 0..400 {
        let area = random_area(&mut random, 1 + round % 6, round % 4);
        if !is_sound(&area) {
            continue;
        }
        for scoring in [Scoring::Territory, Scoring::TerritoryNeutralZero, Scoring::Area] {
            // Areas full of kos take too long.
            let budget = Budget::unlimited().with_nodes(20_000);
            let kernel = store.kernel(&budget);
            let mut plain = LocalSearch::new(&kernel, scoring, Pruning::NONE);
            let Ok(value) = plain.value(&area) else {
                failed += 1;
                continue;
            };
            for (pruning, different) in prunings.into_iter().zip(&mut different) {
                let budget = Budget::unlimited().with_nodes(200_000);
                let kernel = store.kernel(&budget);
                let mut pruned = LocalSearch::new(&kernel, scoring, pruning);
                assert_eq!(pruned.value(&area).as_ref(), Ok(&value), "{area:?} {scoring:?} {pruning:?}");
                // Settled parts count as nodes of their own, so that a small search may look larger.
                *different += u64::from(plain.nodes() != pruned.nodes());
            }
            valued += 1;
        }
    }
    assert!(
        valued > 500 && different.iter().all(|&n| n > 0),
        "{valued} valued, {failed} failed, {different:?} searched differently"
    );
}

#[test]
fn area_scoring_cooled_by_one_is_territory_scoring() {
    let store = Store::new();
    let mut random = Xorshift(0x5EED_0003);
    let mut checked = 0;
    for round in 0..600 {
        let area = random_area(&mut random, 1 + round % 6, round % 4);
        if !is_sound(&area) {
            continue;
        }
        let budget = Budget::unlimited().with_nodes(10_000);
        let kernel = store.kernel(&budget);
        let by_area = LocalSearch::new(&kernel, Scoring::Area, Pruning::ALL).value(&area);
        let by_territory = LocalSearch::new(&kernel, Scoring::Territory, Pruning::ALL).value(&area);
        if let (Ok(by_area), Ok(by_territory)) = (by_area, by_territory) {
            assert_eq!(kernel.cool(by_area, &Dyadic::ONE).unwrap(), by_territory, "{area:?}");
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked}");
}

/// Plain minimax by area scoring with passes and superko, on some points: the score for the player to move, `None` if it
/// takes too long.
fn minimax(
    game: &Game,
    open: &[Point],
    mut alpha: i64,
    beta: i64,
    depth: u32,
    nodes: &mut u64,
) -> Option<i64> {
    if game.is_over() {
        let score = game.board.area_score();
        return Some(if game.to_play == Player::Left { score } else { -score });
    }
    *nodes = nodes.checked_sub(1)?;
    let depth = depth.checked_sub(1)?;
    let moves = open.iter().copied().filter(|&p| game.board.at(p).is_none()).map(Move::Stone);
    let mut best = None;
    for mv in moves.chain([Move::Pass]) {
        let mut next = game.clone();
        if next.play(game.to_play, mv).is_ok() {
            let score = -minimax(&next, open, -beta, -alpha, depth, nodes)?;
            best = best.max(Some(score));
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
    }
    best
}

#[test]
fn predicted_scores_are_those_of_plain_minimax() {
    let budget = Budget::unlimited();
    let mut random = Xorshift(0x5EED_0004);
    let settings = Settings { scoring: Scoring::Area, area_nodes: 20_000, ..Settings::default() };
    let mut checked = 0;
    for _ in 0..250 {
        // Most boards are decided, and brute force takes its time.
        if checked >= 30 {
            break;
        }
        // A wall across, eyes on both sides, and a few random changes between.
        let mut board = Board::read("OOOOOO|O.OO.O|OOOOOO|XXXXXX|XXXXXX|X.XX.X").unwrap();
        for _ in 0..2 + random.below(4) {
            let point = 12 + random.below(18) as u16;
            board.set(point, [None, None, Some(Player::Left), Some(Player::Right)][random.below(4)]);
        }
        if board.points().any(|p| board.at(p).is_some() && board.block(p).liberties.is_empty()) {
            continue;
        }
        let safe = Safety::of(&board, &Effort::BENSON);
        let open: Vec<Point> = board.points().filter(|&p| safe.owner(p).is_none()).collect();
        let has_dead_stones = board
            .points()
            .any(|p| safe.owner(p).is_some() && board.at(p).is_some_and(|s| safe.owner(p) != Some(s)));
        if has_dead_stones || open.is_empty() {
            continue;
        }
        for first in Player::BOTH {
            let game = Game::new(board.clone(), first, KoRule::Superko);
            let store = Store::new();
            let kernel = store.kernel(&budget);
            let analysis = analyse(&kernel, &game, &settings);
            let (Some(score), false) = (&analysis.score, analysis.areas.is_empty()) else { continue };
            let Some(plain) = minimax(&game, &open, -100, 100, 30, &mut 20_000) else { continue };
            let plain = if first == Player::Left { plain } else { -plain };
            assert_eq!(score[first as usize], Dyadic::from(plain), "{first} first\n{board}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn what_more_effort_proves_is_not_less_than_benson() {
    let mut random = Xorshift(0x5EED_0005);
    let mut more = 0;
    for _ in 0..300 {
        let board = random_board(&mut random, 5, 4);
        let plain = Safety::of(&board, &Effort::BENSON);
        let full = Safety::of(&board, &Effort { search_nodes: 2000, ..Effort::default() });
        for point in board.points() {
            if let Some(owner) = plain.owner(point) {
                assert_eq!(full.owner(point), Some(owner), "\n{board}");
                assert_eq!(full.reason(point), Some(Reason::Unconditional));
            } else if full.owner(point).is_some() {
                more += 1;
            }
        }
    }
    assert!(more > 0);
}
