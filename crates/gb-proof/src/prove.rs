//! Finding a proof: the search says which replies are good, and they are written down.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use gb_rules::Player;
use gb_search::question::outcome::{Memory, Settings};
use gb_search::{AnySolved, SearchContext};
use gb_value::{Kernel, Value, deeper};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::boards::{BoardKey, Boards, Keep, Part, Parts};
use crate::certificate::{Claim, HEADER, ProofError, Writer, difference, letter, options};
use crate::facts::{Facts, Reply, Sum, Worth};
use crate::spill::{Payload, Room, Scratch, SpillMap};

mod few;
mod values;
mod whole;

use few::Few;
use values::Plan;

/// Certificates have no rule for bands. Replies that are good by them need longer proofs: those of Domineering become twice as long.
const SETTINGS: Settings = Settings { bands: false, ..Settings::USUAL };

/// What is to be proved of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// Its value.
    Value,
    /// Who wins, whoever begins.
    Outcome,
    /// That it is at most this value.
    AtMost(Value),
    /// That it is at least this value.
    AtLeast(Value),
}

/// What was proved, and how long the certificate is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proved {
    /// What was proved.
    pub claims: Vec<Claim>,
    /// Lines of the certificate.
    pub lines: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// What is valued with all of its options, because it is small. Smaller boards are proved by the rules for large ones if these are less.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Parts of at most this size (see [`gb_rules::Heuristics::size`]) are valued, where that takes few facts.
    pub valued_size: usize,
    /// The same on the way to the value of something large: there parts are compared with many values.
    pub valued_size_for_values: usize,
    /// So many new facts the value of one of them may take.
    pub most_values: usize,
    /// So many the value of the whole may take; beyond, only its best options are valued, or it is compared.
    pub most_values_of_all: usize,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { valued_size: 9, valued_size_for_values: 15, most_values: 2_000, most_values_of_all: 2_000 }
    }
}

/// What a proof may use.
pub struct ProofContext<'a> {
    /// The store, the budget and the threads of its searches.
    pub search: &'a SearchContext<'a>,
    /// What is valued with all of its options.
    pub sizes: &'a Sizes,
    /// Makes files for what was proved and does not fit into the memory of the budget. If there is nothing that makes them, all stays in memory.
    pub scratch: Option<&'a Scratch<'a>>,
}

/// Proves something of a sum of boards of one game and a value, and writes the certificate. The names of the games, or the texts of
/// games as text, come first in it, in lines of `head`.
///
/// # Errors
/// If the search is stopped, if it is not true, or the certificate cannot be written.
pub fn prove(
    solved: &AnySolved,
    head: &[String],
    sum: (&[String], Value),
    want: Want,
    context: &ProofContext<'_>,
    out: &mut dyn Write,
) -> Result<Proved, ProofError> {
    let &ProofContext { search: context, sizes, scratch } = context;
    let room = Room { bytes: context.budget.max_bytes(), scratch };
    // A quarter of the memory is for what is proved, and the rest for values and what games keep. What was compared while values were searched is
    // asked again when they are proved.
    let memories = Mutex::new(vec![Memory::new(context.budget.max_bytes() / 8 * 3)]);
    let boards = Boards::new(solved.game(), Keep::Parts(room.share(8)))?;
    let mut prover = Prover {
        kernel: context.store.kernel(context.budget),
        facts: Facts::new(boards, room.share(16)),
        refused: SpillMap::new(room.share(32)),
        valued_size: sizes.valued_size,
        sizes,
        planned: FxHashMap::default(),
        planned_hashes: FxHashSet::default(),
        solved,
        memories: &memories,
        // The many small questions of a proof are answered sooner by one thread.
        context: SearchContext {
            comparisons: Some(&memories),
            ..SearchContext::new(context.store, context.budget)
        },
        writer: Writer::new(out),
    };
    prover.writer.line(HEADER)?;
    for line in head {
        prover.writer.line(line)?;
    }
    let keys: Vec<BoardKey> =
        sum.0.iter().map(|text| prover.facts.boards.read(text)).collect::<Result<_, _>>()?;
    let claims = match want {
        _ if prover.facts.boards.whole => match (want, &keys[..]) {
            (Want::Outcome, [key]) if sum.1 == Value::ZERO => prover.whole(key)?,
            _ => return Err(ProofError::OnlyOutcomes(solved.game().info().name)),
        },
        Want::Value => {
            let mut total = sum.1;
            for key in &keys {
                let context = SearchContext { comparisons: Some(&memories), ..*context };
                total = prover.kernel.add(total, solved.value(key, &context)?)?;
            }
            prover.value(&keys, sum.1, total)?
        }
        Want::Outcome => prover.outcome(&keys, sum.1)?,
        Want::AtMost(bound) => prover.bound(&keys, sum.1, Player::Left, bound)?,
        Want::AtLeast(bound) => prover.bound(&keys, sum.1, Player::Right, bound)?,
    };
    let (lines, bytes) = prover.writer.end()?;
    Ok(Proved { claims, lines, bytes })
}

