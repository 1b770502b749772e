//! Elephants and Rhinos: Left moves an elephant one cell to the right, Right moves a rhino one cell to the left,
//! onto empty cells (Albert, Nowakowski and Wolfe, Lessons in Play).
//! Rows are played side by side. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("elephants-and-rhinos").unwrap().read("x.o").unwrap();
//! assert_eq!(row.options(Left), [".xo"]);
//! assert_eq!(row.options(Right), ["xo."]);
//! ```

use gb_board::Alphabet;

use crate::shared::strip::{Kind, Strips};

/// Elephants and Rhinos among the games along rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElephantsAndRhinosKind;

/// The rules of Elephants and Rhinos.
pub type ElephantsAndRhinos<W> = Strips<W, ElephantsAndRhinosKind>;

impl Kind for ElephantsAndRhinosKind {
    const JUMPS: bool = false;
    const NAME: &'static str = "elephants-and-rhinos";
    const TITLE: &'static str = "Elephants and Rhinos";
    const RULES: &'static str = "Left moves an elephant one cell to the right, Right moves a rhino one cell to the \
        left, onto empty cells. Who cannot move loses.";
    const EXAMPLE: &'static str = "x..ox...o";
    const LETTERS: Alphabet = Alphabet(&[
        ('#', "(not part of the board)"),
        ('x', "elephant, moves right"),
        ('o', "rhino, moves left"),
        ('.', "empty"),
    ]);
}
