//! Known winning moves, in sums of values and on boards.

use std::collections::BTreeSet;

use gb_board::testing::facts;
use gb_rules::{DynGame, Game, Key, Player, with_game};
use gb_search::sum::{Component, Moves, SumReport, Summand, analyse, best_move, examine};
use gb_search::{GameTables, SearchContext};
use gb_value::{Budget, Kernel, Outcome, PlayStop, Store, Value};

fn value(kernel: &Kernel<'_>, text: &str) -> Value {
    kernel.read(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// `0:1 2:^*` as pairs of a component and a value.
fn pairs(kernel: &Kernel<'_>, text: &str) -> BTreeSet<(usize, Value)> {
    text.split_whitespace()
        .filter(|&word| word != "-")
        .map(|word| {
            let (index, option) = word.split_once(':').expect("index:option");
            (index.parse().expect("an index"), value(kernel, option))
        })
        .collect()
}

#[test]
fn sums_of_values_have_the_known_winning_moves() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    for row in facts("values/sums.tsv") {
        let components: Vec<Component> = row[0]
            .split(" + ")
            .map(|text| {
                Component::of_value(&kernel, text.into(), value(&kernel, text), |_| String::new()).unwrap()
            })
            .collect();
        let analysis = analyse(&kernel, &components).unwrap();
        assert_eq!(analysis.total, value(&kernel, &row[1]), "{}", row[0]);
        assert_eq!(analysis.outcome.to_string(), row[6], "{}", row[0]);
        for player in Player::BOTH {
            let found: BTreeSet<(usize, Value)> = analysis.winning[player as usize]
                .iter()
                .map(|w| (w.at.component, components[w.at.component].moves_of(player)[w.at.index].to))
                .collect();
            assert_eq!(found, pairs(&kernel, &row[7 + player as usize]), "{player} in {}", row[0]);
            check_best_move(&kernel, &components, analysis.total, player, &row);
        }
    }
}

/// The chosen move wins if any does, and reaches the best stop.
fn check_best_move(
    kernel: &Kernel<'_>,
    components: &[Component],
    total: Value,
    player: Player,
    row: &[String],
) {
    let Some(choice) = best_move(kernel, components, player).unwrap() else { return };
    let to = components[choice.at.component].moves_of(player)[choice.at.index].to;
    let rest = kernel.sub(total, components[choice.at.component].value).unwrap();
    let after = kernel.add(rest, to).unwrap();
    let wins = match player {
        Player::Left => kernel.le(Value::ZERO, after).unwrap(),
        Player::Right => kernel.le(after, Value::ZERO).unwrap(),
    };
    let can_win = matches!((player, row[6].as_str()), (_, "N") | (Player::Left, "L") | (Player::Right, "R"));
    assert_eq!(wins, can_win, "{player} in {}", row[0]);
    if !kernel.is_number(total) {
        let stop = |v: Value, first: Player| kernel.play_stop(v, first).unwrap();
        let reached = stop(after, player.opponent());
        let best = stop(total, player);
        assert!(matches!(best, PlayStop::Number(_)));
        assert_eq!(reached, best, "{player} in {}", row[0]);
    }
}

struct WinningMoves<'a> {
    row: &'a [String],
}

impl WinningMoves<'_> {
    fn visit<const N: usize>(self, rules: Game<N>) {
        let (store, budget, tables) = (Store::new(), Budget::unlimited(), GameTables::default());
        let at = rules.read(&self.row[1]).unwrap();
        let examined = examine(
            &*rules,
            &at,
            Moves::Valued,
            &tables,
            &SearchContext::new(&store, &budget),
            &|_, _, _| {},
        );
        let kernel = store.kernel(&budget);
        let report = SumReport::new(&kernel, vec![Summand::Position(examined)]);
        let analysis = report.analysis.as_ref().unwrap();
        assert_eq!(analysis.outcome.to_string(), self.row[2]);
        for player in Player::BOTH {
            let moves: BTreeSet<String> = report
                .winning_moves(player)
                .iter()
                .map(|m| {
                    let label = &m.on_board.expect("a move on the board").label;
                    after(&*rules, &at, player, label)
                })
                .collect();
            let text = &self.row[5 + player as usize];
            let expected: BTreeSet<String> =
                text.split(';').filter(|t| *t != "-").map(str::to_owned).collect();
            assert_eq!(moves, expected, "{player} in {} {}", self.row[0], self.row[1]);
        }
    }
}

fn after<const N: usize>(rules: &dyn DynGame<N>, at: &Key<N>, player: Player, label: &str) -> String {
    let mut result = None;
    let _ = rules.moves(at, player, &mut |mv| {
        if rules.move_text(at, player, mv) == label {
            let (next, _) = rules.play(at, player, mv);
            result = Some(rules.show(&next));
        }
        std::ops::ControlFlow::Continue(())
    });
    result.expect("a move of this name")
}

#[test]
fn boards_have_the_known_winning_moves() {
    let rows = facts("games/winning_moves.tsv");
    assert!(rows.len() > 50);
    for row in &rows {
        with_game!(gb_games::open(&row[0], &row[1]).unwrap(), game => WinningMoves { row }.visit(game));
    }
}

#[test]
fn different_games_and_values_can_be_added() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    struct Examine<'a>(&'a str, &'a SearchContext<'a>);
    impl Examine<'_> {
        fn visit<const N: usize>(self, rules: Game<N>) -> Summand {
            let at = rules.read(self.0).unwrap();
            Summand::Position(examine(
                &*rules,
                &at,
                Moves::Valued,
                &GameTables::default(),
                self.1,
                &|_, _, _| {},
            ))
        }
    }
    let context = SearchContext::new(&store, &budget);
    let position = |game: &str, text: &str| with_game!(gb_games::open(game, text).unwrap(), game => Examine(text, &context).visit(game));
    let summands = vec![
        position("clobber", "xo.|.ox"),
        position("domineering", "..|.."),
        Summand::Value { text: "^*".into(), value: value(&kernel, "^*") },
    ];
    let report = SumReport::new(&kernel, summands);
    let analysis = report.analysis.as_ref().unwrap();
    assert_eq!(analysis.outcome, Outcome::N);
    let moves = report.winning_moves(Player::Left);
    assert!(moves.iter().all(|m| m.summand == 1), "only the hot game wins: {moves:?}");
    assert_eq!(moves[0].on_board.unwrap().label, "a1-a2");
}
