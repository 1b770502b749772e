//! Games with loops, as finite graphs.
//!
//! A [`LoopyGame`] is a finite graph of positions with Left's and Right's moves and a root; play that never
//! ends is a draw. The theory is that of Conway, Bach and Norton (Winning Ways, chapter 11), in the form
//! A. N. Siegel gave it ("Coping with cycles" and "New results in loopy games", Games of No Chance 3;
//! Combinatorial Game Theory, chapter VI):
//!
//! - the [`Outcome`] of any game, with draws, by retrograde analysis;
//! - *stoppers*, games without an infinite alternating run: compared by survival of the second player and
//!   brought to their unique simplest form, a [`Stopper`], where equal games are equal data;
//! - any other game by its [`Sides`]: the stoppers it equals when every infinite play counts as a win for
//!   Left (onside) or for Right (offside), found by sidling where sidling converges.
//!
//! Nothing here recurses on its input, and whatever can grow is paid for from a [`Work`] allowance.
//!
//! ```
//! use gb_value::loopy::{Builder, LoopyGame, Work};
//! use gb_value::text::Style;
//! let mut go_on = || true;
//! let mut work = Work::new(100_000, &mut go_on);
//! let mut b = Builder::new(10);
//! let zero = b.node(&[], &[])?;
//! let a = b.declare()?;
//! b.set(a, &[zero], &[a])?; // a{0|a}
//! let a = b.build(a)?;
//! assert_eq!(a.canonical(&mut work)?, LoopyGame::over().canonical(&mut work)?);
//! let dud = LoopyGame::on().plus(&LoopyGame::off(), &mut work)?.sides(&mut work)?;
//! assert_eq!(dud.show(&|_, _| None, &Style::default()).text, "dud");
//! # Ok::<(), gb_value::loopy::LoopyError>(())
//! ```

mod biased;
mod convert;
pub(crate) mod graph;
mod named;
mod order;
mod outcome;
pub(crate) mod sides;
mod simplify;
mod text;

pub use graph::{Builder, LoopyGame, NodeId};
pub use named::NAMES;
pub use outcome::{Ending, Outcome};
pub use sides::Sides;
pub use simplify::Stopper;
pub use text::ShowShort;

/// Why an operation on loopy games gave no answer. The games involved stay valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoopyError {
    /// The allowance of nodes, steps or characters was used up.
    #[error("too large: this needs more than {limit} {unit}")]
    TooLarge {
        /// How many were allowed.
        limit: usize,
        /// What was counted: `"nodes"`, `"steps"` or `"characters"`.
        unit: &'static str,
    },
    /// The budget ran out, or a value outgrew what can be represented.
    #[error(transparent)]
    Halt(#[from] crate::budget::Halt),
    /// The caller's `keep_going` said no.
    #[error("stopped on request")]
    Cancelled,
    /// The operation is defined for stoppers only.
    #[error(
        "the game has an infinite alternating run of moves, so it is not a stopper; ask for its sides instead"
    )]
    NotStopper,
    /// Sidling did not come to rest, so the sides are not known (some games have none that are stoppers).
    #[error("sidling did not converge within {rounds} rounds; the sides of this game may not be stoppers")]
    NoSides {
        /// How many rounds were tried.
        rounds: usize,
    },
    /// A node that was declared has not been given its options.
    #[error("node {node} was declared but its options were never set")]
    Undefined {
        /// The number of the node in its builder.
        node: usize,
    },
    /// A node already has its options.
    #[error("the options of node {node} were set before")]
    AlreadySet {
        /// The number of the node in its builder.
        node: usize,
    },
    /// A node number that this builder or game never gave out.
    #[error("there is no node {node} here")]
    NoSuchNode {
        /// The number that was asked for.
        node: usize,
    },
}

/// An allowance of steps, shared by the operations it is passed to, and a question asked now and then whether
/// to go on. A step is one node, edge or state looked at, so the allowance bounds time and memory alike.
pub struct Work<'a> {
    limit: usize,
    left: usize,
    until_asking: usize,
    keep_going: &'a mut dyn FnMut() -> bool,
}

impl<'a> Work<'a> {
    /// How many steps pass between two calls of `keep_going`.
    const ASK_EVERY: usize = 1024;

    /// An allowance of `limit` steps; `keep_going` returns false to cancel.
    pub fn new(limit: usize, keep_going: &'a mut dyn FnMut() -> bool) -> Self {
        Work { limit, left: limit, until_asking: 0, keep_going }
    }

    /// How many steps are still allowed.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Lets `f` spend at most one `share`-th of what is left; `None` if that was not enough.
    fn part<T>(
        &mut self,
        share: usize,
        f: impl FnOnce(&mut Self) -> Result<T, LoopyError>,
    ) -> Result<Option<T>, LoopyError> {
        let kept_back = self.left - self.left / share;
        self.left -= kept_back;
        let result = f(self);
        self.left += kept_back;
        match result {
            Ok(value) => Ok(Some(value)),
            Err(LoopyError::TooLarge { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// Pays for `steps` steps.
    fn spend(&mut self, steps: usize) -> Result<(), LoopyError> {
        if self.until_asking <= steps {
            if !(self.keep_going)() {
                return Err(LoopyError::Cancelled);
            }
            self.until_asking = Self::ASK_EVERY;
        } else {
            self.until_asking -= steps;
        }
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(LoopyError::TooLarge { limit: self.limit, unit: "steps" }),
        }
    }
}
