//! A folder of tables, and what they say about a game.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;
use gb_board::{Codes, sort_by_key};
use gb_rules::{Game, GridTraits, Key, Sign, Tabulated};
use gb_search::{Archive, with_solved};
use gb_value::{Halt, Kernel, Outcome, Thermograph, Value};

use crate::error::StoreError;
use crate::fact::Fact;
use crate::file::Reader;
use crate::game::TabulatedGame;
use crate::outcomes::{self, OutcomeTable};
use crate::scope::{EXTENSION, Scope};
use crate::table::{Table, Unread};

/// Told about files that are not used because something is wrong with them, once for each.
pub type Report = Arc<dyn Fn(&StoreError) + Send + Sync>;

/// Where tables are unless somebody says otherwise: `gamebench/db` in the data directory of the user, if there is one.
pub fn usual_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.data_dir().join("gamebench").join("db"))
}

/// The tables in a folder. All values that are read from them must belong to one store.
pub struct Library {
    folder: PathBuf,
    tables: Vec<Arc<Table>>,
    outcome_tables: Vec<Arc<OutcomeTable>>,
    report: Report,
}

impl Library {
    /// Opens all tables of a folder. Those that cannot be read are left out and reported, now or when that is found out. A
    /// folder that does not exist holds no tables.
    pub fn open(folder: &Path, report: Report) -> Library {
        let mut paths: Vec<PathBuf> = match std::fs::read_dir(folder) {
            Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => vec![],
            Err(error) => {
                report(&StoreError::io(folder)(error));
                vec![]
            }
        };
        paths.retain(|path| path.extension().is_some_and(|e| e == EXTENSION));
        paths.sort();
        let (mut tables, mut outcome_tables) = (vec![], vec![]);
        for path in paths {
            let opened = Reader::open(&path).and_then(|reader| match reader.field("kind")? {
                outcomes::KIND => OutcomeTable::of(reader).map(|table| outcome_tables.push(Arc::new(table))),
                _ => Table::of(reader).map(|table| tables.push(Arc::new(table))),
            });
            if let Err(error) = opened {
                report(&error);
            }
        }
        // Boards before parts, which take longer to look up; small tables first, which stay in the caches.
        sort_by_key(&mut tables, |table: &Arc<Table>| {
            (!matches!(table.scope(), Scope::Boards(..)), table.boards())
        });
        sort_by_key(&mut outcome_tables, |table: &Arc<OutcomeTable>| table.boards());
        Library { folder: folder.to_owned(), tables, outcome_tables, report }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The tables of values.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// The tables of outcomes.
    pub fn outcome_tables(&self) -> &[Arc<OutcomeTable>] {
        &self.outcome_tables
    }

    /// Whether there are none of either kind.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.outcome_tables.is_empty()
    }

    fn lookup(
        &self,
        game: &str,
        letters: usize,
        traits: GridTraits,
        tabulated: &dyn Fn() -> Option<Tabulated>,
    ) -> Option<Lookup> {
        let fits = |table: &&Arc<Table>| table.is_of(game, letters, &traits, tabulated);
        let tables: Vec<_> = self.tables.iter().filter(fits).cloned().collect();
        let fits = |table: &&Arc<OutcomeTable>| table.is_of(game, &traits, tabulated);
        let outcomes: Vec<_> = self.outcome_tables.iter().filter(fits).cloned().collect();
        let none = tables.is_empty() && outcomes.is_empty();
        (!none).then(|| Lookup { traits, tables, outcomes, report: self.report.clone() })
    }

    /// What the tables say about a game; `None` if there are none about it.
    pub fn archive<const N: usize>(&self, game: &Game<N>) -> Option<Arc<GameArchive<N>>> {
        if self.is_empty() {
            return None;
        }
        let info = game.info();
        let lookup = self.lookup(&info.name, info.alphabet.len(), game.grid()?, &|| game.tabulated())?;
        Some(Arc::new(GameArchive { game: game.clone(), lookup }))
    }

    fn lookup_for(&self, game: &TabulatedGame) -> Option<Lookup> {
        self.lookup(&game.name(), game.letters(), game.traits(), &|| game.tabulated())
    }

