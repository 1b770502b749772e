//! Maundy Cake: Left divides a rectangular cake between columns into any number of equal pieces, Right between rows
//! (Berlekamp, Conway and Guy, Winning Ways, chapter 2). Who cannot move loses.
//!
//! ```
//! use gb_game::Player::{Left, Right};
//! let cake = gb_games::game("maundy-cake").unwrap().read("2x4").unwrap();
//! assert_eq!(cake.options(Left), ["2x1,2x1,2x1,2x1", "2x2,2x2"]);
//! assert_eq!(cake.options(Right), ["1x4,1x4"]);
//! ```

use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_game::{Arguments, Info, NameError, Player, Rules, Sign};

use crate::shared::cakes::{self, Cakes};

/// The rules of Maundy Cake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MaundyCake;

/// Maundy Cake, by name.
pub(crate) fn maundy_cake(arguments: &Arguments) -> Result<MaundyCake, NameError> {
    arguments.none().map(|()| MaundyCake)
}

impl Rules for MaundyCake {
    type Board = Cakes;
    /// The cake, and the rows or columns of each piece.
    type Move = (u32, u32);

    fn info(&self) -> Info {
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
            for piece in (1..length).filter(|piece| length.is_multiple_of(*piece)) {
                emit((index as u32, piece))?;
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Cakes, who: Player, &(index, piece): &(u32, u32)) {
        let (rows, cols) = at.remove(index as usize);
        let (piece, count) = match who {
            Player::Left => ((rows, piece), cols / piece),
            Player::Right => ((piece, cols), rows / piece),
        };
        at.insert_many(index as usize, (0..count).map(|_| piece));
    }
    /// The squares on both sides of the first cut.
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
}
