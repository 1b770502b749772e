//! What was found out about a sum, in words and tables.

use std::fmt::Write;

use gb_rules::Player;
use gb_search::question::outcome::Winners;
use gb_search::sum::{
    Analysis, ExaminedComponent, ExplainedMove, ExplainedScore, LoopyAnalysis, LoopyMove, SumReport,
    SumScores, Summand,
};
use gb_search::{Scores, ending_of};
use gb_value::loopy::Ending;
use gb_value::stoppers::{LoopyValue, Stoppers};
use gb_value::text::Style;
use gb_value::{Budget, Dyadic, Halt, Kernel, OutcomeClass, Value};

use crate::picture::board;
use crate::picture::ink::{Ink, Tint};

/// The text of a value, or a remark where a limit was reached before the text was found.
pub fn value_text(kernel: &Kernel<'_>, value: Value, style: &Style) -> String {
    match kernel.show(value, style) {
        Ok(shown) => shown.text,
        Err(halt) => format!("(not printed: {halt})"),
    }
}

/// Who wins, in a sentence.
pub fn outcome_sentence(outcome: impl Into<OutcomeClass>) -> &'static str {
    outcome.into().sentence()
}

/// How play ends if somebody begins, in a clause: `Left wins`, `it is a draw`.
pub fn ending_clause(ending: Ending) -> String {
    match ending.winner() {
        Some(player) => format!("{player} wins"),
        None => "it is a draw".to_owned(),
    }
}

/// Who wins, as far as it is known, in one line: the class with its sentence, or what is known for each player beginning.
pub fn winners_text(winners: &Winners) -> String {
    if let Ok(outcome) = winners.outcome() {
        return format!("{outcome}: {}", outcome_sentence(outcome));
    }
    format!("{}; {}", first_text(winners, Player::Left), first_text(winners, Player::Right))
}

/// Who wins if somebody begins, as far as it is known.
pub fn first_text(winners: &Winners, first: Player) -> String {
    match winners.ending(first) {
        Ok(ending) => format!("{first} first: {}", ending_clause(ending)),
        Err(stop) => format!("{first} first: not decided ({stop})"),
    }
}

/// The text of a value with loops.
pub fn loopy_text(kernel: &Kernel<'_>, value: &LoopyValue, style: &Style) -> String {
    value.show(kernel, style).text
}

/// The whole report: boards with their parts, a row a part, the sum, who wins, and every winning move.
pub fn sum_text(report: &SumReport, kernel: &Kernel<'_>, style: &Style, ink: Ink) -> String {
    let mut text = String::new();
    let mut rows = vec![Row::head()];
    let by_score = report.scores.is_some();
    for (index, summand) in report.summands.iter().enumerate() {
        match summand {
            Summand::Position(examined) => {
                let title = format!("{} {}", examined.game, examined.position);
                let _ = writeln!(text, "{}\n", ink.paint(Tint::Strong, &title));
                let spots: Vec<_> = examined.components.iter().map(|r| r.spots.clone()).collect();
                if let Some(picture) = board::text(&examined.scene, &spots, ink) {
                    let _ = writeln!(text, "{picture}");
                }
                for (part, component) in examined.components.iter().enumerate() {
                    let name = part_name(report, index, Some(part));
                    let row = Row::of_component(name, component, by_score, kernel, style);
                    rows.push(Row { tint: Tint::Part(part), ..row });
                }
            }
            Summand::Value { text: written, value } => {
                let name = part_name(report, index, None);
                rows.push(Row::of_value(
                    name,
                    [written.clone(), String::new()],
                    *value,
                    by_score,
                    kernel,
                    style,
                ));
            }
            Summand::Loopy { text: written, value } => {
                let name = part_name(report, index, None);
                rows.push(Row::of_loops(name, written.clone(), String::new(), value, kernel, style));
            }
        }
    }
    if let Ok(analysis) = &report.analysis {
        let texts = [String::new(), String::new()];
        rows.push(Row::of_value("sum".into(), texts, analysis.total, by_score, kernel, style));
    }
    if let Some(loops) = &report.loops {
        rows.push(Row::of_loops("sum".into(), String::new(), String::new(), &loops.total, kernel, style));
    }
    if report.misere().is_some() {
        misere_moves(&mut text, report);
        return text;
    }
    text.push_str(&table(&rows, ink));
    text.push('\n');
    if let Some(scores) = &report.scores {
        scores_of(&mut text, report, scores, kernel, style, ink);
        return text;
    }
    match (&report.analysis, &report.loops) {
        (Ok(analysis), _) => winners(&mut text, report, analysis, kernel, style, ink),
        (Err(_), Some(loops)) => loopy_winners(&mut text, report, loops, kernel, style, ink),
        (Err(stop), None) => unfinished(&mut text, report, *stop),
    }
    text
}

