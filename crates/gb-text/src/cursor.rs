//! A line of text that is read from left to right, with places for errors.

use crate::error::{Place, TextError};

/// Where we are in a line.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    line: usize,
    text: &'a str,
    /// The byte we are at.
    at: usize,
}

/// Whether a character can be part of a word.
pub(crate) fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_' || c == '\''
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(line: usize, text: &'a str) -> Cursor<'a> {
        Cursor { line, text, at: 0 }
    }

    /// The place of what comes next.
    pub(crate) fn place(&self) -> Place {
        Place { line: self.line, column: self.text[..self.at].chars().count() + 1 }
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(crate) fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    pub(crate) fn at_end(&mut self) -> bool {
        self.skip_spaces();
        self.rest().is_empty()
    }

    /// The error that something else was expected here.
    pub(crate) fn expected(&self, expected: impl Into<String>) -> TextError {
        let rest = self.rest();
        let word: String = rest.chars().take_while(|c| in_word(*c)).take(20).collect();
        let found = match (rest.chars().next(), word.is_empty()) {
            (None, _) => "the end of the line".to_string(),
            (Some(c), true) => format!("`{c}`"),
            (_, false) => format!("`{word}`"),
        };
        TextError::Syntax { at: self.place(), found, expected: expected.into() }
    }

    /// Takes `token` if it comes next, after spaces.
    pub(crate) fn take(&mut self, token: &str) -> bool {
        self.skip_spaces();
        let is_there = self.rest().starts_with(token);
        if is_there {
            self.at += token.len();
        }
        is_there
    }

    /// Takes `token`, which must come next.
    pub(crate) fn need(&mut self, token: &str, expected: &str) -> Result<(), TextError> {
        if self.take(token) { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// The next word, if there is one.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        self.skip_spaces();
        let rest = self.rest();
        let end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| &rest[..end])
    }

    /// Takes this word if it comes next.
    pub(crate) fn take_word(&mut self, wanted: &str) -> bool {
        let before = self.at;
        let found = self.word() == Some(wanted);
        if !found {
            self.at = before;
        }
        found
    }

    /// The next word, which must be one of these; gives its place in the list.
    pub(crate) fn one_of(&mut self, words: &[&str]) -> Result<usize, TextError> {
        self.skip_spaces();
        let before = self.clone();
        let found = self.word().and_then(|word| words.iter().position(|known| *known == word));
        found.ok_or_else(|| before.expected(listed(words)))
    }

    /// A number of at most `most`.
    pub(crate) fn number(&mut self, most: u32, what: &str) -> Result<u32, TextError> {
        self.skip_spaces();
        let before = self.clone();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.at += end;
        match rest[..end].parse::<u32>() {
            Ok(number) if number <= most => Ok(number),
            _ => Err(before.expected(format!("{what}, a number of at most {most}"))),
        }
    }

    /// Everything up to the end of the line.
    pub(crate) fn all(&mut self) -> &'a str {
        self.skip_spaces();
        let rest = self.rest();
        self.at = self.text.len();
        rest.trim_end()
    }
}

/// Words as an alternative: `a`, `b` or `c`.
pub(crate) fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [start @ .., last] => format!("{} or {last}", start.join(", ")),
    }
}
