//! Arbitrary games that end in a score.

use gb_board::Random;
use gb_rules::{Game, Player, Rules, Scoring, direct, interned};
use gb_search::question::ExactValue;
use gb_search::{ScoreError, ScoreSearch, SearchContext, Table, reduced_value, search};
use gb_value::{Budget, Dyadic, Store, Value};

use crate::tree::{Tree, TreeGame, minimax};

fn trees() -> Game<2> {
    interned(TreeGame)
}

fn ask(store: &Store, at: &Vec<Tree>) -> Result<Value, ScoreError> {
    let budget = Budget::unlimited();
    let game = trees();
    reduced_value(
        &*game,
        &game.read(&TreeGame.show(at)).unwrap(),
        &Table::new(),
        &SearchContext::new(store, &budget),
    )
}

fn random_tree(depth: usize, random: &mut Random) -> Tree {
    if depth == 0 || random.below(4) == 0 {
        return Tree::Leaf(random.below(13) as i64 - 6);
    }
    let mut side = || (0..1 + random.below(2)).map(|_| random_tree(depth - 1, random)).collect();
    Tree::Node(side(), side())
}

/// Whether some position is worse for whoever moves, by trying everything.
fn has_zugzwang(tree: &Tree) -> bool {
    let Tree::Node(left, right) = tree else { return false };
    let at = vec![tree.clone()];
    minimax(&TreeGame, &at, Player::Left) < minimax(&TreeGame, &at, Player::Right)
        || left.iter().chain(right).any(has_zugzwang)
}

#[test]
fn scores_are_stops_unless_there_is_zugzwang() {
    let mut random = Random::new(77, 0);
    let (mut mapped, mut refused) = (0, 0);
    while mapped < 3000 || refused < 500 {
        let tree = random_tree(3, &mut random);
        if matches!(tree, Tree::Leaf(_)) {
            continue;
        }
        let store = Store::new();
        let at = vec![tree.clone()];
        match ask(&store, &at) {
            Ok(value) => {
                mapped += 1;
                assert!(!has_zugzwang(&tree), "{}", TreeGame.show(&at));
                let budget = Budget::unlimited();
                let kernel = store.kernel(&budget);
                for first in Player::BOTH {
                    let stop = kernel.stop(value, first).unwrap().unwrap();
                    assert_eq!(
                        stop,
                        Dyadic::integer(minimax(&TreeGame, &at, first)),
                        "{}",
                        TreeGame.show(&at)
                    );
                }
                // Reducing at every node is reducing in the end.
                let game = trees();
                let key = game.read(&TreeGame.show(&at)).unwrap();
                let exact =
                    search(&*game, &ExactValue, &Table::new(), &key, &SearchContext::new(&store, &budget));
                assert_eq!(kernel.reduced(exact.unwrap()).unwrap(), value);
            }
            Err(ScoreError::Zugzwang { position, left, right }) => {
                refused += 1;
                assert!(left < right && has_zugzwang(&tree));
                let found = TreeGame.read(&position).unwrap();
                assert_eq!(left, Dyadic::integer(minimax(&TreeGame, &found, Player::Left)));
                assert_eq!(right, Dyadic::integer(minimax(&TreeGame, &found, Player::Right)));
            }
            Err(other) => panic!("{}: {other}", TreeGame.show(&at)),
        }
    }
}

#[test]
fn sums_are_translated_part_by_part_or_as_a_whole() {
    let mut random = Random::new(78, 0);
    let mut sums = 0;
    while sums < 300 {
        let at: Vec<Tree> = (0..2).map(|_| random_tree(2, &mut random)).collect();
        if at.iter().any(|tree| has_zugzwang(tree) || matches!(tree, Tree::Leaf(_))) {
            continue;
        }
        sums += 1;
        let (store, budget) = (Store::new(), Budget::unlimited());
        let value = ask(&store, &at).unwrap();
        let kernel = store.kernel(&budget);
        for first in Player::BOTH {
            let stop = kernel.stop(value, first).unwrap().unwrap();
            assert_eq!(stop, Dyadic::integer(minimax(&TreeGame, &at, first)), "{}", TreeGame.show(&at));
        }
    }
}

