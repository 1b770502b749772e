//! Building a table of parts: layer by layer, in shards, each a file of its own.
//!
//! A layer is the parts with equally many stones or cells, and a shard a range of them. What is found in a shard follows from the files of the layers
//! before, and is written to a file, by whoever finds it: a thread, another process, another machine. When all shards of a layer are there,
//! they are merged. Nothing else is shared, and nothing is kept that is not in files: whoever is killed loses the shards he was at.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use gb_rules::Player;
use gb_value::{Budget, Halt};

use super::files::{Folder, Layers, MANY, Width};
use super::finish::{write_parts, write_table};
use super::less::write_less;
use super::polyominoes::{KeyLayers, Polyominoes};
use super::rounds::Rounds;
use super::session::{Finder, Session};
use super::shapes::Shapes;
use crate::build::{Built, Progress, Settings};
use crate::error::StoreError;
use crate::file;
use crate::game::TabulatedGame;
use crate::outcomes::{Form, by_threads};
use crate::scope::{Less, Scope};
use crate::table::Table;
use crate::unfinished::{self, BuildLock};

/// Boards after which the size of the store is looked at.
const CHUNK: u32 = 1 << 10;
/// Where no memory is given, this is enough for everything.
const MOST: u64 = 1 << 40;

/// A store of values is thrown away when it is as large as this, whatever memory there is: it ends at 2^31 words.
const STORE: u64 = 12 << 30;

/// Where the ways of small tables end. Tests let them end sooner.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// From so many values on words of files are longer.
    pub(super) many: u64,
    /// Up to so many values of the table each has a place in memory; beyond that only those have that were read.
    pub(super) listed: u64,
    /// Bytes that merging may take.
    pub(super) merging: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { many: MANY, listed: 1 << 30, merging: u64::MAX }
    }
}

/// A table of parts being built: of those within a rectangle, or of all of at most so many cells.
///
/// [`build`](crate::build) does everything. Those who spread the work over processes use the steps: [`ShardBuild::open`] in one process, which for
/// each [`layer`](ShardBuild::layer) hands out the [`missing`](ShardBuild::missing) shards; a process that has [joined](ShardBuild::join) the
/// build [finds](ShardBuild::find) them; then the first [merges](ShardBuild::merge) the layer, or hands out
/// [tasks](ShardBuild::merge_tasks) for that, and in the end it
/// [finishes](ShardBuild::finish) the file. All need the same folder. The file is the same as if one process had done it.
pub struct ShardBuild {
    name: String,
    pub(super) space: Space,
    pub(super) folder: Folder,
    path: PathBuf,
    budget: Budget,
    pub(super) session: RwLock<Session>,
    /// The layers before one.
    pub(super) layers: RwLock<Option<Opened>>,
    sessions: AtomicU64,
    layer: usize,
    /// The end of the layer, if that is done in tasks.
    pub(super) rounds: Option<Rounds>,
    pub(super) limits: Limits,
    /// Boards of a shard.
    shard: u64,
    max_values: u64,
    /// Boards that were finished before.
    resumed: u64,
    /// What is kept of values, and where.
    less: Option<(Less, PathBuf)>,
    _lock: Option<BuildLock>,
}

/// What parts there are.
pub(super) enum Space {
    /// Those within a rectangle; layers are numbers of stones.
    Within(Shapes),
    /// Those of at most so many cells; layers are numbers of cells, after the enumeration.
    Parts(Box<Polyominoes>),
}

impl Space {
    fn layers(&self) -> usize {
        match self {
            Space::Within(shapes) => shapes.layers(),
            Space::Parts(parts) => parts.layers(),
        }
    }

    /// The files of a layer when it is done.
    fn files(&self, folder: &Folder, layer: usize) -> Vec<PathBuf> {
        match self {
            Space::Within(shapes) if shapes.layer(layer).is_empty() => vec![],
            Space::Parts(parts) if layer == 0 => (1..=parts.cells).map(|cells| folder.keys(cells)).collect(),
            _ => vec![folder.values(layer), folder.boards(layer)],
        }
    }
}

/// The files of the layers before one.
pub(super) struct Opened {
    before: usize,
    pub(super) layers: Layers,
    /// Of tables of all parts.
    pub(super) keys: Option<KeyLayers>,
}

