//! `gamebench games`: what can be put on the bench.

use clap::Args;
use serde::Serialize;

use crate::errors::Failure;
use crate::output::{self, Format};

/// The games, with rules, alphabet and an example each
#[derive(Args)]
pub struct Games {
    /// Only this game
    game: Option<String>,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct JsonGame<'a> {
    name: &'a str,
    title: &'a str,
    rules: &'a str,
    alphabet: Vec<(char, &'a str)>,
    example: &'a str,
    impartial: bool,
    loopy: bool,
}

impl Games {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let names: Vec<&str> = match &self.game {
            Some(name) => vec![name],
            None => gb_games::NAMES.to_vec(),
        };
        for name in names {
            let info = gb_games::info(name).map_err(|e| Failure::Input(e.to_string()))?;
            if self.format.json {
                output::json(&JsonGame {
                    name,
                    title: info.title,
                    rules: info.rules,
                    alphabet: info.alphabet.to_vec(),
                    example: info.example,
                    impartial: info.impartial,
                    loopy: info.loopy,
                })?;
                continue;
            }
            output::line(&format!("{name}: {}", info.title))?;
            output::line(&format!("  {}", info.rules))?;
            let letters: Vec<String> = info.alphabet.iter().map(|(c, what)| format!("{c} {what}")).collect();
            if !letters.is_empty() {
                output::line(&format!("  letters: {}", letters.join(", ")))?;
            }
            output::line(&format!("  example: gamebench analyze {} '{}'", info.name, info.example))?;
        }
        Ok(())
    }
}
