//! Cram: Domineering in which both players place dominoes either way. Who cannot move loses.
//!
//! ```
//! use gb_rules::Player::Left;
//! let square = gb_games::game("cram").unwrap().read("..|..").unwrap();
//! assert_eq!(square.options(Left), ["#.|#.", ".#|.#", "##|..", "..|##"]);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use gb_board::{BitGrid, BoardError, Scene, Size, Spot, Word};
use gb_rules::{GridTraits, Info, Player, Rules, Sign, Tabulation};

use super::domineering::{Domineering, domino, places};

use crate::shared::letters::codes_of_grids;

/// The rules of Cram.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cram<W>(PhantomData<W>);

impl<W: Word> Rules for Cram<W> {
    type Board = BitGrid<W>;
    /// As whose domino (upright or lying), and its upper or left cell.
    type Move = (Player, u8);

    fn info(&self) -> Info {
        Info {
            name: "cram".into(),
            title: "Cram",
            rules: "A player places a domino, upright or lying, on two empty cells. Who cannot move loses.",
            impartial: true,
            ..Domineering::<W>::default().info()
        }
    }
    fn read(&self, text: &str) -> Result<BitGrid<W>, BoardError> {
        Domineering::default().read(text)
    }
    fn show(&self, at: &BitGrid<W>) -> String {
        Domineering::default().show(at)
    }
    fn start(&self, size: Size) -> Result<BitGrid<W>, BoardError> {
        Domineering::default().start(size)
    }
    #[inline]
    fn moves(
        &self,
        at: &BitGrid<W>,
        _who: Player,
        emit: &mut impl FnMut((Player, u8)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for way in Player::BOTH {
            for cell in places(&at.frame(), at.planes[0], way).cells() {
                emit((way, cell as u8))?;
            }
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn play(&self, at: &mut BitGrid<W>, _who: Player, &(way, cell): &(Player, u8)) {
        at.planes[0] &= !domino(&at.frame(), way, cell);
    }
    fn gesture(&self, at: &BitGrid<W>, _who: Player, &(way, cell): &(Player, u8)) -> Vec<Spot> {
        at.spots(domino(&at.frame(), way, cell))
    }
    fn scene(&self, at: &BitGrid<W>) -> Scene {
        Domineering::default().scene(at)
    }

    #[inline]
    fn parts(&self, at: &BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>)) {
        split(at, &mut |set| emit(at.cut(set)));
    }
    fn regions(&self, at: &BitGrid<W>, emit: &mut impl FnMut(BitGrid<W>, Vec<Spot>)) {
        split(at, &mut |set| emit(at.cut(set), at.spots(set)));
    }
    #[inline]
    fn normalise(&self, at: BitGrid<W>) -> (BitGrid<W>, Sign) {
        (at.least_wide().0, Sign::Plus)
    }
    gb_rules::has!(tabulation, same_when_impartial);
}

impl<W: Word> Tabulation<BitGrid<W>> for Cram<W> {
    fn grid(&self) -> GridTraits {
        GridTraits { weights: &[0, 1], mirrors: true, transpose: Some(Sign::Plus), swap: None }
    }
    codes_of_grids!();
}

/// Connected cells, at least two.
#[inline]
pub(super) fn split<W: Word>(at: &BitGrid<W>, emit: &mut impl FnMut(W)) {
    let frame = at.frame();
    let mut left = at.planes[0];
    while !left.is_empty() {
        let part = frame.flood4(W::bit(left.first()), left);
        left &= !part;
        if part.len() > 1 {
            emit(part);
        }
    }
}
