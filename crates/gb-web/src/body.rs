//! Bodies of requests: JSON of limited size that arrives in limited time.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};

use crate::App;
use crate::error::ApiError;

/// A body that says it is JSON.
pub struct Body(pub Bytes);

impl FromRequest<App> for Body {
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
        let limit = app.bench.settings.body;
        let body =
            tokio::time::timeout(app.bench.settings.arrival, to_bytes(request.into_body(), limit)).await;
        match body {
            Err(_) => Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive")),
            Ok(Err(_)) => {
                let sentence = format!("the body could not be read, or has more than {limit} bytes");
                Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, sentence))
            }
            Ok(Ok(bytes)) => Ok(Body(bytes)),
        }
    }
}
