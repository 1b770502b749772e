//! Searches over HTTP: started with a request, told about in events, stopped with another request or by hanging up.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::sse::{self, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use gb_rules::Player;
use gb_value::{Budget, Cancel};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json_, json};
use tokio::sync::{mpsc, oneshot};

use crate::App;
use crate::analysts::{self, Effort, Event, Question};
use crate::api::quickly;
use crate::body::Input;
use crate::engine::{CancelOnDrop, Job, Pool};
use crate::error::ApiError;
use crate::sessions::{Shared, random_name};

/// The searches that are running or waiting.
#[derive(Default)]
pub struct Searches(Mutex<HashMap<String, Search>>);

struct Search {
    /// For which session.
    session: String,
    cancel: Cancel,
}

impl Searches {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Search>> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Ends all searches.
    pub fn stop_all(&self) {
        self.lock().values().for_each(|search| search.cancel.cancel());
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.lock().len()
    }
}

/// A search in the list, until it is dropped.
pub(crate) struct Listed {
    app: App,
    name: String,
}

impl Listed {
    pub(crate) fn new(app: &App, session: &str, cancel: &Cancel) -> Result<Listed, ApiError> {
        let name = random_name()?;
        let mut searches = app.searches.lock();
        if searches.values().filter(|search| search.session == session).count() >= app.settings.of_session {
            return Err(ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                format!(
                    "{} searches of this session are running or waiting: stop one of them first",
                    app.settings.of_session
                ),
            ));
        }
        searches.insert(name.clone(), Search { session: session.to_owned(), cancel: cancel.clone() });
        drop(searches);
        Ok(Listed { app: app.clone(), name })
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.app.searches.lock().remove(&self.name);
    }
}

/// How long a search may take at most.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// Seconds; the server has a limit as well.
    #[serde(default)]
    pub(crate) seconds: Option<f64>,
}

pub(crate) fn time(app: &App, seconds: Option<f64>, default: Duration) -> Result<Duration, ApiError> {
    match seconds.map(Duration::try_from_secs_f64) {
        None => Ok(default.min(app.settings.search_time)),
        Some(Ok(time)) => Ok(time.min(app.settings.search_time)),
        Some(Err(_)) => Err(ApiError::input("`seconds` has to be a positive number")),
    }
}

/// What a session asks. Its text may have to be read again.
pub(crate) async fn question(app: &App, id: &str) -> Result<Question, ApiError> {
    let (app, session) = (app.clone(), app.sessions.get(id)?);
    quickly(move || question_of(&app, &session)).await
}

fn question_of(app: &App, session: &Shared) -> Result<Question, ApiError> {
    let session = session.lock().unwrap_or_else(|e| e.into_inner());
    let state = session.state();
    let games = match session.text() {
        Some(text) => app.catalog.with_game(&text).map_err(ApiError::input)?,
        None => (*app.catalog).clone(),
    };
    Ok(Question {
        games,
        game: session.info().name.clone(),
        position: state.position.show(),
        to_play: state.to_play,
        ends_in_score: state.position.ends_in_score(),
    })
}

/// How often a page hears that a search is still alive. Short enough that one who hung up is noticed soon.
const TICK: Duration = Duration::from_millis(200);

