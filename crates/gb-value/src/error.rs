//! Why an operation on values has no answer.

use crate::budget::Halt;
use crate::budget::Limit;
use crate::dyadic::TooLarge;

/// Why an operation on values has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ValueError {
    /// The operation was stopped, or its result cannot be represented.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// Only short games have this.
    #[error("{0} is defined for games that end, but on or off occurs in this one")]
    NotShort(&'static str),
    /// Only all-small games have this.
    #[error(
        "{0} is defined for all-small games only: here one player can move somewhere and the other cannot"
    )]
    NotAllSmall(&'static str),
    /// A game cannot be cooled by so little.
    #[error("a game can be cooled by a number above -1 only")]
    ColdBelowMinusOne,
    /// The unit of a Norton product has to be positive.
    #[error("the unit of a Norton product must be greater than 0")]
    UnitNotPositive,
}

impl From<TooLarge> for ValueError {
    fn from(_: TooLarge) -> Self {
        ValueError::Halt(Halt::TooLarge(Limit::Number))
    }
}
