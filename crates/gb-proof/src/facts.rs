//! What is proved so far: values of parts, and sums that are lost for who moves first.

use std::io;

use gb_rules::Player;
use gb_value::{Halt, Kernel, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::boards::{BoardKey, Boards, Part, Parts};
use crate::certificate::{ProofError, options};
use crate::ledger::Ledger;

/// A value less another. They are kept apart, because to compare two values takes less than to add them, and sums of many values grow large.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Worth {
    pub(crate) value: Value,
    pub(crate) less: Value,
}

impl From<Value> for Worth {
    fn from(value: Value) -> Worth {
        Worth { value, less: Value::ZERO }
    }
}

impl Worth {
    /// Nothing, less a value.
    pub(crate) fn less(less: Value) -> Worth {
        Worth { value: Value::ZERO, less }
    }

    /// Whether a player who moves first loses this.
    pub(crate) fn is_lost(self, first: Player, kernel: &Kernel<'_>) -> Result<bool, Halt> {
        match first {
            Player::Left => kernel.le(self.value, self.less),
            Player::Right => kernel.le(self.less, self.value),
        }
    }

    /// Whether it is seen term by term that this is no better for a player than another.
    pub(crate) fn is_no_better(self, other: Worth, who: Player, kernel: &Kernel<'_>) -> Result<bool, Halt> {
        let (a, b) = if who == Player::Left { (self, other) } else { (other, self) };
        Ok(kernel.le(a.value, b.value)? && kernel.le(b.less, a.less)?)
    }
}

/// A sum of parts whose values are not known, sorted, and of the values of all others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sum {
    pub(crate) parts: Parts,
    pub(crate) worth: Worth,
}

impl Sum {
    /// A single part and a value.
    pub(crate) fn of(part: Part, worth: impl Into<Worth>) -> Sum {
        Sum { parts: [part].into_iter().collect(), worth: worth.into() }
    }
}

/// A move: the board it is made on, or none if it is made in the value or in what is less, and what it leaves.
#[derive(Clone, Copy)]
pub(crate) enum Reply {
    Board(usize, BoardKey),
    Value(Value),
    Less(Value),
}

/// Of some parts: with what else they are lost, and in which lines that stands.
type LostWith = SmallVec<[(Worth, u64); 1]>;

/// What is proved, and in which line.
pub(crate) struct Facts<'s> {
    pub(crate) boards: Boards,
    /// In here if only names of facts are kept, and then nothing is in the other two.
    ledger: Option<Ledger<'s>>,
    valued: FxHashMap<Part, (Value, u64)>,
    /// For either player.
    lost: [FxHashMap<Parts, LostWith>; 2],
    /// For either player, the hashes of normal forms of all parts that have values or stand in sums that are lost: nothing is known of others.
    mentioned: [FxHashSet<u64>; 2],
}

