//! What is done with an input, one function a target. Each says which property it checks; that nothing panics is one of them
//! everywhere.
//!
//! The targets of cargo-fuzz call these functions, and so does a test of the workspace (`crates/gb-web/tests/corpus.rs`), which
//! runs them on the corpus. Nothing here looks at a clock: libFuzzer is told how long an input may take.

use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use gb_board::Size;
use gb_engine::Engine;
use gb_engine::calc::{Answer, Calculator, Datum};
use gb_go::KoRule;
use gb_play::Limits;
use gb_rules::{GameName, Player, Variant};
use gb_value::text::{Script, Style};
use gb_value::{Budget, Store};
use http_body_util::BodyExt;
use tower::ServiceExt;

/// Memory is counted as in the program.
#[global_allocator]
static ALLOCATOR: gb_memory::Counting = gb_memory::Counting;

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: &[Target] = &[
    ("value", value),
    ("calculator", calculator),
    ("board", board),
    ("fen", fen),
    ("sgf", sgf),
    ("gtp", gtp),
    ("json", json),
    ("name", name),
    ("game", game),
    ("proof", proof),
];

/// Small limits: an input is to be answered, not to be solved.
fn budget() -> Budget {
    Budget::unlimited().with_time(Duration::from_millis(200)).with_bytes(50 << 20)
}

/// The input as text; inputs that are no text are met by the front ends before anything is read.
fn text(data: &[u8]) -> &str {
    match std::str::from_utf8(data) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&data[..error.valid_up_to()]).unwrap_or(""),
    }
}

/// A value that is read, shown in any style, and read again is the same value.
pub fn value(data: &[u8]) {
    let (store, budget) = (Store::new(), budget());
    let kernel = store.kernel(&budget);
    let Ok(value) = kernel.read(text(data)) else { return };
    let unicode = Style { script: Script::Unicode, ..Style::default() };
    let slashes = Style { slashes: true, ..Style::default() };
    for style in [Style::default(), Style::plain(), unicode, slashes] {
        let Ok(shown) = kernel.show(value, &style) else { return };
        if shown.cut {
            continue;
        }
        match kernel.read(&shown.text) {
            Ok(again) => assert_eq!(again, value, "`{}` is another value", shown.text),
            Err(gb_value::text::ReadError::Halt(_)) => return,
            Err(error) => panic!("`{}` was shown and cannot be read: {error}", shown.text),
        }
    }
}

/// Every line is answered, and a game that is shown and typed again is shown in the same way.
pub fn calculator(data: &[u8]) {
    let store = Store::new();
    let mut calculator = Calculator::new(&store);
    for line in text(data).lines().take(4) {
        let budget = budget();
        let (Ok(Answer::Datum(datum)) | Ok(Answer::Assigned(_, datum))) = calculator.run(line, &budget)
        else {
            continue;
        };
        let Ok(shown) = calculator.show(&datum, &Style::default(), &budget) else { continue };
        if shown.cut || !matches!(datum, Datum::Value(_)) {
            continue;
        }
        match calculator.run(&shown.text, &budget) {
            Ok(Answer::Datum(again)) => {
                if let Ok(again) = calculator.show(&again, &Style::default(), &budget) {
                    assert_eq!(again.text, shown.text);
                }
            }
            Err(error) if error.stop.is_some() => {}
            other => panic!("`{}` was shown, and typed again it is {other:?}", shown.text),
        }
    }
}

/// The first byte chooses the game and its variant, the rest is a position or a size. What is shown can be read and is the same
/// position; so are the parts and what moves lead to; a move can be typed as it is called.
pub fn board(data: &[u8]) {
    let [first, rest @ ..] = data else { return };
    let names = gb_games::NAMES;
    let base = match names[*first as usize % names.len()] {
        "octal" => "octal(0.77)",
        "subtraction" => "subtraction(1,3,4)",
        name => name,
    };
    let name = match *first as usize / names.len() % 3 {
        0 => base.to_owned(),
        1 => format!("impartial({base})"),
        _ => format!("negative({base})"),
    };
    position(&name, text(rest));
}

