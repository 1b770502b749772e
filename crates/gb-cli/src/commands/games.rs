//! `gamebench games`: what can be put on the bench.

use clap::Args;
use serde::Serialize;

use crate::errors::Failure;
use crate::game_files;
use crate::output::{self, Format};

/// The games, with rules, alphabet and an example each
#[derive(Args)]
pub struct Games {
    /// Only this game: a name, or a file such as ./shove.game, of which is shown what was found out about it
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
        let names: Vec<String> = match &self.game {
            Some(name) => vec![name.clone()],
            None => {
                let known = gb_games::NAMES.iter().map(|name| name.to_string());
                known.chain(game_files::names()).collect()
            }
        };
        let games = game_files::games();
        for name in &names {
            let info = match games.info(name) {
                Ok(info) => info,
                // One bad file does not hide the others.
                Err(error) if self.game.is_none() => {
                    eprintln!("warning: {error}");
                    continue;
                }
                Err(error) => return Err(Failure::Input(error.to_string())),
            };
            let text = games.text_game(name).map_err(|error| Failure::Input(error.to_string()))?;
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
            let typed = if text.is_some() { name } else { &info.name };
            if let (Some(text), Some(_)) = (&text, &self.game) {
                let derived = text.derived();
                output::line(&format!("  alike: {}", derived.symmetry))?;
                output::line(&format!("  parts: {}", derived.parts))?;
                output::line(&format!("  {}", derived.ends))?;
                if derived.tabulated {
                    output::line("  databases: all boards of a size can be tabulated")?;
                }
                output::line(&format!("  known as: {}", info.name))?;
                show_options(&games, name, info.example)?;
                for warning in text.warnings() {
                    output::line(&format!("  warning: {warning}"))?;
                }
            }
            output::line(&format!("  example: gamebench analyze {typed} '{}'", info.example))?;
        }
        Ok(())
    }
}

/// The options of a position, as many as fit on a few lines.
fn show_options(games: &gb_engine::Games, name: &str, position: &str) -> Result<(), Failure> {
    /// More options than these are only counted.
    const SHOWN: usize = 8;
    let position = games.position(name, position).map_err(|error| Failure::Input(error.to_string()))?;
    for who in gb_rules::Player::BOTH {
        let options = position.options(who);
        let more = options.len().saturating_sub(SHOWN);
        let mut shown: Vec<&str> = options.iter().take(SHOWN).map(String::as_str).collect();
        let rest = format!("and {more} more");
        if more > 0 {
            shown.push(&rest);
        }
        let shown = if shown.is_empty() { "nothing".to_string() } else { shown.join("  ") };
        output::line(&format!("  {who} moves from {} to: {shown}", position.show()))?;
    }
    Ok(())
}
