//! Checking a certificate: every line has to follow from those before it. Nothing is searched.

use std::error::Error;
use std::io::BufRead;
use std::iter::Peekable;
use std::rc::Rc;

use gb_rules::{AnyGame, Player};
use gb_value::{Dyadic, Halt, Kernel, Value};
use rustc_hash::FxHashSet;

use crate::boards::{BoardKey, Boards, Keep, Part};
use crate::certificate::{Claim, HEADER, LinesHash, ProofError, changed, options};
use crate::facts::{Facts, Sum, Worth};
use crate::ledger::Ledger;
use crate::replay::Replay;
use crate::spill::{Room, Scratch};

mod values;

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

/// The share of the memory that facts may take; the rest is for values, and for what games keep.
const SHARE_OF_FACTS: u64 = 2;
/// The share of the names of boards that were met.
const SHARE_OF_NAMES: u64 = 8;

/// A line longer than this is no line of a certificate.
const LONGEST_LINE: u64 = 1 << 24;

/// Checks a certificate. The lines that say which games it is about are given to `open`. Of facts only names are kept, hashes of 128 bits; half of the
/// memory of the kernel's budget is for them, and more of them go into files that `scratch` makes, if it is given.
///
/// # Errors
/// At the first line that does not follow.
pub fn check(
    input: impl BufRead,
    open: &OpenHead<'_>,
    kernel: &Kernel<'_>,
    scratch: Option<&Scratch<'_>>,
) -> Result<Checked, ProofError> {
    let facts = |game| {
        let bytes = kernel.budget().max_bytes();
        let boards = Boards::new(game, Keep::Names(bytes / SHARE_OF_NAMES))?;
        Ok(Facts::by_name(boards, Ledger::new(Room { bytes, scratch }.share(SHARE_OF_FACTS))))
    };
    Ok(run(input, open, kernel, &facts)?.0)
}

/// Checks a certificate, and keeps its facts, so that a game can be played against it.
///
/// # Errors
/// At the first line that does not follow.
pub fn read(
    input: impl BufRead,
    open: &OpenHead<'_>,
    kernel: &Kernel<'_>,
) -> Result<(Checked, Replay), ProofError> {
    let facts = |game| Ok(Facts::new(Boards::new(game, Keep::Parts(Room::UNLIMITED))?, Room::UNLIMITED));
    let (checked, facts) = run(input, open, kernel, &facts)?;
    Ok((checked, Replay::new(facts)))
}

/// Checks a certificate, with facts that are kept as they are made here.
fn run<'s>(
    mut input: impl BufRead,
    open: &OpenHead<'_>,
    kernel: &Kernel<'_>,
    facts_of: &dyn Fn(AnyGame) -> Result<Facts<'s>, ProofError>,
) -> Result<(Checked, Facts<'s>), ProofError> {
    let mut hash = LinesHash::default();
    let (mut line, mut number) = (String::new(), 0);
    let (mut head, mut checker): (Vec<String>, Option<Checker<'_, '_, 's>>) = (vec![], None);
    let mut claims = vec![];
    let mut count = 0;
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
            let expected = format!("{} {}", number - 1, hash.text());
            if end != expected {
                return Err(refuse("the certificate was changed or cut: its checksum is another".into()));
            }
            if !std::io::Read::take(&mut input, 1).read_line(&mut String::new()).is_ok_and(|read| read == 0) {
                return Err(refuse("something follows the last line".into()));
            }
            let Some(checker) = checker else { return Err(refuse("nothing is claimed".into())) };
            if !checker.needed.is_subset(&checker.not_won) {
                return Err(refuse(
                    "nothing says that a board is not won that another is said to lead to".into(),
                ));
            }
            return Ok((Checked { claims, facts: count, lines: number }, checker.facts));
        }
        hash.update(line.as_bytes());
        if number == 1 {
            if text != HEADER {
                return Err(refuse(match text.strip_prefix("gamebench-proof ") {
                    Some(version) => format!(
                        "this certificate has version {version}, and 2 is the one that is known here: prove it again"
                    ),
                    None => format!("this is no certificate: expected `{HEADER}`"),
                }));
            }
            continue;
        }
        let is_head = text.starts_with("game ") || text.starts_with("| ") || text == "|";
        if is_head && checker.is_none() {
            head.push(text.to_owned());
            continue;
        }
        if checker.is_none() {
            let facts = facts_of(open(&head).map_err(|error| refuse(error.to_string()))?)?;
            checker = Some(Checker {
                facts,
                kernel,
                names: vec![],
                needed: FxHashSet::default(),
                not_won: FxHashSet::default(),
                line: number,
            });
        }
        let Some(checker) = checker.as_mut() else { continue };
        checker.line = number;
        match checker.read(text) {
            Ok(Line::Name) => {}
            Ok(Line::Fact) => count += 1,
            Ok(Line::Claim(claim)) => claims.push(claim),
            Err(Wrong::Stopped(halt)) => return Err(halt.into()),
            Err(Wrong::Disk(error)) => return Err(error.into()),
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
    Disk(std::io::Error),
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
            ProofError::Io(error) => Wrong::Disk(error),
            other => Wrong::Line(other.to_string()),
        }
    }
}

