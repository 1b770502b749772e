//! Several boards and values on one bench.

use super::Page;

#[tokio::test(flavor = "multi_thread")]
async fn boards_and_values_are_added_played_analysed_and_taken_away() {
    let Some(page) = Page::open("game=domineering&position=..|..").await else { return };
    page.click("#tab-setup").await;
    page.choose("#sum-game", "clobber").await;
    page.write("#sum-text", "xo.").await;
    page.click("#sum-form button").await;
    page.says("#game-title", "Sum").await;
    page.choose("#sum-game", "").await;
    page.write("#sum-text", "+-1").await;
    page.click("#sum-form button").await;
    let position = |text: &str| {
        format!("return new URLSearchParams(location.hash.slice(1)).get('position') === '{text}'")
    };
    page.until(&position("domineering ..|.. + clobber xo. + +-1")).await;
    page.until("return document.querySelectorAll('#summands li').length === 3").await;
    // Nonsense is explained, and nothing changes.
    page.write("#sum-text", "{1|").await;
    page.click("#sum-form button").await;
    page.says("#sum-error", "no summand").await;
    // All of it together.
    page.click("#tab-analysis").await;
    page.click("#analyse").await;
    page.says("#verdict", "wins").await;
    page.until("return document.querySelectorAll('#parts tbody tr').length === 4").await;
    page.until("return document.querySelectorAll('#options tr.option').length === 4").await;
    // A move in each of them: Left's domino, Right's value, Left's stone.
    page.point("a1").await;
    page.says("#message", "Left played 1:a1-a2").await;
    let spot = page.script("return [...document.querySelectorAll('[data-spot]')].find((hit) => hit.getAttribute('aria-label').startsWith('3:option') && hit.classList.contains('hot')).dataset.spot").await;
    page.point(spot.as_str().unwrap()).await;
    page.says("#message", "Right played 3:-1").await;
    page.drag("e1", "f1", 0).await;
    page.says("#message", "Left played 2:a1-b1").await;
    page.until(&position("domineering #.|#. + clobber .x. + -1")).await;
    page.has_nodes(4).await;
    // The address is enough to come back.
    let hash = page.script("return location.hash.slice(1)").await;
    page.script("sessionStorage.clear(); return 0").await;
    page.visit(hash.as_str().unwrap()).await;
    page.until(&position("domineering #.|#. + clobber .x. + -1")).await;
    page.click("#tab-setup").await;
    page.click("#summands li:nth-child(2) .icon").await;
    page.until(&position("domineering #.|#. + -1")).await;
    page.click("#undo").await;
    page.until(&position("domineering #.|#. + clobber .x. + -1")).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_plays_sums() {
    let Some(page) = Page::open("game=sum&position=nim 3,5 %2B nim 7 %2B *2").await else { return };
    page.click("#tab-play").await;
    page.click("#hint").await;
    page.says("#engine-says", "Try").await;
    page.choose("#opponent", "both").await;
    page.says("#message", "wins").await;
    page.visit("game=sum&position=").await;
    page.click("#tab-analysis").await;
    page.click("#analyse").await;
    page.says("#verdict", "wins").await;
    page.picture("sum").await;
    page.close().await;
}

/// A game that is being written, one of the list and a value; the address has the text with it.
#[tokio::test(flavor = "multi_thread")]
async fn games_that_are_texts_are_summands() {
    let Some(page) = Page::open("game=domineering&position=..|..").await else { return };
    let text = "game leap\\nboard strip\\ncells x Left, o Right, . empty\\nleft: xo. -> .ox ; x. -> .x\\nright: .xo -> ox. ; .o -> o.\\nexample x.o.";
    page.click("#tab-editor").await;
    page.script(&format!("document.querySelector('#text').value = '{}'", text.replace("-> .ox", "-> .qx")))
        .await;
    page.click("#tab-setup").await;
    page.script("document.querySelector('#sum-game').focus(); return 0").await;
    page.until("return document.querySelector('#sum-written').textContent === 'New game: leap'").await;
    page.choose("#sum-game", "~").await;
    page.click("#sum-form button").await;
    page.says("#sum-error", "line 4, column 15: found `qx`").await;
    page.script(&format!("document.querySelector('#text').value = '{text}'")).await;
    page.click("#sum-form button").await;
    page.says("#game-title", "Sum").await;
    page.choose("#sum-game", "").await;
    page.write("#sum-text", "+-1").await;
    page.click("#sum-form button").await;
    let names = "return [...document.querySelectorAll('#summands li span')].map((one) => one.textContent)";
    let has = |list: &str| format!("{names}.join() === '{list}'");
    page.until(&has("Domineering ..|..,Leap x.o.,+-1")).await;
    // Another board of the same text, and then one of another.
    page.choose("#sum-game", "~").await;
    page.write("#sum-text", "x..").await;
    page.click("#sum-form button").await;
    page.until(&has("Domineering ..|..,Leap x.o.,+-1,Leap x..")).await;
    page.script(
        "document.querySelector('#text').value = 'game nibble\\nboard heap\\nboth: n -> n-1 ; n -> n-2'",
    )
    .await;
    page.write("#sum-text", "4").await;
    page.click("#sum-form button").await;
    page.until(&has("Domineering ..|..,Leap x.o.,+-1,Leap x..,Nibble 4")).await;
    page.click("#tab-analysis").await;
    page.click("#analyse").await;
    page.says("#verdict", "wins").await;
    page.point("e1").await;
    page.point("f1").await;
    page.says("#message", "Left played 2:a1-b1").await;
    page.picture("sum-texts").await;
    // Another window has never heard of these games.
    let hash = page.script("return location.hash.slice(1)").await;
    page.script("sessionStorage.clear(); localStorage.clear(); return 0").await;
    page.visit(hash.as_str().unwrap()).await;
    page.click("#tab-setup").await;
    page.until(&has("Domineering ..|..,Leap .xo.,+-1,Leap x..,Nibble 4")).await;
    page.until("return document.querySelector('#text').value.startsWith('game clobber')").await;
    // One of them alone, and back to the sum.
    page.click("#summands li:nth-child(5) button").await;
    page.says("#game-title", "Nibble").await;
    page.until("return document.querySelector('#text').value.startsWith('game nibble')").await;
    page.script("history.back(); return 0").await;
    page.says("#game-title", "Sum").await;
    page.close().await;
}
