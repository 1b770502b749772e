//! Many clients at once, on sockets of this machine: each opens sessions, plays, walks, analyses, calculates.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value as Json, json};

use crate::support::listen;

type Http = Client<hyper_util::client::legacy::connect::HttpConnector, Body>;

struct Load {
    http: Http,
    address: String,
    requests: AtomicU64,
    /// Answers to commands: how many took so many milliseconds.
    clicks: [AtomicU64; 1000],
}

impl Load {
    async fn post(&self, path: &str, body: &Json) -> (StatusCode, String) {
        let request = Request::post(format!("http://{}{path}", self.address))
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        let response = self.http.request(request).await.expect("the server answers");
        let status = response.status();
        let bytes = response.into_body().collect().await.expect("the answer arrives").to_bytes();
        self.requests.fetch_add(1, Relaxed);
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    async fn click(&self, path: &str, body: &Json) -> Json {
        let start = Instant::now();
        let (status, text) = self.post(path, body).await;
        assert!(status.is_success(), "{path}: {status} {text}");
        let place = (start.elapsed().as_millis() as usize).min(self.clicks.len() - 1);
        self.clicks[place].fetch_add(1, Relaxed);
        serde_json::from_str(&text).unwrap()
    }

    /// One client, until the time is over.
    async fn client(&self, number: usize, end: Instant) {
        let games = [
            ("domineering", "4x4"),
            ("clobber", "3x4"),
            ("nim", "3,5,7"),
            ("toads-and-frogs", "tt..ff"),
            ("go", ""),
            ("chess", ""),
            ("konane", "4x4"),
        ];
        let mut round = number;
        while Instant::now() < end {
            let (game, position) = games[round % games.len()];
            round += 1;
            let mut view = self.click("/api/sessions", &json!({ "game": game, "position": position })).await;
            let path = format!("/api/sessions/{}", view["session"].as_str().unwrap());
            for turn in 0..3 {
                let Some(mv) =
                    view["moves"].as_array().and_then(|moves| moves.get((round + turn) % moves.len().max(1)))
                else {
                    break;
                };
                view = self.click(&path, &json!({ "command": "play", "text": mv["text"] })).await;
            }
            view = self.click(&path, &json!({ "command": "first" })).await;
            assert_eq!(view["at"], 0);
            // All engines may be busy: that is an answer as well.
            let (status, text) = self.post(&format!("{path}/analysis"), &json!({ "seconds": 2 })).await;
            assert!(
                status == StatusCode::SERVICE_UNAVAILABLE
                    || text.contains("event: result")
                    || text.contains("event: error"),
                "{status} {text}"
            );
            assert!(!text.contains("inside the"), "{text}");
            let (status, text) = self.post(&format!("{path}/engine"), &json!({ "seconds": 0.5 })).await;
            assert!(status.is_success() || status == StatusCode::SERVICE_UNAVAILABLE, "{status} {text}");
            let (status, text) = self.post("/api/calc", &json!({ "line": "{3|{1|-2}} + ^" })).await;
            assert!(status.is_success() || status == StatusCode::SERVICE_UNAVAILABLE, "{status} {text}");
        }
    }
}

/// Bytes of memory that this process holds.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
}

async fn run(clients: usize, time: Duration) {
    let (address, _server) = listen(gb_web::Settings::default()).await;
    let http = Client::builder(TokioExecutor::new()).build_http();
    let clicks = std::array::from_fn(|_| AtomicU64::new(0));
    let load = Arc::new(Load { http, address, requests: AtomicU64::new(0), clicks });
    // Once around, so that tables that stay are there already.
    load.client(0, Instant::now() + Duration::from_millis(1)).await;
    let before = resident();
    let end = Instant::now() + time;
    let tasks: Vec<_> = (0..clients)
        .map(|number| {
            let load = load.clone();
            tokio::spawn(async move { load.client(number, end).await })
        })
        .collect();
    for task in tasks {
        task.await.expect("no client met an error");
    }
    let (status, text) = {
        let request =
            Request::get(format!("http://{}/api/status", load.address)).body(Body::empty()).unwrap();
        let response = load.http.request(request).await.unwrap();
        (response.status(), response.into_body().collect().await.unwrap().to_bytes())
    };
    assert_eq!(status, StatusCode::OK);
    let left: Json = serde_json::from_slice(&text).unwrap();
    assert_eq!(left["searches"], 0, "no search is left behind");
    let counts: Vec<u64> = load.clicks.iter().map(|count| count.load(Relaxed)).collect();
    let total: u64 = counts.iter().sum();
    let within = |share: f64| {
        let mut seen = 0;
        counts.iter().position(|count| {
            seen += count;
            seen as f64 >= share * total as f64
        })
    };
    println!(
        "{clients} clients, {} s: {} requests, {total} clicks; half within {:?} ms, 95 % within {:?} ms, 99 % within {:?} ms; \
         memory {:?} MB before, {:?} MB after",
        time.as_secs(),
        load.requests.load(Relaxed),
        within(0.5).unwrap_or(0) + 1,
        within(0.95).unwrap_or(0) + 1,
        within(0.99).unwrap_or(0) + 1,
        before.map(|bytes| bytes >> 20),
        resident().map(|bytes| bytes >> 20),
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn some_clients_for_a_moment() {
    run(12, Duration::from_secs(2)).await;
}

/// `cargo test --release -p gb-web --test it -- --ignored --nocapture fifty`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes a minute; its figures are in docs/performance.md"]
async fn fifty_clients_for_a_minute() {
    run(50, Duration::from_secs(60)).await;
}
