//! Who may ask, and what browsers are told about every answer.
//!
//! A page on another site can make a browser send requests here, and a name server can make its own name mean this
//! machine. So only requests that are addressed to a known name are answered, and none that another page has sent.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::assets;
use crate::error::ApiError;

/// No `cross-origin-opener-policy`: it makes browsers begin a new process for the page, which is painted 30 ms later then; and
/// a page that opens this one gets nothing from it, since nothing here listens to messages, and no frames are allowed.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Refuses requests from elsewhere, and adds headers to every answer.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match refusal(&app, request.uri(), request.headers()) {
        Some(sentence) => ApiError::new(StatusCode::FORBIDDEN, sentence).into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS.into_iter().chain([(header::CONTENT_SECURITY_POLICY, assets::policy())]) {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    // What is asked of the interface changes all the time; files say for themselves.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn refusal(app: &App, uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let host = headers
        .get(header::HOST)
        .and_then(|value| value.to_str().ok())
        .or(uri.authority().map(|a| a.as_str()));
    let Some(host) = host.filter(|_| headers.get_all(header::HOST).iter().count() <= 1) else {
        return Some("the request does not say to which host it goes".into());
    };
    let name = host_name(host);
    let known = ["localhost", "127.0.0.1", "[::1]"];
    if !known.contains(&name)
        && !app.bench.settings.hosts.iter().any(|other| other.eq_ignore_ascii_case(name))
    {
        return Some(format!("this server does not answer to the name `{}`", shorten(name)));
    }
    let origin = headers.get(header::ORIGIN).map(|value| value.to_str().unwrap_or(""));
    if origin.is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
        return Some("this server answers only to its own page".into());
    }
    let site = headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or(""));
    // Someone may follow a link to the page itself; asking for anything else from elsewhere is not allowed.
    let is_page = uri.path() == "/";
    if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) && !is_page {
        return Some("this server answers only to its own page".into());
    }
    None
}

fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(60).collect()
}
