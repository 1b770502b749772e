//! Nim: a player takes any number of tokens from one heap. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::Left;
//! let heaps = gb_games::game("nim").unwrap().read("1,2").unwrap();
//! assert_eq!(heaps.options(Left), ["0,2", "1,0", "1,1"]);
//! ```

use gb_rules::{Arguments, Info, NameError};
use gb_value::{Halt, Kernel};

use crate::shared::heaps::{Kind, Taking};

/// Nim among the games of taking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NimKind;

/// The rules of Nim.
pub type Nim = Taking<NimKind>;

/// Nim, by name.
pub(crate) fn nim(arguments: &Arguments) -> Result<Nim, NameError> {
    arguments.none().map(|()| Nim::default())
}

impl Kind for NimKind {
    fn info(&self) -> Info {
        Info {
            name: "nim".into(),
            title: "Nim",
            rules: "A player takes one or more tokens from one heap. Who cannot move loses.",
            alphabet: &[],
            example: "3,5,7",
            impartial: true,
            loopy: false,
        }
    }
    fn rests(&self, size: u32) -> impl Iterator<Item = u32> {
        0..size
    }
    /// A heap of n is *n (Bouton, Nim, a game with a complete mathematical theory, 1901).
    fn nimber(&self, size: u32, _: &Kernel<'_>) -> Result<u32, Halt> {
        Ok(size)
    }
}
