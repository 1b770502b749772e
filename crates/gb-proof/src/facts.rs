//! What is proved so far: values of parts, and sums that are lost for who moves first.

use gb_rules::Player;
use gb_value::{Kernel, Value};
use rustc_hash::FxHashMap;

use crate::boards::{BoardKey, Boards, Part, Parts};
use crate::certificate::{ProofError, options};

/// A sum of parts whose values are not known, sorted, and of the values of all others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sum {
    pub(crate) parts: Parts,
    pub(crate) value: Value,
}

/// A move: the board it is made on, or none if it is made in the value, and what it leaves.
#[derive(Clone, Copy)]
pub(crate) enum Reply {
    Board(usize, BoardKey),
    Value(Value),
}

/// What is proved, and in which line.
pub(crate) struct Facts {
    pub(crate) boards: Boards,
    valued: FxHashMap<Part, (Value, u64)>,
    /// For either player.
    lost: [FxHashMap<Sum, u64>; 2],
}

impl Facts {
    pub(crate) fn new(boards: Boards) -> Facts {
        Facts { boards, valued: FxHashMap::default(), lost: Default::default() }
    }

    /// The value of a part, if it is known.
    pub(crate) fn value_of(&self, part: Part) -> Option<Value> {
        self.valued.get(&part).map(|known| known.0)
    }

    /// Remembers the value of a part, which a line has proved.
    pub(crate) fn has_value(&mut self, part: Part, value: Value, line: u64) {
        self.valued.insert(part, (value, line));
    }

    /// A sum of boards and a value, with what is known put in. Equal parts of impartial games cancel.
    pub(crate) fn sum(
        &mut self,
        boards: &[BoardKey],
        value: Value,
        kernel: &Kernel<'_>,
    ) -> Result<Sum, ProofError> {
        let mut parts = Parts::new();
        for board in boards {
            parts.extend(self.boards.parts_of(board)?);
        }
        self.sum_of_parts(&parts, value, kernel)
    }

    /// The same of parts.
    pub(crate) fn sum_of_parts(
        &self,
        parts: &[Part],
        value: Value,
        kernel: &Kernel<'_>,
    ) -> Result<Sum, ProofError> {
        let mut sum = Sum { parts: Parts::new(), value };
        self.add(parts, &mut sum, kernel)?;
        self.settle(&mut sum);
        Ok(sum)
    }

    /// Puts parts into a sum.
    fn add(&self, parts: &[Part], sum: &mut Sum, kernel: &Kernel<'_>) -> Result<(), ProofError> {
        for &part in parts {
            match self.value_of(part) {
                Some(known) => sum.value = kernel.add(sum.value, known)?,
                None => sum.parts.push(part),
            }
        }
        Ok(())
    }

    /// Sorts the parts of a sum, and lets equal ones of impartial games cancel.
    fn settle(&self, sum: &mut Sum) {
        sum.parts.sort_unstable();
        if self.boards.impartial {
            let mut kept = Parts::new();
            for &part in &sum.parts {
                if kept.last() == Some(&part) {
                    kept.pop();
                } else {
                    kept.push(part);
                }
            }
            sum.parts = kept;
        }
    }

    /// Whether it is proved that a player loses a sum by moving first.
    pub(crate) fn is_lost(&self, first: Player, sum: &Sum, kernel: &Kernel<'_>) -> Result<bool, ProofError> {
        if !sum.parts.is_empty() {
            return Ok(self.line_of(first, sum).is_some());
        }
        Ok(match first {
            Player::Left => kernel.le(sum.value, Value::ZERO)?,
            Player::Right => kernel.le(Value::ZERO, sum.value)?,
        })
    }

    /// The line that says that a player loses a sum by moving first.
    pub(crate) fn line_of(&self, first: Player, sum: &Sum) -> Option<u64> {
        self.lost[self.who(first) as usize].get(sum).copied()
    }

    /// The lines with the values of the parts of some boards that have one.
    pub(crate) fn lines_of(&mut self, boards: &[BoardKey]) -> Result<Vec<u64>, ProofError> {
        let mut lines = vec![];
        for board in boards {
            for part in self.boards.parts_of(board)? {
                lines.extend(self.valued.get(&part).map(|known| known.1));
            }
        }
        lines.sort_unstable();
        lines.dedup();
        Ok(lines)
    }

    /// All sums that a player loses by moving first, with their lines.
    pub(crate) fn lost_by(&self, first: Player) -> impl Iterator<Item = (&Sum, u64)> {
        self.lost[self.who(first) as usize].iter().map(|(sum, line)| (sum, *line))
    }

    /// A move of the opponent after which it is known that `first`, moving next, loses.
    pub(crate) fn known_reply(
        &mut self,
        first: Player,
        boards: &[BoardKey],
        value: Value,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Reply>, ProofError> {
        self.reply_that(first, boards, value, kernel, |facts, sum| facts.is_lost(first, sum, kernel))
    }

    /// A move of the opponent of `first` after which something is true of the sum.
    pub(crate) fn reply_that(
        &mut self,
        first: Player,
        boards: &[BoardKey],
        value: Value,
        kernel: &Kernel<'_>,
        is_so: impl Fn(&Facts, &Sum) -> Result<bool, ProofError>,
    ) -> Result<Option<Reply>, ProofError> {
        let opponent = first.opponent();
        for (at, board) in boards.iter().enumerate() {
            // The other boards stay as they are.
            let mut others = Sum { parts: Parts::new(), value };
            for other in boards[..at].iter().chain(&boards[at + 1..]) {
                let parts = self.boards.parts_of(other)?;
                self.add(&parts, &mut others, kernel)?;
            }
            for option in self.boards.options(board, opponent)? {
                kernel.work(1)?;
                let mut sum = others.clone();
                let parts = self.boards.parts_of(&option)?;
                self.add(&parts, &mut sum, kernel)?;
                self.settle(&mut sum);
                if is_so(self, &sum)? {
                    return Ok(Some(Reply::Board(at, option)));
                }
            }
        }
        for option in options(value, opponent, kernel)? {
            kernel.work(1)?;
            let sum = self.sum(boards, option, kernel)?;
            if is_so(self, &sum)? {
                return Ok(Some(Reply::Value(option)));
            }
        }
        Ok(None)
    }

    /// Remembers that a player loses a sum by moving first, which a line has proved. A part of an impartial game that loses with a nimber has that nimber.
    pub(crate) fn lose(&mut self, first: Player, sum: Sum, line: u64) {
        match sum.parts[..] {
            [part] if self.boards.impartial => self.has_value(part, sum.value, line),
            _ => {
                self.lost[self.who(first) as usize].insert(sum, line);
            }
        }
    }

    /// Whose loss is remembered: in impartial games that of either.
    fn who(&self, first: Player) -> Player {
        if self.boards.impartial { Player::Left } else { first }
    }
}
