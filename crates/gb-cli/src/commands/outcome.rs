//! `gamebench outcome`: who wins a position.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use gb_engine::{Answer, Engine, LongSearch, report};
use gb_search::question::outcome::Winners;
use gb_value::loopy::Ending;
use gb_value::{Budget, Cancel, Halt, Player};
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
    /// Keep what the search finds in this file, written every minute and at the end: the same command goes on from there
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// How often what was found is saved at most.
const BETWEEN_SAVES: Duration = Duration::from_secs(60);
/// How long a search goes on before it is asked whether to save.
const SLICE: Duration = Duration::from_secs(5);

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
        if self.save.is_some() && self.ask.is_many() {
            return Err(Failure::usage("--save is for one position, and - reads many"));
        }
        self.ask.each(|engine, cancel, position| self.one(engine, cancel, position))
    }

    fn one(&self, engine: &Engine, cancel: &Cancel, position: &str) -> Result<(), Failure> {
        let budget = self.ask.limits.budget(None).with_cancel(cancel.clone());
        let start = Instant::now();
        let first =
            self.first.as_deref().map(|name| if name == "left" { Player::Left } else { Player::Right });
        let answer = with_progress(&budget, |_| match (&self.save, first) {
            (Some(path), first) => self.saved(engine, position, first, path, &budget),
            (None, Some(first)) => {
                engine.ending(&self.ask.game, position, first, &budget).map_err(Failure::input)
            }
            (None, None) => engine.winners(&self.ask.game, position, &budget).map_err(Failure::input),
        })?;
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

    /// Searches from what is in the file on, and writes what is found there.
    fn saved(
        &self,
        engine: &Engine,
        position: &str,
        first: Option<Player>,
        path: &Path,
        budget: &Budget,
    ) -> Result<Answer, Failure> {
        let mut search = engine.long_search(&self.ask.game, position, budget).map_err(Failure::input)?;
        match File::open(path) {
            Ok(mut file) => {
                let loaded = search.load(&mut file, budget);
                loaded.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::file("reading", path, error)),
        }
        let write = |search: &LongSearch<'_>| {
            gb_record::files::write_with(path, |out| search.save(out))
                .map_err(|error| Failure::file("writing", path, error))
        };
        // A file that cannot be written is an error now, and not after hours.
        write(&search)?;
        let (mut since, mut pause) = (Instant::now(), BETWEEN_SAVES);
        let winners = loop {
            let slice = budget.part_of_time(SLICE);
            let found = search.go_on(first, &slice);
            let spent = budget.spend(slice.nodes(), 0);
            let found = Winners { nodes: budget.nodes(), ..found };
            let stopped = first.map_or_else(|| found.outcome().err(), |first| found.ending(first).err());
            if stopped != Some(Halt::Time) || spent.is_err() {
                break found;
            }
            if since.elapsed() >= pause {
                let begun = Instant::now();
                write(&search)?;
                // A large table takes a while to write: a small share of the time is enough.
                pause = BETWEEN_SAVES.max(20 * begun.elapsed());
                since = Instant::now();
            }
        };
        write(&search)?;
        Ok(Answer {
            game: search.game.clone(),
            position: search.position.clone(),
            winners: Some(winners),
            ..Answer::default()
        })
    }
}
