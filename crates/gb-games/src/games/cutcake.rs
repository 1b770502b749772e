//! Cutcake: Left cuts a rectangular cake between two columns, Right between two rows. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let cake = gb_games::game("cutcake").unwrap().read("2x3").unwrap();
//! assert_eq!(cake.options(Left), ["2x1,2x2", "2x2,2x1"]);
//! assert_eq!(cake.options(Right), ["1x3,1x3"]);
//! ```

use gb_rules::{Arguments, Info, NameError};

use crate::shared::cakes::{Cutting, Kind};

/// Cutcake among the games of cutting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CutcakeKind;

/// The rules of Cutcake.
pub type Cutcake = Cutting<CutcakeKind>;

/// Cutcake, by name.
pub(crate) fn cutcake(arguments: &Arguments) -> Result<Cutcake, NameError> {
    arguments.none().map(|()| Cutcake::default())
}

impl Kind for CutcakeKind {
    fn info() -> Info {
        Info {
            name: "cutcake".into(),
            title: "Cutcake",
            rules: "Left cuts a rectangular cake in two between two columns, Right between two rows. Who cannot move loses.",
            alphabet: &[],
            example: "4x7",
            impartial: false,
            loopy: false,
        }
    }
    fn first_pieces(length: u32) -> impl Iterator<Item = u32> {
        1..length
    }
    fn pieces(length: u32, first: u32) -> impl Iterator<Item = u32> {
        [first, length - first].into_iter()
    }
    /// Berlekamp, Conway and Guy, Winning Ways, chapter 2: as long as the cake has at least as many columns as the
    /// greatest power of two in its rows, only whole multiples of that power count.
    fn known(rows: u32, cols: u32) -> Option<i64> {
        let moves = |long: u32, across: u32| i64::from(long >> across.ilog2()) - 1;
        Some(if cols.ilog2() >= rows.ilog2() { moves(cols, rows) } else { -moves(rows, cols) })
    }
}
