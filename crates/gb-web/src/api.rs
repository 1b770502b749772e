//! The bench over HTTP: what [`Bench`](crate::Bench) answers at once, and what has to be searched first.

use axum::Json;
use axum::extract::{FromRequest, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json_, json};

use crate::App;
use crate::bench::{Reply, Route, Step};
use crate::body::Body;
use crate::error::ApiError;
use crate::searches::carry_out;

/// How busy the server is.
pub async fn status(State(app): State<App>) -> Json<Json_> {
    let (search, calculator) = (app.engine.load(), app.calculators.load());
    Json(json!({
        "sessions": app.bench.sessions.len(),
        "searches": app.running(),
        "engines": search.threads,
        "busy": search.busy,
        // Threads that did not stop when they should have, and were replaced.
        "lost": search.lost + calculator.lost,
    }))
}

/// Boards are read and drawn on threads that may take their time.
pub(crate) async fn quickly<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let failed = |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the request failed inside the server");
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

/// Answers a request.
pub async fn answer(State(app): State<App>, request: Request) -> Result<Response, ApiError> {
    let route = Route::find(request.method().as_str(), request.uri().path())?;
    let body = match *request.method() {
        Method::POST => Body::from_request(request, &app).await?.0,
        _ => Default::default(),
    };
    let bench = app.bench.clone();
    match quickly(move || bench.answer(route, &body)).await? {
        Step::Done(reply) => Ok(reply.into_response()),
        Step::Search(task) => carry_out(app, task).await,
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        if self.status == StatusCode::NO_CONTENT {
            return self.status.into_response();
        }
        let file =
            self.file.map(|name| [(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))]);
        let kept = (self.lasting > 0).then(|| [(header::CACHE_CONTROL, format!("max-age={}", self.lasting))]);
        (self.status, [(header::CONTENT_TYPE, self.kind)], file, kept, self.body).into_response()
    }
}

/// For addresses that mean nothing.
pub async fn nothing() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "there is nothing at this address")
}

/// For methods that mean nothing at this address.
pub async fn wrong_method() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not take this method")
}
