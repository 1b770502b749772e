//! Cutcake: Left cuts a rectangular cake between two columns, Right between two rows. Who cannot move loses.
//!
//! ```
//! use gb_game::Player::{Left, Right};
//! let cake = gb_games::game("cutcake").unwrap().read("2x3").unwrap();
//! assert_eq!(cake.options(Left), ["2x1,2x2", "2x2,2x1"]);
//! assert_eq!(cake.options(Right), ["1x3,1x3"]);
//! ```

use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_game::{Arguments, Info, NameError, Player, Rules, Sign};
use gb_value::{Kernel, Stop, Value};

use crate::shared::cakes::{self, Cakes};

/// The rules of Cutcake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cutcake;

/// Cutcake, by name.
pub(crate) fn cutcake(arguments: &Arguments) -> Result<Cutcake, NameError> {
    arguments.none().map(|()| Cutcake)
}

impl Rules for Cutcake {
    type Board = Cakes;
    /// The cake, and the rows or columns of the upper or left piece.
    type Move = (u32, u32);

    fn info(&self) -> Info {
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
    fn read(&self, text: &str) -> Result<Cakes, BoardError> {
        cakes::read(text)
    }
    fn show(&self, at: &Cakes) -> String {
        cakes::show(at)
    }
    fn start(&self, size: Size) -> Result<Cakes, BoardError> {
        cakes::start(size)
    }
    fn moves(
        &self,
        at: &Cakes,
        who: Player,
        emit: &mut impl FnMut((u32, u32)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (index, &(rows, cols)) in at.iter().enumerate() {
            let length = if who == Player::Left { cols } else { rows };
            for piece in 1..length {
                emit((index as u32, piece))?;
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Cakes, who: Player, &(index, piece): &(u32, u32)) {
        let (rows, cols) = at.remove(index as usize);
        let pieces = match who {
            Player::Left => [(rows, piece), (rows, cols - piece)],
            Player::Right => [(piece, cols), (rows - piece, cols)],
        };
        at.insert_many(index as usize, pieces);
    }
    /// The squares on both sides of the cut.
    fn gesture(&self, at: &Cakes, who: Player, &(index, piece): &(u32, u32)) -> Vec<Spot> {
        cakes::cut(at, index as usize, who == Player::Left, piece)
    }
    fn scene(&self, at: &Cakes) -> Scene {
        cakes::scene(at)
    }

    fn parts(&self, at: &Cakes, emit: &mut impl FnMut(Cakes)) {
        cakes::parts(at, emit);
    }
    fn regions(&self, at: &Cakes, emit: &mut impl FnMut(Cakes, Vec<Spot>)) {
        cakes::regions(at, emit);
    }
    /// Turning the cake swaps the players.
    fn normalise(&self, mut at: Cakes) -> (Cakes, Sign) {
        match at.as_slice() {
            [(rows, cols)] if rows > cols => {
                at[0] = (at[0].1, at[0].0);
                (at, Sign::Minus)
            }
            _ => (at, Sign::Plus),
        }
    }
    /// Berlekamp, Conway and Guy, Winning Ways, chapter 2: as long as the cake has at least as many columns as the
    /// greatest power of two in its rows, only whole multiples of that power count.
    fn known(&self, at: &Cakes, kernel: &Kernel<'_>) -> Result<Option<Value>, Stop> {
        let moves = |long: u32, across: u32| i64::from(long >> across.ilog2()) - 1;
        let [(rows, cols)] = *at.as_slice() else { return Ok(None) };
        let value = if cols.ilog2() >= rows.ilog2() { moves(cols, rows) } else { -moves(rows, cols) };
        Ok(Some(kernel.integer(value)))
    }
}
