//! `gamebench outcome`: who wins a position.

use std::time::Instant;

use clap::Args;
use gb_engine::Engine;
use gb_engine::report;
use gb_value::loopy::Ending;
use gb_value::{Cancel, Player};
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
    /// Find only who wins if this player begins: left or right
    #[arg(long, value_name = "PLAYER", value_parser = ["left", "right"])]
    first: Option<String>,
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
        let first =
            self.first.as_deref().map(|name| if name == "left" { Player::Left } else { Player::Right });
        let answer = with_progress(&budget, |_| match first {
            Some(first) => engine.ending(&self.ask.game, position, first, &budget),
            None => engine.winners(&self.ask.game, position, &budget),
        });
        let answer = answer.map_err(Failure::input)?;
        let Some(winners) = answer.winners else { return Ok(()) };
        // What is not asked for is not told, even where it was found on the way.
        let asked = |who: Player| first.is_none_or(|first| first == who);
        let stop = match first {
            Some(first) => winners.ending(first).err(),
            None => winners.outcome().err(),
        };
        let seconds = start.elapsed().as_secs_f64();
        let name = |who| winners.ending(who).map(|e: Ending| e.to_string()).ok().filter(|_| asked(who));
        let score = |who| {
            let scores = answer.scores.as_ref().filter(|_| asked(who))?;
            scores.first(who).as_ref().ok().map(|score| score.to_string())
        };
        let halted = stop.is_some_and(is_limit);
        let done = if halted { Err(Failure::Halted) } else { Ok(()) };
        if self.ask.format.json {
            output::json(&JsonOutcome {
                game: &answer.game,
                position: &answer.position,
                outcome: winners.outcome().map(|o| o.to_string()).ok().filter(|_| first.is_none()),
                left_first: name(Player::Left),
                right_first: name(Player::Right),
                left_first_score: score(Player::Left),
                right_first_score: score(Player::Right),
                nodes: winners.nodes,
                seconds,
                stopped: stop.map(|stop| stop.to_string()),
            })?;
            return done;
        }
        output::line(&format!("{} {}", answer.game, answer.position))?;
        let text = match first {
            Some(first) => report::first_text(&winners, first),
            None => report::winners_text(&winners),
        };
        output::line(&format!("  {text}"))?;
        if let Some(scores) = &answer.scores {
            for who in Player::BOTH.into_iter().filter(|who| asked(*who)) {
                output::line(&format!("  {}", report::score_sentence(scores, who)))?;
            }
        }
        if let Some(remark) = self.ask.limits.remark(stop) {
            output::line(&format!("  {remark}"))?;
        }
        output::line(&format!("  {} nodes, {seconds:.3} s", winners.nodes))?;
        done
    }
}
