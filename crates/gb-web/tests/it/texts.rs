//! Games that pages write: opened, asked about, played, kept; and those that are no games.

use axum::Router;
use axum::http::StatusCode;
use serde_json::{Value as Json, json};

use crate::support::{app, ask, events, get, path, post, text};

const STEPS: &str = "game steps(k = 1)\nboard strip\ncells x walks right, o walks left, . empty\nleft: x.{k} -> .{k}x\nright: .o -> o.\nexample x..o.";

async fn open_text(app: &Router, body: Json) -> (StatusCode, Json) {
    ask(app, post("/api/sessions", &body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_a_game_of_its_session_alone() {
    let app = app();
    let (status, view) = open_text(&app, json!({ "text": STEPS })).await;
    assert_eq!(status, StatusCode::CREATED, "{view}");
    assert_eq!((&view["position"], &view["text"]), (&json!("x..o."), &json!(STEPS)));
    assert!(view["derived"]["ends"].as_str().unwrap().starts_with("play ends"), "{view}");
    let name = view["game"]["name"].as_str().unwrap();
    assert!(name.starts_with("steps~"), "{name}");
    let here = path(&view);
    // Values, a move of the engine, and another size or family of it.
    let (status, told) = text(&app, post(&format!("{here}/analysis"), &json!({ "seconds": 5 }))).await;
    assert_eq!(status, StatusCode::OK);
    let result = events(&told).into_iter().find(|(name, _)| name == "shown").unwrap().1;
    assert_eq!(result["sum"]["facts"]["value"], "0", "{result}");
    for player in ["optimal", "mcts", "ab+all"] {
        let asked = json!({ "player": player, "seconds": 0.2, "hint": true });
        let (status, made) = ask(&app, post(&format!("{here}/engine"), &asked)).await;
        assert_eq!((status, &made["move"]), (StatusCode::OK, &json!("a1-b1")), "{player}: {made}");
    }
    let family = json!({ "command": "open", "game": format!("{name}(2)"), "position": "x..o." });
    let (status, other) = ask(&app, post(&here, &family)).await;
    assert_eq!((status, &other["moves"][0]["text"]), (StatusCode::OK, &json!("a1-c1")), "{other}");
    // Nobody else knows the name.
    let (status, _) = open_text(&app, json!({ "game": name, "position": "x..o." })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    // A record has the text with it.
    let (_, record) = text(&app, get(&format!("{here}/record"))).await;
    let (status, again) = open_text(&app, json!({ "record": record })).await;
    assert_eq!((status, &again["text"]), (StatusCode::CREATED, &json!(STEPS)), "{again}");
    let (status, view) = ask(&app, post(&path(&again), &json!({ "command": "play", "text": "a1-c1" }))).await;
    assert_eq!((status, &view["position"]), (StatusCode::OK, &json!("..xo.")), "{view}");
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_that_are_no_games_are_explained() {
    let app = app();
    let long = format!("game long\nboard strip\ncells x a, . b\nleft: x -> .\nrules {}", "x".repeat(30_000));
    let claim = "game false\nboard strip\ncells x a, . b\nleft: x. -> .x\nclaim parts x";
    for (source, part) in [
        ("", "has no line `game`"),
        ("game x\nboard gird", "line 2, column 7: found `gird`"),
        (long.as_str(), "at most 20000 bytes"),
        (claim, "line 5, column 7: the text claims `parts x`, but that is false"),
    ] {
        let (status, answer) = open_text(&app, json!({ "text": source })).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
        let said = answer["error"].as_str().unwrap();
        assert!(said.contains(part), "{said}");
    }
    let record = "(;FF[4]GAME[steps~000000]POS[x]TEXT[game steps\nboard gird])";
    let (status, answer) = open_text(&app, json!({ "record": record })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer["error"].as_str().unwrap().contains("found `gird`"), "{answer}");
}

/// Boards of two texts, one of the list and a value: moves, the analysis, a record.
#[tokio::test(flavor = "multi_thread")]
async fn texts_are_summands_of_their_session() {
    let app = app();
    let other = "game nibble\nboard heap\nboth: n -> n-1 ; n -> n-2";
    let names: Vec<String> = {
        let mut names = vec![];
        for source in [STEPS, other] {
            let (_, view) = open_text(&app, json!({ "text": source })).await;
            names.push(view["game"]["name"].as_str().unwrap().to_owned());
        }
        names
    };
    let both = format!("{STEPS}\n{other}");
    let position = format!("{} x..o. + {} 4 + domineering ..|.. + +-1", names[0], names[1]);
    let (status, view) = open_text(&app, json!({ "game": "sum", "text": both, "position": position })).await;
    assert_eq!(status, StatusCode::CREATED, "{view}");
    let titles: Vec<&str> =
        view["summands"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Steps", "Nibble", "Domineering", ""]);
    let here = path(&view);
    let (status, told) = text(&app, post(&format!("{here}/analysis"), &json!({ "seconds": 5 }))).await;
    assert_eq!(status, StatusCode::OK);
    let result = events(&told).into_iter().find(|(name, _)| name == "shown").unwrap().1;
    // 0, *, and twice a move that is worth one point.
    assert_eq!(result["sum"]["facts"]["value"], "⋆", "{result}");
    let (status, view) = ask(&app, post(&here, &json!({ "command": "play", "text": "2:a4" }))).await;
    assert_eq!(status, StatusCode::OK, "{view}");
    let (_, record) = text(&app, get(&format!("{here}/record"))).await;
    let (status, again) = open_text(&app, json!({ "record": record })).await;
    assert_eq!((status, &again["text"]), (StatusCode::CREATED, &json!(both)), "{again}");
    // One of them alone has its own text.
    let alone = json!({ "game": names[1], "text": both, "position": "4" });
    let (status, view) = open_text(&app, alone).await;
    assert_eq!((status, &view["text"]), (StatusCode::CREATED, &json!(other)), "{view}");
    // Whoever writes a game writes one.
    let (status, answer) = open_text(&app, json!({ "text": both })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer["error"].as_str().unwrap().contains("one line `game`"), "{answer}");
}
