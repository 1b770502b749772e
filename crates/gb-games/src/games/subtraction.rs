//! Subtraction games: a player takes a number of tokens from one heap, but only the numbers that the name of the game
//! gives. Who cannot move loses.
//!
//! ```
//! use gb_game::Player::Left;
//! let heaps = gb_games::game("subtraction(1,3,4)").unwrap().read("3,1").unwrap();
//! assert_eq!(heaps.options(Left), ["2,1", "0,1", "3,0"]);
//! ```

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_game::{Arguments, Info, NameError, Player, Rules, Sign};

use crate::shared::heaps::{self, Heaps};

/// The rules of a subtraction game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subtraction {
    /// How many tokens may be taken, ascending.
    numbers: Arc<[u32]>,
}

/// A subtraction game by name.
pub(crate) fn subtraction(arguments: &Arguments) -> Result<Subtraction, NameError> {
    let mut numbers = arguments.numbers("the numbers of tokens that may be taken", "subtraction(1,3,4)")?;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(Subtraction { numbers: numbers.into() })
}

impl Rules for Subtraction {
    type Board = Heaps;
    /// The heap and what remains of it.
    type Move = (u32, u32);

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
    fn read(&self, text: &str) -> Result<Heaps, BoardError> {
        heaps::read(text)
    }
    fn show(&self, at: &Heaps) -> String {
        heaps::show(at)
    }
    fn start(&self, size: Size) -> Result<Heaps, BoardError> {
        heaps::start(size)
    }
    fn moves(
        &self,
        at: &Heaps,
        _who: Player,
        emit: &mut impl FnMut((u32, u32)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (heap, &size) in at.iter().enumerate() {
            for take in self.numbers.iter().take_while(|take| **take <= size) {
                emit((heap as u32, size - take))?;
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Heaps, _who: Player, &(heap, rest): &(u32, u32)) {
        at[heap as usize] = rest;
    }
    /// The lowest token that is taken.
    fn gesture(&self, _at: &Heaps, _who: Player, &(heap, rest): &(u32, u32)) -> Vec<Spot> {
        vec![Spot::Token { heap, index: rest }]
    }
    fn scene(&self, at: &Heaps) -> Scene {
        Scene::heaps(at)
    }

    fn parts(&self, at: &Heaps, emit: &mut impl FnMut(Heaps)) {
        heaps::parts(at, emit);
    }
    fn regions(&self, at: &Heaps, emit: &mut impl FnMut(Heaps, Vec<Spot>)) {
        heaps::regions(at, emit);
    }
    fn normalise(&self, mut at: Heaps) -> (Heaps, Sign) {
        at.sort_unstable();
        (at, Sign::Plus)
    }
}
