//! Plays endgames out against GNU Go, each position with either colour:
//!
//!     match_gnugo [--size 13] [--areas 7] [--generated N] [--corpus FOLDER --cuts 10,20 [--strewn N] [--proven]] [--seconds 2]
//!       [--log FILE] [FILE.sgf..]
//!
//! `--size` and `--areas` are for the `--generated` positions after them; `--corpus` is a folder of records (see
//! scripts/go-corpus.py), which are played on from so many moves before their ends. `--strewn` adds N positions for each of these, after
//! one to three moves at random, which have to be answered or punished. `--proven` leaves out positions without a proven score. Prints the predicted and the actual
//! score of each game, positive for Black, and what was gained. Games that `--log` has already are not played again. Ends
//! with an error if a game was below a proven prediction; a prediction that is only likely promises nothing.

use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use gb_board::Xorshift;
use gb_go::gtp::Session;
use gb_go::{Game, KoRule, Move, Rival, Settings, Wanted, analyse, endgame, likely, sgf};
use gb_value::{Budget, Dyadic, Player, Store};

/// Areas as large as this are hard for people, too.
const POINTS: (usize, usize) = (3, 8);

/// A position to be played out.
struct Start {
    group: String,
    name: String,
    game: Game,
    /// Whether it came up in a game, so that positions near it are of interest.
    is_record: bool,
}

/// All games from positions of one kind.
#[derive(Default)]
struct Row {
    games: usize,
    gained: i64,
    above: usize,
    below: usize,
    unfinished: usize,
}

fn generated(count: usize, size: usize, areas: usize) -> Vec<Start> {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let wanted = Wanted { size, areas, points: POINTS };
    (1..)
        .filter_map(|seed| {
            let game = endgame(&kernel, seed, wanted)?;
            let group = format!("generated {size}x{size}");
            Some(Start { name: format!("{group}, {areas} areas, {seed}"), group, game, is_record: false })
        })
        .take(count)
        .collect()
}

fn cut_records(folder: &str, cuts: &[usize]) -> Result<Vec<Start>, Box<dyn Error>> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|e| e == "sgf"));
    files.sort();
    let mut found = vec![];
    for path in files {
        let text = std::fs::read_to_string(&path)?;
        let moves: Vec<&str> =
            text.split(';').filter(|m| m.starts_with("B[") || m.starts_with("W[")).collect();
        let stones = moves.len() - moves.iter().rev().take_while(|m| m[1..].starts_with("[]")).count();
        for &cut in cuts.iter().filter(|&&cut| cut < stones) {
            let game = sgf::read(&text, KoRule::Simple, (cut > 0).then(|| stones - cut + 1))?;
            let group = format!("records {0}x{0}, {cut} before the end", game.board.size());
            let name = format!("{}, {cut}", path.file_stem().unwrap_or_default().to_string_lossy());
            found.push(Start { group, name, game, is_record: true });
        }
    }
    Ok(found)
}

