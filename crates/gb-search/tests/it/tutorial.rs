//! The game of docs/new-game.md, as a newcomer would write it.

#[path = "../../../../docs/examples/stepping_stones.rs"]
mod stepping_stones;

use std::fs;
use std::path::Path;
use std::process::Command;

use gb_rules::conformance;
use gb_search::sum::{Moves, SumReport, Summand, examine};
use gb_search::{GameTables, SearchContext};
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
    assert!(needed.lines().count() <= 85, "the rules of a game take at most 85 lines");
}

#[test]
fn the_game_of_the_tutorial_conforms_and_is_analysed() {
    let name = gb_rules::GameName::read("stepping-stones").unwrap();
    assert!(stepping_stones::stepping_stones(&name.arguments).is_ok());
    let texts = ["x..o", ".x.o.", "x..o.x.o", "xx..oo", "oxox", "..o..x.."];
    let game: gb_rules::Game<3> = gb_rules::direct(SteppingStones);
    conformance::check(&*game, &texts, 10_000).expect("a game that conforms");
    let (store, budget, tables) = (Store::new(), Budget::unlimited(), GameTables::default());
    let context = SearchContext::new(&store, &budget);
    let kernel = store.kernel(&budget);
    let values =
        [("x.o", "*"), ("x..o", "0"), ("x...o", "*"), ("x..", "2"), ("..o.x.", "-1"), ("xx.o", "{1|0}")];
    for (text, expected) in values {
        let value = tables.value(&*game, &game.read(text).unwrap(), &context).unwrap();
        assert_eq!(value, kernel.read(expected).unwrap(), "{text}");
    }
    let at = game.read("x..o.x.o").unwrap();
    let examined = examine(&*game, &at, Moves::Valued, &tables, &context, &|_, _, _| {});
    let report = SumReport::new(&kernel, vec![Summand::Position(examined)]);
    let moves = report.winning_moves(Player::Left);
    let labels: Vec<&str> = moves.iter().map(|m| m.on_board.unwrap().label.as_str()).collect();
    assert_eq!(labels, ["a1-b1", "f1-g1"]);
}

/// The text between the first line that is `open` after `after`, and the next fence.
fn block<'p>(page: &'p str, after: &str, open: &str) -> &'p str {
    let rest = page.split_once(after).unwrap_or_else(|| panic!("the page says `{after}`")).1;
    rest.split_once(open).expect("a block").1.split_once("```").expect("its end").0
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Does what the page says, on a copy of the crates that a game needs, and runs the tests of the list there.
#[test]
fn the_page_can_be_followed() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(project.join("docs/new-game.md")).unwrap();
    let folder = std::env::temp_dir().join(format!("gamebench-tutorial-{}", std::process::id()));
    for name in ["gb-memory", "gb-value", "gb-board", "gb-rules", "gb-text", "gb-search", "gb-games"] {
        copy(&project.join("crates").join(name), &folder.join("crates").join(name));
    }
    copy(&project.join("testdata"), &folder.join("testdata"));
    copy(&project.join("games"), &folder.join("games"));
    fs::copy(project.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let manifest = fs::read_to_string(project.join("Cargo.toml")).unwrap();
    // The compiler takes longer than the tests of the list do: nothing is optimised.
    let manifest = manifest.split("[profile.").next().unwrap();
    let manifest = manifest.replace("default-members = [\"crates/gamebench\", \"crates/gb-cli\"]", "");
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();

    let games = folder.join("crates/gb-games/src/games");
    fs::write(games.join("stepping_stones.rs"), block(&page, "## The file", "```rust\n")).unwrap();
    let line = block(&page, "crates/gb-games/src/list.rs", "```text\n");
    let list = folder.join("crates/gb-games/src/list.rs");
    let text = fs::read_to_string(&list).unwrap();
    let next = "    \"subtraction\" =>";
    assert!(text.contains(next), "the game after ours in the list");
    fs::write(&list, text.replacen(next, &format!("{line}{next}"), 1)).unwrap();
    let module = block(&page, "crates/gb-games/src/games/mod.rs", "```text\n");
    let modules = games.join("mod.rs");
    let text = fs::read_to_string(&modules).unwrap();
    fs::write(&modules, format!("{text}{module}")).unwrap();

    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--quiet", "-p", "gb-games", "--test", "suite", "list::"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .output()
        .unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    fs::remove_dir_all(&folder).unwrap();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("4 passed"), "{said}");
}
