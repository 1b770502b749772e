//! All games: those of the list, and Go, which brings its own search.

use gb_record::session::Catalog;
use gb_rules::{AnyGame, Info, NameError};

/// The games of this program.
pub struct AllGames;

impl Catalog for AllGames {
    fn open(&self, game: &str, text: &str) -> Result<AnyGame, NameError> {
        if game == gb_go::bench::NAME {
            return Ok(gb_go::bench::game());
        }
        gb_games::open(game, text)
    }
}

/// What every game is about, in the order of their titles.
pub fn all() -> Vec<Info> {
    let mut infos: Vec<Info> = gb_games::NAMES.iter().filter_map(|name| gb_games::info(name).ok()).collect();
    infos.push(gb_go::bench::info());
    infos.sort_by(|a, b| a.title.cmp(b.title).then_with(|| a.name.cmp(&b.name)));
    infos
}
