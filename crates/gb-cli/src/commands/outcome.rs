//! `gamebench outcome`: who wins a position.

use std::time::Instant;

use clap::Args;
use gb_engine::Engine;
use gb_engine::report;
use gb_value::loopy::Ending;
use gb_value::{Cancel, Halt, Player};
use serde::Serialize;

use super::ask::Ask;
use crate::errors::{Failure, is_limit};
use crate::output;
use crate::progress::with_progress;

/// Who wins, found without computing values unless they help
///
/// The classes are L (Left wins), R (Right wins), N (who begins wins) and P (who begins loses). Where play can go on for ever, which is a
/// draw, there are also D (a draw), N-hat and N-check (Left, or Right, wins if she or he begins, otherwise a draw), P-hat and P-check
/// (Left, or Right, wins if the other begins, otherwise a draw).
///
/// Sums of different games, and of values, are asked about as they are analysed: `gamebench outcome clobber 'xoxo + domineering 3x3 + ^'`.
#[derive(Args)]
pub struct Outcome {
    #[command(flatten)]
    ask: Ask,
}

/// An outcome as JSON, with `Left`, `Right` or `Draw` for either player beginning; what is not known is null.
#[derive(Serialize)]
struct JsonOutcome<'a> {
    game: &'a str,
    position: &'a str,
    outcome: Option<String>,
    left_first: Option<String>,
    right_first: Option<String>,
    /// In games that end in a score: what best play ends with.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_first_score: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right_first_score: Option<String>,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

impl Outcome {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        self.ask.each(|engine, cancel, position| self.one(engine, cancel, position))
    }

    fn one(&self, engine: &Engine, cancel: &Cancel, position: &str) -> Result<(), Failure> {
        let budget = self.ask.limits.budget(None).with_cancel(cancel.clone());
        let start = Instant::now();
        let answer = with_progress(&budget, |_| engine.winners(&self.ask.game, position, &budget));
        let answer = answer.map_err(Failure::input)?;
        let Some(winners) = answer.winners else { return Ok(()) };
        let seconds = start.elapsed().as_secs_f64();
        let name = |ending: Result<Ending, Halt>| ending.map(|e| e.to_string()).ok();
        let score = |first| answer.scores.as_ref()?.first(first).as_ref().ok().map(|score| score.to_string());
        let halted = winners.outcome().is_err_and(is_limit);
        let done = if halted { Err(Failure::Halted) } else { Ok(()) };
        if self.ask.format.json {
            output::json(&JsonOutcome {
                game: &answer.game,
                position: &answer.position,
                outcome: winners.outcome().map(|o| o.to_string()).ok(),
                left_first: name(winners.left_first),
                right_first: name(winners.right_first),
                left_first_score: score(Player::Left),
                right_first_score: score(Player::Right),
                nodes: winners.nodes,
                seconds,
                stopped: winners.outcome().err().map(|stop| stop.to_string()),
            })?;
            return done;
        }
        output::line(&format!("{} {}", answer.game, answer.position))?;
        output::line(&format!("  {}", report::winners_text(&winners)))?;
        if let Some(scores) = &answer.scores {
            for first in Player::BOTH {
                output::line(&format!("  {}", report::score_sentence(scores, first)))?;
            }
        }
        if let Some(remark) = self.ask.limits.remark(winners.outcome().err()) {
            output::line(&format!("  {remark}"))?;
        }
        output::line(&format!("  {} nodes, {seconds:.3} s", winners.nodes))?;
        done
    }
}
