//! Checking a certificate: every line has to follow from those before it. Nothing is searched.

use std::error::Error;
use std::io::BufRead;

use gb_rules::{AnyGame, Player};
use gb_value::{Dyadic, Halt, Kernel, Value};

use crate::boards::{BoardKey, Boards};
use crate::certificate::{Claim, HEADER, ProofError, changed, options};
use crate::facts::Facts;
use crate::replay::Replay;

/// What a certificate was found to prove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// What is proved.
    pub claims: Vec<Claim>,
    /// Its facts.
    pub facts: u64,
    /// Its lines.
    pub lines: u64,
}

/// Opens the game that the first lines of a certificate name, or says why there is none.
pub type OpenHead<'a> = dyn Fn(&[String]) -> Result<AnyGame, Box<dyn Error + Send + Sync>> + 'a;

/// A line longer than this is no line of a certificate.
const LONGEST_LINE: u64 = 1 << 24;

/// Checks a certificate. The lines that say which games it is about are given to `open`.
///
/// # Errors
/// At the first line that does not follow.
pub fn check(input: impl BufRead, open: &OpenHead<'_>, kernel: &Kernel<'_>) -> Result<Checked, ProofError> {
    Ok(read(input, open, kernel)?.0)
}

/// Checks a certificate, and keeps its facts, so that a game can be played against it.
///
/// # Errors
/// At the first line that does not follow.
pub fn read(
    mut input: impl BufRead,
    open: &OpenHead<'_>,
    kernel: &Kernel<'_>,
) -> Result<(Checked, Replay), ProofError> {
    let mut hash = blake3::Hasher::new();
    let (mut line, mut number) = (String::new(), 0);
    let (mut head, mut checker): (Vec<String>, Option<Checker<'_, '_>>) = (vec![], None);
    let mut claims = vec![];
    let mut facts = 0;
    loop {
        line.clear();
        number += 1;
        let refuse = |why: String| ProofError::Refused { line: number, why };
        let read = std::io::Read::take(&mut input, LONGEST_LINE).read_line(&mut line)?;
        if read == 0 {
            return Err(refuse("the certificate ends without its last line, `end`".into()));
        }
        let Some(text) = line.strip_suffix('\n') else {
            return Err(refuse("the line has no end".into()));
        };
        if let Some(end) = text.strip_prefix("end ") {
            let expected = format!("{} {}", number - 1, hash.finalize().to_hex());
            if end != expected {
                return Err(refuse("the certificate was changed or cut: its checksum is another".into()));
            }
            if !std::io::Read::take(&mut input, 1).read_line(&mut String::new()).is_ok_and(|read| read == 0) {
                return Err(refuse("something follows the last line".into()));
            }
            let Some(checker) = checker else { return Err(refuse("nothing is claimed".into())) };
            return Ok((Checked { claims, facts, lines: number }, Replay::new(checker.facts)));
        }
        hash.update(line.as_bytes());
        if number == 1 {
            if text != HEADER {
                return Err(refuse(format!("this is no certificate: expected `{HEADER}`")));
            }
            continue;
        }
        let is_head = text.starts_with("game ") || text.starts_with("| ") || text == "|";
        if is_head && checker.is_none() {
            head.push(text.to_owned());
            continue;
        }
        if checker.is_none() {
            let boards = Boards::new(open(&head).map_err(|error| refuse(error.to_string()))?)?;
            checker = Some(Checker { facts: Facts::new(boards), kernel, names: vec![], line: number });
        }
        let Some(checker) = checker.as_mut() else { continue };
        checker.line = number;
        match checker.read(text) {
            Ok(Line::Name) => {}
            Ok(Line::Fact) => facts += 1,
            Ok(Line::Claim(claim)) => claims.push(claim),
            Err(Wrong::Stopped(halt)) => return Err(halt.into()),
            Err(Wrong::Line(why)) => return Err(refuse(why)),
        }
    }
}

/// What a line was.
enum Line {
    Name,
    Fact,
    Claim(Claim),
}

/// Why a line is not taken.
enum Wrong {
    Line(String),
    Stopped(Halt),
}

