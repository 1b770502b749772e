//! Stepping Stones: on a row of cells, Left's stones step to the right and Right's stones to the left.

use gb_rules::grid::prelude::*;
use gb_rules::{Arguments, NameError};

#[derive(Clone, Debug, Default)]
pub struct SteppingStones;

/// The game by its name, which takes no parameters.
pub fn stepping_stones(arguments: &Arguments) -> Result<SteppingStones, NameError> {
    arguments.none().map(|()| SteppingStones)
}

/// The cells one step ahead of others.
fn ahead(at: &BitGrid<u64, 2>, who: Player, cells: u64) -> u64 {
    if who == Player::Left { at.frame().east(cells) } else { at.frame().west(cells) }
}

impl GridRules for SteppingStones {
    type Board = BitGrid<u64, 2>;
    /// The cell of the stone that steps.
    type Move = u32;
    const NAME: &'static str = "stepping-stones";
    const TITLE: &'static str = "Stepping Stones";
    const RULES: &'static str =
        "Left moves a stone one cell to the right, Right one cell to the left. Who cannot move loses.";
    const EXAMPLE: &'static str = "x..o.x.o";
    const LETTERS: Alphabet =
        Alphabet(&[('#', "hole"), ('x', "Left's stone"), ('o', "Right's stone"), ('.', "empty")]);

    fn moves(&self, at: &Self::Board, who: Player, emit: &mut impl Emit<u32>) -> ControlFlow<()> {
        let behind_empty = ahead(at, who.opponent(), at.empty());
        (at.pieces()[who as usize] & behind_empty).cells().try_for_each(emit)
    }
    fn play(&self, at: &mut Self::Board, who: Player, mv: &u32) {
        at.clear(u64::bit(*mv));
        at.put(who as usize, ahead(at, who, u64::bit(*mv)));
    }
    fn gesture(&self, at: &Self::Board, who: Player, mv: &u32) -> Vec<Spot> {
        vec![at.spot(*mv), at.spot(ahead(at, who, u64::bit(*mv)).first())]
    }

    // From here on: optional, for speed.
    /// Seen from the other end of the row, the players have changed places.
    const SYMMETRY: Symmetry = Symmetry::RowFromBehind;
    /// Stones keep their order, so one of Right's and one of Left's after it only walk away from each other.
    fn split(&self, at: &Self::Board, emit: &mut impl FnMut(u64)) {
        let ([x, o], mut rest, mut after_right) = (at.pieces(), at.frame().full, false);
        for cell in (x | o).cells() {
            if x.has(cell) && after_right {
                emit(rest & u64::low(cell));
                rest &= !u64::low(cell);
            }
            after_right = o.has(cell);
        }
        emit(rest);
    }
}
