//! Which databases a command uses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use gb_db::{Library, StoreError, usual_folder};
use gb_engine::Engine;

use crate::errors::Failure;
use crate::game_files;
use crate::limits::{Limits, Threads};

/// Where the databases are.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Databases")]
pub struct Databases {
    /// Folder with databases; `gamebench/db` in the data directory of the user if not given
    #[arg(long, value_name = "DIR")]
    pub db: Option<PathBuf>,
    /// Use no databases
    #[arg(long, conflicts_with = "db")]
    pub no_db: bool,
}

impl Databases {
    /// The folder, if there is one.
    fn folder_or_none(&self) -> Option<PathBuf> {
        if self.no_db { None } else { self.db.clone().or_else(usual_folder) }
    }

    /// The folder, for commands that are about it.
    pub fn folder(&self) -> Result<PathBuf, Failure> {
        let none = || Failure::Usage("there is no folder for databases: give one with --db DIR".into());
        self.folder_or_none().ok_or_else(none)
    }

    /// The tables in the folder. What is wrong with them is said on standard error.
    pub fn library(&self) -> Result<Library, Failure> {
        Ok(Library::open(&self.folder()?, Arc::new(warn)))
    }

    /// An engine that uses them.
    pub fn engine(&self, threads: &Threads) -> Engine {
        let engine = game_files::engine(threads.count());
        match self.folder_or_none() {
            Some(folder) => engine.with_library(Library::open(&folder, Arc::new(warn))),
            None => engine,
        }
    }
}

/// An engine for one input after another. What it finds serves those that follow, until it holds so much that too little would be
/// left for them: then a new one takes its place.
pub struct EngineForMany<'a> {
    databases: &'a Databases,
    threads: &'a Threads,
    bytes: u64,
    engine: Engine,
}

impl<'a> EngineForMany<'a> {
    /// An engine for inputs each of which has these limits.
    pub fn new(databases: &'a Databases, threads: &'a Threads, limits: &Limits) -> Self {
        EngineForMany { databases, threads, bytes: limits.bytes(), engine: databases.engine(threads) }
    }

    /// The engine for the next input.
    pub fn next(&mut self) -> &Engine {
        if gb_memory::Account::current().bytes() > self.bytes / 4 {
            self.engine = self.databases.engine(self.threads);
            gb_memory::give_back();
        }
        &self.engine
    }
}

/// Databases for players: none unless they are asked for, so that a match depends on nothing but its command.
#[derive(Args, Clone, Debug)]
pub struct PlayersDatabases {
    /// Folder with databases that the players look parts up in; none if not given
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
}

impl PlayersDatabases {
    /// The folder, if one was given.
    pub fn folder(&self) -> Option<&Path> {
        self.db.as_deref()
    }

    /// Whether a folder was given.
    pub fn is_given(&self) -> bool {
        self.db.is_some()
    }

    /// An engine for players, one thread each.
    pub fn engine(&self) -> Result<Engine, Failure> {
        let Some(folder) = &self.db else { return Ok(game_files::engine(1)) };
        let library = Library::open(folder, Arc::new(warn));
        if library.is_empty() {
            let text = format!("--db {}: there are no databases in this folder", folder.display());
            return Err(Failure::Usage(text));
        }
        Ok(game_files::engine(1).with_library(library))
    }
}

fn warn(error: &StoreError) {
    eprintln!("warning: {error}");
}