impl<'s> Facts<'s> {
    pub(crate) fn new(boards: Boards) -> Facts<'s> {
        let (valued, lost, mentioned) = Default::default();
        Facts { boards, ledger: None, valued, lost, mentioned }
    }

    /// Facts that can be looked up, and nothing else.
    pub(crate) fn by_name(boards: Boards, ledger: Ledger<'s>) -> Facts<'s> {
        Facts { ledger: Some(ledger), ..Facts::new(boards) }
    }

    /// The value of a part, if it is known.
    pub(crate) fn value_of(&self, part: Part) -> io::Result<Option<Value>> {
        match &self.ledger {
            Some(ledger) => ledger.value_of(part),
            None => Ok(self.valued.get(&part).map(|known| known.0)),
        }
    }

    /// Remembers the value of a part, which a line has proved.
    pub(crate) fn has_value(&mut self, part: Part, value: Value, line: u64) -> io::Result<()> {
        match &mut self.ledger {
            Some(ledger) => ledger.has_value(part, value)?,
            None => {
                self.valued.insert(part, (value, line));
                for who in Player::BOTH {
                    self.mention(who, part);
                }
            }
        }
        Ok(())
    }

    fn mention(&mut self, who: Player, part: Part) {
        let hash = self.boards.hash_of_normal(&self.boards.part(part).0);
        self.mentioned[who as usize].insert(hash);
    }

    /// A sum of boards and a value, with what is known put in. Equal parts of impartial games cancel.
    pub(crate) fn sum(
        &mut self,
        boards: &[BoardKey],
        worth: impl Into<Worth>,
        kernel: &Kernel<'_>,
    ) -> Result<Sum, ProofError> {
        let mut parts = Parts::new();
        for board in boards {
            // Who has won everywhere has won whatever else is there: a checker takes such boards alone.
            match self.boards.global_win(board) {
                Some(Player::Left) => return Ok(Sum { parts: Parts::new(), worth: Value::ON.into() }),
                Some(Player::Right) => return Ok(Sum { parts: Parts::new(), worth: Value::OFF.into() }),
                None => parts.extend(self.boards.parts_of(board)?),
            }
        }
        self.sum_of_parts(&parts, worth.into(), kernel)
    }

    /// The same of parts.
    pub(crate) fn sum_of_parts(
        &self,
        parts: &[Part],
        worth: Worth,
        kernel: &Kernel<'_>,
    ) -> Result<Sum, ProofError> {
        let mut sum = Sum { parts: Parts::new(), worth };
        self.add(parts, &mut sum, kernel)?;
        self.settle(&mut sum);
        Ok(sum)
    }

    /// Puts parts into a sum.
    fn add(&self, parts: &[Part], sum: &mut Sum, kernel: &Kernel<'_>) -> Result<(), ProofError> {
        for &part in parts {
            match self.value_of(part)? {
                Some(known) => sum.worth.value = kernel.add(sum.worth.value, known)?,
                None => sum.parts.push(part),
            }
        }
        Ok(())
    }

    /// Sorts the parts of a sum, and lets equal ones of impartial games cancel.
    fn settle(&self, sum: &mut Sum) {
        settle(&mut sum.parts, self.boards.impartial);
    }

    /// Whether it is proved that a player loses a sum by moving first: by values, or by a fact about the same parts with no less for that
    /// player.
    pub(crate) fn is_lost(&self, first: Player, sum: &Sum, kernel: &Kernel<'_>) -> Result<bool, ProofError> {
        if sum.parts.is_empty() {
            return Ok(sum.worth.is_lost(first, kernel)?);
        }
        Ok(self.fact(first, sum, kernel)?.is_some())
    }

    /// The fact by which a player who moves first loses a sum: what stands in it beside the same parts, and its line.
    pub(crate) fn fact(
        &self,
        first: Player,
        sum: &Sum,
        kernel: &Kernel<'_>,
    ) -> Result<Option<(Worth, u64)>, ProofError> {
        let Some(known) = self.lost[self.who(first) as usize].get(&sum.parts) else { return Ok(None) };
        if let Some(&fact) = known.iter().find(|(worth, _)| *worth == sum.worth) {
            return Ok(Some(fact));
        }
        for &(worth, line) in if self.boards.impartial { &[] } else { &known[..] } {
            if sum.worth.is_no_better(worth, first, kernel)? {
                return Ok(Some((worth, line)));
            }
        }
        Ok(None)
    }

    /// Whether a fact says just this.
    pub(crate) fn states(&self, first: Player, sum: &Sum) -> io::Result<bool> {
        if let Some(ledger) = &self.ledger {
            return ledger.states(self.who(first), sum);
        }
        Ok(self.facts_about(first, &sum.parts).iter().any(|(worth, _)| *worth == sum.worth))
    }

    /// All facts by which a player who moves first loses some parts and something else.
    pub(crate) fn facts_about(&self, first: Player, parts: &Parts) -> &[(Worth, u64)] {
        self.lost[self.who(first) as usize].get(parts).map_or(&[], |known| &known[..])
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

    /// A move of the opponent after which it is known that `first`, moving next, loses, and the sum that it leaves.
    pub(crate) fn known_reply(
        &mut self,
        first: Player,
        boards: &[BoardKey],
        worth: Worth,
        kernel: &Kernel<'_>,
    ) -> Result<Option<(Reply, Sum)>, ProofError> {
        self.reply_that(first, boards, worth, kernel, |facts, sum| facts.is_lost(first, sum, kernel))
    }

    /// The parts of a board, if something is known of all of them that have moves.
    fn mentioned_parts(&mut self, first: Player, board: &BoardKey) -> Result<Option<Parts>, ProofError> {
        let mentioned = &self.mentioned[self.who(first) as usize];
        self.boards.parts_if(board, |hash| mentioned.contains(&hash))
    }

    /// A move of the opponent of `first` after which something is true of the sum, and that sum.
    ///
    /// Sums with a part that nothing is known of are passed over, also if there are two of them that would cancel.
    pub(crate) fn reply_that(
        &mut self,
        first: Player,
        boards: &[BoardKey],
        worth: Worth,
        kernel: &Kernel<'_>,
        is_so: impl Fn(&Facts<'_>, &Sum) -> Result<bool, ProofError>,
    ) -> Result<Option<(Reply, Sum)>, ProofError> {
        let opponent = first.opponent();
        for (at, board) in boards.iter().enumerate() {
            // The other boards stay as they are.
            let mut others = Sum { parts: Parts::new(), worth };
            for other in boards[..at].iter().chain(&boards[at + 1..]) {
                let parts = self.boards.parts_of(other)?;
                self.add(&parts, &mut others, kernel)?;
            }
            for option in self.boards.options(board, opponent)? {
                kernel.work(1)?;
                let mut sum = others.clone();
                if self.boards.global_win(&option).is_some() {
                    sum = self.sum(&[option], Value::ZERO, kernel)?;
                } else {
                    let Some(parts) = self.mentioned_parts(first, &option)? else { continue };
                    self.add(&parts, &mut sum, kernel)?;
                    self.settle(&mut sum);
                }
                if is_so(self, &sum)? {
                    return Ok(Some((Reply::Board(at, option), sum)));
                }
            }
        }
        let values = options(worth.value, opponent, kernel)?.into_iter().map(Reply::Value);
        let lesses = options(worth.less, first, kernel)?.into_iter().map(Reply::Less);
        for reply in values.chain(lesses) {
            kernel.work(1)?;
            let sum = self.sum(boards, reply.applied(worth), kernel)?;
            if is_so(self, &sum)? {
                return Ok(Some((reply, sum)));
            }
        }
        Ok(None)
    }

    /// Remembers that a player loses a sum by moving first, which a line has proved. A part of an impartial game that loses with a nimber has that nimber.
    pub(crate) fn lose(&mut self, first: Player, sum: Sum, line: u64) -> io::Result<()> {
        let who = self.who(first);
        match (&sum.parts[..], &mut self.ledger) {
            (&[part], _) if self.boards.impartial => self.has_value(part, sum.worth.value, line)?,
            (_, Some(ledger)) => ledger.lose(who, &sum)?,
            _ => {
                for &part in &sum.parts {
                    self.mention(who, part);
                }
                let known = self.lost[who as usize].entry(sum.parts).or_default();
                known.push((sum.worth, line));
            }
        }
        Ok(())
    }

    /// Whose loss is remembered: in impartial games that of either.
    fn who(&self, first: Player) -> Player {
        if self.boards.impartial { Player::Left } else { first }
    }
}

impl Reply {
    /// What a move leaves of values; those on boards leave them as they are.
    pub(crate) fn applied(self, worth: Worth) -> Worth {
        match self {
            Reply::Board(..) => worth,
            Reply::Value(value) => Worth { value, ..worth },
            Reply::Less(less) => Worth { less, ..worth },
        }
    }
}

/// Sorts parts, and lets equal ones of impartial games cancel.
pub(crate) fn settle(parts: &mut Parts, impartial: bool) {
    parts.sort_unstable();
    if impartial {
        let mut kept = Parts::new();
        for &part in &*parts {
            if kept.last() == Some(&part) {
                kept.pop();
            } else {
                kept.push(part);
            }
        }
        *parts = kept;
    }
}