/// The work of [`board`], for a game by its name.
fn position(name: &str, text: &str) {
    let Ok(game) = gb_games::open(name, text) else { return };
    let opened = match Size::read(text) {
        Ok(size) => game.start(size),
        Err(_) => game.read(text),
    };
    let Ok(position) = opened else { return };
    let shown = position.show();
    let same = |shown: &str| {
        let game = gb_games::open(name, shown).expect("the game was opened before");
        match game.read(shown) {
            Ok(again) => assert_eq!(again.show(), shown, "{name}: read again, it is shown differently"),
            Err(error) => panic!("{name}: `{shown}` was shown and cannot be read: {error}"),
        }
    };
    same(&shown);
    let scene = position.scene();
    assert!(scene.items.len() <= 1 << 20, "{name} {shown}: a scene of {} items", scene.items.len());
    for (part, _) in position.parts().into_iter().take(20) {
        same(&part.show());
    }
    for who in [Player::Left, Player::Right] {
        for choice in position.moves(who, 20) {
            same(&choice.result);
            let played = position.play(who, &choice.text);
            let played = played.unwrap_or_else(|error| panic!("{name} {shown}: {error}"));
            // Two moves may have one text only if they lead to the same.
            assert_eq!(played.show(), choice.result, "{name} {shown}: {who} {}", choice.text);
        }
    }
}

/// Chess positions and those of pawns alone: as [`board`], without the luck that takes to choose the game.
pub fn fen(data: &[u8]) {
    let text = text(data);
    if let Ok(request) = gb_chess::Request::new(text) {
        _ = request.with_bound("e4,d5");
    }
    position("chess", text);
    position("pawns", text);
}

/// A record that is read, written and read again is the same record. Go plays it through.
pub fn sgf(data: &[u8]) {
    let text = text(data);
    if let Ok(nodes) = gb_record::read(text, 10_000) {
        let listed = |nodes: Vec<gb_record::RawNode>| -> Vec<_> {
            nodes.into_iter().map(|node| (node.parent, node.properties)).collect()
        };
        let nodes = listed(nodes);
        let written = gb_record::write(&nodes);
        match gb_record::read(&written, 10_000) {
            Ok(again) => assert_eq!(listed(again), nodes, "written as {written}"),
            Err(error) => panic!("`{written}` was written and cannot be read: {error}"),
        }
    }
    for rule in [KoRule::Simple, KoRule::Superko] {
        if let Ok(game) = gb_go::sgf::read(text, rule, None) {
            assert_eq!(game.board.points().count(), game.board.size() * game.board.size());
        }
    }
}

/// Both front ends of the protocol, line by line: every line with a command gets one answer that ends with an empty line. The
/// first byte chooses the game.
pub fn gtp(data: &[u8]) {
    fn short() -> Budget {
        Budget::unlimited().with_time(Duration::from_millis(20)).with_bytes(50 << 20)
    }
    let [first, rest @ ..] = data else { return };
    // Commands that name files are left out: inputs are not to write files, or to wait for a terminal.
    let lines = || text(rest).lines().filter(|line| !line.contains("sgf")).take(12);
    let check = |line: &str, answer: Option<String>| {
        let Some(answer) = answer else { return };
        assert!(answer.starts_with(['=', '?']) && answer.ends_with("\n\n"), "{line}: {answer:?}");
        assert!(!answer.trim_end_matches('\n').contains("\n\n"), "{line}: {answer:?}");
    };
    if first % 2 == 0 {
        let settings = gb_go::Settings { area_nodes: 1_000, ..gb_go::Settings::default() };
        let mut session = gb_go::gtp::Session::new(settings, KoRule::Simple, short);
        lines().for_each(|line| check(line, session.answer(line)));
        return;
    }
    let (game, start) = [("clobber", "3x3"), ("nim", "3,5"), ("hackenbush", "BR"), ("amazons", "4x4")]
        [usize::from(*first / 2) % 4];
    let engine = Engine::new(1);
    let limits = Limits { time: Some(Duration::from_millis(5)), bytes: 1 << 20, ..Limits::default() };
    let spec = "random".parse().expect("a player");
    let draw: gb_play::gtp::Draw = |position| position.show();
    let mut session = gb_play::gtp::Session::new(&engine, game, start, spec, limits, draw)
        .unwrap_or_else(|error| panic!("{error}"));
    lines().for_each(|line| check(line, session.answer(line)));
}

