//! The page in a real browser. Pictures of what it looked like are kept in `target/tmp/screenshots`.
//!
//! Needs chromium and its driver; `scripts/test.sh` installs them and sets `GAMEBENCH_BROWSER=1`, so that they cannot be
//! missing unnoticed. Without that, and without a driver, these tests do nothing. With `GAMEBENCH_SITE` they open the page
//! without a server, from that folder.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value as Json, json};

use crate::support::{listen, listen_site, settings};

mod editor;
mod explorer;
mod followed;
mod games;
mod graphs;
mod hands;
mod kept;
mod proofs;
mod sums;
mod tools;
mod tour;
mod trainer;

/// Polls this often, and so long at most.
const STEP: Duration = Duration::from_millis(20);
const PATIENCE: u32 = 1_500;

/// The program that drives the browser; ended with the test.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// A page in a browser of its own, with a server of its own.
pub struct Page {
    client: Client,
    address: String,
    /// Where the driver listens, for what its library does not ask.
    port: u16,
    _driver: Driver,
    server: tokio::task::JoinHandle<()>,
}

/// The folder of the page without a server, if that is to be tested: `scripts/test-site.sh`.
fn site() -> Option<PathBuf> {
    std::env::var_os("GAMEBENCH_SITE").map(PathBuf::from)
}

fn driver() -> Option<(Driver, u16)> {
    let started =
        Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) if std::env::var_os("GAMEBENCH_BROWSER").is_some() => {
            panic!(
                "the browser tests need chromium and chromium-driver (apt-get install chromium chromium-driver): {error}"
            )
        }
        Err(_) => {
            eprintln!("no chromedriver: the browser tests are left out");
            return None;
        }
    };
    let mut lines = BufReader::new(child.stdout.take()?).lines();
    let port = lines.find_map(|line| {
        let line = line.ok()?;
        line.split("successfully on port ").nth(1)?.trim_end_matches('.').parse().ok()
    });
    // The driver must be able to go on talking.
    std::thread::spawn(move || lines.for_each(drop));
    Some((Driver(child), port?))
}

impl Page {
    /// Opens the page at what comes after the `#` of its address; `None` without a browser.
    pub async fn open(hash: &str) -> Option<Page> {
        Page::open_with(hash, json!({})).await
    }

    /// As a phone sees it.
    pub async fn open_phone(hash: &str) -> Option<Page> {
        let metrics = json!({ "width": 390, "height": 844, "pixelRatio": 2.0, "touch": true });
        Page::open_with(hash, json!({ "mobileEmulation": { "deviceMetrics": metrics } })).await
    }

    async fn open_with(hash: &str, more: Json) -> Option<Page> {
        let (driver, port) = driver()?;
        let (address, server) = match site() {
            Some(folder) => listen_site(folder).await,
            None => listen(settings()).await,
        };
        let mut options = json!({ "args": [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--window-size=1360,940",
        ] });
        if let (Some(options), Some(more)) = (options.as_object_mut(), more.as_object()) {
            options.extend(more.clone());
        }
        let capabilities =
            json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let client = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(capabilities.as_object().unwrap().clone())
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .expect("the driver opens a browser");
        let page = Page { client, address, port, _driver: driver, server };
        page.visit(hash).await;
        Some(page)
    }

    pub async fn visit(&self, hash: &str) {
        // A page that is open already would only hear of the new address.
        self.client.goto("about:blank").await.unwrap();
        self.client.goto(&format!("http://{}/#{hash}", self.address)).await.unwrap();
        self.find("body[data-ready]").await;
    }

    pub async fn find(&self, css: &str) -> Element {
        for _ in 0..PATIENCE {
            if let Ok(element) = self.client.find(Locator::Css(css)).await {
                return element;
            }
            tokio::time::sleep(STEP).await;
        }
        panic!("there is no {css}: {}", self.script("return document.body.innerText").await);
    }

