//! What a function was called with, and the questions it asks about that.

use std::sync::Arc;

use gb_value::text::Span;
use gb_value::{Dyadic, Kernel, Value};

use crate::calc::datum::Datum;
use crate::calc::error::CalcError;
use crate::calc::loopy::Loopy;
use crate::calc::operate::as_loopy;

/// The arguments of one call, of which there are as many as the function asks for.
pub struct Arguments<'a> {
    pub(crate) kernel: &'a Kernel<'a>,
    pub(crate) data: &'a [Datum],
    pub(crate) spans: &'a [Span],
    pub(crate) line: &'a str,
}

impl Arguments<'_> {
    fn wrong<T>(&self, at: usize, expected: &str) -> Result<T, CalcError> {
        let found = self.data[at].what();
        Err(CalcError::at(self.spans[at], format!("expected {expected}, found {found}")))
    }

    /// A game without loops other than on and off.
    pub(crate) fn value(&self, at: usize) -> Result<Value, CalcError> {
        match self.data[at] {
            Datum::Value(value) => Ok(value),
            _ => self.wrong(at, "a game without loops"),
        }
    }

    /// A game of any kind.
    pub(crate) fn game(&self, at: usize) -> Result<Datum, CalcError> {
        match &self.data[at] {
            game @ (Datum::Value(_) | Datum::Loopy(_)) => Ok(game.clone()),
            _ => self.wrong(at, "a game"),
        }
    }

    /// Complains about `on` and `off`.
    pub(crate) fn short(&self, at: usize) -> Result<(), CalcError> {
        if self.kernel.is_short(self.value(at)?) {
            return Ok(());
        }
        Err(CalcError::at(self.spans[at], "on or off occurs in this game, and it has no end"))
    }

    /// All arguments as games; a single list stands for its items.
    pub(crate) fn games(&self) -> Result<Vec<Datum>, CalcError> {
        let list = match self.data {
            [Datum::List(list)] => list,
            data => data,
        };
        match list.iter().position(|d| !matches!(d, Datum::Value(_) | Datum::Loopy(_))) {
            Some(at) => self.wrong(at.min(self.data.len() - 1), "games"),
            None => Ok(list.to_vec()),
        }
    }

    pub(crate) fn is_loopy(&self, at: usize) -> bool {
        matches!(self.data[at], Datum::Loopy(_))
    }

    /// A game of any kind, as a game with loops.
    pub(crate) fn loopy(&self, at: usize) -> Result<Arc<Loopy>, CalcError> {
        as_loopy(&self.data[at]).map_err(|e| e.or_at(self.spans[at]))
    }

    /// A number.
    pub(crate) fn number(&self, at: usize) -> Result<Dyadic, CalcError> {
        let value = self.value(at)?;
        self.kernel.as_number(value).ok_or_else(|| {
            CalcError::at(self.spans[at], "expected a number such as 2 or 3/4, found a game that is none")
        })
    }

    /// A whole number.
    pub(crate) fn count(&self, at: usize) -> Result<i64, CalcError> {
        let written = self.spans[at].of(self.line);
        let hint = if written.contains('^') {
            format!(" (`{written}` means a number and ups; powers are written out)")
        } else {
            String::new()
        };
        let expected = |what: &str| CalcError::at(self.spans[at], format!("expected {what}{hint}"));
        let number = match self.data[at] {
            Datum::Value(value) => self.kernel.as_number(value),
            _ => None,
        };
        let number = number.filter(Dyadic::is_integer).ok_or_else(|| expected("a whole number"))?;
        number.to_i64().ok_or_else(|| expected("a whole number of at most 63 bits"))
    }

    /// A whole number that is not negative and fits into 32 bits.
    pub(crate) fn index(&self, at: usize) -> Result<u32, CalcError> {
        u32::try_from(self.count(at)?)
            .map_err(|_| CalcError::at(self.spans[at], "expected a whole number between 0 and 4294967295"))
    }
}
