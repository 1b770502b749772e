//! What was found out about a sum, in words and tables.

use std::fmt::Write;

use gb_game::Player;
use gb_sum::{Analysis, ExplainedMove, Region, SumReport, Term};
use gb_value::loopy::{Ending, LoopyGame, NodeId, Sides};
use gb_value::text::Style;
use gb_value::{Kernel, Outcome, Stop, Value};

use crate::picture::board;

/// The text of a value, or a remark on its size where the text would be too long to find.
pub fn value_text(kernel: &Kernel<'_>, value: Value, style: &Style) -> String {
    match kernel.show(value, style) {
        Ok(shown) => shown.text,
        Err(_) => "(too large to print)".into(),
    }
}

/// Who wins, in a sentence.
pub fn outcome_sentence(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::L => "Left wins, whoever begins",
        Outcome::R => "Right wins, whoever begins",
        Outcome::N => "whoever begins wins",
        Outcome::P => "whoever begins loses",
    }
}

/// The whole report: boards with their parts, a row a part, the sum, who wins, and every winning move.
pub fn sum_text(report: &SumReport, kernel: &Kernel<'_>, style: &Style) -> String {
    let mut text = String::new();
    let mut rows = vec![Row::head()];
    for (index, term) in report.terms.iter().enumerate() {
        match term {
            Term::Position(examined) => {
                let _ = writeln!(text, "{} {}\n", examined.game, examined.position);
                let spots: Vec<_> = examined.regions.iter().map(|r| r.spots.clone()).collect();
                if let Some(picture) = board::text(&examined.scene, &spots) {
                    let _ = writeln!(text, "{picture}");
                }
                for (part, region) in examined.regions.iter().enumerate() {
                    rows.push(Row::of_region(part_name(report, index, Some(part)), region, kernel, style));
                }
            }
            Term::Value { text: written, value } => {
                let name = part_name(report, index, None);
                rows.push(Row::of_value(name, written.clone(), String::new(), *value, kernel, style));
            }
        }
    }
    if let Ok(analysis) = &report.analysis {
        rows.push(Row::of_value("sum".into(), String::new(), String::new(), analysis.total, kernel, style));
    }
    text.push_str(&table(&rows));
    text.push('\n');
    match &report.analysis {
        Ok(analysis) => winners(&mut text, report, analysis, kernel, style),
        Err(stop) => unfinished(&mut text, report, *stop),
    }
    text
}

/// `A`, or with several positions on the bench `1A`; values are numbered.
fn part_name(report: &SumReport, term: usize, region: Option<usize>) -> String {
    let letter = region.map(board::part_letter).map_or(String::new(), String::from);
    if report.terms.len() == 1 { letter } else { format!("{}{letter}", term + 1) }
}

fn winners(text: &mut String, report: &SumReport, analysis: &Analysis, kernel: &Kernel<'_>, style: &Style) {
    let mut sentence = outcome_sentence(analysis.outcome).to_owned();
    sentence[..1].make_ascii_uppercase();
    let _ = writeln!(text, "{sentence}.");
    for player in Player::BOTH {
        let moves = report.winning_moves(player);
        if moves.is_empty() {
            let _ = writeln!(text, "{player} first: no winning move.");
            continue;
        }
        let _ = writeln!(text, "{player} first wins with");
        for mv in moves {
            let _ = writeln!(text, "  {}", explanation(report, &mv, player, kernel, style));
        }
    }
}

/// Why a move wins: what the part becomes, and what is left of the sum.
pub fn explanation(
    report: &SumReport,
    mv: &ExplainedMove<'_>,
    player: Player,
    kernel: &Kernel<'_>,
    style: &Style,
) -> String {
    let show = |value| value_text(kernel, value, style);
    let name = part_name(report, mv.term, mv.region);
    let place = if name.is_empty() { String::new() } else { format!(" in {name}") };
    let what = mv.on_board.map_or_else(|| format!("to {}", show(mv.to)), |m| m.label.clone());
    let relation = match (mv.leaves == Value::ZERO, player) {
        (true, _) => "= 0".to_owned(),
        (false, Player::Left) => format!("{} > 0", show(mv.leaves)),
        (false, Player::Right) => format!("{} < 0", show(mv.leaves)),
    };
    format!("{what}{place}: makes it {}, and leaves {relation}", show(mv.to))
}

