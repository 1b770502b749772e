//! Sums as they are typed: `clobber xo.|.ox + domineering ..|.. + ^*`.

use std::cell::Cell;

use crate::calc::{Calculator, Datum};
use gb_rules::with_game;
use gb_search::question::outcome::Winners;
use gb_search::sum::{Examined, ExaminedComponent, SumReport, Summand};
use gb_value::clock::Instant;
use gb_value::{Budget, Halt, Value};

use crate::engine::Engine;
use crate::error::EngineError;
use crate::games::is_game_file;

/// What is said where a summand is missing.
const EXPECTED: &str = "expected a position such as `clobber xo.|.ox`, or a value, on both sides of `+`";

/// What was found out about a sum.
pub struct Analysed {
    /// Parts, values, the sum and its winning moves.
    pub report: SumReport,
    /// Who wins, where the value of the sum was not found.
    pub winners: Option<Winners>,
}

impl Engine {
    /// Reads a sum of positions and values, searches the positions and adds everything up. Where the budget does not
    /// reach to the values, who wins is looked for within the budget that `rest` makes. `finished` is told each time a
    /// part of a position is done: its index, and how many there are.
    ///
    /// # Errors
    /// If a summand is neither a position nor a value.
    pub fn analyze(
        &self,
        text: &str,
        budget: &Budget,
        rest: &dyn Fn() -> Budget,
        finished: &dyn Fn(usize, usize, &ExaminedComponent),
    ) -> Result<Analysed, EngineError> {
        let pieces = summands(text);
        if pieces.len() > 1 {
            self.refuse_misere(&pieces)?;
        }
        let (mut summands, mut winners) = (vec![], None);
        // What has no value is bounded alone, and then all of it together.
        let shares = if pieces.len() > 1 { pieces.len() as u32 + 1 } else { 1 };
        // When everything has to end, once no values are looked for any more.
        let end = Cell::new(None);
        let share = || {
            let whole = rest();
            let Some(fresh) = whole.deadline() else { return whole };
            let now = Instant::now();
            let share = fresh.saturating_duration_since(now) / shares;
            whole.with_time(
                end.get().map_or(share, |end: Instant| share.min(end.saturating_duration_since(now))),
            )
        };
        for piece in pieces {
            // Even to look at a position takes time and memory, and there can be thousands of them.
            let mut spent = None;
            if let Err(stop) = budget.spend(0, 0) {
                let whole = rest();
                end.set(end.get().or(whole.deadline()));
                let is_late = end.get().is_some_and(|end| Instant::now() >= end);
                spent = (is_late || whole.spend(0, 0).is_err()).then_some(stop);
            }
            let (summand, found) = self.summand(piece, budget, spent, &share, finished)?;
            summands.push(summand);
            winners = found;
        }
        let report = SumReport::new(&self.store.kernel(budget), summands);
        // Who wins one position is who wins the sum only if it is the whole sum.
        if report.summands.len() > 1 {
            winners = match report.analysis {
                Err(stop) if stop != Halt::Cancelled && report.loops.is_none() && report.scores.is_none() => {
                    self.winners_of_summands(&report.summands, &share())?
                }
                _ => None,
            };
        }
        Ok(Analysed { report, winners })
    }

    /// Refuses a sum with a board that is played misère.
    fn refuse_misere(&self, pieces: &[&str]) -> Result<(), EngineError> {
        for piece in pieces {
            if let Some((game, position)) = game_and_position(piece)
                && with_game!(self.open_game(game, position)?, game => game.is_misere())
            {
                return Err(EngineError::Summand(no_misere_summand(piece)));
            }
        }
        Ok(())
    }

    /// Looks at one summand, or only reads it if everything is `spent`.
    fn summand(
        &self,
        piece: &str,
        budget: &Budget,
        spent: Option<Halt>,
        rest: &dyn Fn() -> Budget,
        finished: &dyn Fn(usize, usize, &ExaminedComponent),
    ) -> Result<(Summand, Option<Winners>), EngineError> {
        if piece.is_empty() {
            return Err(EngineError::Summand(EXPECTED.into()));
        }
        if let Some((game, position)) = game_and_position(piece) {
            let answer = match spent {
                Some(stop) => self.unsearched(game, position, stop)?,
                None => self.examine(game, position, budget, rest, finished)?,
            };
            let examined = answer
                .examined
                .ok_or_else(|| EngineError::Summand("the position was not searched".into()))?;
            return Ok((Summand::Position(examined), answer.winners));
        }
        let summand = |sentence| Err(EngineError::Summand(sentence));
        match Calculator::new(&self.store).run(piece, budget) {
            Ok(crate::calc::Answer::Datum(Datum::Value(value))) => {
                Ok((Summand::Value { text: piece.to_owned(), value }, None))
            }
            Ok(crate::calc::Answer::Datum(Datum::Loopy(loopy))) => match loopy.value() {
                Some(value) => Ok((Summand::Loopy { text: piece.to_owned(), value: value.clone() }, None)),
                None => {
                    summand(format!("the sides of `{piece}` are not known, so it cannot be a summand here"))
                }
            },
            Ok(_) => summand(format!("`{piece}` is not a value that can be a summand here")),
            Err(error) => Err(EngineError::Calc { piece: piece.to_owned(), error }),
        }
    }

