//! Exercises on the page.

use fantoccini::key::Key;

use super::Page;

/// Types a move below the board.
async fn type_move(page: &Page, text: &str) {
    page.write("#move", text).await;
    page.keys("#move", &char::from(Key::Enter).to_string()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistake_is_answered_explained_and_taken_back() {
    let Some(page) = Page::open("game=nim&position=3").await else { return };
    // Only games with exercises have the tab.
    page.until("return document.querySelector('#tab-train').hidden").await;
    page.visit("game=chess&position=").await;
    page.click("#tab-train").await;
    page.until("return document.querySelectorAll('[data-exercise]').length > 15").await;
    page.picture("trainer-list").await;
    // By keyboard: a button like any other.
    page.keys("[data-exercise='lasker-reichhelm']", &char::from(Key::Enter).to_string()).await;
    page.says("#train-title", "Lasker - Reichhelm").await;
    page.says("#message", "White to play and win.").await;
    // By mouse: the king goes to b2, which throws the win away.
    page.point("a8").await;
    page.point("b7").await;
    let told = page.says("#train-log", "gives away the win").await;
    assert!(told.contains("Ka1-b1 would have kept it") && told.contains("corresponding squares"), "{told}");
    page.says("#train-says", "Take back").await;
    page.until("return document.querySelectorAll('[data-node]').length === 3").await;
    page.picture("trainer-mistake").await;
    page.click("#train-back").await;
    page.says("#message", "White to play and win.").await;
    page.click("#theme").await;
    page.point("a8").await;
    page.point("b8").await;
    page.until("return document.querySelector('#train-log li:first-child').dataset.grade === 'good'").await;
    page.picture("trainer-dark").await;
    page.click("#theme").await;
    // The same mistake again is answered again.
    page.click("#train-again").await;
    page.says("#train-says", "Your move.").await;
    type_move(&page, "Ka1-a2").await;
    page.says("#train-log", "gives away the win").await;
    // Another game ends the exercise.
    page.click("#train-all").await;
    page.until("return document.querySelector('#train-one').hidden").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_solve_an_exercise() {
    let Some(page) = Page::open("game=chess&position=").await else { return };
    page.click("#tab-train").await;
    page.click("[data-exercise='schlage-ahues']").await;
    page.says("#train-title", "Schlage - Ahues").await;
    for number in 1..20 {
        page.click("#train-hint").await;
        page.until("return document.querySelectorAll('.win-dot.hint').length === 1").await;
        let hint = page.says("#train-says", "Try ").await;
        let text = hint.split(' ').nth(1).unwrap().trim_end_matches(':').to_owned();
        type_move(&page, &text).await;
        page.until(&format!("return document.querySelectorAll('#train-log li').length === {number}")).await;
        if page.script("return document.querySelector('#train-says').textContent.startsWith('Solved')").await
            == true
        {
            break;
        }
    }
    page.says("#train-says", "Solved (with a hint).").await;
    page.says("#message", "Solved").await;
    page.click("#train-all").await;
    page.says("#train-count", "1 of").await;
    page.says("[data-exercise='schlage-ahues'] .tick", "✓").await;
    page.close().await;
}

/// Lasker - Reichhelm: the labels of docs/chess.md stand on the board, those of White's king and those of Black's king.
#[tokio::test(flavor = "multi_thread")]
async fn corresponding_squares_are_drawn() {
    let Some(page) = Page::open("game=chess&position=8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1").await else {
        return;
    };
    page.click("#analyse").await;
    page.says("#verdict", "Proved, with White to move: White wins.").await;
    let count = |side: &str| format!("return document.querySelectorAll('.label.{side}').length");
    page.until("return document.querySelectorAll('.label').length > 0").await;
    assert_eq!(page.script(&count("left")).await, 10);
    assert_eq!(page.script(&count("right")).await, 7);
    page.hover("[data-spot='c6']").await;
    page.says("#detail", "corresponding").await;
    page.picture("corresponding").await;
    page.click("#theme").await;
    page.picture("corresponding-dark").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn values_are_given_away_on_a_phone() {
    let Some(page) = Page::open_phone("game=chess&position=").await else { return };
    page.click("#tab-train").await;
    page.click("[data-exercise='sveda-sika']").await;
    type_move(&page, "a2-a3").await;
    let told = page.says("#train-log", "Given away").await;
    assert!(told.contains("the chunks were worth v*; h3-h4 leaves 0"), "{told}");
    page.script("document.querySelector('#train-says').scrollIntoView(); return 0").await;
    page.picture("trainer-phone").await;
    page.close().await;
}