/// Starts the analysis of a session's position; the answer is a stream of events.
pub async fn analysis(
    State(app): State<App>,
    Path(id): Path<String>,
    Input(wanted): Input<Wanted>,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, Infallible>>>, ApiError> {
    let question = question(&app, &id).await?;
    let cancel = Cancel::default();
    let time = time(&app, wanted.seconds, app.settings.search_time)?;
    let listed = Listed::new(&app, &id, &cancel)?;
    let (tell, told) = mpsc::unbounded_channel();
    let (given_up, memory, flag) = (tell.clone(), app.settings.search_memory, cancel.clone());
    let begun_with: Arc<OnceLock<Arc<Budget>>> = Arc::default();
    let budget = begun_with.clone();
    app.engine.send(Job {
        work: Box::new(move |engine| {
            let effort = Effort::new(time, memory, &flag);
            _ = begun_with.set(effort.budget.clone());
            let tell = |event: Event| _ = tell.send(event);
            analysts::analyse(engine, &question, &effort, &tell);
        }),
        time,
        cancel: cancel.clone(),
        lost: Box::new(move || _ = given_up.send(error_event(LOST))),
    })?;
    let mut clock = tokio::time::interval(TICK);
    clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let begun = Event { event: "started", data: json!({ "search": listed.name }) };
    let stream = Telling {
        first: Some(begun),
        told,
        clock,
        budget,
        since: Instant::now(),
        is_over: false,
        _listed: listed,
        _guard: CancelOnDrop(cancel),
    };
    Ok(Sse::new(unfold(stream, |mut telling| async move {
        let event = telling.next().await?;
        Some((Ok(sse::Event::default().event(event.event).data(event.data.to_string())), telling))
    })))
}

/// What is told about a search. Dropped when the page hangs up, and then the search ends.
struct Telling {
    first: Option<Event>,
    told: mpsc::UnboundedReceiver<Event>,
    clock: tokio::time::Interval,
    /// What the search has spent, once it has begun.
    budget: Arc<OnceLock<Arc<Budget>>>,
    since: Instant,
    /// The last event has been told: nothing comes after it.
    is_over: bool,
    _listed: Listed,
    _guard: CancelOnDrop,
}

impl Telling {
    async fn next(&mut self) -> Option<Event> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        if self.is_over {
            return None;
        }
        tokio::select! {
            biased;
            event = self.told.recv() => {
                self.is_over = event.as_ref().is_some_and(|told| ["result", "error"].contains(&told.event));
                event
            }
            _ = self.clock.tick() => {
                let seconds = self.since.elapsed().as_secs_f64();
                Some(Event {
                    event: "progress",
                    data: match self.budget.get() {
                        Some(budget) => json!({ "nodes": budget.nodes(), "seconds": seconds, "waiting": false }),
                        None => json!({ "nodes": 0, "seconds": seconds, "waiting": true }),
                    },
                })
            }
        }
    }
}

/// Stops a search; what is known comes as its last event.
pub async fn stop(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    match app.searches.lock().get(&id) {
        Some(search) => {
            search.cancel.cancel();
            Ok(StatusCode::NO_CONTENT)
        }
        None => Err(ApiError::new(StatusCode::NOT_FOUND, "there is no such search, or it has ended")),
    }
}

/// What the engine is asked to do.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Who chooses the move.
    #[serde(default)]
    player: Option<String>,
    /// Seconds for the move.
    #[serde(default)]
    seconds: Option<f64>,
    /// Only say which move, do not make it.
    #[serde(default)]
    hint: bool,
}

/// A move of the engine.
#[derive(Serialize)]
pub struct EngineMove {
    #[serde(rename = "move")]
    made: String,
    gesture: Vec<String>,
    why: String,
    #[serde(flatten)]
    answer: crate::api::Answer,
}

/// Which position the explorer asks about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Further {
    /// The moves that lead there, each with who makes it.
    path: Vec<Turn>,
    /// Seconds.
    #[serde(default)]
    seconds: Option<f64>,
}

/// A move and who makes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    #[serde(with = "gb_record::view::side")]
    player: Player,
    #[serde(rename = "move")]
    text: String,
}

/// The longest line that is explored.
const LONGEST_PATH: usize = 100;

