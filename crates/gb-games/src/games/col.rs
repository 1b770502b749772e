//! Col: players colour cells of a grid or a graph, never beside a cell of their own colour. Who cannot move loses.
//!
//! ```
//! use gb_game::Player::{Left, Right};
//! let row = gb_games::game("col").unwrap().read(".x.").unwrap();
//! assert_eq!(row.options(Left), Vec::<String>::new());
//! assert_eq!(row.options(Right), ["ox.", ".xo"]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{BoardError, Field, Scene, Size, Spot};
use gb_game::{Info, Player, Rules, Sign};

use crate::shared::colouring::{self, FREE, Forbids, LETTERS};

/// The rules of Col, on grids or graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Col<F>(PhantomData<F>);

impl<F> Default for Col<F> {
    fn default() -> Self {
        Col(PhantomData)
    }
}

impl<F: Field<3>> Rules for Col<F> {
    type Board = F;
    /// The cell.
    type Move = u8;

    fn info(&self) -> Info {
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
    fn read(&self, text: &str) -> Result<F, BoardError> {
        F::read(text, &LETTERS, FREE)
    }
    fn show(&self, at: &F) -> String {
        at.show(&LETTERS, FREE)
    }
    fn start(&self, size: Size) -> Result<F, BoardError> {
        F::filled(size, FREE)
    }
    #[inline]
    fn moves(&self, at: &F, who: Player, emit: &mut impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        colouring::moves(at, FORBIDS, who, emit)
    }
    #[inline]
    fn play(&self, at: &mut F, who: Player, mv: &u8) {
        colouring::play(at, who, *mv);
    }
    fn gesture(&self, at: &F, _who: Player, mv: &u8) -> Vec<Spot> {
        vec![at.spot(u32::from(*mv))]
    }
    fn scene(&self, at: &F) -> Scene {
        at.scene(&LETTERS)
    }

    #[inline]
    fn parts(&self, at: &F, emit: &mut impl FnMut(F)) {
        colouring::parts(at, FORBIDS, emit);
    }
    fn regions(&self, at: &F, emit: &mut impl FnMut(F, Vec<Spot>)) {
        colouring::regions(at, FORBIDS, emit);
    }
    #[inline]
    fn normalise(&self, at: F) -> (F, Sign) {
        colouring::normalise(at)
    }
}

const FORBIDS: Forbids = Forbids::Owner;
