//! What goes wrong, as an answer.

use gb_record::session::SessionError;
use http::StatusCode;

/// A status and a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiError {
    /// The status.
    pub status: StatusCode,
    /// What was wrong, what was expected.
    pub message: String,
}

impl ApiError {
    /// An error with this status.
    pub fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError { status, message: message.into() }
    }
    /// The request was understood, but what it is about is wrong: a position, a move, an expression.
    pub fn input(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }
}

#[cfg(feature = "server")]
impl axum::response::IntoResponse for ApiError {
    fn into_response(self) -> axum::response::Response {
        (self.status, axum::Json(serde_json::json!({ "error": self.message }))).into_response()
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> Self {
        ApiError::input(error.to_string())
    }
}
