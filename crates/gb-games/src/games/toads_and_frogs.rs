//! Toads and Frogs: Left moves a toad one cell to the right, or over one frog to the empty cell behind; Right
//! moves a frog to the left likewise. Nothing is removed.
//! Rows are played side by side. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("toads-and-frogs").unwrap().read("tf.").unwrap();
//! assert_eq!(row.options(Left), [".ft"]);
//! assert_eq!(row.options(Right), Vec::<String>::new());
//! ```

use gb_board::Alphabet;

use crate::shared::strip::{Kind, Strips};

/// Toads and Frogs among the games along rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToadsAndFrogsKind;

/// The rules of Toads and Frogs.
pub type ToadsAndFrogs<W> = Strips<W, ToadsAndFrogsKind>;

impl Kind for ToadsAndFrogsKind {
    const JUMPS: bool = true;
    const NAME: &'static str = "toads-and-frogs";
    const TITLE: &'static str = "Toads and Frogs";
    const RULES: &'static str = "Left moves a toad one cell to the right, or over one frog to the empty cell behind \
        it; Right moves a frog to the left likewise. Who cannot move loses.";
    const EXAMPLE: &'static str = "ttt..fff";
    const LETTERS: Alphabet = Alphabet(&[
        ('#', "(not part of the board)"),
        ('t', "toad, moves right"),
        ('f', "frog, moves left"),
        ('.', "empty"),
    ]);
}
