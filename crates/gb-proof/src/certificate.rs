//! The text of a certificate: its lines, how values and replies are written in it, and what is wrong with one.

use std::io::{self, Write};

use gb_board::BoardError;
use gb_rules::Player;
use gb_value::{Halt, Kernel, Value};
use rustc_hash::FxHashMap;

use crate::boards::Boards;
use crate::facts::Worth;

/// The first line.
pub(crate) const HEADER: &str = "gamebench-proof 2";

/// Why there is no proof, or why one is refused.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// Points are counted.
    #[error("{0} counts points, and proofs are made for games that are decided by who moves last")]
    CountsPoints(String),
    /// Who cannot move wins.
    #[error(
        "in {0} who cannot move wins, and proofs are made for games in which he loses: boards of others do not fall apart"
    )]
    Misere(String),
    /// The game can repeat, or a player can win everywhere at once: its boards are not sums of parts and values.
    #[error(
        "{0} can repeat or be won everywhere at once: of one of its boards alone it can be proved who wins (--outcome), but no value, and nothing of a sum"
    )]
    OnlyOutcomes(String),
    /// A text that is no board.
    #[error("`{0}`: {1}")]
    Board(String, BoardError),
    /// The search was stopped.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// The file could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// What was to be proved is not true.
    #[error("that is not true: {0}")]
    NotTrue(String),
    /// A line of a certificate does not follow, or cannot be read.
    #[error("line {line}: {why}")]
    Refused {
        /// Counted from 1.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
}

/// Something a certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// A sum has this value.
    Value {
        /// The sum as text.
        sum: String,
        /// The value as text.
        value: String,
    },
    /// A player who moves first in a sum loses it.
    Loses {
        /// The player.
        first: Player,
        /// The sum as text.
        sum: String,
    },
    /// A player who moves first in a sum wins it.
    Wins {
        /// The player.
        first: Player,
        /// The sum as text.
        sum: String,
        /// What the winning move leaves of the board that it changes.
        with: String,
    },
    /// If a player moves first, nobody can win.
    Draws {
        /// The player.
        first: Player,
        /// The board as text.
        sum: String,
        /// What a move leaves after which the player does not lose.
        with: String,
    },
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Claim::Value { sum, value } => write!(f, "{sum} has the value {value}"),
            Claim::Loses { first, sum } => write!(f, "{first}, moving first, loses {sum}"),
            Claim::Wins { first, sum, with } => {
                write!(f, "{first}, moving first, wins {sum} by leaving {with}")
            }
            Claim::Draws { first, sum, with } => {
                write!(f, "{first}, moving first, draws {sum} by leaving {with}")
            }
        }
    }
}

/// The letter of a player who moves first; of both, in impartial games.
pub(crate) fn letter(first: Player, boards: &Boards) -> char {
    match first {
        _ if boards.impartial => 'E',
        Player::Left => 'L',
        Player::Right => 'R',
    }
}

/// The hash of lines. They are hashed many at a time, for which the processor has better instructions.
#[derive(Default)]
pub(crate) struct LinesHash {
    hasher: blake3::Hasher,
    waiting: Vec<u8>,
}

/// Bytes of lines that wait.
const WAITING: usize = 1 << 16;

impl LinesHash {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= WAITING {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
    }

    /// The hash of all lines so far, as text.
    pub(crate) fn text(&mut self) -> String {
        self.hasher.update(&self.waiting);
        self.waiting.clear();
        self.hasher.finalize().to_hex().to_string()
    }
}

/// Writes lines, and counts and hashes them.
pub(crate) struct Writer<'w> {
    out: &'w mut dyn Write,
    hash: LinesHash,
    pub(crate) lines: u64,
    pub(crate) bytes: u64,
    names: FxHashMap<Value, usize>,
}

impl<'w> Writer<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> Self {
        Writer { out, hash: LinesHash::default(), lines: 0, bytes: 0, names: FxHashMap::default() }
    }

    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        self.lines += 1;
        for piece in [line.as_bytes(), b"\n"] {
            self.hash.update(piece);
            self.bytes += piece.len() as u64;
            self.out.write_all(piece)?;
        }
        Ok(())
    }

    /// The last line: how many came before, and what they are.
    pub(crate) fn end(mut self) -> io::Result<(u64, u64)> {
        let line = format!("end {} {}\n", self.lines, self.hash.text());
        self.out.write_all(line.as_bytes())?;
        self.out.flush()?;
        Ok((self.lines + 1, self.bytes + line.len() as u64))
    }

    /// How a value less another is written.
    pub(crate) fn worth(&mut self, worth: Worth, kernel: &Kernel<'_>) -> Result<String, ProofError> {
        let value = self.value(worth.value, kernel)?;
        if worth.less == Value::ZERO {
            return Ok(value);
        }
        Ok(format!("{value}:{}", self.value(worth.less, kernel)?))
    }

    /// How a value is written. What is no number and no nimber is given a name first, with its options, which have names as well.
    pub(crate) fn value(&mut self, value: Value, kernel: &Kernel<'_>) -> Result<String, ProofError> {
        if let Some(text) = plain(value, kernel) {
            return Ok(text);
        }
        if let Some(name) = self.names.get(&value) {
            return Ok(format!("#{name}"));
        }
        kernel.step()?;
        let mut sides = [vec![], vec![]];
        for (side, player) in sides.iter_mut().zip(Player::BOTH) {
            for option in options(value, player, kernel)? {
                side.push(gb_value::deeper(|| self.value(option, kernel))?);
            }
        }
        let name = self.names.len();
        self.names.insert(value, name);
        self.line(&format!("N {name} {}|{}", sides[0].join(","), sides[1].join(",")))?;
        Ok(format!("#{name}"))
    }
}

