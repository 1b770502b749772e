//! The games in docs/games.md are games.

use gb_rules::{Player, Variant};
use gb_text::TextGame;

#[test]
fn the_games_of_the_document_are_games() {
    let path = crate::gallery().join("../docs/games.md");
    let document = std::fs::read_to_string(path).unwrap();
    let mut found = 0;
    for block in document.split("```game\n").skip(1) {
        let text = block.split("```").next().unwrap();
        let game = TextGame::read(text, &[]).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        let example = game.info().example;
        let position = game.open(Variant::Plain, example).read(example).unwrap();
        assert!(Player::BOTH.into_iter().any(|who| !position.options(who).is_empty()), "{text}");
        found += 1;
    }
    assert!(found >= 10, "{found}");
}
