//! What can be wrong with the text of a game.

use std::fmt;

/// A place in a text. Lines and columns count from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a text is no game: where, what was found, what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TextError {
    /// Something else was expected here.
    #[error("{at}: found {found}, expected {expected}")]
    Syntax {
        /// Where.
        at: Place,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// The words are right, but they make no sense together.
    #[error("{at}: {problem}")]
    Meaning {
        /// Where.
        at: Place,
        /// What is wrong, as a sentence.
        problem: String,
    },
    /// A line that every game needs is not there.
    #[error("the text has no line `{line}`: expected {expected}")]
    Missing {
        /// How the line begins.
        line: &'static str,
        /// What it looks like.
        expected: &'static str,
    },
    /// More than is allowed.
    #[error("{found} is too much: {limit}")]
    TooLarge {
        /// What was found.
        found: String,
        /// What is possible.
        limit: String,
    },
    /// The parameters do not fit the game.
    #[error("{game} {problem}, for example `{example}`")]
    Parameters {
        /// The game.
        game: String,
        /// What is wrong, as a sentence about the game.
        problem: String,
        /// A name with right parameters.
        example: String,
    },
    /// What the text claims is not so.
    #[error("{at}: the text claims {claim}, but that is false: {counterexample}")]
    FalseClaim {
        /// Where.
        at: Place,
        /// What is claimed.
        claim: String,
        /// A board on which it is not so.
        counterexample: String,
    },
}

impl TextError {
    /// A sentence about a place.
    pub(crate) fn meaning(at: Place, problem: impl Into<String>) -> TextError {
        TextError::Meaning { at, problem: problem.into() }
    }

    /// The place, if the error has one.
    pub fn place(&self) -> Option<Place> {
        match self {
            TextError::Syntax { at, .. }
            | TextError::Meaning { at, .. }
            | TextError::FalseClaim { at, .. } => Some(*at),
            _ => None,
        }
    }
}