    pub async fn click(&self, css: &str) {
        self.find(css).await.click().await.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// Points at a spot of the board.
    pub async fn point(&self, spot: &str) {
        self.click(&format!("[data-spot='{spot}']")).await;
    }

    pub async fn keys(&self, css: &str, keys: &str) {
        self.find(css).await.send_keys(keys).await.unwrap();
    }

    pub async fn script(&self, text: &str) -> Json {
        self.client.execute(text, vec![]).await.unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// What a script promises.
    pub async fn promised(&self, text: &str) -> Json {
        let text = format!(
            "const done = arguments[0]; (async () => {{ {text} }})().then(done, (e) => done(String(e)))"
        );
        self.client.execute_async(&text, vec![]).await.unwrap()
    }

    /// Waits until a script says something true.
    pub async fn until(&self, text: &str) -> Json {
        for _ in 0..PATIENCE {
            let said = self.script(text).await;
            if !matches!(said, Json::Null | Json::Bool(false)) {
                return said;
            }
            tokio::time::sleep(STEP).await;
        }
        let seen = self.script("return document.body.innerText").await;
        panic!("it never came to `{text}`: {}", seen.as_str().unwrap_or(""));
    }

    /// Waits until an element says something with this in it.
    pub async fn says(&self, css: &str, part: &str) -> String {
        let script = format!(
            "const e = document.querySelector({}); return e && !e.hidden && e.textContent.includes({}) ? e.textContent : null",
            json!(css),
            json!(part)
        );
        self.until(&script).await.as_str().unwrap_or("").to_owned()
    }

    pub async fn choose(&self, css: &str, value: &str) {
        self.script(&format!(
            "const e = document.querySelector({}); e.value = {}; e.dispatchEvent(new Event('change'))",
            json!(css),
            json!(value)
        ))
        .await;
    }

    /// Writes into a field.
    pub async fn write(&self, css: &str, text: &str) {
        let field = self.find(css).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    pub async fn hover(&self, css: &str) {
        let element = self.find(css).await;
        let mouse = MouseActions::new("mouse".into()).then(PointerAction::MoveToElement {
            element,
            duration: None,
            x: 0.0,
            y: 0.0,
        });
        self.client.perform_actions(mouse).await.unwrap();
    }

    /// Moves the mouse from one spot of the board to another with a button down.
    pub async fn drag(&self, from: &str, to: &str, button: u64) {
        let place = |element, duration| PointerAction::MoveToElement { element, duration, x: 0.0, y: 0.0 };
        let [start, middle, end] = [
            self.find(&format!("[data-spot='{from}']")).await,
            self.find(&format!("[data-spot='{to}']")).await,
            self.find(&format!("[data-spot='{to}']")).await,
        ];
        let mouse = MouseActions::new("mouse".into())
            .then(place(start, None))
            .then(PointerAction::Down { button })
            .then(place(middle, Some(Duration::from_millis(60))))
            .then(place(end, None))
            .then(PointerAction::Up { button });
        self.client.perform_actions(mouse).await.unwrap();
    }

    /// Two clicks at once in the middle of an element.
    pub async fn double_click(&self, css: &str) {
        let element = self.find(css).await;
        let place = PointerAction::MoveToElement { element, duration: None, x: 0.0, y: 0.0 };
        let mut mouse = MouseActions::new("mouse".into()).then(place);
        for _ in 0..2 {
            mouse = mouse.then(PointerAction::Down { button: 0 }).then(PointerAction::Up { button: 0 });
        }
        self.client.perform_actions(mouse).await.unwrap();
    }

    /// Presses keys wherever the keyboard is.
    pub async fn press(&self, keys: &str) {
        let strokes = keys.chars().fold(KeyActions::new("keys".into()), |actions, value| {
            actions.then(KeyAction::Down { value }).then(KeyAction::Up { value })
        });
        self.client.perform_actions(strokes).await.unwrap();
    }

    /// How many nodes the tree has, as soon as there are so many.
    pub async fn has_nodes(&self, count: usize) {
        self.until(&format!("return document.querySelectorAll('[data-node]').length === {count}")).await;
    }

    /// What the browser has complained about since it was asked last. Answers that refuse something are no mistakes of the page.
    pub async fn complaints(&self) -> Vec<String> {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let session = self.client.session_id().await.unwrap().unwrap();
        let body = r#"{"type":"browser"}"#;
        let request = format!(
            "POST /session/{session}/se/log HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        // The driver keeps the connection open, so that the answer is over when it is complete.
        let (mut answer, mut piece) = (vec![], [0; 4096]);
        let log = loop {
            let count = stream.read(&mut piece).await.unwrap();
            answer.extend_from_slice(&piece[..count]);
            let start = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
            match serde_json::from_slice::<Json>(&answer[start..]) {
                Ok(log) => break log,
                Err(error) => assert!(count > 0, "{error}: {}", String::from_utf8_lossy(&answer)),
            }
        };
        let entries = log["value"].as_array().unwrap_or_else(|| panic!("{log}"));
        let said = entries.iter().filter(|entry| entry["level"] == "SEVERE");
        let messages = said.map(|entry| entry["message"].as_str().unwrap_or("").to_owned());
        messages.filter(|message| !(message.contains("/api/") && message.contains("status of 4"))).collect()
    }

    /// Keeps a picture.
    pub async fn picture(&self, name: &str) {
        let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), self.client.screenshot().await.unwrap()).unwrap();
    }

    /// What the bench answers to the page.
    pub async fn ask(&self, path: &str) -> Json {
        self.promised(&format!("return (await import('./api.js')).ask({})", json!(path))).await
    }

    /// The state that the bench holds.
    pub async fn view(&self) -> Json {
        self.promised(
            "return (await import('./api.js')).ask('api/sessions/' + sessionStorage.getItem('session'))",
        )
        .await
    }

    /// The record of the session.
    pub async fn record(&self) -> String {
        let text = "return (await import('./api.js')).text(`api/sessions/${sessionStorage.getItem('session')}/record`)";
        self.promised(text).await.as_str().unwrap().to_owned()
    }

    /// Ends everything. Nothing may be wider than the window, and nothing may have failed unseen.
    pub async fn close(self) {
        let wide = self.script("return document.documentElement.scrollWidth > innerWidth").await;
        assert_eq!(wide, false, "the page is wider than the window");
        let complaints = self.complaints().await;
        assert!(complaints.is_empty(), "the console says {complaints:#?}");
        self.client.close().await.unwrap();
        self.server.abort();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_with_mouse_and_keyboard() {
    let Some(page) = Page::open("game=domineering&position=4x4").await else { return };
    page.says("#message", "Left to play, 12 moves.").await;
    // One click is a domino: by its upper end, or by its lower end where that is unambiguous.
    page.hover("[data-spot='a1']").await;
    page.until("return document.querySelectorAll('.hit.preview').length === 2").await;
    page.point("a1").await;
    page.says("#message", "Right to play").await;
    let clicks = ["b1", "d1", "b2", "d3", "b3", "a3", "b4"];
    for spot in clicks {
        let before = page.script("return document.querySelectorAll('[data-node]').length").await;
        if page.script("return document.querySelector('#message').textContent.includes('wins')").await == true
        {
            break;
        }
        page.point(spot).await;
        page.until(&format!("return document.querySelectorAll('[data-node]').length > {before}")).await;
    }
    // The rest from the keyboard: the board remembers where it was.
    for _ in 0..12 {
        if page.script("return document.querySelector('#message').textContent.includes('wins')").await == true
        {
            break;
        }
        let view = page.view().await;
        let (spot, count) = (
            view["moves"][0]["gesture"][0].as_str().unwrap().to_owned(),
            view["tree"].as_array().unwrap().len(),
        );
        walk_to(&page, &spot).await;
        page.keys("[data-spot][tabindex='0']", &char::from(Key::Enter).to_string()).await;
        page.until(&format!("return document.querySelectorAll('[data-node]').length > {count}")).await;
    }
    page.says("#message", "wins").await;
    // Every move has left a domino.
    page.until("return document.querySelectorAll('.domino').length === document.querySelectorAll('[data-node]').length - 1").await;
    page.picture("domineering-finished").await;
    page.close().await;
}

/// With the arrow keys.
async fn walk_to(page: &Page, spot: &str) {
    let place = |text: &str| (text.as_bytes()[0] as i32, text[1..].parse::<i32>().unwrap());
    for _ in 0..40 {
        let at =
            page.script("return document.querySelector('[data-spot][tabindex=\"0\"]').dataset.spot").await;
        let ((x, y), (u, v)) = (place(at.as_str().unwrap()), place(spot));
        let key = if x < u {
            Key::Right
        } else if x > u {
            Key::Left
        } else if y < v {
            Key::Down
        } else if y > v {
            Key::Up
        } else {
            return;
        };
        page.keys("[data-spot][tabindex='0']", &char::from(key).to_string()).await;
    }
    panic!("the keyboard does not reach {spot}");
}

#[tokio::test(flavor = "multi_thread")]
async fn variations_are_walked_saved_and_opened_again() {
    let Some(page) = Page::open("game=clobber&position=xox|oxo").await else { return };
    page.point("a1").await;
    page.says("#message", "where to?").await;
    page.point("b1").await;
    page.says("#message", "Right to play").await;
    page.click("#back").await;
    page.says("#message", "Left to play").await;
    page.write("#move", "a1-a2").await;
    page.keys("#move", &char::from(Key::Enter).to_string()).await;
    page.until("return document.querySelectorAll('[data-node]').length === 3").await;
    page.write("#comment", "the other way").await;
    page.script("document.querySelector('#comment').blur()").await;
    page.until("return document.querySelector('.tree .said') !== null").await;
    let at = "return document.querySelector('[aria-selected=true][data-node]').dataset.node";
    for (key, node) in [
        (Key::Up, "1"),
        (Key::Down, "2"),
        (Key::Home, "0"),
        (Key::End, "2"),
        (Key::Left, "0"),
        (Key::Right, "2"),
    ] {
        page.keys("#tree", &char::from(key).to_string()).await;
        page.until(&format!("{at} === '{node}'")).await;
    }
    let record = page.record().await;
    assert!(record.contains("C[the other way]"), "{record}");
    page.picture("variations").await;
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("record.sgf");
    std::fs::write(&file, &record).unwrap();
    page.visit("game=nim&position=3").await;
    page.keys("#file", file.to_str().unwrap()).await;
    page.says("#game-title", "Clobber").await;
    page.until("return document.querySelectorAll('[data-node]').length === 3").await;
    page.click("[data-node='2']").await;
    page.until("return document.querySelector('#comment').value === 'the other way'").await;
    page.click("#delete").await;
    page.until("return document.querySelectorAll('[data-node]').length === 2").await;
    page.close().await;
}
