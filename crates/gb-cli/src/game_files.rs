//! Games that are texts in files: by the names of the files, and in folders.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use gb_engine::{Engine, Games};

/// How a file with a game ends.
const ENDING: &str = "game";

/// The folder that was given with `--games`. Every command may use games of it, so it is said once, at the beginning.
static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();

/// Says which folder was given.
pub fn use_folder(folder: Option<PathBuf>) {
    let _ = FOLDER.set(folder);
}

/// The folders with games: the one that was given, and `gamebench/games` in the data directory of the user.
fn folders() -> Vec<PathBuf> {
    let given = FOLDER.get().cloned().flatten();
    let usual = gb_db::usual_folder().and_then(|db| Some(db.parent()?.join("games")));
    given.into_iter().chain(usual).collect()
}

/// The names of the games in the folders, sorted.
pub fn names() -> Vec<String> {
    let mut names = vec![];
    for folder in folders() {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let games = files.filter(|path| path.extension().is_some_and(|e| e == ENDING));
        names.extend(games.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())));
    }
    names.sort();
    names.dedup();
    names.retain(|name| !gb_games::NAMES.contains(&name.as_str()));
    names
}

/// The games of the list, of files and of folders.
pub fn games() -> Arc<Games> {
    Arc::new(Games::with_loader(Box::new(load)))
}

/// The name under which tables of a game are kept, and the games with that one: it may be given by its file, which tables do not know.
pub fn game_of_tables(game: &str) -> (String, Arc<Games>) {
    if !game.ends_with(&format!(".{ENDING}")) {
        return (game.to_owned(), games());
    }
    let file = PathBuf::from(game);
    let by_file = move |name: &str| if name.contains('~') { Some(read(&file)) } else { load(name) };
    let games = Arc::new(Games::with_loader(Box::new(by_file)));
    let found = Engine::new(1).with_games(games.clone()).tabulated_game(game, "1x1");
    (found.map_or_else(|_| game.to_owned(), |found| found.name()), games)
}

/// An engine that knows them.
pub fn engine(threads: usize) -> Engine {
    Engine::new(threads).with_games(games())
}

fn load(name: &str) -> Option<io::Result<String>> {
    if name.ends_with(&format!(".{ENDING}")) {
        return Some(read(Path::new(name)));
    }
    // A name with the number of its rules is looked for without it.
    let plain = name.split('~').next()?;
    if plain.is_empty() || !plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return None;
    }
    let files = folders().into_iter().map(|folder| folder.join(format!("{plain}.{ENDING}")));
    files.into_iter().find(|file| file.is_file()).map(|file| read(&file))
}

fn read(path: &Path) -> io::Result<String> {
    // One byte more than is allowed, so that what is too long is said by the one who knows.
    let bytes = gb_record::files::read(path, gb_text::MAX_TEXT as u64 + 1);
    let bytes = bytes.map_err(|error| io::Error::other(format!("the file cannot be read: {error}")))?;
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the file is not a text in UTF-8"))
}
