//! The games by their names: those of the list, and those that are read from texts.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gb_rules::{AnyGame, Info, NameError, OpenError, Position, Variant, variants};
use gb_text::TextGame;

/// Finds the text of a game by its name as typed (`shove`, `./shove.game`), or says why it cannot be read.
pub type Loader = Box<dyn Fn(&str) -> Option<io::Result<String>> + Send + Sync>;

/// The games of the list, and texts that were added or that a loader finds. Whoever has a clone has the same games.
#[derive(Clone, Default)]
pub struct Games {
    loader: Option<Arc<Loader>>,
    texts: Arc<Mutex<Texts>>,
}

#[derive(Default)]
struct Texts {
    /// Texts by the names under which they were asked for, and by their full names.
    by_name: HashMap<String, String>,
    /// Games that were read, by full name and parameters.
    read: HashMap<(String, Vec<String>), TextGame>,
}

/// So many games that were read are kept, with different parameters of one text; beyond that, they are read again.
const MOST_READ: usize = 64;

impl Texts {
    fn keep(&mut self, key: (String, Vec<String>), game: TextGame) {
        if self.read.len() >= MOST_READ {
            self.read.clear();
        }
        self.read.insert(key, game);
    }
}

/// A name taken apart.
struct Parts<'a> {
    misere: bool,
    variant: Variant,
    base: &'a str,
    arguments: Vec<String>,
}

fn parts(name: &str) -> Parts<'_> {
    let (misere, variant, plain) = variants(name);
    match plain.strip_suffix(')').and_then(|open| open.rsplit_once('(')) {
        Some((base, list)) => {
            let arguments = list.split(',').map(|argument| argument.trim().to_string()).collect();
            Parts { misere, variant, base: base.trim(), arguments }
        }
        None => Parts { misere, variant, base: plain, arguments: vec![] },
    }
}

/// Whether a word is the name of a file with a game, perhaps with parameters or inside of a variant.
pub fn is_game_file(word: &str) -> bool {
    parts(word).base.ends_with(".game")
}

impl Games {
    /// Games that are also looked for by a loader.
    pub fn with_loader(loader: Loader) -> Games {
        Games { loader: Some(Arc::new(loader)), texts: Arc::default() }
    }

    fn texts(&self) -> MutexGuard<'_, Texts> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a game and says by which name it is known from now on.
    ///
    /// # Errors
    /// If the text is no game.
    pub fn add(&self, text: &str) -> Result<String, gb_text::TextError> {
        let game = TextGame::read(text, &[])?;
        let name = game.full_name().to_string();
        self.add_read(game, text);
        Ok(name)
    }

    /// Adds a game that was read from a text.
    pub fn add_read(&self, game: TextGame, text: &str) {
        let name = game.full_name().to_string();
        let mut texts = self.texts();
        texts.by_name.insert(name.clone(), text.to_string());
        texts.keep((name, vec![]), game);
    }

    /// The text of a game that was added, by its name.
    pub fn text_of(&self, name: &str) -> Option<String> {
        self.texts().by_name.get(parts(name).base).cloned()
    }

    /// The game of a text by its name; `None`: no text has this name.
    ///
    /// # Errors
    /// If the text is no game, or cannot be read.
    pub fn text_game(&self, name: &str) -> Result<Option<TextGame>, NameError> {
        let Parts { base, arguments, .. } = parts(name);
        if gb_games::NAMES.contains(&base) {
            return Ok(None);
        }
        let wrong = |problem: String| NameError::Text { game: base.to_string(), problem };
        let known = self.texts().by_name.get(base).cloned();
        let text = match (known, &self.loader) {
            (Some(text), _) => text,
            (None, Some(loader)) => match loader(base) {
                Some(text) => text.map_err(|error| wrong(error.to_string()))?,
                None => return Ok(None),
            },
            (None, None) => return Ok(None),
        };
        let key = (base.to_string(), arguments.clone());
        if let Some(game) = self.texts().read.get(&key) {
            return Ok(Some(game.clone()));
        }
        let game = TextGame::read(&text, &arguments).map_err(|error| wrong(error.to_string()))?;
        // A name with the number of the rules means these rules and no others.
        if base.contains('~') && game.full_name() != base {
            return Ok(None);
        }
        let mut texts = self.texts();
        texts.by_name.insert(base.to_string(), text.clone());
        texts.by_name.insert(game.full_name().to_string(), text);
        texts.keep(key, game.clone());
        Ok(Some(game))
    }

