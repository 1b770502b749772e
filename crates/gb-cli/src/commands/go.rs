//! `gamebench analyze go FILE.sgf`: a Go endgame taken apart at its safe stones.

use std::path::Path;
use std::time::Instant;

use gb_go::{Analysis, Board, Game, KoRule, Report, Settings, analyse, optimal_line, sgf};
use gb_value::text::Style;
use gb_value::{Budget, Kernel, Player, Store};
use serde_json::{Value as Json, json};

use crate::errors::Failure;
use crate::files;
use crate::output;

/// Reads a record, or a board of rows with `X`, `O` and `.`.
fn read(path: &Path) -> Result<Game, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::file("reading", path, error))?;
    let text = String::from_utf8_lossy(&bytes);
    let name = path.display();
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('(') {
        return sgf::read(&text).map_err(|error| Failure::Input(format!("{name}: {error}")));
    }
    match Board::read(&text) {
        Ok(board) => Ok(Game::new(board, Player::Left, KoRule::Simple)),
        Err(error) => Err(Failure::Input(format!("{name} is neither SGF nor a board of rows: {error}"))),
    }
}

/// Analyses the position at the end of a record, prints a report, and writes best play to `sgf_out`.
pub fn analyze(path: &Path, budget: &Budget, json: bool, sgf_out: Option<&Path>) -> Result<(), Failure> {
    let game = read(path)?;
    let start = Instant::now();
    let (store, settings) = (Store::new(), Settings::default());
    let kernel = store.kernel(budget);
    let stopped = |stop| Failure::Input(format!("{}: {stop}", path.display()));
    let analysis = analyse(&kernel, &game, &settings).map_err(stopped)?;
    // Without a line the report is still worth printing.
    let line = optimal_line(&kernel, &game.board, &analysis, game.to_play, &settings).unwrap_or_default();
    let seconds = start.elapsed().as_secs_f64();
    let unlimited = Budget::unlimited();
    let kernel = store.kernel(&unlimited);
    let report = Report { game: &game, analysis: &analysis, line: &line };
    if let Some(path) = sgf_out {
        files::write(path, report.sgf(&kernel).as_bytes())?;
    }
    if json {
        return Ok(output::json(&as_json(&kernel, &game, &analysis, &report, seconds))?);
    }
    output::line(&report.text(&kernel))?;
    let nodes: u64 = analysis.areas.iter().filter_map(|a| a.facts.as_ref().ok()).map(|f| f.nodes).sum();
    Ok(output::line(&format!("{nodes} nodes in local searches, {seconds:.3} s"))?)
}

fn as_json(kernel: &Kernel<'_>, game: &Game, analysis: &Analysis, report: &Report<'_>, seconds: f64) -> Json {
    let board = &game.board;
    let show = |value| kernel.show(value, &Style::plain()).map(|shown| shown.text).ok();
    let areas: Vec<Json> = analysis
        .areas
        .iter()
        .map(|area| match &area.facts {
            Ok(facts) => json!({
                "area": area.letter,
                "points": board.names(&area.points),
                "value": area.value(kernel, analysis.scoring).ok().flatten().and_then(show),
                "chilled": show(facts.chilled),
                "mean": facts.mean.to_string(),
                "temperature": facts.temperature.to_string(),
                "left_stop": facts.stops[0].to_string(),
                "right_stop": facts.stops[1].to_string(),
                "kind": facts.kind.text(),
                "nodes": facts.nodes,
            }),
            Err(failure) => json!({
                "area": area.letter,
                "points": board.names(&area.points),
                "error": gb_go::failure_text(kernel, failure),
            }),
        })
        .collect();
    let moves = |player: Player| -> Vec<Json> {
        let moves = analysis.moves[player as usize].iter();
        moves
            .map(|m| json!({ "move": board.name(m.point), "loss": m.loss.as_ref().map(|x| x.to_string()) }))
            .collect()
    };
    json!({
        "areas": areas,
        "constant": analysis.constant,
        "score_black_first": analysis.score.as_ref().map(|s| s[0].to_string()),
        "score_white_first": analysis.score.as_ref().map(|s| s[1].to_string()),
        "moves": { "black": moves(Player::Left), "white": moves(Player::Right) },
        "line": report.line_text(),
        "seconds": seconds,
    })
}
