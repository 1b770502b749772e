//! What commands about positions of a game are given.

use clap::Args;
use gb_engine::Engine;
use gb_value::Cancel;

use crate::databases::{Databases, EngineForMany};
use crate::errors::Failure;
use crate::input::for_each_input;
use crate::limits::{Limits, Threads, interrupt};
use crate::output::Format;

/// A game, its positions, and limits.
#[derive(Args)]
pub struct Ask {
    /// The game, such as clobber, or octal(0.77)
    pub game: String,
    /// The position as text, or a size such as 4x4; `-` reads positions from standard input
    #[arg(required = true)]
    position: Vec<String>,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    databases: Databases,
    #[command(flatten)]
    pub format: Format,
}

impl Ask {
    /// Whether positions are read from standard input.
    pub fn is_many(&self) -> bool {
        self.position == ["-"]
    }

    /// Answers for each position.
    pub fn each(&self, one: impl Fn(&Engine, &Cancel, &str) -> Result<(), Failure>) -> Result<(), Failure> {
        let cancel = interrupt();
        let mut engine = EngineForMany::new(&self.databases, &self.threads, &self.limits);
        for_each_input(&self.position.join(" "), self.format.json, |position| {
            one(engine.next(), &cancel, position)
        })
    }
}
