//! What a sum consists of.

use gb_value::{Halt, Kernel, Player, Value};

/// A move in one component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The move as a person would write it.
    pub label: String,
    /// The value of the component after it.
    pub to: Value,
}

/// One summand: a value, and the moves that lead on from it.
///
/// The moves may be more than the canonical options: on a board, dominated and reversible moves can be made as well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// What it is called.
    pub label: String,
    /// What it is worth.
    pub value: Value,
    /// Left's moves and Right's moves.
    pub moves: [Vec<Move>; 2],
}

impl Component {
    /// A plain value, whose moves are its canonical options, labelled by `show`. A nimber can have more of them than there is
    /// time or memory for.
    pub fn of_value(
        kernel: &Kernel<'_>,
        label: String,
        value: Value,
        show: impl Fn(Value) -> String,
    ) -> Result<Component, Halt> {
        let mut moves = [vec![], vec![]];
        for player in Player::BOTH {
            for to in kernel.options(value, player) {
                kernel.work(1)?;
                moves[player as usize].push(Move { label: show(to), to });
            }
        }
        Ok(Component { label, value, moves })
    }

    /// The moves of a player.
    pub fn moves_of(&self, player: Player) -> &[Move] {
        &self.moves[player as usize]
    }
}
