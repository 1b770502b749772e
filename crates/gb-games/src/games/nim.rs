//! Nim: a player takes any number of tokens from one heap. Who cannot move loses.
//!
//! ```
//! use gb_game::Player::Left;
//! let heaps = gb_games::game("nim").unwrap().read("1,2").unwrap();
//! assert_eq!(heaps.options(Left), ["0,2", "1,0", "1,1"]);
//! ```

use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_game::{Arguments, Info, NameError, Player, Rules, Sign};
use gb_value::{Kernel, Stop, Value};

use crate::shared::heaps::{self, Heaps};

/// The rules of Nim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Nim;

/// Nim, by name.
pub(crate) fn nim(arguments: &Arguments) -> Result<Nim, NameError> {
    arguments.none().map(|()| Nim)
}

impl Rules for Nim {
    type Board = Heaps;
    /// The heap and what remains of it.
    type Move = (u32, u32);

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
            for rest in 0..size {
                emit((heap as u32, rest))?;
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
    /// A heap of n is *n (Bouton, Nim, a game with a complete mathematical theory, 1901).
    fn known(&self, at: &Heaps, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        Ok(Some(kernel.nimber(at.iter().fold(0, |sum, heap| sum ^ heap))))
    }
}
