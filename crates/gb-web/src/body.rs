//! Bodies of requests: JSON of limited size that arrives in limited time.

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use crate::App;
use crate::error::ApiError;

/// A body of JSON.
pub struct Input<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Input<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        // A form on a foreign page cannot send this type without asking first.
        if kind.is_none_or(|kind| kind.split(';').next().map(str::trim) != Some("application/json")) {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "expected a body of the type application/json",
            ));
        }
        let limit = app.settings.body;
        let body = tokio::time::timeout(app.settings.arrival, to_bytes(request.into_body(), limit)).await;
        let bytes = match body {
            Err(_) => {
                return Err(ApiError::new(
                    StatusCode::REQUEST_TIMEOUT,
                    "the request took too long to arrive",
                ));
            }
            Ok(Err(_)) => {
                let sentence = format!("the body could not be read, or has more than {limit} bytes");
                return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, sentence));
            }
            Ok(Ok(bytes)) => bytes,
        };
        serde_json::from_slice(&bytes)
            .map(Input)
            .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, format!("the body is wrong: {error}")))
    }
}
