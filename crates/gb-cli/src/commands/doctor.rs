//! `gamebench doctor`: what is installed and usable on this machine.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Args;
use gb_db::Library;
use serde::Serialize;

use crate::databases::Databases;
use crate::errors::Failure;
use crate::game_files;
use crate::output;

/// Says what is installed and usable: memory, databases, games as text, programs to play against
#[derive(Args)]
pub struct Doctor {
    #[command(flatten)]
    databases: Databases,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Programs that something of the bench makes use of.
const PROGRAMS: [(&str, &str); 4] = [
    ("gnugo", "an opponent for `gtp` and the tests of Go"),
    ("stockfish", "a judge in the tests of chess"),
    ("chromium", "the tests of the page"),
    ("python3", "`checker/check.py`, and the Python package"),
];

#[derive(Serialize)]
struct Found {
    version: &'static str,
    cores: usize,
    memory: u64,
    databases: Option<PathBuf>,
    tables: Vec<JsonTable>,
    games: Vec<String>,
    programs: Vec<(&'static str, Option<PathBuf>)>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct JsonTable {
    file: PathBuf,
    game: String,
    boards: u64,
    bytes: u64,
}

impl Doctor {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let found = self.look();
        if self.json {
            output::json(&found)?;
        } else {
            found.tell()?;
        }
        if found.problems.is_empty() { Ok(()) } else { Err(Failure::BadInput) }
    }

    fn look(&self) -> Found {
        let problems: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = problems.clone();
        let note = move |sentence: String| heard.lock().unwrap_or_else(|e| e.into_inner()).push(sentence);
        let databases = self.databases.folder().ok().filter(|folder| folder.is_dir());
        let said = note.clone();
        let library = databases
            .as_deref()
            .map(|folder| Library::open(folder, Arc::new(move |error| said(error.to_string()))));
        let described = |file: &Path, game: &str, boards, bytes| JsonTable {
            file: file.to_owned(),
            game: game.to_owned(),
            boards,
            bytes,
        };
        let mut tables = vec![];
        if let Some(library) = &library {
            let values = library.tables().iter();
            tables.extend(values.map(|t| described(t.path(), t.game(), t.boards(), t.bytes())));
            let outcomes = library.outcome_tables().iter();
            tables.extend(outcomes.map(|t| described(t.path(), t.game(), t.boards(), t.bytes())));
        }
        let (games, mut usable) = (game_files::games(), vec![]);
        for name in game_files::names() {
            match games.info(&name) {
                Ok(_) => usable.push(name),
                Err(error) => note(error.to_string()),
            }
        }
        let problems = problems.lock().unwrap_or_else(|e| e.into_inner()).clone();
        Found {
            version: env!("CARGO_PKG_VERSION"),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: gb_memory::quarter_of_machine(),
            databases,
            tables,
            games: usable,
            programs: PROGRAMS.map(|(program, _)| (program, on_path(program))).to_vec(),
            problems,
        }
    }
}

/// Where a program is, if it can be started.
fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    // Debian keeps games where the path of an administrator does not look.
    let folders = std::env::split_paths(&path).chain([Path::new("/usr/games").to_owned()]);
    let named = [program.to_owned(), format!("{program}.exe")];
    folders.flat_map(|folder| named.clone().map(|name| folder.join(name))).find(|file| file.is_file())
}

impl Found {
    fn tell(&self) -> Result<(), Failure> {
        output::line(&format!("gamebench {}: {} cores", self.version, self.cores))?;
        output::line(&format!(
            "memory: a command takes at most {} MB unless --memory says otherwise (a quarter of the machine)",
            self.memory >> 20
        ))?;
        match &self.databases {
            None => output::line("databases: none (`gamebench db build clobber 4x4` makes one)")?,
            Some(folder) => output::line(&format!("databases in {}:", folder.display()))?,
        }
        for table in &self.tables {
            let name = table.file.file_name().unwrap_or_default().to_string_lossy();
            let size = table.bytes.div_ceil(1 << 10);
            output::line(&format!("  {name}: {}, {} boards, {size} kB", table.game, table.boards))?;
        }
        match &self.games[..] {
            [] => output::line("games as text in folders: none")?,
            games => output::line(&format!("games as text in folders: {}", games.join(", ")))?,
        }
        for ((program, path), (_, purpose)) in self.programs.iter().zip(PROGRAMS) {
            let place = path.as_ref().map_or("not found".into(), |path| path.display().to_string());
            output::line(&format!("{program}: {place} ({purpose})"))?;
        }
        for problem in &self.problems {
            output::line(&format!("problem: {problem}"))?;
        }
        Ok(())
    }
}