/// `A`, or with several positions on the bench `1A`; values are numbered.
fn part_name(report: &SumReport, summand: usize, component: Option<usize>) -> String {
    let letter = component.map(board::part_letter).map_or(String::new(), String::from);
    if report.summands.len() == 1 { letter } else { format!("{}{letter}", summand + 1) }
}

fn winners(
    text: &mut String,
    report: &SumReport,
    analysis: &Analysis,
    kernel: &Kernel<'_>,
    style: &Style,
    ink: Ink,
) {
    let _ = writeln!(text, "{}", headline(analysis.outcome, ink));
    for player in Player::BOTH {
        let moves = report.winning_moves(player);
        if moves.is_empty() {
            let _ = writeln!(text, "{player} first: no winning move.");
            continue;
        }
        let _ = writeln!(text, "{player} first wins with");
        for mv in moves {
            let _ = writeln!(text, "  {}", of_move(&explanation(report, &mv, player, kernel, style), ink));
        }
    }
}

/// The moves that win in misère play, or that draw where none wins. Who wins is said beside the report, as wherever there is no value.
fn misere_moves(text: &mut String, report: &SumReport) {
    let _ = writeln!(text, "Misère play: who cannot move wins, and positions have no values.");
    for player in Player::BOTH {
        for (ending, verb) in [(Ending::won_by(player), "wins"), (Ending::Draw, "draws")] {
            let moves = report.misere_moves(player, ending);
            if !moves.is_empty() {
                let labels: Vec<&str> = moves.iter().map(|mv| &*mv.label).collect();
                let _ = writeln!(text, "{player} first {verb} with {}.", labels.join(", "));
                break;
            }
        }
    }
}

/// Who wins, as the headline of a report.
fn headline(outcome: impl Into<OutcomeClass>, ink: Ink) -> String {
    let mut sentence = format!("{}.", outcome_sentence(outcome));
    sentence[..1].make_ascii_uppercase();
    ink.paint(Tint::Strong, &sentence)
}

/// The explanation of a move with the move in colour: it stands before the first colon.
fn of_move(explanation: &str, ink: Ink) -> String {
    match explanation.split_once(':') {
        Some((mv, why)) => format!("{}:{why}", ink.paint(Tint::Good, mv)),
        None => explanation.to_owned(),
    }
}

/// How many points a score is for whom, in a clause.
pub fn score_clause(score: &Dyadic) -> String {
    match ending_of(score).winner() {
        Some(Player::Left) => format!("Left wins by {score}"),
        Some(Player::Right) => format!("Right wins by {}", -score.clone()),
        None => "it is a draw".to_owned(),
    }
}

/// What a sum ends with if somebody begins, as far as that is known, in a sentence.
pub fn score_sentence(scores: &Scores, first: Player) -> String {
    match scores.first(first) {
        Ok(score) => format!("If {first} begins, {}.", score_clause(score)),
        Err(stop) => format!("If {first} begins: not found ({stop})."),
    }
}

/// What a sum ends with, the moves that reach it, and what the others lose.
fn scores_of(
    text: &mut String,
    report: &SumReport,
    scores: &SumScores,
    kernel: &Kernel<'_>,
    style: &Style,
    ink: Ink,
) {
    for player in Player::BOTH {
        let sentence = score_sentence(&scores.scores, player);
        let _ = writeln!(text, "{}", ink.paint(Tint::Strong, &sentence));
    }
    for player in Player::BOTH {
        let moves = report.scored_moves(player);
        if moves.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{player} first, the best moves first:");
        for mv in moves {
            let _ = writeln!(text, "  {}", of_move(&score_explanation(report, &mv, kernel, style), ink));
        }
    }
    if let Err(stop) = &report.analysis {
        let _ = writeln!(text, "Values: {stop}.");
    }
}

/// What a move ends with, and what it loses.
pub fn score_explanation(
    report: &SumReport,
    mv: &ExplainedScore<'_>,
    kernel: &Kernel<'_>,
    style: &Style,
) -> String {
    let name = part_name(report, mv.summand, mv.component);
    let place = if name.is_empty() { String::new() } else { format!(" in {name}") };
    let what = match (mv.on_board, mv.to) {
        (Some(on_board), _) => on_board.label.clone(),
        (None, Some(to)) => format!("to {}", value_text(kernel, to, style)),
        (None, None) => String::new(),
    };
    let lost = if mv.loses.is_zero() { String::new() } else { format!(", loses {}", mv.loses) };
    format!("{what}{place}: {}{lost}", score_clause(&mv.score))
}

