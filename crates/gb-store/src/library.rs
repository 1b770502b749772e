//! A folder of tables, and the archive of a game in it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use gb_board::Codes;
use gb_game::{GridTraits, Rules, Sign};
use gb_local::Archive;
use gb_value::{Kernel, Stop, Thermograph, Value};

use crate::build::{EXTENSION, Scope};
use crate::error::StoreError;
use crate::fact::Fact;
use crate::table::{Table, Unread};

/// The tables in a folder. All values that are read from them must belong to one store.
pub struct Library {
    folder: PathBuf,
    tables: Vec<Arc<Table>>,
    troubles: Arc<Troubles>,
}

/// What was wrong with files, for somebody to tell.
#[derive(Default)]
struct Troubles(Mutex<Vec<String>>);

impl Troubles {
    fn add(&self, error: &StoreError) {
        self.0.lock().unwrap_or_else(|e| e.into_inner()).push(error.to_string());
    }
}

impl Library {
    /// Opens all tables of a folder. Those that cannot be read are left out, and reported by
    /// [`troubles`](Library::troubles). A folder that does not exist holds no tables.
    pub fn open(folder: &Path) -> Library {
        let troubles = Arc::new(Troubles::default());
        let mut paths: Vec<PathBuf> = match std::fs::read_dir(folder) {
            Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => vec![],
            Err(error) => {
                troubles.add(&StoreError::io(folder)(error));
                vec![]
            }
        };
        paths.retain(|path| path.extension().is_some_and(|e| e == EXTENSION));
        paths.sort();
        let mut tables = vec![];
        for path in paths {
            match Table::open(&path) {
                Ok(table) => tables.push(Arc::new(table)),
                Err(error) => troubles.add(&error),
            }
        }
        // Boards before parts, which take longer to look up; small tables first, which stay in the caches.
        tables.sort_by_key(|table: &Arc<Table>| (matches!(table.scope(), Scope::Parts(_)), table.boards()));
        Library { folder: folder.to_owned(), tables, troubles }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The tables.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// The tables of a game.
    pub fn tables_of(&self, game: &str) -> Vec<Arc<Table>> {
        self.tables.iter().filter(|table| table.game() == game).cloned().collect()
    }

    /// What was wrong with files since this was asked last.
    pub fn troubles(&self) -> Vec<String> {
        std::mem::take(&mut *self.troubles.0.lock().unwrap_or_else(|e| e.into_inner()))
    }

    /// What the tables say about a game; `None` if there are none about it.
    pub fn archive<R: Rules>(&self, rules: &R) -> Option<Arc<GameArchive<R>>> {
        let tables = self.tables_of(&rules.info().name);
        let traits = rules.grid()?;
        let letters = rules.info().alphabet.len();
        let fitting: Vec<_> = tables.into_iter().filter(|table| table.letters() == letters).collect();
        let lookup = Lookup { traits, tables: fitting, troubles: self.troubles.clone() };
        (!lookup.tables.is_empty()).then(|| Arc::new(GameArchive { rules: rules.clone(), lookup }))
    }
}

/// The tables of one game, without its types.
struct Lookup {
    traits: GridTraits,
    tables: Vec<Arc<Table>>,
    troubles: Arc<Troubles>,
}

impl Lookup {
    /// The fact about a part in normal form. What is damaged is reported, and not read again.
    fn fact(&self, board: &Codes, kernel: &Kernel<'_>) -> Result<Option<Fact>, Stop> {
        let mut best = None;
        for table in self.tables.iter().filter(|table| !table.is_broken()) {
            let found = (|| -> Result<Option<Fact>, Unread> {
                let Some((place, sign)) = table.place(board, &self.traits)? else { return Ok(None) };
                let fact = table.fact_at(place, kernel)?;
                Ok(Some(if sign == Sign::Minus { fact.negate(kernel)? } else { fact }))
            })();
            match found {
                Ok(Some(fact @ Fact::Exact(_))) => return Ok(Some(fact)),
                Ok(found) => best = best.or(found),
                Err(Unread::Stop(stop)) => return Err(stop),
                Err(Unread::Damage(error)) => {
                    if table.set_broken() {
                        self.troubles.add(&error);
                    }
                }
            }
        }
        Ok(best)
    }
}

/// What tables say about the parts of a game.
pub struct GameArchive<R: Rules> {
    rules: R,
    lookup: Lookup,
}

impl<R: Rules> GameArchive<R> {
    /// What is known about a part in normal form.
    pub fn known(&self, part: &R::Board, kernel: &Kernel<'_>) -> Result<Option<Fact>, Stop> {
        match self.rules.codes(part) {
            Some(codes) => self.lookup.fact(&codes, kernel),
            None => Ok(None),
        }
    }
}

impl<R: Rules> Archive<R::Board, Value> for GameArchive<R> {
    fn fact(&self, part: &R::Board, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        Ok(self.known(part, kernel)?.and_then(|fact| fact.value()))
    }
}

impl<R: Rules> Archive<R::Board, Arc<Thermograph>> for GameArchive<R> {
    fn fact(&self, part: &R::Board, kernel: &Kernel<'_>) -> Result<Option<Arc<Thermograph>>, Stop> {
        match self.known(part, kernel)? {
            Some(fact) => Ok(Some(fact.partial(kernel)?.thermograph)),
            None => Ok(None),
        }
    }
}
