//! What goes to standard output: text for people, or one JSON object a line.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::OnceLock;

use clap::Args;
use gb_engine::picture::ink::Ink;
use gb_value::text::{Script, Style};
use serde::Serialize;

/// How to print.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct Format {
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
    /// Print values with numbers, ups, stars and braces alone
    #[arg(long)]
    pub plain: bool,
    /// Print values with ↑ ↓ ⋆ ±
    #[arg(long, conflicts_with = "latex")]
    pub unicode: bool,
    /// Print values for TeX
    #[arg(long)]
    pub latex: bool,
    /// Print games as 2|0||-1 where braces can be spared
    #[arg(long)]
    pub slashes: bool,
    /// Cut the text of a value after this many bytes
    #[arg(long, value_name = "BYTES")]
    pub length: Option<usize>,
}

impl Format {
    /// The style of values; `length` counts where no length was given.
    pub fn style(&self, length: usize) -> Style {
        let script = match (self.unicode, self.latex) {
            (true, _) => Script::Unicode,
            (false, false) if !self.json && ink().unicode => Script::Unicode,
            (_, true) => Script::Latex,
            _ => Script::Ascii,
        };
        Style { script, plain: self.plain, slashes: self.slashes, max_len: self.length.unwrap_or(length) }
    }
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum When {
    /// If a terminal shows them
    Auto,
    /// Even into files and pipes
    Always,
    /// Not at all
    Never,
}

static COLOR: OnceLock<When> = OnceLock::new();

/// Says when to use colours, once.
pub fn use_color(when: When) {
    let _ = COLOR.set(when);
}

/// What standard output can show: nothing but plain characters unless it is a terminal (<https://no-color.org>).
pub fn ink() -> Ink {
    ink_for(io::stdout().is_terminal())
}

/// The same for standard error.
pub fn error_ink() -> Ink {
    ink_for(io::stderr().is_terminal())
}

fn ink_for(terminal: bool) -> Ink {
    let set = |name| std::env::var_os(name).is_some_and(|text| !text.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let when = COLOR.get().copied().unwrap_or(When::Auto);
    let colours = match when {
        When::Auto => terminal && !dumb && !set("NO_COLOR"),
        When::Always => true,
        When::Never => false,
    };
    // The first of these that is set says which characters there are.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find(|name| set(name))
        .and_then(|name| std::env::var(name).ok());
    let utf8 = locale.is_some_and(|locale| locale.to_ascii_lowercase().replace('-', "").contains("utf8"));
    Ink { colours, unicode: terminal && !dumb && utf8 }
}

/// Prints a long text: where people read it on a terminal, a page at a time by the pager they have chosen, or `less`, which shows
/// what fits on the screen and ends.
pub fn page(text: &str) -> io::Result<()> {
    if io::stdout().is_terminal() && io::stdin().is_terminal() && text.lines().count() >= SHORTEST_PAGE {
        let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
        let mut words = pager.split_whitespace();
        if let Some(program) = words.next()
            && let Ok(mut child) = process::Command::new(program)
                .args(words)
                .env("LESS", std::env::var("LESS").unwrap_or_else(|_| "FRX".to_owned()))
                .stdin(process::Stdio::piped())
                .spawn()
        {
            // Who leaves the pager has seen enough.
            let _ = child.stdin.take().map(|mut input| input.write_all(text.as_bytes()));
            child.wait()?;
            return Ok(());
        }
    }
    line(text)
}

/// Texts that fit on every screen are printed as they are.
const SHORTEST_PAGE: usize = 24;

/// Prints a line.
pub fn line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Prints what is a text already, as it is.
pub fn bytes(text: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text)?;
    out.flush()
}

/// Prints an object as one line of JSON.
pub fn json(object: &impl Serialize) -> io::Result<()> {
    line(&serde_json::to_string(object).map_err(io::Error::other)?)
}

/// An error as JSON.
#[derive(Serialize)]
pub struct JsonError<'a> {
    /// What was wrong, what was expected.
    pub error: &'a str,
    /// The input it is about.
    pub input: &'a str,
    /// The character it is about, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}
