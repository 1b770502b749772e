//! The trainer: exercises, and what the moves of a learner were worth.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use gb_chess::{EXERCISES, Exercise, Judgement, Request, Standing, Tables, judge};
use gb_record::session::Session;
use gb_record::tree::Property;
use gb_rules::Player;
use gb_value::Cancel;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json_, json};

use crate::App;
use crate::analysts::Effort;
use crate::body::Input;
use crate::engine::CancelOnDrop;
use crate::error::ApiError;
use crate::searches::{Listed, ask, time};

/// The game that the exercises are about.
const GAME: &str = crate::analysts::CHESS;

/// How long a move is looked at if nothing is said.
const PATIENCE: Duration = Duration::from_secs(4);

/// All exercises.
pub async fn exercises() -> Json<Json_> {
    let shown = |exercise: &Exercise| {
        let mut shown = serde_json::to_value(exercise).unwrap_or(Json_::Null);
        shown["game"] = json!(GAME);
        shown["learner"] = json!(exercise.learner().to_string());
        shown["task"] = json!(exercise.task());
        shown
    };
    Json(json!({ "exercises": EXERCISES.iter().map(shown).collect::<Vec<_>>() }))
}

/// The last move of a session is to be judged and answered.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// Which exercise it belongs to.
    exercise: String,
    /// Seconds for it.
    #[serde(default)]
    seconds: Option<f64>,
}

/// What a move was worth, and the position after the answer.
#[derive(Serialize)]
pub struct Lesson {
    judgement: Judgement,
    /// The exercise is over.
    standing: Option<Standing>,
    #[serde(flatten)]
    answer: crate::api::Answer,
}

/// The last move of a session, with the position before it.
fn last_move(session: &Session, learner: Player) -> Result<(String, String), ApiError> {
    let here = &session.tree().node(session.at()).properties;
    let made = here.iter().find_map(|property| match property {
        Property::Move { player, text } if *player == learner => Some(text.clone()),
        _ => None,
    });
    let line = session.line();
    match (made, line.len().checked_sub(2).and_then(|index| line.get(index))) {
        (Some(text), Some(before)) if session.info().name == GAME => Ok((before.position.show(), text)),
        _ => Err(ApiError::input(format!("the last move has to be one of {learner} in a game of {GAME}"))),
    }
}

/// Judges the last move and answers it with the best defence.
pub async fn lesson(
    State(app): State<App>,
    Path(id): Path<String>,
    Input(made): Input<Made>,
) -> Result<Json<Lesson>, ApiError> {
    let exercise = Exercise::find(&made.exercise).ok_or_else(|| {
        ApiError::input(format!("there is no exercise `{}`: /api/exercises lists them", made.exercise))
    })?;
    let shared = app.sessions.get(&id)?;
    let (node, before, text) = {
        let session = shared.lock().unwrap_or_else(|e| e.into_inner());
        let (before, text) = last_move(&session, exercise.learner())?;
        (session.at(), before, text)
    };
    let cancel = Cancel::default();
    // Whoever hangs up drops this, and the search ends.
    let _guard = CancelOnDrop(cancel.clone());
    let _listed = Listed::new(&app, &id, &cancel)?;
    let time = time(&app, made.seconds, PATIENCE)?;
    let memory = app.settings.search_memory;
    let judged = ask(&app.engine, time, &cancel, move |_, cancel| {
        let effort = Effort::new(time, memory, &cancel);
        let request = Request::new(&before)?;
        let tables = Tables::new(Tables::folder_of_user().as_deref());
        judge(&request.board, &text, &tables, &effort.budget)
    });
    let judgement = judged.await?.map_err(|error| ApiError::input(error.to_string()))?;
    let mut session = shared.lock().unwrap_or_else(|e| e.into_inner());
    if session.at() != node {
        return Err(ApiError::new(StatusCode::CONFLICT, "the position was changed meanwhile"));
    }
    if let Some(reply) = &judgement.reply {
        session.play(&reply.text)?;
    }
    let seen = {
        let position = session.state().position.show();
        let same = |text: &str| places(text) == places(&position);
        session.line().iter().filter(|state| same(&state.position.show())).count()
    };
    let standing = exercise.standing(&judgement, seen);
    Ok(Json(Lesson { judgement, standing, answer: crate::api::Answer::of(id, &session) }))
}

/// A position without its clocks: pieces, whose turn, en passant.
fn places(fen: &str) -> Vec<&str> {
    fen.split(' ').take(4).collect()
}
