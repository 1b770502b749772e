//! Playing against a proof: to every move of the player who loses, the facts have an answer.

use gb_rules::Player;
use gb_value::{Kernel, Value};

use crate::boards::{BoardKey, Part};
use crate::certificate::ProofError;
use crate::facts::{Facts, Reply, Sum, Worth};

/// The facts of a certificate that was checked.
///
/// A fact answers the moves in a value that its canonical form has. On the board there are others: they are no better, and are answered by
/// facts about values that are better for who loses.
pub struct Replay {
    facts: Facts<'static>,
}

/// A move that the proof makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// On the board with this number, which becomes this.
    Board(usize, String),
    /// In the value, which becomes this.
    Value(Value),
}

/// Why a player who is to move loses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A line of the certificate says that of this sum, which is the one on the board up to turns, reflections and parts without
    /// moves.
    Line {
        /// Counted from 1.
        line: u64,
        /// The sum as text.
        sum: String,
        /// The values beside its parts are not those on the board, but no worse for who loses.
        is_better: bool,
    },
    /// All parts have values, and together they are worth this.
    Values {
        /// The lines with the values of the parts.
        lines: Vec<u64>,
        /// What they and the value beside them add up to.
        total: Value,
    },
}

impl Replay {
    pub(crate) fn new(mut facts: Facts<'static>) -> Replay {
        facts.pass_nothing_over();
        Replay { facts }
    }

    /// A fact which says that a player loses this sum by moving first, or one with a value that is no worse for that player: the
    /// value, and the line.
    fn fact(
        facts: &Facts<'_>,
        first: Player,
        sum: &Sum,
        kernel: &Kernel<'_>,
    ) -> Result<Option<(Value, u64)>, ProofError> {
        let total = |worth: Worth| kernel.sub(worth.value, worth.less);
        let of_sum = total(sum.worth)?;
        if let Some((worth, line)) = facts.fact(first, sum, kernel)? {
            return Ok(Some((total(worth)?, line)));
        }
        for &(worth, line) in &facts.facts_about(first, &sum.parts)? {
            kernel.work(1)?;
            let value = total(worth)?;
            let no_worse = match first {
                Player::Left => kernel.le(of_sum, value)?,
                Player::Right => kernel.le(value, of_sum)?,
            };
            if no_worse {
                return Ok(Some((value, line)));
            }
        }
        Ok(None)
    }

    fn keys(&self, boards: &[String]) -> Result<Vec<BoardKey>, ProofError> {
        boards.iter().map(|text| self.facts.boards.read(text)).collect()
    }

    /// Why a player who is to move in a sum of boards and a value loses, if the certificate says so.
    ///
    /// # Errors
    /// If a text is no board, or the work is stopped.
    pub fn why_lost(
        &mut self,
        to_move: Player,
        boards: &[String],
        value: Value,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Reason>, ProofError> {
        let keys = self.keys(boards)?;
        self.reason(to_move, &keys, value, kernel)
    }

    fn reason(
        &mut self,
        to_move: Player,
        keys: &[BoardKey],
        value: Value,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Reason>, ProofError> {
        let sum = self.facts.sum(keys, value, kernel)?;
        if sum.parts.is_empty() {
            let lost = self.facts.is_lost(to_move, &sum, kernel)?;
            let reason = Reason::Values { lines: self.facts.lines_of(keys)?, total: sum.worth.value };
            return Ok(lost.then_some(reason));
        }
        let Some((value, line)) = Replay::fact(&self.facts, to_move, &sum, kernel)? else {
            return Ok(None);
        };
        let text = |part: &Part| Ok(self.facts.boards.part(*part)?.1.replace('_', " "));
        let mut terms: Vec<String> = sum.parts.iter().map(text).collect::<Result<_, ProofError>>()?;
        if value != Value::ZERO {
            terms.push(kernel.show(value, &Default::default())?.to_string());
        }
        Ok(Some(Reason::Line { line, sum: terms.join(" + "), is_better: value != sum.worth.value }))
    }

    /// A move of the winner after which some fact says that the loser loses.
    fn reply(
        &mut self,
        loser: Player,
        keys: &[BoardKey],
        value: Value,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Reply>, ProofError> {
        if let ([key], true) = (keys, self.facts.boards.whole) {
            return self.soonest(loser, key, kernel);
        }
        if let Some((reply, _)) = self.facts.known_reply(loser, keys, value.into(), kernel)? {
            return Ok(Some(reply));
        }
        let found = self.facts.reply_that(loser, keys, value.into(), kernel, |facts, sum| {
            Ok(Replay::fact(facts, loser, sum, kernel)?.is_some())
        })?;
        Ok(found.map(|(reply, _)| reply))
    }

    /// Where play can repeat, the move that leads to the earliest fact: who follows any fact might go round for ever.
    fn soonest(
        &mut self,
        loser: Player,
        key: &BoardKey,
        kernel: &Kernel<'_>,
    ) -> Result<Option<Reply>, ProofError> {
        let mut soonest: Option<(u64, Reply)> = None;
        for after in self.facts.boards.options(key, loser.opponent())? {
            kernel.work(1)?;
            let sum = self.facts.sum(&[after], Value::ZERO, kernel)?;
            let line = match sum.parts.is_empty() {
                true => sum.worth.is_lost(loser, kernel)?.then_some(0),
                false => self.facts.fact(loser, &sum, kernel)?.map(|(_, line)| line),
            };
            if let Some(line) = line
                && soonest.as_ref().is_none_or(|(least, _)| line < *least)
            {
                soonest = Some((line, Reply::Board(0, after)));
            }
        }
        Ok(soonest.map(|(_, reply)| reply))
    }

    /// What the certificate answers where `loser` has moved, and why `loser` loses after it. Nothing, if it does not say.
    ///
    /// # Errors
    /// If a text is no board, or the work is stopped.
    pub fn answer(
        &mut self,
        loser: Player,
        boards: &[String],
        value: Value,
        kernel: &Kernel<'_>,
    ) -> Result<Option<(Answer, Reason)>, ProofError> {
        let mut keys = self.keys(boards)?;
        let Some(reply) = self.reply(loser, &keys, value, kernel)? else { return Ok(None) };
        let (answer, value) = match reply {
            Reply::Board(at, after) => {
                keys[at] = after;
                (Answer::Board(at, self.facts.boards.text(&after).replace('_', " ")), value)
            }
            // What is played against has nothing less.
            Reply::Value(after) | Reply::Less(after) => (Answer::Value(after), after),
        };
        Ok(self.reason(loser, &keys, value, kernel)?.map(|reason| (answer, reason)))
    }
}
