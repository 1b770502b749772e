//! What the interface answers.

use axum::http::StatusCode;
use serde_json::json;

use crate::support::{app, ask, events, get, open, path, post, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_kept_and_opened_again() {
    let app = app();
    let view = open(&app, "domineering", "3x3").await;
    let session = path(&view);
    assert_eq!(view["to_play"], "Left");
    assert_eq!(view["scene"]["items"].as_array().unwrap().len(), 9);
    assert_eq!(view["moves"][0]["gesture"], json!(["a1", "a2"]));
    for mv in ["a1-a2", "b1-c1"] {
        let (status, view) = ask(&app, post(&session, &json!({ "command": "play", "text": mv }))).await;
        assert_eq!(status, StatusCode::OK, "{view}");
    }
    let (_, view) = ask(&app, post(&session, &json!({ "command": "back" }))).await;
    assert_eq!((&view["at"], view["tree"].as_array().unwrap().len()), (&json!(1), 3));
    let (status, record) = text(&app, get(&format!("{session}/record"))).await;
    assert_eq!(status, StatusCode::OK);
    let (status, again) = ask(&app, post("/api/sessions", &json!({ "record": record }))).await;
    assert_eq!(status, StatusCode::CREATED);
    assert_eq!(again["tree"].as_array().unwrap().len(), 3);
    assert_ne!(again["session"], view["session"]);
    let (status, svg) = text(&app, get(&format!("{session}/picture"))).await;
    assert!(status == StatusCode::OK && svg.starts_with("<svg"));
}

#[tokio::test(flavor = "multi_thread")]
async fn analysis_tells_parts_then_everything() {
    let app = app();
    let view = open(&app, "domineering", "..#.|..#.").await;
    let (status, stream) =
        text(&app, post(&format!("{}/analysis", path(&view)), &json!({ "seconds": 10 }))).await;
    assert_eq!(status, StatusCode::OK);
    let events = events(&stream);
    let named = |name: &str| {
        events.iter().filter(|(event, _)| event == name).map(|(_, data)| data).collect::<Vec<_>>()
    };
    assert_eq!(events[0].0, "started");
    assert_eq!(named("part").len(), 2);
    let shown = named("shown")[0];
    assert_eq!(shown["parts"][0]["facts"]["value"], "±1");
    // All moves of both, with what they leave; in the switch all are sensible.
    assert_eq!(shown["options"][0].as_array().unwrap().len(), 3);
    assert_eq!(shown["options"][0][0]["facts"]["value"], "2");
    assert!(shown["options"][0].as_array().unwrap().iter().any(|option| option["sensible"] == true));
    assert_eq!(shown["moves"][0][0]["gesture"], json!(["a1", "a2"]));
    assert!(shown["parts"][0]["thermograph"].as_str().unwrap().starts_with("<svg"));
    let result = named("result")[0];
    // The same as the command line prints.
    assert_eq!(result["sum"]["value"], "{2|0}");
    assert_eq!(result["winning"]["left"][0]["move"], "a1-a2");
    assert_eq!(events.last().unwrap().0, "result");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_explorer_looks_further_than_one_move() {
    let app = app();
    let view = open(&app, "domineering", "..#.|..#.").await;
    let explore = format!("{}/explore", path(&view));
    let turn = |player: &str, text: &str| json!({ "player": player, "move": text });
    let (status, found) = ask(&app, post(&explore, &json!({ "path": [turn("Left", "a1-a2")] }))).await;
    assert_eq!(status, StatusCode::OK, "{found}");
    assert_eq!((&found["position"], &found["facts"]["value"]), (&json!("#.#.|#.#."), &json!("2")));
    assert_eq!(found["options"][0].as_array().unwrap().len(), 2, "{found}");
    assert_eq!(found["options"][1], json!([]));
    // The session itself has not moved.
    let (_, same) = ask(&app, get(&path(&view))).await;
    assert_eq!(same["position"], "..#.|..#.");
    let (status, wrong) = ask(&app, post(&explore, &json!({ "path": [turn("Right", "a1-a2")] }))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    let far = vec![turn("Left", "a1-a2"); 101];
    let (status, long) = ask(&app, post(&explore, &json!({ "path": far }))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{long}");
}

#[tokio::test(flavor = "multi_thread")]
async fn go_and_chess_have_reports_of_their_own() {
    let app = app();
    for (game, part) in [("go", "Score"), ("chess", "tempi")] {
        let view = open(&app, game, "").await;
        let (_, stream) = text(&app, post(&format!("{}/analysis", path(&view)), &json!({}))).await;
        let events = events(&stream);
        let shown = &events.iter().find(|(name, _)| name == "shown").unwrap_or_else(|| panic!("{stream}")).1;
        assert!(shown["report"].as_str().unwrap().contains(part), "{shown}");
        assert!(!shown["parts"].as_array().unwrap().is_empty(), "{shown}");
        let (status, moved) = ask(&app, post(&format!("{}/engine", path(&view)), &json!({}))).await;
        assert_eq!(status, StatusCode::OK, "{moved}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_keep_a_score_are_searched_deeper_and_deeper() {
    let app = app();
    let view = open(&app, "regio", "...|...").await;
    let (_, stream) = text(&app, post(&format!("{}/analysis", path(&view)), &json!({ "seconds": 5 }))).await;
    let events = events(&stream);
    let depths: Vec<_> =
        events.iter().filter(|(name, _)| name == "depth").map(|(_, d)| d["depth"].clone()).collect();
    assert!(depths.starts_with(&[json!(1), json!(2)]), "{stream}");
    assert_eq!(events.last().unwrap().0, "result");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_plays_and_hints() {
    let app = app();
    let view = open(&app, "clobber", "xo").await;
    let engine = format!("{}/engine", path(&view));
    let (_, hint) = ask(&app, post(&engine, &json!({ "hint": true }))).await;
    assert_eq!((&hint["move"], &hint["at"]), (&json!("a1-b1"), &json!(0)));
    let (_, moved) = ask(&app, post(&engine, &json!({ "player": "optimal", "seconds": 1 }))).await;
    assert_eq!((&moved["position"], &moved["at"]), (&json!(".x"), &json!(1)));
    assert!(moved["why"].as_str().unwrap().contains("Left is winning"), "{moved}");
    let (status, over) = ask(&app, post(&engine, &json!({}))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(over["error"].as_str().unwrap().contains("no move"));
    let (status, _) = ask(&app, post(&engine, &json!({ "player": "nobody" }))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test(flavor = "multi_thread")]
async fn strategies_for_sums_play_as_well() {
    let app = app();
    let (_, list) = ask(&app, get("/api/games")).await;
    let names: Vec<_> = list["players"].as_array().unwrap().iter().map(|p| p[0].as_str().unwrap()).collect();
    for name in ["optimal", "mcts+all", "hotstrat", "sentestrat", "thermostrat"] {
        assert_eq!(names.iter().filter(|known| **known == name).count(), 1, "{name} in {names:?}");
    }
    // The square is hotter than the row of three.
    let view = open(&app, "domineering", "..#...|..####").await;
    let engine = format!("{}/engine", path(&view));
    for name in &names[1..] {
        let asked = json!({ "player": name, "seconds": 0.2, "hint": true });
        let (status, hint) = ask(&app, post(&engine, &asked)).await;
        if *name == "thermal-alpha-beta" {
            assert!(hint["error"].as_str().unwrap().contains("it plays for points"), "{hint}");
            continue;
        }
        assert_eq!(status, StatusCode::OK, "{name}: {hint}");
        assert!(["a1-a2", "b1-b2"].contains(&hint["move"].as_str().unwrap()), "{name}: {hint}");
        assert_eq!(hint["gesture"].as_array().unwrap().len(), 2, "{name}: {hint}");
    }
    let (status, wrong) = ask(&app, post(&engine, &json!({ "player": "hotstart" }))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong["error"].as_str().unwrap().contains("hotstrat"), "{wrong}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_calculator_keeps_nothing_and_draws() {
    let app = app();
    let (_, first) = ask(&app, post("/api/calc", &json!({ "line": "g := {1|-1} + ^" }))).await;
    assert_eq!((&first["variable"], &first["temperature"]), (&json!("g"), &json!("1")));
    assert!(first["thermograph"].as_str().unwrap().starts_with("<svg"));
    assert_eq!((&first["tree"]["left"][0]["value"], &first["typeset"]), (&json!("1↑"), &json!("1↑|-1↑")));
    let variables = json!([["g", first["value"]]]);
    let (_, mean) = ask(&app, post("/api/calc", &json!({ "line": "mean(g)", "variables": variables }))).await;
    assert_eq!(mean["value"], "0");
    let (status, wrong) = ask(&app, post("/api/calc", &json!({ "line": "{1|" }))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong["error"].as_str().unwrap().contains('^'), "the place is shown");
    let (_, truth) = ask(&app, post("/api/calc", &json!({ "line": "^ > *" }))).await;
    assert_eq!(truth["value"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_calculator_values_positions() {
    let app = app();
    let calc = async |line: &str| ask(&app, post("/api/calc", &json!({ "line": line }))).await;
    // The same as what is known about each position: {1|-1}, and that with a nimber.
    let (_, switch) = calc("domineering 2x2").await;
    assert_eq!((&switch["value"], &switch["board"]["position"]), (&json!("+-1"), &json!("..|..")));
    assert_eq!(switch["board"]["scene"]["items"].as_array().unwrap().len(), 4);
    let (_, sum) = calc("g := domineering 2x2 + nim 3,5 + ^").await;
    assert_eq!((&sum["variable"], &sum["value"]), (&json!("g"), &json!("{1^*6|-1^*6}")));
    assert_eq!(sum["board"]["summands"].as_array().unwrap().len(), 3);
    // What the calculator understands stays what it was.
    let (_, function) = calc("nim(3)").await;
    assert_eq!((&function["value"], &function["board"]), (&json!("*3"), &json!(null)));
    // Without a value there is still a board, and who wins; but no name for it.
    let (_, misere) = calc("misere(nim) 1").await;
    assert_eq!(misere["outcome"], "P");
    assert!(misere["value"].as_str().unwrap().contains("no value") && misere["board"].is_object());
    for (line, part) in [
        ("x := misere(nim) 1", "can only stand for a value"),
        ("clobber xz", "found `z`"),
        ("clobber xo. + {1|", "no summand"),
        ("nim 65535", "too large"),
        ("go 3x3", "Go have no values"),
        ("nimm 3", "expected an operator"),
    ] {
        let (status, wrong) = calc(line).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{line}");
        assert!(wrong["error"].as_str().unwrap().contains(part), "{line}: {wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_do_not_see_each_other() {
    let app = app();
    let (one, two) = (open(&app, "nim", "3").await, open(&app, "nim", "5").await);
    ask(&app, post(&path(&one), &json!({ "command": "play", "text": "a1" }))).await;
    let (_, other) = ask(&app, get(&path(&two))).await;
    assert_eq!((&other["position"], other["tree"].as_array().unwrap().len()), (&json!("5"), 1));
    let (status, _) = ask(&app, get("/api/sessions/00000000000000000000000000000000")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_games_are_listed_and_the_page_is_small() {
    let app = app();
    let (_, list) = ask(&app, get("/api/games")).await;
    let games = list["games"].as_array().unwrap();
    assert_eq!(games.len(), gb_games::NAMES.len() + 2, "Go and sums are no games of the list");
    for game in games {
        open(&app, game["name"].as_str().unwrap(), "").await;
    }
    let total: usize = gb_web::sizes().iter().map(|(_, size)| size).sum();
    assert!(total < 300_000, "the page has {total} bytes");
    let (status, page) = text(&app, get("/")).await;
    assert!(status == StatusCode::OK && page.contains("<!doctype html>"));
}

#[tokio::test]
async fn exercises_are_listed_and_moves_judged() {
    let app = app();
    let (status, list) = ask(&app, get("/api/exercises")).await;
    assert_eq!(status, StatusCode::OK);
    let reti = list["exercises"].as_array().unwrap().iter().find(|one| one["id"] == "reti").unwrap().clone();
    assert_eq!(reti["learner"], "Left");
    let view = open(&app, reti["game"].as_str().unwrap(), reti["position"].as_str().unwrap()).await;
    let lesson = format!("{}/lesson", path(&view));
    let (status, error) = ask(&app, post(&lesson, &json!({ "exercise": "reti" }))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(error["error"], "the last move has to be one of Left in a game of chess");
    let (status, error) = ask(&app, post(&lesson, &json!({ "exercise": "Reti" }))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(error["error"], "there is no exercise `Reti`: /api/exercises lists them");
    ask(&app, post(&path(&view), &json!({ "command": "play", "text": "Kh8-g7" }))).await;
    // A verdict takes seconds where other tests have the processor: it is about what is said, not when.
    let made = json!({ "exercise": "reti", "seconds": 20 });
    let (status, answer) = ask(&app, post(&lesson, &made)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(
        (&answer["judgement"]["grade"], &answer["judgement"]["after"]),
        (&json!("good"), &json!("draw")),
        "{answer}"
    );
    assert_eq!((&answer["to_play"], &answer["standing"]), (&json!("Left"), &serde_json::Value::Null));
}

/// The last moves come first; a mistake has its loss and the better move.
#[tokio::test(flavor = "multi_thread")]
async fn records_of_go_are_followed() {
    let app = app();
    let board = "OOOOOOO|O.OOO.O|OOOOOOO|XXX.XXX|X.X.XXX|XXX.X.X|XXXXXXX";
    let session = path(&open(&app, "go", board).await);
    for mv in ["D3", "D4", "pass"] {
        let (status, view) = ask(&app, post(&session, &json!({ "command": "play", "text": mv }))).await;
        assert_eq!(status, StatusCode::OK, "{view}");
    }
    let follow = format!("{session}/follow");
    let (status, stream) = text(&app, post(&follow, &json!({ "seconds": 20 }))).await;
    assert_eq!(status, StatusCode::OK);
    let told = events(&stream);
    let steps: Vec<_> =
        told.iter().filter(|(event, _)| event == "step").map(|(_, data)| &data["step"]).collect();
    assert_eq!(steps.iter().map(|step| step["move"].as_u64().unwrap()).collect::<Vec<_>>(), [3, 2, 1]);
    let first = steps[2];
    assert_eq!(
        [&first["loss"], &first["better"], &first["temperature"], &first["kind"], &first["exact"]],
        [&json!("1"), &json!(["D4"]), &json!("3/4"), &json!("gote"), &json!(true)]
    );
    let (last, result) = told.last().unwrap();
    assert_eq!((last.as_str(), &result["followed"]), ("result", &json!(3)));
    // From a later move on.
    let (_, stream) = text(&app, post(&follow, &json!({ "from": 3, "seconds": 20 }))).await;
    assert_eq!(events(&stream).iter().filter(|(event, _)| event == "step").count(), 1);
    // Other games are not followed, and that is said.
    let other = path(&open(&app, "clobber", "xo").await);
    let (_, stream) = text(&app, post(&format!("{other}/follow"), &json!({}))).await;
    let (last, error) = events(&stream).pop().unwrap();
    assert_eq!(last, "error");
    assert_eq!(error["error"], "records of Go are followed move by move, and this is one of clobber");
}
