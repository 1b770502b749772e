//! Values of large parts: by the values of the best options alone, where every other one is shown to be no better.

use gb_rules::Player;
use gb_value::{Value, deeper};

use super::Prover;
use crate::boards::{BoardKey, Part};
use crate::certificate::ProofError;
use crate::facts::{Sum, Worth};
use crate::spill::Payload;

/// How the value of a large part is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// By its best options.
    Options,
    /// By comparing it with the value.
    Compared(Value),
}

/// An option of a part that is to be valued.
struct Candidate {
    key: BoardKey,
    /// Its value, if the search has found it.
    value: Option<Value>,
}

impl Prover<'_> {
    /// Decides which parts are valued on the way to the value of this one, and how: those that the search has valued and needs. All
    /// this comes before the first fact, because what stands in a sum that is known to be lost must not become known afterwards.
    pub(super) fn plan(&mut self, part: Part) -> Result<(), ProofError> {
        if self.planned.contains_key(&part) {
            return Ok(());
        }
        self.kernel.step()?;
        let key = self.facts.boards.part(part)?.0;
        let value = self.solved.value(&key, &self.context)?;
        // Whatever is met on the way is smaller.
        self.planned.insert(part, Plan::Compared(value));
        self.planned_hashes.insert(self.facts.boards.hash_of_normal(&key));
        let mut needed = vec![];
        let (mut sides, mut others) = ([vec![], vec![]], [vec![], vec![]]);
        for who in Player::BOTH {
            let (side, others) = (&mut sides[who as usize], &mut others[who as usize]);
            let candidates = self.candidates(&key, who)?;
            *side = self.best_of(&candidates, who)?;
            for candidate in candidates {
                if candidate.value.is_some_and(|value| side.contains(&value)) {
                    needed.push(candidate.key);
                } else if candidate.value.is_none() {
                    others.push(candidate.key);
                }
            }
        }
        if self.kernel.from_options(&sides[0], &sides[1])? != value {
            return Ok(());
        }
        for who in Player::BOTH {
            for key in &others[who as usize] {
                if !self.is_no_better(key, who, &mut sides[who as usize])? {
                    return Ok(());
                }
            }
        }
        self.planned.insert(part, Plan::Options);
        for key in needed {
            for part in self.facts.boards.parts_of(&key)? {
                deeper(|| self.plan(part))?;
            }
        }
        Ok(())
    }

    fn candidates(&mut self, key: &BoardKey, who: Player) -> Result<Vec<Candidate>, ProofError> {
        let mut candidates = vec![];
        for key in self.facts.boards.options(key, who)? {
            self.kernel.work(1)?;
            let value = self.solved.known_value(&key, &self.context)?;
            candidates.push(Candidate { key, value });
        }
        Ok(candidates)
    }

    /// The values of options that are no worse than others.
    fn best_of(&self, candidates: &[Candidate], who: Player) -> Result<Vec<Value>, ProofError> {
        let mut best: Vec<Value> = vec![];
        for value in candidates.iter().filter_map(|candidate| candidate.value) {
            self.insert(value, who, &mut best)?;
        }
        Ok(best)
    }

    /// Keeps a value unless it is no better than another one.
    fn insert(&self, value: Value, who: Player, best: &mut Vec<Value>) -> Result<(), ProofError> {
        for &other in best.iter() {
            if self.no_better(value, other, who)? {
                return Ok(());
            }
        }
        let mut kept = vec![value];
        for &other in best.iter() {
            if !self.no_better(other, value, who)? {
                kept.push(other);
            }
        }
        *best = kept;
        Ok(())
    }

    fn no_better(&self, a: Value, b: Value, who: Player) -> Result<bool, ProofError> {
        Ok(match who {
            Player::Left => self.kernel.le(a, b)?,
            Player::Right => self.kernel.le(b, a)?,
        })
    }

    /// Whether one of these values is at least as good as an option, as the search says; it comes to the front.
    fn is_no_better(
        &mut self,
        key: &BoardKey,
        who: Player,
        rivals: &mut [Value],
    ) -> Result<bool, ProofError> {
        // What the search has found is asked first.
        for is_lost in [Self::is_known_lost, Self::search] {
            for at in 0..rivals.len() {
                if is_lost(self, who, &[*key], Worth::less(rivals[at]))? {
                    rivals[..=at].rotate_right(1);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Proves the value of a part as it was planned.
    pub(super) fn value_as_planned(&mut self, part: Part) -> Result<(), ProofError> {
        if self.facts.value_of(part)?.is_some() {
            return Ok(());
        }
        self.kernel.step()?;
        if let Some(mut few) = self.few_below(part)? {
            return self.value_of(part, &mut few).map(|_| ());
        }
        match self.planned[&part] {
            Plan::Compared(value) => self.value_by_comparing(part, value),
            Plan::Options => self.value_by_options(part),
        }
    }

    fn value_by_comparing(&mut self, part: Part, value: Value) -> Result<(), ProofError> {
        // A move in the value leaves the part as it is.
        self.planned.remove(&part);
        self.refused.insert(part, Payload::new())?;
        for first in Player::BOTH {
            self.lose_exactly(first, &Sum::of(part, Worth::less(value)))?;
        }
        let (text, written) = (self.facts.boards.part(part)?.1, self.writer.value(value, &self.kernel)?);
        self.writer.line(&format!("V {text} {written} ; LR"))?;
        self.facts.has_value(part, value, self.writer.lines)?;
        Ok(())
    }

    fn value_by_options(&mut self, part: Part) -> Result<(), ProofError> {
        let (key, text) = self.facts.boards.part(part)?;
        let (mut reasons, mut sides) = (vec![], [vec![], vec![]]);
        for (side, who) in sides.iter_mut().zip(Player::BOTH) {
            // What is planned is valued before anything is compared with it.
            let mut open = vec![];
            for (_, option) in self.facts.boards.sorted(&key, who)? {
                self.kernel.work(1)?;
                let sum = self.sum(&[option], Value::ZERO.into())?;
                if sum.parts.is_empty() {
                    self.insert(sum.worth.value, who, side)?;
                }
                open.push(sum);
            }
            for sum in open {
                reasons.push(if sum.parts.is_empty() { "=".into() } else { self.refuted(&sum, who, side)? });
            }
        }
        let value = self.kernel.from_options(&sides[0], &sides[1])?;
        let written = self.writer.value(value, &self.kernel)?;
        self.writer.line(&format!("V {text} {written} ; {}", reasons.join(" ")))?;
        self.facts.has_value(part, value, self.writer.lines)?;
        Ok(())
    }

    /// One of these values, with the proof that an option is no better.
    fn refuted(&mut self, option: &Sum, who: Player, rivals: &mut [Value]) -> Result<String, ProofError> {
        let keys = self.facts.boards.keys(&option.parts)?;
        for is_lost in [Self::is_known_lost, Self::search] {
            for at in 0..rivals.len() {
                let rival = rivals[at];
                let sum = Sum { parts: option.parts.clone(), worth: Worth { less: rival, ..option.worth } };
                if self.facts.is_lost(who, &sum, &self.kernel)? || is_lost(self, who, &keys, sum.worth)? {
                    deeper(|| self.lose(who, &sum))?;
                    rivals[..=at].rotate_right(1);
                    return Ok(self.writer.value(rival, &self.kernel)? + &self.hint(who, &sum)?);
                }
            }
        }
        Err(ProofError::NotTrue(format!("{} is the best option of {who}", self.named(&keys, option.worth)?)))
    }
}