impl From<std::io::Error> for Wrong {
    fn from(error: std::io::Error) -> Wrong {
        Wrong::Disk(error)
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

struct Checker<'k, 'b, 's> {
    facts: Facts<'s>,
    kernel: &'k Kernel<'b>,
    /// Values with names, and their options in the order in which the certificate has them.
    names: Vec<Listed>,
    /// Boards that have to be said not to be won by who moves first, and those of which that is said.
    needed: FxHashSet<(Player, Part)>,
    not_won: FxHashSet<(Player, Part)>,
    /// The number of the line that is read.
    line: u64,
}

/// A value with the options of Left and of Right in the order in which the certificate has them.
type Listed = Rc<(Value, [Vec<Value>; 2])>;

/// A sum as a line has it: boards, a value, and what is less, with their options in order.
struct Written<'t> {
    boards: Vec<BoardKey>,
    texts: Vec<&'t str>,
    value: Listed,
    less: Listed,
}

impl Written<'_> {
    fn worth(&self) -> Worth {
        Worth { value: self.value.0, less: self.less.0 }
    }
}

/// What is said of who moves first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Lost,
    NotWon,
}

/// What a move has left: boards, the text of the one that was moved on, the texts of all before the move, the value and what is less.
struct Left<'l> {
    boards: &'l mut [BoardKey],
    moved: Option<(usize, &'l str)>,
    texts: &'l [&'l str],
    value: &'l Listed,
    less: &'l Listed,
}

impl<'l> Left<'l> {
    /// The text of a board; without a number, of the one that was moved on.
    fn text(&self, at: Option<usize>) -> Option<(usize, &'l str)> {
        match (at, self.moved) {
            (None, moved) => moved,
            (Some(at), Some(moved)) if moved.0 == at => Some(moved),
            (Some(at), _) => self.texts.get(at).map(|text| (at, *text)),
        }
    }
}

/// A value, and what is less behind `:`.
fn parted(text: &str) -> (&str, &str) {
    text.split_once(':').unwrap_or((text, "0"))
}

fn no_value(text: &str) -> Wrong {
    Wrong::Line(format!("`{text}` is no value: expected a number, a nimber or a name"))
}

/// The next word, if it points to a fact.
fn hint_of<'t>(words: &mut Peekable<impl Iterator<Item = &'t str>>) -> Option<&'t str> {
    words.next_if(|word| word.starts_with('>')).map(|word| &word[1..])
}

