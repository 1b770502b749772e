//! Nothing is lost, and nothing is claimed that did not happen.

use fantoccini::key::Key;

use super::Page;

#[tokio::test(flavor = "multi_thread")]
async fn another_game_keeps_the_old_one_and_back_goes_back() {
    let Some(page) = Page::open("game=clobber&position=xox|oxo").await else { return };
    page.point("a1").await;
    page.point("b1").await;
    page.has_nodes(2).await;
    page.click("#choose").await;
    page.click("[data-game='nim']").await;
    page.says("#game-title", "Nim").await;
    page.client.back().await.unwrap();
    page.says("#game-title", "Clobber").await;
    page.has_nodes(2).await;
    page.says("#message", "Left played a1-b1").await;
    page.client.forward().await.unwrap();
    page.says("#game-title", "Nim").await;
    // And from the list, at the place where one was.
    page.click("#choose").await;
    page.says("#recent-list", "1 move").await;
    page.picture("recent").await;
    page.click("#recent-list [data-kept]").await;
    page.says("#game-title", "Clobber").await;
    page.says("#message", "Left played a1-b1").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn analyses_and_calculations_survive_a_reload() {
    let Some(page) = Page::open("game=domineering&position=3x3").await else { return };
    page.click("#analyse").await;
    let verdict = page.says("#verdict", "wins").await;
    page.click("#tab-calc").await;
    page.write("#line", "g := {3|{1|-2}}").await;
    page.keys("#line", &char::from(Key::Enter).to_string()).await;
    page.says("#history li:first-child .said", "3||1|-2").await;
    page.script("location.reload(); return 0").await;
    page.until("return document.body?.dataset.ready && performance.getEntriesByType('navigation')[0].type === 'reload'").await;
    assert_eq!(page.says("#verdict", "wins").await, verdict);
    page.until("return document.querySelectorAll('#options tr.option').length > 0").await;
    page.click("#tab-calc").await;
    page.write("#line", "mean(g)").await;
    page.keys("#line", &char::from(Key::Enter).to_string()).await;
    page.says("#history li:first-child .said", "5/4").await;
    page.click("#calc-clear").await;
    page.until("return document.querySelectorAll('#history li').length === 0").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sharing_holds_the_tree_and_says_what_happened() {
    let Some(page) = Page::open("game=clobber&position=xox|oxo").await else { return };
    let copied = "window.said = null; Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { window.said = text; } } }); return 0";
    page.script(copied).await;
    page.click("#share").await;
    page.says("#toast", "the address of this position").await;
    page.point("a1").await;
    page.point("b1").await;
    page.has_nodes(2).await;
    page.click("#back").await;
    page.says("#message", "Left to play").await;
    page.write("#move", "a1-a2").await;
    page.keys("#move", &char::from(Key::Enter).to_string()).await;
    page.has_nodes(3).await;
    page.click("#share").await;
    page.says("#toast", "the whole tree (3 positions)").await;
    let link = page.script("return window.said").await;
    let hash = link.as_str().unwrap().split_once('#').unwrap().1.to_owned();
    // Where the clipboard refuses, nobody says that something was copied.
    page.script("navigator.clipboard.writeText = async () => { throw new Error('no'); }; document.querySelector('#toast').hidden = true; return 0").await;
    page.click("#share").await;
    page.until("return document.querySelector('#share-box').open").await;
    page.says("#share-what", "did not let the page copy").await;
    assert_eq!(page.script("return document.querySelector('#share-link').value").await, link);
    assert_eq!(page.script("return document.querySelector('#toast').hidden").await, true);
    // Another browser opens it, with both variations, at the same place.
    page.script("sessionStorage.clear(); localStorage.clear(); return 0").await;
    page.visit(&hash).await;
    page.has_nodes(3).await;
    page.says("#message", "Left played a1-a2").await;
    page.visit("record=nonsense").await;
    page.says("#toast", "cannot be read").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_field_is_no_position() {
    let Some(page) = Page::open("game=clobber&position=xo.|.ox").await else { return };
    page.click("#tab-setup").await;
    page.write("#position", " ").await;
    page.click("#position-form .primary").await;
    page.says("#position-error", "The field is empty").await;
    assert_eq!(page.view().await["position"], "xo.|.ox");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_moves_for_the_engine_while_it_thinks() {
    let Some(page) = Page::open("game=domineering&position=8x8").await else { return };
    page.click("#tab-play").await;
    page.write("#seconds", "4").await;
    page.choose("#player", "mcts").await;
    page.choose("#opponent", "Left").await;
    page.says("#engine-says", "Thinking").await;
    page.point("a1").await;
    page.says("#toast", "it is thinking").await;
    page.has_nodes(1).await;
    page.says("#engine-says", "Left played").await;
    page.has_nodes(2).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_come_from_the_strongest_player_and_a_strategy_that_knows_nothing_says_so() {
    let Some(page) = Page::open("game=domineering&position=7x7").await else { return };
    page.click("#tab-play").await;
    page.write("#seconds", "1").await;
    page.choose("#player", "random").await;
    page.click("#hint").await;
    page.says("#engine-says", "mcts+all").await;
    page.choose("#player", "hotstrat").await;
    page.click("#engine").await;
    page.says("#engine-says", "hotstrat did not know enough in time; instead").await;
    page.close().await;
}