/// A number or a nimber as text.
pub(crate) fn plain(value: Value, kernel: &Kernel<'_>) -> Option<String> {
    if let Some(number) = kernel.as_number(value) {
        return Some(number.to_string());
    }
    kernel.as_nimber(value).map(|n| format!("*{n}"))
}

/// The options of a value in the order in which a certificate has them: nimbers from the least on.
///
/// # Errors
/// If the budget does not reach: a nimber has as many options as its number says.
pub(crate) fn options(value: Value, player: Player, kernel: &Kernel<'_>) -> Result<Vec<Value>, Halt> {
    let Some(n) = kernel.as_nimber(value) else { return Ok(kernel.options(value, player).collect()) };
    kernel.budget().room(u64::from(n) * size_of::<Value>() as u64)?;
    let mut options = Vec::with_capacity(n as usize);
    for n in 0..n {
        kernel.work(1)?;
        options.push(kernel.nimber(n));
    }
    Ok(options)
}

/// What changes a text into another: the places of the letters that differ, each with its new letter, or all of the new text.
pub(crate) fn difference(from: &str, to: &str) -> String {
    let all_is_new = || format!("~{to}");
    if to.bytes().any(|letter| letter.is_ascii_digit()) {
        return all_is_new();
    }
    if from.is_ascii() && to.is_ascii() {
        // Most boards, and nearly all of a proof.
        if from.len() != to.len() {
            return all_is_new();
        }
        return changes(from.bytes().zip(to.bytes()).map(|(old, new)| (char::from(old), char::from(new))));
    }
    let (old, new): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    if old.len() != new.len() { all_is_new() } else { changes(old.into_iter().zip(new)) }
}

/// The places of pairs of letters that differ, each with the second letter.
fn changes(letters: impl Iterator<Item = (char, char)>) -> String {
    let mut changes = String::new();
    for (at, (old, new)) in letters.enumerate() {
        if old != new {
            push_number(&mut changes, at);
            changes.push(new);
        }
    }
    changes
}

/// Writes a number, by hand: a certificate has millions of small ones.
fn push_number(text: &mut String, number: usize) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

/// The text that a difference makes of another, if it does.
pub(crate) fn changed(from: &str, difference: &str) -> Option<String> {
    if let Some(text) = difference.strip_prefix('~') {
        return Some(text.to_owned());
    }
    if from.is_ascii() && difference.is_ascii() {
        let mut letters = from.as_bytes().to_vec();
        change(&mut letters, difference.bytes().map(|letter| (letter, char::from(letter).to_digit(10))))?;
        return String::from_utf8(letters).ok();
    }
    let mut letters: Vec<char> = from.chars().collect();
    change(&mut letters, difference.chars().map(|letter| (letter, letter.to_digit(10))))?;
    Some(letters.into_iter().collect())
}

/// Changes letters as a difference says, whose letters come with the digits that they are.
fn change<L>(letters: &mut [L], difference: impl Iterator<Item = (L, Option<u32>)>) -> Option<()> {
    let mut at: Option<usize> = None;
    for (letter, digit) in difference {
        match digit {
            Some(digit) => at = Some(at.unwrap_or(0).checked_mul(10)?.checked_add(digit as usize)?),
            None => *letters.get_mut(at.take()?)? = letter,
        }
    }
    at.is_none().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_read_back() {
        for (from, to) in [
            ("..|..", "#.|#."),
            ("xo", ".x"),
            ("5", "2,2"),
            ("12", "11"),
            ("ab", "ab"),
            ("\u{e9}.x", "\u{e9}x."),
            ("..", ".\u{e9}"),
        ] {
            assert_eq!(changed(from, &difference(from, to)).as_deref(), Some(to));
        }
        for wrong in ["9x", "x", "1", "99999999999999999999x"] {
            assert_eq!(changed("..", wrong), None, "{wrong}");
        }
    }
}
