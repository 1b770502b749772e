//! The folder and the list agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gb_rules::Player;

/// Names that are instances of the game of another file.
const INSTANCES: &[&str] = &["kayles", "dawsons-kayles"];

/// Names of games that are texts.
const TEXTS: &[&str] = &["fission", "konane", "peg-duotaire", "toppling-dominoes"];

/// A name with parameters where the game needs some.
pub(crate) fn full_name(name: &str) -> String {
    match name {
        "octal" => "octal(0.77)".into(),
        "subtraction" => "subtraction(1,3,4)".into(),
        other => other.into(),
    }
}

/// A file is Rust or a text.
#[test]
fn every_file_is_a_game_of_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games");
    let files: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().replace('_', "-"))
        .filter(|name| name != "mod")
        .collect();
    let names: BTreeSet<String> = gb_games::NAMES
        .iter()
        .filter(|name| !INSTANCES.contains(name))
        .map(|name| name.to_string())
        .collect();
    assert_eq!(files, names);
}

/// They go by their names alone, so that tables and records that were made when they were files are still theirs.
#[test]
fn texts_of_the_list_have_plain_names() {
    for name in TEXTS {
        for full in [name.to_string(), format!("impartial({name})")] {
            assert_eq!(gb_games::game(&full).unwrap().info().name, full);
        }
        let argument = gb_games::game(&format!("{name}(3)")).unwrap_err().to_string();
        assert!(argument.contains("takes no parameters"), "{argument}");
    }
}

#[test]
fn the_list_is_sorted() {
    assert!(gb_games::NAMES.is_sorted());
}

#[test]
fn every_game_describes_itself_and_its_example_can_be_played() {
    for name in gb_games::NAMES {
        let game = gb_games::game(&full_name(name)).unwrap();
        let info = game.info();
        assert_eq!(info.name, full_name(name));
        assert!(info.rules.ends_with("loses.") || info.rules.ends_with("counted."), "{name}: {}", info.rules);
        let mut at = game.read(info.example).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!at.parts().is_empty(), "{name}");
        let mut who = Player::Left;
        let mut plies = 0;
        while let Some(choice) = at.moves(who, 1).pop() {
            let next = at.play(who, &choice.text).unwrap();
            assert_eq!(next.show(), choice.result);
            (at, who, plies) = (next, who.opponent(), plies + 1);
            if info.loopy && plies > 100 {
                break;
            }
        }
        assert!(plies > 1, "{name}");
        assert!(at.play(who, "a1").is_err(), "{name}");
    }
}
