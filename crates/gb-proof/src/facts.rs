//! What is proved so far: values of parts, and sums that are lost for who moves first.

use gb_rules::Player;
use gb_value::{Kernel, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::boards::{BoardKey, Boards, Part};
use crate::certificate::ProofError;

/// A sum of parts whose values are not known, sorted, and of the values of all others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sum {
    pub(crate) parts: Vec<Part>,
    pub(crate) value: Value,
}

/// What is proved.
pub(crate) struct Facts {
    pub(crate) boards: Boards,
    pub(crate) valued: FxHashMap<Part, Value>,
    lost: FxHashSet<(Player, Sum)>,
}

impl Facts {
    pub(crate) fn new(boards: Boards) -> Facts {
        Facts { boards, valued: FxHashMap::default(), lost: FxHashSet::default() }
    }

    /// A sum of boards and a value, with what is known put in. Equal parts of impartial games cancel.
    pub(crate) fn sum(
        &mut self,
        boards: &[BoardKey],
        mut value: Value,
        kernel: &Kernel<'_>,
    ) -> Result<Sum, ProofError> {
        let mut parts: Vec<Part> = vec![];
        for board in boards {
            for part in self.boards.parts_of(board)? {
                match self.valued.get(&part) {
                    Some(&known) => value = kernel.add(value, known)?,
                    None => parts.push(part),
                }
            }
        }
        parts.sort_unstable();
        if self.boards.impartial {
            let mut kept: Vec<Part> = vec![];
            for part in parts {
                if kept.last() == Some(&part) {
                    kept.pop();
                } else {
                    kept.push(part);
                }
            }
            parts = kept;
        }
        Ok(Sum { parts, value })
    }

    /// Whether it is proved that a player loses a sum by moving first.
    pub(crate) fn is_lost(&self, first: Player, sum: &Sum, kernel: &Kernel<'_>) -> Result<bool, ProofError> {
        if !sum.parts.is_empty() {
            return Ok(self.lost.contains(&(self.who(first), sum.clone())));
        }
        Ok(match first {
            Player::Left => kernel.le(sum.value, Value::ZERO)?,
            Player::Right => kernel.le(Value::ZERO, sum.value)?,
        })
    }

    /// Remembers that a player loses a sum by moving first. A part of an impartial game that loses with a nimber has that nimber.
    pub(crate) fn lose(&mut self, first: Player, sum: Sum) {
        match sum.parts[..] {
            [part] if self.boards.impartial => {
                self.valued.insert(part, sum.value);
            }
            _ => {
                self.lost.insert((self.who(first), sum));
            }
        }
    }

    /// Whose loss is remembered: in impartial games that of either.
    fn who(&self, first: Player) -> Player {
        if self.boards.impartial { Player::Left } else { first }
    }
}
