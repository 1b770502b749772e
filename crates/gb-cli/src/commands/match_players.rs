//! The part of `gamebench match` for players of whole games.

use gb_board::nearest;
use gb_engine::picture::curves;
use gb_play::matches::{Contest, Played, Record, Sprt, Tally, Verdict};
use gb_play::{Limits, PLAYER_KINDS, Spec, Timing, is_player};
use serde::Serialize;

use super::sum_match::{JsonResult, Log, Match, read_records};
use crate::errors::Failure;
use crate::output;

#[derive(Serialize)]
struct JsonShare {
    share: f64,
    error: f64,
}

#[derive(Serialize)]
struct JsonSummary {
    #[serde(flatten)]
    result: JsonResult,
    first: JsonShare,
    second: JsonShare,
    total: JsonShare,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<&'static str>,
}

/// The two players, if the names are those of players and not of strategies.
pub(super) fn players(a: &str, b: &str) -> Result<Option<[Spec; 2]>, Failure> {
    match (is_player(a), is_player(b)) {
        (false, false) => Ok(None),
        (true, true) => {
            let read = |text: &str| text.parse::<Spec>().map_err(|error| Failure::Usage(error.to_string()));
            Ok(Some([read(a)?, read(b)?]))
        }
        (first, _) => {
            let (player, other) = if first { (a, b) } else { (b, a) };
            let near = nearest(other, PLAYER_KINDS.iter().map(|(name, _)| *name));
            let hint = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            Err(Failure::Usage(format!(
                "`{player}` plays whole games and `{other}` does not: a match needs two of one kind{hint}"
            )))
        }
    }
}

/// Plays the match.
pub(super) fn run(command: &Match, players: [Spec; 2]) -> Result<(), Failure> {
    let Some(game) = &command.game else {
        return Err(Failure::Usage("players of whole games need a --game".into()));
    };
    let sprt = command.sprt.as_deref().map(Sprt::read).transpose();
    let sprt = sprt.map_err(|error| Failure::Usage(format!("--sprt {error}")))?;
    let mut starts = command.start.clone();
    starts.extend(command.position.iter().cloned());
    if starts.is_empty() {
        let usual = crate::game_files::engine(1).games().usual_start(game).map_err(Failure::input)?;
        starts.push(usual.show());
    }
    let records = match &command.csv {
        Some(path) => read_records(path)?,
        None => vec![],
    };
    let contest = Contest {
        game: game.clone(),
        starts,
        random_moves: command.random_moves,
        players,
        limits: limits(command)?,
        games: 2 * command.starts,
        seed: command.seed,
        at_a_time: command.threads.unwrap_or(1),
        sprt,
        done: records.iter().map(|record| record.pairing).collect(),
    };
    let (played, records) = play(command, &contest, records)?;
    if let Some(path) = &command.rates {
        crate::files::write(path, rates(&played, &players).as_bytes())?;
    }
    let tally = Tally::of(&records);
    let (won, drawn, lost) = tally.all();
    let verdict = sprt.map(|test| match test.verdict(won, drawn, lost) {
        Verdict::Open => "open",
        Verdict::Low => "low",
        Verdict::High => "high",
    });
    let names = players.map(|spec| spec.to_string());
    if command.json {
        let [first, second, total] =
            tally.shares().map(|interval| JsonShare { share: interval.mean, error: interval.error });
        let result = JsonResult::new(names, &tally);
        output::json(&JsonSummary { result, first, second, total, sprt: verdict })?;
        return Ok(());
    }
    output::line(&tally.table([&names[0], &names[1]]))?;
    if let Some(verdict) = verdict {
        output::line(&format!("sequential test of {}: {verdict}", command.sprt.as_deref().unwrap_or("")))?;
    }
    Ok(())
}

fn limits(command: &Match) -> Result<Limits, Failure> {
    let usual = Limits::default();
    if command.limits.time.is_some_and(|time| time.is_zero()) || command.limits.nodes == Some(0) {
        return Err(Failure::Usage("a limit of zero: a player needs some time, such as --time 100ms".into()));
    }
    let time = match (command.limits.time, command.limits.nodes) {
        (None, Some(_)) => None,
        (time, _) => time.or(usual.time),
    };
    let bytes = command.limits.memory.unwrap_or(usual.bytes);
    let timing = if command.processor_time { Timing::Processor } else { Timing::Wall };
    Ok(Limits { time, timing, nodes: command.limits.nodes, bytes, ..usual })
}

/// The games of this run, and all records with those of earlier runs.
fn play(
    command: &Match,
    contest: &Contest,
    mut records: Vec<Record>,
) -> Result<(Vec<Played>, Vec<Record>), Failure> {
    let (engine, log) = (command.databases.engine()?, Log::new(command)?);
    let played = contest.run(&engine, &log.cancel, &|game: &Played| log.write(&game.record));
    log.end()?;
    let played = played.map_err(Failure::input)?;
    records.extend(played.iter().map(|game| game.record.clone()));
    Ok((played, records))
}

/// Playouts or nodes a second by move number, averaged over the games, as a picture.
fn rates(played: &[Played], players: &[Spec; 2]) -> String {
    let longest = played.iter().map(|game| game.moves.len()).max().unwrap_or(0);
    let mut series: Vec<curves::Curve> = vec![];
    for (index, spec) in players.iter().enumerate() {
        let mut points = vec![];
        for number in 0..longest {
            let here =
                played.iter().filter_map(|game| game.moves.get(number)).filter(|(who, ..)| *who == index);
            // Moves that were known before any search say nothing about speed.
            let searched = here.filter(|(_, nodes, _)| *nodes > 0);
            let (nodes, micros) = searched.fold((0, 0), |sum, (_, n, t)| (sum.0 + n, sum.1 + t));
            if micros > 0 {
                points.push((number as f64 + 1.0, 1e6 * nodes as f64 / micros as f64));
            }
        }
        let name =
            if index == 1 && players[0] == players[1] { format!("{spec} (B)") } else { spec.to_string() };
        series.push(curves::Curve { name, points });
    }
    curves::svg(&series, "move", "playouts or nodes a second")
}
