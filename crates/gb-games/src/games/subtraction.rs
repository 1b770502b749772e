//! Subtraction games: a player takes a number of tokens from one heap, but only the numbers that the name of the game
//! gives. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::Left;
//! let heaps = gb_games::game("subtraction(1,3,4)").unwrap().read("3,1").unwrap();
//! assert_eq!(heaps.options(Left), ["2,1", "0,1", "3,0"]);
//! ```

use std::sync::Arc;

use gb_rules::{Arguments, Info, NameError};
use gb_value::{Halt, Kernel};

use crate::shared::heaps::{Kind, Taking};
use crate::shared::nim_sequence::{HeapOptions, NimSequence, Seen};

/// A subtraction game among the games of taking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubtractionKind {
    /// How many tokens may be taken, ascending.
    numbers: Arc<[u32]>,
    nimbers: NimSequence,
}

/// The rules of a subtraction game.
pub type Subtraction = Taking<SubtractionKind>;

/// A subtraction game by name.
pub(crate) fn subtraction(arguments: &Arguments) -> Result<Subtraction, NameError> {
    let mut numbers = arguments.numbers("the numbers of tokens that may be taken", "subtraction(1,3,4)")?;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(Taking(SubtractionKind { numbers: numbers.into(), nimbers: NimSequence::default() }))
}

impl Kind for SubtractionKind {
    fn info(&self) -> Info {
        let numbers: Vec<String> = self.numbers.iter().map(u32::to_string).collect();
        Info {
            name: format!("subtraction({})", numbers.join(",")),
            title: "Subtraction game",
            rules: "A player takes one of the given numbers of tokens from one heap. Who cannot move loses.",
            alphabet: &[],
            example: "9,6",
            impartial: true,
            loopy: false,
        }
    }
    fn rests(&self, size: u32) -> impl Iterator<Item = u32> {
        self.numbers.iter().take_while(move |take| **take <= size).map(move |take| size - take)
    }
    fn nimber(&self, size: u32, kernel: &Kernel<'_>) -> Result<u32, Halt> {
        self.nimbers.nimber(size, kernel, self)
    }
}

impl HeapOptions for SubtractionKind {
    fn mark_single(&self, smaller: &[u32], seen: &mut Seen) {
        self.rests(smaller.len() as u32).for_each(|rest| seen.mark(smaller[rest as usize]));
    }
    fn splitting_takes(&self) -> impl Iterator<Item = usize> {
        std::iter::empty()
    }
    fn longest_take(&self) -> usize {
        self.numbers.last().map_or(0, |most| *most as usize)
    }
}
