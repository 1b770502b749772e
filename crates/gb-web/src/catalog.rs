//! All games: those of the list, Go, which brings its own search, and those of texts that pages send.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use gb_engine::Games;
use gb_record::session::Catalog;
use gb_rules::{AnyGame, Info, NameError};
use gb_text::{Derived, TextGame, Warning};

/// So many texts that were read last are kept.
const MOST_TEXTS: usize = 64;
/// So many requests may wait while another text is read.
const MOST_WAITING: usize = 8;

/// So many games may be in one text.
const MOST_GAMES: usize = 12;

/// The games of this program, and those of a text: one, or several one after the other, each with its line `game`.
#[derive(Clone, Default)]
pub struct AllGames {
    shelf: Arc<Shelf>,
    written: Option<Written>,
}

/// What a page has written.
#[derive(Clone)]
pub struct Written {
    /// The name of the first game, with a number that changes with the rules.
    pub name: String,
    /// What was found out about it.
    pub derived: Derived,
    /// What in it is probably not meant.
    pub warnings: Vec<Warning>,
    text: String,
    games: Arc<Games>,
}

/// The texts that were read last.
#[derive(Default)]
struct Shelf {
    texts: Mutex<VecDeque<Written>>,
    /// One is read at a time: that may take seconds, if it claims much about itself.
    reading: Mutex<()>,
    waiting: AtomicUsize,
}

impl Shelf {
    fn known(&self, text: &str) -> Option<Written> {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.iter().find(|written| written.text == text).cloned()
    }

    fn read(&self, text: &str) -> Result<Written, String> {
        if let Some(known) = self.known(text) {
            return Ok(known);
        }
        if self.waiting.fetch_add(1, Relaxed) >= MOST_WAITING {
            self.waiting.fetch_sub(1, Relaxed);
            return Err("the bench is busy reading other texts: try again in a moment".into());
        }
        let turn = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let read = self.known(text).map_or_else(|| written(text), Ok);
        drop(turn);
        self.waiting.fetch_sub(1, Relaxed);
        let read = read?;
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if texts.iter().all(|written| written.text != text) {
            texts.truncate(MOST_TEXTS - 1);
            texts.push_front(read.clone());
        }
        Ok(read)
    }
}

fn written(text: &str) -> Result<Written, String> {
    let several = pieces(text);
    if several.len() > MOST_GAMES {
        return Err(format!("these are {} games: at most {MOST_GAMES} go together", several.len()));
    }
    let games = Games::default();
    let mut first = None;
    for piece in several {
        let game = TextGame::read(piece, &[]).map_err(|error| error.to_string())?;
        if first.is_none() {
            first = Some((game.full_name().to_owned(), game.derived(), game.warnings()));
        }
        games.add_read(game, piece);
    }
    let (name, derived, warnings) = first.ok_or("there is no text")?;
    Ok(Written { name, derived, warnings, text: text.to_owned(), games: Arc::new(games) })
}

