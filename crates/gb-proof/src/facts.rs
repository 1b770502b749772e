//! What is proved so far: values of parts, and sums that are lost for who moves first.

use std::hash::{BuildHasher, Hasher};
use std::io;

use gb_rules::Player;
use gb_value::{Halt, Kernel, Value};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::boards::{BoardKey, Boards, Part, Parts};
use crate::certificate::{ProofError, options};
use crate::ledger::{Ledger, Numbers, first_number};
use crate::spill::{Filter, Payload, Room, SpillMap};

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

/// Most bits of a filter of what is mentioned: it is asked for every option, so it has to be near the processor.
const MOST_FILTER_BITS: u64 = 1 << 22;

/// What is proved, and in which line.
pub(crate) struct Facts<'s> {
    pub(crate) boards: Boards<'s>,
    kept: Kept<'s>,
    recent: RecentReplies,
    /// Memory for the options of one board.
    spare: Vec<BoardKey>,
}

/// What recent replies have changed in keys of boards. One reply often answers many moves (a killer move), so these are tried first.
#[derive(Default)]
struct RecentReplies(SmallVec<[u64; RECENT]>);

/// So many of them.
const RECENT: usize = 8;

impl RecentReplies {
    /// A number for what changes a board into another: the same wherever the same bits of its key change.
    fn change(before: &BoardKey, after: &BoardKey) -> u64 {
        let mut hasher = FxBuildHasher.build_hasher();
        for (at, (before, after)) in before.0.iter().zip(&after.0).enumerate() {
            if before != after {
                hasher.write_usize(at);
                hasher.write_u64(before ^ after);
            }
        }
        hasher.finish()
    }

    /// Brings those options of a board to the front that recent replies would make.
    fn first(&self, board: &BoardKey, options: &mut [BoardKey]) {
        let mut front = 0;
        for at in 0..options.len() {
            if self.0.contains(&Self::change(board, &options[at])) {
                options.swap(front, at);
                front += 1;
            }
        }
    }

    fn remember(&mut self, before: &BoardKey, after: &BoardKey) {
        let change = Self::change(before, after);
        self.0.retain(|known| *known != change);
        self.0.truncate(RECENT - 1);
        self.0.insert(0, change);
    }
}

/// What is kept of facts.
enum Kept<'s> {
    /// Names, with which they can be looked up, and nothing else.
    Names(Ledger<'s>),
    /// All of them.
    All(AllFacts<'s>),
}

struct AllFacts<'s> {
    numbers: Numbers,
    /// By the names of parts: the number of the value, and the line.
    valued: SpillMap<'s>,
    /// By hashes of a player and of parts: numbers of values and of what is less, and lines.
    lost: SpillMap<'s>,
    /// For either player, hashes of normal forms of all parts that have values or stand in sums that are lost: nothing is known of others.
    /// Who has time does without.
    mentioned: Option<[Filter; 2]>,
}

/// Bytes of what some parts are lost with: two numbers and a line.
const LOST_WITH: usize = 16;

impl AllFacts<'_> {
    fn facts_about(&self, who: Player, parts: &Parts) -> io::Result<LostWith> {
        let fact = |fact: &[u8; LOST_WITH]| {
            let [value, less] =
                [&fact[..4], &fact[4..8]].map(|bytes| self.numbers.value(first_number(bytes)));
            (Worth { value, less }, line(&fact[8..]))
        };
        let facts =
            self.lost.look(hash(who, parts), |found| found.as_chunks().0.iter().map(fact).collect())?;
        Ok(facts.unwrap_or_default())
    }
}

