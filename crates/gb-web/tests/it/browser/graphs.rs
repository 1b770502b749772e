//! Graphs drawn by hand, boards among the results of the calculator, and misère play.

use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::key::Key;
use std::time::Duration;

use super::Page;

fn is_at(text: &str) -> String {
    format!("return new URLSearchParams(location.hash.slice(1)).get('position') === '{text}'")
}

/// Drags from the middle of one element to that of another.
async fn drag(page: &Page, from: &str, to: &str) {
    let place = |element, duration| PointerAction::MoveToElement { element, duration, x: 0.0, y: 0.0 };
    let (start, end) = (page.find(from).await, page.find(to).await);
    let mouse = MouseActions::new("mouse".into())
        .then(place(start, None))
        .then(PointerAction::Down { button: 0 })
        .then(place(end, Some(Duration::from_millis(60))))
        .then(PointerAction::Up { button: 0 });
    page.client.perform_actions(mouse).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_are_joined_added_and_removed() {
    let Some(page) = Page::open("game=snort&position=2x2").await else { return };
    page.click("#tab-setup").await;
    page.click("#to-graph").await;
    page.until(&is_at("4;0-1,0-3,1-2,2-3")).await;
    drag(&page, "[data-vertex='0'] .reach", "[data-vertex='2'] .reach").await;
    page.until(&is_at("4;0-1,0-2,0-3,1-2,2-3")).await;
    drag(&page, "[data-vertex='2'] .reach", "[data-vertex='0'] .reach").await;
    page.until(&is_at("4;0-1,0-3,1-2,2-3")).await;
    // To an empty place: the middle of the paper.
    drag(&page, "[data-vertex='1'] .reach", "#graph").await;
    page.until(&is_at("5;0-1,0-3,1-2,1-4,2-3")).await;
    // A letter for what was chosen.
    page.click("[data-vertex='3'] .reach").await;
    page.says("#graph-says", "Node 3 is chosen").await;
    page.click("[data-letter='x']").await;
    page.until(&is_at("5;0-1,0-3,1-2,1-4,2-3;...x.")).await;
    page.click("#graph-less").await;
    page.until(&is_at("4;0-1,1-2,1-3")).await;
    page.picture("graph").await;
    // The same with the keyboard alone.
    let enter = char::from(Key::Enter).to_string();
    page.keys("[data-vertex='0']", &enter).await;
    page.keys("[data-vertex='2']", &enter).await;
    page.until(&is_at("4;0-1,0-2,1-2,1-3")).await;
    page.keys("[data-vertex='3']", &char::from(Key::Delete).to_string()).await;
    page.until(&is_at("3;0-1,0-2,1-2")).await;
    page.click("#undo").await;
    page.until(&is_at("4;0-1,0-2,1-2,1-3")).await;
    // The board is that graph.
    page.until("return document.querySelectorAll('#board [data-spot]').length === 4").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edges_are_drawn_in_colours_and_fall_from_the_ground() {
    let Some(page) = Page::open("game=hackenbush&position=BR,G").await else { return };
    page.click("#tab-setup").await;
    page.click("[data-letter='R']").await;
    drag(&page, "[data-vertex='2'] .reach", "[data-vertex='3'] .reach").await;
    page.until(&is_at("0-1B,1-2R,0-3G,2-3R")).await;
    // Another colour for an edge, and several edges between two nodes.
    let enter = char::from(Key::Enter).to_string();
    page.keys("[data-edge='0']", &enter).await;
    page.click("[data-letter='G']").await;
    page.until(&is_at("0-1G,1-2R,0-3G,2-3R")).await;
    page.keys("[data-edge='0']", &enter).await;
    drag(&page, "[data-vertex='2'] .reach", "[data-vertex='3'] .reach").await;
    page.until(&is_at("0-1G,1-2R,0-3G,2-3R,2-3G")).await;
    page.picture("hackenbush-editor").await;
    // Without the third edge 1 and 2 hang on the first; without that all of it falls.
    let delete = char::from(Key::Delete).to_string();
    page.keys("[data-edge='2']", &delete).await;
    page.until(&is_at("0-1G,1-2R,2-3R,2-3G")).await;
    page.keys("[data-edge='1']", &delete).await;
    page.until(&is_at("0-1G")).await;
    page.keys("[data-edge='0']", &delete).await;
    page.until(&is_at("0")).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_calculator_draws_boards() {
    let Some(page) = Page::open("game=nim&position=3").await else { return };
    page.click("#tab-calc").await;
    for line in ["g := clobber xo.|oxx", "domineering 2x3 + nim 3,5 + ^", "mean(g)"] {
        page.write("#line", line).await;
        page.keys("#line", &char::from(Key::Enter).to_string()).await;
        page.says("#history li:first-child .asked", line).await;
    }
    page.says("#history li:first-child .said", "0").await;
    page.until("return document.querySelectorAll('#history .still').length === 2").await;
    page.until("return document.querySelectorAll('#history li:last-child .still .piece').length === 5").await;
    page.picture("calculator-boards").await;
    page.click("#history li:last-child .to-bench").await;
    page.says("#game-title", "Clobber").await;
    page.until(&is_at("xo.|oxx")).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn misere_play_says_who_wins_after_each_move() {
    let Some(page) = Page::open("game=misere(nim)&position=2").await else { return };
    page.says("#game-title", "Nim, misère").await;
    page.says("#rules-text", "who cannot move wins").await;
    page.click("#analyse").await;
    page.says("#verdict", "Whoever begins wins").await;
    // To leave one token wins; to take both leaves the opponent without a move, who wins.
    let wins = |row: &str, who: &str| {
        format!(
            "return document.querySelector('#options tr.option{row} td:last-child')?.textContent === '{who}'"
        )
    };
    page.until(&wins(".wins", "Left")).await;
    page.until(&wins(":not(.wins)", "Right")).await;
    page.close().await;
}

/// Edges between the same two nodes lie beside each other, and each can be cut.
#[tokio::test(flavor = "multi_thread")]
async fn parallel_edges_are_arcs() {
    let Some(page) = Page::open("game=hackenbush&position=0-1B,0-1R,0-1G,1-2B,1-1G").await else { return };
    let paths =
        "return [...document.querySelectorAll('#board path.edge')].map((path) => path.getAttribute('d'))";
    let mut paths: Vec<String> = serde_json::from_value(page.script(paths).await).unwrap();
    assert_eq!(paths.len(), 5);
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 5, "{paths:?}");
    // The middle of each is in its own area.
    let own = "return [...document.querySelectorAll('#board [data-thing]')].every((thing) => { const path = thing.querySelector('path.edge'); const at = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM()); return document.elementFromPoint(at.x, at.y)?.dataset.spot === thing.dataset.thing; })";
    page.picture("arcs").await;
    page.until(own).await;
    // The blue one of the three is cut in its middle.
    let place = "const path = document.querySelector('#board path.edge.left'); const at = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM()); return [at.x, at.y]";
    let (x, y): (f64, f64) = serde_json::from_value(page.script(place).await).unwrap();
    let mouse = MouseActions::new("mouse".into())
        .then(PointerAction::MoveTo { duration: None, x, y })
        .then(PointerAction::Down { button: 0 })
        .then(PointerAction::Up { button: 0 });
    page.client.perform_actions(mouse).await.unwrap();
    page.says("#message", "Right to play").await;
    page.until("return document.querySelectorAll('#board path.edge').length === 4").await;
    page.close().await;
}
