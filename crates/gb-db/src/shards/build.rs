//! Building a table of the parts within a rectangle: layer by layer, in shards, each a file of its own.
//!
//! A layer is the boards with equally many stones, and a shard a range of them. What is found in a shard follows from the files of the layers
//! before, and is written to a file, by whoever finds it: a thread, another process, another machine. When all shards of a layer are there,
//! they are merged. Nothing else is shared, and nothing is kept that is not in files: whoever is killed loses the shards he was at.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use gb_value::Budget;

use super::files::{Folder, Layers, write_words};
use super::finish::write_table;
use super::merge::merge;
use super::session::{Finder, Session};
use super::shapes::Shapes;
use crate::build::{Built, Progress, Scope, Settings};
use crate::error::StoreError;
use crate::file;
use crate::game::TabulatedGame;
use crate::outcomes::{Form, by_threads};
use crate::unfinished::{self, BuildLock};

/// Boards after which the size of the store is looked at.
const CHUNK: u32 = 1 << 10;
/// Where no memory is given, this is enough for everything.
const MOST: u64 = 1 << 40;

/// A table of the parts within a rectangle being built.
///
/// [`build`](crate::build) does everything. Those who spread the work over processes use the steps: [`ShardBuild::open`] in one process, which for
/// each [`layer`](ShardBuild::layer) hands out the [`missing`](ShardBuild::missing) shards; a process that has [joined](ShardBuild::join) the
/// build [finds](ShardBuild::find) them; then the first [merges](ShardBuild::merge) the layer, and in the end it
/// [finishes](ShardBuild::finish) the file. All need the same folder. The file is the same as if one process had done it.
pub struct ShardBuild {
    name: String,
    shapes: Shapes,
    folder: Folder,
    path: PathBuf,
    budget: Budget,
    session: RwLock<Session>,
    /// The layers before one.
    layers: RwLock<Option<(usize, Layers)>>,
    sessions: AtomicU64,
    layer: usize,
    /// Boards of a shard.
    shard: u64,
    /// Boards that were finished before.
    resumed: u64,
    _lock: Option<BuildLock>,
}

/// The form of a game for these tables.
pub(super) fn form_of(game: &TabulatedGame) -> Result<Form, StoreError> {
    Form::of(&game.traits(), game.stone_moves()).ok_or_else(|| {
        StoreError::Invalid(format!(
            "{} has no tables of the parts within a rectangle: that needs a game of two colours of stones, of which every move \
             takes some away and looks at nothing else, such as clobber. Tables of all boards of a size, or of --parts, are built for it",
            game.name()
        ))
    })
}

