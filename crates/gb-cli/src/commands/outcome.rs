//! `gamebench outcome`: who wins a position.

use std::time::Instant;

use clap::Args;
use gb_desk::Desk;
use gb_local::question::outcome::Winners;
use gb_value::{Cancel, Player, Stop};
use gb_view::report;
use serde::Serialize;

use crate::databases::Databases;
use crate::errors::{Failure, is_limit};
use crate::input::for_each_input;
use crate::limits::{Limits, Threads, interrupt};
use crate::output::{self, Format};
use crate::progress::with_progress;

/// Who wins, found without computing values unless they help
#[derive(Args)]
pub struct Outcome {
    /// The game, such as clobber, or octal(0.77)
    game: String,
    /// The position as text, or a size such as 4x4; `-` reads positions from standard input
    #[arg(required = true)]
    position: Vec<String>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    databases: Databases,
    #[command(flatten)]
    format: Format,
}

/// An outcome as JSON; what is not known is null.
#[derive(Serialize)]
struct JsonOutcome<'a> {
    game: &'a str,
    position: &'a str,
    outcome: Option<String>,
    left_first: Option<String>,
    right_first: Option<String>,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

impl Outcome {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let (desk, cancel) = (self.databases.desk(&self.threads), interrupt());
        for_each_input(&self.position.join(" "), self.format.json, |position| {
            self.one(&desk, &cancel, position)
        })
    }

    fn one(&self, desk: &Desk, cancel: &Cancel, position: &str) -> Result<(), Failure> {
        let budget = self.limits.budget(None).with_cancel(cancel.clone());
        let start = Instant::now();
        let answer = with_progress(&budget, |_| desk.winners(&self.game, position, &budget));
        let answer = answer.map_err(Failure::Input)?;
        let Some(winners) = answer.winners else { return Ok(()) };
        let seconds = start.elapsed().as_secs_f64();
        let name = |player: Result<Player, Stop>| player.map(|p| p.to_string()).ok();
        let halted = winners.outcome().is_err_and(is_limit);
        let done = if halted { Err(Failure::Halted) } else { Ok(()) };
        if self.format.json {
            output::json(&JsonOutcome {
                game: &answer.game,
                position: &answer.position,
                outcome: winners.outcome().map(|o| o.to_string()).ok(),
                left_first: name(winners.left_first),
                right_first: name(winners.right_first),
                nodes: winners.nodes,
                seconds,
                stopped: winners.outcome().err().map(|stop| stop.to_string()),
            })?;
            return done;
        }
        output::line(&format!("{} {}", answer.game, answer.position))?;
        output::line(&format!("  {}", winners_text(&winners)))?;
        output::line(&format!("  {} nodes, {seconds:.3} s", winners.nodes))?;
        done
    }
}

/// Who wins, as far as it is known.
pub fn winners_text(winners: &Winners) -> String {
    if let Ok(outcome) = winners.outcome() {
        return format!("{outcome}: {}", report::outcome_sentence(outcome));
    }
    let side = |first: Player, winner: Result<Player, Stop>| match winner {
        Ok(winner) => format!("{first} first: {winner} wins"),
        Err(stop) => format!("{first} first: unknown ({stop})"),
    };
    format!("{}; {}", side(Player::Left, winners.left_first), side(Player::Right, winners.right_first))
}
