//! The game of docs/new-game.md, as a newcomer would write it.

#[path = "../../../../docs/examples/stepping_stones.rs"]
mod stepping_stones;

use gb_game::conformance;
use gb_local::{Bench, GameTables};
use gb_sum::{Moves, SumReport, Term, examine};
use gb_value::{Budget, Player, Store};
use stepping_stones::SteppingStones;

#[test]
fn the_page_shows_the_file_that_is_tested() {
    let page = include_str!("../../../../docs/new-game.md");
    let file = include_str!("../../../../docs/examples/stepping_stones.rs");
    assert!(
        page.contains(&format!("```rust\n{file}```\n")),
        "docs/new-game.md must show the example as it is"
    );
    let needed = file.split("// From here on").next().unwrap();
    assert!(needed.lines().count() <= 80, "the rules of a game take at most 80 lines");
}

#[test]
fn the_game_of_the_tutorial_conforms_and_is_analysed() {
    let texts = ["x..o", ".x.o.", "x..o.x.o", "xx..oo", "oxox", "..o..x.."];
    conformance::check(&SteppingStones, &texts, 10_000).expect("a game that conforms");
    let (store, budget, tables) = (Store::new(), Budget::unlimited(), GameTables::default());
    let bench = Bench::new(&store, &budget);
    let kernel = store.kernel(&budget);
    let values =
        [("x.o", "*"), ("x..o", "0"), ("x...o", "*"), ("x..", "2"), ("..o.x.", "-1"), ("xx.o", "{1|0}")];
    for (text, expected) in values {
        let at = gb_game::Rules::read(&SteppingStones, text).unwrap();
        let value = tables.value(&SteppingStones, &at, &bench).unwrap();
        assert_eq!(value, kernel.read(expected).unwrap(), "{text}");
    }
    let at = gb_game::Rules::read(&SteppingStones, "x..o.x.o").unwrap();
    let examined = examine(&SteppingStones, &at, Moves::Valued, &tables, &bench, &|_, _, _| {});
    let report = SumReport::new(&kernel, vec![Term::Position(examined)]);
    let moves = report.winning_moves(Player::Left);
    let labels: Vec<&str> = moves.iter().map(|m| m.on_board.unwrap().label.as_str()).collect();
    assert_eq!(labels, ["a1-b1", "f1-g1"]);
}
