//! Col: players colour cells of a grid or a graph, never beside a cell of their own colour. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("col").unwrap().read(".x.").unwrap();
//! assert_eq!(row.options(Left), Vec::<String>::new());
//! assert_eq!(row.options(Right), ["ox.", ".xo"]);
//! ```

use gb_rules::Info;

use crate::shared::colouring::{Colouring, Forbids, Kind, LETTERS};

/// Col among the games of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColKind;

/// The rules of Col, on grids or graphs.
pub type Col<F> = Colouring<F, ColKind>;

impl Kind for ColKind {
    const FORBIDS: Forbids = Forbids::Owner;

    fn info() -> Info {
        Info {
            name: "col".into(),
            title: "Col",
            rules: "A player colours a cell that has no neighbour of the same colour. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "...|...|...",
            impartial: false,
            loopy: false,
        }
    }
}
