//! Who wins every board of a rectangle: a bit for every board up to symmetry.
//!
//! A board is a set of cells and a colouring of it with stones of Left and Right. Moves only take stones away, so that the colourings
//! of a set follow from those of smaller sets, or only place stones, so that they follow from those of larger ones; and the colourings of a set are a truth table, of which a word operation does 64 at a
//! time. A bit says whether Left wins if Right begins; who wins if Left begins is the same bit of the board with the colours exchanged.
//! Where it does not matter who has filled a cell, there are no colours, and the sets themselves are the assignments of a truth table.

mod build;
mod done;
mod flat;
mod sets;
mod solve;
mod table;
mod truth;
mod verify;

pub use build::OutcomeBuild;
pub(crate) use build::{build, by_threads};
pub(crate) use sets::{Form, Group, groups};
pub(crate) use table::KIND;
pub use table::{OutcomeTable, Outcomes};
pub use verify::verify_outcomes;