    /// Who wins a position, if a table of outcomes knows.
    pub fn outcome(&self, game: &TabulatedGame, at: &Codes) -> Option<Outcome> {
        self.lookup_for(game)?.outcome(at)
    }

    /// What the tables know about a whole position: see [`GameArchive::whole`].
    ///
    /// # Errors
    /// If the board is none of the game, or the budget runs out.
    pub fn known(
        &self,
        game: &TabulatedGame,
        at: &Codes,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Fact>, StoreError> {
        with_solved!(game.solved(), solved => match self.archive(&solved.game) {
            Some(archive) => Ok(archive.whole(&solved.game.of_codes(at)?, kernel)?),
            None => Ok(None),
        })
    }
}

/// The tables of one game, without its types.
struct Lookup {
    traits: GridTraits,
    tables: Vec<Arc<Table>>,
    outcomes: Vec<Arc<OutcomeTable>>,
    report: Report,
}

impl Lookup {
    /// Who wins a board. What is damaged is reported, and not read again.
    fn outcome(&self, board: &Codes) -> Option<Outcome> {
        for table in self.outcomes.iter().filter(|table| !table.is_broken()) {
            let found = table.sets_of(board).and_then(|sets| match sets {
                Some((stones, left)) => table.outcome_of(stones, left).map(Some),
                None => Ok(None),
            });
            match found {
                Ok(Some(outcome)) => return Some(outcome),
                Ok(None) => {}
                Err(error) => {
                    if table.set_broken() {
                        (self.report)(&error);
                    }
                }
            }
        }
        None
    }

    /// The fact about a board, or about a part in normal form. What is damaged is reported, and not read again.
    fn fact(&self, board: &Codes, kernel: &Kernel<'_>) -> Result<Option<Fact>, Halt> {
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
                Err(Unread::Halt(stop)) => return Err(stop),
                Err(Unread::Damage(error)) => {
                    if table.set_broken() {
                        (self.report)(&error);
                    }
                }
            }
        }
        Ok(best)
    }
}

/// What tables say about the parts of a game.
pub struct GameArchive<const N: usize> {
    game: Game<N>,
    lookup: Lookup,
}

impl<const N: usize> GameArchive<N> {
    /// What is known about a part in normal form.
    pub fn known(&self, part: &Key<N>, kernel: &Kernel<'_>) -> Result<Option<Fact>, Halt> {
        match self.game.codes(part) {
            Some(codes) => self.lookup.fact(&codes, kernel),
            None => Ok(None),
        }
    }

    /// What is known about a whole position: as a board of a table, or else as a sum of parts that the tables know.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn whole(&self, at: &Key<N>, kernel: &Kernel<'_>) -> Result<Option<Fact>, Halt> {
        if let Some(fact) = self.known(at, kernel)? {
            return Ok(Some(fact));
        }
        let (mut parts, mut values) = (vec![], vec![]);
        self.game.parts(at, &mut parts);
        for part in &parts {
            let (normal, sign) = self.game.normalise(part);
            let Some(fact) = self.known(&normal, kernel)? else { return Ok(None) };
            let fact = if sign == Sign::Minus { fact.negate(kernel)? } else { fact };
            match fact.value() {
                Some(value) => values.push(value),
                // Of a single part any fact will do.
                None => return Ok((parts.len() == 1).then_some(fact)),
            }
        }
        Ok(Some(Fact::Exact(kernel.sum(&values)?)))
    }
}

impl<const N: usize> Archive<Key<N>, Value> for GameArchive<N> {
    fn fact(&self, part: &Key<N>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        Ok(self.known(part, kernel)?.and_then(|fact| fact.value()))
    }

    fn outcome(&self, at: &Key<N>) -> Option<Outcome> {
        if self.lookup.outcomes.is_empty() { None } else { self.lookup.outcome(&self.game.codes(at)?) }
    }
}

impl<const N: usize> Archive<Key<N>, Arc<Thermograph>> for GameArchive<N> {
    fn fact(&self, part: &Key<N>, kernel: &Kernel<'_>) -> Result<Option<Arc<Thermograph>>, Halt> {
        match self.known(part, kernel)? {
            Some(fact) => Ok(Some(fact.thermograph(kernel)?)),
            None => Ok(None),
        }
    }
}