/// The options of a position that is reached from a session's by moves, with what they leave.
pub async fn explore(
    State(app): State<App>,
    Path(id): Path<String>,
    Input(further): Input<Further>,
) -> Result<Json<analysts::Explored>, ApiError> {
    if further.path.len() > LONGEST_PATH {
        return Err(ApiError::input(format!("the line is too long: at most {LONGEST_PATH} moves")));
    }
    let question = question(&app, &id).await?;
    let cancel = Cancel::default();
    let _guard = CancelOnDrop(cancel.clone());
    let _listed = Listed::new(&app, &id, &cancel)?;
    let time = time(&app, further.seconds, Duration::from_secs(5))?;
    let memory = app.settings.search_memory;
    let found = ask(&app.engine, time, &cancel, move |engine, cancel| {
        let effort = Effort::new(time, memory, &cancel);
        let path: Vec<(Player, String)> =
            further.path.into_iter().map(|turn| (turn.player, turn.text)).collect();
        analysts::explore(engine, &question, &path, &effort)
    });
    Ok(Json(found.await?.map_err(|error| ApiError::input(error.to_string()))?))
}

/// Lets the engine make a move, or say which it would make.
pub async fn engine_move(
    State(app): State<App>,
    Path(id): Path<String>,
    Input(asked): Input<Asked>,
) -> Result<Json<EngineMove>, ApiError> {
    let shared = app.sessions.get(&id)?;
    let question = question(&app, &id).await?;
    let (position, to_play) = (question.position.clone(), question.to_play);
    let cancel = Cancel::default();
    // Whoever hangs up drops this, and the search ends.
    let _guard = CancelOnDrop(cancel.clone());
    let _listed = Listed::new(&app, &id, &cancel)?;
    let time = time(&app, asked.seconds, Duration::from_secs(2))?;
    let memory = app.settings.search_memory;
    let chosen = ask(&app.engine, time, &cancel, move |engine, cancel| {
        let effort = Effort::new(time, memory, &cancel);
        analysts::choose(engine, &question, asked.player.as_deref(), &effort)
    });
    let chosen = chosen.await?.map_err(|error| ApiError::input(error.to_string()))?;
    let mut session = shared.lock().unwrap_or_else(|e| e.into_inner());
    if !asked.hint {
        let state = session.state();
        if state.position.show() != position || state.to_play != to_play {
            return Err(ApiError::new(StatusCode::CONFLICT, "the position was changed meanwhile"));
        }
        session.play(&chosen.text)?;
    }
    Ok(Json(EngineMove {
        made: chosen.text,
        gesture: chosen.gesture,
        why: chosen.why,
        answer: crate::api::Answer::of(id, &session),
    }))
}

/// Why a search that does not stop ends without an answer.
const LOST: &str = "the search did not stop in time and was given up; the engine goes on without it";

/// Has some work done by a pool, and waits for what comes of it.
///
/// # Errors
/// If too much is waiting, or the work failed or did not stop.
pub async fn ask<P, T: Send + 'static>(
    pool: &Pool<P>,
    time: Duration,
    cancel: &Cancel,
    work: impl FnOnce(&mut P, Cancel) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let (tell, told) = oneshot::channel();
    // Whoever comes first takes it: the work, or the watchdog.
    let tell = Arc::new(Mutex::new(Some(tell)));
    let (given_up, flag) = (tell.clone(), cancel.clone());
    let take = |tell: &Mutex<Option<_>>| tell.lock().unwrap_or_else(|e| e.into_inner()).take();
    pool.send(Job {
        work: Box::new(move |place| {
            let found = work(place, flag);
            if let Some(tell) = take(&tell) {
                _ = oneshot::Sender::send(tell, Some(found));
            }
        }),
        time,
        cancel: cancel.clone(),
        lost: Box::new(move || {
            if let Some(tell) = take(&given_up) {
                _ = oneshot::Sender::send(tell, None);
            }
        }),
    })?;
    match told.await {
        Ok(Some(found)) => Ok(found),
        Ok(None) => Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, LOST)),
        Err(_) => {
            let sentence = "the search failed inside the engine";
            Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, sentence))
        }
    }
}

/// An error as the last event.
pub fn error_event(sentence: &str) -> Event {
    Event { event: "error", data: json!({ "error": sentence }) }
}

/// Any data as an event.
pub fn event(name: &'static str, data: &impl Serialize) -> Event {
    Event { event: name, data: serde_json::to_value(data).unwrap_or(Json_::Null) }
}
