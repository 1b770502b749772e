//! "Why does this move win?": a game that is played against a proof, move by move to its end.

use gb_proof::{Answer, Claim, ProofError, Reason, Replay, read};
use gb_rules::{Player, Position};
use gb_value::{Budget, Kernel, Value};

use crate::engine::Engine;
use crate::error::EngineError;
use crate::proofs::{Goal, Summed, open_head};

/// A game that is played against a proof. The winner makes the moves of the proof.
pub struct Explanation {
    summed: Summed,
    replay: Replay,
    lines: u64,
    to_move: Player,
    loser: Player,
}

/// Where a move is made in a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the position with this number.
    Position(usize),
    /// In the value beside them.
    Value,
}

/// A move of the proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    /// Where it was made.
    pub place: Place,
    /// Its text, or the value that it leaves.
    pub mv: String,
    /// Why the opponent, who is to move now, loses.
    pub reason: Reason,
}

impl Explanation {
    /// The positions that are left.
    pub fn positions(&self) -> &[Position] {
        &self.summed.positions
    }

    /// The value beside them.
    pub fn value(&self) -> Value {
        self.summed.value
    }

    /// How many lines the proof has.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Who is to move.
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// Who loses, whatever he does.
    pub fn loser(&self) -> Player {
        self.loser
    }

    /// Whether the winner has won everywhere, which the loser's own move may bring about.
    pub fn is_won(&self) -> bool {
        self.summed.positions.iter().any(|position| position.global_win() == Some(self.loser.opponent()))
    }

    /// Why the player who is to move loses, if he does.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn why_lost(&mut self, kernel: &Kernel<'_>) -> Result<Option<Reason>, EngineError> {
        Ok(self.replay.why_lost(self.to_move, &self.summed.texts(), self.summed.value, kernel)?)
    }

    /// Lets the loser move.
    ///
    /// # Errors
    /// If he has no such move.
    pub fn play(&mut self, place: Place, text: &str, kernel: &Kernel<'_>) -> Result<(), EngineError> {
        let none = |what: String| EngineError::Summand(what);
        match place {
            Place::Position(at) => {
                let position = self.summed.positions.get_mut(at);
                let position = position.ok_or_else(|| none("there is no such position".into()))?;
                let after = position.play(self.to_move, text);
                *position = after.map_err(|error| none(error.to_string()))?;
            }
            Place::Value => {
                let moves = self.value_moves(kernel)?;
                let found = moves.iter().find(|(name, _)| name == text.trim());
                let names: Vec<&str> = moves.iter().map(|(name, _)| name.as_str()).collect();
                self.summed.value = found.map(|found| found.1).ok_or_else(|| {
                    none(format!(
                        "`{}` is no move in the value: expected one of {}",
                        text.trim(),
                        names.join(", ")
                    ))
                })?;
            }
        }
        self.to_move = self.to_move.opponent();
        Ok(())
    }

    /// What the player who is to move can make of the value.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn value_moves(&self, kernel: &Kernel<'_>) -> Result<Vec<(String, Value)>, EngineError> {
        let halted = |halt| EngineError::from(ProofError::Halt(halt));
        let mut moves = vec![];
        for option in kernel.options(self.summed.value, self.to_move) {
            kernel.work(1).map_err(halted)?;
            moves.push((kernel.show(option, &Default::default()).map_err(halted)?.to_string(), option));
        }
        Ok(moves)
    }

    /// A reason in a sentence: why the loser, who is to move, loses.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn sentence(&self, reason: &Reason, kernel: &Kernel<'_>) -> Result<String, EngineError> {
        let loser = self.loser;
        Ok(match reason {
            Reason::Line { line, sum, is_better } => {
                let worse =
                    if *is_better { format!(", and this is no better for {loser}") } else { String::new() };
                format!("{loser}, to move, loses {sum} (line {line}){worse}")
            }
            Reason::Values { lines, total } => {
                let relation = if loser == Player::Left { "at most" } else { "at least" };
                let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
                let source = match &lines[..] {
                    [] => String::new(),
                    [line] => format!(" (line {line})"),
                    lines => format!(" (lines {})", lines.join(", ")),
                };
                let halted = |halt| EngineError::from(ProofError::Halt(halt));
                let total = kernel.show(*total, &Default::default()).map_err(halted)?.to_string();
                let worth = if total == "0" { total } else { format!("{total}, {relation} 0") };
                format!("what is left is worth {worth}{source}, and {loser} is to move")
            }
        })
    }

    /// Lets the proof move for the winner.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn answer(&mut self, kernel: &Kernel<'_>) -> Result<Option<Explained>, EngineError> {
        let texts = self.summed.texts();
        let Some((answer, reason)) = self.replay.answer(self.loser, &texts, self.summed.value, kernel)?
        else {
            return Ok(None);
        };
        let winner = self.loser.opponent();
        let explained = match answer {
            Answer::Board(at, after) => {
                let position = &self.summed.positions[at];
                let mut moves = position.moves(winner, usize::MAX).into_iter();
                let made = moves.find(|choice| self.summed.text(position.info(), &choice.result) == after);
                let Some(made) = made else { return Ok(None) };
                let moved = position.play(winner, &made.text);
                self.summed.positions[at] = moved.map_err(|error| EngineError::Summand(error.to_string()))?;
                Explained { place: Place::Position(at), mv: made.text, reason }
            }
            Answer::Value(after) => {
                self.summed.value = after;
                let halted = |halt| EngineError::from(ProofError::Halt(halt));
                let mv = kernel.show(after, &Default::default()).map_err(halted)?.to_string();
                Explained { place: Place::Value, mv, reason }
            }
        };
        self.to_move = self.loser;
        Ok(Some(explained))
    }
}

impl Engine {
    /// Proves who wins a sum as it is typed, checks the proof, and keeps it, so that any line can be played against it.
    ///
    /// # Errors
    /// If the text is no sum, or the search is stopped.
    pub fn explain(&self, text: &str, first: Player, budget: &Budget) -> Result<Explanation, EngineError> {
        let mut certificate = vec![];
        self.prove(text, &Goal::Outcome, budget, &mut certificate, None)?;
        let (checked, replay) = read(&certificate[..], &open_head, &self.store.kernel(budget))?;
        if let Some(claim) = checked.claims.iter().find(|claim| matches!(claim, Claim::Draws { .. })) {
            return Err(EngineError::Summand(format!("there is no winner to play as: {claim}")));
        }
        let summed = self.summed(text, budget)?;
        let mut explanation =
            Explanation { summed, replay, lines: checked.lines, to_move: first, loser: first };
        if explanation.why_lost(&self.store.kernel(budget))?.is_none() {
            explanation.loser = first.opponent();
        }
        Ok(explanation)
    }
}
