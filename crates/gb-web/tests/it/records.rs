//! Records that mean no good: whatever stands in them comes out as text.

use axum::body::Body;
use axum::http::Response;
use http_body_util::BodyExt;
use serde_json::{Value as Json, json};
use tower::ServiceExt;

use crate::support::{app, get, path, post};

/// What would do something on a page that takes it for HTML, for an attribute, for a script, or for the end of one.
const ATTACKS: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'; alert(1); //",
    "</script><svg onload=alert(1)>",
    "]]><script>alert(1)</script>",
    "javascript:alert(1)",
    "\u{202e}\u{0}\u{1b}[31m&lt;script&gt;",
];

/// Properties that a record may have, those of SGF and ours, and some that nobody knows.
const PROPERTIES: &[&str] = &[
    "AP", "AN", "BL", "BR", "C", "CA", "CP", "DT", "EV", "FF", "GC", "GN", "KM", "LB", "N", "ON", "OT", "PB",
    "PC", "PL", "PW", "RE", "RO", "RU", "SO", "ST", "TM", "US", "V", "VALUE", "WL", "WR", "XSS", "SCRIPT",
];

async fn body(response: Response<Body>) -> String {
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

/// All texts in a JSON value.
fn texts(json: &Json, found: &mut Vec<String>) {
    match json {
        Json::String(text) => found.push(text.clone()),
        Json::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Json::Object(fields) => fields.values().for_each(|item| texts(item, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_record_says_comes_out_as_text() {
    let app = app();
    for attack in ATTACKS {
        let escaped = attack.replace('\\', "\\\\").replace(']', "\\]");
        let mut record = String::from("(;GM[99]GAME[clobber]POS[xo.ox]");
        PROPERTIES.iter().for_each(|name| record += &format!("{name}[a1:{escaped}]"));
        record +=
            &format!(";B[a1-b1]C[{escaped}]LB[a1:{escaped}]N[{escaped}](;W[d1-e1]C[{escaped}])(;W[d1-e1]))");
        let response =
            app.clone().oneshot(post("/api/sessions", &json!({ "record": record }))).await.unwrap();
        assert_eq!(response.status(), 201, "{attack}");
        // JSON that no browser takes for a page.
        assert_eq!(response.headers()["content-type"], "application/json");
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        let view: Json = serde_json::from_str(&body(response).await).unwrap();
        let session = path(&view);
        let plain = attack.replace('\r', "");
        let mut found = vec![];
        texts(&view, &mut found);
        assert!(found.iter().any(|text| text.contains(&plain)), "the comment is shown as it is: {view}");
        // The record comes back, to be saved and not shown.
        let response = app.clone().oneshot(get(&format!("{session}/record"))).await.unwrap();
        assert!(response.headers()["content-disposition"].to_str().unwrap().starts_with("attachment"));
        assert!(response.headers()["content-type"].to_str().unwrap().starts_with("application/x-go-sgf"));
        let again = body(response).await;
        for name in ["C", "EV", "XSS", "SCRIPT", "PB"] {
            assert!(again.contains(&format!("{name}[a1:{escaped}]")), "{name} is kept: {again}");
        }
        // The picture has no word of it.
        let picture = body(app.clone().oneshot(get(&format!("{session}/picture"))).await.unwrap()).await;
        assert!(!picture.contains("alert") && picture.starts_with("<svg"), "{picture}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_positions_and_moves_that_are_attacks_get_a_sentence() {
    let app = app();
    for attack in ATTACKS {
        let escaped = attack.replace('\\', "\\\\").replace(']', "\\]");
        for record in [
            format!("(;GAME[{escaped}]POS[xo])"),
            format!("(;GAME[clobber]POS[{escaped}])"),
            format!("(;GAME[clobber]POS[xo];B[{escaped}])"),
            format!("(;GM[{escaped}])"),
            format!("(;GM[1]SZ[{escaped}])"),
            format!("(;GM[1]SZ[9]AB[{escaped}])"),
            format!("(;GM[1]SZ[9]AB[aa]POS[{escaped}])"),
            format!("(;GM[1]SZ[9];B[{escaped}])"),
            format!("(;GAME[clobber]POS[xo];POS[{escaped}])"),
            attack.to_string(),
        ] {
            let response =
                app.clone().oneshot(post("/api/sessions", &json!({ "record": record }))).await.unwrap();
            assert_eq!(response.status(), 422, "{record}");
            assert_eq!(response.headers()["content-type"], "application/json", "{record}");
            assert_eq!(response.headers()["x-content-type-options"], "nosniff", "{record}");
            let answer: Json = serde_json::from_str(&body(response).await).unwrap();
            assert!(answer["error"].as_str().unwrap().starts_with("line "), "{record}: {answer}");
        }
    }
}

/// The page puts texts where texts go: nothing in its scripts makes HTML of them.
#[test]
fn the_page_makes_no_html_of_texts() {
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut scripts = 0;
    for entry in std::fs::read_dir(assets).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "js" || e == "html") {
            let text = std::fs::read_to_string(&path).unwrap();
            for word in
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"]
            {
                assert!(!text.contains(word), "{} has {word}", path.display());
            }
            scripts += 1;
        }
    }
    assert!(scripts > 1);
}
