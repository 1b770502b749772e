//! Those who mean no good get the right answer.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tower::ServiceExt;

use crate::support::{app, ask, get, listen, open, path, post, settings, text};

#[tokio::test(flavor = "multi_thread")]
async fn foreign_hosts_and_pages_are_refused() {
    let app = app();
    let with = |headers: &[(&str, &str)]| {
        let mut request = Request::get("/api/games");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    };
    for fine in [
        &[("host", "localhost:8080")][..],
        &[("host", "127.0.0.1")],
        &[("host", "[::1]:8080"), ("origin", "http://[::1]:8080")],
        &[("host", "localhost:8080"), ("origin", "http://localhost:8080"), ("sec-fetch-site", "same-origin")],
    ] {
        assert_eq!(text(&app, with(fine)).await.0, StatusCode::OK, "{fine:?}");
    }
    for foreign in [
        &[][..],
        &[("host", "evil.example")],
        &[("host", "localhost.evil.example:8080")],
        &[("host", "localhost"), ("host", "evil.example")],
        &[("host", "localhost:8080"), ("origin", "http://evil.example")],
        &[("host", "localhost:8080"), ("origin", "http://localhost:9999")],
        &[("host", "localhost:8080"), ("origin", "null")],
        &[("host", "localhost:8080"), ("sec-fetch-site", "cross-site")],
    ] {
        assert_eq!(text(&app, with(foreign)).await.0, StatusCode::FORBIDDEN, "{foreign:?}");
    }
    let answer = app.clone().oneshot(get("/")).await.unwrap();
    let policy = answer.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_are_limited_and_read_strictly() {
    let app = app();
    let raw = |body: String| {
        Request::post("/api/sessions")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .body(Body::from(body))
            .unwrap()
    };
    let huge = format!(r#"{{"game":"{}"}}"#, "x".repeat(2 << 20));
    assert_eq!(text(&app, raw(huge)).await.0, StatusCode::PAYLOAD_TOO_LARGE);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for bad in [deep.as_str(), "", "{", "[]", r#"{"game":"nim","colour":"red"}"#, r#"{"game":7}"#, "\u{0}"] {
        let (status, answer) = ask(&app, raw(bad.to_owned())).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{:.40}", bad);
        assert!(answer["error"].as_str().unwrap().starts_with("the body is wrong"));
    }
    let form =
        Request::post("/api/sessions").header("host", "localhost").body(Body::from("game=nim")).unwrap();
    assert_eq!(text(&app, form).await.0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(text(&app, get("/api/nothing")).await.0, StatusCode::NOT_FOUND);
    assert_eq!(text(&app, get("/..%2fCargo.toml")).await.0, StatusCode::NOT_FOUND);
    assert_eq!(text(&app, get("/api/calc")).await.0, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_limited_and_wrong_ones_explained() {
    let app = app();
    for (game, position, part) in [
        ("nim", "65535,65535", "too large"),
        ("cutcake", "100x100", "too large"),
        ("clobber", "xo|x", "row 2"),
        ("clobber", "xq", "q"),
        ("clober", "xo", "did you mean `clobber`?"),
        ("domineering", "0x0", ""),
        ("go", "X?|..", "row 1, column 2"),
        ("chess", "8/8 w", ""),
    ] {
        let body = json!({ "game": game, "position": position });
        let (status, answer) = ask(&app, post("/api/sessions", &body)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{game} {position}: {answer}");
        assert!(answer["error"].as_str().unwrap().contains(part), "{answer}");
    }
    let (status, answer) =
        ask(&app, post("/api/sessions", &json!({ "record": "(;GM[1]SZ[9];B[zz])" }))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer["error"].as_str().unwrap().contains("line 1"), "{answer}");
    let view = open(&app, "nim", "3").await;
    for seconds in [json!(-1), json!(1e300)] {
        let body = json!({ "seconds": seconds });
        let (status, _) = text(&app, post(&format!("{}/analysis", path(&view)), &body)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

/// Polls until something is so; the tests have no times in them but this limit.
async fn eventually(address: &str, part: &str) -> String {
    for _ in 0..400 {
        let status =
            raw(address, "GET /api/status HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
        if status.contains(part) {
            return status;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{part} never came");
}

async fn raw(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    _ = stream.read_to_string(&mut answer).await;
    answer
}

fn raw_post(path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

async fn open_long(address: &str) -> String {
    let opened = raw(address, &raw_post("/api/sessions", r#"{"game":"domineering","position":"8x8"}"#)).await;
    let at = opened.find(r#""session":""#).unwrap_or_else(|| panic!("{opened}")) + 11;
    opened[at..at + 32].to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_dies_with_its_client_and_stops_when_told() {
    let (address, _server) = listen(settings()).await;
    let session = open_long(&address).await;
    let start = raw_post(&format!("/api/sessions/{session}/analysis"), "{}");
    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.write_all(start.as_bytes()).await.unwrap();
    let mut some = [0; 64];
    stream.read_exact(&mut some).await.unwrap();
    eventually(&address, r#""searches":1"#).await;
    drop(stream);
    eventually(&address, r#""searches":0"#).await;
    // Stopped by a request, it says what it knows.
    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.write_all(start.as_bytes()).await.unwrap();
    let mut seen = String::new();
    while !seen.contains("\"search\":\"") || !seen.contains("event: progress") {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).await.unwrap();
        seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    let at = seen.find("\"search\":\"").unwrap() + 10;
    let stop = format!("/api/searches/{}/stop", &seen[at..at + 32]);
    let answer = raw(&address, &raw_post(&stop, "")).await;
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    stream.read_to_string(&mut seen).await.unwrap();
    assert!(seen.contains("event: result") && seen.contains("cancelled"), "{seen}");
    let answer = raw(&address, &raw_post(&stop, "")).await;
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_clients_are_sent_away() {
    let (address, _server) = listen(settings()).await;
    // A header that never ends.
    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nhost: loc").await.unwrap();
    let mut answer = String::new();
    _ = stream.read_to_string(&mut answer).await;
    assert!(!answer.contains("200 OK"), "{answer}");
    // A body that never comes.
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let head = raw_post("/api/calc", r#"{"line":"1"}"#).replace("length: 12", "length: 1200");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    _ = stream.read_to_string(&mut answer).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    // What is no request at all.
    assert!(raw(&address, "\u{1}\u{2}\u{3}\r\n\r\n").await.starts_with("HTTP/1.1 400"));
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_and_searches_have_a_limit() {
    let (address, _server) =
        listen(gb_web::Settings { sessions: 3, searches: 1, waiting: 1, ..settings() }).await;
    let mut names = vec![];
    for _ in 0..4 {
        names.push(open_long(&address).await);
    }
    let gone = raw(
        &address,
        &format!("GET /api/sessions/{} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", names[0]),
    )
    .await;
    assert!(gone.starts_with("HTTP/1.1 404"), "the oldest makes room: {gone}");
    let mut streams = vec![];
    let mut refused = 0;
    for _ in 0..4 {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream
            .write_all(raw_post(&format!("/api/sessions/{}/analysis", names[3]), "{}").as_bytes())
            .await
            .unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).await.unwrap();
        refused += usize::from(&head == b"HTTP/1.1 503");
        streams.push(stream);
    }
    assert!(refused >= 1, "one runs, one waits, and the others are told so");
    drop(streams);
    eventually(&address, r#""searches":0"#).await;
}

/// Requests that once never ended, as many as there are threads for them: the next one is answered.
#[tokio::test(flavor = "multi_thread")]
async fn two_requests_do_not_disable_the_server() {
    let (address, _server) = listen(gb_web::Settings {
        search_time: Duration::from_secs(1),
        calculation_time: Duration::from_secs(1),
        ..settings()
    })
    .await;
    let opened = raw(&address, &raw_post("/api/sessions", r#"{"game":"kayles","position":"2400"}"#)).await;
    let at = opened.find(r#""session":""#).unwrap_or_else(|| panic!("{opened}")) + 11;
    let analysis = raw_post(&format!("/api/sessions/{}/analysis", &opened[at..at + 32]), "{}");
    let line = raw_post("/api/calc", r#"{"line":"tis+*60000"}"#);
    let mut streams = vec![];
    for request in [&line, &line, &analysis, &analysis] {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        streams.push(stream);
    }
    let third = raw(&address, &raw_post("/api/calc", r#"{"line":"1+1"}"#)).await;
    assert!(third.starts_with("HTTP/1.1 200") && third.contains(r#""value":"2""#), "{third}");
    let nim = raw(&address, &raw_post("/api/sessions", r#"{"game":"nim","position":"3,5"}"#)).await;
    let at = nim.find(r#""session":""#).unwrap_or_else(|| panic!("{nim}")) + 11;
    let third =
        raw(&address, &raw_post(&format!("/api/sessions/{}/analysis", &nim[at..at + 32]), "{}")).await;
    assert!(third.contains("event: result"), "{third}");
    // The first ones are answered as well, and nobody had to be given up for it.
    for mut stream in streams {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
    }
    let status = eventually(&address, r#""searches":0"#).await;
    assert!(status.contains(r#""busy":0"#) || !eventually(&address, r#""busy":0"#).await.is_empty());
    assert!(status.contains(r#""lost":0"#), "{status}");
}

/// Searches that spend their time in one place each: many moves, long heaps, many parts, loops.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_hangs_up_frees_the_engine() {
    let (address, _server) =
        listen(gb_web::Settings { search_time: Duration::from_secs(600), ..settings() }).await;
    for (game, position) in
        [("amazons", "8x8"), ("kayles", "2400"), ("regio", "16x16"), ("fox-and-geese", "8x16")]
    {
        let body = json!({ "game": game, "position": position }).to_string();
        let opened = raw(&address, &raw_post("/api/sessions", &body)).await;
        let at = opened.find(r#""session":""#).unwrap_or_else(|| panic!("{opened}")) + 11;
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let analysis = raw_post(&format!("/api/sessions/{}/analysis", &opened[at..at + 32]), "{}");
        stream.write_all(analysis.as_bytes()).await.unwrap();
        let mut seen = String::new();
        while !seen.contains("event: started") {
            let mut bytes = [0; 1024];
            let count = stream.read(&mut bytes).await.unwrap();
            assert!(count > 0, "{game}: {seen}");
            seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        drop(stream);
        let status = eventually(&address, r#""busy":0"#).await;
        assert!(status.contains(r#""lost":0"#), "{game} had to be given up: {status}");
    }
}

/// Two hundred clients that begin a request and do not go on: others are served meanwhile, and afterwards nothing is left of them.
#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_slow_connections_are_in_nobodys_way() {
    let (address, _server) = listen(settings()).await;
    let mut slow = vec![];
    for number in 0..200 {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let begun = if number % 2 == 0 {
            "GET /api/games HT"
        } else {
            "POST /api/calc HTTP/1.1\r\nhost: localhost\r\ncontent-length: 90\r\n"
        };
        stream.write_all(begun.as_bytes()).await.unwrap();
        slow.push(stream);
    }
    let answer = raw(&address, &raw_post("/api/calc", r#"{"line":"1+1"}"#)).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    for mut stream in slow {
        let mut answer = String::new();
        _ = stream.read_to_string(&mut answer).await;
        assert!(!answer.contains("200 OK"), "{answer}");
    }
}
