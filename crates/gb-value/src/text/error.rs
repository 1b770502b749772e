//! Errors that point at the character.

use crate::budget::Halt;

/// A piece of a text, from one byte up to (not including) another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// From one byte up to another.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The smallest piece that contains both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text of this piece.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// Two lines: the surroundings of the piece in a (perhaps very long) text, and a caret under its first character.
    pub fn picture(self, text: &str) -> String {
        const BEFORE: usize = 40;
        const AFTER: usize = 38;
        let start = self.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let before: Vec<char> = text[line_start..start].chars().rev().take(BEFORE + 1).collect();
        let (mark, kept) = if before.len() > BEFORE { ("...", BEFORE) } else { ("", before.len()) };
        let before: String = before[..kept].iter().rev().map(|&c| visible(c)).collect();
        let rest = text[start..].split('\n').next().unwrap_or("");
        let after: String = rest.chars().take(AFTER).map(visible).collect();
        let more = if rest.chars().nth(AFTER).is_some() { "..." } else { "" };
        let indent = mark.len() + before.chars().count();
        let length = self.of(text).chars().take(AFTER).take_while(|&c| c != '\n').count().max(1);
        format!("{mark}{before}{after}{more}\n{}{}", " ".repeat(indent), "^".repeat(length))
    }
}

fn visible(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// A text that is no expression: where it goes wrong, what stands there, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// The piece of the text that cannot be read.
    pub span: Span,
    /// A sentence.
    pub message: String,
}

impl SyntaxError {
    /// An error at a piece of the text.
    pub fn new(span: Span, message: impl Into<String>) -> SyntaxError {
        SyntaxError { span, message: message.into() }
    }
}

/// Why a text did not become a value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is wrong.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The value could not be computed.
    #[error(transparent)]
    Halt(#[from] Halt),
}
