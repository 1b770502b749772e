//! How much of real games is decided: every record of a folder (see scripts/go-corpus.py), cut some moves before its end.
//!
//!     cargo run --release -p gb-go --example corpus -- FOLDER [--cuts 0,10,20,30] [--seconds 10] [--size 9] [--show] [--why]
//!       [--proof-nodes 60000] [--max-proof 32]
//!
//! A position is decided exactly if it has a score, in part if something but not all of it is known (an area with a value, or
//! a territory), and not at all else. Finished games (cut 0) are compared with the count of the program that played them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gb_go::{KoRule, LocalFailure, Report, Settings, analyse, likely, sgf};
use gb_value::{Budget, Dyadic, Player, Store};

#[derive(Default)]
struct Row {
    positions: usize,
    exact: usize,
    part: usize,
    agree: usize,
    likely: usize,
    likely_agree: usize,
    off: Vec<f64>,
    settled: f64,
    seconds: Vec<f64>,
}

/// `B+5.0`, `W+12.0`, `0`, `Jigo`, positive for Black.
fn counted(text: &str) -> Option<i64> {
    let from = text.find("RE[")? + 3;
    let result = &text[from..from + text[from..].find(']')?];
    let points = |s: &str| s.trim_start_matches('+').parse::<f64>().ok().map(|x| x as i64);
    match result.chars().next()? {
        'B' => points(&result[1..]),
        'W' => points(&result[1..]).map(|x| -x),
        _ => Some(0),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or("expected a folder")?;
    let (mut cuts, mut seconds, mut size) = (vec![0, 10, 20, 30], 10.0, None);
    let (mut show, mut why) = (false, false);
    let mut settings = Settings::default();
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or("expected a value");
        match word.as_str() {
            "--cuts" => cuts = next()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--seconds" => seconds = next()?.parse()?,
            "--size" => size = Some(next()?.parse::<usize>()?),
            "--proof-nodes" => settings.effort.search_nodes = next()?.parse()?,
            "--max-proof" => settings.effort.search_empties = next()?.parse()?,
            "--show" => show = true,
            "--why" => why = true,
            other => return Err(format!("unknown option {other}").into()),
        }
    }
    let mut files: Vec<_> =
        std::fs::read_dir(&folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|e| e == "sgf"));
    files.sort();
    let mut rows: BTreeMap<(usize, usize), Row> = BTreeMap::new();
    for path in files {
        let text = std::fs::read_to_string(&path)?;
        let is_pass = |m: &&str| m.starts_with("B[]") || m.starts_with("W[]");
        let moves: Vec<&str> =
            text.split(';').filter(|m| m.starts_with("B[") || m.starts_with("W[")).collect();
        let passes = moves.iter().rev().take_while(|m| is_pass(m)).count();
        let stones = moves.len() - passes;
        for &cut in cuts.iter().filter(|&&cut| cut < stones) {
            let before = if cut == 0 { None } else { Some(stones - cut + 1) };
            let game = sgf::read(&text, KoRule::Simple, before)?;
            if size.is_some_and(|size| size != game.board.size()) {
                continue;
            }
            let (store, start) = (Store::new(), Instant::now());
            let budget = Budget::unlimited().with_time(Duration::from_secs_f64(seconds)).with_bytes(2 << 30);
            let kernel = store.kernel(&budget);
            let analysis = analyse(&kernel, &game, &settings);
            let took = start.elapsed().as_secs_f64();
            let more = Budget::unlimited().with_time(Duration::from_secs_f64(seconds)).with_bytes(2 << 30);
            let guess =
                (analysis.score.is_none()).then(|| likely(&store.kernel(&more), &game, &settings, &analysis));
            let took = if guess.is_some() { start.elapsed().as_secs_f64() } else { took };
            let row = rows.entry((game.board.size(), cut)).or_default();
            row.positions += 1;
            row.seconds.push(took);
            row.settled += analysis.safety.count() as f64 / game.board.points().len() as f64;
            let agrees = match &analysis.score {
                Some(score) => {
                    row.exact += 1;
                    cut != 0
                        || Some(&score[game.to_play as usize]) == counted(&text).map(Dyadic::from).as_ref()
                }
                None => {
                    let known = analysis.safety.count() > 0 || analysis.areas.iter().any(|a| a.facts.is_ok());
                    row.part += usize::from(known);
                    false
                }
            };
            row.agree += usize::from(agrees);
            let said = analysis.score.as_ref().or(guess.as_ref().and_then(|guess| guess.score.as_ref()));
            if let (Some(score), Some(count)) = (said, counted(&text)) {
                let off = &score[game.to_play as usize] - &Dyadic::from(count);
                row.likely += 1;
                row.likely_agree += usize::from(off.is_zero());
                row.off.push(off.to_i64().map_or(99.0, |x| x.abs() as f64));
            }
            if why && !agrees {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let open = analysis.areas.iter().filter_map(|area| Some((area, area.facts.as_ref().err()?)));
                let open: Vec<String> = open
                    .map(|(area, failure)| {
                        let stones = |player| {
                            area.points.iter().filter(|&&p| game.board.at(p) == Some(player)).count()
                        };
                        let what = match failure {
                            LocalFailure::TooLarge { .. } => "too large",
                            LocalFailure::Unproven => "unproven",
                            LocalFailure::Ko { .. } => "ko",
                            LocalFailure::Stopped(_) => "stopped",
                        };
                        let empty = area.points.iter().filter(|&&p| game.board.at(p).is_none()).count();
                        let (black, white) = (stones(Player::Left), stones(Player::Right));
                        format!("{empty} empty {black} black {white} white, {what}")
                    })
                    .collect();
                println!("{name} cut {cut}, {took:.2} s, {:?}: {}", analysis.stopped, open.join("; "));
            }
            if show && !agrees {
                let unlimited = Budget::unlimited();
                let report = Report { game: &game, analysis: &analysis, line: &[] };
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                println!("{name} cut {cut}, {took:.2} s, counted {:?}", counted(&text));
                println!("{}", report.text(&store.kernel(&unlimited)));
                if let Some(guess) = &guess {
                    let report = Report { game: &game, analysis: guess, line: &[] };
                    println!("{}", report.likely_text(&store.kernel(&unlimited)));
                }
            }
        }
    }
    println!(
        "| size | before the end | positions | exact | in part | nothing | as counted | exact or likely | as counted | median off | points settled | median s | longest s |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for ((size, cut), mut row) in rows {
        row.seconds.sort_by(f64::total_cmp);
        row.off.sort_by(f64::total_cmp);
        let share = |n: usize| format!("{:.0} %", 100.0 * n as f64 / row.positions as f64);
        println!(
            "| {size} | {cut} | {} | {} | {} | {} | {} | {} | {} | {} | {:.0} % | {:.2} | {:.1} |",
            row.positions,
            share(row.exact),
            share(row.part),
            share(row.positions - row.exact - row.part),
            if cut == 0 { share(row.agree) } else { String::new() },
            share(row.likely),
            if cut == 0 { share(row.likely_agree) } else { String::new() },
            row.off.get(row.off.len() / 2).unwrap_or(&0.0),
            100.0 * row.settled / row.positions as f64,
            row.seconds[row.seconds.len() / 2],
            row.seconds.last().unwrap_or(&0.0),
        );
    }
    Ok(())
}