struct Prover<'a> {
    facts: Facts<'a>,
    /// Parts that are not valued, because they are large or take too many facts.
    refused: SpillMap<'a>,
    /// Parts of at most this size are valued, where that takes few facts.
    valued_size: usize,
    sizes: &'a Sizes,
    /// Large parts that get a value when they are first met, and how.
    planned: FxHashMap<Part, Plan>,
    /// The hashes of their normal forms.
    planned_hashes: FxHashSet<u64>,
    solved: &'a AnySolved,
    memories: &'a Mutex<Vec<Memory>>,
    context: SearchContext<'a>,
    kernel: Kernel<'a>,
    writer: Writer<'a>,
}

impl Prover<'_> {
    fn texts(&self, keys: &[BoardKey]) -> String {
        let texts: Vec<String> = keys.iter().map(|key| self.facts.boards.text(key)).collect();
        texts.join(" ")
    }

    /// A sum as it is written.
    fn written(&mut self, keys: &[BoardKey], worth: Worth) -> Result<String, ProofError> {
        let value = self.writer.worth(worth, &self.kernel)?;
        Ok(format!("{} ; {value}", self.texts(keys)))
    }

    /// A sum as people read it.
    fn named(&self, keys: &[BoardKey], worth: Worth) -> Result<String, ProofError> {
        let value = self.kernel.sub(worth.value, worth.less)?;
        let mut terms: Vec<String> =
            keys.iter().map(|key| self.facts.boards.text(key).replace('_', " ")).collect();
        if value != Value::ZERO || terms.is_empty() {
            terms.push(self.kernel.show(value, &Default::default())?.to_string());
        }
        Ok(terms.join(" + "))
    }

    /// Proves that a sum has a value, `total`.
    fn value(&mut self, keys: &[BoardKey], value: Value, total: Value) -> Result<Vec<Claim>, ProofError> {
        // Small sums by the values of all their positions, large ones by the best options of parts or by comparing.
        let mut parts = vec![];
        for key in keys {
            parts.extend_from_slice(&self.facts.boards.parts_of(key)?);
        }
        if let Some(mut few) = self.few(&parts, self.sizes.most_values_of_all)? {
            for part in parts {
                self.value_of(part, &mut few)?;
            }
        } else if !self.facts.boards.impartial {
            self.valued_size = self.sizes.valued_size_for_values;
            for &part in &parts {
                self.plan(part)?;
            }
            if !self.planned.values().any(|plan| *plan == Plan::Options) {
                self.valued_size = self.sizes.valued_size;
            }
            for part in parts {
                self.value_as_planned(part)?;
            }
        } else {
            let sum = self.sum(keys, self.kernel.sub(value, total)?.into())?;
            self.lose_exactly(Player::Left, &sum)?;
        }
        let (sum, text) = (self.written(keys, value.into())?, self.writer.value(total, &self.kernel)?);
        self.writer.line(&format!("claim value {sum} ; {text}"))?;
        let shown = self.kernel.show(total, &Default::default())?.to_string();
        Ok(vec![Claim::Value { sum: self.named(keys, value.into())?, value: shown }])
    }

    fn outcome(&mut self, keys: &[BoardKey], value: Value) -> Result<Vec<Claim>, ProofError> {
        let mut claims = vec![];
        for first in Player::BOTH {
            let sum = self.sum(keys, value.into())?;
            let loses = self.is_lost(first, &sum)?;
            claims.push(if loses { self.loses(first, keys, value)? } else { self.wins(first, keys, value)? });
        }
        Ok(claims)
    }

    fn loses(&mut self, first: Player, keys: &[BoardKey], value: Value) -> Result<Claim, ProofError> {
        let sum = self.sum(keys, value.into())?;
        self.lose_exactly(first, &sum)?;
        let written = self.written(keys, value.into())?;
        self.writer.line(&format!("claim loses {} {written}", name(first)))?;
        Ok(Claim::Loses { first, sum: self.named(keys, value.into())? })
    }

    fn wins(&mut self, first: Player, keys: &[BoardKey], value: Value) -> Result<Claim, ProofError> {
        let Some((reply, left)) = self.reply(first.opponent(), keys, value.into())? else {
            let sum = self.named(keys, value.into())?;
            return Err(ProofError::NotTrue(format!("{first} does not win {sum}")));
        };
        let answer = self.answer(first.opponent(), keys, None, &reply, &left)?;
        let written = self.written(keys, value.into())?;
        self.writer.line(&format!("claim wins {} {written} ; {answer}", name(first)))?;
        let with = match reply {
            Reply::Board(_, after) => self.facts.boards.text(&after).replace('_', " "),
            Reply::Value(after) | Reply::Less(after) => {
                self.kernel.show(after, &Default::default())?.to_string()
            }
        };
        Ok(Claim::Wins { first, sum: self.named(keys, value.into())?, with })
    }

    fn bound(
        &mut self,
        keys: &[BoardKey],
        value: Value,
        first: Player,
        bound: Value,
    ) -> Result<Vec<Claim>, ProofError> {
        let value = self.kernel.sub(value, bound)?;
        Ok(vec![self.loses(first, keys, value)?])
    }

    /// A sum with what is known put in; small parts become known.
    fn sum(&mut self, keys: &[BoardKey], worth: Worth) -> Result<Sum, ProofError> {
        let mut parts = Parts::new();
        for key in keys {
            parts.extend_from_slice(&self.facts.boards.parts_of(key)?);
        }
        // Beside a value that is no nimber, impartial parts get their nimbers: then values decide.
        let with_nimbers = self.facts.boards.impartial && self.kernel.as_nimber(worth.value).is_none();
        for &part in &parts {
            // What is not valued never is, and most parts are not.
            if self.refused.contains(part)? || self.facts.value_of(part)?.is_some() {
                continue;
            }
            if with_nimbers {
                let value = self.solved.value(&self.facts.boards.part(part)?.0, &self.context)?;
                self.lose(Player::Left, &Sum::of(part, value))?;
            } else if self.planned.contains_key(&part) {
                deeper(|| self.value_as_planned(part))?;
            } else if !self.facts.boards.impartial {
                match self.few_below(part)? {
                    Some(mut few) => drop(self.value_of(part, &mut few)?),
                    None => self.refused.insert(part, Payload::new())?,
                }
            }
        }
        self.facts.sum_of_parts(&parts, worth, &self.kernel)
    }

    fn size(&self, part: Part) -> Result<usize, ProofError> {
        Ok(self.facts.boards.size(&self.facts.boards.part(part)?.0))
    }

    /// Whether a part of a board is too large to be valued, and not planned to be. (Some that have no value are not seen here.)
    fn has_unvalued(&self, key: &BoardKey) -> bool {
        let boards = &self.facts.boards;
        !boards.impartial && boards.has_larger(key, self.valued_size, &self.planned_hashes)
    }

    /// What comes from a part by moves, if it can be valued with all its options.
    fn few_below(&mut self, part: Part) -> Result<Option<Few>, ProofError> {
        if self.size(part)? > self.valued_size { Ok(None) } else { self.few(&[part], self.sizes.most_values) }
    }

    /// Whether a player loses a sum by moving first, as the search says.
    fn is_lost(&mut self, first: Player, sum: &Sum) -> Result<bool, ProofError> {
        if sum.parts.is_empty() || self.facts.is_lost(first, sum, &self.kernel)? {
            return self.facts.is_lost(first, sum, &self.kernel);
        }
        let keys = self.facts.boards.keys(&sum.parts)?;
        self.search(first, &keys, sum.worth)
    }

    /// The same of boards as they are.
    fn search(&mut self, first: Player, keys: &[BoardKey], worth: Worth) -> Result<bool, ProofError> {
        if self.facts.boards.impartial
            && let Some(mut n) = self.kernel.as_nimber(worth.value)
            && let Some((last, others)) = keys.split_last()
        {
            for key in others {
                let value = self.solved.value(key, &self.context)?;
                n ^= self.kernel.as_nimber(value).unwrap_or(0);
            }
            return Ok(self.solved.has_nimber(last, n, &self.context)?);
        }
        let value = (worth.value, worth.less);
        let winner = self.with_memory(|memory| {
            self.solved.winner_of(keys, value, first, &SETTINGS, memory, &self.context)
        })?;
        Ok(winner != first)
    }

    /// Does something with what searches for winners have found.
    fn with_memory<T>(&self, work: impl FnOnce(&mut Memory) -> T) -> T {
        let memories = || self.memories.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = memories().pop();
        let mut memory = memory.unwrap_or_else(|| Memory::new(self.context.budget.max_bytes() / 8));
        let done = work(&mut memory);
        memories().push(memory);
        done
    }

    /// Proves that a player loses a sum by moving first, or one with the same parts that is no worse for that player.
    fn lose(&mut self, first: Player, sum: &Sum) -> Result<(), ProofError> {
        if self.facts.is_lost(first, sum, &self.kernel)? { Ok(()) } else { self.lose_exactly(first, sum) }
    }

    /// Proves that a player loses a sum by moving first.
    fn lose_exactly(&mut self, first: Player, sum: &Sum) -> Result<(), ProofError> {
        self.kernel.step()?;
        let keys = self.facts.boards.keys(&sum.parts)?;
        if keys.is_empty() {
            if sum.worth.is_lost(first, &self.kernel)? {
                return Ok(());
            }
            let sum = self.named(&keys, sum.worth)?;
            return Err(ProofError::NotTrue(format!("{first} does not lose {sum}")));
        }
        if self.facts.states(first, sum)? {
            return Ok(());
        }
        // Of impartial parts all but the largest get their nimbers first: then what is left is one part and a nimber.
        if self.facts.boards.impartial && sum.parts.len() > 1 {
            let mut parts = vec![];
            for &part in &sum.parts {
                parts.push((self.size(part)?, part));
            }
            parts.sort_by_key(|(size, _)| *size);
            for &(_, part) in &parts[..parts.len() - 1] {
                let value = self.solved.value(&self.facts.boards.part(part)?.0, &self.context)?;
                deeper(|| self.lose(first, &Sum::of(part, value)))?;
            }
            let sum = self.facts.sum(&keys, sum.worth, &self.kernel)?;
            return self.lose(first, &sum);
        }
        let mut answers: Vec<String> = vec![];
        for (at, key) in keys.iter().enumerate() {
            if sum.parts[..at].contains(&sum.parts[at]) {
                continue;
            }
            let mut left = keys.clone();
            for (text, after) in self.facts.boards.sorted(key, first)? {
                left[at] = after;
                answers.push(self.answered(first, &left, sum.worth, Some((at, &text)))?);
            }
        }
        for reply in self.moves_in_values(first, sum.worth)? {
            answers.push(self.answered(first, &keys, reply.applied(sum.worth), None)?);
        }
        let written = self.written(&keys, sum.worth)?;
        let letter = letter(first, &self.facts.boards);
        self.writer.line(&format!("{letter} {written} ; {}", answers.join(" ")))?;
        let sum = self.facts.sum(&keys, sum.worth, &self.kernel)?;
        self.facts.lose(first, sum, self.writer.lines)?;
        Ok(())
    }

    /// The moves of a player in a value, and those in what is less.
    fn moves_in_values(&self, who: Player, worth: Worth) -> Result<Vec<Reply>, ProofError> {
        let values = options(worth.value, who, &self.kernel)?.into_iter().map(Reply::Value);
        let lesses = options(worth.less, who.opponent(), &self.kernel)?.into_iter().map(Reply::Less);
        Ok(values.chain(lesses).collect())
    }

    /// The answer to a move, which has led to this sum, with its proof.
    fn answered(
        &mut self,
        first: Player,
        keys: &[BoardKey],
        worth: Worth,
        moved: Option<(usize, &str)>,
    ) -> Result<String, ProofError> {
        self.kernel.work(1)?;
        // Where a part has no value, values do not decide: to see that takes less than to name all parts.
        if !keys.iter().any(|key| self.has_unvalued(key)) {
            let sum = self.sum(keys, worth)?;
            if sum.parts.is_empty() && !self.facts.is_lost(first.opponent(), &sum, &self.kernel)? {
                return Ok("=".into());
            }
        }
        match self.reply(first, keys, worth)? {
            Some((reply, left)) => self.answer(first, keys, moved, &reply, &left),
            None => {
                let sum = self.named(keys, worth)?;
                Err(ProofError::NotTrue(format!("{first} wins by leaving {sum}")))
            }
        }
    }

    /// A move of the opponent after which `first`, moving next, loses, with its proof, and the sum that it leaves.
    fn reply(
        &mut self,
        first: Player,
        keys: &[BoardKey],
        worth: Worth,
    ) -> Result<Option<(Reply, Sum)>, ProofError> {
        let opponent = first.opponent();
        // What is proved already makes the shortest proof.
        let known = self.facts.known_reply(first, keys, worth, &self.kernel)?;
        if known.is_some() {
            return Ok(known);
        }
        // Then what the search has found: where it has found nothing yet, searching the whole takes the moves in the search's own order, and
        // leaves the good one in its memory.
        let replies = self.replies(opponent, keys, worth)?;
        let found = self.first_lost(first, keys, worth, &replies, Self::is_known_lost)?;
        if found.is_some() {
            return Ok(found);
        }
        if self.search(opponent, keys, worth)? {
            return Ok(None);
        }
        let found = self.first_lost(first, keys, worth, &replies, Self::is_known_lost)?;
        if found.is_some() {
            return Ok(found);
        }
        self.first_lost(first, keys, worth, &replies, Self::search)
    }

    /// The moves of a player, first those that leave the opponent few: each of these needs an answer in the proof. (Of impartial games this
    /// makes nothing shorter.)
    fn replies(&self, who: Player, keys: &[BoardKey], worth: Worth) -> Result<Vec<Reply>, ProofError> {
        let mut replies = vec![];
        for (at, key) in keys.iter().enumerate() {
            let mut options = self.facts.options(key, who)?;
            replies.reserve(options.len());
            if !self.facts.boards.impartial {
                options.sort_by_cached_key(|option| self.facts.boards.count_moves(option, who.opponent()));
            }
            replies.extend(options.into_iter().map(|option| Reply::Board(at, option)));
        }
        replies.extend(self.moves_in_values(who, worth)?);
        Ok(replies)
    }

    /// The first of these moves after which `first` is said to lose, with its proof, and the sum that it leaves.
    fn first_lost(
        &mut self,
        first: Player,
        keys: &[BoardKey],
        worth: Worth,
        replies: &[Reply],
        is_lost: fn(&mut Self, Player, &[BoardKey], Worth) -> Result<bool, ProofError>,
    ) -> Result<Option<(Reply, Sum)>, ProofError> {
        let mut after: SmallVec<[BoardKey; 4]> = keys.into();
        for &reply in replies {
            self.kernel.work(1)?;
            let rest = reply.applied(worth);
            after.copy_from_slice(keys);
            if let Reply::Board(at, option) = reply {
                after[at] = option;
            }
            if is_lost(self, first, &after, rest)? {
                let mut sum = self.sum(&after, rest)?;
                deeper(|| self.lose(first, &sum))?;
                if self.facts.boards.impartial {
                    // A part that has been proved to lose with a nimber has that nimber now.
                    sum = self.sum(&after, rest)?;
                }
                return Ok(Some((reply, sum)));
            }
        }
        Ok(None)
    }

    /// Whether it is known to the search that a player loses a sum by moving first.
    fn is_known_lost(&mut self, first: Player, keys: &[BoardKey], worth: Worth) -> Result<bool, ProofError> {
        if self.facts.boards.impartial
            && let Some(mut n) = self.kernel.as_nimber(worth.value)
        {
            for key in keys {
                match self.solved.known_nimber(key, &self.context)? {
                    Some(nimber) => n ^= nimber,
                    None => return Ok(false),
                }
            }
            return Ok(n == 0);
        }
        let value = (worth.value, worth.less);
        let known = self.with_memory(|memory| {
            self.solved.known_winner_of(keys, value, first, &SETTINGS, memory, &self.context)
        })?;
        Ok(known == Some(first.opponent()))
    }

    /// How a reply is written: what it changes, and where, unless that is where the move was made; and what stands beside the parts in the fact that says
    /// that `first` loses after it, if that is something else than here.
    fn answer(
        &mut self,
        first: Player,
        keys: &[BoardKey],
        moved: Option<(usize, &str)>,
        reply: &Reply,
        left: &Sum,
    ) -> Result<String, ProofError> {
        let answer = match *reply {
            Reply::Value(value) => format!("v@{}", self.writer.value(value, &self.kernel)?),
            Reply::Less(value) => format!("w@{}", self.writer.value(value, &self.kernel)?),
            Reply::Board(at, board) => {
                let text = self.facts.boards.text(&board);
                match moved {
                    Some((moved, before)) if moved == at => difference(before, &text),
                    _ => format!("{at}@{}", difference(&self.facts.boards.text(&keys[at]), &text)),
                }
            }
        };
        Ok(answer + &self.hint(first, left)?)
    }

    /// What stands beside the parts in the fact that says that a player loses a sum, if that is something else.
    fn hint(&mut self, first: Player, sum: &Sum) -> Result<String, ProofError> {
        match self.facts.fact(first, sum, &self.kernel)? {
            Some((worth, _)) if worth != sum.worth && !sum.parts.is_empty() => {
                Ok(format!(" >{}", self.writer.worth(worth, &self.kernel)?))
            }
            _ => Ok(String::new()),
        }
    }
}

/// What a certificate calls a player.
pub(crate) fn name(player: Player) -> &'static str {
    if player == Player::Left { "left" } else { "right" }
}
