//! Proofs over HTTP: certificates of who wins, and what a certificate proves.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use gb_value::{Budget, Cancel};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::analysts::{self, Effort};
use crate::body::Input;
use crate::engine::CancelOnDrop;
use crate::error::ApiError;
use crate::searches::{Listed, Wanted, ask, question, time};

/// How long a proof is looked for, or checked, where nothing else is said.
const USUAL: Duration = Duration::from_secs(20);

/// Proves who wins a session's position, whoever begins: the certificate as a file.
pub async fn prove(
    State(app): State<App>,
    Path(id): Path<String>,
    Input(wanted): Input<Wanted>,
) -> Result<Response, ApiError> {
    let question = question(&app, &id).await?;
    let cancel = Cancel::default();
    let _guard = CancelOnDrop(cancel.clone());
    let _listed = Listed::new(&app, &id, &cancel)?;
    let time = time(&app, wanted.seconds, USUAL)?;
    let memory = app.settings.search_memory;
    let found = ask(&app.engine, time, &cancel, move |engine, cancel| {
        analysts::prove(engine, &question, &Effort::new(time, memory, &cancel))
    });
    let certificate = found.await?.map_err(|error| ApiError::input(error.to_string()))?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"gamebench.proof\""),
    ];
    Ok((headers, certificate).into_response())
}

/// A certificate that somebody has.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    certificate: String,
}

/// What a certificate proves; an error if a line of it does not follow.
pub async fn check(State(app): State<App>, Input(sent): Input<Sent>) -> Result<Json<Value>, ApiError> {
    let cancel = Cancel::default();
    let _guard = CancelOnDrop(cancel.clone());
    let time = time(&app, None, USUAL)?;
    let memory = app.settings.search_memory;
    let checked = ask(&app.engine, time, &cancel, move |engine, cancel| {
        let budget = Budget::unlimited().with_time(time).with_bytes(memory).with_cancel(cancel);
        engine.check_proof(sent.certificate.as_bytes(), &budget)
    });
    let checked = checked.await?.map_err(|error| ApiError::input(error.to_string()))?;
    let claims: Vec<String> = checked.claims.iter().map(ToString::to_string).collect();
    Ok(Json(json!({ "claims": claims, "lines": checked.lines })))
}