/// The body of a request; the first byte chooses its path. The server answers with JSON or events, and never fails inside.
pub fn json(data: &[u8]) {
    static SERVER: OnceLock<(tokio::runtime::Runtime, Router)> = OnceLock::new();
    let (runtime, app) = SERVER.get_or_init(|| {
        let settings = gb_web::Settings {
            searches: 1,
            threads: 1,
            search_time: Duration::from_millis(50),
            calculation_time: Duration::from_millis(50),
            search_memory: 50 << 20,
            sessions: 4,
            ..gb_web::Settings::default()
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        (runtime, gb_web::make_app(gb_web::Server::start(settings).expect("threads")))
    });
    let [first, body @ ..] = data else { return };
    let post = |path: String, body: Vec<u8>| {
        let request = Request::post(path)
            .header("host", "localhost:8080")
            .header("content-type", "application/json")
            .body(Body::from(body))
            .expect("a request");
        runtime.block_on(async {
            let answer = app.clone().oneshot(request).await.expect("an answer");
            let status = answer.status();
            (status, answer.into_body().collect().await.expect("all of it").to_bytes())
        })
    };
    let session = || {
        let (_, view) = post("/api/sessions".into(), br#"{"game":"clobber","position":"xo.|.ox"}"#.into());
        let view: serde_json::Value = serde_json::from_slice(&view).expect("a view");
        format!("/api/sessions/{}", view["session"].as_str().expect("a name"))
    };
    let path = match first % 5 {
        0 => "/api/sessions".into(),
        1 => "/api/calc".into(),
        2 => session(),
        3 => session() + "/analysis",
        _ => session() + "/engine",
    };
    let (status, answer) = post(path, body.into());
    let answer = String::from_utf8_lossy(&answer);
    assert!(!status.is_server_error() || status == StatusCode::SERVICE_UNAVAILABLE, "{status}: {answer}");
    assert!(!answer.contains("failed inside"), "{answer}");
    if !answer.starts_with("event:") && !answer.is_empty() {
        assert!(serde_json::from_str::<serde_json::Value>(&answer).is_ok(), "{status}: {answer}");
    }
}

/// The name of a game that is read, shown and read again is the same; opening it gives a game or a sentence.
pub fn name(data: &[u8]) {
    let text = text(data);
    if let Ok(name) = GameName::read(text) {
        let shown = name.to_string();
        assert_eq!(GameName::read(&shown).as_ref(), Ok(&name), "`{shown}`");
    }
    match gb_games::open(text, "2x2") {
        Ok(game) => {
            let info = game.info();
            assert!(!info.name.is_empty());
            if let Ok(position) = game.read(info.example) {
                position.moves(Player::Left, 5);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A text is a game or gets a sentence; a game has an example, whose moves can be made, and whose parts can be read.
pub fn game(data: &[u8]) {
    let game = match gb_text::TextGame::read(text(data), &[]) {
        Ok(game) => game,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let info = game.info();
    let open = game.open(Variant::Plain, info.example);
    let Ok(position) = open.read(info.example) else { return };
    for who in Player::BOTH {
        for choice in position.moves(who, 50) {
            let after = position.play(who, &choice.text).expect("a move that was listed");
            assert!(open.read(&after.show()).is_ok(), "`{}`", after.show());
        }
    }
    for (part, _) in position.parts() {
        assert!(open.read(&part.show()).is_ok(), "`{}`", part.show());
    }
}

/// A certificate without its last line, which is made here so that it fits: it is refused with a sentence, or what it claims of a single
/// board is what the engine finds.
pub fn proof(data: &[u8]) {
    let body = text(data).trim_end_matches('\n').to_owned() + "\n";
    let certificate =
        format!("{body}end {} {}\n", body.lines().count(), blake3::hash(body.as_bytes()).to_hex());
    let engine = Engine::new(1);
    let checked = match engine.check_proof(certificate.as_bytes(), &budget(), None) {
        Ok(checked) => checked,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let Some(game) = body.lines().nth(1).and_then(|line| line.split(' ').nth(1)) else { return };
    for claim in checked.claims {
        let gb_proof::Claim::Value { sum, value } = claim else { continue };
        let budget = budget();
        let kernel = engine.store.kernel(&budget);
        let found = engine.value(game, &sum, &budget, &|| Budget::unlimited().with_nodes(0), &|_, _, _| {});
        let Some(examined) = found.ok().and_then(|answer| answer.examined) else { continue };
        let values: Result<Vec<_>, _> = examined.components.iter().map(|component| component.value).collect();
        if let Ok(total) = values.and_then(|values| kernel.sum(&values))
            && let Ok(shown) = kernel.show(total, &Style::default())
        {
            assert_eq!(shown.text, value, "{game} {sum}");
        }
    }
}