fn unfinished(text: &mut String, report: &SumReport, stop: Stop) {
    let _ = writeln!(text, "Not finished: {stop}.");
    let unknown = |t: &Term| match t {
        Term::Position(e) => e.regions.iter().filter(|r| r.value.is_err()).count(),
        Term::Value { .. } => 0,
    };
    let unknown: usize = report.terms.iter().map(unknown).sum();
    let looped = |t: &Term| match t {
        Term::Position(e) => e.regions.iter().filter(|r| r.loopy.is_some()).count(),
        Term::Value { .. } => 0,
    };
    let looped: usize = report.terms.iter().map(looped).sum();
    if looped > 0 && looped == unknown {
        let _ = writeln!(text, "The value of {looped} part(s) has loops: such values are not added up here.");
    } else if unknown > 0 {
        let _ = writeln!(text, "Without a value: {unknown} part(s). More --time or --memory may find it.");
    } else {
        let _ = writeln!(text, "All parts have values, but their sum is too large.");
    }
}

struct Row {
    cells: [String; 7],
}

impl Row {
    fn head() -> Row {
        Row { cells: ["part", "position", "cells", "value", "mean", "temp", "outcome"].map(str::to_owned) }
    }

    fn of_region(name: String, region: &Region, kernel: &Kernel<'_>, style: &Style) -> Row {
        let cells = if region.spots.is_empty() { String::new() } else { region.spots.len().to_string() };
        match region.value {
            Ok(value) => Row::of_value(name, region.text.clone(), cells, value, kernel, style),
            Err(stop) => {
                let known = known_so_far(region, kernel, style).unwrap_or_else(|| stop.to_string());
                let outcome = region.loopy.as_ref().map_or("?", loopy_outcome).to_owned();
                Row { cells: [name, region.text.clone(), cells, known, "".into(), "".into(), outcome] }
            }
        }
    }

    fn of_value(
        name: String,
        position: String,
        cells: String,
        value: Value,
        kernel: &Kernel<'_>,
        style: &Style,
    ) -> Row {
        let or_dash = |x: Result<gb_value::Dyadic, _>| {
            x.map_or_else(|_: gb_value::ValueError| "-".into(), |x| x.to_string())
        };
        let outcome = kernel.outcome(value).map_or_else(|_| "?".into(), |o| o.to_string());
        let shown = value_text(kernel, value, style);
        let (mean, temperature) = (or_dash(kernel.mean(value)), or_dash(kernel.temperature(value)));
        Row { cells: [name, position, cells, shown, mean, temperature, outcome] }
    }
}

/// Who wins a game with loops, as one letter; `?` where somebody can at best go on for ever.
fn loopy_outcome(sides: &Sides) -> &'static str {
    let [on, off] = [sides.onside(), sides.offside()].map(|side| side.game().outcome());
    if on != off {
        return "?";
    }
    match (on.left_starts, on.right_starts) {
        (Ending::Win, Ending::Win) => "L",
        (Ending::Loss, Ending::Loss) => "R",
        (Ending::Win, Ending::Loss) => "N",
        (Ending::Loss, Ending::Win) => "P",
        _ => "?",
    }
}

/// The loopy value of a part, or bounds of a part whose value was not found.
pub fn known_so_far(region: &Region, kernel: &Kernel<'_>, style: &Style) -> Option<String> {
    if let Some(sides) = &region.loopy {
        let short = |game: &LoopyGame, at: NodeId| {
            Some(value_text(kernel, kernel.from_loopy_at(game, at).ok()??, style))
        };
        return Some(format!("loopy, {}", sides.show(&short, style).text));
    }
    if let Some(loops) = &region.loops {
        let show = |value| value_text(kernel, value, style);
        return Some(format!("loopy, from {} to {}", show(loops.lower), show(loops.upper)));
    }
    match region.bounds {
        (None, None) => None,
        (low, high) => {
            let end = |bound: Option<i64>, none: &str| bound.map_or(none.to_owned(), |n| n.to_string());
            Some(format!("{} to {}", end(low, "-inf"), end(high, "inf")))
        }
    }
}

/// Columns aligned: numbers to the right, the rest to the left.
fn table(rows: &[Row]) -> String {
    const RIGHT: [bool; 7] = [false, false, true, false, true, true, false];
    /// Longer cells do not push the other columns away.
    const WIDEST: usize = 48;
    let width = |c: usize| rows.iter().map(|r| r.cells[c].chars().count().min(WIDEST)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (c, cell) in row.cells.iter().enumerate() {
            if widths[c] > 0 && rows.iter().skip(1).any(|r| !r.cells[c].is_empty()) {
                let padded = if RIGHT[c] {
                    format!("{cell:>w$}", w = widths[c])
                } else {
                    format!("{cell:<w$}", w = widths[c])
                };
                line.push_str(&padded);
                line.push_str("  ");
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