impl From<Halt> for Wrong {
    fn from(halt: Halt) -> Wrong {
        Wrong::Stopped(halt)
    }
}

impl From<ProofError> for Wrong {
    fn from(error: ProofError) -> Wrong {
        match error {
            ProofError::Halt(halt) => Wrong::Stopped(halt),
            other => Wrong::Line(other.to_string()),
        }
    }
}

impl From<&str> for Wrong {
    fn from(why: &str) -> Wrong {
        Wrong::Line(why.into())
    }
}

impl From<String> for Wrong {
    fn from(why: String) -> Wrong {
        Wrong::Line(why)
    }
}

struct Checker<'k, 's> {
    facts: Facts,
    kernel: &'k Kernel<'s>,
    /// Values with names, and their options in the order in which the certificate has them.
    names: Vec<(Value, [Vec<Value>; 2])>,
    /// The number of the line that is read.
    line: u64,
}

/// A sum as a line has it: boards, and a value with its options in order.
struct Written<'t> {
    boards: Vec<BoardKey>,
    texts: Vec<&'t str>,
    value: Value,
    options: [Vec<Value>; 2],
}

impl Checker<'_, '_> {
    fn read(&mut self, text: &str) -> Result<Line, Wrong> {
        self.kernel.step()?;
        let (kind, rest) = text.split_once(' ').ok_or("expected a word and what it says")?;
        match kind {
            "N" => self.name(rest).map(|()| Line::Name),
            "V" => self.value_of_part(rest).map(|()| Line::Fact),
            "L" | "R" | "E" => self.lost(kind, rest).map(|()| Line::Fact),
            "claim" => Ok(Line::Claim(self.claim(rest)?)),
            _ => Err(format!("`{kind}` is no kind of line: expected N, V, L, R, E, claim or end").into()),
        }
    }

    /// The options of Left and of Right.
    fn options(&self, value: Value) -> Result<[Vec<Value>; 2], Halt> {
        Ok([options(value, Player::Left, self.kernel)?, options(value, Player::Right, self.kernel)?])
    }

    /// A value by its text: a number, a nimber or a name.
    fn value(&self, text: &str) -> Result<(Value, [Vec<Value>; 2]), Wrong> {
        let unknown = || Wrong::Line(format!("`{text}` is no value: expected a number, a nimber or a name"));
        if let Some(name) = text.strip_prefix('#') {
            let name: usize = name.parse().map_err(|_| unknown())?;
            return self.names.get(name).cloned().ok_or_else(unknown);
        }
        let value = match text.strip_prefix('*') {
            Some(n) => self.kernel.nimber(n.parse().ok().filter(|n| *n <= 1 << 16).ok_or_else(unknown)?),
            None => self.kernel.number(&text.parse::<Dyadic>().map_err(|_| unknown())?),
        };
        Ok((value, self.options(value)?))
    }

    fn name(&mut self, rest: &str) -> Result<(), Wrong> {
        let (name, game) = rest.split_once(' ').ok_or("expected a name and its options")?;
        if name.parse() != Ok(self.names.len()) {
            return Err(format!("expected the name {}", self.names.len()).into());
        }
        let sides =
            game.split_once('|').ok_or("expected the options of Left and of Right, with `|` between")?;
        let mut options = [vec![], vec![]];
        for (side, list) in options.iter_mut().zip([sides.0, sides.1]) {
            for option in list.split(',').filter(|option| !option.is_empty()) {
                side.push(self.value(option)?.0);
            }
        }
        let value = self.kernel.from_options(&options[0], &options[1])?;
        self.names.push((value, options));
        Ok(())
    }

