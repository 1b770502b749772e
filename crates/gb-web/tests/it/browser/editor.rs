//! A new game: written, mended, tried, shared.

use std::path::Path;

use super::Page;

/// No game of the gallery: a stone goes to the right over any number of enemies.
const TEXT: &str = "game leap\\nboard strip\\ncells x Left's stone, o Right's stone, . empty\\nleft: xo. -> .ox ; x. -> .x\\nright: .xo -> ox. ; .o -> o.\\nexample x.o.x.o";

#[tokio::test(flavor = "multi_thread")]
async fn a_new_game_is_written_mended_tried_and_shared() {
    let Some(page) = Page::open("game=nim&position=3,4").await else { return };
    page.click("#tab-editor").await;
    // What is wrong is said with its place, and that place is selected.
    page.script(&format!(
        "document.querySelector('#text').value = '{}'",
        TEXT.replace("-> .ox", "-> .qx").replace('\'', "\\'")
    ))
    .await;
    page.click("#editor-form button.primary").await;
    page.says("#text-error", "line 4, column 15: found `qx`, expected a letter of the board").await;
    let selected =
        "const t = document.querySelector('#text'); return t.value.slice(t.selectionStart, t.selectionEnd)";
    page.until(&format!("{selected} === 'qx'")).await;
    page.picture("editor-error").await;
    page.script(&format!("document.querySelector('#text').value = '{}'", TEXT.replace('\'', "\\'"))).await;
    page.click("#editor-form button.primary").await;
    page.says("#game-title", "Leap").await;
    page.says("#derived", "play ends").await;
    page.until("return document.querySelector('#text-error').hidden").await;
    // The board can be played on at once.
    page.point("a1").await;
    page.point("b1").await;
    page.says("#message", "Right to play").await;
    page.picture("editor").await;
    // Values, and a move of the engine.
    page.click("#tab-analysis").await;
    page.click("#analyse").await;
    page.says("#verdict", "wins").await;
    page.click("#tab-play").await;
    page.click("#engine").await;
    page.says("#message", "Left to play").await;
    page.says("#engine-says", "solved").await;
    let at = page.view().await["position"].as_str().unwrap().to_owned();
    // A record has the text with it.
    let record = page.record().await;
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("leap.sgf");
    std::fs::write(&file, record).unwrap();
    // So has the address: another window has never heard of the game.
    let hash = page.script("return location.hash.slice(1)").await.as_str().unwrap().to_owned();
    page.script("sessionStorage.clear()").await;
    page.visit("game=nim&position=3").await;
    page.says("#game-title", "Nim").await;
    page.script("sessionStorage.clear()").await;
    page.visit(&hash).await;
    page.says("#game-title", "Leap").await;
    assert_eq!(page.view().await["position"], at.as_str());
    page.until("return document.querySelector('#text').value.startsWith('game leap')").await;
    page.visit("game=nim&position=3").await;
    page.keys("#file", file.to_str().unwrap()).await;
    page.says("#game-title", "Leap").await;
    page.until("return document.querySelectorAll('[data-node]').length === 3").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editor_fits_a_phone() {
    let Some(page) = Page::open_phone("game=nim&position=3,4").await else { return };
    page.click("#tab-editor").await;
    page.click("#editor-form button.primary").await;
    page.says("#game-title", "Clobber").await;
    page.picture("editor-phone").await;
    page.close().await;
}
