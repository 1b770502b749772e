//! All moves with what they leave, and something to say where values are out of reach.

use super::Page;

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_listed_sorted_shown_and_followed() {
    let Some(page) = Page::open("game=domineering&position=..%23...|..%23.%23.|.%23%23...").await else {
        return;
    };
    page.click("#analyse").await;
    let count = page.view().await["moves"].as_array().unwrap().len();
    page.until(&format!("return document.querySelectorAll('#options tr.option').length === {count}")).await;
    // Pointing at a row shows the move on the board.
    page.hover("#options tr.option:nth-child(2) .follow").await;
    page.until("return document.querySelectorAll('#pointed polyline').length === 1").await;
    // By temperature, both ways.
    let heats = "return [...document.querySelectorAll('#options tr.option td:nth-child(5)')].map((td) => td.textContent.split('/').map(Number)).map(([a, b]) => a / (b ?? 1))";
    page.click("#options th:nth-child(5) .sort").await;
    page.find("#options th[aria-sort=descending]").await;
    let down: Vec<f64> = serde_json::from_value(page.script(heats).await).unwrap();
    assert!(down.is_sorted_by(|a, b| a >= b) && down.len() == count, "{down:?}");
    page.click("#options th:nth-child(5) .sort").await;
    page.find("#options th[aria-sort=ascending]").await;
    let up: Vec<f64> = serde_json::from_value(page.script(heats).await).unwrap();
    assert!(up.is_sorted(), "{up:?}");
    // Sensible moves are fewer, and can be written on the board.
    page.click("#explore-sensible").await;
    page.until(&format!(
        "const n = document.querySelectorAll('#options tr.option').length; return n > 0 && n < {count}"
    ))
    .await;
    page.click("#explore-board").await;
    page.until("return document.querySelectorAll('.note-text').length > 0").await;
    page.picture("explorer-board").await;
    page.choose("#explore-who", "both").await;
    page.until("return document.querySelector('#options .dot.left') && document.querySelector('#options .dot.right')").await;
    // Further down, and then all of it is played.
    page.click("#options tr.option .expand").await;
    page.until("return document.querySelectorAll('#options tr[data-depth=\"2\"]').length > 0").await;
    page.picture("explorer-tree").await;
    let line = page.script("return [document.querySelector('#options tr[data-depth=\"1\"]').dataset.move, document.querySelector('#options tr[data-depth=\"2\"]').dataset.move]").await;
    page.click("#options tr[data-depth=\"2\"] .follow").await;
    page.until("return document.querySelectorAll('[data-node]').length >= 3").await;
    page.says("#message", line[1].as_str().unwrap()).await;
    page.says("#tree", line[0].as_str().unwrap()).await;
    page.close().await;
}