    /// The value of a part follows from the values of what its options fall into.
    fn value_of_part(&mut self, rest: &str) -> Result<(), Wrong> {
        let (text, value) = rest.split_once(' ').ok_or("expected a part and its value")?;
        let (board, value) = (self.facts.boards.read(text)?, self.value(value)?.0);
        let &[part] = &self.facts.boards.parts_of(&board)?[..] else {
            return Err("this board is no single part with moves".into());
        };
        let mut sides = [vec![], vec![]];
        for (side, who) in sides.iter_mut().zip(Player::BOTH) {
            for option in self.facts.boards.options(&board, who)? {
                self.kernel.work(1)?;
                let sum = self.facts.sum(&[option], Value::ZERO, self.kernel)?;
                if !sum.parts.is_empty() {
                    let option = self.facts.boards.text(&option);
                    return Err(format!("the value of {option}, an option, is not known here").into());
                }
                side.push(sum.value);
            }
        }
        if self.kernel.from_options(&sides[0], &sides[1])? != value {
            return Err("the options make another value".into());
        }
        self.facts.has_value(part, value, self.line);
        Ok(())
    }

    fn written<'t>(&self, boards: &'t str, value: &str) -> Result<Written<'t>, Wrong> {
        let texts: Vec<&str> = boards.split(' ').filter(|text| !text.is_empty()).collect();
        let boards = texts.iter().map(|text| self.facts.boards.read(text)).collect::<Result<_, _>>()?;
        let (value, options) = self.value(value)?;
        Ok(Written { boards, texts, value, options })
    }

    /// Whoever moves first loses, since every move is answered by one that leads to what is known to be lost for him.
    fn lost(&mut self, kind: &str, rest: &str) -> Result<(), Wrong> {
        let fields: Vec<&str> = rest.split(" ; ").collect();
        let &[boards, value, answers] = &fields[..] else {
            return Err("expected boards, a value and answers, with ` ; ` between".into());
        };
        let written = self.written(boards, value)?;
        let first = if kind == "R" { Player::Right } else { Player::Left };
        if (kind == "E") != self.facts.boards.impartial {
            return Err("E is for impartial games, L and R are for others".into());
        }
        if kind == "E" && self.kernel.as_nimber(written.value).is_none() {
            return Err("in a sum of impartial games the value has to be a nimber".into());
        }
        let mut answers = answers.split(' ').filter(|answer| !answer.is_empty());
        for at in 0..written.boards.len() {
            if written.texts[..at].contains(&written.texts[at]) {
                continue;
            }
            for (text, after) in self.facts.boards.sorted(&written.boards[at], first)? {
                let answer =
                    answers.next().ok_or_else(|| format!("no answer to the move that leaves {text}"))?;
                let mut boards = written.boards.clone();
                boards[at] = after;
                let mut texts = written.texts.clone();
                texts[at] = &text;
                self.answer(first, answer, &boards, &texts, (written.value, &written.options), at)?;
            }
        }
        for &option in &written.options[first as usize] {
            let answer = answers.next().ok_or("no answer to a move in the value")?;
            let listed = self.options(option)?;
            self.answer(first, answer, &written.boards, &written.texts, (option, &listed), usize::MAX)?;
        }
        if answers.next().is_some() {
            return Err("there are more answers than moves".into());
        }
        let sum = self.facts.sum(&written.boards, written.value, self.kernel)?;
        if !sum.parts.is_empty() {
            self.facts.lose(first, sum, self.line);
        }
        Ok(())
    }

    /// Whether an answer to a move that has led to this sum is a move of the opponent, and `first` loses after it.
    fn answer(
        &mut self,
        first: Player,
        answer: &str,
        boards: &[BoardKey],
        texts: &[&str],
        (mut value, options): (Value, &[Vec<Value>; 2]),
        moved: usize,
    ) -> Result<(), Wrong> {
        self.kernel.work(1)?;
        let opponent = first.opponent();
        let mut boards = boards.to_vec();
        if answer == "=" {
            let sum = self.facts.sum(&boards, value, self.kernel)?;
            if !sum.parts.is_empty() || self.facts.is_lost(opponent, &sum, self.kernel)? {
                return Err("`=` stands where values do not decide, or decide otherwise".into());
            }
            return Ok(());
        }
        let (place, change) = answer.split_once('@').unwrap_or(("", answer));
        if place == "v" {
            let after = self.value(change)?.0;
            if !options[opponent as usize].contains(&after) {
                return Err(format!("{answer} is no move in the value").into());
            }
            value = after;
        } else {
            let at = if place.is_empty() { moved } else { place.parse().unwrap_or(usize::MAX) };
            let illegal = || Wrong::Line(format!("{answer} is no move of {opponent}"));
            let text = texts.get(at).and_then(|text| changed(text, change)).ok_or_else(illegal)?;
            let after = self.facts.boards.read(&text)?;
            if !self.facts.boards.options(&boards[at], opponent)?.contains(&after) {
                return Err(illegal());
            }
            boards[at] = after;
        }
        let sum = self.facts.sum(&boards, value, self.kernel)?;
        if !self.facts.is_lost(first, &sum, self.kernel)? {
            return Err(format!("after {answer} it is not known here that {first} loses").into());
        }
        Ok(())
    }

    fn claim(&mut self, rest: &str) -> Result<Claim, Wrong> {
        let (kind, rest) = rest.split_once(' ').ok_or("expected what is claimed")?;
        let (player, rest) = match kind {
            "value" => (Player::Left, rest),
            "loses" | "wins" => {
                let (player, rest) = rest.split_once(' ').ok_or("expected a player")?;
                match player {
                    "left" => (Player::Left, rest),
                    "right" => (Player::Right, rest),
                    _ => return Err(format!("`{player}` is no player: expected left or right").into()),
                }
            }
            _ => return Err(format!("`{kind}` is nothing to claim: expected value, loses or wins").into()),
        };
        let fields: Vec<&str> = rest.split(" ; ").collect();
        let (boards, value) = match (&fields[..], kind) {
            ([boards, value], "loses") | ([boards, value, _], "value" | "wins") => (*boards, *value),
            _ => {
                return Err(
                    "expected boards and a value, with ` ; ` between, and what belongs to the claim".into()
                );
            }
        };
        let written = self.written(boards, value)?;
        let shown = self.shown(&written)?;
        let not_known = || Wrong::Line("the claim does not follow from the facts".into());
        match kind {
            "loses" => {
                let sum = self.facts.sum(&written.boards, written.value, self.kernel)?;
                if !self.facts.is_lost(player, &sum, self.kernel)? {
                    return Err(not_known());
                }
                Ok(Claim::Loses { first: player, sum: shown })
            }
            "wins" => {
                // To win by moving is to answer a move of the opponent that was not made.
                let options = &written.options;
                self.answer(
                    player.opponent(),
                    fields[2],
                    &written.boards,
                    &written.texts,
                    (written.value, options),
                    usize::MAX,
                )?;
                Ok(Claim::Wins { first: player, sum: shown, with: self.left_by(fields[2], &written)? })
            }
            _ => {
                let total = self.value(fields[2])?.0;
                let rest = self.kernel.sub(written.value, total)?;
                let sum = self.facts.sum(&written.boards, rest, self.kernel)?;
                for player in Player::BOTH {
                    if !self.facts.is_lost(player, &sum, self.kernel)? {
                        return Err(not_known());
                    }
                }
                let value = self.kernel.show(total, &Default::default())?.to_string();
                Ok(Claim::Value { sum: shown, value })
            }
        }
    }

    /// A sum as people read it.
    fn shown(&self, written: &Written<'_>) -> Result<String, Wrong> {
        let mut terms: Vec<String> = written.texts.iter().map(|text| text.replace('_', " ")).collect();
        if written.value != Value::ZERO || terms.is_empty() {
            terms.push(self.kernel.show(written.value, &Default::default())?.to_string());
        }
        Ok(terms.join(" + "))
    }

    /// What a move leaves of the board that it changes.
    fn left_by(&self, answer: &str, written: &Written<'_>) -> Result<String, Wrong> {
        let (place, change) = answer.split_once('@').unwrap_or(("", answer));
        if place == "v" {
            return Ok(self.kernel.show(self.value(change)?.0, &Default::default())?.to_string());
        }
        let text = place.parse().ok().and_then(|at: usize| changed(written.texts.get(at)?, change));
        Ok(text.unwrap_or_default().replace('_', " "))
    }
}