impl Checker<'_, '_, '_> {
    fn read(&mut self, text: &str) -> Result<Line, Wrong> {
        self.kernel.step()?;
        let (kind, rest) = text.split_once(' ').ok_or("expected a word and what it says")?;
        match kind {
            "N" => self.name(rest).map(|()| Line::Name),
            "V" => self.value_of_part(rest).map(|()| Line::Fact),
            "L" | "R" | "E" | "DL" | "DR" => self.lost(kind, rest).map(|()| Line::Fact),
            "claim" => Ok(Line::Claim(self.claim(rest)?)),
            _ => {
                Err(format!("`{kind}` is no kind of line: expected N, V, L, R, E, DL, DR, claim or end")
                    .into())
            }
        }
    }

    /// The options of Left and of Right.
    fn options(&self, value: Value) -> Result<[Vec<Value>; 2], Halt> {
        Ok([options(value, Player::Left, self.kernel)?, options(value, Player::Right, self.kernel)?])
    }

    /// What a name stands for, if the text is one.
    fn named(&self, text: &str) -> Result<Option<&Listed>, Wrong> {
        let Some(name) = text.strip_prefix('#') else { return Ok(None) };
        let found = name.parse().ok().and_then(|name: usize| self.names.get(name));
        found.map(Some).ok_or_else(|| no_value(text))
    }

    /// A value by its text: a number, a nimber or a name.
    fn value(&self, text: &str) -> Result<Value, Wrong> {
        if let Some(named) = self.named(text)? {
            return Ok(named.0);
        }
        match text.strip_prefix('*') {
            Some(n) => {
                let n = n.parse().ok().filter(|n| *n <= 1 << 16);
                Ok(self.kernel.nimber(n.ok_or_else(|| no_value(text))?))
            }
            None => Ok(self.kernel.number(&text.parse::<Dyadic>().map_err(|_| no_value(text))?)),
        }
    }

    /// A value by its text, with its options.
    fn listed(&self, text: &str) -> Result<Listed, Wrong> {
        if let Some(named) = self.named(text)? {
            return Ok(Rc::clone(named));
        }
        let value = self.value(text)?;
        Ok(Rc::new((value, self.options(value)?)))
    }

    /// What stands beside the parts in the fact that a `>` points to.
    fn hinted(&self, hint: Option<&str>) -> Result<Option<Worth>, Wrong> {
        let Some(text) = hint else { return Ok(None) };
        let (value, less) = parted(text);
        Ok(Some(Worth { value: self.value(value)?, less: self.value(less)? }))
    }

    /// Whether a player who moves first is known to lose a sum: by values, by the fact about it, or by the one that is pointed to, with the
    /// same parts and no less for that player.
    fn is_lost(&self, first: Player, sum: Sum, hint: Option<&str>) -> Result<bool, Wrong> {
        let mut sum = sum;
        if let Some(worth) = self.hinted(hint)? {
            if !sum.worth.is_no_better(worth, first, self.kernel)? {
                return Err("a fact is pointed to that says less".into());
            }
            sum.worth = worth;
        }
        if sum.parts.is_empty() {
            return Ok(sum.worth.is_lost(first, self.kernel)?);
        }
        Ok(self.facts.states(first, &sum)?)
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
                side.push(self.value(option)?);
            }
        }
        let value = self.kernel.from_options(&options[0], &options[1])?;
        self.names.push(Rc::new((value, options)));
        Ok(())
    }

    fn written<'t>(&self, boards: &'t str, value: &str) -> Result<Written<'t>, Wrong> {
        let texts: Vec<&str> = boards.split(' ').filter(|text| !text.is_empty()).collect();
        let boards = texts.iter().map(|text| self.facts.boards.read(text)).collect::<Result<_, _>>()?;
        let (value, less) = parted(value);
        let written = Written { boards, texts, value: self.listed(value)?, less: self.listed(less)? };
        let is_alone = written.boards.len() == 1 && written.worth() == Value::ZERO.into();
        if self.facts.boards.whole && !is_alone {
            return Err("a board of this game stands alone, with the value 0".into());
        }
        Ok(written)
    }

    /// Whoever moves first loses, since every move is answered by one that leads to what is known to be lost for him.
    fn lost(&mut self, kind: &str, rest: &str) -> Result<(), Wrong> {
        let fields: Vec<&str> = rest.split(" ; ").collect();
        let &[boards, value, answers] = &fields[..] else {
            return Err("expected boards, a value and answers, with ` ; ` between".into());
        };
        let written = self.written(boards, value)?;
        let first = if kind.ends_with('R') { Player::Right } else { Player::Left };
        let goal = if kind.starts_with('D') { End::NotWon } else { End::Lost };
        if (kind == "E") != self.facts.boards.impartial {
            return Err("E is for impartial games, L and R are for others".into());
        }
        if goal == End::NotWon && !self.facts.boards.whole {
            return Err("this game has no draws".into());
        }
        let is_nimber = self.kernel.as_nimber(written.value.0).is_some() && written.less.0 == Value::ZERO;
        if kind == "E" && !is_nimber {
            return Err("in a sum of impartial games the value has to be a nimber".into());
        }
        let mut answers = answers.split(' ').filter(|answer| !answer.is_empty()).peekable();
        let mut boards = written.boards.clone();
        for at in 0..written.boards.len() {
            if written.texts[..at].contains(&written.texts[at]) {
                continue;
            }
            for (text, after) in self.facts.boards.sorted(&written.boards[at], first)? {
                let answer =
                    answers.next().ok_or_else(|| format!("no answer to the move that leaves {text}"))?;
                boards[at] = after;
                let left = Left {
                    boards: &mut boards,
                    moved: Some((at, &text)),
                    texts: &written.texts,
                    value: &written.value,
                    less: &written.less,
                };
                self.answer((first, goal), answer, hint_of(&mut answers), left)?;
            }
            boards[at] = written.boards[at];
        }
        for (place, who) in [first, first.opponent()].into_iter().enumerate() {
            let moved = if place == 0 { &written.value } else { &written.less };
            for &option in &moved.1[who as usize] {
                let answer = answers.next().ok_or("no answer to a move in the value")?;
                let option = Rc::new((option, self.options(option)?));
                let (value, less) =
                    if place == 0 { (&option, &written.less) } else { (&written.value, &option) };
                let left = Left { boards: &mut boards, moved: None, texts: &written.texts, value, less };
                self.answer((first, goal), answer, hint_of(&mut answers), left)?;
            }
        }
        if answers.next().is_some() {
            return Err("there are more answers than moves".into());
        }
        let sum = self.facts.sum(&written.boards, written.worth(), self.kernel)?;
        match (goal, &sum.parts[..]) {
            (_, []) => {}
            (End::NotWon, parts) => self.not_won.extend(parts.iter().map(|part| (first, *part))),
            (End::Lost, _) => self.facts.lose(first, sum, self.line)?,
        }
        Ok(())
    }

    /// Whether an answer to a move that has left this is a move of the opponent, and `first` loses after it, or is said not to win.
    fn answer(
        &mut self,
        (first, goal): (Player, End),
        answer: &str,
        hint: Option<&str>,
        left: Left<'_>,
    ) -> Result<(), Wrong> {
        self.kernel.work(1)?;
        let opponent = first.opponent();
        let mut worth = Worth { value: left.value.0, less: left.less.0 };
        if answer == "=" {
            let sum = self.facts.sum(left.boards, worth, self.kernel)?;
            if !sum.parts.is_empty() || sum.worth.is_lost(opponent, self.kernel)? {
                return Err("`=` stands where values do not decide, or decide otherwise".into());
            }
            return Ok(());
        }
        let (place, change) = answer.split_once('@').unwrap_or(("", answer));
        if place == "v" || place == "w" {
            // What is good for one in a value is good for the other in what is less.
            let (place, options) = match place {
                "v" => (&mut worth.value, &left.value.1[opponent as usize]),
                _ => (&mut worth.less, &left.less.1[first as usize]),
            };
            let after = self.value(change)?;
            if !options.contains(&after) {
                return Err(format!("{answer} is no move in the value").into());
            }
            *place = after;
            self.leads_to_loss((first, goal), answer, hint, left.boards, worth)
        } else {
            let illegal = || Wrong::Line(format!("{answer} is no move of {opponent}"));
            let at = if place.is_empty() { None } else { Some(place.parse().map_err(|_| illegal())?) };
            let (at, text) = left.text(at).ok_or_else(illegal)?;
            let after = self.facts.boards.read(&changed(text, change).ok_or_else(illegal)?)?;
            if !self.facts.boards.is_option(&left.boards[at], opponent, &after)? {
                return Err(illegal());
            }
            let before = std::mem::replace(&mut left.boards[at], after);
            let checked = self.leads_to_loss((first, goal), answer, hint, left.boards, worth);
            left.boards[at] = before;
            checked
        }
    }

    /// Whether `first`, moving next in this sum, which an answer has left, loses, or is said not to win.
    fn leads_to_loss(
        &mut self,
        (first, goal): (Player, End),
        answer: &str,
        hint: Option<&str>,
        boards: &[BoardKey],
        worth: Worth,
    ) -> Result<(), Wrong> {
        let sum = self.facts.sum(boards, worth, self.kernel)?;
        let parts = sum.parts.clone();
        match (self.is_lost(first, sum, hint)?, goal, &parts[..]) {
            (true, ..) => Ok(()),
            // Whether that is said may turn out later: who goes on for ever does not win.
            (_, End::NotWon, &[part]) => {
                self.needed.insert((first, part));
                Ok(())
            }
            _ => Err(format!("after {answer} it is not known here that {first} loses").into()),
        }
    }

    fn claim(&mut self, rest: &str) -> Result<Claim, Wrong> {
        let (kind, rest) = rest.split_once(' ').ok_or("expected what is claimed")?;
        let (player, rest) = match kind {
            "value" => (Player::Left, rest),
            "loses" | "wins" | "draws" => {
                let (player, rest) = rest.split_once(' ').ok_or("expected a player")?;
                match player {
                    "left" => (Player::Left, rest),
                    "right" => (Player::Right, rest),
                    _ => return Err(format!("`{player}` is no player: expected left or right").into()),
                }
            }
            _ => {
                return Err(
                    format!("`{kind}` is nothing to claim: expected value, loses, wins or draws").into()
                );
            }
        };
        let fields: Vec<&str> = rest.split(" ; ").collect();
        let (boards, value) = match (&fields[..], kind) {
            ([boards, value], "loses") | ([boards, value, _], "value" | "wins" | "draws") => {
                (*boards, *value)
            }
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
                let sum = self.facts.sum(&written.boards, written.worth(), self.kernel)?;
                if !self.is_lost(player, sum, None)? {
                    return Err(not_known());
                }
                Ok(Claim::Loses { first: player, sum: shown })
            }
            "wins" | "draws" => {
                // To win by moving is to answer a move of the opponent that was not made.
                let mut words = fields[2].split(' ').peekable();
                let answer = words.next().unwrap_or_default();
                let hint = hint_of(&mut words);
                if words.next().is_some() {
                    return Err("more is said than one move".into());
                }
                let with = self.left_by(answer, &written)?;
                let Written { boards, texts, value, less } = &written;
                let left = Left { boards: &mut boards.clone(), moved: None, texts, value, less };
                if kind == "wins" {
                    self.answer((player.opponent(), End::Lost), answer, hint, left)?;
                    return Ok(Claim::Wins { first: player, sum: shown, with });
                }
                if !self.facts.boards.whole {
                    return Err("this game has no draws".into());
                }
                // The player does not win, and the opponent does not win after this move.
                self.needed
                    .extend(self.facts.boards.parts_of(&boards[0])?.iter().map(|part| (player, *part)));
                self.answer((player.opponent(), End::NotWon), answer, hint, left)?;
                Ok(Claim::Draws { first: player, sum: shown, with })
            }
            _ => {
                if self.facts.boards.whole {
                    return Err("boards of this game have no values".into());
                }
                let total = self.value(fields[2])?;
                let Worth { value, less } = written.worth();
                let worth = Worth { value, less: self.kernel.add(less, total)? };
                let sum = self.facts.sum(&written.boards, worth, self.kernel)?;
                for player in Player::BOTH {
                    if !self.is_lost(player, sum.clone(), None)? {
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
        let value = self.kernel.sub(written.value.0, written.less.0)?;
        if value != Value::ZERO || terms.is_empty() {
            terms.push(self.kernel.show(value, &Default::default())?.to_string());
        }
        Ok(terms.join(" + "))
    }

    /// What a move leaves of the board that it changes.
    fn left_by(&self, answer: &str, written: &Written<'_>) -> Result<String, Wrong> {
        let (place, change) = answer.split_once('@').unwrap_or(("", answer));
        if place == "v" || place == "w" {
            return Ok(self.kernel.show(self.value(change)?, &Default::default())?.to_string());
        }
        let text = place.parse().ok().and_then(|at: usize| changed(written.texts.get(at)?, change));
        Ok(text.unwrap_or_default().replace('_', " "))
    }
}