/// Positions after one to three moves at random, none of which fills an own eye.
fn strewn(start: &Start, count: usize) -> Vec<Start> {
    let mut random = Xorshift(0x5EED_0081 + start.name.bytes().map(u64::from).sum::<u64>());
    let mut found = vec![];
    for number in 1..=count {
        let mut game = start.game.clone();
        for _ in 0..1 + number % 3 {
            let (player, board) = (game.to_play, game.board.clone());
            let is_eye = |p: u16| board.neighbours(p).all(|n| board.at(n) == Some(player));
            let points: Vec<u16> =
                board.points().filter(|&p| game.is_legal(player, p) && !is_eye(p)).collect();
            if points.is_empty() {
                break;
            }
            // The point is legal.
            _ = game.play(player, Move::Stone(points[random.below(points.len())]));
        }
        let group = format!("records {0}x{0}, and random moves", game.board.size());
        let name = format!("{}, strewn {number}", start.name);
        found.push(Start { group, name, game, is_record: false });
    }
    found
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (mut starts, mut folder, mut log) = (vec![], None, None);
    let (mut more, mut only_proven) = (0, false);
    let (mut size, mut areas, mut cuts, mut seconds) = (13, 7, vec![10], None);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or(format!("{word}: expected a value"));
        match word.as_str() {
            "--size" => size = next()?.parse()?,
            "--areas" => areas = next()?.parse()?,
            "--generated" => starts.extend(generated(next()?.parse()?, size, areas)),
            "--corpus" => folder = Some(next()?),
            "--cuts" => cuts = next()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--strewn" => more = next()?.parse()?,
            "--proven" => only_proven = true,
            "--seconds" => seconds = Some(next()?.parse::<f64>()?),
            "--log" => log = Some(next()?),
            path => {
                let game = sgf::read(&std::fs::read_to_string(path)?, KoRule::Simple, None)?;
                starts.push(Start { group: "files".into(), name: path.into(), game, is_record: false });
            }
        }
    }
    if let Some(folder) = folder {
        starts.extend(cut_records(&folder, &cuts)?);
    }
    // A line of the log: name, ours, group, proven or likely, predicted, result or why there is none.
    let done = log.as_ref().map(|path| std::fs::read_to_string(path).unwrap_or_default()).unwrap_or_default();
    let mut lines: BTreeMap<(String, String), String> = BTreeMap::new();
    let key = |line: &str| {
        line.split_once('\t').and_then(|(a, rest)| Some((a.into(), rest.split_once('\t')?.0.into())))
    };
    for line in done.lines() {
        lines.extend(key(line).map(|key| (key, line.to_owned())));
    }
    let (mut tried, mut left_out) = (0, 0);
    let mut queue: VecDeque<Start> = starts.into();
    while let Some(start) = queue.pop_front() {
        let is_done = |ours| lines.contains_key(&(start.name.clone(), colour(ours).into()));
        let games = play(&start, seconds, only_proven, is_done);
        tried += 1;
        left_out += usize::from(games.is_none());
        if games.is_some() && start.is_record {
            strewn(&start, more).into_iter().rev().for_each(|near| queue.push_front(near));
        }
        for line in games.into_iter().flatten() {
            println!("{line}");
            if let Some(path) = &log {
                writeln!(OpenOptions::new().create(true).append(true).open(path)?, "{line}")?;
            }
            lines.extend(key(&line).map(|key| (key, line)));
        }
    }
    println!("{left_out} of {tried} positions were left out, because they are not decided.");
    Ok(if report(lines.values()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Plays a position out with either colour, unless that was done before; `None` if it has no proven score, and needs one.
fn play(
    start: &Start,
    seconds: Option<f64>,
    only_proven: bool,
    is_done: impl Fn(Player) -> bool,
) -> Option<Vec<String>> {
    let missing: Vec<Player> = Player::BOTH.into_iter().filter(|&ours| !is_done(ours)).collect();
    if missing.is_empty() {
        return Some(vec![]);
    }
    let game = &start.game;
    let limited = || match seconds {
        Some(seconds) => Budget::unlimited().with_time(Duration::from_secs_f64(seconds)).with_bytes(1 << 30),
        None => Budget::unlimited(),
    };
    let (store, budget, settings) = (Store::new(), limited(), Settings::default());
    let proven = analyse(&store.kernel(&budget), game, &settings);
    let (sure, score) = match proven.score {
        Some(score) => ("proven", Some(score)),
        None if only_proven => return None,
        None => {
            let budget = limited();
            ("likely", likely(&store.kernel(&budget), game, &settings, &proven).score)
        }
    };
    let predicted = score.map(|score| score[game.to_play as usize].clone());
    let mut lines = vec![];
    for ours in missing {
        let budget = match seconds {
            // As `gamebench gtp` has it.
            Some(_) => || Budget::unlimited().with_time(Duration::from_secs(10)).with_bytes(1 << 30),
            None => Budget::unlimited,
        };
        let mut session = Session::new(settings.clone(), KoRule::Simple, budget);
        let result = Rival::gnugo().map_err(Into::into).and_then(|mut r| match sure {
            "proven" => r.play(game, &mut session, ours),
            _ => r.play_and_count(game, &mut session, ours),
        });
        let result = result.map_or_else(|error| error.to_string(), |score| score.to_string());
        let predicted = predicted.as_ref().map_or("nothing".into(), Dyadic::to_string);
        let words = [&start.name, colour(ours), &start.group, sure, &predicted, &result];
        lines.push(words.join("\t"));
    }
    Some(lines)
}

/// Prints how the games ended; returns whether none was below a proven prediction, and all had an end.
fn report<'a>(lines: impl Iterator<Item = &'a String>) -> bool {
    let mut rows: BTreeMap<(&str, &str), Row> = BTreeMap::new();
    for line in lines {
        let [_, ours, group, sure, predicted, result] = line.split('\t').collect::<Vec<_>>()[..] else {
            continue;
        };
        let row = rows.entry((group, sure)).or_default();
        let (Ok(predicted), Ok(result)) = (predicted.parse::<i64>(), result.parse::<i64>()) else {
            row.unfinished += 1;
            continue;
        };
        let gained = if ours == "Black" { result - predicted } else { predicted - result };
        row.games += 1;
        row.gained += gained;
        row.above += usize::from(gained > 0);
        row.below += usize::from(gained < 0);
    }
    println!(
        "| positions | prediction | games | better | as predicted | below | points gained | without a result |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    for ((group, sure), Row { games, gained, above, below, unfinished }) in &rows {
        let equal = games - above - below;
        println!("| {group} | {sure} | {games} | {above} | {equal} | {below} | {gained} | {unfinished} |");
    }
    rows.iter().all(|((_, sure), row)| *sure != "proven" || row.below + row.unfinished == 0)
}

fn colour(player: Player) -> &'static str {
    if player == Player::Left { "Black" } else { "White" }
}
