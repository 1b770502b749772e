//! `gamebench completions` and `gamebench man`: what a shell and a manual want to know about the commands.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use crate::errors::Failure;
use crate::files;
use crate::output;

/// Prints what makes a shell complete commands and options
///
/// For bash: gamebench completions bash > ~/.local/share/bash-completion/completions/gamebench
#[derive(Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Runs the command.
    pub fn run(self, mut all: clap::Command) -> Result<(), Failure> {
        let mut script = vec![];
        clap_complete::generate(self.shell, &mut all, "gamebench", &mut script);
        Ok(output::bytes(&script)?)
    }
}

/// Prints the manual page, or writes the pages of all commands into a folder
///
/// To read it: gamebench man | man -l -
#[derive(Args)]
pub struct Man {
    /// Write gamebench.1 and a page for each command here
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Man {
    /// Runs the command.
    pub fn run(self, all: clap::Command) -> Result<(), Failure> {
        let Some(dir) = self.dir else {
            let mut page = vec![];
            clap_mangen::Man::new(all).render(&mut page)?;
            return Ok(output::bytes(&page)?);
        };
        files::folder(&dir)?;
        clap_mangen::generate_to(all, &dir).map_err(|error| Failure::file("writing pages into", &dir, error))
    }
}