/// The examples of F. Maeser's thesis, figures 8.1 and 8.2.
#[test]
fn the_examples_of_the_thesis() {
    let store = Store::new();
    let at = TreeGame.read("{{3|1},3|-3,{-2|-4}}").unwrap();
    let value = ask(&store, &at).unwrap();
    let budget = Budget::unlimited();
    let kernel = store.kernel(&budget);
    assert_eq!(value, kernel.read("{3|-3,{-2|-4}}").unwrap());
    // Two positions of mutual zugzwang: whoever begins wins, though as values they would be 0 + 0.
    let at = TreeGame.read("{-1|1}+{-3|3}").unwrap();
    assert_eq!(minimax(&TreeGame, &at, Player::Left), 2);
    assert_eq!(minimax(&TreeGame, &at, Player::Right), -2);
    let error = ask(&store, &at).unwrap_err().to_string();
    assert_eq!(
        error,
        "mutual zugzwang in `{-1|1}`: Left moving first ends with -1, Right moving first with 1, so both would rather \
         not move, and no combinatorial game has these scores"
    );
    let error = ask(&store, &TreeGame.read("{{5,{0|}|-5}|-9}").unwrap()).unwrap_err().to_string();
    assert_eq!(error, "in `{0|}` only Left can move: expected a game that goes on until nobody can move");
}

#[test]
fn games_without_a_score_are_refused() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let game: Game<3> = direct(gb_games::games::clobber::Clobber::<u64>::default());
    let at = game.read("xo").unwrap();
    let error = reduced_value(&*game, &at, &Table::new(), &SearchContext::new(&store, &budget)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "clobber does not end in a score: who cannot move loses; ask for its exact value instead"
    );
    let position = gb_games::game("clobber").unwrap().read("xo").unwrap();
    let deepen = |depth| {
        gb_search::heuristic::deepen(&position, depth, &SearchContext::new(&store, &budget), &|_, _, _| {})
            .unwrap_err()
            .to_string()
    };
    assert_eq!(deepen(0), "the depth must be at least 1: at depth 0 no move is looked at");
    assert!(deepen(1).starts_with("clobber does not end in a score"));
}

/// By trying everything; a player who cannot move passes while the other can.
fn with_passes(at: &Vec<Tree>, first: Player) -> i64 {
    let can_move = |who| TreeGame.moves(at, who, &mut |_| std::ops::ControlFlow::Break(())).is_break();
    if !can_move(first) && !can_move(first.opponent()) {
        return 0;
    }
    if !can_move(first) {
        return with_passes(at, first.opponent());
    }
    let mut scores = vec![];
    let _ = TreeGame.moves(at, first, &mut |mv| {
        let mut next = at.clone();
        TreeGame.play(&mut next, first, &mv);
        scores.push(TreeGame.points(at, first, &mv) + with_passes(&next, first.opponent()));
        std::ops::ControlFlow::Continue(())
    });
    let best = if first == Player::Left { scores.into_iter().max() } else { scores.into_iter().min() };
    best.unwrap()
}

#[test]
fn scores_are_found_with_and_without_zugzwang() {
    let mut random = Random::new(79, 0);
    for _ in 0..2000 {
        let at: Vec<Tree> = (0..1 + random.below(2)).map(|_| random_tree(2, &mut random)).collect();
        let at: Vec<Tree> = at.into_iter().filter(|tree| matches!(tree, Tree::Node(..))).collect();
        let (store, budget, table) = (Store::new(), Budget::unlimited(), Table::new());
        let context = SearchContext::new(&store, &budget);
        let game = trees();
        let key = game.read(&TreeGame.show(&at)).unwrap();
        let search = ScoreSearch::new(&*game, &table, &context);
        for first in Player::BOTH {
            let expected = Dyadic::integer(with_passes(&at, first));
            assert_eq!(search.score(&key, first), Ok(expected), "{} {first}", TreeGame.show(&at));
        }
    }
}
