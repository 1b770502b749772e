//! Maundy Cake: Left divides a rectangular cake between columns into any number of equal pieces, Right between rows
//! (Berlekamp, Conway and Guy, Winning Ways, chapter 2). Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let cake = gb_games::game("maundy-cake").unwrap().read("2x4").unwrap();
//! assert_eq!(cake.options(Left), ["2x1,2x1,2x1,2x1", "2x2,2x2"]);
//! assert_eq!(cake.options(Right), ["1x4,1x4"]);
//! ```

use gb_rules::{Arguments, Info, NameError};

use crate::shared::cakes::{Cutting, Kind};

/// Maundy Cake among the games of cutting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MaundyCakeKind;

/// The rules of Maundy Cake.
pub type MaundyCake = Cutting<MaundyCakeKind>;

/// Maundy Cake, by name.
pub(crate) fn maundy_cake(arguments: &Arguments) -> Result<MaundyCake, NameError> {
    arguments.none().map(|()| MaundyCake::default())
}

impl Kind for MaundyCakeKind {
    fn info() -> Info {
        Info {
            name: "maundy-cake".into(),
            title: "Maundy Cake",
            rules: "Left cuts a rectangular cake between columns into two or more equal pieces, Right between rows. Who cannot move loses.",
            alphabet: &[],
            example: "6x12",
            impartial: false,
            loopy: false,
        }
    }
    fn first_pieces(length: u32) -> impl Iterator<Item = u32> {
        (1..length).filter(move |piece| length.is_multiple_of(*piece))
    }
    fn pieces(length: u32, first: u32) -> impl Iterator<Item = u32> {
        (0..length / first).map(move |_| first)
    }
    fn known(_rows: u32, _cols: u32) -> Option<i64> {
        None
    }
}
