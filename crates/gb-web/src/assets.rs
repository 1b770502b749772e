//! The page: files that are part of the program.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../assets/", $name)))),*]
    };
}

/// All files with their names; a test compares the list with the folder.
const FILES: &[(&str, &[u8])] = assets![
    "analysis.js",
    "api.js",
    "app.css",
    "app.js",
    "board.js",
    "calc.js",
    "carrier.js",
    "clock.js",
    "dom.js",
    "edges.js",
    "editor.js",
    "explorer.js",
    "graph.js",
    "icon.svg",
    "index.html",
    "keys.js",
    "late.js",
    "more.css",
    "pieces.js",
    "play.js",
    "proof.js",
    "record.js",
    "setup.js",
    "share.js",
    "sketch.js",
    "start.js",
    "state.js",
    "still.js",
    "sum.js",
    "tour.js",
    "trainer.js",
    "tree.js",
    "types.js",
    "typeset.js",
];

/// The names and sizes of all files.
pub fn sizes() -> Vec<(String, usize)> {
    FILES.iter().map(|(name, contents)| ((*name).to_owned(), contents.len())).collect()
}

/// Where the page asks for its styles. They are sent inside the page instead, so that nothing has to be asked for before
/// something can be painted.
const STYLE_LINK: &str = r#"<link rel="stylesheet" href="app.css">"#;

/// The page with its styles inside.
struct Page {
    text: String,
    policy: String,
}

static PAGE: LazyLock<Page> = LazyLock::new(|| {
    let text = |name: &str| String::from_utf8_lossy(contents(name).unwrap_or_default());
    // Styles that are written into the page are refused, but for those that know this word. It is another one each time the
    // server starts; where there is no random number to be had, the styles are asked for as any other file is.
    let word = getrandom::u64().map(|number| format!("{number:016x}"));
    let inside = word.as_ref().map(|word| format!("<style nonce=\"{word}\">{}</style>", text("app.css")));
    let allowed = word.as_ref().map_or_else(|_| String::new(), |word| format!(" 'nonce-{word}'"));
    Page {
        text: text("index.html").replacen(STYLE_LINK, inside.as_deref().unwrap_or(STYLE_LINK), 1),
        policy: format!(
            "default-src 'none'; script-src 'self'; style-src 'self'{allowed}; img-src 'self' data:; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
    }
});

fn contents(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, contents)| *contents)
}

/// What browsers are told that pages from here may do.
pub fn policy() -> &'static str {
    &PAGE.policy
}

/// The page itself.
pub async fn page(headers: HeaderMap) -> Response {
    answer("text/html; charset=utf-8", PAGE.text.as_bytes(), &headers)
}

/// A file of the page.
pub async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    if name == "index.html" {
        return page(headers).await;
    }
    let Some(contents) = contents(&name) else {
        return ApiError::new(StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "image/svg+xml",
    };
    answer(kind, contents, &headers)
}

fn answer(kind: &str, contents: &'static [u8], headers: &HeaderMap) -> Response {
    // The browser keeps files, but asks each time whether they are still the same: a part of the hash tells versions apart.
    let tag = format!("\"{}\"", &blake3::hash(contents).to_hex()[..16]);
    let common = [(header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag.clone())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    (common, [(header::CONTENT_TYPE, kind)], contents).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_its_styles_inside() {
        assert!(PAGE.text.contains("\">:root {") && !PAGE.text.contains(STYLE_LINK));
        assert!(PAGE.text.matches("</style>").count() == 1);
    }

    #[test]
    fn every_file_of_the_folder_is_in_the_program() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/assets")).unwrap();
        let mut names: Vec<String> =
            folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }
}