/// The texts of the games, one after the other: each begins with a line `game`. What comes before the first belongs to it.
fn pieces(text: &str) -> Vec<&str> {
    let begins = |line: &str| line.split_whitespace().next() == Some("game");
    let mut starts = vec![0];
    let (mut at, mut known) = (0, false);
    for line in text.split_inclusive('\n') {
        if begins(line) && std::mem::replace(&mut known, true) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts[1..].iter().copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect()
}

impl AllGames {
    /// These games and that of a text, which is one game.
    ///
    /// # Errors
    /// A sentence, with the place, if the text is no game, or several.
    pub fn with_one_game(&self, text: &str) -> Result<AllGames, String> {
        // The sentence of whoever reads games says where the second one begins.
        if pieces(text).len() > 1 {
            TextGame::read(text, &[]).map_err(|error| error.to_string())?;
        }
        self.with_game(text)
    }

    /// These games and those of a text.
    ///
    /// # Errors
    /// A sentence, with the place, if the text is no game.
    pub fn with_game(&self, text: &str) -> Result<AllGames, String> {
        Ok(AllGames { shelf: self.shelf.clone(), written: Some(self.shelf.read(text)?) })
    }

    /// The game of the text, if there is one.
    pub fn written(&self) -> Option<&Written> {
        self.written.as_ref()
    }

    /// The games of the text, for engines.
    pub fn games(&self) -> Option<Arc<Games>> {
        self.written.as_ref().map(|written| written.games.clone())
    }
}

impl Catalog for AllGames {
    fn open(&self, game: &str, text: &str) -> Result<AnyGame, NameError> {
        if game == gb_go::bench::NAME {
            return Ok(gb_go::bench::game());
        }
        match &self.written {
            Some(written) => written.games.open(game, text),
            None if game == gb_engine::SUM => Ok(gb_engine::sum_game(&Games::default())),
            None => gb_games::open(game, text),
        }
    }
    fn text_of(&self, game: &str) -> Option<String> {
        let written = self.written.as_ref()?;
        // A sum has all of them.
        if game == gb_engine::SUM { Some(written.text.clone()) } else { written.games.text_of(game) }
    }
    fn with_text(&self, text: &str) -> Option<Result<Arc<dyn Catalog>, NameError>> {
        let problem = |problem| NameError::Text { game: "the text of the game".into(), problem };
        Some(self.with_game(text).map(|games| Arc::new(games) as Arc<dyn Catalog>).map_err(problem))
    }
}

/// What every game is about, in the order of their titles.
pub fn all() -> Vec<Info> {
    let mut infos: Vec<Info> = gb_games::NAMES.iter().filter_map(|name| gb_games::info(name).ok()).collect();
    infos.push(gb_go::bench::info());
    infos.push(gb_engine::sum_game(&Games::default()).info());
    infos.sort_by(|a, b| a.title.cmp(b.title).then_with(|| a.name.cmp(&b.name)));
    infos
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(k: usize) -> String {
        format!("game steps\nboard strip\ncells x piece, . empty\nleft: x.{{{k}}} -> .{{{k}}}x")
    }

    #[test]
    fn only_the_last_texts_are_kept() {
        let all = AllGames::default();
        for k in 1..=9 {
            for more in 0..10 {
                let text = format!("{}\n{}", text(k), "\n".repeat(more));
                assert!(all.with_game(&text).is_ok());
            }
        }
        assert_eq!(all.shelf.texts.lock().unwrap().len(), MOST_TEXTS);
        assert_eq!(all.shelf.waiting.load(Relaxed), 0);
    }

    #[test]
    fn one_text_is_no_game_of_another_session() {
        let all = AllGames::default();
        let one = all.with_game(&text(2)).unwrap();
        let name = one.written().unwrap().name.clone();
        assert!(one.open(&name, "x..").is_ok() && one.open("clobber", "xo").is_ok());
        assert!(all.open(&name, "x..").is_err());
        assert!(one.text_of(&name).is_some() && one.text_of("clobber").is_none());
    }

    #[test]
    fn several_games_are_summands() {
        let (all, both) = (AllGames::default(), format!("// two\n{}\n{}", text(1), text(2)));
        assert_eq!(pieces(&both).len(), 2);
        let games = all.with_game(&both).unwrap();
        let [one, two] = [1, 2].map(|k| all.with_game(&text(k)).unwrap().written().unwrap().name.clone());
        assert_eq!(games.written().unwrap().name, one);
        assert!(games.open("sum", "").unwrap().read(&format!("{one} x. + {two} x.. + 1")).is_ok());
        assert_eq!(games.text_of("sum").as_ref(), Some(&both));
        let Err(sentence) = all.with_one_game(&both) else { panic!("two games are not one") };
        assert!(sentence.starts_with("line 6, column 1: a text has one line `game`"), "{sentence}");
    }
}
