//! The page: files that are part of the program.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
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

/// Where the page asks for its styles. They are sent inside the page instead, so that nothing has to be asked for before
/// something can be painted.
const STYLE_LINK: &str = r#"<link rel="stylesheet" href="app.css">"#;

/// The page with its styles inside.
struct Page {
    text: String,
    tag: String,
    policy: String,
}

static PAGE: LazyLock<Page> = LazyLock::new(|| {
    let file = |name: &str| {
        let file = Assets::get(name);
        file.map_or_else(Default::default, |file| (file.data.into_owned(), file.metadata.sha256_hash()))
    };
    let ((page, page_hash), (style, style_hash)) = (file("index.html"), file("app.css"));
    let style_text = format!("<style>{}</style>", String::from_utf8_lossy(&style));
    let text = String::from_utf8_lossy(&page).replacen(STYLE_LINK, &style_text, 1);
    // Styles that are written into the page are refused, but for these very bytes.
    let hash = base64::engine::general_purpose::STANDARD.encode(style_hash);
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-{hash}'; img-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    Page { text, tag: tag(&[page_hash, style_hash].concat()), policy }
});

/// What browsers are told that pages from here may do.
pub fn policy() -> &'static str {
    &PAGE.policy
}

/// A name of contents: a part of their hash is enough to tell versions apart.
fn tag(hash: &[u8]) -> String {
    let hex: String = hash.iter().step_by(4).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

/// The page itself.
pub async fn page(headers: HeaderMap) -> Response {
    answer("text/html; charset=utf-8", PAGE.tag.clone(), &headers, || PAGE.text.as_str())
}

/// A file of the page.
pub async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    if name == "index.html" {
        return page(headers).await;
    }
    let Some(file) = Assets::get(&name) else {
        return ApiError::new(StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "image/svg+xml",
    };
    answer(kind, tag(&file.metadata.sha256_hash()), &headers, || file.data)
}

fn answer<T: IntoResponse>(
    kind: &str,
    tag: String,
    headers: &HeaderMap,
    contents: impl FnOnce() -> T,
) -> Response {
    // The browser keeps files, but asks each time whether they are still the same.
    let common = [(header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag.clone())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    (common, [(header::CONTENT_TYPE, kind)], contents()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_its_styles_inside() {
        assert!(PAGE.text.contains("<style>:root {") && !PAGE.text.contains(STYLE_LINK));
        assert!(!PAGE.text.contains("</style></style>") && PAGE.text.matches("</style>").count() == 1);
        assert_eq!(tag(&[1, 2, 3, 4, 255]), "\"01ff\"");
    }
}