/// The line that a payload ends with.
fn line(bytes: &[u8]) -> u64 {
    bytes.last_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The names of parts are hashes already, so that something simple keeps sums of them apart. (If it did not, a checker would refuse the proof.)
fn hash(who: Player, parts: &Parts) -> u128 {
    parts.iter().fold(who as u128 + 1, |hash, part| {
        hash.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(*part)
    })
}

/// The name of a hash in a filter, which looks at both halves.
fn spread(hash: u64) -> u128 {
    u128::from(hash) << 64 | u128::from(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7)
}

impl<'s> Facts<'s> {
    /// Facts that are all kept; half of the room is for sums.
    pub(crate) fn new(boards: Boards<'s>, room: Room<'s>) -> Facts<'s> {
        let bits = (room.bytes / 4).min(MOST_FILTER_BITS) as usize;
        let kept = AllFacts {
            numbers: Numbers::default(),
            valued: SpillMap::new(room.share(4)),
            lost: SpillMap::new(room.share(2)),
            mentioned: Some([Filter::new(bits), Filter::new(bits)]),
        };
        Facts { boards, kept: Kept::All(kept), recent: RecentReplies::default(), spare: vec![] }
    }

    /// Facts that can be looked up, and nothing else.
    pub(crate) fn by_name(boards: Boards<'s>, ledger: Ledger<'s>) -> Facts<'s> {
        Facts { boards, kept: Kept::Names(ledger), recent: RecentReplies::default(), spare: vec![] }
    }

    /// From now on sums with parts that nothing is known of are looked at as well: two of them may cancel.
    pub(crate) fn pass_nothing_over(&mut self) {
        if let Kept::All(facts) = &mut self.kept {
            facts.mentioned = None;
        }
    }

    /// The value of a part, if it is known.
    pub(crate) fn value_of(&self, part: Part) -> io::Result<Option<Value>> {
        match &self.kept {
            Kept::Names(ledger) => ledger.value_of(part),
            Kept::All(facts) => facts.valued.look(part, |payload| facts.numbers.value(first_number(payload))),
        }
    }

    /// Remembers the value of a part, which a line has proved.
    pub(crate) fn has_value(&mut self, part: Part, value: Value, line: u64) -> io::Result<()> {
        match &mut self.kept {
            Kept::Names(ledger) => ledger.has_value(part, value),
            Kept::All(facts) => {
                let mut payload = Payload::from_slice(&facts.numbers.give(value).to_le_bytes());
                payload.extend_from_slice(&line.to_le_bytes());
                facts.valued.insert(part, payload)?;
                let hash = spread(self.boards.hash_of_normal(&self.boards.part(part)?.0));
                facts.mentioned.iter_mut().flatten().for_each(|mentioned| mentioned.insert(hash));
                Ok(())
            }
        }
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
                None => parts.extend_from_slice(&self.boards.parts_of(board)?),
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

    /// What parts are worth together, if values and what cancels say that.
    pub(crate) fn value_of_parts(
        &self,
        parts: &[Part],
        kernel: &Kernel<'_>,
    ) -> Result<Option<Value>, ProofError> {
        let mut total = Value::ZERO;
        for &part in parts {
            match self.value_of(part)? {
                Some(value) => total = kernel.add(total, value)?,
                None => {
                    let sum = self.sum_of_parts(parts, Value::ZERO.into(), kernel)?;
                    return Ok(sum.parts.is_empty().then_some(sum.worth.value));
                }
            }
        }
        Ok(Some(total))
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
        let known = self.facts_about(first, &sum.parts)?;
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
        if let Kept::Names(ledger) = &self.kept {
            return ledger.states(self.who(first), sum);
        }
        Ok(self.facts_about(first, &sum.parts)?.iter().any(|(worth, _)| *worth == sum.worth))
    }

    /// All facts by which a player who moves first loses some parts and something else.
    pub(crate) fn facts_about(&self, first: Player, parts: &Parts) -> io::Result<LostWith> {
        match &self.kept {
            Kept::Names(_) => Ok(LostWith::new()),
            Kept::All(facts) => facts.facts_about(self.who(first), parts),
        }
    }

    /// The lines with the values of the parts of some boards that have one.
    pub(crate) fn lines_of(&mut self, boards: &[BoardKey]) -> Result<Vec<u64>, ProofError> {
        let mut lines = vec![];
        for board in boards {
            for part in self.boards.parts_of(board)? {
                if let Kept::All(facts) = &self.kept {
                    lines.extend(facts.valued.get(part)?.map(|payload| line(&payload)));
                }
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
        let who = self.who(first);
        match &self.kept {
            Kept::All(AllFacts { mentioned: Some(mentioned), .. }) => {
                let mentioned = &mentioned[who as usize];
                self.boards.parts_if(board, |hash| mentioned.may_have(spread(hash)))
            }
            _ => self.boards.parts_of(board).map(Some),
        }
    }

    /// A move of the opponent of `first` after which something is true of the sum, and that sum.
    ///
    /// As long as it is kept which parts are mentioned, sums with a part that nothing is known of are passed over, also if there are two of
    /// them that would cancel.
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
            let mut options = std::mem::take(&mut self.spare);
            options.clear();
            self.boards.append_options(board, opponent, &mut options)?;
            self.recent.first(board, &mut options);
            let mut found = None;
            for option in &options {
                kernel.work(1)?;
                let sum = if self.boards.global_win(option).is_some() {
                    self.sum(std::slice::from_ref(option), Value::ZERO, kernel)?
                } else {
                    let Some(parts) = self.mentioned_parts(first, option)? else { continue };
                    let mut sum = others.clone();
                    self.add(&parts, &mut sum, kernel)?;
                    self.settle(&mut sum);
                    sum
                };
                if is_so(self, &sum)? {
                    self.recent.remember(board, option);
                    found = Some((Reply::Board(at, *option), sum));
                    break;
                }
            }
            self.spare = options;
            if found.is_some() {
                return Ok(found);
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

    /// What the moves of a player leave of a board, with what recent replies would leave in front.
    pub(crate) fn options(&self, board: &BoardKey, who: Player) -> Result<Vec<BoardKey>, ProofError> {
        let mut options = self.boards.options(board, who)?;
        self.recent.first(board, &mut options);
        Ok(options)
    }

    /// Remembers that a player loses a sum by moving first, which a line has proved. A part of an impartial game that loses with a nimber has that nimber.
    pub(crate) fn lose(&mut self, first: Player, sum: Sum, line: u64) -> io::Result<()> {
        let who = self.who(first);
        match (&sum.parts[..], &mut self.kept) {
            (&[part], _) if self.boards.impartial => self.has_value(part, sum.worth.value, line),
            (_, Kept::Names(ledger)) => ledger.lose(who, &sum),
            (parts, Kept::All(facts)) => {
                for &part in parts {
                    let hash = self.boards.hash_of_normal(&self.boards.part(part)?.0);
                    if let Some(mentioned) = &mut facts.mentioned {
                        mentioned[who as usize].insert(spread(hash));
                    }
                }
                let name = hash(who, &sum.parts);
                let mut known = facts.lost.get(name)?.unwrap_or_default();
                for value in [sum.worth.value, sum.worth.less] {
                    known.extend_from_slice(&facts.numbers.give(value).to_le_bytes());
                }
                known.extend_from_slice(&line.to_le_bytes());
                facts.lost.insert(name, known)
            }
        }
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
