//! Small boards: all parts that come from them by moves are valued, each by its options.

use std::ops::Range;

use gb_rules::Player;
use gb_value::{Value, deeper};
use rustc_hash::FxHashMap;

use super::Prover;
use crate::boards::{OptionParts, Part};
use crate::certificate::ProofError;

/// Parts, and those that the moves of Left and of Right leave. They have numbers here: in rows of heaps the same few are options of many.
#[derive(Default)]
pub(super) struct Few {
    numbers: FxHashMap<Part, u32>,
    nodes: Vec<Node>,
    /// The parts of all options, one option after the other.
    parts: Vec<u32>,
    /// Where the parts of each option end.
    ends: Vec<u32>,
}

struct Node {
    part: Part,
    /// Its value, if that is known.
    value: Option<Value>,
    /// The options of Left and of Right.
    sides: [Range<u32>; 2],
}

impl Few {
    /// The parts of an option.
    fn parts_of(&self, option: u32) -> Range<usize> {
        let start = option.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        start as usize..self.ends[option as usize] as usize
    }
}

impl Prover<'_> {
    /// The parts without a value that come from these by moves, if they are no more than `most`, and none has been refused: what stands in a
    /// sum that is known to be lost must not become known afterwards, or the sum would not be found any more.
    pub(super) fn few(&mut self, parts: &[Part], most: usize) -> Result<Option<Few>, ProofError> {
        let (mut few, mut open, mut unvalued) = (Few::default(), vec![], 0);
        let mut options = OptionParts::default();
        for &part in parts {
            if self.number_of(part, &mut few, &mut open)?.is_none() {
                return Ok(None);
            }
        }
        while let Some(number) = open.pop() {
            unvalued += 1;
            if unvalued > most {
                return Ok(None);
            }
            self.kernel.step()?;
            let key = self.facts.boards.part(few.nodes[number as usize].part)?.0;
            let mut sides = [0..0, 0..0];
            for who in Player::BOTH {
                if who == Player::Right && self.facts.boards.impartial {
                    sides[1] = sides[0].clone();
                    break;
                }
                options.clear();
                self.facts.boards.parts_of_options(&key, who, &self.kernel, &mut options)?;
                let start = few.ends.len() as u32;
                for parts in options.iter() {
                    for &part in parts {
                        match self.number_of(part, &mut few, &mut open)? {
                            Some(number) => few.parts.push(number),
                            None => return Ok(None),
                        }
                    }
                    few.ends.push(few.parts.len() as u32);
                }
                sides[who as usize] = start..few.ends.len() as u32;
            }
            few.nodes[number as usize].sides = sides;
        }
        Ok(Some(few))
    }

    /// The number of a part, which is open if it is new and has no value; none if it was refused.
    fn number_of(&self, part: Part, few: &mut Few, open: &mut Vec<u32>) -> Result<Option<u32>, ProofError> {
        if let Some(&number) = few.numbers.get(&part) {
            return Ok(Some(number));
        }
        let (number, value) = (few.nodes.len() as u32, self.facts.value_of(part)?);
        if value.is_none() {
            if self.refused.contains(part)? {
                return Ok(None);
            }
            open.push(number);
        }
        few.numbers.insert(part, number);
        few.nodes.push(Node { part, value, sides: [0..0, 0..0] });
        Ok(Some(number))
    }

    /// Proves the value of a part, which is one of few, by the values of its options.
    pub(super) fn value_of(&mut self, part: Part, few: &mut Few) -> Result<Value, ProofError> {
        let number = few.numbers[&part];
        self.value_of_number(number, few)
    }

    fn value_of_number(&mut self, number: u32, few: &mut Few) -> Result<Value, ProofError> {
        if let Some(value) = few.nodes[number as usize].value {
            return Ok(value);
        }
        self.kernel.step()?;
        let mut sides = [vec![], vec![]];
        for who in Player::BOTH {
            if who == Player::Right && self.facts.boards.impartial {
                sides[1] = sides[0].clone();
                break;
            }
            let side = &mut sides[who as usize];
            for option in few.nodes[number as usize].sides[who as usize].clone() {
                let mut total = Value::ZERO;
                for at in few.parts_of(option) {
                    let part = few.parts[at];
                    let value = match few.nodes[part as usize].value {
                        Some(value) => value,
                        None => deeper(|| self.value_of_number(part, few))?,
                    };
                    total = self.kernel.add(total, value)?;
                }
                side.push(total);
            }
            side.sort_unstable();
            side.dedup();
        }
        let value = self.kernel.from_options(&sides[0], &sides[1])?;
        let part = few.nodes[number as usize].part;
        let (text, written) = (self.facts.boards.part(part)?.1, self.writer.value(value, &self.kernel)?);
        self.writer.line(&format!("V {text} {written}"))?;
        self.facts.has_value(part, value, self.writer.lines)?;
        few.nodes[number as usize].value = Some(value);
        Ok(value)
    }
}
