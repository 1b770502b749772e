//! A server to ask.

use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, Uri};
use gb_web::{Server, Settings, make_app};
use http_body_util::BodyExt;
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;
use tower::ServiceExt;

/// An app with small limits, so that they are met.
pub fn app() -> Router {
    make_app(Server::start(settings()).unwrap())
}

/// Limits for tests.
pub fn settings() -> Settings {
    Settings {
        searches: 2,
        threads: 1,
        search_time: Duration::from_secs(20),
        arrival: Duration::from_millis(700),
        ..Settings::default()
    }
}

/// A request as the page sends it.
pub fn post(path: &str, body: &Json) -> Request<Body> {
    Request::post(path)
        .header("host", "localhost:8080")
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .unwrap()
}

/// A request for something.
pub fn get(path: &str) -> Request<Body> {
    Request::get(path).header("host", "localhost").body(Body::empty()).unwrap()
}

/// Status and text of an answer.
pub async fn text(app: &Router, request: Request<Body>) -> (StatusCode, String) {
    let response = app.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

/// Status and JSON of an answer.
pub async fn ask(app: &Router, request: Request<Body>) -> (StatusCode, Json) {
    let (status, text) = text(app, request).await;
    (status, serde_json::from_str(&text).unwrap_or(Json::Null))
}

/// A new session.
pub async fn open(app: &Router, game: &str, position: &str) -> Json {
    let (status, view) =
        ask(app, post("/api/sessions", &json!({ "game": game, "position": position }))).await;
    assert_eq!(status, StatusCode::CREATED, "{view}");
    view
}

/// The path of a session.
pub fn path(view: &Json) -> String {
    format!("/api/sessions/{}", view["session"].as_str().unwrap())
}

/// The events of a stream, as names and data.
pub fn events(text: &str) -> Vec<(String, Json)> {
    let field = |block: &str, name: &str| {
        block.lines().find_map(|line| line.strip_prefix(name).map(|rest| rest.trim().to_owned()))
    };
    text.split("\n\n")
        .filter_map(|block| {
            Some((field(block, "event:")?, serde_json::from_str(&field(block, "data:")?).ok()?))
        })
        .collect()
}

/// A server on a free port of this machine, and its address.
pub async fn listen(settings: Settings) -> (String, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = Server::start(settings).unwrap();
    let task =
        tokio::spawn(async move { gb_web::serve(server, listener, std::future::pending()).await.unwrap() });
    (address, task)
}

/// A server that knows nothing but the files of a folder, as any host of static pages.
pub async fn listen_site(folder: PathBuf) -> (String, tokio::task::JoinHandle<()>) {
    let file = move |uri: Uri| async move {
        let name = uri.path().trim_start_matches('/');
        let name = if name.is_empty() { "index.html" } else { name };
        let kind = match name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        };
        match std::fs::read(folder.join(name)) {
            Ok(contents) => Ok(([("content-type", kind)], contents)),
            Err(_) => Err(StatusCode::NOT_FOUND),
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let task =
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(file)).await.unwrap() });
    (address, task)
}
