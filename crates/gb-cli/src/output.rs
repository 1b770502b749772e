//! What goes to standard output: text for people, or one JSON object a line.

use std::io::{self, Write};

use clap::Args;
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
            (_, true) => Script::Latex,
            _ => Script::Ascii,
        };
        Style { script, plain: self.plain, slashes: self.slashes, max_len: self.length.unwrap_or(length) }
    }
}

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
