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
use gb_rules::Info;

use crate::shared::strip::{Kind, Strips};

/// Elephants and Rhinos among the games along rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElephantsAndRhinosKind;

/// The rules of Elephants and Rhinos.
pub type ElephantsAndRhinos<W> = Strips<W, ElephantsAndRhinosKind>;

impl Kind for ElephantsAndRhinosKind {
    const JUMPS: bool = false;
    const LETTERS: Alphabet = Alphabet(&[
        ('#', "(not part of the board)"),
        ('x', "elephant, moves right"),
        ('o', "rhino, moves left"),
        ('.', "empty"),
    ]);

    fn info() -> Info {
        Info {
            name: "elephants-and-rhinos".into(),
            title: "Elephants and Rhinos",
            rules: "Left moves an elephant one cell to the right, Right moves a rhino one cell to the left, onto empty cells. Who cannot \
                    move loses.",
            alphabet: Self::LETTERS.0,
            example: "x..ox...o",
            impartial: false,
            loopy: false,
        }
    }
}
