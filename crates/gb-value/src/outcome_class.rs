//! The nine outcome classes of games that can be drawn.

use std::fmt;

use crate::loopy::Ending;
use crate::order::Outcome;
use crate::player::Player;

/// Who wins a game that can go on for ever, which is a draw. The names are those of Siegel, Combinatorial Game Theory, chapter VI,
/// and of CGSuite: a hat is better for Left than the class without it, a check for Right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OutcomeClass {
    /// Left wins, whoever begins.
    L,
    /// Right wins, whoever begins.
    R,
    /// The next player (who begins) wins.
    N,
    /// The previous player (who does not begin) wins.
    P,
    /// A draw, whoever begins.
    D,
    /// Left wins if she begins, and it is a draw if Right does.
    NHat,
    /// Right wins if he begins, and it is a draw if Left does.
    NCheck,
    /// Left wins if Right begins, and it is a draw if she does.
    PHat,
    /// Right wins if Left begins, and it is a draw if he does.
    PCheck,
}

impl OutcomeClass {
    /// All classes.
    pub const ALL: [OutcomeClass; 9] = [
        OutcomeClass::L,
        OutcomeClass::R,
        OutcomeClass::N,
        OutcomeClass::P,
        OutcomeClass::D,
        OutcomeClass::NHat,
        OutcomeClass::NCheck,
        OutcomeClass::PHat,
        OutcomeClass::PCheck,
    ];

    /// The class of games that end like this when Left begins, and when Right begins.
    pub fn of(left_first: Ending, right_first: Ending) -> OutcomeClass {
        match (left_first, right_first) {
            (Ending::Win, Ending::Win) => OutcomeClass::L,
            (Ending::Loss, Ending::Loss) => OutcomeClass::R,
            (Ending::Win, Ending::Loss) => OutcomeClass::N,
            (Ending::Loss, Ending::Win) => OutcomeClass::P,
            (Ending::Draw, Ending::Draw) => OutcomeClass::D,
            (Ending::Win, Ending::Draw) => OutcomeClass::NHat,
            (Ending::Draw, Ending::Loss) => OutcomeClass::NCheck,
            (Ending::Draw, Ending::Win) => OutcomeClass::PHat,
            (Ending::Loss, Ending::Draw) => OutcomeClass::PCheck,
        }
    }

    /// How play ends if this player begins.
    pub fn ending(self, first: Player) -> Ending {
        use Ending::{Draw, Loss, Win};
        let [left, right] = match self {
            OutcomeClass::L => [Win, Win],
            OutcomeClass::R => [Loss, Loss],
            OutcomeClass::N => [Win, Loss],
            OutcomeClass::P => [Loss, Win],
            OutcomeClass::D => [Draw, Draw],
            OutcomeClass::NHat => [Win, Draw],
            OutcomeClass::NCheck => [Draw, Loss],
            OutcomeClass::PHat => [Draw, Win],
            OutcomeClass::PCheck => [Loss, Draw],
        };
        if first == Player::Left { left } else { right }
    }

    /// Who wins, in a sentence without its full stop.
    pub fn sentence(self) -> &'static str {
        match self {
            OutcomeClass::L => "Left wins, whoever begins",
            OutcomeClass::R => "Right wins, whoever begins",
            OutcomeClass::N => "whoever begins wins",
            OutcomeClass::P => "whoever begins loses",
            OutcomeClass::D => "it is a draw, whoever begins",
            OutcomeClass::NHat => "Left wins if she begins, and it is a draw if Right begins",
            OutcomeClass::NCheck => "Right wins if he begins, and it is a draw if Left begins",
            OutcomeClass::PHat => "Left wins if Right begins, and it is a draw if she begins",
            OutcomeClass::PCheck => "Right wins if Left begins, and it is a draw if he begins",
        }
    }
}

impl From<Outcome> for OutcomeClass {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::L => OutcomeClass::L,
            Outcome::R => OutcomeClass::R,
            Outcome::N => OutcomeClass::N,
            Outcome::P => OutcomeClass::P,
        }
    }
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutcomeClass::L => "L",
            OutcomeClass::R => "R",
            OutcomeClass::N => "N",
            OutcomeClass::P => "P",
            OutcomeClass::D => "D",
            OutcomeClass::NHat => "N-hat",
            OutcomeClass::NCheck => "N-check",
            OutcomeClass::PHat => "P-hat",
            OutcomeClass::PCheck => "P-check",
        })
    }
}