    /// The text of a game that was read from one, by its name.
    pub fn source(&self, name: &str) -> Option<String> {
        self.texts().by_name.get(parts(name).base).cloned()
    }

    /// A game, for boards as large as this position or size.
    ///
    /// # Errors
    /// If there is no such game, or its parameters are missing or wrong.
    pub fn open(&self, name: &str, sample: &str) -> Result<AnyGame, NameError> {
        if name.trim() == crate::SUM {
            return Ok(crate::sum_game(self));
        }
        match self.text_game(name)? {
            Some(game) => {
                let Parts { misere, variant, .. } = parts(name);
                let opened = game.open(variant, sample);
                if !misere {
                    return Ok(opened);
                }
                let wrong = |problem| NameError::Misere { game: game.name().to_string(), problem };
                opened.misere(true).map_err(wrong)
            }
            None => gb_games::open(name, sample),
        }
    }

    /// What a game starts from if nobody says: a board of 8x8, or the game's example if it has no such start.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn usual_start(&self, game: &str) -> Result<Position, OpenError> {
        self.position(game, "8x8").or_else(|_| self.position(game, self.info(game)?.example))
    }

    /// A position of a game, or the starting position of a size.
    ///
    /// # Errors
    /// If there is no such game, or the text is neither.
    pub fn position(&self, game: &str, text: &str) -> Result<Position, OpenError> {
        Ok(self.open(game, text)?.read_or_start(text)?)
    }

    /// What a game is about; a game of the list that needs parameters is described with an example of them.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn info(&self, name: &str) -> Result<Info, NameError> {
        match self.text_game(name)? {
            Some(_) => Ok(self.open(name, "1")?.info()),
            None => gb_games::info(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "game steps(k = 2)\nboard strip\ncells x piece, . empty\nleft: x.{k} -> .{k}x";

    #[test]
    fn texts_are_games_by_their_full_names() {
        let games = Games::default();
        let name = games.add(TEXT).unwrap();
        assert!(name.starts_with("steps~"), "{name}");
        let options = |name: &str| games.position(name, "x...").unwrap().options(gb_rules::Player::Left);
        assert_eq!(options(&name), ["..x."]);
        assert_eq!(options(&format!("{name}(3)")), ["...x"]);
        assert!(
            games
                .position(&format!("negative({name})"), "x...")
                .unwrap()
                .options(gb_rules::Player::Left)
                .is_empty()
        );
        assert_eq!(games.info("clobber").unwrap().title, "Clobber");
        assert!(games.open("steps", "x").is_err(), "only what was asked for by that name");
    }

    #[test]
    fn a_loader_finds_texts() {
        let games = Games::with_loader(Box::new(|name| match name {
            "./steps.game" => Some(Ok(TEXT.into())),
            "./bad.game" => Some(Ok("game bad\nboard gird".into())),
            "./gone.game" => Some(Err(io::Error::other("no such file"))),
            _ => None,
        }));
        assert_eq!(games.info("./steps.game(3)").unwrap().title, "Steps");
        let error = |name: &str| games.open(name, "1").unwrap_err().to_string();
        assert_eq!(
            error("./bad.game"),
            "./bad.game: line 2, column 7: found `gird`, expected `grid`, `strip`, `hex`, `heap`, `graph` or `edges`"
        );
        assert_eq!(error("./gone.game"), "./gone.game: no such file");
        assert!(error("clober").contains("did you mean `clobber`?"));
        assert!(is_game_file("impartial(./steps.game(3))") && !is_game_file("clobber"));
    }
}