/// Who wins a sum with loops, by which moves, and which moves draw.
fn loopy_winners(
    text: &mut String,
    report: &SumReport,
    loops: &LoopyAnalysis,
    kernel: &Kernel<'_>,
    style: &Style,
    ink: Ink,
) {
    let _ = writeln!(text, "{}", headline(loops.outcome, ink));
    for player in Player::BOTH {
        let [winning, drawing] = [&loops.winning, &loops.drawing].map(|moves| &moves[player as usize]);
        let (moves, verb) = match (winning.is_empty(), drawing.is_empty()) {
            (false, _) => (winning, "wins"),
            (true, false) => (drawing, "draws"),
            (true, true) => {
                let loses = loops.outcome.ending(player) == Ending::won_by(player.opponent());
                // A value given by its two sides says who wins, but has no moves of its own.
                let which =
                    if loses { "no winning move" } else { "the move is in a value given by its sides" };
                let _ = writeln!(text, "{player} first: {which}.");
                continue;
            }
        };
        let _ = writeln!(text, "{player} first {verb} with");
        for mv in moves {
            let _ =
                writeln!(text, "  {}", of_move(&loopy_explanation(report, mv, player, kernel, style), ink));
        }
    }
}

/// What a move in a sum with loops makes of its part.
pub fn loopy_explanation(
    report: &SumReport,
    mv: &LoopyMove,
    player: Player,
    kernel: &Kernel<'_>,
    style: &Style,
) -> String {
    let to = loopy_text(kernel, &mv.to, style);
    let name = part_name(report, mv.summand, mv.on_board.and_then(|(component, _)| component));
    let place = if name.is_empty() { String::new() } else { format!(" in {name}") };
    match report.board_move(mv, player) {
        Some(on_board) => format!("{}{place}: makes it {to}", on_board.label),
        None => format!("to {to}{place}"),
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
    let name = part_name(report, mv.summand, mv.component);
    let place = if name.is_empty() { String::new() } else { format!(" in {name}") };
    let what = mv.on_board.map_or_else(|| format!("to {}", show(mv.to)), |m| m.label.clone());
    let relation = match (mv.leaves == Value::ZERO, player) {
        (true, _) => "= 0".to_owned(),
        (false, Player::Left) => format!("{} > 0", show(mv.leaves)),
        (false, Player::Right) => format!("{} < 0", show(mv.leaves)),
    };
    format!("{what}{place}: makes it {}, and leaves {relation}", show(mv.to))
}

fn unfinished(text: &mut String, report: &SumReport, stop: Halt) {
    let _ = writeln!(text, "Not finished: {stop}.");
    let unknown = |t: &Summand| match t {
        Summand::Position(e) => e.components.iter().filter(|r| r.value.is_err()).count(),
        Summand::Value { .. } | Summand::Loopy { .. } => 0,
    };
    let unknown: usize = report.summands.iter().map(unknown).sum();
    let looped = |t: &Summand| match t {
        Summand::Position(e) => e.components.iter().filter(|r| r.loopy.is_some()).count(),
        Summand::Value { .. } => 0,
        Summand::Loopy { .. } => 1,
    };
    let looped: usize = report.summands.iter().map(looped).sum();
    if looped > 0 && looped >= unknown {
        let _ = writeln!(text, "The value of {looped} part(s) has loops, and the sum was not found.");
    } else if unknown > 0 {
        let _ = writeln!(text, "Without a value: {unknown} part(s). More --time or --memory may find it.");
    } else if matches!(stop, Halt::TooLarge(_)) {
        let _ = writeln!(text, "All parts have values, but their sum is too large.");
    } else {
        let _ = writeln!(text, "All parts have values, but what moves leave of them is not known.");
    }
}

struct Row {
    cells: [String; 7],
    /// How its name is coloured.
    tint: Tint,
}

impl Row {
    fn head() -> Row {
        Row {
            cells: ["part", "position", "cells", "value", "mean", "temp", "outcome"].map(str::to_owned),
            tint: Tint::Plain,
        }
    }

    fn of_component(
        name: String,
        component: &ExaminedComponent,
        by_score: bool,
        kernel: &Kernel<'_>,
        style: &Style,
    ) -> Row {
        let cells =
            if component.spots.is_empty() { String::new() } else { component.spots.len().to_string() };
        match component.value {
            Ok(value) => Row::of_value(name, [component.text.clone(), cells], value, by_score, kernel, style),
            Err(stop) => {
                if let Some(value) = &component.loopy {
                    return Row::of_loops(name, component.text.clone(), cells, value, kernel, style);
                }
                let known = known_so_far(component, kernel, style).unwrap_or_else(|| stop.to_string());
                let outcome = "?".to_owned();
                Row {
                    cells: [name, component.text.clone(), cells, known, "".into(), "".into(), outcome],
                    tint: Tint::Plain,
                }
            }
        }
    }

    fn of_loops(
        name: String,
        position: String,
        cells: String,
        value: &LoopyValue,
        kernel: &Kernel<'_>,
        style: &Style,
    ) -> Row {
        let outcome = loopy_outcome(value, kernel).map_or_else(|| "?".into(), |o| o.to_string());
        let text = loopy_text(kernel, value, style);
        Row { cells: [name, position, cells, text, "-".into(), "-".into(), outcome], tint: Tint::Plain }
    }

    fn of_value(
        name: String,
        [position, cells]: [String; 2],
        value: Value,
        by_score: bool,
        kernel: &Kernel<'_>,
        style: &Style,
    ) -> Row {
        let or_dash = |x: Result<gb_value::Dyadic, _>| {
            x.map_or_else(|_: gb_value::ValueError| "-".into(), |x| x.to_string())
        };
        let outcome = outcome_of(kernel, value, by_score).map_or_else(|| "?".into(), |o| o.to_string());
        let shown = value_text(kernel, value, style);
        let (mean, temperature) = (or_dash(kernel.mean(value)), or_dash(kernel.temperature(value)));
        Row { cells: [name, position, cells, shown, mean, temperature, outcome], tint: Tint::Plain }
    }
}

/// Who wins a value: by who moves last, or by the score that play stops at.
pub fn outcome_of(kernel: &Kernel<'_>, value: Value, by_score: bool) -> Option<OutcomeClass> {
    if !by_score {
        return kernel.outcome(value).ok().map(OutcomeClass::from);
    }
    let stop = |first| kernel.stop(value, first).ok().flatten();
    let (left, right) = (stop(Player::Left)?, stop(Player::Right)?);
    Some(OutcomeClass::of(ending_of(&left), ending_of(&right)))
}

/// Who wins a game with loops. Comparing with zero takes no longer than printing, so no limit is needed.
pub fn loopy_outcome(value: &LoopyValue, kernel: &Kernel<'_>) -> Option<OutcomeClass> {
    let budget = Budget::unlimited();
    let kernel = kernel.store().kernel(&budget);
    let mut games = Stoppers::new(&kernel);
    let value = games.import(value).ok()?;
    games.outcome(value).ok()
}

/// The loopy value of a part, or bounds of a part whose value was not found.
pub fn known_so_far(component: &ExaminedComponent, kernel: &Kernel<'_>, style: &Style) -> Option<String> {
    if let Some(value) = &component.loopy {
        return Some(loopy_text(kernel, value, style));
    }
    if let Some(loops) = &component.loops {
        let show = |value| value_text(kernel, value, style);
        return Some(format!("loopy, from {} to {}", show(loops.lower), show(loops.upper)));
    }
    match component.bounds {
        (None, None) => None,
        (low, high) => {
            let end = |bound: Option<i64>, none: &str| bound.map_or(none.to_owned(), |n| n.to_string());
            Some(format!("{} to {}", end(low, "-inf"), end(high, "inf")))
        }
    }
}

/// Columns aligned: numbers to the right, the rest to the left.
fn table(rows: &[Row], ink: Ink) -> String {
    const RIGHT: [bool; 7] = [false, false, true, false, true, true, false];
    /// Longer cells do not push the other columns away.
    const WIDEST: usize = 48;
    let width = |c: usize| rows.iter().map(|r| r.cells[c].chars().count().min(WIDEST)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (c, cell) in row.cells.iter().enumerate() {
            if widths[c] > 0 && rows.iter().skip(1).any(|r| !r.cells[c].is_empty()) {
                let padded = if RIGHT[c] {
                    format!("{cell:>w$}", w = widths[c])
                } else {
                    format!("{cell:<w$}", w = widths[c])
                };
                let tint = match (index, c) {
                    (0, _) => Tint::Faint,
                    (_, 0) => row.tint,
                    (_, 3) => Tint::Strong,
                    _ => Tint::Plain,
                };
                line.push_str(&ink.paint(tint, &padded));
                line.push_str("  ");
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
