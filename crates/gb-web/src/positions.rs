//! Positions in the calculator of the page: `clobber xo.|.ox` is the value of that position, with its board.

use std::time::Duration;

use gb_engine::analysis_json::{Facts, ValueFacts};
use gb_engine::calc::Datum;
use gb_engine::{Engine, SUM, summands};
use gb_record::view::{GameView, SceneView};
use gb_rules::{NameError, Position};
use gb_search::sum::{SumReport, Summand};
use gb_value::Budget;
use gb_value::text::Style;
use serde::Serialize;

use crate::bench::SummandAnswer;
use crate::error::ApiError;
use crate::settings;

/// A position to be drawn: what a session shows of its own.
#[derive(Serialize)]
pub(crate) struct Board {
    game: GameView,
    position: String,
    scene: SceneView,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    summands: Vec<SummandAnswer>,
}

/// What a line with a position says.
pub(crate) struct Found {
    /// The name that the value is given, if any.
    pub variable: Option<String>,
    /// The value, or a sentence why there is none.
    pub datum: Datum,
    /// What is known without a value.
    pub facts: Option<ValueFacts>,
    /// Whether points decide, and not who moves last.
    pub by_score: bool,
    pub board: Board,
}

/// Boards in a column beside others need not be as large as those on the bench.
const MAX_CELLS: usize = 400;
/// How long bounds are looked for where values are out of reach; the calculator does not show them.
const FOR_BOUNDS: Duration = Duration::from_millis(50);

/// The value of the position that a line names, `GAME POSITION` or `NAME := GAME POSITION`, also with other summands; `None` if
/// it names no game.
///
/// # Errors
/// If the game has no such position, or a name would stand for nothing.
pub(crate) fn find(engine: &Engine, line: &str, budget: &Budget) -> Result<Option<Found>, ApiError> {
    let (variable, text) = match line.split_once(":=") {
        Some((name, text)) if is_name(name.trim()) => (Some(name.trim().to_owned()), text.trim()),
        _ => (None, line.trim()),
    };
    let Some((name, rest)) = text.split_once(char::is_whitespace) else { return Ok(None) };
    let (game, position) = if summands(text).len() > 1 { (SUM, text) } else { (name, rest.trim()) };
    if name == gb_go::bench::NAME {
        let sentence = "positions of Go have no values here: choose Go above the board for its report";
        return Err(ApiError::input(sentence));
    }
    match engine.games().open(name, "") {
        Err(NameError::Unknown { .. } | NameError::Form { .. }) => return Ok(None),
        Err(other) => return Err(ApiError::input(other.to_string())),
        Ok(_) => {}
    }
    if let Some(sentence) = settings::too_large(position, MAX_CELLS) {
        return Err(ApiError::input(sentence));
    }
    let wrong = |error: &dyn ToString| ApiError::input(error.to_string());
    let at: Position = engine
        .games()
        .open(game, position)
        .map_err(|error| wrong(&error))?
        .read_or_start(position)
        .map_err(|error| wrong(&error))?;
    let board = Board {
        game: GameView::from(&at.info()),
        position: at.show(),
        scene: SceneView::from(&at.scene()),
        summands: SummandAnswer::all(&at, engine.games()),
    };
    let rest = || Budget::unlimited().with_time(FOR_BOUNDS).with_cancel(budget.cancel().clone());
    let answer = engine.value(game, position, budget, &rest, &|_, _, _| {}).map_err(|error| wrong(&error))?;
    let unknown = || ApiError::input(format!("nothing was found out about {game} {position}"));
    let examined = answer.examined.ok_or_else(unknown)?;
    let winners = examined.misere.or(answer.winners);
    let kernel = engine.store.kernel(budget);
    let report = SumReport::new(&kernel, vec![Summand::Position(examined)]);
    let (datum, facts) = match (report.analysis, report.loops) {
        (Ok(analysis), _) => (Datum::Value(analysis.total), None),
        (_, Some(loops)) => {
            let Facts { value, known } = Facts::of_loops(&loops.total, &kernel, &Style::default());
            (Datum::Word(value), Some(known))
        }
        (Err(halt), None) => {
            let outcome = winners.and_then(|winners| winners.outcome().ok()).map(|o| o.to_string());
            (Datum::Word(halt.to_string()), Some(ValueFacts { outcome, ..ValueFacts::default() }))
        }
    };
    if let (Some(name), Datum::Word(said)) = (&variable, &datum) {
        return Err(ApiError::input(format!(
            "{name} can only stand for a value without loops; found: {said}"
        )));
    }
    Ok(Some(Found { variable, datum, facts, by_score: at.ends_in_score(), board }))
}

/// Whether the calculator could call a value so.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
