//! The frame of the Go Text Protocol, version 2 (G. Farnebäck, 2002), for every program that speaks it here: how a line is
//! read, how an answer is written and read, and the commands that all programs answer alike. What a game makes of the
//! others is said by an [`Engine`].

use std::path::Path;

use gb_rules::Player;

use crate::{MAX_BYTES, files};

/// What a command is answered: the text of a success, or a failure.
pub type Answer = Result<String, Failure>;

/// Why a command is not obeyed: what the other program is told after a `?`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

impl From<String> for Failure {
    fn from(sentence: String) -> Failure {
        Failure(sentence)
    }
}

impl From<&str> for Failure {
    fn from(sentence: &str) -> Failure {
        Failure(sentence.into())
    }
}

/// Who answers the commands of one program.
pub trait Engine {
    /// The commands besides [`COMMON`].
    const COMMANDS: &'static [&'static str];

    /// What the program is called.
    fn name(&self) -> String;

    /// Hears that the conversation is over.
    fn quit(&mut self);

    /// Answers one of [`COMMANDS`](Engine::COMMANDS).
    ///
    /// # Errors
    /// What the other program is told, after a `?`.
    fn command(&mut self, command: &str, arguments: &[&str]) -> Answer;
}

/// What every program answers.
pub const COMMON: &[&str] =
    &["known_command", "list_commands", "name", "protocol_version", "quit", "version"];

/// Answers one line; `None` for lines without a command.
pub fn answer<E: Engine>(engine: &mut E, line: &str) -> Option<String> {
    let line = line.split('#').next().unwrap_or("");
    let clean: String =
        line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
    let mut words: Vec<&str> = clean.split_whitespace().collect();
    let id = match words.first()? {
        word if word.bytes().all(|b| b.is_ascii_digit()) => words.remove(0),
        _ => "",
    };
    // A number alone is the beginning of a command that is missing.
    let (command, arguments) = words.split_first().map_or(("", &[][..]), |(&first, rest)| (first, rest));
    let (sign, text) = match obey(engine, command, arguments) {
        Ok(text) => ('=', text),
        Err(Failure(text)) => ('?', text),
    };
    // An empty line ends an answer, so there may be none in it.
    let body: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    Some(format!("{sign}{id} {}\n\n", body.join("\n")))
}

fn obey<E: Engine>(engine: &mut E, command: &str, arguments: &[&str]) -> Answer {
    let is_known = |name: &str| COMMON.contains(&name) || E::COMMANDS.contains(&name);
    match command {
        "protocol_version" => Ok("2".into()),
        "name" => Ok(engine.name()),
        "version" => Ok(env!("CARGO_PKG_VERSION").into()),
        "list_commands" => {
            let mut all = [COMMON, E::COMMANDS].concat();
            all.sort_unstable();
            Ok(all.join("\n"))
        }
        "known_command" => Ok(is_known(argument(arguments, 0)?).to_string()),
        "quit" => {
            engine.quit();
            done()
        }
        _ if is_known(command) => engine.command(command, arguments),
        _ => Err("unknown command".into()),
    }
}

/// What an answer says.
///
/// # Errors
/// The whole answer, if it is no success.
pub fn success(answer: &str) -> Result<&str, &str> {
    answer.strip_prefix('=').map(str::trim).ok_or(answer.trim())
}

/// A success without words.
///
/// # Errors
/// Never.
pub fn done() -> Answer {
    Ok(String::new())
}

/// What to say where an argument is missing.
pub fn missing() -> Failure {
    "syntax error: an argument is missing".into()
}

/// The argument with this index.
///
/// # Errors
/// If there are fewer.
pub fn argument<'a>(arguments: &[&'a str], index: usize) -> Result<&'a str, Failure> {
    arguments.get(index).copied().ok_or_else(missing)
}

/// The argument with this index, as a player: Left is black, Right is white.
///
/// # Errors
/// If it is missing or no colour.
pub fn colour(arguments: &[&str], index: usize) -> Result<Player, Failure> {
    match argument(arguments, index)?.to_ascii_lowercase().as_str() {
        "b" | "black" | "l" | "left" => Ok(Player::Left),
        "w" | "white" | "r" | "right" => Ok(Player::Right),
        other => Err(format!("invalid color `{other}`: expected black (Left) or white (Right)").into()),
    }
}

/// The word for a player.
pub fn colour_word(player: Player) -> &'static str {
    if player == Player::Left { "black" } else { "white" }
}

/// The text of a record that is to be loaded.
///
/// # Errors
/// If the file cannot be read.
pub fn load(path: &str) -> Answer {
    let bytes = files::read(Path::new(path), MAX_BYTES).map_err(cannot_load)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What to say where a record cannot be loaded.
pub fn cannot_load(error: impl std::fmt::Display) -> Failure {
    Failure(format!("cannot load file: {error}"))
}

/// Answers with a record, or writes it to a file if arguments name one.
///
/// # Errors
/// If the file cannot be written.
pub fn save(record: String, arguments: &[&str]) -> Answer {
    // Names of files may have spaces in them.
    let path = arguments.join(" ");
    if path.is_empty() {
        return Ok(record);
    }
    files::write(Path::new(&path), record.as_bytes())
        .map_err(|error| format!("cannot save file: {error}"))?;
    done()
}
