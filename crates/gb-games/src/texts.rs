//! The games of the list that are texts: those whose text is as fast as a file in Rust, and that have nothing to say beyond their
//! rules. The texts stand beside those files; docs/games.md describes their language.

use std::sync::LazyLock;

use gb_text::TextGame;

/// Games with the names of their texts. Each is read once, when it is first asked for.
macro_rules! texts {
    ($($game:ident = $name:literal;)*) => {
        $(pub(crate) static $game: LazyLock<TextGame> =
            LazyLock::new(|| read(include_str!(concat!("games/", $name, ".game"))));)*
    };
}

texts! {
    FISSION = "fission";
    KONANE = "konane";
    PEG_DUOTAIRE = "peg-duotaire";
    TOPPLING_DOMINOES = "toppling-dominoes";
}

fn read(text: &str) -> TextGame {
    // The tests read them all.
    TextGame::read_built_in(text).unwrap_or_else(|error| panic!("a game of the list: {error}"))
}
