//! Errors, with the place in the line where they belong if there is one.

use gb_value::loopy::LoopyError;
use gb_value::text::{Span, SyntaxError};
use gb_value::{Halt, ValueError};

/// Why a line has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct CalcError {
    /// The piece of the line the error is about.
    pub span: Option<Span>,
    /// A sentence.
    pub message: String,
    /// The limit that was reached, if that was the reason.
    pub stop: Option<Halt>,
}

impl CalcError {
    pub(crate) fn at(span: Span, message: impl Into<String>) -> CalcError {
        CalcError { span: Some(span), message: message.into(), stop: None }
    }

    /// An error about the whole of what was asked.
    pub(crate) fn general(message: impl Into<String>) -> CalcError {
        CalcError { span: None, message: message.into(), stop: None }
    }

    /// The same error about a piece of the line, unless it is about a smaller one already.
    #[must_use]
    pub(crate) fn or_at(mut self, span: Span) -> CalcError {
        self.span.get_or_insert(span);
        self
    }

    /// The error in three lines: the line around the error, a caret under the character, the sentence. One line if the
    /// error has no place.
    pub fn explain(&self, line: &str) -> String {
        match self.span {
            Some(span) => format!("{}\n{}", span.picture(line), self.message),
            None => self.message.clone(),
        }
    }
}

impl From<SyntaxError> for CalcError {
    fn from(error: SyntaxError) -> Self {
        CalcError::at(error.span, error.message)
    }
}

impl From<Halt> for CalcError {
    fn from(stop: Halt) -> Self {
        CalcError { span: None, message: stop.to_string(), stop: Some(stop) }
    }
}

impl From<ValueError> for CalcError {
    fn from(error: ValueError) -> Self {
        match error {
            ValueError::Halt(stop) => stop.into(),
            other => CalcError::general(other.to_string()),
        }
    }
}

impl From<LoopyError> for CalcError {
    fn from(error: LoopyError) -> Self {
        match error {
            LoopyError::Halt(stop) => stop.into(),
            other => CalcError::general(other.to_string()),
        }
    }
}
