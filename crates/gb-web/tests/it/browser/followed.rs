//! A whole record of Go, move by move.

use super::Page;

/// The corridor of three points is best entered at D4, by whoever begins; both go wrong first.
const CORRIDOR: &str = "game=go&position=OOOOOOO|O.OOO.O|OOOOOOO|XXX.XXX|X.X.XXX|XXX.X.X|XXXXXXX";

async fn play(page: &Page, moves: &[&str]) {
    for (count, mv) in moves.iter().enumerate() {
        page.write("#move", mv).await;
        page.script("document.querySelector('#typed').requestSubmit(); return 0").await;
        page.has_nodes(count + 2).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_are_found_shown_and_gone_to() {
    let Some(page) = Page::open(CORRIDOR).await else { return };
    page.until("return document.querySelector('#follow').hidden").await;
    play(&page, &["D3", "D4", "pass"]).await;
    page.until("return !document.querySelector('#follow').hidden").await;
    page.click("#follow-go").await;
    page.says("#follow-says", "All 3 moves").await;
    page.says("#follow-sum", "Black lost 1 in one mistake, White lost nothing").await;
    page.says("[data-step='1']", "D4").await;
    page.says("[data-step='1'].mistake", "gote").await;
    page.until("return document.querySelectorAll('[data-step]').length === 3 && document.querySelectorAll('.heat .at').length >= 1 && document.querySelector('.heat .mistake title').textContent.includes('lost 1, better D4')").await;
    page.picture("followed").await;
    // The graph goes to a move, its row to the position before it.
    page.script("const svg = document.querySelector('.heat'), box = svg.getBoundingClientRect(); svg.dispatchEvent(new MouseEvent('click', { clientX: box.left + box.width * 34 / 480 })); return 0").await;
    page.says("#message", "played D3").await;
    page.click("[data-step='1'] .follow").await;
    page.says("#message", "Black to play").await;
    page.hover("[data-step='1'] .better").await;
    page.until("return document.querySelector('.pointed, .pointed-dot') !== null").await;
    // Another line is another game: what was found is not claimed for it.
    page.click("#last").await;
    page.click("#delete").await;
    page.until("return document.querySelectorAll('.heat').length === 0").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_stopped_and_keeps_what_it_has() {
    let Some(page) = Page::open("game=go&position=19x19").await else { return };
    play(&page, &["D4", "Q16", "Q4", "D16", "C14", "F17", "O3", "R14"]).await;
    page.choose("#time", "600").await;
    page.click("#follow-go").await;
    page.says("#follow-go", "Stop").await;
    page.until("return document.querySelector('#follow-says').textContent !== 'Starting…'").await;
    page.click("#follow-go").await;
    page.says("#follow-go", "Follow the record").await;
    page.close().await;
}
