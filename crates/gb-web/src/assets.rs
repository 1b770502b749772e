//! The page: files that are part of the program.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::error::ApiError;

#[derive(RustEmbed)]
#[folder = "assets/"]
struct Assets;

/// The names and sizes of all files.
pub fn sizes() -> Vec<(String, usize)> {
    let size = |name: &str| Assets::get(name).map_or(0, |file| file.data.len());
    Assets::iter().map(|name| (name.to_string(), size(&name))).collect()
}

/// The page itself.
pub async fn page(headers: HeaderMap) -> Response {
    answer("index.html", &headers)
}

/// A file of the page.
pub async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    answer(&name, &headers)
}

fn answer(name: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Assets::get(name) else {
        return ApiError::new(StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "image/svg+xml",
    };
    let tag: String = file.metadata.sha256_hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    // The browser keeps files, but asks each time whether they are still the same.
    let common = [(header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag.clone())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    (common, [(header::CONTENT_TYPE, kind)], file.data).into_response()
}