    /// Who wins a sum of positions and values as it is typed, without values of positions unless they help.
    pub(crate) fn winners_of_pieces(&self, pieces: &[&str], budget: &Budget) -> Result<Winners, EngineError> {
        self.refuse_misere(pieces)?;
        let (mut positions, mut values) = (vec![], vec![]);
        for &piece in pieces {
            if piece.is_empty() {
                return Err(EngineError::Summand(EXPECTED.into()));
            }
            if let Some((game, position)) = game_and_position(piece) {
                let ends_in_score = with_game!(self.open_game(game, position)?, game => game.ends_in_score());
                if ends_in_score {
                    return Err(EngineError::Summand(format!(
                        "`{piece}` ends in a score: who moves last in a sum with it means nothing"
                    )));
                }
                positions.push((game, position));
                continue;
            }
            match Calculator::new(&self.store).run(piece, budget) {
                Ok(crate::calc::Answer::Datum(Datum::Value(value))) => values.push(value),
                Ok(_) => {
                    let sentence = format!("`{piece}` is not a value that can be a summand here");
                    return Err(EngineError::Summand(sentence));
                }
                Err(error) => return Err(EngineError::Calc { piece: piece.to_owned(), error }),
            }
        }
        match self.store.kernel(budget).sum(&values) {
            Ok(value) => self.winners_of_sum(&positions, value, budget),
            Err(stop) => Ok(Winners { left_first: Err(stop), right_first: Err(stop), nodes: budget.nodes() }),
        }
    }

    /// Who wins a sum of which not all values are known.
    fn winners_of_summands(
        &self,
        summands: &[Summand],
        budget: &Budget,
    ) -> Result<Option<Winners>, EngineError> {
        let (mut positions, mut values) = (vec![], vec![]);
        for summand in summands {
            match summand {
                Summand::Value { value, .. } => values.push(*value),
                // No position of the search for winners: their sum is found by values, or not at all.
                Summand::Loopy { .. } => return Ok(None),
                Summand::Position(examined) => match values_of(examined) {
                    Ok(known) => values.extend(known),
                    Err(_) => positions.push((examined.game.as_str(), examined.position.as_str())),
                },
            }
        }
        match self.store.kernel(budget).sum(&values) {
            Ok(value) => self.winners_of_sum(&positions, value, budget).map(Some),
            Err(_) => Ok(None),
        }
    }
}

/// Why a board that is played misère is no summand.
pub fn no_misere_summand(piece: &str) -> String {
    format!(
        "`{piece}` is played misère, and who wins does not follow from parts then: it cannot be a summand; what belongs to it is put on the same board"
    )
}

fn values_of(examined: &Examined) -> Result<Vec<Value>, Halt> {
    examined.components.iter().map(|component| component.value).collect()
}

/// Splits at ` + ` outside of brackets: a plus inside an expression or a position has no spaces around it, or is written in
/// brackets.
pub fn summands(text: &str) -> Vec<&str> {
    let (mut pieces, mut depth, mut start) = (vec![], 0i32, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth -= 1,
            b'+' if depth <= 0 && text[..at].ends_with(' ') && text[at + 1..].starts_with(' ') => {
                pieces.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(text[start..].trim());
    pieces
}

/// Splits `clobber xo.|.ox` into game and position, if it looks like that.
pub fn game_and_position(text: &str) -> Option<(&str, &str)> {
    let (first, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let rest = rest.trim();
    let inner = first.split('(').next_back().unwrap_or(first).trim_end_matches(')');
    let outer = first.split('(').next().unwrap_or(first);
    let is_game = [inner, outer].iter().any(|name| gb_games::NAMES.contains(name))
        || is_game_file(first)
        || first.contains('~');
    // A misspelt name should be reported as one: a word followed by something that is no operator.
    let is_short = first.len() < 3 && !(first.len() == 2 && first.chars().all(|c| c.is_ascii_alphabetic()));
    let is_word = !is_short && first.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_followed = !rest.is_empty() && !rest.starts_with(['+', '-', '(', '<', '>', '=', '|', '&', ':']);
    (is_game || is_word && is_followed).then_some((first, rest))
}