/// The table says what the command line says.
#[tokio::test(flavor = "multi_thread")]
async fn what_moves_leave_is_what_is_there_after_them() {
    let Some(page) = Page::open("game=clobber&position=xox|oxo").await else { return };
    page.click("#analyse").await;
    page.until("return document.querySelectorAll('#options tr.option').length > 3").await;
    let row = "#options tr.option:nth-child(3)";
    let said = page.script(&format!("return document.querySelector('{row} .value').textContent")).await;
    page.click(&format!("{row} .follow")).await;
    page.has_nodes(2).await;
    page.click("#analyse").await;
    page.says("#verdict", "wins").await;
    let sum = page.script("return (document.querySelector('#parts tr.sum .value') ?? document.querySelector('#parts tbody .value')).textContent").await;
    assert_eq!(said, sum);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unsolved_position_has_an_estimate_a_move_and_bounds() {
    let Some(page) = Page::open("game=domineering&position=9x9").await else { return };
    page.choose("#time", "5").await;
    page.click("#analyse").await;
    // While it searches, and better and better.
    page.says("#estimate", "Best move").await;
    page.says("#estimate", "% of the games").await;
    page.until("return !document.querySelector('#evaluation').hidden").await;
    page.says("#verdict", "Not solved in 5 s").await;
    page.says("#estimate", "More time makes it better").await;
    page.says("#parts", "to").await;
    page.until("return document.querySelectorAll('.win.guess').length > 0").await;
    page.picture("unsolved").await;
    // The move is a button.
    page.click("#estimate .follow").await;
    page.has_nodes(2).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_solved_position_fills_the_bar() {
    let Some(page) = Page::open("").await else { return };
    page.click("#tour-skip").await;
    // The first thing that anybody sees is analysed already.
    page.says("#verdict", "Left wins").await;
    page.says("#evaluation", "Left wins").await;
    page.says("#rules-text", "domino").await;
    page.click("#options tr.option .expand").await;
    page.until("return document.querySelectorAll('#options tr[data-depth=\"2\"]').length > 3").await;
    page.picture("explorer").await;
    // All thermographs in one picture, and one again.
    page.click("#together").await;
    page.says("#thermograph h2", "Thermographs of the parts").await;
    page.picture("together").await;
    page.click("#together").await;
    page.says("#thermograph h2", "Thermograph of the sum").await;
    page.close().await;
}

/// Where points count, or an analyst has the last word, values of what is left do not say who wins.
#[tokio::test(flavor = "multi_thread")]
async fn the_bar_says_nothing_that_it_does_not_know() {
    let Some(page) = Page::open("game=regio&position=....|....").await else { return };
    page.point("a1").await;
    page.says("#message", "Points: Left 3 ahead").await;
    page.click("#analyse").await;
    page.says("#verdict", "wins by").await;
    assert_eq!(page.script("return document.querySelector('#evaluation').hidden").await, true);
    page.visit("game=chess&position=").await;
    page.click("#analyse").await;
    page.says("#verdict", "roved").await;
    assert_eq!(page.script("return document.querySelector('#evaluation').hidden").await, true);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn long_values_are_folded_and_fractions_set() {
    let Some(page) = Page::open("game=clobber&position=xoxox|oxoxo").await else { return };
    page.click("#analyse").await;
    page.says("#verdict", "wins").await;
    page.until("return document.querySelectorAll('#parts .folded').length > 0").await;
    let wide = "return [...document.querySelectorAll('#parts .folded .set')].every((e) => e.hidden)";
    assert_eq!(page.script(wide).await, true);
    page.click("#parts .folded .more").await;
    page.says("#parts .folded .more", "less").await;
    assert_eq!(page.script(wide).await, false);
    page.click("#tab-calc").await;
    page.write("#line", "3/4 + ^").await;
    page.click("#calc-form .primary").await;
    page.until("return document.querySelectorAll('#history .frac').length > 0").await;
    page.says("#history .said", "↑").await;
    page.close().await;
}

/// Go: all legal moves, with the score that best play ends with after those whose loss is known.
#[tokio::test(flavor = "multi_thread")]
async fn moves_of_go_are_listed_with_their_scores() {
    let Some(page) = Page::open("game=go&position=").await else { return };
    page.click("#analyse").await;
    page.says("#verdict", "Score with best play").await;
    let legal = page.view().await["moves"].as_array().unwrap().len();
    page.until(&format!("return document.querySelectorAll('#options tr.option').length === {legal}")).await;
    let cells = "return [...document.querySelectorAll('#options tr.option')].map((row) => [row.dataset.move, row.children[2].textContent, row.classList.contains('wins')])";
    let rows: Vec<(String, String, bool)> = serde_json::from_value(page.script(cells).await).unwrap();
    assert!(rows[0].2 && rows[0].1.ends_with("points"), "{rows:?}");
    assert!(rows.iter().any(|row| row.1 == "not known") && rows.iter().any(|row| !row.2), "{rows:?}");
    page.hover("#options tr.option .follow").await;
    page.until("return document.querySelectorAll('#pointed circle').length === 1").await;
    page.picture("explorer-go").await;
    // Further down, and followed: the score after the move is what was said before it.
    page.click("#options tr.option .expand").await;
    page.until("return document.querySelectorAll('#options tr[data-depth=\"2\"]').length > 0").await;
    page.click("#options tr[data-depth=\"1\"] .follow").await;
    page.has_nodes(2).await;
    page.click("#analyse").await;
    page.says("#verdict", "Score with best play").await;
    page.close().await;
}

/// Chess: who wins after each move, as far as it is proved.
#[tokio::test(flavor = "multi_thread")]
async fn moves_of_chess_are_listed_with_their_endings() {
    let Some(page) = Page::open("game=chess&position=8/8/8/4k3/8/4K3/4P3/8 w - - 0 1").await else { return };
    page.click("#analyse").await;
    page.says("#verdict", "Proved").await;
    let legal = page.view().await["moves"].as_array().unwrap().len();
    page.until(&format!("return document.querySelectorAll('#options tr.option').length === {legal}")).await;
    let ends = "return [...document.querySelectorAll('#options tr.option')].map((row) => row.lastElementChild.textContent)";
    let ends: Vec<String> = serde_json::from_value(page.script(ends).await).unwrap();
    assert!(ends.iter().all(|end| ["White", "Black", "nobody", ""].contains(&&**end)), "{ends:?}");
    assert!(ends.iter().any(|end| !end.is_empty()), "{ends:?}");
    page.click("#options th:nth-child(6) .sort").await;
    page.find("#options th[aria-sort=descending]").await;
    page.picture("explorer-chess").await;
    page.click("#options tr.option .follow").await;
    page.has_nodes(2).await;
    page.close().await;
}
