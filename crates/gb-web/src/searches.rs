//! Searches over HTTP: started with a request, told about in events, stopped with another request or by hanging up.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::sse::{self, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use futures_util::stream::unfold;
use gb_value::{Budget, Cancel};
use serde_json::json;
use tokio::sync::{mpsc, oneshot};

use crate::App;
use crate::analysts::{Event, error_event};
use crate::api::quickly;
use crate::engine::{CancelOnDrop, Job, Pool};
use crate::error::ApiError;
use crate::task::{Task, Work, calculate};

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
        if searches.values().filter(|search| search.session == session).count()
            >= app.bench.settings.of_session
        {
            return Err(ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                format!(
                    "{} searches of this session are running or waiting: stop one of them first",
                    app.bench.settings.of_session
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

/// A name that cannot be guessed.
pub fn random_name() -> Result<String, ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// How often a page hears that a search is still alive. Short enough that one who hung up is noticed soon.
const TICK: Duration = Duration::from_millis(200);

/// Carries out a task, and answers the request that asked for it.
///
/// # Errors
/// If too much is running already, or there is no answer.
pub async fn carry_out(app: App, task: Task) -> Result<Response, ApiError> {
    let cancel = Cancel::default();
    // In the list until the request is answered.
    let mut listed = match &task.session {
        Some(session) => Some(Listed::new(&app, session, &cancel)?),
        None => None,
    };
    if task.tells()
        && let Some(listed) = listed.take()
    {
        return tell(&app, task, cancel, listed).map(IntoResponse::into_response);
    }
    // Whoever hangs up drops this, and the search ends.
    let _guard = CancelOnDrop(cancel.clone());
    let then = task.then.clone();
    let found = match task.work {
        Work::Calculate(line) => {
            ask(&app.calculators, task.time, &cancel, move |(), cancel| {
                let budget = Budget::unlimited().with_bytes(task.bytes / 2).with_time(task.time);
                calculate(&line, &budget.with_cancel(cancel))
            })
            .await
        }
        _ => {
            let games = app.bench.games().clone();
            ask(&app.engine, task.time, &cancel, move |engine, cancel| {
                let effort = task.effort(&cancel);
                task.work.run(engine, &games, &effort, &|_| {})
            })
            .await
        }
    }??;
    let bench = app.bench.clone();
    Ok(quickly(move || bench.finish(then, found)).await?.into_response())
}

/// Starts a search that is told about in a stream of events.
fn tell(
    app: &App,
    task: Task,
    cancel: Cancel,
    listed: Listed,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, Infallible>> + use<>>, ApiError> {
    let (tell, told) = mpsc::unbounded_channel();
    let (given_up, flag, games) = (tell.clone(), cancel.clone(), app.bench.games().clone());
    let begun_with: Arc<OnceLock<Arc<Budget>>> = Arc::default();
    let budget = begun_with.clone();
    let time = task.time;
    app.engine.send(Job {
        work: Box::new(move |engine| {
            let effort = task.effort(&flag);
            _ = begun_with.set(effort.budget.clone());
            let tell = |event: Event| _ = tell.send(event);
            if let Err(error) = task.work.run(engine, &games, &effort, &tell) {
                tell(error_event(&error.message));
            }
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