impl ShardBuild {
    fn new(
        game: &TabulatedGame,
        (rows, cols): (usize, usize),
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<ShardBuild, StoreError> {
        let (form, name) = (form_of(game)?, game.name());
        let path = folder.join(Scope::Within(rows, cols).file_name(&name));
        let shard = settings.shard.max(1);
        let title = format!("{} {name} {rows}x{cols} shards of {shard} {}", file::FORMAT, form.text());
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Shards of other rules, or of another length, have another folder.
        let rules = file::hex(&file::checksum(title.as_bytes())[..4]);
        let folder = Folder { path: path.with_file_name(format!(".{file_name}.shards-{rules}")), title };
        Ok(ShardBuild {
            name,
            shapes: Shapes::new(rows, cols, form)?,
            folder,
            path,
            budget,
            session: RwLock::new(Session::new(0)),
            layers: RwLock::new(None),
            sessions: AtomicU64::new(1),
            layer: 0,
            shard,
            resumed: 0,
            _lock: None,
        })
    }

    /// Begins a build, or goes on with one. Nobody else can, as long as this exists.
    ///
    /// # Errors
    /// If the game has no such tables, somebody else is building this one, or a file cannot be read or written.
    pub fn open(
        game: &TabulatedGame,
        size: (usize, usize),
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<ShardBuild, StoreError> {
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        let mut build = ShardBuild::new(game, size, folder, budget, settings)?;
        build._lock = Some(unfinished::lock(&build.path)?);
        let shards = &build.folder.path;
        fs::create_dir_all(shards).map_err(StoreError::io(shards))?;
        unfinished::clean_up(folder);
        unfinished::clean_up(shards);
        build.remove_others(folder);
        for layer in (0..build.shapes.layers()).filter(|&layer| !build.shapes.layer(layer).is_empty()) {
            let boards = build.shapes.layer(layer);
            let sound = [build.folder.values(layer), build.folder.boards(layer)]
                .iter()
                .all(|path| build.folder.open(path).is_ok_and(|reader| reader.check_all().is_ok()));
            if !sound {
                // Later layers are about the values of this one.
                build.remove_from(layer)?;
                break;
            }
            build.resumed = boards.end;
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
        game: &TabulatedGame,
        size: (usize, usize),
        folder: &Path,
        budget: Budget,
        settings: &Settings,
    ) -> Result<ShardBuild, StoreError> {
        let build = ShardBuild::new(game, size, folder, budget, settings)?;
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
        for layer in layer..self.shapes.layers() {
            for path in [self.folder.boards(layer), self.folder.values(layer)] {
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
    fn advance(&mut self) {
        let done =
            |layer: &usize| self.shapes.layer(*layer).is_empty() || self.folder.boards(*layer).exists();
        self.layer =
            (self.layer..self.shapes.layers()).find(|layer| !done(layer)).unwrap_or(self.shapes.layers());
    }

    fn memory(&self) -> u64 {
        self.budget.max_bytes().min(MOST)
    }

    /// The layer that is being built; none when everything is done.
    pub fn layer(&self) -> Option<usize> {
        (self.layer < self.shapes.layers()).then_some(self.layer)
    }

    /// How many shards a layer has.
    fn shards(&self, layer: usize) -> u64 {
        let boards = self.shapes.layer(layer);
        (boards.end - boards.start).div_ceil(self.shard)
    }

    fn places(&self, layer: usize, shard: u64) -> Range<u64> {
        let boards = self.shapes.layer(layer);
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

    /// All boards of the table.
    pub fn boards(&self) -> u64 {
        self.shapes.boards()
    }

    /// How many boards a shard of a layer has.
    pub fn boards_of_shard(&self, layer: usize, shard: u64) -> u64 {
        let places = self.places(layer, shard);
        places.end - places.start
    }

    /// Boards of the finished layers and of the one that is being built.
    pub fn boards_with_layer(&self) -> u64 {
        self.layer().map_or(self.shapes.boards(), |layer| self.shapes.layer(layer).end)
    }

    /// Opens the files of the layers before one, if they are not open.
    fn prepare(&self, layer: usize) -> Result<(), StoreError> {
        let is_open = |layers: &Option<(usize, Layers)>| layers.as_ref().is_some_and(|(of, _)| *of == layer);
        if is_open(&self.layers.read().unwrap_or_else(|e| e.into_inner())) {
            return Ok(());
        }
        let mut layers = self.layers.write().unwrap_or_else(|e| e.into_inner());
        if !is_open(&layers) {
            // What was kept goes before anything else is.
            *layers = None;
            let opened = Layers::open(&self.folder, layer, self.memory() / 4)?;
            self.session.write().unwrap_or_else(|e| e.into_inner()).extend(opened.values);
            *layers = Some((layer, opened));
        }
        Ok(())
    }

    /// Finds the values of the boards of a shard, and writes them to its file. Many threads may do this at once, with shards of one layer.
    ///
    /// # Errors
    /// If earlier layers are not there, the budget runs out, or the file cannot be written.
    pub fn find(&self, layer: usize, shard: u64) -> Result<(), StoreError> {
        if layer >= self.shapes.layers() || shard >= self.shards(layer) {
            return Err(StoreError::Foreign(format!("layer {layer} has no shard {shard}")));
        }
        self.prepare(layer)?;
        let opened = self.layers.read().unwrap_or_else(|e| e.into_inner());
        let Some((_, layers)) = opened.as_ref().filter(|(of, _)| *of == layer) else {
            return Err(StoreError::Foreign(format!("layer {layer} is not being built now")));
        };
        let mut finder = Finder::new(layers.values);
        let places = self.places(layer, shard);
        let (mut place, last) = (places.start, places.end);
        while place < last {
            let (set, from) = self.shapes.set_at(place);
            let to = from + (self.shapes.places(set).end.min(last) - place) as u32;
            let plan = self.shapes.plan(set);
            for start in (from..to).step_by(CHUNK as usize) {
                let session = self.session.read().unwrap_or_else(|e| e.into_inner());
                finder.find(&session, (&plan, start..to.min(start + CHUNK)), layers, &self.budget)?;
                let (large, generation) = (session.bytes() > self.memory() / 2, session.generation);
                drop(session);
                if large {
                    self.renew(generation, layers.values);
                }
            }
            place += u64::from(to - from);
        }
        let mut out = self.folder.create(
            &self.folder.found(layer, shard),
            layers.values.into(),
            finder.count().into(),
        )?;
        write_words(&mut out, "boards", &finder.boards)?;
        write_words(&mut out, "values", &finder.records)?;
        out.finish()
    }

    /// Begins with an empty store, unless somebody else has.
    fn renew(&self, generation: u64, values: u32) {
        let mut session = self.session.write().unwrap_or_else(|e| e.into_inner());
        if session.generation == generation {
            *session = Session::new(self.sessions.fetch_add(1, Relaxed));
            session.extend(values);
        }
    }

    /// Ends the layer that is being built, all shards of which have been found.
    ///
    /// # Errors
    /// If shards are missing or damaged, or a file cannot be written.
    pub fn merge(&mut self) -> Result<(), StoreError> {
        let Some(layer) = self.layer() else { return Ok(()) };
        self.prepare(layer)?;
        let session = self.session.get_mut().unwrap_or_else(|e| e.into_inner());
        if session.bytes() > self.budget.max_bytes().min(MOST) / 4 {
            *session = Session::new(self.sessions.fetch_add(1, Relaxed));
        }
        let (boards, shards, memory) = (self.shapes.layer(layer), self.shards(layer), self.memory() / 4);
        if let Some((_, layers)) = &*self.layers.read().unwrap_or_else(|e| e.into_inner()) {
            merge(&self.folder, (layer, shards), layers, (boards.start, boards.end - boards.start), memory)?;
        }
        *self.layers.get_mut().unwrap_or_else(|e| e.into_inner()) = None;
        for shard in 0..shards {
            let path = self.folder.found(layer, shard);
            fs::remove_file(&path).map_err(StoreError::io(&path))?;
        }
        self.advance();
        Ok(())
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
            .map_or(0, |(_, layers)| layers.values.into())
    }

    /// Builds everything that is missing, with so many threads.
    ///
    /// # Errors
    /// If the budget runs out, or a file cannot be read or written. What was found is kept.
    pub fn run(&mut self, threads: usize, report: &(dyn Fn(Progress) + Sync)) -> Result<(), StoreError> {
        while let Some(layer) = self.layer() {
            let missing = self.missing();
            let there: u64 = missing.iter().map(|&shard| self.boards_of_shard(layer, shard)).sum();
            let done = AtomicU64::new(self.shapes.layer(layer).end - there);
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
            self.merge()?;
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
        let layers = Layers::open(&self.folder, self.shapes.layers(), 0)?;
        write_table(&self.path, &self.name, &self.shapes, &layers)?;
        drop(layers);
        // The table is there: what cannot be removed is in nobody's way.
        let _ = fs::remove_dir_all(&self.folder.path);
        Ok(Built { path: self.path, was_there: false, resumed: self.resumed })
    }
}

/// Builds a table, or goes on with it.
pub(crate) fn build(
    game: &TabulatedGame,
    size: (usize, usize),
    folder: &Path,
    budget: Budget,
    settings: &Settings,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Built, StoreError> {
    if settings.max_values != u64::MAX {
        let sentence =
            "a table of the parts within a rectangle has values only: build it without --max-values";
        return Err(StoreError::Invalid(sentence.into()));
    }
    let mut build = ShardBuild::open(game, size, folder, budget, settings)?;
    build.run(settings.threads, report)?;
    build.finish()
}
