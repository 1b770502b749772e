//! Snort: players colour cells of a grid or a graph, never beside a cell of the enemy's colour. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let row = gb_games::game("snort").unwrap().read(".x.").unwrap();
//! assert_eq!(row.options(Left), ["xx.", ".xx"]);
//! assert_eq!(row.options(Right), Vec::<String>::new());
//! ```

use gb_rules::Info;

use crate::shared::colouring::{Colouring, Forbids, Kind, LETTERS};

/// Snort among the games of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnortKind;

/// The rules of Snort, on grids or graphs.
pub type Snort<F> = Colouring<F, SnortKind>;

impl Kind for SnortKind {
    const FORBIDS: Forbids = Forbids::Opponent;

    fn info() -> Info {
        Info {
            name: "snort".into(),
            title: "Snort",
            rules: "A player colours a cell that has no neighbour of the opponent's colour. Who cannot move loses.",
            alphabet: LETTERS.0,
            example: "...|...|...",
            impartial: false,
            loopy: false,
        }
    }
}