/// The form of a game for these tables.
pub(super) fn form_of(game: &TabulatedGame) -> Result<Form, StoreError> {
    Form::of_going(&game.traits(), game.tabulated()).ok_or_else(|| {
        StoreError::Invalid(format!(
            "{} has no tables of the parts within a rectangle: that needs a game of two colours of stones, of which every move \
             takes some away and looks at nothing else, such as clobber. Tables of all boards of a size, or of --parts, are built for it",
            game.name()
        ))
    })
}

impl ShardBuild {
    fn new(
        game: TabulatedGame,
        scope: Scope,
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<ShardBuild, StoreError> {
        let (name, shard) = (game.name(), settings.shard.max(1));
        let (whole, title, space) = match scope {
            Scope::Within(rows, cols) | Scope::Less(rows, cols, _) => {
                no_max_values(settings)?;
                let form = form_of(&game)?;
                let title =
                    format!("{} {name} {rows}x{cols} shards of {shard} {}", file::FORMAT, form.text());
                (Scope::Within(rows, cols), title, Space::Within(Shapes::new(rows, cols, form)?))
            }
            Scope::Parts(cells) => {
                let letters = game.letters();
                let title = format!("{} {name} parts {cells} of {letters} shards of {shard}", file::FORMAT);
                (scope, title, Space::Parts(Box::new(Polyominoes::new(game, cells)?)))
            }
            Scope::Boards(..) | Scope::Outcomes(..) => {
                let sentence = "tables of all boards of a size are not built in shards on disk";
                return Err(StoreError::Invalid(sentence.into()));
            }
        };
        let path = folder.join(whole.file_name(&name));
        let less = match scope {
            Scope::Less(.., less) => Some((less, folder.join(scope.file_name(&name)))),
            _ => None,
        };
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Shards of other rules, or of another length, have another folder.
        let rules = file::hex(&file::checksum(title.as_bytes())[..4]);
        let path_of_shards = path.with_file_name(format!(".{file_name}.shards-{rules}"));
        let folder = Folder { path: path_of_shards, title, first: 0 };
        Ok(ShardBuild {
            name,
            space,
            folder,
            path,
            budget,
            session: RwLock::new(Session::new(0)),
            layers: RwLock::new(None),
            sessions: AtomicU64::new(1),
            layer: 0,
            rounds: None,
            limits: Limits::default(),
            shard,
            max_values: settings.max_values,
            resumed: 0,
            less,
            _lock: None,
        })
    }

    /// Begins a build, or goes on with one. Nobody else can, as long as this exists.
    ///
    /// # Errors
    /// If the game has no such tables, somebody else is building this one, or a file cannot be read or written.
    pub fn open(
        game: TabulatedGame,
        scope: Scope,
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<ShardBuild, StoreError> {
        let mut build = ShardBuild::new(game, scope, folder, budget, settings)?;
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        build._lock = Some(unfinished::lock(&build.path)?);
        let shards = &build.folder.path;
        fs::create_dir_all(shards).map_err(StoreError::io(shards))?;
        unfinished::clean_up(folder);
        unfinished::clean_up(shards);
        build.remove_others(folder);
        for layer in 0..build.space.layers() {
            let sound =
                |path: &PathBuf| build.folder.open(path).is_ok_and(|reader| reader.check_all().is_ok());
            if !build.space.files(&build.folder, layer).iter().all(sound) {
                // Later layers are about the values of this one.
                build.remove_from(layer)?;
                break;
            }
            build.resumed = build.places_of(layer).end;
        }
        build.advance();
        build.resumed += build.found_boards();
        Ok(build)
    }

    /// Joins a build that another process has opened, to find shards for it.
    ///
    /// # Errors
    /// If the game has no such tables, or nobody has opened this build.
    pub fn join(
        game: TabulatedGame,
        scope: Scope,
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<ShardBuild, StoreError> {
        let build = ShardBuild::new(game, scope, folder, budget, settings)?;
        match build.folder.path.is_dir() {
            true => Ok(build),
            false => Err(StoreError::Foreign(format!("nobody builds this table in {}", folder.display()))),
        }
    }

    /// Removes the shards of other rules. What cannot be removed is in nobody's way.
    fn remove_others(&self, folder: &Path) {
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let own = name(&self.folder.path);
        let Some((prefix, _)) = own.rsplit_once('-') else { return };
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let other = name(&entry.path());
            if other != own && other.rsplit_once('-').is_some_and(|(start, _)| start == prefix) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Removes finished layers from one on.
    fn remove_from(&self, layer: usize) -> Result<(), StoreError> {
        for layer in layer..self.space.layers() {
            for path in self.space.files(&self.folder, layer) {
                match fs::remove_file(&path) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                        return Err(StoreError::io(&path)(error));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Finds the layer that is to be built.
    pub(super) fn advance(&mut self) {
        let done = |layer: &usize| self.space.files(&self.folder, *layer).iter().all(|path| path.exists());
        self.layer =
            (self.layer..self.space.layers()).find(|layer| !done(layer)).unwrap_or(self.space.layers());
    }

    /// The places of the boards of a layer. Before the parts are enumerated there are none.
    pub(super) fn places_of(&self, layer: usize) -> Range<u64> {
        match &self.space {
            Space::Within(shapes) => shapes.layer(layer),
            Space::Parts(parts) => parts.layer(layer, &self.folder),
        }
    }

    pub(super) fn memory(&self) -> u64 {
        self.budget.max_bytes().min(MOST)
    }

    /// Up to so many values of the table each has a place in memory: a sixteenth of it at most.
    fn listed(&self) -> u64 {
        self.limits.listed.min(self.memory() / 64)
    }

    /// The layer that is being built; none when everything is done.
    pub fn layer(&self) -> Option<usize> {
        (self.layer < self.space.layers()).then_some(self.layer)
    }

    /// How many shards a layer has.
    pub(super) fn shards(&self, layer: usize) -> u64 {
        if let (Space::Parts(parts), 0) = (&self.space, layer) {
            return parts.walks();
        }
        let boards = self.places_of(layer);
        (boards.end - boards.start).div_ceil(self.shard)
    }

    fn places(&self, layer: usize, shard: u64) -> Range<u64> {
        let boards = self.places_of(layer);
        if boards.is_empty() {
            return boards;
        }
        boards.start + shard * self.shard..(boards.start + (shard + 1) * self.shard).min(boards.end)
    }

    /// Whether a shard is there and sound.
    fn is_found(&self, layer: usize, shard: u64) -> bool {
        let reader = self.folder.open(&self.folder.found(layer, shard));
        reader.is_ok_and(|reader| reader.check_all().is_ok())
    }

    /// The shards of the layer that is being built which nobody has found yet.
    pub fn missing(&self) -> Vec<u64> {
        let Some(layer) = self.layer() else { return vec![] };
        (0..self.shards(layer)).filter(|&shard| !self.is_found(layer, shard)).collect()
    }

    fn found_boards(&self) -> u64 {
        let Some(layer) = self.layer() else { return 0 };
        let found = (0..self.shards(layer)).filter(|&shard| self.is_found(layer, shard));
        found.map(|shard| self.places(layer, shard)).map(|places| places.end - places.start).sum()
    }

    /// All boards of the table; none before the parts are enumerated.
    pub fn boards(&self) -> u64 {
        self.places_of(self.space.layers() - 1).end
    }

    /// How many boards a shard of a layer has.
    pub fn boards_of_shard(&self, layer: usize, shard: u64) -> u64 {
        let places = self.places(layer, shard);
        places.end - places.start
    }

    /// Boards of the finished layers and of the one that is being built.
    pub fn boards_with_layer(&self) -> u64 {
        self.layer().map_or(self.boards(), |layer| self.places_of(layer).end)
    }

    /// Opens the files of the layers before one, if they are not open; to find parts also what it takes to look them up.
    pub(super) fn prepare(&self, layer: usize, to_find: bool) -> Result<(), StoreError> {
        let with_keys = to_find && matches!(self.space, Space::Parts(_));
        let is_open = |opened: &Option<Opened>| {
            let fits = |opened: &Opened| opened.before == layer && (opened.keys.is_some() || !with_keys);
            opened.as_ref().is_some_and(fits)
        };
        if is_open(&self.layers.read().unwrap_or_else(|e| e.into_inner())) {
            return Ok(());
        }
        let mut opened = self.layers.write().unwrap_or_else(|e| e.into_inner());
        if !is_open(&opened) {
            // What was kept goes before anything else is.
            *opened = None;
            let layers = Layers::open(&self.folder, layer, self.memory() / 4)?;
            let keys = match with_keys {
                false => None,
                true => Some(KeyLayers::open(&self.folder, layer, self.memory() / 4)?),
            };
            let mut session = self.session.write().unwrap_or_else(|e| e.into_inner());
            session.extend(layers.values, self.listed());
            drop(session);
            *opened = Some(Opened { before: layer, layers, keys });
        }
        Ok(())
    }

    /// Finds the values of the boards of a shard, and writes them to its file. Many threads may do this at once, with shards of one layer.
    ///
    /// # Errors
    /// If earlier layers are not there, the budget runs out, or the file cannot be written.
    pub fn find(&self, layer: usize, shard: u64) -> Result<(), StoreError> {
        if layer >= self.space.layers() || shard >= self.shards(layer) {
            return Err(StoreError::Foreign(format!("layer {layer} has no shard {shard}")));
        }
        if let (Space::Parts(parts), 0) = (&self.space, layer) {
            return parts.walk(&self.folder, shard, &self.budget);
        }
        self.prepare(layer, true)?;
        let opened = self.layers.read().unwrap_or_else(|e| e.into_inner());
        let Some(opened) = opened.as_ref().filter(|opened| opened.before == layer) else {
            return Err(StoreError::Foreign(format!("layer {layer} is not being built now")));
        };
        let mut finder = Finder::new(opened.layers.values);
        match (&self.space, &opened.keys) {
            (Space::Within(shapes), _) => self.find_boards(shapes, (layer, shard), opened, &mut finder)?,
            (Space::Parts(parts), Some(keys)) => {
                self.find_parts(parts, keys, (layer, shard), opened, &mut finder)?;
            }
            (Space::Parts(_), None) => return Err(StoreError::Foreign("there are no keys".into())),
        }
        let values = opened.layers.values;
        let path = self.folder.found(layer, shard);
        let width = Width::of(values + finder.count(), self.limits.many)?;
        let mut out = self.folder.create_words(&path, (values, finder.count()), width)?;
        width.write(&mut out, "boards", &finder.boards)?;
        width.write(&mut out, "values", &finder.records)?;
        out.finish()
    }

    fn find_boards(
        &self,
        shapes: &Shapes,
        (layer, shard): (usize, u64),
        opened: &Opened,
        finder: &mut Finder,
    ) -> Result<(), StoreError> {
        let places = self.places(layer, shard);
        let (mut place, last) = (places.start, places.end);
        while place < last {
            let (set, from) = shapes.set_at(place);
            let to = from + (shapes.places(set).end.min(last) - place) as u32;
            let plan = shapes.plan(set);
            for start in (from..to).step_by(CHUNK as usize) {
                self.with_sessions(opened, finder, |session, finder, done| {
                    let colourings = start + done as u32..to.min(start + CHUNK);
                    finder.find(session, (&plan, colourings), &opened.layers, &self.budget)
                })?;
            }
            place += u64::from(to - from);
        }
        Ok(())
    }

    fn find_parts(
        &self,
        parts: &Polyominoes,
        keys: &KeyLayers,
        (layer, shard): (usize, u64),
        opened: &Opened,
        finder: &mut Finder,
    ) -> Result<(), StoreError> {
        let (places, first) = (self.places(layer, shard), self.places_of(layer).start);
        let all = keys.of(layer).read(places.start - first..places.end - first)?;
        let mut sides = [vec![], vec![]];
        for some in all.chunks(CHUNK as usize) {
            self.with_sessions(opened, finder, |session, finder, done| {
                for key in &some[done..] {
                    let board = key.board(parts.game.letters());
                    for (who, side) in Player::BOTH.into_iter().zip(&mut sides) {
                        keys.options(&parts.game, &board, who, side)?;
                    }
                    finder.find_part(session, &sides, &opened.layers, &self.budget)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Finds boards with the store of now: `find` is told how many of them are there. If memory does not suffice it goes on with an empty store,
    /// and if the store is large afterwards, the next boards begin with an empty one.
    fn with_sessions(
        &self,
        opened: &Opened,
        finder: &mut Finder,
        mut find: impl FnMut(&Session, &mut Finder, usize) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let (first, most) = (finder.boards.len(), self.most_of_session(opened));
        // The board that memory did not suffice for: nothing helps if it does not with an empty store.
        let mut refused = None;
        loop {
            let session = self.session.read().unwrap_or_else(|e| e.into_inner());
            let found = find(&session, finder, finder.boards.len() - first);
            let (large, generation) = (session.bytes() > most, session.generation);
            drop(session);
            let stopped = matches!(found, Err(StoreError::Stopped(Halt::Bytes)));
            if large || stopped {
                self.renew(generation, opened.layers.values);
            }
            if !stopped || refused.replace(finder.boards.len()) == Some(finder.boards.len()) {
                return found;
            }
        }
    }

    /// How large a store may grow: whatever the files of earlier layers do not take, less an eighth for what is being found. Each time it is thrown away
    /// values are read and compared again, which in late layers is most of the work.
    fn most_of_session(&self, opened: &Opened) -> u64 {
        let keys = opened.keys.as_ref().map_or(0, |_| self.memory() / 4);
        (self.memory() / 8 * 7).saturating_sub(opened.layers.held + keys).min(STORE)
    }

    /// Begins with an empty store, unless somebody else has.
    pub(super) fn renew(&self, generation: u64, values: u64) {
        let mut session = self.session.write().unwrap_or_else(|e| e.into_inner());
        if session.generation == generation {
            *session = Session::new(self.sessions.fetch_add(1, Relaxed));
            session.extend(values, self.listed());
        }
    }

    /// How often a store was thrown away because memory did not suffice.
    pub fn renewals(&self) -> u64 {
        self.sessions.load(Relaxed) - 1
    }

    /// How many values the finished layers have.
    fn values(&self) -> u64 {
        self.layers
            .read()
            .unwrap_or_else(|e| e.into_inner())
            .as_ref()
            .map_or(0, |opened| opened.layers.values - opened.layers.first)
    }

    /// Builds everything that is missing, with so many threads.
    ///
    /// # Errors
    /// If the budget runs out, or a file cannot be read or written. What was found is kept.
    pub fn run(&mut self, threads: usize, report: &(dyn Fn(Progress) + Sync)) -> Result<(), StoreError> {
        while let Some(layer) = self.layer() {
            let missing = self.missing();
            let there: u64 = missing.iter().map(|&shard| self.boards_of_shard(layer, shard)).sum();
            let done = AtomicU64::new(self.places_of(layer).end - there);
            let (total, before) = (self.boards(), self.resumed);
            by_threads(threads.max(1), missing.into_iter(), &|next| {
                while let Some(shard) = next() {
                    self.find(layer, shard)?;
                    let boards = self.boards_of_shard(layer, shard);
                    let boards = done.fetch_add(boards, Relaxed) + boards;
                    report(Progress { boards, total, before, facts: self.values() });
                }
                Ok(())
            })?;
            self.merge_with(threads.max(1))?;
        }
        Ok(())
    }

    /// Writes the table, and removes the files it was made of.
    ///
    /// # Errors
    /// If layers are missing, or a file cannot be read or written.
    pub fn finish(self) -> Result<Built, StoreError> {
        if self.layer().is_some() {
            return Err(StoreError::Foreign("some layers are missing".into()));
        }
        let layers = Layers::open(&self.folder, self.space.layers(), 0)?;
        let memory = (self.memory() / 4).min(self.limits.merging);
        let path = match (&self.space, self.less) {
            (Space::Parts(parts), _) => {
                write_parts(&self.path, parts, (&self.folder, &layers), (self.max_values, memory))?;
                self.path
            }
            (Space::Within(shapes), None) => {
                write_table(&self.path, &self.name, shapes, (&self.folder, &layers))?;
                self.path
            }
            (Space::Within(shapes), Some((less, path))) => {
                let whole = self.folder.path.join("whole");
                write_table(&whole, &self.name, shapes, (&self.folder, &layers))?;
                write_less(&Table::open(&whole)?, less, &path)?;
                path
            }
        };
        drop(layers);
        // The table is there: what cannot be removed is in nobody's way.
        let _ = fs::remove_dir_all(&self.folder.path);
        Ok(Built { path, was_there: false, resumed: self.resumed })
    }
}

/// Builds a table, or goes on with it. One of less than values is made of the table of values, if there is one, or else of the same shards.
pub(crate) fn build(
    game: TabulatedGame,
    scope: Scope,
    folder: &Path,
    budget: Budget,
    settings: &Settings,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Built, StoreError> {
    if let Scope::Less(rows, cols, less) = scope {
        no_max_values(settings)?;
        if let Some(whole) = Built::there(&game, Scope::Within(rows, cols), folder, settings) {
            let path = folder.join(scope.file_name(&game.name()));
            write_less(&Table::open(&whole.path)?, less, &path)?;
            return Ok(Built { path, was_there: false, resumed: 0 });
        }
    }
    let mut build = ShardBuild::open(game, scope, folder, budget, settings)?;
    build.run(settings.threads, report)?;
    build.finish()
}

fn no_max_values(settings: &Settings) -> Result<(), StoreError> {
    if settings.max_values == u64::MAX {
        return Ok(());
    }
    let sentence = "a table of the parts within a rectangle has values only, or what --store says: build it without --max-values";
    Err(StoreError::Invalid(sentence.into()))
}
