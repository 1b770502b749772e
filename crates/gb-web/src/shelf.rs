//! All games: those of the list, and Go, which brings its own search.

use gb_game::Info;
use gb_game::erased::Game;
use gb_view::session::Shelf;

/// The games of this program.
pub struct AllGames;

impl Shelf for AllGames {
    fn open(&self, game: &str, text: &str) -> Result<Box<dyn Game>, String> {
        if game == gb_go::bench::NAME {
            return Ok(Box::new(gb_go::bench::Go));
        }
        gb_games::open(game, text).map_err(|error| error.to_string())
    }
}

/// What every game is about, in the order of their titles.
pub fn all() -> Vec<Info> {
    let mut infos: Vec<Info> = gb_games::NAMES.iter().filter_map(|name| gb_games::info(name).ok()).collect();
    infos.push(gb_go::bench::info());
    infos.sort_by(|a, b| a.title.cmp(b.title).then_with(|| a.name.cmp(&b.name)));
    infos
}
