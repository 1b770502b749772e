//! Sessions over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use gb_engine::{SummandView, picture, summand_views};
use gb_record::session::{Command, MAX_MOVES, Session, read_position};
use gb_record::tree::Property;
use gb_record::view::{GameView, View, look_name};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json_, json};

use crate::App;
use crate::body::Input;
use crate::catalog;
use crate::error::ApiError;
use crate::sessions::Shared;

/// The games, as `gamebench games --json` lists them, and the players of the engine.
pub async fn games() -> Json<Json_> {
    let games: Vec<GameView> = catalog::all().iter().map(GameView::from).collect();
    Json(json!({ "games": games, "players": crate::analysts::players() }))
}

/// How busy the server is.
pub async fn status(State(app): State<App>) -> Json<Json_> {
    let (search, calculator) = (app.engine.load(), app.calculators.load());
    Json(json!({
        "sessions": app.sessions.len(),
        "searches": app.running(),
        "engines": search.threads,
        "busy": search.busy,
        // Threads that did not stop when they should have, and were replaced.
        "lost": search.lost + calculator.lost,
    }))
}

/// A session and what it shows.
#[derive(Serialize)]
pub struct Answer {
    session: String,
    #[serde(flatten)]
    view: View,
    /// The text that the game was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// What was found out about it, when the session is opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<Json_>,
    /// What was pointed at to make the last move.
    last: Vec<String>,
    /// The summands, if the position is a sum.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    summands: Vec<SummandAnswer>,
}

/// A summand of a sum: where it lies in the scene, and what it is.
#[derive(Serialize)]
struct SummandAnswer {
    game: String,
    title: String,
    text: String,
    look: &'static str,
    x: i32,
    width: i32,
    height: i32,
    /// Its spots are those of the scene moved back by so many columns.
    column: u32,
    /// For a value: the options of Left and of Right.
    options: [Vec<String>; 2],
}

impl Answer {
    pub(crate) fn of(id: String, session: &Session) -> Answer {
        let summands = match &*session.info().name {
            gb_engine::SUM => summand_views(&session.state().position.show()).unwrap_or_default(),
            _ => vec![],
        };
        let summand = |view: SummandView| SummandAnswer {
            game: view.game,
            title: view.title,
            text: view.text,
            look: look_name(view.look),
            x: view.frame.0,
            width: view.frame.1,
            height: view.frame.2,
            column: view.moved.0,
            options: view.options,
        };
        Answer {
            session: id,
            view: session.view(),
            text: session.text(),
            derived: None,
            last: last_gesture(session),
            summands: summands.into_iter().map(summand).collect(),
        }
    }
}

/// What was pointed at to make the move that led here.
fn last_gesture(session: &Session) -> Vec<String> {
    let here = &session.tree().node(session.at()).properties;
    let made = here.iter().find_map(|property| match property {
        Property::Move { player, text } => Some((*player, text)),
        _ => None,
    });
    let line = session.line();
    let (Some((player, text)), [.., before, _]) = (made, &line[..]) else { return vec![] };
    let choices = before.position.moves(player, MAX_MOVES);
    let choice = choices.into_iter().find(|choice| choice.text == *text);
    choice.map_or(vec![], |choice| choice.gesture.iter().map(|spot| spot.to_string()).collect())
}

/// What a new session begins with: a position, or a record; perhaps of a game that is a text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    text: Option<String>,
    #[serde(default)]
    game: String,
    #[serde(default)]
    position: String,
    record: Option<String>,
}

/// Boards are read and drawn on threads that may take their time.
pub(crate) async fn quickly<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let failed = |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the request failed inside the server");
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

fn check_size(app: &App, position: &str) -> Result<(), ApiError> {
    app.settings.too_large(position).map_or(Ok(()), |sentence| Err(ApiError::input(sentence)))
}

/// Opens a session.
pub async fn open(State(app): State<App>, Input(open): Input<Open>) -> Result<Response, ApiError> {
    check_size(&app, &open.position)?;
    let answer = quickly(move || {
        let shelf = match &open.text {
            Some(text) => Arc::new(app.catalog.with_game(text).map_err(ApiError::input)?),
            None => app.catalog.clone(),
        };
        let written = shelf.written().cloned();
        let game = match &written {
            Some(written) if open.game.is_empty() => &written.name,
            _ => &open.game,
        };
        let session = match &open.record {
            Some(record) => Session::from_record(shelf, record)?,
            None => Session::open(shelf, game, &open.position)?,
        };
        check_size(&app, &session.state().position.show())?;
        let mut answer = Answer::of(String::new(), &session);
        answer.derived = written.map(|written| {
            json!({ "alike": written.derived.symmetry, "parts": written.derived.parts, "ends": written.derived.ends })
        });
        (answer.session, _) = app.sessions.add(session)?;
        Ok(answer)
    })
    .await?;
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

fn with<T>(session: &Shared, work: impl FnOnce(&mut Session) -> T) -> T {
    work(&mut session.lock().unwrap_or_else(|e| e.into_inner()))
}

/// What a session shows.
pub async fn view(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Answer>, ApiError> {
    let session = app.sessions.get(&id)?;
    quickly(move || Ok(Json(with(&session, |session| Answer::of(id, session))))).await
}

/// Carries out a command.
pub async fn command(
    State(app): State<App>,
    Path(id): Path<String>,
    Input(command): Input<Command>,
) -> Result<Json<Answer>, ApiError> {
    if let Command::Open { position, .. } | Command::Setup { position } = &command {
        check_size(&app, position)?;
    }
    let session = app.sessions.get(&id)?;
    quickly(move || {
        with(&session, |session| {
            session.apply(command)?;
            Ok(Json(Answer::of(id, session)))
        })
    })
    .await
}

/// Forgets a session.
pub async fn close(State(app): State<App>, Path(id): Path<String>) -> StatusCode {
    app.sessions.remove(&id);
    StatusCode::NO_CONTENT
}

/// The tree of a session as SGF.
pub async fn record(State(app): State<App>, Path(id): Path<String>) -> Result<Response, ApiError> {
    let session = app.sessions.get(&id)?;
    let (name, text) =
        quickly(move || Ok(with(&session, |session| (session.info().name.clone(), session.record()))))
            .await?;
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let file = format!("attachment; filename=\"{}.sgf\"", plain.trim_matches('-'));
    let headers = [
        (header::CONTENT_TYPE, "application/x-go-sgf; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, file),
    ];
    Ok((headers, text).into_response())
}

/// The board as SVG.
pub async fn picture(State(app): State<App>, Path(id): Path<String>) -> Result<Response, ApiError> {
    let session = app.sessions.get(&id)?;
    let svg = quickly(move || {
        Ok(with(&session, |session| {
            let position = &session.state().position;
            let parts: Vec<_> = position.parts().into_iter().map(|(_, spots)| spots).collect();
            picture::scene::svg(&position.scene(), &parts)
        }))
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// The example of a game as SVG, for lists.
pub async fn example(State(app): State<App>, Path(game): Path<String>) -> Result<Response, ApiError> {
    let svg = quickly(move || {
        let position = read_position(&*app.catalog, &game, "")?;
        Ok(picture::scene::svg(&position.scene(), &[]))
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "max-age=3600")], svg)
        .into_response())
}

/// For addresses that mean nothing.
pub async fn nothing() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "there is nothing at this address")
}

/// For methods that mean nothing at this address.
pub async fn wrong_method() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not take this method")
}
