//! The prompt: history and completion.

use std::path::PathBuf;

use gb_engine::calc::Calculator;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, Context, Editor, Helper, Highlighter, Hinter, Validator};

use crate::errors::Failure;

/// A prompt that remembers what was typed, also from one session to the next.
pub struct Prompt {
    editor: Editor<Names, DefaultHistory>,
    history: Option<PathBuf>,
}

/// The names that can be completed.
#[derive(Default, Helper, Highlighter, Hinter, Validator)]
struct Names(Vec<String>);

impl Completer for Names {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let start = line[..at]
            .rfind(|c| !is_name(c))
            .map_or(0, |i| i + line[i..].chars().next().map_or(1, char::len_utf8));
        let beginning = &line[start..at];
        if beginning.is_empty() {
            return Ok((start, vec![]));
        }
        Ok((start, self.0.iter().filter(|name| name.starts_with(beginning)).cloned().collect()))
    }
}

impl Prompt {
    /// Opens the prompt and reads the history of earlier sessions.
    pub fn open() -> Result<Prompt, Failure> {
        let config = Config::builder().auto_add_history(true).completion_type(CompletionType::List).build();
        let failed =
            |error: ReadlineError| Failure::Io("opening the prompt".into(), std::io::Error::other(error));
        let mut editor = Editor::with_config(config).map_err(failed)?;
        editor.set_helper(Some(Names::default()));
        let history = history_file();
        if let Some(path) = &history {
            // There is none the first time.
            let _ = editor.load_history(path);
        }
        println!("The Game Bench. `help` lists what there is, Ctrl-D ends.");
        Ok(Prompt { editor, history })
    }

    /// The next line that is typed.
    pub fn next(&mut self, calculator: &Calculator<'_>) -> Option<Result<String, String>> {
        if let Some(names) = self.editor.helper_mut() {
            names.0 = calculator.completions("");
        }
        loop {
            match self.editor.readline("> ") {
                Ok(line) if matches!(line.trim(), "quit" | "exit") => return self.end(),
                Ok(line) => return Some(Ok(line)),
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return self.end(),
                Err(error) => {
                    eprintln!("error: reading the terminal: {error}");
                    return self.end();
                }
            }
        }
    }

    fn end(&mut self) -> Option<Result<String, String>> {
        if let Some(path) = &self.history {
            let folder = path.parent().map(std::fs::create_dir_all);
            // A history that cannot be kept is no reason to complain at the end of a session.
            let _ = folder.transpose().map(|_| self.editor.save_history(path));
        }
        None
    }
}

/// Where the history is kept: in the folder for data of this user.
fn history_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let data = if cfg!(windows) {
        set("APPDATA")
    } else if cfg!(target_os = "macos") {
        set("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")))
    };
    data.map(|folder| folder.join("gamebench").join("history"))
}
